"""OpenSSL's BLAKE2b in Python's hashlib: https://docs.python.org/3/library/hashlib.html#hashlib.new"""

import hashlib
import ssl

import protocol


def make(size=64):
    if size != 64:
        raise protocol.Unsupported("the digest has 64 bytes")
    return hashlib.new("blake2b512")


protocol.serve("hashlib-openssl", ssl.OPENSSL_VERSION.split()[1], make)
