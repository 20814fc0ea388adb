// libcrux-blake2 0.0.9: reset forgets salt and personalization.
// $ cargo run --quiet --locked --manifest-path rust/Cargo.toml --target-dir ../adapters/build/findings --bin libcrux-blake2
use libcrux_blake2::Blake2bBuilder;

fn main() {
    let mut hash = Blake2bBuilder::new_unkeyed().with_salt(&[1; 16]).build_const_digest_len::<8>();
    let (mut got, mut want) = ([0; 8], [0; 8]);
    hash.finalize(&mut want);
    hash.reset();
    hash.finalize(&mut got);
    println!("got  {got:02x?}");
    println!("want {want:02x?}");
}
