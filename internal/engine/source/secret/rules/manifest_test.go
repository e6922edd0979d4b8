package rules

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// manifestValues are the values that Values finds in a text, in the order of their places.
func manifestValues(text string) (out []string) {
	var spans [][2]int
	low := bytes.ToLower([]byte(text))
	for _, key := range manifestKinds[:] {
		for from := 0; ; {
			i := bytes.Index(low[from:], []byte(key))
			if i < 0 {
				break
			}
			from += i + len(key)
			scanManifest([]byte(text), from-len(key), from, func(start, end int) { spans = append(spans, [2]int{start, end}) })
		}
	}
	slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	for _, s := range slices.Compact(spans) {
		out = append(out, text[s[0]:s[1]])
	}
	return out
}

func TestManifest(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"data and stringData", "kind: Secret\ndata:\n  a: Y2Ftb21pbGU=\nstringData:\n  b: camomile\n", "Y2Ftb21pbGU= camomile"},
		{"data above the kind", "apiVersion: v1\ndata:\n  a: Y2Ftb21pbGU=\nkind: Secret\n", "Y2Ftb21pbGU="},
		{"small letters", "kind: secret\ndata:\n  a: Y2Ftb21pbGU=\n", "Y2Ftb21pbGU="},
		{"in quotes", "kind: \"Secret\"\ndata:\n  \"a\": \"Y2Ftb21pbGU=\"\n", "Y2Ftb21pbGU="},
		{"a block", "kind: Secret\nstringData:\n  a: |\n    camomile tea\nmetadata:\n  name: b\n", "camomile tea"},
		{"an item of a list", "items:\n- kind: Secret\n  stringData:\n    a: camomile\n- kind: ConfigMap\n  data:\n    b: chamomile\n", "camomile"},
		{"JSON", `{"kind":"Secret","metadata":{"name":"b"},"stringData":{"a":"camomile"}}`, "camomile"},
		{"JSON in a string", `"{\"kind\":\"Secret\",\"stringData\":{\"a\":\"camomile\"}}"`, "camomile"},
		{"Python", `{'kind': 'Secret', 'stringData': {'a': 'camomile'}}`, "camomile"},

		{"another kind", "kind: ConfigMap\ndata:\n  a: camomile\n", ""},
		{"a longer kind", "kind: SecretStore\ndata:\n  a: Y2Ftb21pbGU=\n", ""},
		{"another document", "kind: Secret\n---\nkind: ConfigMap\nstringData:\n  a: camomile\n", ""},
		{"metadata", "kind: Secret\nmetadata:\n  name: camomile\n", ""},
		{"a template", "kind: Secret\nstringData:\n  a: {{ .Values.a }}\n  b: \"${B}\"\n", ""},
		{"short", "kind: Secret\ndata:\n  a: YmFyCg==\n", ""},
		{"a certificate", "kind: Secret\nstringData:\n  a: |\n    -----BEGIN CERTIFICATE-----\n    Y2Ftb21pbGU=\n", ""},
		{"empty", "kind: Secret\nstringData:\n  a: \"\"\n  b:\n", ""},
	} {
		if got := strings.Join(manifestValues(c.text), " "); got != c.want {
			t.Errorf("%s: found %q, want %q in\n%s", c.name, got, c.want, c.text)
		}
	}
}
