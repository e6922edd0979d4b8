package find

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// Card describes one found file for an agent: its purpose, the names it offers and the files on which it depends.
type Card struct {
	code.File
	Purpose  string     // from the file's own doc comment, else from the declaration that fits best
	Exports  []string   // key names it offers, those that fit first
	Offered  int        // number of names it offers
	Deps     []FileLink // files it depends on, those of the answer first
	DepCount int
	External []string // packages outside the repository, standard libraries left out
	Spots    []FoundSymbol
	Why      []string
	Unused   bool // it is proven that nothing in the repository depends on it; set by callers that show it
	Public   bool // code outside the repository can use it; set with Unused

	Declares map[string]bool // names of all its top-level declarations
	Edges    []store.EdgeRow // to the files it depends on
}

// FileLink is a file with its node id.
type FileLink struct{ Path, Slug string }

// Limits of a card's lists.
const (
	cardExports  = 6
	cardDeps     = 5
	cardExternal = 4
	cardSpots    = 3
)

// Cards returns the cards of found files. It returns an error if the index cannot be read or ctx ends.
func Cards(ctx context.Context, s *view.Snapshot, files []FoundFile) ([]Card, error) {
	out := make([]Card, 0, len(files))
	place := map[int64]int{}
	for i := range files {
		place[files[i].ID] = len(files) - i
	}
	for i := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c := Card{File: files[i].File, Why: files[i].Why}
		if err := describeCard(s, &c, files[i].Symbols); err != nil {
			return nil, err
		}
		if err := cardLinks(s, &c, place); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// describeCard sets the purpose, the exports and the declarations of a card. fit holds the declarations of the file that fit the query.
func describeCard(s *view.Snapshot, c *Card, fit []FoundSymbol) error {
	rows, err := SymbolRows(s, c.ID)
	if err != nil {
		return err
	}
	packed, err := s.OpenFacts(c.ID)
	if err != nil || packed == nil {
		c.Purpose = code.FirstSentence(c.Doc)
		return err
	}
	exports, err := packed.Exports()
	if err != nil {
		return err
	}
	c.Declares = map[string]bool{}
	for i := range rows {
		if rows[i].Parent < 0 && !rows[i].Kind.IsText() {
			c.Declares[rows[i].Name] = true
		}
	}
	c.Exports = keyNames(offeredNames(exports, rows), rows, fit)
	c.Offered = len(c.Exports)
	c.Exports = c.Exports[:min(cardExports, len(c.Exports))]
	c.Spots = withBodies(spots(fit), rows)
	if c.Purpose = code.FirstSentence(c.Doc); c.Purpose != "" {
		return nil
	}
	docs, err := packed.AllDetails()
	c.Purpose = borrowedPurpose(rows, docs, c.Exports, c.Spots)
	return err
}

// Offers returns the names that a file offers, types first, then functions; doc returns the doc comment of one of them, "" if it has
// none. It returns an error if the index cannot be read.
func Offers(s *view.Snapshot, id int64) (names []string, doc func(name string) string, err error) {
	none := func(string) string { return "" }
	rows, err := SymbolRows(s, id)
	if err != nil {
		return nil, none, err
	}
	packed, err := s.OpenFacts(id)
	if err != nil || packed == nil {
		return nil, none, err
	}
	exports, err := packed.Exports()
	if err != nil {
		return nil, none, err
	}
	doc = func(name string) string {
		docs, err := packed.AllDetails()
		for i := range rows {
			if o := int(rows[i].Ord); err == nil && rows[i].Parent < 0 && rows[i].Name == name && o < len(docs) {
				return docs[o].Doc
			}
		}
		return ""
	}
	return keyNames(offeredNames(exports, rows), rows, nil), doc, nil
}

// SymbolRows returns the declarations of a file. They are cached in the snapshot, because a brief asks for those of the same files
// more than once. It returns an error if the index cannot be read.
func SymbolRows(s *view.Snapshot, id int64) ([]store.SymbolRow, error) {
	if rows, ok := s.Rows[id]; ok {
		return rows, nil
	}
	rows, err := s.Index.Symbols(id)
	if err != nil {
		return nil, err
	}
	if s.Rows == nil {
		s.Rows = map[int64][]store.SymbolRow{}
	}
	s.Rows[id] = rows
	return rows, nil
}

// spots returns the declarations to begin reading at. It leaves out a type that encloses another of them, and takes tests inside a
// source file only if there is nothing else.
func spots(fit []FoundSymbol) []FoundSymbol {
	var out, tests []FoundSymbol
	for i, f := range fit {
		if slices.ContainsFunc(fit[:i], func(o FoundSymbol) bool { return o.Name == f.Name }) { // overloads
			continue
		}
		around := slices.ContainsFunc(fit, func(o FoundSymbol) bool {
			return strings.HasPrefix(o.Name, f.Name+".") && !strings.HasPrefix(f.Name, "tests")
		})
		switch {
		case f.Kind == code.KindHeading, around && (i > 0 || f.EndLine-f.Line > maxSpot):
		case f.Name == "tests" || strings.HasPrefix(f.Name, "tests."):
			tests = append(tests, f)
		default:
			out = append(out, f)
		}
	}
	if len(out) == 0 {
		out = tests
	}
	return out[:min(len(out), cardSpots)]
}

// withBodies puts the longest declaration of a name in the place of a shorter one: it has the body, where other overloads are signatures
// or call it.
func withBodies(list []FoundSymbol, rows []store.SymbolRow) []FoundSymbol {
	for i := range list {
		f := &list[i]
		for j := range rows {
			r := &rows[j].Span
			if rows[j].Qualified == f.Name && rows[j].Kind == f.Kind && int(r.EndLine-r.Line) > f.EndLine-f.Line {
				f.Line, f.EndLine, f.Signature = int(r.Line), int(r.EndLine), rows[j].Signature
			}
		}
	}
	return list
}

// maxSpot is the length in lines from which on the members of a type are better starting points than the type.
const maxSpot = 120

// offeredNames returns the names a file offers: its exports, else its public declarations at the top level; each once, in source order.
func offeredNames(exports []code.Export, rows []store.SymbolRow) []string {
	var out []string
	seen := map[string]bool{}
	add := func(name string) {
		if name != "" && name != "*" && !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	for i := range exports {
		name := exports[i].Name
		if name == "default" {
			name = cmp.Or(exports[i].Local, name)
		}
		add(name)
	}
	if len(out) > 0 {
		return out
	}
	for i := range rows {
		if r := &rows[i]; r.Parent < 0 && r.Exported && !r.Kind.IsText() {
			add(r.Name)
		}
	}
	return out
}

// keyNames orders offered names: those that fit the query, then types, then functions, then the rest.
func keyNames(names []string, rows []store.SymbolRow, fit []FoundSymbol) []string {
	grade := map[string]int{}
	for i := range rows {
		r := &rows[i]
		if _, ok := grade[r.Name]; ok || r.Parent >= 0 {
			continue
		}
		switch {
		case r.Kind.IsType():
			grade[r.Name] = 1
		case r.Kind.IsFunction():
			grade[r.Name] = 2
		default:
			grade[r.Name] = 3
		}
	}
	for i, f := range fit {
		top, _, _ := strings.Cut(f.Name, ".")
		if g, ok := grade[top]; ok && g > 0 {
			grade[top] = i - len(fit)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(grade[a], grade[b]) })
	return names
}

// borrowedPurpose returns the first sentence of the doc comment of the most telling declaration, for a file without a doc comment of
// its own: one that fits the query, else one the file offers.
func borrowedPurpose(rows []store.SymbolRow, docs []code.Symbol, exports []string, fit []FoundSymbol) string {
	doc := func(ok func(*store.SymbolRow) bool) string {
		for i := range rows {
			if o := int(rows[i].Ord); o < len(docs) && docs[o].Doc != "" && ok(&rows[i]) {
				text := code.FirstSentence(docs[o].Doc)
				if text != "" && !strings.Contains(strings.ToLower(text), strings.ToLower(rows[i].Name)) {
					text = rows[i].Qualified + ": " + text
				}
				return text
			}
		}
		return ""
	}
	for _, f := range fit {
		if text := doc(func(r *store.SymbolRow) bool { return r.Qualified == f.Name && r.Parent < 0 }); text != "" {
			return text
		}
	}
	for _, name := range exports {
		if text := doc(func(r *store.SymbolRow) bool {
			return r.Name == name && r.Parent < 0 && (r.Kind.IsType() || r.Kind.IsFunction())
		}); text != "" {
			return text
		}
	}
	return ""
}

// cardLinks fills in the dependencies of a file. Files of the answer come first, and files with many dependents last, because they are
// the least telling.
func cardLinks(s *view.Snapshot, c *Card, place map[int64]int) (err error) {
	if c.Edges, err = s.Index.EdgesFrom(c.ID); err != nil {
		return err
	}
	var ids []int64
	for _, e := range c.Edges {
		if e.Relation.Depends() && e.Relation != code.RelTests && !slices.Contains(ids, e.Target) {
			ids = append(ids, e.Target)
		}
	}
	c.DepCount = len(ids)
	slices.SortStableFunc(ids, func(a, b int64) int { return cmp.Compare(place[b], place[a]) })
	files, err := Files(s, ids[:min(len(ids), maxCardDeps)])
	if err != nil {
		return err
	}
	slices.SortStableFunc(files, func(a, b code.File) int {
		return cmp.Or(cmp.Compare(place[b.ID], place[a.ID]), cmp.Compare(a.Dependents, b.Dependents), cmp.Compare(a.Path, b.Path))
	})
	for _, f := range files[:min(len(files), cardDeps)] {
		c.Deps = append(c.Deps, FileLink{f.Path, f.Slug})
	}
	links, err := s.Links(c.ID)
	for i := range links {
		if l := &links[i]; l.External != "" && !l.Std && !slices.Contains(c.External, l.External) && len(c.External) < cardExternal {
			c.External = append(c.External, l.External)
		}
	}
	return err
}

// maxCardDeps bounds the dependencies of a file that are read.
const maxCardDeps = 60

// Files returns the files with the given ids, without those that are not indexed. It returns an error if the index cannot be read.
func Files(s *view.Snapshot, ids []int64) ([]code.File, error) {
	out := make([]code.File, 0, len(ids))
	for _, id := range ids {
		f, err := s.FileByID(id)
		if err != nil {
			return nil, err
		}
		if f.ID != 0 {
			out = append(out, f)
		}
	}
	return out, nil
}

// UsedNames returns the names of top-level declarations of a file that another file uses, most used first, at most n. It returns an
// error if the index cannot be read.
func UsedNames(s *view.Snapshot, user int64, of *Card, n int) ([]string, error) {
	packed, err := s.OpenFacts(user)
	if err != nil || packed == nil {
		return nil, err
	}
	refs, err := packed.AllRefs()
	if err != nil {
		return nil, err
	}
	links, err := s.Links(user)
	if err != nil {
		return nil, err
	}
	dir := path.Dir(of.Path)
	count := map[string]int{}
	for i := range refs {
		r := &refs[i]
		if !of.Declares[r.Name] {
			continue
		}
		switch {
		case r.Via == code.ViaImport && int(r.Import) < len(links):
			if l := &links[r.Import]; l.File == of.ID || slices.Contains(l.Dirs, dir) || l.IsPackage {
				count[r.Name]++
			}
		case r.Via == code.ViaBare:
			count[r.Name]++
		}
	}
	var names []string
	for name := range count {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) })
	return names[:min(len(names), n)], nil
}
