// Package findings_test runs the programs of this folder, each of which shows a
// fault that FINDINGS.md describes, and begins with a comment that has its command.
package findings_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"blake2btest/internal/require"
)

// findings has for each program what must be installed, and the lines that it
// prints because of the fault.
var findings = []struct {
	file, needs string
	fault       []string
}{
	{"c/blake2xb.c", "../adapters/c/node_modules/blake2", []string{
		"got  c2"}},
	{"c/libb2.c", "/usr/include/blake2.h", []string{
		"got  0, 2f0ee402"}},
	{"c/libgcrypt.c", "/usr/include/gcrypt.h", []string{
		"got  0e5751c026e543b2", "got  378d0caaaa3855f1"}},
	{"c/libtomcrypt.c", "/usr/include/tomcrypt.h", []string{
		"got  CRYPT_OK, eeeeeeee"}},
	{"c/wolfcrypt.c", "/usr/include/wolfssl/wolfcrypt/blake2.h", []string{
		"got  0", "got  0, 2f0ee402"}},
	{"cpp/cryptopp.cpp", "/usr/include/crypto++/blake2.h", []string{
		"got  a digest of 0 bytes", "got  a digest of 65 bytes", "got  a digest of 64 bytes"}},
	{"go/minio.go", "../adapters/build/go/minio", []string{
		"got  865939e120e68054"}},
	{"guile/guile-gcrypt.scm", "/usr/share/guile/site/3.0/gcrypt/hash.scm", []string{
		"got  3345524abf6bbe1809449224b5972c41790b6cf2"}},
	{"java/BouncyCastle153.java", "../adapters/build/java/bcprov-jdk15on-1.53.jar", []string{
		"got  4fa681c0cd719754", "got  865939e120e68054", "got  one of 65",
		"got  java.lang.ArrayIndexOutOfBoundsException: arraycopy: last destination index 40 out of bounds for byte[32]"}},
	{"java/BouncyCastle186.java", "../adapters/build/java/bcprov-jdk18on-1.86.jar", []string{
		"got  2d6f17ee7a8ccd85", "got  84fca34f2a41bc62", "got  d362c0dcbf4174db", "got  f011fb6473eed186", "got  865939e120e68054"}},
	{"java/Cryptohash.java", "../adapters/build/java/cryptohash-jvm-1.0.2.jar", []string{
		"got  NullPointerException", "got  43bd8de93072fb73"}},
	{"java/NoiseJava.java", "../adapters/build/java/noise-java-0.1.1.jar", []string{
		"got  fb013178eed80671", "got  32"}},
	{"java/Rfksystems.java", "../adapters/build/java/blake2b-2.0.0.jar", []string{
		"got  865939e120e68054"}},
	{"javascript/blake2b.mjs", "../adapters/javascript/node_modules/blake2b", []string{
		"got  e950b54cf122395a25877ac217939fd5"}},
	{"javascript/blakejs.mjs", "../adapters/javascript/node_modules/blakejs", []string{
		"got  43bb9dc3378b4ce7", "got  87056b4d3f10e1e4"}},
	{"javascript/napi-rs.mjs", "../adapters/javascript/node_modules/@napi-rs/blake-hash-linux-x64-gnu", []string{
		"got  49e5314b355ee75d which is that of fanout 0, 49e5314b355ee75d",
		"got  b32eb3a5898a5a81 which is that of 1, b32eb3a5898a5a81",
		"fatal runtime error: failed to initiate panic, error 5, aborting"}},
	{"javascript/noble-hashes.mjs", "../adapters/javascript/node_modules/noble-hashes-1.8.0", []string{
		"got  RangeError: start offset of Uint32Array should be a multiple of 4", `got  ""`}},
	{"javascript/node-blake2.mjs", "../adapters/javascript/node_modules/blake2", []string{
		"got  one of 64", "got  one of 1"}},
	{"javascript/stablelib.mjs", "../adapters/javascript/node_modules/@stablelib/blake2b", []string{
		"got  fe49441ffbe76ddf", "got  5afb6e64777166f3 which is that of inner length 1, 5afb6e64777166f3"}},
	{"lisp/ironclad.lisp", "/usr/share/common-lisp/source/ironclad/ironclad.asd", []string{
		"got  a MAC of 0 bytes"}},
	{"lua/aos.lua", "../adapters/build/lua/aos_blake2b.lua", []string{
		"got  b1760385cba3f196", "got  831faf0a4bf0e45b"}},
	{"ocaml/cryptokit_key.ml", "/usr/lib/ocaml/cryptokit", []string{
		"a.out: blake2.c:124: blake2b_init: Assertion `0 <= keylen && keylen <= 64' failed."}},
	{"perl/cryptx.pl", "/usr/share/doc/libcryptx-perl", []string{
		"got  ''", `got  Can't locate object method "reset" via package "Crypt::Mac::BLAKE2b"`}},
	{"php/sodium-compat.php", "../adapters/build/php/sodium_compat", []string{
		"got  cf4ab791c62b8d2b2109c90275287816, which is that without a key, cf4ab791c62b8d2b2109c90275287816",
		"got  83298bc574d7fdf91f228916826a1499, which is that of 16, 83298bc574d7fdf91f228916826a1499",
		"got  ef063b415f8327ec8505d7133eed4284, which is that of 16, ef063b415f8327ec8505d7133eed4284",
		`got  ""`}},
	{"ruby/rbnacl.rb", "/usr/share/doc/ruby-rbnacl", []string{
		"got  NoMethodError: undefined method `release' for ", "got  27c35e6e9373877f29e562464e46497e",
		"got  RbNaCl::CryptoError: No message to hash yet!", "got  3dc9ae220222e2e156b2a5abb60d01c7"}},
	{"rust/src/bin/cryptoxide.rs", "../adapters/build/rust", []string{
		"context is already finalized, needs reset"}},
	{"rust/src/bin/libcrux-blake2.rs", "../adapters/build/rust", []string{
		"got  [e4, a6, a0, 57, 74, 79, b2, b4]"}},
	{"rust/src/bin/rust-crypto.rs", "../adapters/build/rust", []string{
		"got  ba2751e8853a71b0", "got  e4a6a0577479b2b4"}},
	{"rust/src/bin/rustcrypto_0_8.rs", "../adapters/build/rust", []string{
		"got  a digest of 0 bytes"}},
	{"rust/src/bin/rustcrypto_0_10.rs", "../adapters/build/rust", []string{
		"got  [ca, 63, 0f, 38, f8, 5e, 50, 55]", `got  Ok("a hash")`}},
	{"rust/src/bin/rustcrypto_0_11.rs", "../adapters/build/rust", []string{
		"got  Array([2c, a5, d3, f9, f9, 6a, 95, 45])", "assertion failed: salt.len() <= length"}},
	{"wasm/blake2-wasm.mjs", "../adapters/wasm/node_modules/blake2.wasm", []string{
		"got  0000000000000000 0000000000000000"}},
	{"wasm/blake2b-wasm.mjs", "../adapters/wasm/node_modules/blake2b-wasm", []string{
		"got  TypeError: Cannot perform Construct on a detached ArrayBuffer",
		"got  RangeError: WebAssembly.Memory.grow(): Maximum memory size exceeded"}},
	{"wasm/hacl-wasm.mjs", "../adapters/wasm/node_modules/hacl-wasm", []string{
		"got  30761e2dc40f016f"}},
	{"wasm/polkadot.mjs", "../adapters/wasm/node_modules/@polkadot/wasm-crypto", []string{
		"got  RuntimeError: memory access out of bounds"}},
	{"zig/zig-std.zig", "../adapters/build/zig/venv/bin/python", []string{
		"got  927f1e683acc4b8b", "got  4a913b6099a36d59"}},
}

// command is in the comment that a program begins with.
var command = regexp.MustCompile(`\$ (.+?)(?: \*\))?\n`)

func TestFindings(t *testing.T) {
	adapters, err := filepath.Abs("../adapters")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		t.Run(f.file, func(t *testing.T) {
			t.Parallel()
			program, err := os.ReadFile(f.file)
			if err != nil {
				t.Fatal(err)
			}
			m := command.FindSubmatch(program)
			if m == nil {
				t.Fatal("it does not say by which command it is run")
			}
			line := string(m[1])
			if _, err := os.Stat(f.needs); err != nil {
				require.Skip(t, "ports", err.Error())
			}
			if _, err := exec.LookPath(strings.Fields(line)[0]); err != nil {
				require.Skip(t, "ports", err.Error())
			}

			dir := "."
			if strings.Contains(line, "./a.out") { // is not to be left here
				temp := t.TempDir()
				dir = filepath.Join(temp, "findings")
				if err := os.CopyFS(dir, os.DirFS(".")); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(adapters, filepath.Join(temp, "adapters")); err != nil {
					t.Fatal(err)
				}
			}
			sh := exec.CommandContext(t.Context(), "sh", "-c", line)
			sh.Dir = dir
			sh.Env = append(os.Environ(), "ASDF_OUTPUT_TRANSLATIONS=/:"+t.TempDir()) // for what SBCL compiles
			sh.WaitDelay = time.Second
			out, err := sh.CombinedOutput()
			for _, fault := range f.fault {
				if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(fault) + `$`).Match(out) {
					t.Errorf("%s no longer shows %q; if the port has been mended, FINDINGS.md is to say so\n$ %s\n%s%v", f.file, fault, line, out, err)
				}
			}
		})
	}
}

// TestListed: each program is run, and FINDINGS.md names it.
func TestListed(t *testing.T) {
	text, err := os.ReadFile("../FINDINGS.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := make(map[string]bool)
	for _, f := range findings {
		listed[f.file] = true
	}
	for _, pattern := range []string{"*/*.*", "rust/src/bin/*"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			switch filepath.Ext(file) {
			case ".mod", ".sum", ".toml", ".lock":
				continue
			}
			if !listed[file] {
				t.Errorf("%s is not in the list of findings", file)
			}
			if !strings.Contains(string(text), "(findings/"+file+")") {
				t.Errorf("FINDINGS.md does not name findings/%s", file)
			}
		}
	}
}
