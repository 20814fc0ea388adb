package main

import (
	"encoding/hex"
	"fmt"
	"strconv"

	"blake2btest"
	"blake2btest/vectors"
)

// wycheproofSchema is the file that describes the form below: that of Project
// Wycheproof, which has no schema for BLAKE2b. As there, sizes are in bits.
const wycheproofSchema = "blake2b_test_schema.json"

type wycheproofFile struct {
	Algorithm     string                    `json:"algorithm"`
	Schema        string                    `json:"schema"`
	NumberOfTests int                       `json:"numberOfTests"`
	Header        []string                  `json:"header"`
	Notes         map[string]wycheproofNote `json:"notes"`
	TestGroups    []*wycheproofGroup        `json:"testGroups"`
}

type wycheproofNote struct {
	BugType     string `json:"bugType"`
	Description string `json:"description"`
}

type wycheproofGroup struct {
	Type   string           `json:"type"`
	Source wycheproofSource `json:"source"`
	Tests  []wycheproofTest `json:"tests"`
}

type wycheproofSource struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type wycheproofTest struct {
	ID      int      `json:"tcId"`
	Comment string   `json:"comment"`
	Flags   []string `json:"flags"`
	Size    uint64   `json:"digestSize"`
	Unknown bool     `json:"sizeUnknown,omitempty"`
	Key     string   `json:"key"`
	Salt    string   `json:"salt,omitempty"`
	Person  string   `json:"person,omitempty"`
	Block   string   `json:"parameterBlock,omitempty"`
	Counter string   `json:"counter,omitempty"`
	Last    bool     `json:"lastNode,omitempty"`
	Message string   `json:"msg"`
	Digest  string   `json:"digest"`
	Result  string   `json:"result"`
}

// A flag says what tests have in common.
type wycheproofFlag struct {
	name string
	wycheproofNote
}

// wycheproofFlags are those of the sets of vectors.
var wycheproofFlags = map[string]wycheproofFlag{
	"carry":      {"Carry", wycheproofNote{"EDGE_CASE", "The low halves of an addition in F sum to 2^32 or 2^33, or are all ones."}},
	"counter":    {"Counter", wycheproofNote{"EDGE_CASE", "The byte counter is near a power of two. For those who can set it."}},
	"eip152":     {"Rounds", wycheproofNote{"FUNCTIONALITY", "F has another number of rounds, or flags and counters that no message reaches."}},
	"keys":       {"KeyAndDigestSize", wycheproofNote{"BASIC", "A key of any length goes with a digest of any length."}},
	"linux":      {"Normal", published},
	"official":   {"Normal", published},
	"parameters": {"Parameters", wycheproofNote{"FUNCTIONALITY", "There is a salt, a personalization, or a tree."}},
	"refused":    {"Refused", wycheproofNote{"MODIFIED_PARAMETER", "BLAKE2b does not have this."}},
	"rfc7693":    {"Normal", published},
	"tree":       {"Tree", wycheproofNote{"FUNCTIONALITY", "The message is that of a node of a tree."}},
	"xof":        {"Xof", wycheproofNote{"FUNCTIONALITY", "The output is that of BLAKE2Xb."}},
}

var published = wycheproofNote{"BASIC", "This was published with BLAKE2b, or with an implementation."}

// wycheproofOptional is the flag of tests whose result is acceptable.
var wycheproofOptional = wycheproofFlag{"Optional", wycheproofNote{"DEFINED", "An implementation may refuse this, and must not answer anything else."}}

// wycheproofTypes are the types of groups.
var wycheproofTypes = map[blake2btest.Verb]string{
	blake2btest.VerbSum:      "Blake2bTest",
	blake2btest.VerbCompress: "Blake2bCompressionTest",
	blake2btest.VerbXOF:      "Blake2xbTest",
}

// wycheproof returns the vectors with a group for each set and type.
func wycheproof() ([]byte, error) {
	file := wycheproofFile{
		Algorithm: "BLAKE2b",
		Schema:    wycheproofSchema,
		Header:    []string{"Written by blake2btest vectors -format wycheproof.", "These test vectors are in the public domain (CC0-1.0)."},
		Notes:     make(map[string]wycheproofNote),
	}
	for _, verb := range []blake2btest.Verb{blake2btest.VerbSum, blake2btest.VerbCompress, blake2btest.VerbXOF} {
		set := ""
		for _, f := range flatVectors(verb) {
			if set != f.set.Name {
				set = f.set.Name
				file.TestGroups = append(file.TestGroups, &wycheproofGroup{
					Type:   wycheproofTypes[verb],
					Source: wycheproofSource{f.set.Source, strconv.Itoa(vectors.Schema)},
				})
			}
			flag, ok := wycheproofFlags[set]
			if !ok {
				return nil, fmt.Errorf("the set %s has no flag", set)
			}
			t := wycheproofTestOf(f)
			file.NumberOfTests++
			t.ID = file.NumberOfTests
			t.Flags = []string{flag.name}
			file.Notes[flag.name] = flag.wycheproofNote
			if f.optional {
				t.Flags = append(t.Flags, wycheproofOptional.name)
				file.Notes[wycheproofOptional.name] = wycheproofOptional.wycheproofNote
			}
			g := file.TestGroups[len(file.TestGroups)-1]
			g.Tests = append(g.Tests, t)
		}
	}
	return marshal(file)
}

func wycheproofTestOf(f flat) wycheproofTest {
	t := wycheproofTest{
		Comment: f.comment,
		Size:    8 * uint64(f.Size),
		Key:     hex.EncodeToString(f.Key),
		Salt:    hex.EncodeToString(f.Salt),
		Person:  hex.EncodeToString(f.Person),
		Counter: hex.EncodeToString(f.counter()),
		Last:    f.Last,
		Message: hex.EncodeToString(f.message),
		Digest:  hex.EncodeToString(f.answer),
		Result:  "valid",
	}
	switch f.Verb {
	case blake2btest.VerbCompress:
		t.Size = 8 * 64
	case blake2btest.VerbXOF:
		n, known := f.outputLen()
		t.Size, t.Unknown = 8*n, !known
	}
	if f.Tree != nil {
		t.Block = hex.EncodeToString(f.block())
	}
	switch {
	case f.answer == nil:
		t.Result = "invalid"
	case f.optional:
		t.Result = "acceptable"
	}
	return t
}
