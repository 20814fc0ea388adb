// blake2 0.10.6 (RustCrypto): without a key, a salt gives a wrong digest, and a digest of 0 bytes is not refused.
// $ cargo run --quiet --locked --manifest-path rust/Cargo.toml --target-dir ../adapters/build/findings --bin rustcrypto_0_10
use blake2_0_10::digest::{consts::U8, FixedOutput, VariableOutput};
use blake2_0_10::{Blake2bMac, Blake2bVar};

fn main() {
    println!("a salt without a key");
    let hash = Blake2bMac::<U8>::new_with_salt_and_personal(&[], &[1; 16], &[]).unwrap();
    println!("got  {:02x?}", hash.finalize_fixed());
    println!("want [a3, bb, 93, e6, b2, 9f, 18, d5]");

    println!("a digest of 0 bytes");
    println!("got  {:?}", Blake2bVar::new(0).map(|_| "a hash"));
    println!("want an error, as for 65: {:?}", Blake2bVar::new(65).map(|_| "a hash"));
}
