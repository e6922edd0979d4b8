package secret

import (
	"bytes"
	"strings"
	"testing"
)

// TestBudget: a large text of keywords is searched up to a line, and the rest is one finding, so that nothing of it is shown and nobody
// takes it for clean. One that is held whole, or has keywords as data has them, is searched to its end.
func TestBudget(t *testing.T) {
	e := New()
	hostile := strings.Repeat(strings.Repeat("password=", 40)+"\n", 6<<10)
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"hostile", hostile, true},
		{"passwords", strings.Repeat("password=x1Yz9QpLm2\n", 200_000), true},
		{"passwords that are held whole", strings.Repeat("password=x1Yz9QpLm2\n", 35_000), false},
		{"values that are refused", strings.Repeat("password=changeme\n", 200_000), true},
		{"logins that are refused", strings.Repeat("auth=changeme\n", 1_000_000), true},
		{"manifests", strings.Repeat("kind: Secret\nstringData: some\n", 200_000), true},
		{"hostile and held whole", hostile[:500_000], true},
		{"a little of it", hostile[:100_000], false},
		{"a list of keys", strings.Repeat("{\"key\": \"a1\", \"value\": \"some text of a few words\"},\n", 30_000), false},
		{"code", strings.Repeat("if err := store.Put(ctx, key, value); err != nil {\n\treturn err\n}\n", 40_000), false},
	} {
		text := []byte(c.text)
		found := e.Find(nil, text)
		isUnsearched := len(found) > 0 && found[len(found)-1].Rule == Unsearched
		if isUnsearched != c.want {
			t.Errorf("%s: unsearched: %v", c.name, isUnsearched)
		}
		if !isUnsearched {
			continue
		}
		var last Finding
		if err := e.FindIn(strings.NewReader(c.text), func(f Finding, _ []byte, _, _ int) { last = f }); err != nil || last.Rule != Unsearched {
			t.Errorf("%s, read in windows: %+v, %v", c.name, last, err)
		}
		rest := found[len(found)-1]
		if int(rest.End) != len(text) || rest.Column != 1 || rest.Line == 1 {
			t.Errorf("%s: %+v", c.name, rest)
		}
		e.MaskAll(nil, text, nil)
		if left := bytes.Trim(text[rest.Start:], "x\n"); len(left) > 0 {
			t.Errorf("%s: %.20q is left", c.name, left)
		}
	}
}
