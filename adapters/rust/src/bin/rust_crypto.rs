//! rust-crypto, of 2016: blake2b::Blake2b with the trait Digest, documented on docs.rs: result may be called
//! several times, and wants a reset before more data. It refuses by panic.

use adapters::{serve_hash, Params, Rest, Result, State};
use rust_crypto::{blake2b::Blake2b, digest::Digest};

struct Port(Blake2b);

fn make(p: &Params) -> Result<Box<dyn State>> {
    p.only(&["key"])?;
    Ok(Box::new(Port(match &p.key {
        None => Blake2b::new(p.size),
        Some(key) => Blake2b::new_keyed(p.size, key),
    })))
}

impl State for Port {
    fn update(&mut self, data: &[u8]) -> Result<()> {
        self.0.input(data);
        Ok(())
    }

    fn sum(mut self: Box<Self>, _last: bool) -> Result<(Vec<u8>, Rest)> {
        let mut digest = vec![0; self.0.output_bytes()];
        self.0.result(&mut digest);
        Ok((digest, Rest::Summed(self)))
    }

    fn reset(&mut self) -> Result<()> {
        Digest::reset(&mut self.0);
        Ok(())
    }

    fn copy(&self) -> Result<Box<dyn State>> {
        Ok(Box::new(Port(self.0)))
    }
}

fn main() {
    serve_hash("rust-crypto", env!("VERSION_rust_crypto"), make)
}
