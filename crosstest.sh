#!/usr/bin/env bash
# crosstest.sh runs the tests of the root package on other architectures, and compares them with this machine.
#
# usage: ./crosstest.sh [-a] [-f count] [-s seed] [-n cases] [-allow-missing] [row...]
#        ./crosstest.sh --install
#
#   row             what to test: see the rows below; without any, 386 arm5 arm7 arm64 s390x mips
#   -a              every row
#   -f count        fuzz too: count executions of each target, its seeds among them, without the guidance of coverage
#   -s seed         seed of TestDiff's random cases
#   -n cases        number of TestDiff's random cases
#   -allow-missing  skip a row whose emulator is missing, which otherwise fails
#   --install       install QEMU's user mode emulators with apt-get, and exit
#
# A row builds the test binary for its architecture and runs it in -short mode: directly where the kernel can, else under
# an emulator. The tests make all implementations agree inside a row. The transcript, a digest of all answers of TestDiff,
# makes the rows agree with each other. The row "native" always runs, so that there is something to agree with.
#
# The last line counts rows. Status 0: none failed; 1: some failed, and their logs are kept; 2: bad usage.
set -u
cd "$(dirname "$0")" || exit 2

# Name, emulator, environment of the build. s390x, ppc64, mips and mips64 are big-endian; mips is the only one of them
# with 32-bit words. Only under mips, mipsle and mips64 does QEMU trap unaligned access.
native="native - GOOS=$(go env GOHOSTOS) GOARCH=$(go env GOHOSTARCH)"
usual='386 qemu-i386 GOARCH=386 GO386=sse2
arm5 qemu-arm GOARCH=arm GOARM=5
arm7 qemu-arm GOARCH=arm GOARM=7
arm64 qemu-aarch64 GOARCH=arm64 GOARM64=v8.0
s390x qemu-s390x GOARCH=s390x
mips qemu-mips GOARCH=mips GOMIPS=hardfloat'
others='riscv64 qemu-riscv64 GOARCH=riscv64 GORISCV64=rva20u64
ppc64 qemu-ppc64 GOARCH=ppc64 GOPPC64=power8
ppc64le qemu-ppc64le GOARCH=ppc64le GOPPC64=power8
mipsle qemu-mipsel GOARCH=mipsle GOMIPS=hardfloat
mips64 qemu-mips64 GOARCH=mips64 GOMIPS64=hardfloat
mips64le qemu-mips64el GOARCH=mips64le GOMIPS64=hardfloat
loong64 qemu-loongarch64 GOARCH=loong64
wasip1 wazero GOOS=wasip1 GOARCH=wasm
js node GOOS=js GOARCH=wasm'
wazero=github.com/tetratelabs/wazero/cmd/wazero@v1.12.0
missing=77 # status of a row without its emulator: no status of a test binary

die() {
	printf 'crosstest.sh: %s\n' "$*" >&2
	exit 2
}

names() { cut -d' ' -f1 | paste -sd' '; }

install() {
	local sudo=
	[ "$(id -u)" = 0 ] || sudo=sudo
	# The update fails when any index is out of step with its mirror, most often one that matters nothing here.
	$sudo apt-get -qq update
	$sudo apt-get -qq install -y --no-install-recommends qemu-user
}

# row NAME EMULATOR SETTING... tests one row. It prints the row's log, and leaves the middle of the row's line in a file.
row() {
	local run=$tmp/$1 emulator=$2 note='this CPU' command='' how='' targets='' target failed=0
	shift 2
	env CGO_ENABLED=0 GOOS=linux "$@" go test -c -o "$run.test" . || return 1

	# 126 is "found, but cannot be executed". Trying finds 386 on amd64, and emulators known to the kernel (binfmt_misc).
	"$run.test" -test.list='^$' &>/dev/null
	if (($? == 126)) && [ "$emulator" != - ]; then
		note=$emulator
		case $emulator in
		qemu-*)
			# Fuzzing starts os.Args[0] again, which must be something that the kernel can execute: -0 makes it the
			# script below.
			command="$emulator -0 \"\$0\""
			how='./crosstest.sh --install'
			;;&
		qemu-i386)
			# Before QEMU 8.0 threads share one GDT base, and die of the signals by which Go preempts them.
			command+=' -E GODEBUG=asyncpreemptoff=1'
			;;
		wazero)
			GOBIN=$tmp go install $wazero
			emulator=$tmp/wazero
			command="'$emulator' run -mount /:/ -env-inherit"
			how="go install $wazero"
			;;
		node)
			# Go's js/wasm takes at most 12 KiB of arguments and environment together.
			command="env -i PATH=\"\$PATH\" '$(go env GOROOT)/lib/wasm/go_js_wasm_exec'"
			how='apt-get install nodejs'
			;;
		esac
		if ! command -v "$emulator" >/dev/null; then
			echo "no $note: $how" >"$run.note"
			return $missing
		fi
	fi
	cat >"$run" <<-EOF
		#!/bin/sh
		exec $command "\$0.test" "\$@"
	EOF
	chmod +x "$run"

	echo "$note" >"$run.note"
	"$run" -test.short -test.v -test.timeout=10m "${flags[@]}" || return 1
	((fuzz)) || return 0

	case $note in
	wazero | node) note+=', not fuzzed (Go cannot)' ;;
	qemu-i386) note+=', not fuzzed (it crashes)' ;;
	*) note+=', fuzzed' targets=$("$run" -test.list='^Fuzz') ;;
	esac
	echo "$note" >"$run.note"
	for target in $targets; do
		# A count, since a duration can fail for no reason before Go 1.27; and no minimising, which takes a minute.
		"$run" -test.short -test.run='^$' -test.fuzz="^$target\$" -test.fuzztime="${fuzz}x" -test.fuzzminimizetime=1x \
			-test.fuzzcachedir="$run.fuzz" || failed=1
	done
	return $failed
}

# start NAME EMULATOR SETTING... is row, timed, with its output in files.
start() {
	local TIMEFORMAT=%1R
	{ time row "$@" </dev/null >"$tmp/$1.log" 2>&1; } 2>"$tmp/$1.seconds"
}

# report NAME STATUS prints a row's line, and what failed. The transcript must be that of the first row that has one.
report() {
	local log=$tmp/$1.log status=$2 verdict=FAIL wrong='' note transcript
	note=$(cat "$tmp/$1.note" 2>/dev/null || echo 'does not build')
	transcript=$(grep -o 'transcript seed=[^ ]* cases=[^ ]* digest=[0-9a-f]*' "$log")
	[ -n "$reference" ] || reference=$transcript from=$1
	if ((status)); then
		((status == missing && allow_missing)) && verdict=skip
	elif [ -z "$transcript" ]; then
		wrong='TestDiff logged no transcript'
	elif [ "$transcript" != "$reference" ]; then
		wrong="$from: $reference; a smaller -n finds the first case that differs"
	else
		verdict=ok
	fi
	((++count[$verdict]))
	printf '%-8s  %-4s  %5ss  %s  %s\n' "$1" $verdict "$(cat "$tmp/$1.seconds")" "$note" "$transcript"
	if [ $verdict != FAIL ] || ((status == missing)); then
		return
	fi
	if [ -n "$wrong" ]; then
		echo "    $wrong"
	else
		# Without what passed and how fuzzing went on, the end of the log is what failed.
		grep -vE '^(PASS|warning: |fuzz: elapsed| *(=== |--- (PASS|SKIP)))' "$log" | tail -n 40 | sed 's/^/    | /'
	fi
	mv "$log" "$logs"
	echo "    log: $logs/$1.log"
}

table=$native$'\n'$usual$'\n'$others
known=" $(names <<<"$table") "
wanted='' fuzz=0 flags=() allow_missing=0
while (($#)); do
	case $1 in
	-h | -help | --help)
		sed -n '/^[^#]/q; 2,$s/^# \{0,1\}//p' "$0"
		printf '\nrows:%s\n' "$known"
		exit
		;;
	-install | --install)
		install
		exit
		;;
	-allow-missing | --allow-missing) allow_missing=1 ;;
	-a) wanted=$known ;;
	-[fsn])
		[[ ${2-} =~ ^[0-9]+$ ]] || die "$1 wants a number, not \"${2-}\""
		case $1 in
		-f) fuzz=$2 ;;
		-s) flags+=(-seed="$2") ;;
		-n) flags+=(-cases="$2") ;;
		esac
		shift
		;;
	-*) die "unknown option $1: see ./crosstest.sh -h" ;;
	*)
		[[ $known == *" $1 "* ]] || die "unknown row \"$1\"; rows:$known"
		wanted+=" $1 "
		;;
	esac
	shift
done
wanted=${wanted:- $(names <<<"$usual") }

# The place where Go itself builds and runs tests, should the usual one not allow programs.
logs=$(mktemp -d "${GOTMPDIR:-${TMPDIR:-/tmp}}/crosstest.XXXXXX") || exit 2
tmp=$logs/tmp
mkdir "$tmp"
set -m # each row is a process group, which can be killed as a whole
cleanup() {
	local group
	for group in $(jobs -p); do kill -- "-$group"; done
	wait 2>/dev/null # without a notice for each
	rm -rf "$tmp"
	rmdir "$logs" 2>/dev/null # stays where it holds the log of a row that failed
}
trap cleanup EXIT

# As many rows at a time as there are cores; their lines in the order of the table.
declare -A count=([ok]=0 [FAIL]=0 [skip]=0)
reference='' from='' started=() pids=() cores=$(nproc)
finish() {
	wait "${pids[0]}"
	report "${started[0]}" $?
	started=("${started[@]:1}") pids=("${pids[@]:1}")
}
while read -ra fields; do
	[[ " native $wanted" == *" ${fields[0]} "* ]] || continue
	((${#pids[@]} < cores)) || finish
	start "${fields[@]}" &
	started+=("${fields[0]}") pids+=($!)
done <<<"$table"
while ((${#pids[@]})); do finish; done

printf '%d passed, %d failed, %d skipped\n' "${count[ok]}" "${count[FAIL]}" "${count[skip]}"
((count[FAIL] == 0))
