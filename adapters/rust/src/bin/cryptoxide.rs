//! cryptoxide: hashing::blake2b::ContextDyn, documented on docs.rs. It refuses by panic, and has a reset for
//! hashes with a key and one for those without.

use adapters::{serve_hash, Params, Rest, Result, State};
use cryptoxide::hashing::blake2b::ContextDyn;

#[derive(Clone)]
struct Port {
    context: ContextDyn,
    size: usize,
    key: Option<Vec<u8>>,
}

fn make(p: &Params) -> Result<Box<dyn State>> {
    p.only(&["key"])?;
    let context = match &p.key {
        None => ContextDyn::new(p.size),
        Some(key) => ContextDyn::new_keyed(p.size, key),
    };
    Ok(Box::new(Port { context, size: p.size, key: p.key.clone() }))
}

impl State for Port {
    fn update(&mut self, data: &[u8]) -> Result<()> {
        self.context.update_mut(data);
        Ok(())
    }

    fn sum(mut self: Box<Self>, last: bool) -> Result<(Vec<u8>, Rest)> {
        let mut digest = vec![0; self.size];
        match &self.key {
            _ if last => {
                self.context.finalize_at(&mut digest);
                return Ok((digest, Rest::Ended));
            }
            None => self.context.finalize_reset_at(&mut digest),
            Some(key) => self.context.finalize_reset_with_key_at(key, &mut digest),
        }
        Ok((digest, Rest::WasReset(self)))
    }

    fn reset(&mut self) -> Result<()> {
        match &self.key {
            None => self.context.reset(),
            Some(key) => self.context.reset_with_key(key),
        }
        Ok(())
    }

    fn copy(&self) -> Result<Box<dyn State>> {
        Ok(Box::new(self.clone()))
    }
}

fn main() {
    serve_hash("cryptoxide", env!("VERSION_cryptoxide"), make)
}
