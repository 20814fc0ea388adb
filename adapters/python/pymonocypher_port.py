"""pymonocypher's Blake2b, on Monocypher: https://pymonocypher.readthedocs.io, https://monocypher.org/manual/blake2b"""

import monocypher

import protocol


class State:
    def __init__(self, **params):
        self.context, self.ended = monocypher.Blake2b(**params), False

    def update(self, data):
        self.check()
        self.context.update(data)

    def digest(self):
        self.check()
        self.ended = True
        return self.context.finalize()

    def check(self):
        if self.ended:
            raise protocol.Unsupported("finalize ends the state")


def make(size=None, key=None):
    return State(hash_size=size, key=key)


protocol.serve("pymonocypher", monocypher.__version__, make)
