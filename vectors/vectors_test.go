package vectors_test

import (
	"fmt"
	"testing"

	"blake2btest/vectors"
)

func ExampleAll() {
	for s, v := range vectors.All() {
		if s.Name == "rfc7693" {
			fmt.Println(v.Case)
			fmt.Println(v.Answer)
		}
	}
	// Output:
	// sum : 616263
	// ok ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923
}

func TestSets(t *testing.T) {
	names := make(map[string]bool)
	for _, s := range vectors.Sets() {
		if s.Schema != vectors.Schema || s.Title == "" || s.Source == "" || s.License == "" || s.Command == "" {
			t.Errorf("%s lacks part of its head", s.Name)
		}
		if len(s.Vectors)+len(s.Accumulated) == 0 || names[s.Name] {
			t.Errorf("%s is empty or there twice", s.Name)
		}
		names[s.Name] = true
	}
	for _, name := range []string{"big", "carry", "counter", "eip152", "keys", "linux", "official", "parameters", "random", "refused", "rfc7693", "tree", "xof"} {
		if !names[name] {
			t.Errorf("there is no set %s", name)
		}
	}
}

func TestCycle(t *testing.T) {
	for n := range 3000 {
		b := vectors.Cycle(n)
		for i := range b {
			if len(b) != n || b[i] != byte(i%251) {
				t.Fatalf("Cycle(%d) has %d bytes, and byte %d is %d", n, len(b), i, b[i])
			}
		}
	}
}

// The messages are facts: the first bytes of each generator.
func TestMessages(t *testing.T) {
	for _, tt := range []struct {
		name      string
		got, want []byte
	}{
		{"Count", vectors.Count(254, 4), []byte{254, 255, 0, 1}},
		// By hand: a = 0xDEAD4BAD * 3, b = 1; the sums are 9c07e308, 9c07e309 and 380fc611.
		{"Fibonacci", vectors.Fibonacci(3), []byte{0x9c, 0x9c, 0x38}},
		// 1 * 25214903917 + 11 is 0x5deece678, whose bits 16 to 23 are 0xec.
		{"Linear", vectors.Linear(1), []byte{0xec}},
	} {
		if string(tt.got) != string(tt.want) {
			t.Errorf("%s: got %x, want %x", tt.name, tt.got, tt.want)
		}
	}
}
