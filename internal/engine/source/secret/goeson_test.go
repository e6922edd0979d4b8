package secret

import (
	"strings"
	"testing"

	"ken/internal/engine/source/secret/rules"
)

// TestTokenGoesOn makes sure that no format is found in a longer word: each sample of a format, with more letters and digits behind it,
// is none of it, or is found whole.
func TestTokenGoesOn(t *testing.T) {
	e := New()
	isToken := map[string]bool{}
	for _, r := range rules.Vendors() {
		isToken[r.ID] = r.Form == rules.FormToken && r.ID != "vendor-key-beside"
	}
	list, _ := readSamples(t)
	for _, s := range list {
		if !s.Must || !isToken[s.rule] || len(s.Spans) != 1 || strings.Contains(s.Raw, "{{base64(") {
			continue
		}
		end := s.Spans[0][1]
		for _, more := range []string{"_280", "x7", "7"} {
			text := append(append([]byte(string(s.Text[:end])), more...), s.Text[end:]...)
			for _, f := range e.Find(nil, text) {
				if f.Rule == s.rule && int(f.End) == end {
					t.Errorf("samples.txt:%d: %s finds %q in %q", s.Line, f.Rule, text[f.Start:f.End], text)
				}
			}
		}
	}
}
