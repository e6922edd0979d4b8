package brief

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"ken/internal/ask/filename"
	"ken/internal/ask/find"
	"ken/internal/ask/impact/describe"
	"ken/internal/code"
	"ken/internal/engine/search"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/engine/words"
)

// Limits of the search for documents that describe a declaration the goal names.
const (
	briefDescribed = 2       // documents that are listed
	maxGoalNames   = 4       // names that are looked for
	maxRead        = 16      // documents that are read
	maxReadBytes   = 1 << 18 // size of a document that is read
	maxLines       = 8       // lines of one document that describe names
)

// describing is a document that describes a declaration.
type describing struct {
	path  string
	names []string // in the order of the goal
	title bool     // the name of its file is that of a declaration
	lines int      // lines that describe one
	score float64  // words of the goal that it has
}

// documentSearch finds documents that describe declarations.
type documentSearch struct {
	ctx   context.Context
	s     *view.Snapshot
	found *find.Found // of the goal
	split *words.Splitter
	skip  func(*code.File) bool // documents that help with no goal
}

// described returns the documents about declarations that the goal names, best first: those whose file has the name of one, or in which a
// heading, a row of a table, an item of a list or a definition describes one.
func (x *documentSearch) described() (list []describing, err error) {
	names, err := x.goalNames()
	if err != nil || len(names) == 0 {
		return nil, err
	}
	var docs []describing
	ids := map[int64]store.DocumentRow{}
	for d, err := range x.s.Index.Documents() {
		if err != nil {
			return nil, err
		}
		f := code.File{ID: d.ID, Path: d.Path, Class: d.Class}
		if d.Class.Has(code.ClassChangelog|code.ClassGenerated|code.ClassVendored) || x.skip(&f) || find.Aside(x.found.Query, &f) {
			continue
		}
		ids[d.ID] = d
		if own := titleNames(d.Path, names); len(own) > 0 {
			docs = append(docs, describing{path: d.Path, names: own, title: true, score: x.wordScore(d.ID)})
		}
	}
	if docs, err = x.holding(docs, ids, names); err != nil {
		return nil, err
	}
	return x.readDescribing(docs, names)
}

// goalNames returns the last parts of the names in the goal that are written as code and that something outside of documents declares, in
// the order of the goal.
func (x *documentSearch) goalNames() (names []string, err error) {
	q := x.found.Query
	for _, m := range slices.Concat(q.Names, q.Paths) {
		name := m.Text[strings.LastIndexAny(m.Text, ".:#/")+1:]
		if len(name) < 3 || slices.Contains(names, name) || len(names) == maxGoalNames {
			continue
		}
		rows, err := x.s.Index.SymbolsNamed(name)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(rows, func(r store.SymbolRow) bool { return !r.Kind.IsText() }) {
			names = append(names, name)
		}
	}
	return names, nil
}

// titleNames returns those of the names that the name of a file consists of, in singular or plural.
func titleNames(p string, names []string) (out []string) {
	own := filename.Words(strings.TrimSuffix(path.Base(p), path.Ext(p)))
	for _, name := range names {
		same := slices.EqualFunc(own, filename.Words(name), func(x, y string) bool { return filename.Singular(x) == filename.Singular(y) })
		if same {
			out = append(out, name)
		}
	}
	return out
}

// wordScore returns how well a file fits the words of the goal.
func (x *documentSearch) wordScore(id int64) float64 {
	doc, ok := x.found.Index.Doc(id)
	if !ok {
		return 0
	}
	return float64(x.found.Scores.Body[doc] + x.found.Scores.Named[doc])
}

// holding adds the documents that hold one of the names, those that best fit the goal, up to maxRead in all.
func (x *documentSearch) holding(docs []describing, ids map[int64]store.DocumentRow, names []string) ([]describing, error) {
	var more []describing
	known := map[string]bool{}
	for i := range docs {
		known[docs[i].path] = true
	}
	var postings []search.Posting
	var err error
	for _, name := range names {
		if postings, err = x.found.Index.Postings(postings[:0], wholeTerm(x.split, name)); err != nil {
			return nil, err
		}
		for _, p := range postings {
			d, ok := ids[x.found.Index.File(int(p.Doc))]
			if ok && !known[d.Path] {
				known[d.Path] = true
				more = append(more, describing{path: d.Path, score: x.wordScore(d.ID)})
			}
		}
	}
	byScore := func(x, y describing) int {
		return cmp.Or(cmp.Compare(y.score, x.score), strings.Compare(x.path, y.path))
	}
	slices.SortFunc(docs, byScore)
	slices.SortFunc(more, byScore)
	docs = append(docs, more...)
	return docs[:min(len(docs), maxRead)], nil
}

// wholeTerm returns the term under which a name as a whole is searched for.
func wholeTerm(split *words.Splitter, name string) (t words.Term) {
	split.Each([]byte(name), func(start, _ int, toks []words.Token) {
		if start == 0 && len(toks) > 0 {
			t = toks[0].Term
		}
	})
	return t
}

// readDescribing reads documents, and returns those that describe a name, best first.
func (x *documentSearch) readDescribing(docs []describing, names []string) (out []describing, err error) {
	sure := describe.Names{}
	for _, name := range names {
		sure[name] = describe.Certainty(name, filename.IsGeneric(name))
	}
	for i := range docs {
		d := &docs[i]
		f, ok, err := x.s.Index.FileByPath(d.path)
		if err != nil {
			return nil, err
		}
		if !ok || f.Stat.Size > maxReadBytes {
			continue
		}
		text, err := x.s.Text(x.ctx, d.path)
		if err != nil {
			return nil, err
		}
		lines := describe.Lines(text, sure, maxLines)
		d.lines = len(lines)
		for _, l := range lines {
			if !slices.Contains(d.names, l.Name) {
				d.names = append(d.names, l.Name)
			}
		}
		if len(d.names) > 0 {
			out = append(out, *d)
		}
	}
	slices.SortFunc(out, func(x, y describing) int {
		return cmp.Or(cmp.Compare(len(y.names), len(x.names)), boolOrder(x.title, y.title), cmp.Compare(y.score, x.score),
			cmp.Compare(y.lines, x.lines), strings.Compare(x.path, y.path))
	})
	return out, nil
}

// boolOrder sorts true before false.
func boolOrder(x, y bool) int {
	switch {
	case x == y:
		return 0
	case x:
		return -1
	}
	return 1
}
