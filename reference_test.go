package blake2btest_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blake2btest"
	"blake2btest/internal/model"
	"blake2btest/internal/require"
	"blake2btest/vectors"

	"github.com/google/go-cmp/cmp"
)

// TestReference compares the vectors with copies of the published ones, which
// are not part of this repository: BLAKE2BTEST_REFERENCE names their folder.
func TestReference(t *testing.T) {
	folder := os.Getenv("BLAKE2BTEST_REFERENCE")
	if folder == "" {
		require.Skip(t, "reference", "BLAKE2BTEST_REFERENCE is not set")
	}
	load := func(t *testing.T, name string, v any) {
		data, err := os.ReadFile(filepath.Join(folder, name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, v); err != nil {
			t.Fatalf("%s.json: %v", name, err)
		}
	}
	// ours are the answers by case, and the sequences' last digests by name.
	ours := make(map[string]string)
	last := make(map[string]string)
	var rounds vectors.Rounds
	for _, s := range vectors.Sets() {
		for _, v := range s.Vectors {
			ours[v.Case] = v.Answer
		}
		for _, a := range s.Accumulated {
			last[a.Name] = a.Checkpoints[len(a.Checkpoints)-1].Digest
		}
		if len(s.Rounds) > 0 {
			rounds = s.Rounds[0]
		}
	}
	check := func(t *testing.T, what string, got, want any) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-published +ours)\n%s", what, diff)
		}
	}
	vector := func(t *testing.T, c blake2btest.Case, want string) {
		t.Helper()
		check(t, c.String(), ours[c.String()], want)
	}

	t.Run("rfc7693", func(t *testing.T) {
		var ref struct {
			AppendixA struct {
				H0, M, H []string
				V        [][]string
				Digest   string
			}
			AppendixE struct{ Digest string }
		}
		load(t, "rfc7693", &ref)
		lower := func(words []string) []string { return strings.Fields(strings.ToLower(strings.Join(words, " "))) }
		for i, v := range ref.AppendixA.V {
			check(t, fmt.Sprintf("working vector %d", i), rounds.V[i][:], lower(v))
		}
		check(t, "number of working vectors", len(rounds.V), len(ref.AppendixA.V))
		check(t, "h", rounds.H[:], lower(ref.AppendixA.H))
		check(t, "digest", ours["sum : 616263"], "ok "+ref.AppendixA.Digest)
		check(t, "Appendix E", last["rfc7693"], ref.AppendixE.Digest)
	})
	t.Run("official", func(t *testing.T) {
		var ref struct {
			Vectors []struct{ Hash, In, Key, Out string }
		}
		load(t, "official-kat", &ref)
		if len(ref.Vectors) != 1024 {
			t.Errorf("%d vectors, want 1024", len(ref.Vectors))
		}
		for _, v := range ref.Vectors {
			c := blake2btest.Case{Verb: blake2btest.VerbSum, Params: blake2btest.Params{Size: len(v.Out) / 2}, Steps: []blake2btest.Step{write(t, v.In)}}
			if v.Hash == "blake2xb" {
				c.Verb = blake2btest.VerbXOF
			}
			c.Key = unhex(t, v.Key)
			vector(t, c, "ok "+v.Out)
		}
	})
	t.Run("linux", func(t *testing.T) {
		var ref struct {
			Digests []struct {
				Length int
				Digest string
			}
			AllLengths, AllKeyAndDigestLengths struct{ Digest string }
		}
		load(t, "linux-kunit", &ref)
		for _, v := range ref.Digests {
			vector(t, sum(blake2btest.Params{Size: 64}, vectors.Linear(v.Length)), "ok "+v.Digest)
		}
		check(t, "all lengths", last["linux-lengths"], ref.AllLengths.Digest)
		check(t, "all key and digest lengths", last["linux-keys"], ref.AllKeyAndDigestLengths.Digest)
	})
	t.Run("eip152", func(t *testing.T) {
		var ref struct {
			Vectors []struct {
				Input  string
				Output *string
			}
		}
		load(t, "eip152", &ref)
		for _, v := range ref.Vectors {
			want := "error"
			if v.Output != nil {
				want = "ok " + *v.Output
			}
			vector(t, blake2btest.Case{Verb: blake2btest.VerbCompress, Steps: []blake2btest.Step{write(t, v.Input)}}, want)
		}
	})
	t.Run("params", func(t *testing.T) {
		var ref struct {
			Vectors []struct {
				Message, Key, Salt, Person, Digest string
				DigestSize                         *int `json:"digest_size"`
				Fanout, Depth                      *uint8
				LeafSize                           uint32 `json:"leaf_size"`
				NodeOffset                         uint64 `json:"node_offset"`
				NodeDepth                          uint8  `json:"node_depth"`
				InnerSize                          uint8  `json:"inner_size"`
				LastNode                           bool   `json:"last_node"`
				Comment                            string
			}
		}
		load(t, "params", &ref)
		for _, v := range ref.Vectors {
			tree := blake2btest.Tree{Fanout: 1, MaxDepth: 1, LeafSize: v.LeafSize, NodeOffset: v.NodeOffset, NodeDepth: v.NodeDepth, InnerSize: v.InnerSize, LastNode: v.LastNode}
			if v.Fanout != nil {
				tree.Fanout = *v.Fanout
			}
			if v.Depth != nil {
				tree.MaxDepth = *v.Depth
			}
			p := blake2btest.Params{Size: 64, Key: unhex(t, v.Key), Salt: unhex(t, v.Salt), Person: unhex(t, v.Person), Tree: &tree}
			if v.DigestSize != nil {
				p.Size = *v.DigestSize
			}
			c := sum(p, unhex(t, v.Message))
			for _, port := range append(ports(), model.Port{}) {
				if name := portName(port); name != "xcrypto" {
					check(t, name+": "+c.String(), blake2btest.AnswerLine(port, c.String()), "ok "+v.Digest)
				}
			}
		}
	})
	t.Run("big", func(t *testing.T) {
		var ref struct {
			Vectors []struct {
				Length uint64
				Digest string
			}
		}
		load(t, "big", &ref)
		for _, v := range ref.Vectors {
			period := vectors.Cycle(251)
			c := sum(blake2btest.Params{Size: 64}, period)
			c.Steps[0].Count = v.Length / 251
			if rest := v.Length % 251; rest > 0 {
				c.Steps = append(c.Steps, blake2btest.Step{Op: blake2btest.OpWrite, Data: period[:rest]})
			}
			vector(t, c, "ok "+v.Digest)
		}
	})
}

func sum(p blake2btest.Params, message []byte) blake2btest.Case {
	return blake2btest.Case{Verb: blake2btest.VerbSum, Params: p, Steps: []blake2btest.Step{{Op: blake2btest.OpWrite, Data: message}}}
}

func write(t *testing.T, data string) blake2btest.Step {
	t.Helper()
	return blake2btest.Step{Op: blake2btest.OpWrite, Data: unhex(t, data)}
}

// unhex returns nil for no bytes.
func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	if len(b) == 0 {
		return nil
	}
	return b
}
