package op

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/delivery/injection"
	"ken/internal/lang"
	"ken/internal/operation"

	"ken/internal/ask/refs"
	"ken/internal/engine/view"
)

// FileCard is the answer of show about a file.
type FileCard struct {
	Path       operation.Path `json:"path" doc:"file"`
	Language   string         `json:"language" doc:"language, empty if not known"`
	Type       string         `json:"type" doc:"module, service, component, util, api, config, model, test or hook; that of its written page, if it has one"`
	Purpose    string         `json:"purpose,omitempty" doc:"first sentence of its written page, else of its own doc comment"`
	Complexity string         `json:"complexity,omitempty" doc:"low, medium or high, by decision points"`
	Marks      []string       `json:"marks" doc:"of: test, generated, vendored, minified, entry"`
	Problem    string         `json:"problem,omitempty" doc:"why the file was not read whole; as in status"`
	ErrorBytes uint32         `json:"error_bytes" doc:"bytes that could not be parsed"`
	Lines      uint32         `json:"lines" doc:"lines"`
	Bytes      int64          `json:"bytes" doc:"bytes"`
	CL100K     uint32         `json:"cl100k_base" doc:"tokens in that encoding"`
	O200K      uint32         `json:"o200k_base" doc:"tokens in that encoding"`
	Rank       float64        `json:"rank" doc:"PageRank over file edges; the ranks of all files sum to 1"`
	Source     string         `json:"source,omitempty" doc:"with --source: its text, secrets masked"`
	Exports    []Exported     `json:"exports" doc:"names the file offers, in source order"`
	Imports    []Import       `json:"imports" doc:"in source order"`
	Dependents []Reached      `json:"dependents" doc:"files that depend on it directly, by path"`
	Tests      []FileTest     `json:"tests" doc:"files run as tests that use it or, where few do, reach it through others, nearest first"`
}

// FileTest is a test file that reaches a file, with the command that runs it.
type FileTest struct {
	Path    operation.Path `json:"path" doc:"test"`
	Steps   int            `json:"steps" doc:"1: it uses the file itself"`
	Through operation.Path `json:"through,omitempty" doc:"file that the test uses itself, if it is another"`
}

// Exported is a name that a file exports.
type Exported struct {
	Name      string `json:"name" doc:"name seen from outside"`
	Kind      string `json:"kind,omitempty" doc:"as in def; missing for what other files declare"`
	Signature string `json:"signature,omitempty" doc:"the declaration on one line"`
	Line      uint32 `json:"line" doc:"line of the declaration, or of the export"`
	From      string `json:"from,omitempty" doc:"specifier it is re-exported from"`
}

// Import is an import of a file.
type Import struct {
	Specifier string     `json:"specifier" doc:"as written"`
	Line      uint32     `json:"line" doc:"line"`
	Names     []string   `json:"names" doc:"names taken from it; * is all"`
	Files     []FileName `json:"files" doc:"files of the repository it leads to"`
	Package   string     `json:"package,omitempty" doc:"package outside the repository it leads to"`
	Standard  bool       `json:"standard" doc:"that package is part of the standard library"`
}

func fileCard(ctx context.Context, s *view.Snapshot, path string) (FileCard, error) {
	f, err := s.File(ctx, path)
	if err != nil {
		return FileCard{}, err
	}
	c := FileCard{
		Path: operation.Path(path), Language: string(f.Lang), Type: lang.NodeType(f), Purpose: injection.Shown(code.Purpose(f)), Complexity: code.Complexity(f),
		Marks: flagNames(f.Flags), Problem: string(f.Problem), ErrorBytes: f.ErrorBytes, Lines: f.Lines, Bytes: f.Stat.Size, CL100K: f.CL100K, O200K: f.O200K, Rank: f.Rank,
	}
	imports, err := s.Imports(ctx, path)
	if err != nil {
		return c, err
	}
	for i := range imports {
		c.Imports = append(c.Imports, importRow(&imports[i]))
	}
	if c.Exports, err = exportRows(ctx, s, path, imports); err != nil {
		return c, err
	}
	deps, err := refs.Dependents(ctx, s, view.Target{File: path}, 1)
	if err != nil {
		return c, err
	}
	c.Dependents = reachedRows(deps.List, true)
	tests, err := refs.Tests(ctx, s, path)
	for i := range tests {
		c.Tests = append(c.Tests, FileTest{operation.Path(tests[i].File.Path), tests[i].Steps, operation.Path(tests[i].Through)})
	}
	return c, err
}

func flagNames(f code.Flags) []string {
	var out []string
	for _, m := range [...]struct {
		flag code.Flags
		name string
	}{{code.FlagTest, "test"}, {code.FlagGenerated, "generated"}, {code.FlagVendored, "vendored"}, {code.FlagMinified, "minified"}, {code.FlagEntry, "entry"}} {
		if f&m.flag != 0 {
			out = append(out, m.name)
		}
	}
	return out
}

func importRow(m *view.ResolvedImport) Import {
	row := Import{Specifier: m.Spec, Line: m.Line, Files: fileNames(m.Targets), Package: m.External, Standard: m.Std}
	for _, n := range m.Names {
		row.Names = append(row.Names, n.Name)
	}
	return row
}

// exportRows returns the exports of a file with their declarations.
func exportRows(ctx context.Context, s *view.Snapshot, path string, imports []view.ResolvedImport) ([]Exported, error) {
	exports, err := s.Exports(ctx, path)
	if err != nil {
		return nil, err
	}
	symbols, err := s.Symbols(ctx, path)
	if err != nil {
		return nil, err
	}
	top := map[string]*view.Symbol{}
	for i := range symbols {
		if sym := &symbols[i]; sym.Parent < 0 && top[sym.Name] == nil {
			top[sym.Name] = sym
		}
	}
	out := make([]Exported, 0, len(exports))
	for _, e := range exports {
		row := Exported{Name: e.Name, Line: e.Line}
		if e.From >= 0 && int(e.From) < len(imports) {
			row.From = imports[e.From].Spec
		} else if sym := top[e.Local]; sym != nil {
			row.Kind, row.Signature, row.Line = sym.Kind.String(), sym.Signature, sym.Span.Line
		}
		out = append(out, row)
	}
	return out, nil
}

// cardLimit is the number of entries that text shows in most lists.
const cardLimit = 15

func writeFileCard(t *operation.Text, c *FileCard) {
	about := append([]string{c.Language, c.Type}, c.Marks...)
	if c.Complexity != "" {
		about = append(about, c.Complexity+" complexity")
	}
	if c.Problem == string(code.ProblemBinary) {
		about = append(about, operation.Size(c.Bytes))
	} else {
		about = append(about, operation.Plural(int(c.Lines), "line"), operation.Group(c.O200K)+" tokens (o200k)")
	}
	about = slices.DeleteFunc(slices.Compact(about), func(s string) bool { return s == "" })
	t.Line("%s  %s", t.Bold(string(c.Path)), about)
	if c.Problem != "" {
		t.Line("not read whole: %s", c.Problem)
	}
	if c.ErrorBytes > 0 {
		t.Line("%s bytes could not be parsed", operation.Group(c.ErrorBytes))
	}
	if c.Purpose != "" {
		t.Line("%s", c.Purpose)
	}
	writeExports(t, c.Exports)
	writeImports(t, c.Imports)
	writeFileUsers(t, c)
	if n := len(c.Tests); n > 0 {
		t.Heading("%s", operation.Plural(n, "test file"))
		writeFirst(t, n, cardLimit, func(i int) {
			f := &c.Tests[i]
			t.Printf("  %s", f.Path)
			if f.Steps > 1 {
				t.Printf("  in %d steps, through %s", f.Steps, f.Through)
			}
			t.Line("")
		})
	}
}

// writeFileUsers writes the files that depend on a file; tests have their own list.
func writeFileUsers(t *operation.Text, c *FileCard) {
	list := slices.DeleteFunc(slices.Clone(c.Dependents), func(d Reached) bool {
		return slices.ContainsFunc(c.Tests, func(f FileTest) bool { return f.Path == d.Path })
	})
	if len(list) == 0 {
		return
	}
	t.Heading("%s (tests left out)", operation.Plural(len(list), "direct dependent"))
	writeFirst(t, len(list), cardLimit, func(i int) {
		d := &list[i]
		t.Printf("  %s", d.Path)
		if d.Relation != "imports" {
			t.Printf("  %s", d.Relation)
		}
		t.Line("%s", markUnsure(t, d.Confidence))
	})
}

// writeFirst writes the first entries of a list and the number of the others.
func writeFirst(t *operation.Text, n, limit int, entry func(i int)) {
	for i := range min(n, limit) {
		entry(i)
	}
	if n > limit {
		t.Line("  … and %s more (--json lists all)", operation.Group(n-limit))
	}
}

func writeExports(t *operation.Text, list []Exported) {
	if len(list) == 0 {
		return
	}
	t.Heading("%s", operation.Plural(len(list), "export"))
	for i := range list {
		e := &list[i]
		switch {
		case e.From != "":
			t.Line("  %d  %s from %s", e.Line, e.Name, e.From)
		case e.Signature != "":
			t.Line("  %d  %s", e.Line, operation.Clip(e.Signature))
		default:
			t.Line("  %d  %s", e.Line, e.Name)
		}
	}
}

func writeImports(t *operation.Text, list []Import) {
	var inside []*Import
	var outside []Package
	seen := map[string]bool{}
	for i := range list {
		m := &list[i]
		switch {
		case len(m.Files) > 0:
			inside = append(inside, m)
		case !seen[m.Specifier]:
			seen[m.Specifier] = true
			outside = append(outside, Package{Name: m.Specifier, Standard: m.Standard})
		}
	}
	if len(list) == 0 {
		return
	}
	t.Heading("%s", operation.Plural(len(list), "import"))
	for _, m := range inside {
		t.Line("  %s → %s%s", m.Specifier, firstFiles(m.Files), operation.Styled(operation.Escape(namesNote(m.Names))))
	}
	writePackageNames(t, "  ", outside)
}

// firstFiles names the first of the files that an import leads to.
func firstFiles(list []FileName) string {
	if len(list) == 1 {
		return string(list[0].Path)
	}
	return fmt.Sprintf("%s and %s", list[0].Path, operation.Plural(len(list)-1, "other"))
}

func namesNote(names []string) string {
	const most = 8
	switch {
	case len(names) == 0:
		return ""
	case len(names) > most:
		return fmt.Sprintf(" (%s, … %d more)", strings.Join(names[:most], ", "), len(names)-most)
	}
	return " (" + strings.Join(names, ", ") + ")"
}
