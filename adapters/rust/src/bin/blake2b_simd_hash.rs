//! blake2b_simd: Params::hash, of whole messages, documented on docs.rs. It refuses by panic.

use adapters::{one_shot, serve_hash, Params, Result, State};

fn make(p: &Params) -> Result<Box<dyn State>> {
    p.only(&["key", "salt", "person"])?; // what a tree is, is the same as in blake2b_simd
    let mut params = blake2b_simd::Params::new();
    params.hash_length(p.size).key(p.key()).salt(p.salt()).personal(p.person());
    Ok(one_shot(move |message| Ok(params.hash(message).as_bytes().to_vec())))
}

fn main() {
    serve_hash("blake2b_simd-hash", env!("VERSION_blake2b_simd"), make)
}
