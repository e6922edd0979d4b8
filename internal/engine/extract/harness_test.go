package extract

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"ken/internal/code"
	"ken/internal/lang"
)

var update = flag.Bool("update", false, "rewrite the expected dumps in testdata")

// langOf is the language of a file in testdata, by extension.
var langOf = map[string]code.Lang{
	".kt": "kotlin", ".kts": "kotlin", ".scala": "scala", ".swift": "swift",
	".go": "go", ".py": "python", ".pyi": "python", ".rs": "rust", ".java": "java", ".cs": "csharp", ".php": "php",
	".ts": "typescript", ".mts": "typescript", ".cts": "typescript", ".tsx": "typescript",
	".js": "javascript", ".cjs": "javascript", ".mjs": "javascript", ".jsx": "javascript",
	".rb": "ruby",
	".c":  "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".hpp": "cpp",
}

// languageOf returns the language of a file in testdata: by langOf, else as lang detects it.
func languageOf(name string) code.Lang {
	if l, ok := langOf[filepath.Ext(name)]; ok {
		return l
	}
	if strings.HasSuffix(name, ".want") {
		return ""
	}
	return lang.Detect(name, nil)
}

// testExtractor makes an Extractor that crashes on a bug instead of recording it.
func testExtractor(t testing.TB) *Extractor {
	e := New()
	e.panics = true
	t.Cleanup(e.Close)
	return e
}

// TestData checks every testdata/<lang>/*.txtar: each source file in an archive is
// followed by the dump of its facts, in a file of its name with ".want".
func TestData(t *testing.T) {
	archives, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(strings.TrimPrefix(path, "testdata/"), ".txtar"), func(t *testing.T) { checkArchive(t, path) })
	}
}

func checkArchive(t *testing.T, path string) {
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, f := range a.Files {
		if strings.HasSuffix(f.Name, ".want") {
			want[f.Name] = string(f.Data)
		}
	}
	e := testExtractor(t)
	out := &txtar.Archive{Comment: a.Comment}
	for _, f := range a.Files {
		lang := languageOf(f.Name)
		if lang == "" {
			if !strings.HasSuffix(f.Name, ".want") {
				t.Fatalf("%s: no language for %s", path, f.Name)
			}
			continue
		}
		facts := e.Extract(f.Name, lang, f.Data)
		checkFacts(t, f.Data, facts)
		got := dump(facts, f.Data)
		if !*update {
			if diff := cmp.Diff(want[f.Name+".want"], got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", f.Name, diff)
			}
		}
		out.Files = append(out.Files, f, txtar.File{Name: f.Name + ".want", Data: []byte(got)})
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// dump writes facts for people to read and compare.
func dump(facts *code.Facts, src []byte) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	if facts.Package != "" {
		line("package %s", facts.Package)
	}
	if facts.Doc != "" {
		line("doc %q", facts.Doc)
	}
	if facts.ErrorBytes > 0 || facts.Problem != "" {
		line("errors %d %s", facts.ErrorBytes, facts.Problem)
	}
	if facts.Branches > 0 {
		line("branches %d", facts.Branches)
	}
	if facts.IsTest {
		line("test")
	}
	for _, s := range facts.Symbols {
		dumpSymbol(line, facts, s, src)
	}
	for i, m := range facts.Imports {
		line("import %d: %s", i, importString(m))
	}
	for _, x := range facts.Exports {
		from := ""
		if x.From >= 0 {
			from = fmt.Sprintf(" from %d", x.From)
		}
		line("export %s = %s%s  :%d", x.Name, x.Local, from, x.Line)
	}
	for _, r := range facts.Refs {
		line("ref %s", refString(facts, r, src))
	}
	return b.String()
}

// dumpSymbol shows the span by its lines and its first and last bytes.
func dumpSymbol(line func(string, ...any), facts *code.Facts, s code.Symbol, src []byte) {
	indent := ""
	for p := s.Parent; p >= 0; p = facts.Symbols[p].Parent {
		indent += "  "
	}
	exported := ""
	if s.Exported {
		exported = " exported"
	}
	text := string(src[s.Span.Start:s.Span.End])
	line("%s%s %s  %d-%d%s", indent, s.Kind, s.Qualified, s.Span.Line, s.Span.EndLine, exported)
	line("%s  | %s", indent, s.Signature)
	if len(text) > 24 {
		text = text[:10] + "…" + text[len(text)-10:]
	}
	if text != s.Signature {
		line("%s  @ %q", indent, text)
	}
	if s.Doc != "" {
		line("%s  doc %q", indent, s.Doc)
	}
	for _, p := range s.Params {
		line("%s  param %q type=%q optional=%v default=%q", indent, p.Name, p.Type, p.Optional, p.Default)
	}
	if s.Returns != "" {
		line("%s  returns %q", indent, s.Returns)
	}
}

func importString(m code.Import) string {
	kind := [...]string{"static", "dynamic", "require", "type", "reexport", "mod", "path", "mention", "origin", "table"}[m.Kind]
	s := fmt.Sprintf("%s %q", kind, m.Spec)
	if m.Alias != "" {
		s += " as " + m.Alias
	}
	for _, n := range m.Names {
		s += fmt.Sprintf(" {%s as %s}", n.Name, n.Alias)
	}
	if m.Static {
		s += " static"
	}
	if m.Within != "" {
		s += " in " + m.Within
	}
	return fmt.Sprintf("%s  :%d", s, m.Line)
}

func refString(facts *code.Facts, r code.Ref, src []byte) string {
	via := [...]string{"bare", "import", "self", "typed", "member", "local", "module"}[r.Via]
	s := fmt.Sprintf("%s %s %s", r.Kind, r.Name, via)
	if r.Import >= 0 {
		s += fmt.Sprintf(" %d", r.Import)
	}
	if r.Recv != "" {
		s += " of " + r.Recv
	}
	if r.Args != "" {
		s += " with " + r.Args
	}
	if text := string(src[r.Start:r.End]); text != r.Name {
		s += fmt.Sprintf(" (%s)", text)
	}
	s += fmt.Sprintf("  :%d", r.Line)
	if r.Scope >= 0 {
		s += " in " + facts.Symbols[r.Scope].Qualified
	}
	return s
}

// checkFacts checks the properties of facts that hold whatever the input.
func checkFacts(t testing.TB, src []byte, facts *code.Facts) {
	t.Helper()
	size := uint32(len(src))
	for i, s := range facts.Symbols {
		switch {
		case s.Name == "", s.Qualified == "", s.Kind == code.KindUnknown:
			t.Errorf("symbol %d has no name or kind: %+v", i, s)
		case s.Span.Start > s.Span.End, s.Span.End > size, s.NameStart > size:
			t.Errorf("symbol %d out of bounds: %+v", i, s)
		case s.Span.Line == 0, s.Span.EndLine < s.Span.Line:
			t.Errorf("symbol %d has no line: %+v", i, s)
		case s.Parent < -1, int(s.Parent) >= i:
			t.Errorf("symbol %d comes before its parent %d", i, s.Parent)
		case len(s.Doc) > code.MaxDoc, len(s.Signature) > code.MaxSignature, strings.Contains(s.Signature, "\n"):
			t.Errorf("symbol %d: doc or signature too long or not on a line: %+v", i, s)
		}
	}
	last := uint32(0)
	for i, r := range facts.Refs {
		switch {
		case r.Name == "", r.Start > r.End, r.End > size, r.Line == 0:
			t.Errorf("ref %d out of bounds: %+v", i, r)
		case r.Start < last:
			t.Errorf("ref %d out of order", i)
		case r.Via.NamesImport() != (r.Import >= 0), int(r.Import) >= len(facts.Imports):
			t.Errorf("ref %d has import %d of %d: %+v", i, r.Import, len(facts.Imports), r)
		case r.Scope < -1, int(r.Scope) >= len(facts.Symbols):
			t.Errorf("ref %d has scope %d", i, r.Scope)
		}
		last = r.Start
	}
	for i, m := range facts.Imports {
		for _, n := range m.Names {
			if n.Name == "" || n.Alias == "" {
				t.Errorf("import %d names nothing: %+v", i, m)
			}
		}
	}
	for i, x := range facts.Exports {
		if x.Name == "" || x.From < -1 || int(x.From) >= len(facts.Imports) {
			t.Errorf("export %d is off: %+v", i, x)
		}
	}
}
