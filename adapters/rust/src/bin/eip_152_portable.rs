//! eip-152: portable::compress, documented on docs.rs. It is F alone, and has no f[1].

use adapters::{serve_compress, unsupported};

fn main() {
    serve_compress("eip-152-portable", env!("VERSION_eip_152"), |rounds, h, m, t, [last_block, last_node]| {
        if last_node {
            return unsupported("f[1]");
        }
        eip_152::portable::compress(h, m, t, last_block, rounds);
        Ok(())
    })
}
