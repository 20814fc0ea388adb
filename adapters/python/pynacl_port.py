"""PyNaCl's nacl.hashlib.blake2b, on libsodium: https://pynacl.readthedocs.io/en/latest/api/hashlib/"""

import nacl
import nacl.hashlib

import protocol


def make(size=64, key=None, salt=None, person=None):
    params = {"digest_size": size, "key": key, "salt": salt, "person": person}
    return nacl.hashlib.blake2b(**{name: value for name, value in params.items() if value is not None})


protocol.serve("pynacl", nacl.__version__, make)
