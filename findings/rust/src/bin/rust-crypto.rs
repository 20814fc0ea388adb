// rust-crypto 0.2.34: a last block is not padded with zeros, and reset forgets the key. Mended in 0.2.36.
// $ cargo run --quiet --locked --manifest-path rust/Cargo.toml --target-dir ../adapters/build/findings --bin rust-crypto
use crypto::{blake2b::Blake2b, digest::Digest};

fn main() {
    println!("257 times 01");
    let mut hash = Blake2b::new(8);
    hash.input(&[1; 257]);
    println!("got  {}", hash.result_str());
    println!("want ec711adca9e3a431");

    println!("a key, reset");
    let mut hash = Blake2b::new_keyed(8, b"key");
    let want = hash.result_str();
    hash.reset();
    println!("got  {}", hash.result_str());
    println!("want {want}");
}
