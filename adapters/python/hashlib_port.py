"""hashlib.blake2b of the Python that runs this: https://docs.python.org/3/library/hashlib.html#blake2"""

import hashlib
import sys

import protocol

TREE = ("fanout", "depth", "leaf_size", "node_offset", "node_depth", "inner_size", "last_node")


def make(size=None, key=None, salt=None, person=None, tree=None):
    params = {"digest_size": size, "key": key, "salt": salt, "person": person}
    params.update(zip(TREE, tree or ()))
    return hashlib.blake2b(**{name: value for name, value in params.items() if value is not None})


python = sys.implementation
protocol.serve(
    "hashlib" if python.name == "cpython" else "hashlib-" + python.name,
    ".".join(map(str, python.version[:3])),
    make,
)
