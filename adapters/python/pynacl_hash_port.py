"""PyNaCl's nacl.hash.blake2b, on libsodium: https://pynacl.readthedocs.io/en/latest/api/hash/"""

import nacl
import nacl.encoding
import nacl.hash

import protocol


def make(size=64, key=None, salt=None, person=None):
    params = {"digest_size": size, "key": key, "salt": salt, "person": person}
    params = {name: value for name, value in params.items() if value is not None}
    return protocol.OneShot(
        lambda message: nacl.hash.blake2b(message, encoder=nacl.encoding.RawEncoder, **params)
    )


protocol.serve("pynacl-hash", nacl.__version__, make, limit=protocol.PIECE)
