package entity

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// Limits of the lists on a derived page, so that it stays below MaxPage.
const (
	maxExports    = 8
	maxLinked     = 8
	maxExternal   = 6
	maxSignature  = 70
	maxExportDoc  = 90
	maxDependents = 6
)

// Derived is the content of a file's page that ken computes from the index, but for its purpose.
type Derived struct {
	Head
	Exports    []Export
	Exported   int // in all
	Internal   []Linked
	External   []string
	Dependents []Linked // those that most others depend on first
	Users      int      // dependents in all
}

// Export is one name that a file offers.
type Export struct{ Name, Kind, Signature, Doc string }

// Linked is another file with its id and, if known, its purpose.
type Linked struct{ ID, Path, Purpose string }

// APIHash returns a hash of the names, kinds and signatures of a file's exported declarations, or of its top-level ones if
// it has no exports. A page is stale when the hash has changed; changes of comments, imports or bodies leave it alone. It
// fails if the index cannot be read.
func APIHash(ctx context.Context, s *view.Snapshot, f *code.File) (string, error) {
	list, err := exportedSymbols(ctx, s, f)
	if err != nil {
		return "", err
	}
	rows := make([]string, len(list))
	for i := range list {
		rows[i] = fmt.Sprintf("%s %s %s", list[i].Kind, list[i].Qualified, list[i].Signature)
	}
	slices.Sort(rows) // the order of declarations is not part of the API
	h := sha256.Sum256([]byte(strings.Join(rows, "\n")))
	return hex.EncodeToString(h[:8]), nil
}

// exportedSymbols returns the declarations of a file that others can use, members too; if there are none, the top-level ones.
func exportedSymbols(ctx context.Context, s *view.Snapshot, f *code.File) ([]view.Symbol, error) {
	if f.Problem != code.ProblemNone {
		return nil, nil
	}
	list, err := s.Symbols(ctx, f.Path)
	if err != nil {
		return nil, err
	}
	exports, err := s.Exports(ctx, f.Path)
	if err != nil {
		return nil, err
	}
	named := map[string]bool{}
	for i := range exports {
		named[exports[i].Name], named[exports[i].Local] = true, true
	}
	var out, top []view.Symbol
	shown := make([]bool, len(list)) // by place in the file: a member is offered with what is around it
	for i := range list {
		y := &list[i]
		if y.Kind.IsText() {
			continue
		}
		if y.Parent < 0 {
			top = append(top, *y)
			shown[i] = named[y.Name] || len(exports) == 0 && y.Exported
		} else if int(y.Parent) < i {
			shown[i] = shown[y.Parent] && y.Exported
		}
		if shown[i] {
			out = append(out, *y)
		}
	}
	if len(out) == 0 {
		return top, nil
	}
	return out, nil
}

// Derive computes the page of a file. It fails if the index cannot be read.
func Derive(ctx context.Context, s *view.Snapshot, f *code.File) (*Derived, error) {
	h := Head{ID: f.Slug, Path: f.Path, Type: lang.NodeType(*f), Status: Active, Lines: f.Lines, Complexity: code.Complexity(*f)}
	d := &Derived{Head: h}
	var err error
	if d.API, err = APIHash(ctx, s, f); err != nil {
		return nil, err
	}
	if err := d.setExports(ctx, s, f); err != nil {
		return nil, err
	}
	return d, d.setLinks(ctx, s, f)
}

func (d *Derived) setExports(ctx context.Context, s *view.Snapshot, f *code.File) error {
	list, err := exportedSymbols(ctx, s, f)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(y view.Symbol) bool { return y.Parent >= 0 })
	d.Exported = len(list)
	grade := func(y *view.Symbol) int {
		switch {
		case y.Kind.IsType():
			return 0
		case y.Kind.IsFunction():
			return 1
		}
		return 2
	}
	slices.SortStableFunc(list, func(a, b view.Symbol) int { return cmp.Compare(grade(&a), grade(&b)) })
	for i := range list[:min(len(list), maxExports)] {
		y := &list[i]
		d.Exports = append(d.Exports, Export{y.Name, y.Kind.String(), y.Signature, code.FirstSentence(y.Doc)})
	}
	return nil
}

func (d *Derived) setLinks(ctx context.Context, s *view.Snapshot, f *code.File) error {
	out, err := s.Index.EdgesFrom(f.ID)
	if err != nil {
		return err
	}
	var to []int64
	for _, e := range out {
		if e.Relation.Depends() {
			to = append(to, e.Target)
		}
	}
	if d.Internal, _, err = linkedFiles(s, to, maxLinked); err != nil {
		return err
	}
	for i := range d.Internal {
		l := &d.Internal[i]
		t, ok, err := s.Index.FileByPath(l.Path)
		if err != nil {
			return err
		}
		if ok {
			l.Purpose = code.Purpose(t)
		}
	}
	in, err := s.Index.EdgesTo(f.ID)
	if err != nil {
		return err
	}
	var from []int64
	for _, e := range in {
		if e.Relation.Depends() {
			from = append(from, e.Source)
		}
	}
	if d.Dependents, d.Users, err = linkedFiles(s, from, maxDependents); err != nil {
		return err
	}
	imports, err := s.Imports(ctx, f.Path)
	if err != nil && f.Problem == code.ProblemNone {
		return err
	}
	for i := range imports {
		if m := &imports[i]; m.External != "" && !m.Std && !slices.Contains(d.External, m.External) {
			d.External = append(d.External, m.External)
		}
	}
	slices.Sort(d.External)
	return nil
}

// maxRows is the number of files, dependencies or dependents, that are read to choose those that a page shows.
const maxRows = 200

// linkedFiles returns the files with the ids, those with most dependents first, and their number.
func linkedFiles(s *view.Snapshot, ids []int64, most int) (out []Linked, all int, err error) {
	slices.Sort(ids)
	ids = slices.Compact(ids)
	var files []code.File
	for _, id := range ids[:min(len(ids), maxRows)] {
		f, ok, err := s.Index.FileByID(id)
		if err != nil {
			return nil, 0, err
		}
		if ok {
			files = append(files, f)
		}
	}
	slices.SortFunc(files, func(a, b code.File) int {
		return cmp.Or(cmp.Compare(b.Dependents, a.Dependents), cmp.Compare(a.Path, b.Path))
	})
	for _, f := range files[:min(len(files), most)] {
		out = append(out, Linked{ID: f.Slug, Path: f.Path})
	}
	return out, len(ids), nil
}

// UnknownPurpose is the purpose on a page if none is known.
const UnknownPurpose = "unknown"

// Page returns the derived page of a file with a purpose, "" if none is known.
func (d *Derived) Page(purpose string) *Page {
	p := &Page{Head: d.Head, Title: path.Base(d.Path)}
	p.Set(Purpose, cmp.Or(purpose, UnknownPurpose))
	p.Set(KeyExports, d.exportTable())
	p.Set(Dependencies, d.dependencyList())
	p.Set(Dependents, d.DependentList())
	return p
}

func (d *Derived) exportTable() string {
	if len(d.Exports) == 0 {
		return ""
	}
	rows := []string{"| Export | Type | Description |", "|--------|------|-------------|"}
	for _, e := range d.Exports {
		name := e.Name
		if strings.HasPrefix(e.Signature, "func") || strings.Contains(e.Signature, e.Name+"(") {
			name = e.Signature[max(0, strings.Index(e.Signature, e.Name)):]
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |", tableCell(name, maxSignature), e.Kind, tableCell(e.Doc, maxExportDoc)))
	}
	if n := d.Exported - len(d.Exports); n > 0 {
		rows = append(rows, fmt.Sprintf("\n… (%d total)", d.Exported))
	}
	return strings.Join(rows, "\n")
}

// tableCell returns a text for a cell of a table, cut to at most most bytes.
func tableCell(s string, most int) string {
	s = strings.Join(strings.Fields(strings.NewReplacer("|", "¦", "`", "'").Replace(s)), " ")
	if len(s) > most {
		s = s[:code.CutLength(s, most)] + "…"
	}
	return s
}

func (d *Derived) dependencyList() string {
	var b strings.Builder
	if len(d.Internal) > 0 {
		b.WriteString("**Internal:**\n")
		for _, l := range d.Internal {
			fmt.Fprintf(&b, "- [[%s]]%s\n", l.ID, dashIfEmpty(l.Purpose))
		}
	}
	if len(d.External) > 0 {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("**External:**\n")
		for _, e := range d.External[:min(len(d.External), maxExternal)] {
			fmt.Fprintf(&b, "- `%s`\n", tableCell(e, maxSignature))
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

func dashIfEmpty(s string) string {
	if s == "" {
		return ""
	}
	return " - " + tableCell(s, maxExportDoc)
}

// DependentList returns the text of the section of dependents.
func (d *Derived) DependentList() string {
	if len(d.Dependents) == 0 {
		return ""
	}
	rows := []string{"Files that import from this module:"}
	for _, l := range d.Dependents {
		rows = append(rows, fmt.Sprintf("- [[%s]]", l.ID))
	}
	if d.Users > len(d.Dependents) {
		rows = append(rows, fmt.Sprintf("- ... (%d total)", d.Users))
	}
	return strings.Join(rows, "\n")
}

// Refresh updates the computed parts of a written page: the front matter except type, author, day and the hash for which the
// text was written, and the list of dependents. It reports whether the page has changed. The text stays.
func (p *Page) Refresh(d *Derived) bool {
	before := p.String()
	h := &p.Head
	h.ID, h.Path, h.Lines, h.Complexity = d.ID, d.Path, d.Lines, d.Complexity
	if h.Status != Deprecated {
		h.Status = Active
		if h.API != "" && h.API != d.API {
			h.Status = Stale
		}
	}
	if h.Seen = d.API; h.Seen == h.API {
		h.Seen = ""
	}
	p.Set(Dependents, d.DependentList())
	return p.String() != before
}
