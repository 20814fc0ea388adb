//! blake2b_simd: many::update_many, documented on docs.rs. As many states as the
//! processor hashes side by side get the same writes, and have to give the same digest.

use adapters::{serve_hash, Params, Rest, Result, State};
use blake2b_simd::many;

struct Port(Vec<blake2b_simd::State>);

fn make(p: &Params) -> Result<Box<dyn State>> {
    p.only(&["key", "salt", "person"])?; // what a tree is, is the same as in blake2b_simd
    let mut params = blake2b_simd::Params::new();
    params.hash_length(p.size).key(p.key()).salt(p.salt()).personal(p.person());
    Ok(Box::new(Port(vec![params.to_state(); many::degree()])))
}

impl State for Port {
    fn update(&mut self, data: &[u8]) -> Result<()> {
        many::update_many(self.0.iter_mut().map(|state| (state, data)));
        Ok(())
    }

    fn sum(self: Box<Self>, _last: bool) -> Result<(Vec<u8>, Rest)> {
        let mut digests: Vec<_> = self.0.iter().map(|state| state.finalize().as_bytes().to_vec()).collect();
        digests.dedup();
        match &digests[..] {
            [digest] => Ok((digest.clone(), Rest::Live(self))),
            _ => Err("the states differ")?,
        }
    }

    fn copy(&self) -> Result<Box<dyn State>> {
        Ok(Box::new(Port(self.0.clone())))
    }
}

fn main() {
    serve_hash("blake2b_simd-update_many", env!("VERSION_blake2b_simd"), make)
}
