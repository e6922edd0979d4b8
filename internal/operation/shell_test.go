package operation

import (
	"slices"
	"strings"
	"testing"
)

func TestShellWords(t *testing.T) {
	for command, want := range map[string][]string{
		"":                                   nil,
		"  plan  waves 02 ":                  {"plan", "waves", "02"},
		"plan commit 'docs: begin the plan'": {"plan", "commit", "docs: begin the plan"},
		`say "it's" a\ b`:                    {"say", "it's", "a b"},
		"add '' ''":                          {"add", "", ""},
		"open 'and never closed":             {"open", "and never closed"},
	} {
		if got := ShellWords(command); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
	for _, words := range [][]string{{"plain"}, {"it's", "a b", `back\slash "quoted"`}, {"", "x", "''"}, {"für ein Wort", "a;b", "$HOME"}} {
		var quoted []string
		for _, w := range words {
			quoted = append(quoted, ShellWord(w))
		}
		if got := ShellWords(strings.Join(quoted, " ")); !slices.Equal(got, words) {
			t.Errorf("%q is read as %q", words, got)
		}
	}
}
