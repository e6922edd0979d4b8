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

func TestTakenFrom(t *testing.T) {
	for text, want := range map[string]int{
		"var x = require('./m').x":       23,
		"const { x } = require('./m')":   0,
		"var x = require('./m').xx":      0,
		"import { x } from './m'":        0,
		"from x import x":                7,
		"f().y, x = require('./m').x, y": 26,
	} {
		if got := takenFrom([]byte(text), 0, "x"); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
