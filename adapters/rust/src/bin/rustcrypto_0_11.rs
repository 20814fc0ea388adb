//! RustCrypto's blake2 0.11: Blake2b, and Blake2bMac for keys, salts and personalizations, documented on
//! docs.rs. The digest length is part of the type; 0 is one of them.

use adapters::{serve_hash, unsupported, Params, Rest, Result, State};
use rustcrypto_0_11::digest::{consts, FixedOutput, FixedOutputReset, KeyInit, Reset, Update};
use rustcrypto_0_11::{Blake2b, Blake2bMac};

fn make(p: &Params) -> Result<Box<dyn State>> {
    p.only(&["key", "salt", "person"])?;
    macro_rules! port_of {
        ($($n:literal $u:ident)*) => {
            match p.size {
                $($n => match &p.key {
                    None if p.salt.is_none() && p.person.is_none() => {
                        Ok(Box::new(Port(Blake2b::<consts::$u>::default())))
                    }
                    Some(key) if p.salt.is_none() && p.person.is_none() => {
                        Ok(Box::new(Port(Blake2bMac::<consts::$u>::new_from_slice(key)?)))
                    }
                    key => {
                        let mac = Blake2bMac::<consts::$u>::new_with_salt_and_personal;
                        Ok(Box::new(Port(mac(key.as_deref(), p.salt(), p.person())?)))
                    }
                },)*
                _ => unsupported("a size that is no type"),
            }
        };
    }
    port_of! {
        0 U0
        1 U1 2 U2 3 U3 4 U4 5 U5 6 U6 7 U7 8 U8
        9 U9 10 U10 11 U11 12 U12 13 U13 14 U14 15 U15 16 U16
        17 U17 18 U18 19 U19 20 U20 21 U21 22 U22 23 U23 24 U24
        25 U25 26 U26 27 U27 28 U28 29 U29 30 U30 31 U31 32 U32
        33 U33 34 U34 35 U35 36 U36 37 U37 38 U38 39 U39 40 U40
        41 U41 42 U42 43 U43 44 U44 45 U45 46 U46 47 U47 48 U48
        49 U49 50 U50 51 U51 52 U52 53 U53 54 U54 55 U55 56 U56
        57 U57 58 U58 59 U59 60 U60 61 U61 62 U62 63 U63 64 U64
    }
}

struct Port<H>(H);

impl<H: Update + FixedOutput + FixedOutputReset + Reset + Clone + 'static> State for Port<H> {
    fn update(&mut self, data: &[u8]) -> Result<()> {
        self.0.update(data);
        Ok(())
    }

    fn sum(mut self: Box<Self>, last: bool) -> Result<(Vec<u8>, Rest)> {
        if last {
            return Ok((self.0.finalize_fixed().to_vec(), Rest::Ended));
        }
        Ok((self.0.finalize_fixed_reset().to_vec(), Rest::WasReset(self)))
    }

    fn reset(&mut self) -> Result<()> {
        self.0.reset();
        Ok(())
    }

    fn copy(&self) -> Result<Box<dyn State>> {
        Ok(Box::new(Port(self.0.clone())))
    }
}

fn main() {
    serve_hash(concat!("rustcrypto-", env!("VERSION_rustcrypto_0_11")), env!("VERSION_rustcrypto_0_11"), make)
}
