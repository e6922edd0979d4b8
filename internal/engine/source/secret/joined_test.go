package secret

import (
	"bytes"
	"testing"

	"ken/internal/engine/source/secret/sample"
)

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
