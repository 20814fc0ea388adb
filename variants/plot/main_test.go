package main

import (
	"os"
	"testing"
)

// TestFresh tests that cold.svg is what SPEED.md says.
func TestFresh(t *testing.T) {
	text, err := os.ReadFile("../SPEED.md")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../cold.svg")
	if err != nil {
		t.Fatal(err)
	}
	want, err := Draw(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("cold.svg is not drawn from SPEED.md\nrun: go run -C variants/plot .")
	}
}
