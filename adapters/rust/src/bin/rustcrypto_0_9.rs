//! RustCrypto's blake2 0.9: VarBlake2b with the traits of digest 0.9, documented on docs.rs.

use adapters::{serve_hash, Params, Rest, Result, State};
use rustcrypto_0_9::digest::{Reset, Update, VariableOutput};
use rustcrypto_0_9::VarBlake2b;

struct Port(VarBlake2b);

fn make(p: &Params) -> Result<Box<dyn State>> {
    p.only(&["key", "salt", "person"])?;
    Ok(Box::new(Port(match &p.key {
        None if p.salt.is_none() && p.person.is_none() => VarBlake2b::new(p.size)?,
        Some(key) if p.salt.is_none() && p.person.is_none() => VarBlake2b::new_keyed(key, p.size),
        _ => VarBlake2b::with_params(p.key(), p.salt(), p.person(), p.size),
    })))
}

impl State for Port {
    fn update(&mut self, data: &[u8]) -> Result<()> {
        self.0.update(data);
        Ok(())
    }

    fn sum(mut self: Box<Self>, last: bool) -> Result<(Vec<u8>, Rest)> {
        let mut digest = Vec::new();
        if last {
            self.0.finalize_variable(|output| digest = output.to_vec());
            return Ok((digest, Rest::Ended));
        }
        self.0.finalize_variable_reset(|output| digest = output.to_vec());
        Ok((digest, Rest::WasReset(self)))
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
    serve_hash(concat!("rustcrypto-", env!("VERSION_rustcrypto_0_9")), env!("VERSION_rustcrypto_0_9"), make)
}
