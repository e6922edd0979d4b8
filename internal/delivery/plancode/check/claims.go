package check

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/delivery/plancode/claim"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// pathMention collects everything that a plan states about one path.
type pathMention struct {
	path         string
	line         int
	role         claim.Role // the strongest one
	roles        []claim.Role
	new, changes bool
	read         bool // shown as context, without a word that it is made
	readFirst    bool // listed to be read before the first edit
}

// checkFiles judges the files that the plan names, each once.
func (x *checker) checkFiles() {
	var order []*pathMention
	at := map[string]*pathMention{}
	for _, f := range x.c.Files {
		m := at[f.Path]
		if m == nil {
			m = &pathMention{path: f.Path, role: f.Role}
			at[f.Path] = m
			order = append(order, m)
		}
		m.role = min(m.role, f.Role)
		m.roles = append(m.roles, f.Role)
		m.new, m.changes = m.new || f.New, m.changes || f.Changes
		m.read = m.read || f.Shown && !f.New
		m.readFirst = m.readFirst || f.ReadFirst
		if m.line == 0 {
			m.line = f.Line
		}
	}
	for _, m := range order {
		x.r.Files = append(x.r.Files, x.checkFile(m))
	}
	for _, p := range x.c.Outside {
		x.addIssue("files", "blocker", "", 0, "name a path below the root of the project", "%s leads out of the project", p)
	}
}

func (x *checker) checkFile(m *pathMention) Claim {
	c := Claim{Name: m.path, Kind: "path", Line: m.line, Part: m.role.String()}
	real, ok, several := x.places.Find(m.path)
	switch {
	case ok:
		c.Verdict = Found
		if real != m.path {
			c.Is = real
		}
		return c
	case x.earlierMaker(m.path) != "":
		c.Verdict, c.Is = ToBeMade, x.earlierMaker(m.path)
		return c
	case m.isThereBefore():
		// listed to be changed and to be read first, so it has to be there
	case m.role.Writes() || m.new || x.writes[real] || x.isWrittenFileName(m.path):
		c.Verdict = ToBeMade
		return c
	case x.otherMaker(m.path) != "":
		c.Verdict, c.Is = ToBeMade, x.otherMaker(m.path)
		return c
	case x.isExpected(typeScriptSource(m.path)):
		return x.checkFile(m.under(typeScriptSource(m.path))).withOtherName(m.path)
	case len(several) > 1 || !strings.Contains(m.path, "/") || x.isGenerated(m):
		c.Verdict, c.Near = NotJudged, several[:min(3, len(several))]
		return c
	}
	c.Verdict, c.Near = Absent, x.places.Near(m.path)
	level := "warning"
	byMistake := m.isThereBefore() && !m.read // a file to make may be in a list of files to read first
	if slices.Contains(m.roles, claim.Reading) && !byMistake {
		level = "blocker"
	}
	hint := "correct the path, or say that the plan makes it"
	if len(c.Near) > 0 {
		hint = "did the plan mean " + strings.Join(c.Near, ", ") + "?"
	}
	x.addIssue("files", level, "", m.line, hint, "%s is not there, and no plan makes it", m.path)
	return c
}

// isThereBefore reports whether the plan changes the file, and states that it is there before.
func (m *pathMention) isThereBefore() bool {
	if m.new || !strings.Contains(m.path, "/") {
		return false
	}
	return m.role == claim.Declared && m.read || m.role <= claim.TaskFile && m.readFirst
}

// under returns the mention with another path.
func (m *pathMention) under(p string) *pathMention {
	other := *m
	other.path = p
	return &other
}

// otherMaker returns the other plan that makes a file, "" if none does.
func (x *checker) otherMaker(p string) string {
	if x.around.Makes == nil {
		return ""
	}
	return x.around.Makes(p)
}

// earlierMaker returns the plan that makes a file before this plan runs, "" if none does. Files that this plan only changes must exist by
// then.
func (x *checker) earlierMaker(p string) string {
	if by := x.otherMaker(p); by < x.around.ID {
		return by
	}
	return ""
}

// typeScriptSource returns the TypeScript file that an import path ending in .js refers to, "" if the path has no such ending.
func typeScriptSource(p string) string {
	for _, end := range [][2]string{{".js", ".ts"}, {".jsx", ".tsx"}, {".mjs", ".mts"}} {
		if stem, cut := strings.CutSuffix(p, end[0]); cut {
			return stem + end[1]
		}
	}
	return ""
}

// isExpected reports whether a file exists, or some plan makes it.
func (x *checker) isExpected(p string) bool {
	if p == "" {
		return false
	}
	_, ok, _ := x.places.Find(p)
	return ok || x.writes[p] || x.isWrittenFileName(p) || x.otherMaker(p) != ""
}

// withOtherName returns the claim for a file that the plan mentions under another name.
func (c Claim) withOtherName(name string) Claim {
	if c.Verdict == Found && c.Is == "" || c.Verdict == ToBeMade {
		c.Is = c.Name
	}
	c.Name = name
	return c
}

// isWrittenFileName reports whether a file name without folder is that of a file that the plan writes.
func (x *checker) isWrittenFileName(p string) bool {
	for w := range x.writes {
		if strings.HasSuffix(w, "/"+p) || strings.HasSuffix(w, "/") && strings.HasPrefix(p, w) {
			return true
		}
	}
	return false
}

// denyingWords are words before a path which state that the file does not or should not exist.
var denyingWords = []string{
	"not ", "never ", "no ", "n't ", "instead of", "without", "delete", "remove", "rename", "old ", "e.g.", "such as", "example",
	"output", "download", "fallback", "if exists", "if present", "would ", "future", "later", "template",
}

// denyingAfter are such words after a path.
var denyingAfter = []string{"if exists", "if present", "if it exists", "not exist", "if needed", "optional", "or similar", "output", "will be"}

// generatedFolders are folders of generated files.
var generatedFolders = []string{
	"dist", "build", "out", "target", "node_modules", "coverage", "tmp", "bin", "obj", "logs", "vendor", ".git", ".next", "venv", ".venv",
}

// isGenerated reports whether a file is generated, or the text does not claim that it exists.
func (x *checker) isGenerated(m *pathMention) bool {
	first, _, _ := strings.Cut(m.path, "/")
	if slices.Contains(generatedFolders, first) {
		return true
	}
	if m.role == claim.Prose || strings.Contains(path.Base(m.path), "[") || strings.HasPrefix(m.path, "path/to/") { // a place holder
		return true
	}
	if strings.HasPrefix(first, ".") && !x.places.HasFolder(first) { // files that the program keeps at run time
		return true
	}
	switch path.Ext(m.path) {
	case ".log", ".db", ".sqlite", ".sqlite3", ".lock", ".pid", ".env", ".out", ".zip", ".exe", ".tmp", ".jsonl", ".csv", ".png", ".pdf":
		return true
	}
	line := strings.ToLower(x.c.Line(m.line))
	before, after, _ := strings.Cut(line, strings.ToLower(m.path))
	before, after = before[max(0, len(before)-60):], after[:min(len(after), 40)]
	return slices.ContainsFunc(denyingWords, func(w string) bool { return strings.Contains(before, w) }) ||
		slices.ContainsFunc(denyingAfter, func(w string) bool { return strings.Contains(after, w) })
}

// fileStem returns the name of a file without extension.
func fileStem(p string) string { return strings.TrimSuffix(path.Base(p), path.Ext(p)) }

// declaringFiles returns the files of declarations. For an imported name these are only the files of its module, because other
// modules' declarations of that name are different things.
func declaringFiles(rows []store.SymbolRow, module string) (files []string) {
	for i := range rows {
		p := rows[i].Path
		of := module == "" || strings.Contains("/"+p, "/"+module+".") || strings.Contains("/"+p, "/"+module+"/")
		if of && !slices.Contains(files, p) {
			files = append(files, p)
		}
	}
	return files
}

// hasModuleQualifier reports whether a name has a qualifier that is probably a module or value, as path.join, which mostly belongs to a
// library.
func hasModuleQualifier(name string) bool {
	return strings.Contains(name, ".") && strings.ToLower(name[:1]) == name[:1]
}

// matchingRows returns the declarations that a name, perhaps qualified, may mean.
func matchingRows(rows []store.SymbolRow, name string) []store.SymbolRow {
	var out []store.SymbolRow
	for i := range rows {
		r := &rows[i]
		if r.Kind.IsText() {
			continue
		}
		whole := r.Qualified == name || strings.HasSuffix(r.Qualified, "."+name)
		imported := strings.HasSuffix(name, "."+r.Name) && !strings.Contains(r.Qualified, ".") // module.name
		if whole || imported || !strings.Contains(name, ".") {
			out = append(out, *r)
		}
	}
	return out
}

// checkSignatures compares the declarations that the plan has copied with those in the code.
func (x *checker) checkSignatures(ctx context.Context) error {
	of := map[string][]view.Symbol{}
	for i := range x.c.Signatures {
		g := &x.c.Signatures[i]
		c := Claim{Name: g.Name, Kind: "declaration", File: g.File, Line: g.Line, Part: claim.Reading.String(), Says: g.Text}
		real, ok, _ := x.places.Find(g.File)
		id := x.places.FileID(real)
		switch {
		case !ok && x.isAbsentFile(g.File):
			if err := x.checkFileless(g, &c); err != nil {
				return err
			}
		case !ok && (x.writes[g.File] || x.isWrittenFileName(g.File)):
			c.Verdict = ToBeMade
		case !ok && x.otherMaker(g.File) != "":
			c.Verdict, c.Is = ToBeMade, x.otherMaker(g.File)
		case id == 0:
			c.Verdict = NotJudged
		default:
			list, read := of[real]
			if !read {
				var err error
				if list, err = x.s.Symbols(ctx, real); err != nil {
					return err
				}
				of[real] = list
			}
			if err := x.checkSignature(ctx, g, &c, real, list); err != nil {
				return err
			}
		}
		x.r.Signatures = append(x.r.Signatures, c)
	}
	return nil
}

// isAbsentFile reports whether a file that the plan names was found absent.
func (x *checker) isAbsentFile(name string) bool {
	return slices.ContainsFunc(x.r.Files, func(f Claim) bool { return f.Name == name && f.Verdict == Absent })
}

// checkFileless judges a copied declaration of a file that is absent: so is the declaration, or it is near if another file declares its
// name. The file is the issue, and is one already.
func (x *checker) checkFileless(g *claim.Signature, c *Claim) error {
	name := code.LastSegment(g.Name)
	rows, err := x.s.SymbolsNamed(name)
	if err != nil {
		return err
	}
	switch rows = view.WithoutTexts(rows); {
	case len(rows) > 0:
		c.Verdict, c.Near = Near, firstFiles(rows)
	case x.namerOf(name) != "":
		c.Verdict, c.Is = ToBeMade, x.namerOf(name)
	default:
		c.Verdict = Absent
	}
	return nil
}

// firstFiles returns the first three files of declarations.
func firstFiles(rows []store.SymbolRow) (files []string) {
	for i := range rows {
		if len(files) < 3 && !slices.Contains(files, rows[i].Path) {
			files = append(files, rows[i].Path)
		}
	}
	return files
}

// checkSignature compares one copied declaration with those of the file that the plan gives as its origin.
func (x *checker) checkSignature(ctx context.Context, g *claim.Signature, c *Claim, real string, list []view.Symbol) error {
	var there []*view.Symbol
	for i := range list {
		if y := &list[i]; y.Qualified == g.Name || y.Name == code.LastSegment(g.Name) && !y.Kind.IsText() {
			there = append(there, y)
		}
	}
	if len(there) == 0 {
		return x.checkUndeclared(ctx, g, c, real)
	}
	c.Verdict = Found
	if !g.HasList || slices.ContainsFunc(there, func(y *view.Symbol) bool { return !y.Kind.IsFunction() || sameParams(g.Params, y.Params) }) {
		return nil
	}
	c.Verdict, c.Is = Near, there[0].Signature
	level, hint := "blocker", "plan with the declaration that is there"
	if x.writes[real] {
		level, hint = "info", "the plan writes this file, so the difference may be what it is about"
	}
	x.addIssue("signatures", level, "", g.Line, hint, "%s in %s is %s", g.Name, real, there[0].Signature)
	return nil
}

// checkUndeclared judges a copied declaration that its file does not have.
func (x *checker) checkUndeclared(ctx context.Context, g *claim.Signature, c *Claim, real string) error {
	text, err := x.s.Text(ctx, real)
	if err != nil {
		return err
	}
	name := code.LastSegment(g.Name)
	switch {
	case bytes.Contains(text, []byte(name)):
		c.Verdict = Found // it passes the name on, or declares it in a way that is not read
	case x.earlierMaker(real) != "":
		c.Verdict, c.Is = ToBeMade, x.earlierMaker(real) // which writes the file before
	case x.namerOf(name) != "":
		c.Verdict, c.Is = ToBeMade, x.namerOf(name)
	case x.writes[real] && x.declares[name] && !x.existing[name]:
		c.Verdict = ToBeMade
	case strings.ToUpper(name) == name:
		c.Verdict = NotJudged // the method of a route, which many files have
	default:
		c.Verdict = Absent
		rows, err := x.s.SymbolsNamed(name)
		if err != nil {
			return err
		}
		c.Near = firstFiles(view.WithoutTexts(rows))
		hint := "look up what it is called now"
		if len(c.Near) > 0 {
			hint = "it is declared in " + strings.Join(c.Near, ", ")
		}
		level := "blocker"
		if x.writes[real] {
			level = "warning" // it may show what the file is going to have
		}
		x.addIssue("signatures", level, "", g.Line, hint, "%s declares no %s", real, g.Name)
	}
	return nil
}

// sameParams reports whether two parameter lists have the same names, at the positions where both have names.
func sameParams(plan []string, params []code.Param) bool {
	clean := func(s string) string { return strings.ToLower(strings.Trim(s, "_*&.…? ")) }
	var a, b []string
	for _, p := range plan {
		if n := clean(p); n != "self" && n != "cls" && n != "this" {
			a = append(a, n)
		}
	}
	for _, p := range params {
		if n := clean(p.Name); n != "self" && n != "cls" && n != "this" {
			b = append(b, n)
		}
	}
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		unnamed := a[i] == "" || b[i] == ""
		destructured := strings.ContainsAny(a[i]+b[i], "{[(")
		if !unnamed && !destructured && a[i] != b[i] {
			return false
		}
	}
	return true
}
