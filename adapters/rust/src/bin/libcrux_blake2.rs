//! libcrux-blake2: Blake2bBuilder and Blake2b, documented on docs.rs: verified code of HACL*, translated to
//! Rust.

use adapters::{array, serve_hash, unsupported, Params, Rest, Result, State};
use libcrux_blake2::{Blake2bBuilder, Error};

/// What the hashes with and without a key, of two types that have no public names, have in common.
struct Port<H> {
    hash: H,
    size: usize,
    update: fn(&mut H, &[u8]) -> Outcome<()>,
    finalize: fn(&H, &mut [u8]) -> Outcome<usize>,
    reset: Reset<H>,
}

type Outcome<T> = std::result::Result<T, Error>;
type Reset<H> = Box<dyn Fn(&mut H) -> Outcome<()>>;

fn make(p: &Params) -> Result<Box<dyn State>> {
    p.only(&["key", "salt", "person"])?;
    let Ok(size) = u8::try_from(p.size) else {
        return unsupported("a size of more than 8 bits");
    };
    let salt = p.salt.as_ref().map(|salt| array("salt", salt)).transpose()?.unwrap_or_default();
    let person = p.person.as_ref().map(|person| array("person", person)).transpose()?.unwrap_or_default();
    Ok(match p.key.clone() {
        None => Box::new(Port {
            hash: Blake2bBuilder::new_unkeyed()
                .with_salt(&salt)
                .with_personalization(&person)
                .build_var_digest_len(size)?,
            size: p.size,
            update: |hash, data| hash.update(data),
            finalize: |hash, digest| hash.finalize(digest),
            reset: Box::new(|hash| {
                hash.reset();
                Ok(())
            }),
        }),
        Some(key) => Box::new(Port {
            hash: Blake2bBuilder::new_keyed_dynamic(&key)?
                .with_salt(&salt)
                .with_personalization(&person)
                .build_var_digest_len(size)?,
            size: p.size,
            update: |hash, data| hash.update(data),
            finalize: |hash, digest| hash.finalize(digest),
            reset: Box::new(move |hash| hash.reset_with_key(&key)),
        }),
    })
}

impl<H: 'static> State for Port<H> {
    fn update(&mut self, data: &[u8]) -> Result<()> {
        Ok((self.update)(&mut self.hash, data)?)
    }

    fn sum(self: Box<Self>, _last: bool) -> Result<(Vec<u8>, Rest)> {
        let mut digest = vec![0; self.size];
        (self.finalize)(&self.hash, &mut digest)?;
        Ok((digest, Rest::Live(self)))
    }

    fn reset(&mut self) -> Result<()> {
        Ok((self.reset)(&mut self.hash)?)
    }
}

fn main() {
    serve_hash("libcrux-blake2", env!("VERSION_libcrux_blake2"), make)
}
