"""The line protocol of blake2btest (subprocess/PROTOCOL.md), for Python's ports.

A port's file calls serve with a function that makes a hash, or with a
compression function F, or both, and hands on what the port's API has. What it
does not have is answered `unsupported` here.
"""

import functools
import inspect
import os
import re
import sys

LINE = 1 << 20  # bytes in a request
PIECE = 1 << 27  # bytes in one call of update
TREE = (8, 8, 32, 64, 8, 8, 1)  # bits in the fields of tree=
METHODS = {"reset": "reset", "clone": "copy", "save": "save"}


class Unsupported(Exception):
    """The port has no way to be asked that."""


class OneShot:
    """A state for an API that takes the whole message at once and gives its digest."""

    def __init__(self, function):
        self.function, self.message = function, None

    def update(self, data):
        if self.message is not None:
            raise Unsupported("the API takes the message in one piece")
        self.message = data

    def digest(self):
        if self.function is None:
            raise Unsupported("the API has no state")
        function, self.function = self.function, None
        return function(self.message or b"")


def serve(name, version, make=None, compress=None, limit=1 << 33):
    """Answers requests until the input ends.

    make's parameters are the keys that the port has, among size, key, salt,
    person and tree (a tuple of seven numbers); of these it is given the ones
    that are in the request. It returns a state, with update(data) and digest(),
    and reset(), copy() and save(), each if the port's API has it; save returns
    the state to go on with.

    compress takes the bytes of EIP-152 and returns those of h. It has a second
    parameter, last, if the port can set f[1].

    A message has at most limit bytes.
    """
    name = os.environ.get("ADAPTER_NAME") or name
    for line in sys.stdin.buffer:
        try:
            words = answer(line, make, compress, limit)
            if words is None:
                words = [f"name={name}", f"version={version}", "protocol=1"]
            text = " ".join(["ok", *words])
        except Unsupported as e:
            text = "unsupported " + printable(e)
        except Exception as e:
            text = "error " + printable(f"{type(e).__name__}: {e}")
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


def printable(message):
    return ascii(str(message))[1:-1][:200]


def answer(line, make, compress, limit):
    """Returns the words of the answer, None for about."""
    if len(line) > LINE + len("\r\n"):
        raise ValueError(f"line of more than {LINE} bytes")
    request = line.decode("ascii").removesuffix("\n").removesuffix("\r")
    if not request:
        raise ValueError("empty line")
    head, _, tail = request.partition(" :")
    if tail and tail[0] != " ":
        raise ValueError("a colon stands alone")
    verb, *pairs = head.split(" ")
    steps = tail.split(" ")[1:]
    if verb == "about":
        parse_keys(pairs, ())
        if " :" in request:
            raise ValueError("about takes no steps")
        return None
    if verb == "sum" and make:
        params = parse_keys(pairs, parameters(make))
        return answer_sum(make, params, [parse_step(word) for word in steps], limit)
    if verb == "compress" and compress:
        params = parse_keys(pairs, parameters(compress) & {"last"})
        return answer_compress(compress, params, [parse_step(word) for word in steps])
    raise Unsupported("verb " + verb)


@functools.cache
def parameters(function):
    return inspect.signature(function).parameters.keys()


def parse_keys(pairs, offered):
    given = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise ValueError(f"{pair!r} is not key=value")
        if key in given:
            raise ValueError(f"key {key} given twice")
        if key not in offered:
            raise Unsupported("key " + key)
        if key in ("key", "salt", "person"):
            given[key] = parse_hex(value)
        elif key == "size":
            given[key] = parse_number(value, 32)
        elif key == "last":
            given[key] = parse_number(value, 1)
        else:
            fields = value.split(",")
            given[key] = tuple(map(parse_number, fields, TREE))
            if len(fields) != len(TREE):
                raise ValueError(f"tree: {len(fields)} fields are not {len(TREE)}")
    return given


def parse_number(digits, bits):
    if not re.fullmatch("0|[1-9][0-9]*", digits):
        raise ValueError(f"{digits!r} is not a decimal number")
    if len(digits) > 20 or int(digits) >> bits:
        raise ValueError(f"{digits} is above {(1 << bits) - 1}")
    return int(digits)


def parse_hex(digits):
    if not re.fullmatch("([0-9a-f]{2})*", digits):
        raise ValueError(f"{digits!r} is not hex in lower case")
    return bytes.fromhex(digits)


def parse_step(word):
    """Returns bytes and how often to write them, or the step's name and 0."""
    if re.search("[g-zG-Z]", word):
        return word, 0
    if word == "-":
        return b"", 1
    digits, star, count = word.partition("*")
    data = parse_hex(digits)
    if not data:
        raise ValueError(f"{word!r} writes nothing: no bytes are -")
    times = parse_number(count, 64) if star else 1
    if not times:
        raise ValueError("write count 0 is below 1")
    return data, times


def answer_sum(make, params, steps, limit):
    state, aside, digests, total = make(**params), None, [], 0
    for step, times in [*steps, ("sum", 0)]:
        if times:
            total += len(step) * times
            if total > limit:
                raise Unsupported(f"a message above {limit} bytes")
            write(state, step, times)
        elif step == "sum":
            digests.append(state.digest().hex())
        elif step == "swap":
            if aside is None:
                raise ValueError("swap with no state aside")
            state, aside = aside, state
        elif step == "new":
            if isinstance(state, OneShot):
                raise Unsupported("new: the API has no state")
            aside = make(**params)
        elif step in METHODS:
            method = getattr(state, METHODS[step], None)
            if method is None:
                raise Unsupported(step)
            if step == "clone":
                aside = method()
            elif step == "save":
                state = method()
            else:
                method()
        else:
            raise Unsupported("step " + step)
    return digests


def write(state, data, times):
    whole = max(1, PIECE // len(data)) if data else 1
    if times > whole:
        piece = data * whole
        for _ in range(times // whole):
            state.update(piece)
        times %= whole
        if not times:
            return
    state.update(data * times)


def answer_compress(compress, params, steps):
    if len(steps) != 1 or not steps[0][1]:
        raise ValueError("compress takes one write")
    data, times = steps[0]
    if len(data) * times > LINE:
        raise ValueError("compress takes 213 bytes")
    return [compress(data * times, **params).hex()]
