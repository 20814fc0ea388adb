"""purepycrypto's blake2b, pure Python, from PyPI"""

from importlib import metadata

from purepycrypto.hash import blake2b

import protocol


def make(size=None):
    params = {} if size is None else {"digest_size": size}
    return protocol.OneShot(lambda message: blake2b(message, **params))


protocol.serve("purepycrypto", metadata.version("purepycrypto"), make, limit=1 << 20)
