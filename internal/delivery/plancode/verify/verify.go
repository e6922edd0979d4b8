// Package verify checks whether a finished phase is there: its artifacts exist, hold more than a stub, and something reaches them; its
// connections are edges of the graph or text that shows them; the commits claimed by its summaries are in git.
//
// Neighbours: package claim reads plans, package place finds files; delivery/plancode shows the result.
package verify

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"ken/internal/ask/grep"
	"ken/internal/ask/unused"
	"ken/internal/code"
	"ken/internal/delivery/plancode/place"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/lang"
	"ken/internal/workflow/plan/artefact"
)

// State is the result for an artifact or link that a phase must have.
type State string

// The states.
const (
	Verified  State = "verified"
	Failed    State = "failed"
	NotJudged State = "not_judged"
)

// Artifact is a file that has to be there.
type Artifact struct {
	Plan   string   `json:"plan"`
	Path   string   `json:"path"`
	Exists bool     `json:"exists"`
	Stub   bool     `json:"stub"`
	Reach  string   `json:"reached_by,omitempty"` // a file that depends on it, or why none has to
	State  State    `json:"state"`
	Issues []string `json:"issues"`
}

// Link is a connection that has to be there.
type Link struct {
	Plan   string `json:"plan"`
	From   string `json:"from"`
	To     string `json:"to"`
	Via    string `json:"via,omitempty"`
	State  State  `json:"state"`
	Detail string `json:"detail"` // the edge, the text that shows it, or the missing part
}

// Verifier checks the artifacts, links and claims of a phase's plans.
type Verifier struct {
	Snapshot *view.Snapshot // nil without an index
	Places   *place.Places
	// Files are those that the plans of the phase name: any of them may show a connection.
	Files []string

	// Texts are cached, because every connection that is no edge is looked for in all files of the phase.
	texts    map[string][]byte
	from, to map[int64][]store.EdgeRow
}

// readText returns the text of a file.
func (v *Verifier) readText(ctx context.Context, p string) ([]byte, error) {
	if text, ok := v.texts[p]; ok {
		return text, nil
	}
	text, err := v.Snapshot.Text(ctx, p)
	if err == nil {
		if v.texts == nil {
			v.texts = map[string][]byte{}
		}
		v.texts[p] = text
	}
	return text, err
}

// edgesFrom returns the edges that begin at a file.
func (v *Verifier) edgesFrom(id int64) ([]store.EdgeRow, error) {
	return cachedEdges(&v.from, id, v.Snapshot.Index.EdgesFrom)
}

// edgesTo returns the edges that end at a file.
func (v *Verifier) edgesTo(id int64) ([]store.EdgeRow, error) {
	return cachedEdges(&v.to, id, v.Snapshot.Index.EdgesTo)
}

func cachedEdges(in *map[int64][]store.EdgeRow, id int64, read func(int64) ([]store.EdgeRow, error)) ([]store.EdgeRow, error) {
	if list, ok := (*in)[id]; ok {
		return list, nil
	}
	list, err := read(id)
	if err == nil {
		if *in == nil {
			*in = map[int64][]store.EdgeRow{}
		}
		(*in)[id] = list
	}
	return list, err
}

// AddSearchedFiles adds the files that a plan names to those searched for evidence of links.
func (v *Verifier) AddSearchedFiles(p *artefact.Plan) {
	names := slices.Clone(p.Files)
	for _, a := range p.MustHaves.Artifacts {
		names = append(names, a.Path)
	}
	for _, n := range names {
		if real, ok, _ := v.Places.Find(n); ok && v.Places.FileID(real) != 0 && !slices.Contains(v.Files, real) {
			v.Files = append(v.Files, real)
		}
	}
}

// Artifacts checks the artifacts of a plan, and checks its other written files for stubs. It fails if the index or a file cannot be
// read.
func (v *Verifier) Artifacts(ctx context.Context, id string, p *artefact.Plan) ([]Artifact, error) {
	var out []Artifact
	seen := map[string]bool{}
	for _, m := range p.MustHaves.Artifacts {
		if m.Path == "" || strings.ContainsAny(m.Path, "*{") {
			continue
		}
		seen[m.Path] = true
		a, err := v.checkArtifact(ctx, id, &m)
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	for _, f := range p.Files {
		if seen[f] || strings.HasPrefix(f, ".planning") {
			continue
		}
		seen[f] = true
		if real, ok, _ := v.Places.Find(f); !ok || v.Snapshot == nil || v.Places.FileID(real) == 0 {
			continue // that it is there is asked of artifacts alone, because plans delete files, too
		}
		a, err := v.checkArtifact(ctx, id, &artefact.Artifact{Path: f})
		if err != nil {
			return nil, err
		}
		if a.State == Failed {
			out = append(out, a)
		}
	}
	return out, nil
}

func (v *Verifier) checkArtifact(ctx context.Context, id string, m *artefact.Artifact) (Artifact, error) {
	name, _, _ := strings.Cut(strings.Trim(m.Path, "`\"' "), " ") // notes follow a blank
	a := Artifact{Plan: id, Path: name, State: Verified, Issues: []string{}}
	real, ok, several := v.Places.Find(name)
	switch {
	case isOutsideProject(name):
		a.State = NotJudged
		a.note("it is outside the project")
		return a, nil
	case !ok && len(several) > 1:
		a.State = NotJudged
		a.note("several files may be meant: %s", strings.Join(several[:min(3, len(several))], ", "))
		return a, nil
	case !ok && !strings.Contains(name, "/") && path.Ext(name) == "":
		a.State = NotJudged
		a.note("it is no path")
		return a, nil
	case !ok:
		a.State = Failed
		a.note("it is not there")
		return a, nil
	}
	a.Exists, a.Path = true, real
	if v.Snapshot == nil || v.Places.FileID(real) == 0 {
		a.note("it is not indexed, so what is in it was not looked at")
		return a, nil
	}
	f, err := v.Snapshot.FileByID(v.Places.FileID(real))
	if err != nil {
		return a, err
	}
	text, err := v.readText(ctx, real)
	if err != nil {
		return a, err
	}
	list, err := v.Snapshot.Symbols(ctx, real)
	if err != nil {
		return a, err
	}
	if err := v.checkContent(&a, m, &f, text, list); err != nil {
		return a, err
	}
	return a, v.checkReached(ctx, &a, &f, list)
}

// isOutsideProject reports whether a path leads out of the project.
func isOutsideProject(p string) bool {
	return strings.HasPrefix(p, "~") || strings.HasPrefix(p, "/") || strings.HasPrefix(p, "../") || strings.HasPrefix(p, "$")
}

func (a *Artifact) note(format string, args ...any) {
	a.Issues = append(a.Issues, fmt.Sprintf(format, args...))
}

func (a *Artifact) fail(format string, args ...any) {
	a.State = Failed
	a.note(format, args...)
}

// checkContent checks the content of an artifact: that it is no stub and has the required exports and text.
func (v *Verifier) checkContent(a *Artifact, m *artefact.Artifact, f *code.File, text []byte, list []view.Symbol) error {
	row := lang.Of(f.Lang)
	runs := row.IsKnown() && row.Sort == lang.Programming && !strings.HasPrefix(path.Base(a.Path), "__init__")
	if runs && len(bytes.TrimSpace(text)) == 0 {
		a.Stub = true
		a.fail("it is empty")
		return nil
	}
	if n := bytes.Count(text, []byte("\n")) + 1; m.MinLines > 0 && 2*n < m.MinLines {
		a.fail("it has %d lines, less than half of the %d it should", n, m.MinLines)
	}
	if m.Contains != "" && !containsOrMatches(text, m.Contains) {
		if name := missingDeclaration(text, m.Contains); name != "" {
			a.fail("it does not hold %q, and has no %s", m.Contains, name)
		} else {
			a.note("it does not hold %q", m.Contains)
		}
	}
	for _, e := range m.Exports {
		name := exportName(e)
		if name == "" || bytes.Contains(text, []byte(name)) {
			continue
		}
		rows, err := v.Snapshot.SymbolsNamed(name)
		switch {
		case err != nil:
			return err
		case len(rows) > 0:
			a.note("%s is declared in %s instead", name, rows[0].Path)
		default:
			a.fail("it has no %s, and nothing else has", name)
		}
	}
	if why := stubReason(f, list, text, m.Exports); why != "" {
		a.Stub = true
		a.fail("%s", why)
	}
	return nil
}

// exportName returns the name that an entry of exports begins with, "" for entries such as "default" and "GET /api".
func exportName(e string) string {
	e = strings.TrimSpace(e)
	other := func(r rune) bool { return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	end := strings.IndexFunc(e, other)
	if end >= 0 {
		e = e[:end]
	}
	if e == "default" || len(e) < 2 {
		return ""
	}
	return e
}

// declaring matches the keywords with which required text declares something.
var declaring = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:export |default |public |private |static |async |pub )*(?:def|class|func|function|fn|const|let|var|type|interface|struct|enum|trait)\s+` +
		`(?:\([^)]*\)\s*)?([\p{L}_$][\p{L}\p{N}_$]*)`)
})

// missingDeclaration returns the name that the required text what declares and text does not, "" if what is no declaration.
func missingDeclaration(text []byte, what string) string {
	m := declaring().FindStringSubmatch(strings.TrimSpace(what))
	if m == nil || bytes.Contains(text, []byte(m[1])) {
		return ""
	}
	return m[1]
}

// containsOrMatches reports whether a text contains what, or matches it as a regular expression.
func containsOrMatches(text []byte, what string) bool {
	if bytes.Contains(text, []byte(what)) {
		return true
	}
	re, err := regexp.Compile(what)
	return err == nil && re.Match(text)
}

// entries are folders and file names that programs find without a reference.
var entries = []string{
	"main", "index", "app", "server", "cli", "mod", "lib", "setup", "manage", "page", "layout", "route", "loading", "error", "not-found", "middleware", "proxy", "default", "template", "conftest",
	"program", "startup", "build", "__main__", "__init__", "instrumentation", "sitemap", "robots", "manifest", "appdelegate", "background", "content", "popup", "preload", "renderer",
}

var entryFolders = []string{
	"pages", "routes", "bin", "scripts", "cmd", "migrations", "e2e", "test", "tests", "__tests__", "spec", "hooks", "api", "functions", "stories", "examples", "commands", "tools", "plugins", "public",
	"static", "fixtures", "testdata", "mocks", "__mocks__", "workers", "benchmarks", "docs", "seeds", "seeders", "templates", "views", "controllers",
}

// checkReached checks whether other files depend on an artifact. A code file without dependents is written but not used, unless its place
// or name makes it found.
func (v *Verifier) checkReached(ctx context.Context, a *Artifact, f *code.File, list []view.Symbol) error {
	edges, err := v.edgesTo(f.ID)
	if err != nil {
		return err
	}
	tests := ""
	for _, e := range edges {
		from, err := v.Snapshot.FileByID(e.Source)
		if err != nil {
			return err
		}
		switch {
		case strings.HasPrefix(from.Path, ".planning/") || from.Path == f.Path || lang.Of(from.Lang).Sort == lang.Prose:
		case isTest(&from):
			tests = from.Path
		default:
			a.Reach = from.Path
			return nil
		}
	}
	row := lang.Of(f.Lang)
	offers := slices.ContainsFunc(list, func(y view.Symbol) bool { return y.Kind.IsFunction() || y.Kind.IsType() })
	switch {
	case row.Sort != lang.Programming || row.Tier != lang.Full || !offers:
		a.Reach = "not judged: it has no code that others name"
		return nil
	case f.Class != 0 || isTest(f):
		a.Reach = "not judged: a test, an example or a document is run or read by itself"
		return nil
	case isFoundByPlace(a.Path):
		a.Reach = "not judged: it may be found by its place or name"
		return nil
	}
	named, err := v.fileNaming(ctx, f)
	switch {
	case err != nil || named != "":
		a.Reach = named
		return err
	case tests != "":
		a.Reach = tests
		a.note("only tests use it")
		if a.State == Verified {
			a.State = NotJudged
		}
	default:
		doubt, err := unused.FirstFileDoubt(ctx, v.Snapshot, f.Path)
		if err != nil {
			return err
		}
		if doubt == nil {
			a.fail("nothing uses it")
			return nil
		}
		a.Reach = "not judged: " + unused.Doubted(doubt).Reason()
		if a.State == Verified {
			a.State = NotJudged
		}
	}
	return nil
}

func isTest(f *code.File) bool { return f.Class.Has(code.ClassTest) || f.Flags&code.FlagTest != 0 }

// maxNaming is the number of files that are searched for the name of a file without dependents.
const maxNaming = 200

// fileNaming returns a code file whose text has the name of a file, because not every import can be resolved.
func (v *Verifier) fileNaming(ctx context.Context, f *code.File) (string, error) {
	stem, _, _ := strings.Cut(path.Base(f.Path), ".")
	names, err := grep.NewNameFiles(v.Snapshot)
	if err != nil {
		return "", err
	}
	ids, known, err := names.Holding(stem, func(code.Lang) bool { return true })
	if err != nil || !known {
		return "", err
	}
	for i, id := range ids {
		other, err := v.Snapshot.FileByID(id)
		if err != nil || i >= maxNaming {
			return "", err
		}
		if id == f.ID || isTest(&other) || lang.Of(other.Lang).Sort == lang.Prose || strings.HasPrefix(other.Path, ".planning/") {
			continue
		}
		text, err := v.Snapshot.Text(ctx, other.Path) // one of very many: it is not kept
		if err != nil {
			return "", err
		}
		name := path.Base(f.Path)
		if importsName(text, stem) || bytes.Contains(text, []byte("/"+name)) || bytes.Contains(text, []byte(`"`+name)) {
			return other.Path, nil
		}
	}
	return "", nil
}

// importsName reports whether a line that imports something has a name in it.
func importsName(text []byte, stem string) bool {
	for line := range bytes.Lines(text) {
		i := bytes.Index(line, []byte(stem))
		if i <= 0 || !bytes.ContainsRune([]byte("/.\"' "), rune(line[i-1])) {
			continue
		}
		for _, word := range []string{"import", "require", "include", "from ", "use ", "mod ", "src=", "href=", "load", "part ", "source "} {
			if bytes.Contains(line, []byte(word)) {
				return true
			}
		}
	}
	return false
}

// isFoundByPlace reports whether programs find a file by its place or name, without a reference.
func isFoundByPlace(p string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(path.Base(p)), ".")
	name := path.Base(p)
	if slices.Contains(entries, stem) || strings.Contains(name, ".config.") || strings.Contains(name, ".d.") || name[0] == '+' {
		return true
	}
	for part := range strings.SplitSeq(path.Dir(p), "/") {
		if slices.Contains(entryFolders, strings.ToLower(part)) {
			return true
		}
	}
	return false
}
