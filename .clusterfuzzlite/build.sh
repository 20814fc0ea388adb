#!/usr/bin/env bash
# build.sh builds the fuzzers for ClusterFuzzLite as for OSS-Fuzz.
exec "$SRC/blake2btest/ossfuzz/build.sh"
