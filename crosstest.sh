#!/usr/bin/env bash
# crosstest.sh runs the tests of the root package on other architectures, and compares them with this machine.
#
# usage: ./crosstest.sh [-a] [-c dir] [-f count] [-s seed] [-n cases] [-allow-missing] [row...]
#        ./crosstest.sh --install
#
#   row             what to test: see the rows below; without any, 386 arm5 arm7 arm64 s390x mips
#   -a              every row
#   -c dir          replay a corpus instead of the tests: dir has a folder of inputs for each target, as testdata/fuzz,
#                   Go's cache and blake2btest fuzz -save have; it stays as it is
#   -f count        fuzz too: count executions of each target, its seeds among them, without the guidance of coverage; of
#                   FuzzBatch a hundredth, as fuzz.sh has it
#   -s seed         seed of TestDiff's random cases
#   -n cases        number of TestDiff's random cases
#   -allow-missing  skip a row whose emulator is missing, which otherwise fails
#   --install       install QEMU's user mode emulators with apt-get, and exit
#
# A row builds the test binary for its architecture and runs it in -short mode: directly where the kernel can, else under
# an emulator. The tests make all implementations agree inside a row. The transcript, a digest of all answers of TestDiff,
# makes the rows agree with each other. The row "native" always runs, so that there is something to agree with.
#
# For each input of a corpus that fails anywhere, its Case is printed and where it fails: on the rows of one word size or
# byte order only, if that is so and the rows that ran can tell it from any other.
#
# The last line counts rows. Status 0: none failed; 1: some failed, and their logs are kept; 2: bad usage.
set -u
cd "$(dirname "$0")" || exit 2

# Name, word size, byte order, emulator, environment of the build. Only under mips, mipsle and mips64 does QEMU trap
# unaligned access.
usual='386 32-bit little-endian qemu-i386 GOARCH=386 GO386=sse2
arm5 32-bit little-endian qemu-arm GOARCH=arm GOARM=5
arm7 32-bit little-endian qemu-arm GOARCH=arm GOARM=7
arm64 64-bit little-endian qemu-aarch64 GOARCH=arm64 GOARM64=v8.0
s390x 64-bit big-endian qemu-s390x GOARCH=s390x
mips 32-bit big-endian qemu-mips GOARCH=mips GOMIPS=hardfloat'
others='riscv64 64-bit little-endian qemu-riscv64 GOARCH=riscv64 GORISCV64=rva20u64
ppc64 64-bit big-endian qemu-ppc64 GOARCH=ppc64 GOPPC64=power8
ppc64le 64-bit little-endian qemu-ppc64le GOARCH=ppc64le GOPPC64=power8
mipsle 32-bit little-endian qemu-mipsel GOARCH=mipsle GOMIPS=hardfloat
mips64 64-bit big-endian qemu-mips64 GOARCH=mips64 GOMIPS64=hardfloat
mips64le 64-bit little-endian qemu-mips64el GOARCH=mips64le GOMIPS64=hardfloat
loong64 64-bit little-endian qemu-loongarch64 GOARCH=loong64
wasip1 64-bit little-endian wazero GOOS=wasip1 GOARCH=wasm
js 64-bit little-endian node GOOS=js GOARCH=wasm'
# This machine is as the row of its architecture; amd64 has none.
hostarch=$(go env GOHOSTARCH)
kind=$(grep -m 1 " GOARCH=$hostarch\\b" <<<"$usual"$'\n'"$others" | cut -d' ' -f2,3)
native="native ${kind:-64-bit little-endian} - GOOS=$(go env GOHOSTOS) GOARCH=$hostarch"
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

# replay RUN has a row run the corpus alone: in a copy, for a target may write to the folder of another.
replay() {
	local status files
	mkdir -p "$1.dir/testdata"
	cp -r "$tmp/corpus" "$1.dir/testdata/fuzz"
	(cd "$1.dir" && "$1" -test.short -test.v -test.timeout=10m -test.run='^Fuzz' -test.skip='/^seed#') | tee "$1.replay"
	status=${PIPESTATUS[0]}
	rm -r "$1.dir"
	files=$(grep -c '^=== RUN .*/' "$1.replay")
	echo "$files of $inputs inputs"
	((files == inputs)) || status=1
	return "$status"
}

# signatures prints each input that failed, where, and its Case. Kinds of row that have the same rows cannot be told apart.
signatures() {
	local fields
	while read -ra fields; do
		[ -e "$tmp/${fields[0]}.replay" ] || continue
		echo "=== ROW ${fields[*]}"
		cat "$tmp/${fields[0]}.replay"
	done <<<"$table" | awk '
		function add(kind) { of[kind] = of[kind] " " row }
		function fails(input) { if (where[input] " " !~ " " row " ") where[input] = where[input] " " row }
		function finish() { if (input != "") fails(input) } # what it was at when it died
		/^=== ROW / { finish(); input = ""; row = $3; rows = rows " " row; add($4); add($5); add($4 " " $5) }
		/^=== RUN .*\// { input = $3; if (!(input in ran)) inputs[++n] = input; ran[input] = ran[input] " " row }
		input != "" && /^[ \t]*(case|from) / {
			fails(input)
			if ($1 == "from" || !(input in text)) text[input] = substr($0, index($0, $2))
		}
		/^ *--- FAIL: .*\// { fails($3) }
		/^(PASS|FAIL)$/ { input = "" }
		END {
			finish()
			for (kind in of) if (!seen[of[kind]]++) words[of[kind]] = kind " only:"; else words[of[kind]] = ""
			words[rows] = "everywhere:"
			for (i = 1; i <= n; i++) {
				input = inputs[i]
				if (!(input in where)) continue
				if (ran[input] != rows) signature = "of" ran[input] " on" where[input]
				else if (words[where[input]] != "") signature = words[where[input]] where[input]
				else signature = "on" where[input] " only"
				print input "  " signature
				if (input in text) print "    case " text[input]
			}
		}'
}

# row NAME SIZE ORDER EMULATOR SETTING... tests one row. It prints the row's log, and leaves the middle of the row's line
# in a file.
row() {
	local run=$tmp/$1 emulator=$4 note='this CPU' command='' how=''
	shift 4
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
	if [ -n "$corpus" ]; then
		replay "$run" || return 1
	else
		"$run" -test.short -test.v -test.timeout=10m "${flags[@]}" || return 1
	fi
	((fuzz)) || return 0

	case $note in
	wazero | node) echo "$note, not fuzzed (Go cannot)" >"$run.note" ;;
	qemu-i386) echo "$note, not fuzzed (it crashes)" >"$run.note" ;;
	*)
		echo "$note, fuzzed" >"$run.note"
		./fuzz.sh "$fuzz" "$run" -test.short -test.fuzzcachedir="$run.fuzz"
		;;
	esac
}

# start NAME SIZE ORDER EMULATOR SETTING... is row, timed, with its output in files.
start() {
	local TIMEFORMAT=%1R
	{ time row "$@" </dev/null >"$tmp/$1.log" 2>&1; } 2>"$tmp/$1.seconds"
}

# report NAME STATUS prints a row's line, and what failed. The transcript must be that of the first row that has one.
report() {
	local log=$tmp/$1.log status=$2 verdict=FAIL wrong='' note transcript
	note=$(cat "$tmp/$1.note" 2>/dev/null || echo 'does not build')
	transcript=$(grep -oE 'transcript seed=[^ ]* cases=[^ ]* digest=[0-9a-f]*|^[0-9]+ of [0-9]+ inputs$' "$log")
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
wanted='' corpus='' fuzz=0 flags=() allow_missing=0
while (($#)); do
	case $1 in
	-h | -help | --help)
		sed -n '/^[^#]/q; 2,$s/^# \{0,1\}//p' "$0"
		printf '\nrows:\n%s\n' "$table"
		exit
		;;
	-install | --install)
		install
		exit
		;;
	-allow-missing | --allow-missing) allow_missing=1 ;;
	-a) wanted=$known ;;
	-c)
		corpus=${2:-/dev/null}
		[[ $corpus == /* ]] || corpus=$OLDPWD/$corpus
		[ -d "$corpus" ] || die "-c wants a folder, not \"${2-}\""
		shift
		;;
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

if [ -n "$corpus" ]; then
	mkdir "$tmp/corpus"
	targets=$(go test -list='^Fuzz' . | grep '^Fuzz') || exit 2
	for folder in "$corpus"/*/; do
		[ -d "$folder" ] || break # there is none
		target=$(basename "$folder")
		if grep -qxF -e "$target" <<<"$targets"; then
			mkdir "$tmp/corpus/$target"
			find -L "$folder" -maxdepth 1 -type f -exec cp -t "$tmp/corpus/$target" {} +
		else
			echo "not replayed: $target is no target of package blake2btest"
		fi
	done
	inputs=$(find "$tmp/corpus" -type f | wc -l)
	((inputs)) || die "-c wants inputs of $(paste -sd' ' <<<"$targets"): none in $corpus"
fi

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
[ -z "$corpus" ] || signatures

printf '%d passed, %d failed, %d skipped\n' "${count[ok]}" "${count[FAIL]}" "${count[skip]}"
((count[FAIL] == 0))
