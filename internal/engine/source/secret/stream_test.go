package secret

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/engine/source/secret/sample"
)

// TestFindReader holds the findings of a text read in windows against those of the text as a whole, with values at every distance
// from the seams.
func TestFindReader(t *testing.T) {
	list, _ := readSamples(t)
	var text []byte
	for i := 0; len(text) < 3*streamWindow; i++ {
		text = append(text, list[i%len(list)].Text...)
		text = append(text, "\n\n"...)
		for range i % 40 {
			text = append(text, "what is between is of no interest; "...)
		}
		text = append(text, '\n')
	}
	e := New()
	want := e.Find(nil, text)
	var got []Finding
	err := e.FindReader(bytes.NewReader(text), func(f Finding, window []byte, lo, hi int) {
		got = append(got, f)
		if !bytes.Equal(window[lo:hi], text[f.Start:f.End]) {
			t.Errorf("%s at %d: the window shows %q", f.Rule, f.Start, window[lo:hi])
		}
	})
	if err != nil || len(want) < 1000 {
		t.Fatalf("%d findings, %v", len(want), err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("windows find other things (-whole +windows):\n%.3000s", diff)
	}
	got = got[:0]
	if err := e.FindReader(bytes.NewReader(append([]byte{0}, text...)), func(f Finding, _ []byte, _, _ int) { got = append(got, f) }); err != nil || len(got) > 0 {
		t.Errorf("binary: %d findings, %v", len(got), err)
	}
}

// TestJoined splits values over literals in the ways of several languages: nothing of the value may stay.
func TestJoined(t *testing.T) {
	e := New()
	for _, c := range []string{
		"t = \"ghp_\" + \"%s\"",
		"t := \"ghp_\" +\n\t\t\"%s\"",
		"$t = 'ghp_' . '%s';",
		"t = (\"ghp_\"\n     \"%s\")",
		"auth_token = \"a81\" + \"%s\"",
		"password = \"Xq7\" + \"%s\"",
	} {
		for _, cut := range []int{1, 9, 20} {
			text, _, _ := sample.Expand(c, "{{A-Za-z0-9*36}}")
			value := string(text)
			before, after, _ := bytes.Cut([]byte(c), []byte("%s"))
			quote := "\""
			if bytes.Contains(before, []byte("'")) {
				quote = "'"
			}
			joint := quote + " + " + quote
			if bytes.Contains(before, []byte("' . '")) {
				joint = "' . '"
			}
			text = append(bytes.Clone(before), value[:cut]+joint+value[cut:]...)
			text = append(text, after...)
			found := e.Find(nil, text)
			checkPromises(t, e, text, found)
			masked := bytes.Clone(text)
			Mask(masked, found)
			if bytes.Contains(masked, []byte(value[cut:])) || bytes.Count(masked, []byte(quote)) != bytes.Count(text, []byte(quote)) {
				t.Errorf("%q is masked as %q", text, masked)
			}
		}
	}
}
