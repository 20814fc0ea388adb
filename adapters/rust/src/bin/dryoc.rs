//! dryoc: classic::crypto_generichash, documented on docs.rs.

use adapters::{serve_hash, Params, Rest, Result, State};
use dryoc::classic::crypto_generichash::{
    crypto_generichash_final, crypto_generichash_init, crypto_generichash_update, GenericHashState,
};

struct Port {
    state: GenericHashState,
    size: usize,
}

fn make(p: &Params) -> Result<Box<dyn State>> {
    p.only(&["key"])?;
    Ok(Box::new(Port { state: crypto_generichash_init(p.key.as_deref(), p.size)?, size: p.size }))
}

impl State for Port {
    fn update(&mut self, data: &[u8]) -> Result<()> {
        crypto_generichash_update(&mut self.state, data);
        Ok(())
    }

    fn sum(self: Box<Self>, _last: bool) -> Result<(Vec<u8>, Rest)> {
        let mut digest = vec![0; self.size];
        crypto_generichash_final(self.state, &mut digest)?;
        Ok((digest, Rest::Ended))
    }

    fn copy(&self) -> Result<Box<dyn State>> {
        Ok(Box::new(Port { state: self.state.clone(), size: self.size }))
    }
}

fn main() {
    serve_hash("dryoc", env!("VERSION_dryoc"), make)
}
