package gotypes

import "testing"

// TestWithoutLiterals: what a type error quotes of the source may be a secret.
func TestWithoutLiterals(t *testing.T) {
	for in, want := range map[string]string{
		`a.go:12: cannot use "hunter2" (untyped string constant) as int value in x`: `a.go:12: cannot use … (untyped string constant) as int value in x`,
		"undefined: y":                            "undefined: y",
		"expected ';', found 'EOF'":               "expected ';', found …",
		"bad `raw\\`, then \"a\\\"b\" and 'cdef":  "bad …, then … and …",
		"cannot use 1234567890 (untyped) as int8": "cannot use … (untyped) as int8",
		"\"never closed":                          "…",
		"":                                        "",
		"constant 300 overflows byte, \"abc\\":    "constant 300 overflows byte, …",
	} {
		if got := withoutLiterals(in); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}
