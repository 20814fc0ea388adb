#!/usr/bin/env bash
# fuzz.sh has Go's engine run each fuzz target of this project, or of one test, in turn.
#
# usage: ./fuzz.sh count [test...]
#
#   count  executions of each target; a hundredth of that for FuzzBatch, which asks 257 cases in one
#   test   a test binary, or go test and a package, with flags; without it, go test of each package that has targets
#
# GODEBUG=fuzzseed=N makes it a shard of many, each with another N. It has a count, since a duration can fail for no
# reason before Go 1.27, and does not minimize, which stalls a hash's target for a minute at a time.
#
# Status 0: nothing found; 1: an input that fails is in the test's folder, below testdata/fuzz; 2: bad usage.
set -u -o pipefail

count=${1-}
if [[ ! $count =~ ^[1-9][0-9]*$ ]]; then
	echo "fuzz.sh: want a count of executions, not \"$count\"" >&2
	exit 2
fi
shift

status=0
# targets TEST... fuzzes with each target of a test.
targets() {
	local list target n
	list=$("$@" -test.list='^Fuzz' | grep '^Fuzz') || { echo "fuzz.sh: no targets: $*" >&2; status=1; return; }
	for target in $list; do
		n=$count
		[ "$target" != FuzzBatch ] || n=$((1 + (count - 1) / 100))
		echo "== $target, $n executions: $*"
		"$@" -test.run='^$' -test.fuzz="^$target\$" -test.fuzztime="${n}x" -test.fuzzminimizetime=1x || status=1
	done
}

if (($#)); then
	targets "$@"
else
	cd "$(dirname "$0")" || exit 2
	for package in . ./internal/fuzzing ./subprocess; do targets go test "$package"; done
fi
exit $status
