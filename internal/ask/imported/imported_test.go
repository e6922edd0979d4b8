package imported

import "testing"

func TestStatement(t *testing.T) {
	for text, want := range map[string]string{
		"import a\nb":                  "import a",
		"import {\n a,\n} from 'b'\nc": "import {\n a,\n} from 'b'",
		"use a; b":                     "use a",
		"from a import \\\n b\nc":      "from a import \\\n b",
		"a {":                          "a {",
	} {
		if got := text[:statement([]byte(text))]; got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
