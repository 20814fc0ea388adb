// blake2 0.11.0 (RustCrypto): an empty key is hashed as a block of zeros, and keys and salts that are too long panic.
// $ cargo run --quiet --locked --manifest-path rust/Cargo.toml --target-dir ../adapters/build/findings --bin rustcrypto_0_11
use blake2_0_11::digest::{consts::U8, FixedOutput, KeyInit};
use blake2_0_11::{Blake2b, Blake2bMac, Digest};

fn main() {
    println!("an empty key");
    match Blake2bMac::<U8>::new_from_slice(&[]) {
        Ok(hash) => println!("got  {:02x?}", hash.finalize_fixed()),
        Err(e) => println!("got  {e}"),
    }
    println!("want an error, or {:02x?}", Blake2b::<U8>::digest(b""));

    println!("a salt of 17 bytes");
    println!("want an error");
    let hash = Blake2bMac::<U8>::new_with_salt_and_personal(None, &[1; 17], &[]);
    println!("got  {:?}", hash.map(|_| "a hash"));
}
