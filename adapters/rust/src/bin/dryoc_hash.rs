//! dryoc: classic::crypto_generichash::crypto_generichash, of whole messages, documented on docs.rs.

use adapters::{one_shot, serve_hash, Params, Result, State};
use dryoc::classic::crypto_generichash::crypto_generichash;

fn make(p: &Params) -> Result<Box<dyn State>> {
    p.only(&["key"])?;
    let (size, key) = (p.size, p.key.clone());
    Ok(one_shot(move |message| {
        let mut digest = vec![0; size];
        crypto_generichash(&mut digest, message, key.as_deref())?;
        Ok(digest)
    }))
}

fn main() {
    serve_hash("dryoc-hash", env!("VERSION_dryoc"), make)
}
