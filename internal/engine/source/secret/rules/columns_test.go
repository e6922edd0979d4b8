package rules

import (
	"slices"
	"strings"
	"testing"
)

func TestColumns(t *testing.T) {
	for _, c := range []struct{ name, text, key, want string }{
		{"commas", "user,password,city\nann,k4Fz9pXw,Bern\nbob,m2Vb7qRt,Lund\n", "password", "k4Fz9pXw m2Vb7qRt"},
		{"quotes", "\"user\",\"password\"\n\"an\"\"n\",\"k4Fz9pXw\"\n", "password", "k4Fz9pXw"},
		{"tabs and line ends of Windows", "name\tapi_key\r\nann\tx3k9v2q8w7z1m4p6\r\n", "api_key", "x3k9v2q8w7z1m4p6"},
		{"a mark of the byte order", "\ufeffuser;password\nann;k4Fz9pXw\n", "password", "k4Fz9pXw"},
		{"below an empty line", "logins\n\nuser,password\nann,k4Fz9pXw\n", "password", "k4Fz9pXw"},
		{"in a block of Markdown", "```\nuser,password\nann,k4Fz9pXw\n```\n", "password", "k4Fz9pXw"},
		{"a name of words", "Key ID,Secret access key\nx1,x3k9v2q8w7z1m4p6\n", "access key", "x3k9v2q8w7z1m4p6"},
		{"until a row that is none", "user,password\nann,k4Fz9pXw\nthe end\nbob,m2Vb7qRt\n", "password", "k4Fz9pXw"},

		{"one column", "password\nk4Fz9pXw\n", "password", ""},
		{"not the first row", "ann,k4Fz9pXw\nuser,password\nbob,m2Vb7qRt\n", "password", ""},
		{"another column", "user,password_hint\nann,k4Fz9pXw\n", "password", ""},
		{"code", "f(user, password)\ng(ann, k4Fz9pXw)\n", "password", ""},
		{"words", "user,password\nann,password\n", "password", ""},
	} {
		at := strings.Index(strings.ToLower(c.text), c.key)
		text, lo, hi := []byte(c.text), at, at+len(c.key)
		var got []string
		if isCell(text, lo, hi) {
			scanColumn(text, lo, hi, func(start, end int) { got = append(got, c.text[start:end]) })
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: found %q, want %q", c.name, got, c.want)
		}
	}
}

// TestColumnKeys makes sure that each keyword is in the name of a column whose values are looked at.
func TestColumnKeys(t *testing.T) {
	for _, key := range columnKeys[:] {
		text := []byte("user," + key + "\nann,x3K9v2q8w7Z1m4p6\n")
		n := 0
		scanColumn(text, len("user,"), len("user,")+len(key), func(_, _ int) { n++ })
		if n != 1 {
			t.Errorf("%q: %d values", key, n)
		}
	}
	keys := columnKeys[:]
	if len(slices.Compact(slices.Sorted(slices.Values(keys)))) != len(keys) {
		t.Error("a keyword is listed twice")
	}
}
