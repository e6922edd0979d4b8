package scan

import "testing"

func mustNew(t testing.TB, opt Options) *Scanner {
	t.Helper()
	s, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
