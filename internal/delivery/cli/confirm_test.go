package cli

import (
	"os"
	"strings"
	"testing"
)

func TestAskOn(t *testing.T) {
	for reply, want := range map[string]bool{"y\n": true, " YES \n": true, "\n": false, "": false, "no\n": false, "yy\n": false, strings.Repeat("y", 1<<20): false} {
		var out strings.Builder
		got, err := askYesNo(&out, strings.NewReader(reply), "install?")
		if err != nil || got != want || out.String() != "install? [y/N] " {
			t.Errorf("%.10q: %v %v %q", reply, got, err, out.String())
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
		if c.confirmFunc() != nil {
			t.Errorf("%T is asked", c.Stdin)
		}
	}
}
