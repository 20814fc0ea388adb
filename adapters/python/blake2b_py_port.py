"""F of blake2b-py, Rust for py-evm, from PyPI"""

from importlib import metadata

import blake2b

import protocol

protocol.serve("blake2b-py", metadata.version("blake2b-py"), compress=blake2b.decode_and_compress)
