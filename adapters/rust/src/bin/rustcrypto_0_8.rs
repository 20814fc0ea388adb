//! RustCrypto's blake2 0.8: VarBlake2b with the traits of digest 0.8, documented on docs.rs.

use adapters::{serve_hash, Params, Rest, Result, State};
use rustcrypto_0_8::digest::{Input, Reset, VariableOutput};
use rustcrypto_0_8::VarBlake2b;

struct Port(VarBlake2b);

fn make(p: &Params) -> Result<Box<dyn State>> {
    p.only(&["key"])?;
    Ok(Box::new(Port(match &p.key {
        None => VarBlake2b::new(p.size)?,
        Some(key) => VarBlake2b::new_keyed(key, p.size),
    })))
}

impl State for Port {
    fn update(&mut self, data: &[u8]) -> Result<()> {
        self.0.input(data);
        Ok(())
    }

    fn sum(self: Box<Self>, _last: bool) -> Result<(Vec<u8>, Rest)> {
        Ok((self.0.vec_result(), Rest::Ended))
    }

    fn reset(&mut self) -> Result<()> {
        self.0.reset();
        Ok(())
    }

    fn copy(&self) -> Result<Box<dyn State>> {
        Ok(Box::new(Port(self.0.clone())))
    }
}

fn main() {
    serve_hash(concat!("rustcrypto-", env!("VERSION_rustcrypto_0_8")), env!("VERSION_rustcrypto_0_8"), make)
}
