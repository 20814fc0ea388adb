package subprocess

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"blake2btest"
)

// Serve reads requests, a line each, and writes p's answers, until r ends: then
// it returns nil. It returns earlier, with the reason, when w fails or ctx is
// done. It does not wait, then, for what p may be at, or r; so neither r nor w
// is to be used any more.
func Serve(ctx context.Context, r io.Reader, w io.Writer, p blake2btest.Port) error {
	done := make(chan error, 1)
	go func() { done <- serve(ctx, r, w, p) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func serve(ctx context.Context, r io.Reader, w io.Writer, p blake2btest.Port) error {
	out := bufio.NewWriterSize(w, 64<<10)
	in := bufio.NewReaderSize(input{r, out}, blake2btest.MaxLine+len("\r\n"))
	for ctx.Err() == nil {
		line, err := in.ReadSlice('\n')
		if len(line) > 0 {
			began := time.Now()
			text := bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'})
			if len(text) > blake2btest.MaxLine {
				fmt.Fprintf(out, "error line of more than %d bytes", blake2btest.MaxLine)
			} else {
				out.WriteString(answerLine(p, string(text)))
			}
			out.WriteByte('\n')
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = in.ReadSlice('\n') // the rest of the line
			}
			// An answer that took its time does not wait for the next.
			if time.Since(began) > time.Millisecond {
				out.Flush() // an error stays with out
			}
		}
		if err != nil {
			if flushed := out.Flush(); errors.Is(err, io.EOF) {
				return flushed
			}
			return err
		}
	}
	return ctx.Err()
}

// answerLine survives p.
func answerLine(p blake2btest.Port, line string) (answer string) {
	defer func() {
		if v := recover(); v != nil {
			answer = fmt.Sprintf("error panic: %+q", fmt.Sprint(v))
		}
	}()
	if line == "" {
		return "error empty line"
	}
	return blake2btest.AnswerLine(p, line)
}

// An input writes the answers out before it waits for more requests: so those
// that come one at a time are answered at once, and those that come in blocks
// in blocks.
type input struct {
	r   io.Reader
	out *bufio.Writer
}

func (in input) Read(b []byte) (int, error) {
	if err := in.out.Flush(); err != nil {
		return 0, err
	}
	return in.r.Read(b)
}
