//! blake2b-rs: the SSE code of the authors, in C; Blake2bBuilder and Blake2b, documented on
//! docs.rs. It refuses by panic.

use adapters::{serve_hash, Params, Rest, Result, State};
use blake2b_rs::{Blake2b, Blake2bBuilder};

struct Port {
    hash: Blake2b,
    size: usize,
}

fn make(p: &Params) -> Result<Box<dyn State>> {
    p.only(&["key", "salt", "person"])?;
    let mut builder = Blake2bBuilder::new(p.size);
    if let Some(key) = &p.key {
        builder = builder.key(key);
    }
    if let Some(salt) = &p.salt {
        builder = builder.salt(salt);
    }
    if let Some(person) = &p.person {
        builder = builder.personal(person);
    }
    Ok(Box::new(Port { hash: builder.build(), size: p.size }))
}

impl State for Port {
    fn update(&mut self, data: &[u8]) -> Result<()> {
        self.hash.update(data);
        Ok(())
    }

    fn sum(self: Box<Self>, _last: bool) -> Result<(Vec<u8>, Rest)> {
        let mut digest = vec![0; self.size];
        self.hash.finalize(&mut digest);
        Ok((digest, Rest::Ended))
    }
}

fn main() {
    serve_hash("blake2b-rs", env!("VERSION_blake2b_rs"), make)
}
