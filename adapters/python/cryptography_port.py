"""pyca/cryptography's BLAKE2b, on the OpenSSL in it: https://cryptography.io/en/latest/hazmat/primitives/cryptographic-hashes/"""

import cryptography
from cryptography.exceptions import AlreadyFinalized
from cryptography.hazmat.primitives import hashes

import protocol


class State:
    def __init__(self, context):
        self.context = context

    def update(self, data):
        self.use(self.context.update, data)

    def digest(self):
        return self.use(self.context.finalize)

    def copy(self):
        return State(self.use(self.context.copy))

    @staticmethod
    def use(method, *args):
        try:
            return method(*args)
        except AlreadyFinalized:
            raise protocol.Unsupported("finalize ends the state")


def make(size=64):
    try:
        algorithm = hashes.BLAKE2b(size)
    except ValueError:
        if 1 <= size <= 64:
            raise protocol.Unsupported("documented for digests of 64 bytes only")
        raise
    return State(hashes.Hash(algorithm))


protocol.serve("cryptography", cryptography.__version__, make)
