package subprocess_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"blake2btest"
	"blake2btest/subprocess"
)

// serve returns what Serve writes.
func serve(t testing.TB, p blake2btest.Port, r io.Reader) string {
	var b bytes.Buffer
	if err := subprocess.Serve(context.Background(), r, &b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestServe(t *testing.T) {
	const abc = "ok 384264f676f39536840523f284921cdc68b6846b"
	long := strings.Repeat("6", blake2btest.MaxLine)
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{"sum size=20 : 616263\n", abc + "\n"},
		{"sum size=20 : 616263\r\n", abc + "\n"},
		{"sum size=20 : 616263", abc + "\n"},
		{"\n\r\n", "error empty line\nerror empty line\n"},
		{"a\x00\xff\n", "unsupported verb \"a\\x00\\xff\"\n"},
		{long + "\n", "unsupported verb \"" + long[:40] + "?\"\n"},
		{long + "\r\n", "unsupported verb \"" + long[:40] + "?\"\n"},
		{long + "6\nhash", "error line of more than 1048576 bytes\nunsupported verb \"hash\"\n"},
		{long + "6\r\n", "error line of more than 1048576 bytes\n"},
		{long + "66\nhash\n", "error line of more than 1048576 bytes\nunsupported verb \"hash\"\n"},
		{long + long + long, "error line of more than 1048576 bytes\n"},
	} {
		if got := serve(t, rolled, strings.NewReader(tt.in)); got != tt.want {
			t.Errorf("%.30q… is answered %.80q, want %.80q", tt.in, got, tt.want)
		}
	}
}

// panicking panics with a text that is not one line.
type panicking struct{}

func (panicking) Answer(blake2btest.Case) ([]byte, error) { panic("out\nof\xffhash") }

func TestServePanic(t *testing.T) {
	want := "error panic: \"out\\nof\\xffhash\"\nok name=unknown version=unknown protocol=1\n"
	if got := serve(t, panicking{}, strings.NewReader("sum\nabout\n")); got != want {
		t.Errorf("answers %q, want %q", got, want)
	}
}

// TestServeFlush: a request that comes alone is answered at once.
func TestServeFlush(t *testing.T) {
	requests, w := io.Pipe()
	r, answers := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- subprocess.Serve(ctx, requests, answers, rolled) }()
	in := bufio.NewScanner(r)
	for _, tt := range []struct{ write, want string }{
		{"hash\n", `unsupported verb "hash"`},
		{"hash\nsu", `unsupported verb "hash"`},
		{"n\n", `unsupported verb "sun"`},
	} {
		io.WriteString(w, tt.write)
		if !in.Scan() || in.Text() != tt.want {
			t.Errorf("%q is answered %q, want %q", tt.write, in.Text(), tt.want)
		}
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v after cancel", err)
	}
}

func TestServeErrors(t *testing.T) {
	r, w := io.Pipe()
	w.CloseWithError(io.ErrNoProgress)
	if err := subprocess.Serve(context.Background(), r, io.Discard, rolled); err != io.ErrNoProgress {
		t.Errorf("error %v of a read, want %v", err, io.ErrNoProgress)
	}
	r, w = io.Pipe()
	r.Close()
	if err := subprocess.Serve(context.Background(), strings.NewReader("hash\n"), w, rolled); err != io.ErrClosedPipe {
		t.Errorf("error %v of a write, want %v", err, io.ErrClosedPipe)
	}
}

// endless is a line without end.
type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = '6'
	}
	return len(b), nil
}

func TestServeMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	serve(t, rolled, io.LimitReader(endless{}, 1<<28))
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20 {
		t.Errorf("a line of 2^28 bytes took %d bytes of memory", n)
	}
}
