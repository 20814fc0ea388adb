package subprocess_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"blake2btest"
	"blake2btest/subprocess"
	"blake2btest/variants"
)

// Variables that make the test binary a program to be tested: which of the
// programs below, and the file that it notes its process number in.
const (
	programVar = "BLAKE2BTEST_PROGRAM"
	pidsVar    = "BLAKE2BTEST_PIDS"
)

func TestMain(m *testing.M) {
	name := os.Getenv(programVar)
	if name == "" {
		os.Exit(m.Run())
	}
	if file := os.Getenv(pidsVar); file != "" {
		f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(f, os.Getpid())
		f.Close()
	}
	programs[name]()
}

// The test binary is all programs.
func program(t testing.TB, name string) *exec.Cmd {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	// With the race detector, a program would take a second to exit.
	cmd.Env = append(os.Environ(), programVar+"="+name, "GORACE=atexit_sleep_ms=0")
	return cmd
}

// rolled answers everything rightly.
var rolled = blake2btest.Over(variants.All[0])

// programs are right, and wrong in many ways. Those made by on are wrong on the
// request that is bad, and only then.
var programs = map[string]func(){
	"right": func() { subprocess.Serve(context.Background(), os.Stdin, os.Stdout, rolled) },
	"crlf":  func() { answer(func(line string) string { return right(line) + "\r" }) },
	"slow": func() {
		answer(func(line string) string {
			if line == bad {
				time.Sleep(200 * time.Millisecond)
			}
			return right(line)
		})
	},
	"slow-start": func() {
		time.Sleep(800 * time.Millisecond)
		subprocess.Serve(context.Background(), os.Stdin, os.Stdout, rolled)
	},
	// Answers that come in blocks only, when no more requests are waiting.
	"slow-block": func() {
		in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			if strings.HasPrefix(line, "sum size=32") {
				time.Sleep(20 * time.Millisecond)
			}
			fmt.Fprintln(out, right(strings.TrimSuffix(line, "\n")))
			if in.Buffered() == 0 {
				out.Flush()
			}
		}
	},

	"crash": on(func(string) {
		fmt.Fprintln(os.Stderr, "this is the end")
		os.Exit(3)
	}),
	"panic":  on(func(string) { panic("no such block") }),
	"exit-0": on(func(string) { os.Exit(0) }),
	"exit-0-answered": on(func(line string) {
		fmt.Println(right(line))
		os.Exit(0)
	}),
	// A crash that loses the answers to the requests before it.
	"crash-block": func() {
		subprocess.Serve(context.Background(), os.Stdin, os.Stdout, crasher{rolled})
	},
	// A crash that does not happen to a request that comes alone.
	"crash-ahead": func() {
		in := bufio.NewReader(os.Stdin)
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			if line == bad+"\n" && in.Buffered() > len(bad+"\nabout\n") {
				os.Exit(5)
			}
			fmt.Println(right(strings.TrimSuffix(line, "\n")))
		}
	},
	"hang": on(func(string) { time.Sleep(time.Hour) }),
	"hang-ignoring-term": on(func(string) {
		signal.Ignore(syscall.SIGTERM)
		time.Sleep(time.Hour)
	}),
	"close-stdout": on(func(string) {
		os.Stdout.Close()
		time.Sleep(time.Hour)
	}),
	"child-holds-pipes": on(func(string) {
		child("sleep").Start()
		os.Exit(0)
	}),
	"child-holds-pipes-hang": on(func(string) {
		child("sleep").Start()
		time.Sleep(time.Hour)
	}),
	"sleep": func() {
		signal.Ignore(syscall.SIGTERM)
		time.Sleep(time.Hour)
	},

	"twice":      on(func(line string) { fmt.Printf("%[1]s\n%[1]s\n", right(line)) }),
	"not-at-all": on(func(string) {}),
	"twice-late": on(func(line string) {
		fmt.Println(right(line))
		go func() {
			time.Sleep(50 * time.Millisecond)
			fmt.Println(right(line))
		}()
	}),
	"rubbish":      on(func(string) { fmt.Println("Segmentation fault") }),
	"empty-line":   on(func(string) { fmt.Println() }),
	"nul":          on(func(line string) { fmt.Println(strings.Repeat("\x00", len(right(line)))) }),
	"nul-in-hex":   on(func(line string) { fmt.Println("ok \x00" + right(line)[4:]) }),
	"upper-case":   on(func(line string) { fmt.Println("ok" + strings.ToUpper(right(line)[2:])) }),
	"short-digest": on(func(line string) { fmt.Println(right(line)[:len("ok ")+62]) }),
	"odd-digits":   on(func(line string) { fmt.Println(right(line)[:len("ok ")+63]) }),
	"extra-digest": on(func(line string) { fmt.Println(right(line) + right(line)[2:]) }),
	"no-digest":    on(func(line string) { fmt.Println("ok") }),
	"about-digest": on(func(line string) { fmt.Println(right("about")) }),
	"partial-line": on(func(line string) {
		fmt.Print(right(line)[:10])
		time.Sleep(time.Hour)
	}),
	"partial-line-crash": on(func(line string) {
		fmt.Print(right(line)[:10])
		os.Exit(1)
	}),
	"endless-line": on(func(string) {
		for {
			os.Stdout.Write(bytes.Repeat([]byte("ab"), 1<<15))
		}
	}),
	"dribble": on(func(string) {
		for {
			fmt.Print("a")
			time.Sleep(20 * time.Millisecond)
		}
	}),
	"endless-lines": on(func(line string) {
		for {
			fmt.Println(right(line))
		}
	}),
	"flood-stderr": on(func(line string) {
		for {
			fmt.Fprintln(os.Stderr, strings.Repeat("help ", 100))
		}
	}),
	"flood-stderr-right": func() {
		go func() {
			for {
				fmt.Fprintln(os.Stderr, strings.Repeat("help ", 100))
			}
		}()
		answer(right)
	},

	// Wrong from the beginning.
	"exit-at-once":  func() { fmt.Fprintln(os.Stderr, "no licence"); os.Exit(0) },
	"silent":        func() { time.Sleep(time.Hour) },
	"deaf":          func() { os.Stdin.Close(); time.Sleep(time.Hour) },
	"banner":        func() { fmt.Println("Welcome to BLAKE 2000!"); answer(right) },
	"always-twice":  func() { answer(func(line string) string { return right(line) + "\n" + right(line) }) },
	"all-ok":        func() { answer(func(line string) string { return with(line, "about", "ok") }) },
	"ignores-keys":  func() { answer(func(line string) string { return right(strings.ReplaceAll(line, " color=00", "")) }) },
	"ignores-steps": func() { answer(func(line string) string { return right(strings.TrimSuffix(line, " turn")) }) },
	"no-about":      func() { answer(func(line string) string { return with(line, "hash", "unsupported") }) },
	"protocol-2": func() {
		answer(func(line string) string { return strings.ReplaceAll(right(line), "protocol=1", "protocol=2") })
	},
	"one-line-a-read": oneLineARead,
	"one-answer-a-run": func() {
		line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
		fmt.Println(right(strings.TrimSpace(line)))
	},

	// Wrong at the end, or always the same way.
	"always-crash": func() {
		answer(func(line string) string {
			if strings.Contains(line, "6161") {
				os.Exit(1)
			}
			return right(line)
		})
	},
	"lenient": func() {
		answer(func(line string) string {
			switch {
			case line == "about":
				return "ok protocol=1"
			case strings.HasPrefix(line, "hash"), strings.Contains(line, "turn"):
				return "error what?"
			case line == "sum size=1":
				return "error"
			case line == "sum size=2":
				return "unsupported"
			}
			return right(strings.Replace(line, "size=64 size=64", "size=64", 1))
		})
	},
	"ignores-options": func() {
		answer(func(line string) string {
			return right(strings.ReplaceAll(line, " salt=101112131415161718191a1b1c1d1e1f", ""))
		})
	},
	"crash-on-tree": func() {
		answer(func(line string) string {
			if strings.Contains(line, "tree=256") {
				os.Exit(1)
			}
			return right(line)
		})
	},
	"afterword":  func() { answer(right); fmt.Println("good bye") },
	"bad-status": func() { answer(right); os.Exit(4) },
	"stays":      func() { answer(right); time.Sleep(time.Hour) },
}

// bad is the request that on waits for.
const bad = "sum size=32 : baad"

type crasher struct{ blake2btest.Port }

func (p crasher) Answer(c blake2btest.Case) ([]byte, error) {
	if c.String() == bad {
		fmt.Fprintln(os.Stderr, "this is the end")
		os.Exit(3)
	}
	return p.Port.Answer(c)
}

func (p crasher) About() (name, version string) { return "crasher", "1" }

// right is the right answer to a line.
func right(line string) string { return blake2btest.AnswerLine(rolled, line) }

// with is the answer to all lines but one, to which it is right.
func with(line, except, answer string) string {
	if strings.HasPrefix(line, except) {
		return right(line)
	}
	return answer
}

// lines calls f for each line, to the end of the input.
func lines(f func(line string)) {
	in := bufio.NewReaderSize(os.Stdin, blake2btest.MaxLine+1)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		f(strings.TrimSuffix(line, "\n"))
	}
}

// answer is the plainest program: one answer, one write.
func answer(f func(line string) string) {
	lines(func(line string) { fmt.Println(f(line)) })
}

// on makes a program that is right until it is asked what is bad.
func on(misbehave func(line string)) func() {
	return func() {
		lines(func(line string) {
			if line == bad {
				misbehave(line)
				return
			}
			fmt.Println(right(line))
		})
	}
}

// child is a program that has the pipes of this one.
func child(name string) *exec.Cmd {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), programVar+"="+name)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd
}

// oneLineARead takes what one read gives for one line.
func oneLineARead() {
	b := make([]byte, 4096)
	for {
		n, err := os.Stdin.Read(b)
		if err == io.EOF {
			return
		}
		line, _, _ := strings.Cut(string(b[:n]), "\n")
		fmt.Println(right(line))
	}
}
