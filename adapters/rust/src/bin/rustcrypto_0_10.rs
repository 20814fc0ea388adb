//! RustCrypto's blake2 0.10: Blake2bVar, and Blake2bMac for keys, salts and personalizations, of which the
//! digest length is part of the type, documented on docs.rs.

use adapters::{serve_hash, unsupported, Params, Rest, Result, State};
use rustcrypto_0_10::digest::{consts, FixedOutputReset, KeyInit, Reset, Update, VariableOutput, VariableOutputReset};
use rustcrypto_0_10::{Blake2bMac, Blake2bVar};

fn make(p: &Params) -> Result<Box<dyn State>> {
    p.only(&["key", "salt", "person"])?;
    if p.key.is_none() && p.salt.is_none() && p.person.is_none() {
        return Ok(Box::new(Hash(Blake2bVar::new(p.size)?)));
    }
    macro_rules! mac_of {
        ($($n:literal $u:ident)*) => {
            match p.size {
                $($n => Ok(Box::new(Mac(match &p.key {
                    Some(key) if p.salt.is_none() && p.person.is_none() => {
                        Blake2bMac::<consts::$u>::new_from_slice(key)?
                    }
                    _ => Blake2bMac::new_with_salt_and_personal(p.key(), p.salt(), p.person())?,
                }))),)*
                _ => unsupported("a size that is no type"),
            }
        };
    }
    mac_of! {
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

struct Hash(Blake2bVar);

impl State for Hash {
    fn update(&mut self, data: &[u8]) -> Result<()> {
        self.0.update(data);
        Ok(())
    }

    fn sum(mut self: Box<Self>, last: bool) -> Result<(Vec<u8>, Rest)> {
        let mut digest = vec![0; self.0.output_size()];
        if last {
            self.0.finalize_variable(&mut digest)?;
            return Ok((digest, Rest::Ended));
        }
        self.0.finalize_variable_reset(&mut digest)?;
        Ok((digest, Rest::WasReset(self)))
    }

    fn reset(&mut self) -> Result<()> {
        self.0.reset();
        Ok(())
    }

    fn copy(&self) -> Result<Box<dyn State>> {
        Ok(Box::new(Hash(self.0.clone())))
    }
}

struct Mac<M>(M);

impl<M: Update + FixedOutputReset + Reset + Clone + 'static> State for Mac<M> {
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
        Ok(Box::new(Mac(self.0.clone())))
    }
}

fn main() {
    serve_hash(concat!("rustcrypto-", env!("VERSION_rustcrypto_0_10")), env!("VERSION_rustcrypto_0_10"), make)
}
