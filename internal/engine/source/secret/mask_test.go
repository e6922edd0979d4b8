package secret

import "testing"

// TestMaskedCode compares masked code with what must stay of it, so that it still parses.
func TestMaskedCode(t *testing.T) {
	for text, want := range map[string]string{
		"f(\"machine example.com login ci password sesam\\n\")\n": "f(\"machine example.com login ci password xxxxxxx\")\n",
		"f('machine example.com login ci password sesam')\n":      "f('machine example.com login ci password xxxxx')\n",
		"key := []byte{\n\t39, 156, 136, 85, 44, 13, 73, 133,\n\t53, 33, 241, 130, 175, 21, 67, 162,\n}\n": "key := []byte{\n" +
			"\txxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx,\n\txxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx,\n}\n",
	} {
		got := []byte(text)
		Mask(got, New().Find(nil, got))
		if string(got) != want {
			t.Errorf("masked %q\n   got %q\n  want %q", text, got, want)
		}
	}
}
