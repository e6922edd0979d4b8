package secret

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/engine/source/secret/sample"
)

// TestFindIn holds the findings of a text read in windows against those of the text as a whole, with values at every distance
// from the seams.
func TestFindIn(t *testing.T) {
	groups, err := sample.Read("testdata/samples.txt", 2)
	if err != nil {
		t.Fatal(err)
	}
	var list []sample.Sample
	for _, g := range groups {
		list = append(list, g.Samples...)
	}
	var text []byte
	for i := 0; len(text) < 3*windowSize; i++ {
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
	err = e.FindIn(bytes.NewReader(text), func(f Finding, window []byte, lo, hi int) {
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
	if err := e.FindIn(bytes.NewReader(append([]byte{0}, text...)), func(f Finding, _ []byte, _, _ int) { got = append(got, f) }); err != nil || len(got) > 0 {
		t.Errorf("binary: %d findings, %v", len(got), err)
	}
}
