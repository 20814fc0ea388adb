// cryptoxide 0.6.7: by its documentation the method result of the trait Digest "may be called multiple times"; the second call panics.
// $ cargo run --quiet --locked --manifest-path rust/Cargo.toml --target-dir ../adapters/build/findings --bin cryptoxide
use cryptoxide::{blake2b::Blake2b, digest::Digest};

fn main() {
    let (mut hash, mut first, mut second) = (Blake2b::new(8), [0; 8], [0; 8]);
    hash.result(&mut first);
    println!("want {first:02x?}, again");
    hash.result(&mut second);
    println!("got  {second:02x?}");
}
