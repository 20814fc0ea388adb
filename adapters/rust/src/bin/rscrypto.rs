//! rscrypto: Blake2b and Blake2bParams, documented on docs.rs. Keys have 1 to 64 bytes, salts 16.

use adapters::{array, serve_hash, Params, Rest, Result, State};
use rscrypto::{Blake2b, Blake2bKey, Blake2bParams};

struct Port(Blake2b);

fn make(p: &Params) -> Result<Box<dyn State>> {
    p.only(&["key", "salt", "person"])?;
    let key = p.key.as_ref().map(|key| Blake2bKey::new(key)).transpose()?;
    if p.salt.is_none() && p.person.is_none() {
        return Ok(Box::new(Port(match key {
            None => Blake2b::new(p.size)?,
            Some(key) => Blake2b::new_keyed(p.size, key)?,
        })));
    }
    let mut params = Blake2bParams::new();
    if let Some(key) = key {
        params = params.key(key);
    }
    if let Some(salt) = &p.salt {
        params = params.salt(array("salt", salt)?);
    }
    if let Some(person) = &p.person {
        params = params.personal(array("person", person)?);
    }
    Ok(Box::new(Port(params.build(p.size)?)))
}

impl State for Port {
    fn update(&mut self, data: &[u8]) -> Result<()> {
        self.0.update(data);
        Ok(())
    }

    fn sum(self: Box<Self>, _last: bool) -> Result<(Vec<u8>, Rest)> {
        let mut digest = vec![0; self.0.output_size()];
        self.0.finalize_into(&mut digest)?;
        Ok((digest, Rest::Live(self)))
    }

    fn reset(&mut self) -> Result<()> {
        self.0.reset();
        Ok(())
    }
}

fn main() {
    serve_hash("rscrypto", env!("VERSION_rscrypto"), make)
}
