//! eip-152: compress, which takes AVX2 where there is, documented on docs.rs. It is F alone, and has no f[1].

use adapters::{serve_compress, unsupported};

fn main() {
    serve_compress("eip-152", env!("VERSION_eip_152"), |rounds, h, m, t, [last_block, last_node]| {
        if last_node {
            return unsupported("f[1]");
        }
        eip_152::compress(h, m, t, last_block, rounds);
        Ok(())
    })
}
