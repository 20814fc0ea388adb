"""pycryptodome's Crypto.Hash.BLAKE2b: https://pycryptodome.readthedocs.io/en/latest/src/hash/blake2b.html"""

import Crypto
from Crypto.Hash import BLAKE2b

import protocol


def make(size=None, key=None):
    params = {"digest_bytes": size, "key": key}
    params = {name: value for name, value in params.items() if value is not None}
    return BLAKE2b.new(update_after_digest=True, **params)


protocol.serve("pycryptodome", Crypto.__version__, make)
