#!/usr/bin/env python3
"""Confirms the values in the JSON files beside this script, without any of this project's Go code.

    python3 confirm.py          all but what -long adds; some seconds
    python3 confirm.py -long    also messages of up to 4 GiB, the random sequences to their end, and F of
                                8,000,000 rounds; minutes

It needs CPython 3.9 or later and nothing else. CPython's hashlib.blake2b is the witness wherever it can be asked. For
the rest (F alone, a counter to start from, depth 0, inner lengths above 64, and the nodes of BLAKE2Xb) it is the plain
BLAKE2b below, which is first compared with hashlib on random cases. What must be refused is refused by hashlib where it
has the parameter.

The exit status is 0 if all that was asked agrees, 1 if not, 2 on bad usage.
"""

import argparse
import collections
import itertools
import json
import pathlib
import random
import struct
from hashlib import blake2b

LIMIT = {"bytes": 1 << 26, "rounds": 100_000, "cases": 10_000}  # more of these takes -long


class Refused(Exception):
    """BLAKE2b does not have what is asked."""


class LeftOut(Exception):
    """It takes -long."""


# BLAKE2b: RFC 7693, sections 2.1 to 3.3.

MASK = 2**64 - 1

IV = [0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
      0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179]

SIGMA = [[int(digit, 16) for digit in row] for row in (
    "0123456789abcdef", "ea489fd61c02b753", "b8c052fdae367194", "7931dcbe265a40f8", "905724afe1bc683d",
    "2c6a0b834d75fe19", "c51fed4a0763928b", "db7ec13950f4862a", "6fe9b308c2d714a5", "a2847615fb9e3cd0")]


def G(v, a, b, c, d, x, y):
    va, vb, vc, vd = v[a], v[b], v[c], v[d]
    va = (va + vb + x) & MASK
    vd ^= va
    vd = vd >> 32 | (vd << 32 & MASK)
    vc = (vc + vd) & MASK
    vb ^= vc
    vb = vb >> 24 | (vb << 40 & MASK)
    va = (va + vb + y) & MASK
    vd ^= va
    vd = vd >> 16 | (vd << 48 & MASK)
    vc = (vc + vd) & MASK
    vb ^= vc
    vb = vb >> 63 | (vb << 1 & MASK)
    v[a], v[b], v[c], v[d] = va, vb, vc, vd


def working_vectors(h, m, t, final, last, rounds=12):
    """F's v before the first round and after each: one list, which changes."""
    v = h + IV
    v[12] ^= t & MASK
    v[13] ^= t >> 64 & MASK
    v[14] ^= MASK if final else 0
    v[15] ^= MASK if last else 0
    yield v
    for r in range(rounds):
        s = [m[i] for i in SIGMA[r % 10]]
        G(v, 0, 4, 8, 12, s[0], s[1])
        G(v, 1, 5, 9, 13, s[2], s[3])
        G(v, 2, 6, 10, 14, s[4], s[5])
        G(v, 3, 7, 11, 15, s[6], s[7])
        G(v, 0, 5, 10, 15, s[8], s[9])
        G(v, 1, 6, 11, 12, s[10], s[11])
        G(v, 2, 7, 8, 13, s[12], s[13])
        G(v, 3, 4, 9, 14, s[14], s[15])
        yield v


def F(h, *rest):
    for v in working_vectors(h, *rest):
        pass
    return [h[i] ^ v[i] ^ v[i + 8] for i in range(8)]


def plain(message, p, t=0):
    """The digest of message, with parameters by hashlib's names; t is the counter to start from."""
    # The parameter block: BLAKE2 paper, table 2.1.
    block = struct.pack("<4BIQ2B14x16s16s", p["digest_size"], len(p["key"]), p["fanout"], p["depth"], p["leaf_size"],
                        p["node_offset"], p["node_depth"], p["inner_size"], p["salt"], p["person"])
    h = [a ^ b for a, b in zip(IV, struct.unpack("<8Q", block))]
    if p["key"]:
        message = p["key"].ljust(128, b"\0") + message
    at = 0
    while len(message) - at > 128:
        h = F(h, struct.unpack_from("<16Q", message, at), t + at + 128, False, False)
        at += 128
    m = struct.unpack("<16Q", message[at:].ljust(128, b"\0"))
    h = F(h, m, t + len(message), True, p["last_node"])
    return struct.pack("<8Q", *h)[:p["digest_size"]]


TREE = ["fanout", "depth", "leaf_size", "node_offset", "node_depth", "inner_size", "last_node"]

DEFAULTS = {"digest_size": 64, "key": b"", "salt": b"", "person": b"", **dict(zip(TREE, [1, 1, 0, 0, 0, 0, 0]))}

UNKNOWN = 2**32 - 1  # stands for the length of a BLAKE2Xb that is not known in advance


def blake2xb(message, key, length, read):
    """The first bytes, as many as read says, of an output of such a length: BLAKE2X paper, section 2."""
    root = ask_hashlib([message], {"key": key, "node_offset": length << 32})
    out = b""
    for i in range((read + 63) // 64):
        size = 64 if length == UNKNOWN else min(64, length - 64 * i)
        out += plain(root, {**DEFAULTS, "digest_size": size, "fanout": 0, "depth": 0, "leaf_size": 64,
                            "node_offset": i + (length << 32), "inner_size": 64})
    return out[:read]


def ask_hashlib(message, p):
    """The digest of a message in pieces."""
    try:
        h = blake2b(**p)
    except (ValueError, OverflowError) as e:
        raise Refused(e)
    for piece in message:
        h.update(piece)
    return h.digest()


def compare_with_hashlib(cases):
    r = random.Random(7693)
    for _ in range(cases):
        message = r.randbytes(r.choice([128 * r.randrange(5), r.randrange(600)]))
        p = {"digest_size": r.randint(1, 64), "key": r.randbytes(r.choice([0, r.randint(1, 64)])),
             "salt": r.randbytes(r.randint(0, 16)), "person": r.randbytes(r.randint(0, 16)),
             "fanout": r.randrange(256), "depth": r.randint(1, 255), "leaf_size": r.getrandbits(32),
             "node_offset": r.getrandbits(64), "node_depth": r.randrange(256), "inner_size": r.randint(0, 64),
             "last_node": r.randrange(2)}
        if plain(message, p) != blake2b(message, **p).digest():
            raise SystemExit(f"plain differs from hashlib for {p} on {message.hex()}")


# The text form of a case, and its answer.

def parse(line):
    """The verb, the values of the keys, and the writes as (bytes, count)."""
    head, _, tail = line.partition(" :")
    verb, *words = head.split(" ")
    values = {}
    for word in words:
        key, _, value = word.partition("=")
        if key in ("key", "salt", "person", "t"):
            values[key] = bytes.fromhex(value)
        elif key in ("size", "read", "last"):
            values[key] = int(value)
        elif key == "tree":
            values[key] = dict(zip(TREE, map(int, value.split(","))))
        else:
            raise ValueError(f"unknown word {word!r}")
    writes = []
    for word in tail.split():
        data, _, count = word.partition("*")
        writes.append((bytes.fromhex(data.strip("-")), int(count or 1)))
    return verb, values, writes


def call_of_f(values, message):
    """The arguments of F in EIP-152's 213 bytes."""
    if len(message) != 213 or message[212] > 1:
        raise Refused("not 213 bytes, or the flag is above 1")
    h, m = struct.unpack_from("<8Q", message, 4), struct.unpack_from("<16Q", message, 68)
    t, rounds = int.from_bytes(message[196:212], "little"), int.from_bytes(message[:4], "big")
    return list(h), m, t, message[212], values.get("last", 0), rounds


def answer(line, long):
    """The output and the witness."""
    verb, values, writes = parse(line)
    if sum(len(data) * count for data, count in writes) > LIMIT["bytes"] and not long:
        raise LeftOut
    # Pieces of a write that is repeated often, so that it need not be in memory at once.
    pieces = (data * n for data, count in writes
              for n in [4096] * (count // 4096) + [count % 4096])
    if verb == "compress":
        call = call_of_f(values, b"".join(pieces))
        if call[-1] > LIMIT["rounds"] and not long:
            raise LeftOut
        return struct.pack("<8Q", *F(*call)), "plain"
    if verb == "xof":
        length = values.get("size", UNKNOWN)
        read = values.get("read", length)
        if not 1 <= read < UNKNOWN:
            raise Refused("output length")
        return blake2xb(b"".join(pieces), values.get("key", b""), length, read), "plain"
    if verb != "sum":
        raise ValueError(f"unknown verb {verb!r}")
    p = {**DEFAULTS, "digest_size": values.get("size", 64), **values.get("tree", {})}
    p.update({name: values[name] for name in ("key", "salt", "person") if name in values})
    if "t" in values or p["depth"] == 0 or 64 < p["inner_size"] < 256:
        return plain(b"".join(pieces), p, int.from_bytes(values.get("t", b""), "little")), "plain"
    return ask_hashlib(pieces, p), "hashlib"


# The accumulated sequences, each as the pseudocode in its file says: generators of digests.

def rfc7693():
    def generate(n):
        out, a, b = bytearray(), 0xDEAD4BAD * n % 2**32, 1
        for _ in range(n):
            a, b = b, (a + b) % 2**32
            out.append(b >> 24)
        return bytes(out)

    for size in 20, 32, 48, 64:
        for n in 0, 3, 128, 129, 255, 1024:
            yield blake2b(generate(n), digest_size=size).digest()
            yield blake2b(generate(n), digest_size=size, key=generate(size)).digest()


def linear(n):
    out, s = bytearray(), n
    for _ in range(n):
        s = (s * 25214903917 + 11) % 2**48
        out.append((s >> 16) % 256)
    return bytes(out)


def linux_lengths():
    data = linear(4096)
    for n in range(4097):
        yield blake2b(data[:n]).digest()


def counting(first, n):
    return bytes((first + i) % 256 for i in range(n))


def keys(key, message):
    for k in range(65):
        for size in range(1, 65):
            yield blake2b(message, digest_size=size, key=key(k)).digest()


def random_cases(with_parameters):
    x = 2463534242

    def draw(n):
        nonlocal x
        x ^= x << 13 & 0xFFFFFFFF
        x ^= x >> 17
        x ^= x << 5 & 0xFFFFFFFF
        return x % n

    pool = bytes(draw(256) for _ in range(4096))

    def piece(n):
        start = draw(4096 - n)
        return pool[start:start + n]

    def often(most):
        n = draw(2) * draw(most + 1)
        return piece(n) if n else b""

    while True:
        p = {"digest_size": 1 + draw(64), "key": often(64)}
        if with_parameters:
            p["salt"] = often(16)
            p["person"] = often(16)
            if draw(2) == 1:
                p["fanout"] = draw(256)
                p["depth"] = 1 + draw(255)
                p["leaf_size"] = draw(2**30)
                p["node_offset"] = draw(2**30) * 2**32
                p["node_offset"] += draw(2**30)
                p["node_depth"] = draw(256)
                p["inner_size"] = draw(65)
                p["last_node"] = draw(2)
        n = draw(1025)
        if draw(2) == 1:
            n -= n % 128
        message = piece(n)
        cut = draw(n + 1)
        h = blake2b(message[:cut], **p)
        h.update(message[cut:])
        yield h.digest()


SEQUENCES = {
    "rfc7693": rfc7693,
    "linux-lengths": linux_lengths,
    "linux-keys": lambda: keys(linear, linear(100)),
    "random": lambda: random_cases(False),
    "random-parameters": lambda: random_cases(True),
    **{f"keys-{n}": lambda n=n: keys(lambda k: counting(128, k), counting(0, n)) for n in (0, 1, 127, 128, 129)},
}


# What confirms an entry yields, for each value in it, what is counted or how it disagrees.

def confirm_vector(entry, long):
    want = entry["answer"]
    try:
        out, witness = answer(entry["case"], long)
        got = "ok " + out.hex()
    except Refused:
        got = witness = "error"
    except LeftOut:
        yield "left out"
        return
    yield witness if got == want else f"\n\tcase {entry['case']}\n\tgot  {got}\n\twant {want}"


def confirm_accumulated(entry, long):
    digests, outer, done = SEQUENCES[entry["name"]](), blake2b(digest_size=entry["size"]), 0
    for point in entry["checkpoints"]:
        if point["cases"] > LIMIT["cases"] and not long:
            yield "left out"
            continue
        for digest in itertools.islice(digests, point["cases"] - done):
            outer.update(digest)
            done += 1
        agrees = done == point["cases"] and outer.hexdigest() == point["digest"]
        yield "checkpoints" if agrees else f"\n\tafter {done} cases\n\tgot  {outer.hexdigest()}\n\twant {point['digest']}"


def confirm_rounds(entry, long):
    _, values, [(message, _)] = parse(entry["case"])
    call = call_of_f(values, message)
    vectors = [list(v) for v in working_vectors(*call)] + [F(*call)]
    for got, want in itertools.zip_longest(vectors, entry["v"] + [entry["h"]]):
        yield "rounds" if got == [int(word, 16) for word in want or []] else f"\n\tgot  {got}\n\twant {want}"


CONFIRM = {"vectors": confirm_vector, "accumulated": confirm_accumulated, "rounds": confirm_rounds}

COUNTED = ["hashlib", "plain", "error", "checkpoints", "rounds", "left out"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-long", action="store_true", help="leave nothing out")
    long = parser.parse_args().long
    compare_with_hashlib(500)

    total = collections.Counter()
    print(f"{'':12}", *(f"{what:>11}" for what in COUNTED))
    for path in sorted(pathlib.Path(__file__).resolve().parent.glob("*.json")):
        if path.name == "schema.json":
            continue
        count = collections.Counter()
        file = json.loads(path.read_text())
        for word, confirm in CONFIRM.items():
            for i, entry in enumerate(file.get(word, [])):
                for result in confirm(entry, long):
                    if result in COUNTED:
                        count[result] += 1
                    else:
                        count["wrong"] += 1
                        print(f"{path.name}: {word}[{i}] {entry.get('comment', '')}{result}")
        print(f"{path.stem:12}", *(f"{count[what]:11}" for what in COUNTED))
        total += count
    print(f"{'total':12}", *(f"{total[what]:11}" for what in COUNTED))
    print(f"{total['wrong']} wrong")
    raise SystemExit(1 if total["wrong"] or not total["hashlib"] else 0)


if __name__ == "__main__":
    main()
