//! blake2b_simd: Params and State, documented on docs.rs. It refuses by panic.

use adapters::{serve_hash, Params, Rest, Result, State};

struct Port(blake2b_simd::State);

fn make(p: &Params) -> Result<Box<dyn State>> {
    let mut params = blake2b_simd::Params::new();
    params.hash_length(p.size);
    if let Some(key) = &p.key {
        params.key(key);
    }
    if let Some(salt) = &p.salt {
        params.salt(salt);
    }
    if let Some(person) = &p.person {
        params.personal(person);
    }
    if let Some(t) = p.tree {
        params.fanout(t.fanout).max_depth(t.depth).max_leaf_length(t.leaf_length).node_offset(t.node_offset);
        params.node_depth(t.node_depth).inner_hash_length(t.inner_length.into()).last_node(t.last_node);
    }
    Ok(Box::new(Port(params.to_state())))
}

impl State for Port {
    fn update(&mut self, data: &[u8]) -> Result<()> {
        self.0.update(data);
        Ok(())
    }

    fn sum(self: Box<Self>, _last: bool) -> Result<(Vec<u8>, Rest)> {
        Ok((self.0.finalize().as_bytes().to_vec(), Rest::Live(self)))
    }

    fn copy(&self) -> Result<Box<dyn State>> {
        Ok(Box::new(Port(self.0.clone())))
    }
}

fn main() {
    serve_hash("blake2b_simd", env!("VERSION_blake2b_simd"), make)
}
