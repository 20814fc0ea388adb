//! rscrypto: digest_into, keyed_digest_into and Blake2bParams::hash_into, of whole messages, documented on
//! docs.rs. Keys have 1 to 64 bytes, salts 16.

use adapters::{array, one_shot, serve_hash, Params, Result, State};
use rscrypto::{Blake2b, Blake2bKey, Blake2bParams};

fn make(p: &Params) -> Result<Box<dyn State>> {
    p.only(&["key", "salt", "person"])?;
    let (size, key) = (p.size, p.key.clone());
    if p.salt.is_none() && p.person.is_none() {
        return Ok(one_shot(move |message| {
            let mut digest = vec![0; size];
            match &key {
                None => Blake2b::digest_into(message, &mut digest)?,
                Some(key) => Blake2b::keyed_digest_into(Blake2bKey::new(key)?, message, &mut digest)?,
            }
            Ok(digest)
        }));
    }
    let mut params = Blake2bParams::new();
    if let Some(key) = &key {
        params = params.key(Blake2bKey::new(key)?);
    }
    if let Some(salt) = &p.salt {
        params = params.salt(array("salt", salt)?);
    }
    if let Some(person) = &p.person {
        params = params.personal(array("person", person)?);
    }
    Ok(one_shot(move |message| {
        let mut digest = vec![0; size];
        params.hash_into(message, &mut digest)?;
        Ok(digest)
    }))
}

fn main() {
    serve_hash("rscrypto-hash", env!("VERSION_rscrypto"), make)
}
