package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

func TestAskOn(t *testing.T) {
	for reply, want := range map[string]bool{"y\n": true, " YES \n": true, "\n": false, "": false, "no\n": false, "yy\n": false, strings.Repeat("y", 1<<20): false} {
		var out strings.Builder
		in := bufio.NewReaderSize(strings.NewReader(reply), maxReply)
		got, err := confirm(func(q string) (string, error) { return ask(t.Context(), &out, in, q) }, "install?")
		if err != nil || got != want || out.String() != "install? [y/N] " {
			t.Errorf("%.10q: %v %v %q", reply, got, err, out.String())
		}
	}
}

// TestAskIsInterrupted: an interrupt ends a question without an answer.
func TestAskIsInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	never, end := io.Pipe()
	defer end.Close()
	stop()
	if _, err := ask(ctx, io.Discard, bufio.NewReader(never), "name?"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestSeveralQuestions: what is typed ahead answers the next question.
func TestSeveralQuestions(t *testing.T) {
	in := bufio.NewReaderSize(strings.NewReader(" one \ntwo\n"), maxReply)
	for _, want := range []string{"one", "two", ""} {
		if got, err := ask(t.Context(), io.Discard, in, "?"); err != nil || got != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
}

// TestNobodyToAsk: where no terminal is, nobody is asked.
func TestNobodyToAsk(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, c := range []Command{{Stdin: strings.NewReader("y\n"), Stderr: os.Stderr}, {Stdin: null, Stderr: null}} {
		if c.askFunc(t.Context()) != nil {
			t.Errorf("%T is asked", c.Stdin)
		}
	}
}
