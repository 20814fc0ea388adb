#!/usr/bin/env bash
# build.sh builds the fuzzers for OSS-Fuzz and ClusterFuzzLite, which set all the variables that it uses.
set -eu

cd "$SRC/blake2btest"
read -ra flags <<<"$CXXFLAGS $LIB_FUZZING_ENGINE"
go run ./cmd/blake2btest vectors -format corpus -o "$WORK/vectors"
for class in compress hash params; do
	ossfuzz/archive $class "$WORK/$class.a"
	"$CXX" "${flags[@]}" "$WORK/$class.a" -o "$OUT/fuzz_$class"
	go run ./ossfuzz/corpus raw "$WORK/vectors/go/Fuzz${class^}" "$WORK/seeds_$class"
	zip -jqr "$OUT/fuzz_${class}_seed_corpus.zip" "$WORK/seeds_$class"
	printf '[libfuzzer]\nmax_len = 4096\n' >"$OUT/fuzz_$class.options"
done
