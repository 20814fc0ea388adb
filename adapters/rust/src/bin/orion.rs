//! orion: hazardous::hash::blake2::blake2b, and hazardous::mac::blake2b for keys, documented on docs.rs.

use adapters::{serve_hash, Params, Rest, Result, State};
use orion::hazardous::{hash::blake2::blake2b as hash, mac::blake2b as mac};

enum Port {
    Hash(hash::Blake2b),
    Mac(mac::Blake2b, Vec<u8>),
}

fn make(p: &Params) -> Result<Box<dyn State>> {
    p.only(&["key"])?;
    Ok(Box::new(match &p.key {
        None => Port::Hash(hash::Blake2b::new(p.size)?),
        Some(key) => Port::Mac(mac::Blake2b::new(&mac::SecretKey::try_from(&key[..])?, p.size)?, key.clone()),
    }))
}

impl State for Port {
    fn update(&mut self, data: &[u8]) -> Result<()> {
        match self {
            Port::Hash(state) => state.update(data)?,
            Port::Mac(state, _) => state.update(data)?,
        }
        Ok(())
    }

    fn sum(mut self: Box<Self>, _last: bool) -> Result<(Vec<u8>, Rest)> {
        let digest = match &mut *self {
            Port::Hash(state) => state.finalize()?.as_ref().to_vec(),
            Port::Mac(state, _) => state.finalize()?.unprotected_as_ref().to_vec(),
        };
        Ok((digest, Rest::Spent(self)))
    }

    fn reset(&mut self) -> Result<()> {
        match self {
            Port::Hash(state) => state.reset()?,
            Port::Mac(state, key) => state.reset(&mac::SecretKey::try_from(&key[..])?)?,
        }
        Ok(())
    }

    fn copy(&self) -> Result<Box<dyn State>> {
        Ok(Box::new(match self {
            Port::Hash(state) => Port::Hash(state.clone()),
            Port::Mac(state, key) => Port::Mac(state.clone(), key.clone()),
        }))
    }
}

fn main() {
    serve_hash("orion", env!("VERSION_orion"), make)
}
