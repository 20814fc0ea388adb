//! blake2_c: the reference code in C, in blake2b::Builder and State, documented on docs.rs. It
//! refuses by panic.

use adapters::{serve_hash, Params, Rest, Result, State};
use blake2_c::blake2b;

struct Port(blake2b::State);

fn make(p: &Params) -> Result<Box<dyn State>> {
    let mut builder = blake2b::Builder::new();
    builder.digest_length(p.size);
    if let Some(key) = &p.key {
        builder.key(key);
    }
    if let Some(salt) = &p.salt {
        builder.salt(salt);
    }
    if let Some(person) = &p.person {
        builder.personal(person);
    }
    if let Some(t) = p.tree {
        builder.fanout(t.fanout.into()).max_depth(t.depth.into()).max_leaf_length(t.leaf_length);
        builder.node_offset(t.node_offset).node_depth(t.node_depth.into()).inner_hash_length(t.inner_length.into());
    }
    let mut state = builder.build();
    if let Some(t) = p.tree {
        state.set_last_node(t.last_node);
    }
    Ok(Box::new(Port(state)))
}

impl State for Port {
    fn update(&mut self, data: &[u8]) -> Result<()> {
        self.0.update(data);
        Ok(())
    }

    fn sum(mut self: Box<Self>, _last: bool) -> Result<(Vec<u8>, Rest)> {
        Ok((self.0.finalize().bytes.to_vec(), Rest::Ended))
    }

    fn copy(&self) -> Result<Box<dyn State>> {
        Ok(Box::new(Port(self.0.clone())))
    }
}

fn main() {
    serve_hash("blake2_c", env!("VERSION_blake2_c"), make)
}
