"""F of Ethereum's execution specifications, pure Python, PyPI ethereum-execution: ethereum.crypto.blake2"""

import ethereum
from ethereum.crypto.blake2 import Blake2b

import protocol

ROUNDS = 10_000


def compress(data):
    if len(data) != 213 or data[212] > 1:  # the caller's part, the precompiled contract
        raise ValueError("not 213 bytes with a last of 0 or 1")
    rounds, h, m, t_0, t_1, f = Blake2b().get_blake2_parameters(data)
    if int(rounds) > ROUNDS:
        raise protocol.Unsupported(f"more than {ROUNDS} rounds")
    return Blake2b().compress(rounds, h, m, t_0, t_1, bool(f))


protocol.serve("ethereum-execution", ethereum.__version__, compress=compress)
