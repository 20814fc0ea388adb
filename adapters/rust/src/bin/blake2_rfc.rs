//! blake2-rfc: blake2b::Blake2b, documented on docs.rs. It refuses by panic.

use adapters::{serve_hash, Params, Rest, Result, State};
use blake2_rfc::blake2b::Blake2b;

struct Port(Blake2b);

fn make(p: &Params) -> Result<Box<dyn State>> {
    p.only(&["key"])?;
    Ok(Box::new(Port(match &p.key {
        None => Blake2b::new(p.size),
        Some(key) => Blake2b::with_key(p.size, key),
    })))
}

impl State for Port {
    fn update(&mut self, data: &[u8]) -> Result<()> {
        self.0.update(data);
        Ok(())
    }

    fn sum(self: Box<Self>, _last: bool) -> Result<(Vec<u8>, Rest)> {
        Ok((self.0.finalize().as_bytes().to_vec(), Rest::Ended))
    }

    fn copy(&self) -> Result<Box<dyn State>> {
        Ok(Box::new(Port(self.0.clone())))
    }
}

fn main() {
    serve_hash("blake2-rfc", env!("VERSION_blake2_rfc"), make)
}
