package secret

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ken/internal/engine/source/secret/rules"
	"ken/internal/engine/source/secret/sample"
)

// ruleSample is a text a rule must match, or must not.
type ruleSample struct {
	sample.Sample
	rule string
}

// readSamples reads testdata/samples.txt. "rule ID KIND" begins the samples of a rule; what must be found must be a finding of it,
// with the bounds that are marked, and the rest must have no finding at all.
func readSamples(tb testing.TB) (list []ruleSample, kinds map[string]string) {
	tb.Helper()
	groups, err := sample.Read("testdata/samples.txt", 2)
	if err != nil {
		tb.Fatal(err)
	}
	kinds = map[string]string{}
	for _, g := range groups {
		if len(g.Words) != 3 || g.Words[0] != "rule" || kinds[g.Words[1]] != "" {
			tb.Fatalf("samples.txt:%d: %q", g.Line, g.Words)
		}
		kinds[g.Words[1]] = g.Words[2]
		for _, s := range g.Samples {
			list = append(list, ruleSample{s, g.Words[1]})
		}
	}
	return list, kinds
}

func TestSamples(t *testing.T) {
	list, kinds := readSamples(t)
	e := New()
	e.keys.Automaton() // so that what is found without it is compared
	good, bad := map[string]int{}, map[string]int{}
	for _, s := range list {
		found := e.Find(nil, s.Text)
		checkPromises(t, e, s.Text, found)
		if !s.Must {
			bad[s.rule]++
			for _, f := range found {
				t.Errorf("samples.txt:%d: %s finds %q in %q", s.Line, f.Rule, s.Text[f.Start:f.End], s.Text)
			}
			continue
		}
		good[s.rule]++
		hit := ""
		for _, f := range found {
			if f.Rule == s.rule && f.Kind == kinds[s.rule] {
				hit = f.Rule
			}
		}
		if hit == "" {
			t.Errorf("samples.txt:%d: %s does not find its sample %q (found: %v)", s.Line, s.rule, s.Text, names(found))
		}
		if got := spansOf(found); len(s.Spans) > 0 && !slices.Equal(got, s.Spans) {
			t.Errorf("samples.txt:%d: found at %v, marked at %v in %q", s.Line, got, s.Spans, s.Text)
		}
	}
	for _, r := range e.Rules()[1:] { // Unsearched has a test of its own
		if good[r.ID] == 0 || bad[r.ID] == 0 {
			t.Errorf("rule %s has %d samples that must match and %d that must not; each needs one", r.ID, good[r.ID], bad[r.ID])
		}
		if kinds[r.ID] != r.Kind {
			t.Errorf("rule %s is of kind %s, its samples say %s", r.ID, r.Kind, kinds[r.ID])
		}
		delete(kinds, r.ID)
	}
	for id := range kinds {
		t.Errorf("samples.txt has samples of %s, which is no rule", id)
	}
}

func spansOf(found []Finding) (out [][2]int) {
	for _, f := range found {
		out = append(out, [2]int{int(f.Start), int(f.End)})
	}
	return out
}

func names(found []Finding) string {
	var out []string
	for _, f := range found {
		out = append(out, fmt.Sprintf("%s[%d:%d]", f.Rule, f.Start, f.End))
	}
	return strings.Join(out, " ")
}

// TestKinds makes sure the seed's six kinds are all found, and that the vendors' formats are as many as promised.
func TestKinds(t *testing.T) {
	kinds, vendors := map[string]int{}, 0
	for _, r := range New().Rules()[1:] { // the first is Unsearched
		kinds[r.Kind]++
		if !strings.HasPrefix(r.ID, "generic-") {
			vendors++
		}
	}
	for _, k := range []string{rules.KindAPIKey, rules.KindPrivateKey, rules.KindPassword, rules.KindToken, rules.KindSecret, rules.KindCredential} {
		if kinds[k] == 0 {
			t.Errorf("no rule is of kind %s", k)
		}
	}
	if len(kinds) != 6 || vendors < 80 {
		t.Errorf("%d kinds, %d formats", len(kinds), vendors)
	}
}

// FuzzFind holds any text against what Find and Mask promise.
func FuzzFind(f *testing.F) {
	list, _ := readSamples(f)
	for _, s := range list {
		f.Add(s.Text)
	}
	f.Add([]byte("-----BEGIN RSA PRIVATE KEY-----\nMIIE"))
	f.Add([]byte("\x00\xff://:@\n\"'`=:pw=password token\\"))
	e := New()
	e.keys.Automaton()
	f.Fuzz(func(t *testing.T, text []byte) {
		found := e.Find(nil, text)
		checkPromises(t, e, text, found)
	})
}
