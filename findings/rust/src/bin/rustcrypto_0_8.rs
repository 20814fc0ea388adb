// blake2 0.8.1 (RustCrypto): with a key, a digest of 0 bytes is not refused.
// $ cargo run --quiet --locked --manifest-path rust/Cargo.toml --target-dir ../adapters/build/findings --bin rustcrypto_0_8
use blake2_0_8::{digest::VariableOutput, VarBlake2b};

fn main() {
    let digest = VarBlake2b::new_keyed(b"key", 0).vec_result();
    println!("got  a digest of {} bytes", digest.len());
    println!("want a panic, or an error as from new: {:?}", VarBlake2b::new(0).map(|_| "a hash"));
}
