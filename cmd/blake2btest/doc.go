/*
Blake2btest tests implementations of BLAKE2b (RFC 7693) in any language, and
writes test vectors for them.

Usage:

	blake2btest check   [-level quick|full|long] [-run regexp] [-seed n] [-timeout d]
	                    [-known file] [-require feature,...]
	                    [-format text|json|junit|markdown|html] [-o file]
	                    [-ports file [-j n] | command [args...]]
	blake2btest fuzz    [-for d] [-n n] [-seed n] [-shard i/n] [-j n] [-save dir] [-keep]
	                    [command [args...]]
	blake2btest score   [-level quick|full|long] [-format text|json|html]
	                    [-vectors file | -minimal n [-profile one-shot|streaming|everything]]
	blake2btest serve   [-list] [rolled|unrolled|small|xcrypto|mutant/NAME]
	blake2btest vectors [-format json|txt|wycheproof|c|go|corpus] [-o path]
	blake2btest help
	blake2btest version

It exits with status 0 if what was tested conforms, 1 if it does not, and 2 if
that cannot be said: bad usage, a port that does not start, nothing tested, a run
that was interrupted before anything failed. What it has to say beside its output
goes to stderr.

# Check

Check runs a program, the port, and judges its answers. The command is written
as it would be typed. The port reads questions from its standard input, a line
each, and writes a line for each answer; that takes a page of code in most
languages, and PROTOCOL.md in package subprocess says how.

	$ blake2btest check -level quick -run state/reset blake2btest serve mutant/reset-drops-key
	state/reset-keyed: the digest after a reset is not the digest of a new hash
		case sum key=0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20 : 00 reset 000000
		got  844e053cb51be3e9f27da5262265591568e3daf2c4fbdc9d5ea3753ba57a6f772c7c265856945ef5025facda5f26f3bf8e3f25d1c87e15b4a7c354f8045db62e
		want 17de48fd62c2cacb3dacbacbef4bc49cd9b86387591f044498f625eff7b9f83b000c8e9b6685c30e5dee4f9d3d311e2fda321960cacd0ffd87e8acbd73e7bac2
		must hash.Hash: Reset returns the hash to its initial state, which includes its key
		like mutant key-ignored: the key is ignored
		like mutant reset-drops-key: Reset forgets that the hash is keyed

	state  1 failed, 2 passed  58 cases

	offers      sizes, keys, salt, person, tree, streaming, second-sum, reset, new, clone, save, t, xof, compress
	port        mutant/reset-drops-key (devel), which is blake2btest serve mutant/reset-drops-key
	by          blake2btest (devel) go1.26.8 linux/amd64, level quick, seed 1, run state/reset
	does not conform: 1 check failed, 2 of 3 checks passed, 58 cases; not tested: 0 checks, 0 cases

A failure is the check and what went wrong; the case, which can be pasted into
the port's input; got and want; what requires it, and where that is written; and
the known bugs that give the same digest, if there are any. The last line is the
verdict. It counts what was tested and what was not, for what a port does not
offer it has not passed.

Without a command, the ports that are built in are checked: rolled, unrolled and
small, which are this module's, and xcrypto, golang.org/x/crypto/blake2b, whose
known faults are named.

	$ blake2btest check -level quick -run answers
	by          blake2btest (devel) go1.26.8 linux/amd64, level quick, seed 1, run answers

	rolled    (devel)  conforms: 6 of 6 checks passed, 8,971 cases; not tested: 0 checks, 0 cases
	unrolled  (devel)  conforms: 6 of 6 checks passed, 8,971 cases; not tested: 0 checks, 0 cases
	small     (devel)  conforms: 6 of 6 checks passed, 8,971 cases; not tested: 0 checks, 0 cases
	xcrypto   v0.59.0  conforms: 6 of 6 checks passed, 8,971 cases; not tested: 0 checks, 0 cases

The flags are

	-level   how much is asked: quick (a second), full (ten seconds), which is the
	         default, or long (minutes). A slow port is asked less, and the report says
	         how much was left.
	-run     a regular expression: only checks whose names match are run. CHECKS.md
	         lists them.
	-seed    the seed of the random cases. The same seed gives the same run.
	-timeout how long the port may take for one answer; for its first, for gigabytes, or
	         millions of rounds, it has longer.
	-known   a file of known failures, see below.
	-require features, parted by commas, without which the port fails: of sizes, keys,
	         salt, person, tree, streaming, second-sum, reset, new, clone, save, t, xof,
	         compress.
	         With -ports, installed is another such word: that all ports can be run.
	-format  the form of the report: text; json, which report.schema.json beside this
	         command's source describes; junit, for CI systems; markdown; html, a page
	         that needs nothing else.
	-o       a file for the report. The text goes to standard output, then, too.
	-ports   a file that lists ports, see below; -j says how many are checked at a time,
	         by default as many as there are CPUs.

Ctrl-C ends the run with the check that runs, and prints what is known so far; a
second one ends it at once.
On a terminal, a line says what runs; NO_COLOR=1 turns colours off.

# Lists of ports

With -ports, check judges many ports in one run, side by side. The file that names
them is a list in JSON, and the commands are run in its folder:

	[
		{
			"name": "hashlib",
			"version": "3.11.2",
			"language": "Python",
			"codebase": "BLAKE2 reference",
			"command": ["python3", "python/hashlib_port.py"],
			"notes": "part of CPython"
		}
	]

The name is one word, and the one by which the file of known failures knows the
port. A port whose program cannot be started is reported as not run, and fails
nothing unless installed is required. The folder adapters beside the packages of
this module has such a list of ports that many use.

# Known failures

A port may have faults that are known, and that should not hide others. A file of
known failures has a line for each: the port, by the name that it gives itself, or
is listed by; the check; the reason.

	# mine.known
	mine counter/start     issue 12: the counter has 64 bits
	mine limits/key-length issue 15

The run passes while exactly these checks fail. It fails if another does, and if
one of these passes, which is then to be taken off the list.

# Fuzz

Fuzz asks a port random cases for some time, and compares its answers with those
of this module; without a command it does so with the built-in ports.

# Score

Score says what the checks are worth: which of the mutants, BLAKE2bs that are each
wrong in one way, they find. It prints a matrix of mutants and checks, how many
each check kills, how many the published vectors kill alone, and which survive in
a port that offers less: one-shot is digests and keys of a message in one write,
streaming is that with several writes, digests and resets. It takes a minute.

With -vectors it does the same for somebody's vectors: a file of this module's
form, the BLAKE2 reference package's, or lines as the command vectors writes them
in form txt. It says what they miss, and which vectors would help most.

	$ blake2btest vectors -format txt | grep -A 1 '^> sum : 616263$' | blake2btest score -vectors /dev/stdin | head -n 2
	mutants killed, of 460:
	  127  by 1 vector of /dev/stdin

With -minimal it prints the few vectors that together kill most, for those who have
room for few; -profile says what they may need of the port.

# Serve

Serve is a port: it answers questions with one of the implementations that are
built in, unrolled on machines of 64 bits and rolled on others if none is named.
A mutant is wrong in one way; -list prints the names of all.

	$ echo 'sum size=32 key=00ff : 6162 63' | blake2btest serve
	ok 48a4de065eb45d31affdb28ec36dd1c9cc90c7d7480acb0b16eb4cc4185d934f

# Vectors

Vectors writes the test vectors, to standard output if -o names no path. They are
in the public domain (CC0-1.0). The forms are

	json       the files that this module has, described in its folder vectors: as an
	           array, or each in the folder that -o names
	txt        lines: > and a question, < and its answer, # and a comment
	wycheproof as those of Project Wycheproof, with notes and types of bugs;
	           blake2b_test_schema.json beside this command's source describes it
	c          a header for C89 and later, and C++
	go         a package of one file
	corpus     a folder of inputs for fuzzers: raw ones, for libFuzzer say, and those of
	           go test for each of this module's targets

In wycheproof, c and go a message is a string of bytes: vectors of more than 1 MiB
and values that no field can hold are left out.

	$ blake2btest vectors -format txt | grep -m 1 -A 1 '^> sum : 616263$'
	> sum : 616263
	< ok ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923
*/
package main
