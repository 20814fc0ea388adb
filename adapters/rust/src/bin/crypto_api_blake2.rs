//! crypto_api_blake2: StreamingVarlenHash, and StreamingVarlenMac for keys of 1 to 64 bytes, documented on
//! docs.rs: varlen_init "(re-)initializes the hash state".

use adapters::{serve_hash, Params, Rest, Result, State};
use crypto_api_blake2::crypto_api::{hash::StreamingVarlenHash, mac::StreamingVarlenMac};
use crypto_api_blake2::Blake2b;

enum Port {
    Hash(Box<dyn StreamingVarlenHash>, usize),
    Mac(Box<dyn StreamingVarlenMac>, usize, Vec<u8>),
}

fn make(p: &Params) -> Result<Box<dyn State>> {
    p.only(&["key"])?;
    let mut port = match &p.key {
        None => Port::Hash(Blake2b::streaming_varlen_hash(), p.size),
        Some(key) => Port::Mac(Blake2b::streaming_varlen_mac(), p.size, key.clone()),
    };
    port.reset()?;
    Ok(Box::new(port))
}

impl State for Port {
    fn update(&mut self, data: &[u8]) -> Result<()> {
        match self {
            Port::Hash(hash, _) => Ok(hash.update(data)?),
            Port::Mac(mac, ..) => Ok(mac.update(data)?),
        }
    }

    fn sum(mut self: Box<Self>, _last: bool) -> Result<(Vec<u8>, Rest)> {
        let mut digest;
        match &mut *self {
            Port::Hash(hash, size) => {
                digest = vec![0; *size];
                hash.finish(&mut digest)?;
            }
            Port::Mac(mac, size, _) => {
                digest = vec![0; *size];
                mac.finish(&mut digest)?;
            }
        }
        Ok((digest, Rest::Spent(self)))
    }

    fn reset(&mut self) -> Result<()> {
        match self {
            Port::Hash(hash, size) => Ok(hash.varlen_init(*size)?),
            Port::Mac(mac, size, key) => Ok(mac.varlen_init(*size, key)?),
        }
    }
}

fn main() {
    serve_hash("crypto_api_blake2", env!("VERSION_crypto_api_blake2"), make)
}
