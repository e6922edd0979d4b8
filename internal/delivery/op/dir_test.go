package op

import "testing"

func TestCommonDir(t *testing.T) {
	for want, list := range map[string][]string{
		"a/b": {"a/b/x", "a/b/c/y"},
		"a":   {"a/b/x", "a/bc/y"},
		".":   {"a/x", "b/y"},
	} {
		if got := commonDir(fileNames(list)); got != want {
			t.Errorf("%v: got %s, want %s", list, got, want)
		}
	}
}
