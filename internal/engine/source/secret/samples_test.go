package secret

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// sample is a text a rule must match, or must not.
type sample struct {
	rule string
	must bool
	text []byte
	line int
}

// readSamples reads testdata/samples.txt. "rule ID KIND" begins the samples of a rule; "+ TEXT" must give a finding of it, "- TEXT"
// no finding at all. In TEXT, {{a-f0-9*40}} means forty random characters of that set, so that the file holds nothing that
// looks like a secret; \n is a line end, \\ a backslash. The random characters depend on rule and text alone.
func readSamples(tb testing.TB) (list []sample, kinds map[string]string) {
	tb.Helper()
	data, err := os.ReadFile("testdata/samples.txt")
	if err != nil {
		tb.Fatal(err)
	}
	kinds = map[string]string{}
	rule := ""
	for i, line := range strings.Split(string(data), "\n") {
		switch {
		case line == "" || line[0] == '#':
		case strings.HasPrefix(line, "rule "):
			f := strings.Fields(line)
			if len(f) != 3 || kinds[f[1]] != "" {
				tb.Fatalf("samples.txt:%d: %q", i+1, line)
			}
			rule = f[1]
			kinds[rule] = f[2]
		case strings.HasPrefix(line, "+ "), strings.HasPrefix(line, "- "):
			list = append(list, sample{rule, line[0] == '+', expand(tb, rule, line[2:]), i + 1})
		default:
			tb.Fatalf("samples.txt:%d: %q", i+1, line)
		}
	}
	return list, kinds
}

// expand fills in a sample's random characters.
func expand(tb testing.TB, rule, text string) []byte {
	tb.Helper()
	h := fnv.New64a()
	h.Write([]byte(rule + "\x00" + text))
	rnd := rand.New(rand.NewPCG(h.Sum64(), 1))
	var out []byte
	for i := 0; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], "{{"):
			end := strings.Index(text[i:], "}}")
			star := strings.LastIndexByte(text[i:i+max(end, 0)], '*')
			if end < 0 || star < 0 {
				tb.Fatalf("%s: a pattern in %q has no end", rule, text)
			}
			n, err := strconv.Atoi(text[i+star+1 : i+end])
			if err != nil {
				tb.Fatal(err)
			}
			out = append(out, randomOf(rnd, alphabet(text[i+2:i+star]), n)...)
			i += end + 1
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == 'n':
			out = append(out, '\n')
			i++
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == '\\':
			out = append(out, '\\')
			i++
		default:
			out = append(out, text[i])
		}
	}
	return out
}

// alphabet lists the characters of a set such as "a-f0-9_".
func alphabet(set string) string {
	var b strings.Builder
	for i := 0; i < len(set); i++ {
		if i+2 < len(set) && set[i+1] == '-' {
			for c := set[i]; c <= set[i+2]; c++ {
				b.WriteByte(c)
			}
			i += 2
			continue
		}
		b.WriteByte(set[i])
	}
	return b.String()
}

// randomOf is n random characters, never one thrice in a row nor a stretch that counts up: that would be filler by chance.
func randomOf(rnd *rand.Rand, set string, n int) []byte {
	out := make([]byte, 0, n)
	for len(out) < n {
		c := set[rnd.IntN(len(set))]
		if k := len(out); len(set) > 3 && k > 0 && (c == out[k-1] || c == out[k-1]+1 || c == out[k-1]-1) {
			continue
		}
		out = append(out, c)
	}
	return out
}

func TestSamples(t *testing.T) {
	list, kinds := readSamples(t)
	e := New()
	good, bad := map[string]int{}, map[string]int{}
	for _, s := range list {
		found := e.Find(nil, s.text)
		checkPromises(t, e, s.text, found)
		if !s.must {
			bad[s.rule]++
			for _, f := range found {
				t.Errorf("samples.txt:%d: %s finds %q in %q", s.line, f.Rule, s.text[f.Start:f.End], s.text)
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
			t.Errorf("samples.txt:%d: %s does not find its sample %q (found: %v)", s.line, s.rule, s.text, names(found))
		}
	}
	for _, r := range e.Rules() {
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
	for _, r := range New().Rules() {
		kinds[r.Kind]++
		if !strings.HasPrefix(r.ID, "generic-") {
			vendors++
		}
	}
	for _, k := range []string{KindAPIKey, KindPrivateKey, KindPassword, KindToken, KindSecret, KindCredential} {
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
		f.Add(s.text)
	}
	f.Add([]byte("-----BEGIN RSA PRIVATE KEY-----\nMIIE"))
	f.Add([]byte("\x00\xff://:@\n\"'`=:pw=password token\\"))
	e := New()
	f.Fuzz(func(t *testing.T, text []byte) {
		found := e.Find(nil, text)
		checkPromises(t, e, text, found)
	})
}
