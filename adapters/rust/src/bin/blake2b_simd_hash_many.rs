//! blake2b_simd: many::hash_many, documented on docs.rs. The message is hashed several times
//! at once, with others between, and all of its digests have to be the same.

use adapters::{one_shot, serve_hash, Params, Result, State};
use blake2b_simd::many::{degree, hash_many, HashManyJob};

fn make(p: &Params) -> Result<Box<dyn State>> {
    p.only(&["key", "salt", "person"])?; // what a tree is, is the same as in blake2b_simd
    let mut params = blake2b_simd::Params::new();
    params.hash_length(p.size).key(p.key()).salt(p.salt()).personal(p.person());
    Ok(one_shot(move |message| {
        let others = [&message[..message.len() / 2], &[], &message[message.len().min(1)..]];
        let inputs = (0..2 * degree() + 1).map(|i| if i % 2 == 0 { message } else { others[i / 2 % 3] });
        let mut jobs: Vec<_> = inputs.map(|input| HashManyJob::new(&params, input)).collect();
        hash_many(jobs.iter_mut());
        let mut digests: Vec<_> = jobs.iter().step_by(2).map(|job| job.to_hash().as_bytes().to_vec()).collect();
        digests.dedup();
        match digests.pop() {
            Some(digest) if digests.is_empty() => Ok(digest),
            _ => Err("the digests differ")?,
        }
    }))
}

fn main() {
    serve_hash("blake2b_simd-hash_many", env!("VERSION_blake2b_simd"), make)
}
