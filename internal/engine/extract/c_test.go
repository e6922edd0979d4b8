package extract

import (
	"strings"
	"testing"
	"time"

	"ken/internal/code"
)

// TestHostileC checks that source made to be slow is read in time that grows with
// its size. The second allowed for each case is a hundred times what it takes.
func TestHostileC(t *testing.T) {
	e := testExtractor(t)
	for name, src := range map[string]string{
		"conditionals":  strings.Repeat("#if A\nint f(int a) {\n#else\n", 900) + strings.Repeat("#endif\n", 900),
		"more of them":  strings.Repeat("#ifdef A\n", 50_000),
		"parentheses":   strings.Repeat("MACRO(", 50_000),
		"angles":        "template " + strings.Repeat("<A", 50_000) + strings.Repeat("\ntemplate <", 2000),
		"braces":        strings.Repeat("namespace a {", 20_000),
		"macros":        strings.Repeat("#define A(x) x(A, B) + (x).y\n", 30_000),
		"names":         strings.Repeat("FOO ", 100_000) + "x;",
		"declarators":   "int " + strings.Repeat("*", 50_000) + "x;",
		"commas":        "int a" + strings.Repeat(", a", 20_000) + ";",
		"open comment":  strings.Repeat("#define a /*", 20_000),
		"raw strings":   strings.Repeat("R\"x(", 20_000),
		"definition":    "#define a " + strings.Repeat("/**/ ", 50_000) + strings.Repeat(" ", 50_000),
		"definitions":   strings.Repeat("#define a /**/ \"/*\n", 20_000),
		"guards":        strings.Repeat("#ifndef A\nint f(;\n", 5_000) + strings.Repeat("#endif\n", 5_000),
		"types":         strings.Repeat("A(char*, 1);\n", 20_000),
		"continuations": strings.Repeat("#if a \\\n", 50_000),
	} {
		for _, lang := range []code.Lang{"c", "cpp"} {
			f := &file{lang: lang}
			var masked []byte
			d := effort(func() { masked = maskC(f, []byte(src)) })
			if len(masked) != len(src) {
				t.Errorf("%s: masked source has %d bytes of %d", name, len(masked), len(src))
			}
			if d > time.Second {
				t.Errorf("%s in %s: masking %d bytes took %v", name, lang, len(src), d)
			}
			var facts *code.Facts
			d = effort(func() { facts = e.Extract("a.c", lang, []byte(src)) })
			checkFacts(t, []byte(src), facts)
			if d > 10*time.Second {
				t.Errorf("%s in %s: reading %d bytes took %v", name, lang, len(src), d)
			}
		}
	}
}

// TestMaskC checks which bytes of a file are blanked, shown as spaces.
func TestMaskC(t *testing.T) {
	for _, c := range [][2]string{
		{"EXPORT_API int f(void);", "           int f(void);"},
		{"class API A : public B {", "class     A : public B {"},
		{"int f(void) UNUSED;", "int f(void)       ;"},
		{"DWORD f(void);", "DWORD f(void);"},
		{"main(argc, argv) int argc; char **argv; { }", "main(argc, argv) int argc; char **argv; { }"},
		{"#ifdef A\nint f(int a) {\n#else\nint f(long a) {\n#endif\n}", "        \nint f(int a) {\n     \n               \n      \n}"},
		{"#ifdef __cplusplus\nextern \"C\" {\n#endif\nint x;", "                  \n            \n      \nint x;"},
		{"#define A \"/*\" /* b */ c /* d */", "#define A \"/*\"         c /* d */"},
		{"DECORATOR(name, const char*, 0);", "                               ;"},
		{"#ifdef A\nint f(void);\n#endif", "#ifdef A\nint f(void);\n#endif"},
		{"int a[] = {\n#ifdef A\n1,\n#else\n2,\n#endif\n};", "int a[] = {\n        \n1,\n     \n2,\n      \n};"},
	} {
		if got := string(maskC(&file{lang: "c"}, []byte(c[0]))); strings.TrimRight(got, " ") != strings.TrimRight(c[1], " ") {
			t.Errorf("%q\ngot  %q\nwant %q", c[0], got, c[1])
		}
	}
}
