package ignore

import (
	"strings"
	"testing"
	"time"
)

// TestWildmatch is a selection of git's t3070-wildmatch: pattern, text, whether
// it matches with slashes kept apart and without.
func TestWildmatch(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		path, plain   bool
	}{
		{"foo", "foo", true, true}, {"bar", "foo", false, false}, {"", "", true, true}, {"???", "foo", true, true}, {"??", "foo", false, false},
		{"*", "foo", true, true}, {"f*", "foo", true, true}, {"*f", "foo", false, false}, {"*foo*", "foo", true, true}, {"*ob*a*r*", "foobar", true, true},
		{"*ab", "aaaaaaabababab", true, true}, {`foo\*`, "foo*", true, true}, {`foo\*bar`, "foobar", false, false}, {`f\\oo`, `f\oo`, true, true},
		{"*[al]?", "ball", true, true}, {"[ten]", "ten", false, false}, {"**[!te]", "ten", true, true}, {"**[!ten]", "ten", false, false},
		{"t[a-g]n", "ten", true, true}, {"t[!a-g]n", "ten", false, false}, {"t[!a-g]n", "ton", true, true}, {"t[^a-g]n", "ton", true, true},
		{"a[]]b", "a]b", true, true}, {"a[]-]b", "a-b", true, true}, {"a[]a-]b", "aab", true, true}, {"]", "]", true, true},
		{"foo*bar", "foo/baz/bar", false, true}, {"foo**bar", "foo/baz/bar", false, true}, {"foo**bar", "foobazbar", true, true},
		{"foo/**/bar", "foo/baz/bar", true, true}, {"foo/**/**/bar", "foo/baz/bar", true, false}, {"foo/**/bar", "foo/b/a/z/bar", true, true},
		{"foo/**/bar", "foo/bar", true, false}, {"foo/**/**/bar", "foo/bar", true, false}, {"foo?bar", "foo/bar", false, true}, {"foo[/]bar", "foo/bar", false, true},
		{"foo[^a-z]bar", "foo/bar", false, true}, {"f[^eiu][^eiu][^eiu][^eiu][^eiu]r", "foo/bar", false, true}, {"f[^eiu][^eiu][^eiu][^eiu][^eiu]r", "foo-bar", true, true},
		{"**/foo", "foo", true, false}, {"**/foo", "XXX/foo", true, true}, {"**/foo", "bar/baz/foo", true, true}, {"*/foo", "bar/baz/foo", false, true},
		{"**/bar*", "foo/bar/baz", false, true}, {"**/bar/*", "deep/foo/bar/baz", true, true}, {"**/bar/*", "deep/foo/bar/baz/", false, true}, {"**/bar/**", "deep/foo/bar/baz/", true, true},
		{"**/bar/*", "deep/foo/bar", false, false}, {"**/bar/**", "deep/foo/bar/", true, true}, {"**/bar**", "foo/bar/baz", false, true}, {"*/bar/**", "foo/bar/baz/x", true, true},
		{"*/bar/**", "deep/foo/bar/baz/x", false, true}, {"**/bar/*/*", "deep/foo/bar/baz/x", true, true},
		{"[a-c]b*", "abc", true, true}, {`[\-^]`, "-", true, true}, {"[[:alpha:]][[:digit:]][[:upper:]]", "a1B", true, true}, {"[[:digit:][:upper:][:space:]]", "a", false, false},
		{"[[:digit:][:upper:][:spaci:]]", "1", false, false}, {"[[:digit:][:punct:][:space:]]", " ", true, true}, {"[[:xdigit:]]", "5", true, true}, {"[_[:alnum:][:alpha:]]", "_", true, true},
		{`[[:digit:]-a]`, "-", true, true}, {"[a-c[:digit:]x-z]", "5", true, true}, {"[a-c[:digit:]x-z]", "q", false, false},
		{`[\\-^]`, "]", true, true}, {`[\\-^]`, "[", false, false}, {`[\]]`, "]", true, true}, {`[\]]`, `\`, false, false}, {"a[]b", "ab", false, false}, {"[!", "ab", false, false}, {"[-", "ab", false, false},
		{"[-]", "-", true, true}, {"[a-", "-", false, false}, {"[!a-", "-", false, false}, {"[--A]", "-", true, true}, {"[ --]", " ", true, true}, {"[---]", "-", true, true}, {"[------]", "-", true, true},
		{"[a-e-n]", "j", false, false}, {"[a-e-n]", "-", true, true}, {"[!------]", "a", true, true}, {"[]-a]", "[", false, false}, {"[]-a]", "^", true, true}, {"[!]-a]", "^", false, false},
		{"[a^bc]", "^", true, true}, {"[a-]b]", "-b]", true, true}, {`[\]`, `\`, false, false}, {`[\\]`, `\`, true, true}, {`[!\\]`, `\`, false, false}, {`[A-\\]`, "G", true, true},
		{"b*a", "aaabbb", false, false}, {"*ba*", "aabcaa", false, false}, {"[,]", ",", true, true}, {`[\\,]`, `\`, true, true}, {"[,-.]", "-", true, true}, {"[,-.]", "+", false, false},
		{`\`, `\`, false, false}, {"*\\", "a\\", false, false},
		{"-*-*-*-*-*-*-12-*-*-*-m-*-*-*", "-adobe-courier-bold-o-normal--12-120-75-75-m-70-iso8859-1", true, true},
		{"**/*a*b*g*n*t", "abcd/abcdefg/abcdefghijk/abcdefghijklmnop.txt", true, true}, {"**/*a*b*g*n*t", "abcd/abcdefg/abcdefghijk/abcdefghijklmnop.txtz", false, false},
		{"*/*/*", "foo", false, false}, {"*/*/*", "foo/bb/aa/rr", false, true}, {"**/**/**", "foo/bb/aa/rr", true, true}, {"*X*i", "abcXdefXghi", true, true}, {"*X*i", "ab/cXd/efXg/hi", false, true}, {"**/*X*/**/*i", "ab/cXd/efXg/hi", true, true},
	} {
		if got := Wildmatch(c.pattern, c.text, true, false); got != c.path {
			t.Errorf("%q on %q, pathname: %v", c.pattern, c.text, got)
		}
		if got := Wildmatch(c.pattern, c.text, false, false); got != c.plain {
			t.Errorf("%q on %q: %v", c.pattern, c.text, got)
		}
	}
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{{"[A-Z]", "a", true}, {"[a-z]", "A", true}, {"[[:upper:]]", "a", true}, {"[[:lower:]]", "A", true}, {"[B-Za]", "A", true}, {"[B-a]", "A", true}, {"[Z-y]", "z", true}, {"fOo*", "FoObar", true}, {"é", "É", false}} {
		if got := Wildmatch(c.pattern, c.text, true, true); got != c.want {
			t.Errorf("folded %q on %q: %v", c.pattern, c.text, got)
		}
	}
}

// TestHostilePattern: a pattern made to take for ever does not.
func TestHostilePattern(t *testing.T) {
	begin := time.Now()
	Wildmatch(strings.Repeat("**/a/", 40)+"b", strings.Repeat("a/", 1000)+"c", true, false)
	Wildmatch(strings.Repeat("*a", 500)+"b", strings.Repeat("a", 4000), true, false)
	Wildmatch(strings.Repeat("**", 5000), strings.Repeat("a/", 2000), true, false)
	if d := time.Since(begin); d > 2*time.Second {
		t.Errorf("took %v", d)
	}
}

func TestMatch(t *testing.T) {
	l := Parse("sub/", []byte("\ufeff*.o\r\n!keep.o\n# c\n\\#d\n/anchored\ndir/\na/b\ntrail   \nkept\\ \nx\x00y\nfoo**/z\n"), false)
	for _, c := range []struct {
		path  string
		isDir bool
		want  Verdict
	}{
		{"sub/a.o", false, Ignored}, {"sub/d/a.o", false, Ignored}, {"sub/keep.o", false, Included}, {"sub/#d", false, Ignored}, {"sub/# c", false, None},
		{"sub/anchored", false, Ignored}, {"sub/d/anchored", false, None}, {"sub/dir", true, Ignored}, {"sub/dir", false, None}, {"sub/a/b", false, Ignored}, {"sub/c/a/b", false, None},
		{"sub/trail", false, Ignored}, {"sub/kept ", false, Ignored}, {"sub/x", false, Ignored}, {"sub/foo/y/z", false, Ignored},
	} {
		if got := l.Match(c.path, strings.LastIndexByte(c.path, '/')+1, c.isDir); got != c.want {
			t.Errorf("%s (dir %v): %v, want %v", c.path, c.isDir, got, c.want)
		}
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("*.o\n!a/**/b[[:alpha:]]\r\n/x/\n", "d/a/x.o", true)
	f.Add("[a-\n[[:x:]]\n\\", "a", false)
	f.Fuzz(func(t *testing.T, text, path string, fold bool) {
		l := Parse("", []byte(text), fold)
		if path == "" || strings.HasSuffix(path, "/") {
			return
		}
		base := strings.LastIndexByte(path, '/') + 1
		asDir, asFile := l.Match(path, base, true), l.Match(path, base, false)
		if strings.Count(text, "/") == 0 && asDir != asFile {
			t.Errorf("no pattern is for directories only: %v %v", asDir, asFile)
		}
		// A negated copy of the last rule turns its verdict round.
		again := Parse("", []byte(text+"\n!"+path), fold)
		if len(again.Patterns) < len(l.Patterns) {
			t.Errorf("patterns were lost")
		}
	})
}
