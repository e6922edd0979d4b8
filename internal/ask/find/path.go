package find

import (
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/search"
	"ken/internal/engine/words"
	"ken/internal/lang"
)

// admits reports whether a file passes the filters of a query.
func admits(q *search.Filters, f *code.File) bool {
	any := func(list []string, ok func(string) bool) bool { return len(list) == 0 || slices.ContainsFunc(list, ok) }
	lower := strings.ToLower(f.Path)
	return any(q.Types, func(t string) bool { return t == lang.NodeType(*f) }) &&
		any(q.Langs, func(l string) bool { return l == string(f.Lang) || "."+l == path.Ext(lower) }) &&
		any(q.Paths, func(p string) bool {
			p = strings.ToLower(strings.Trim(p, "/"))
			return strings.HasPrefix(lower, p) || strings.Contains(lower, "/"+p) || lower == p
		}) &&
		(q.Test == "" || (q.Test == "yes") == f.Class.Has(code.ClassTest))
}

// pathWeigher rates paths by the words of a query.
type pathWeigher struct {
	weight map[words.Term]float32
	total  float32
}

func newPathWeigher(q *search.Query, idf []float32) *pathWeigher {
	w := &pathWeigher{weight: map[words.Term]float32{}}
	for i := range q.Terms {
		t := &q.Terms[i]
		w.weight[t.Term] = t.Weight * idf[i]
		w.total += t.Weight * idf[i]
	}
	w.total = max(w.total, 1)
	return w
}

// path gives the share of the query's weight that a file's own name holds, the
// share of that name's words the query has, the share its directories hold, and
// whether the name as a whole is said.
func (w *pathWeigher) path(split *words.Splitter, p string) (base, cover, dirs, exact float32) {
	name := path.Base(p)
	stem := strings.TrimSuffix(name, path.Ext(name))
	dir := path.Dir(p)
	if stem == "index" || stem == "mod" || stem == "__init__" || stem == "main" || stem == "lib" { // named by its directory
		stem = path.Base(dir)
	}
	n, found := 0, 0
	for _, k := range split.Word(stem) {
		if n++; n == 1 && w.weight[k.Term] > 0 && !k.Part {
			exact = 1
		}
		if v := w.weight[k.Term]; v > 0 {
			base += v
			found++
		}
	}
	if n > 0 {
		cover = float32(found) / float32(n)
	}
	seen := map[words.Term]bool{}
	for _, k := range split.Word(dir) {
		if !seen[k.Term] {
			seen[k.Term] = true
			dirs += w.weight[k.Term]
		}
	}
	return base / w.total, cover, dirs / w.total, exact
}

// company rates candidates by the rest of their directory.
func (f *finder) company() error {
	dirs := map[string]float32{}
	total := float32(0)
	for i := range f.cands {
		if c := &f.cands[i]; isSubject(c) {
			dirs[path.Dir(c.file.Path)] += f.feats[i][search.FBody]
			total += f.feats[i][search.FBody]
		}
	}
	for i := range f.cands {
		if c := &f.cands[i]; isSubject(c) && total > 0 {
			f.feats[i][search.FSiblings] = (dirs[path.Dir(c.file.Path)] - f.feats[i][search.FBody]) / total
		}
	}
	return nil
}

func isSubject(c *candidate) bool {
	return !c.file.Class.Has(code.ClassTest | code.ClassDocument)
}

// maxStrong is the number of candidates, best first, that others are compared with.
const maxStrong = 4

// beside rates the candidates that stand in the directory of a strong one.
func (f *finder) beside() error {
	order := f.order()
	for rank, j := range order[:min(maxStrong, len(order))] {
		strong := &f.cands[j].file
		for i := range f.cands {
			c := &f.cands[i]
			if i != j && path.Dir(c.file.Path) == path.Dir(strong.Path) && c.file.Class.Kind() == strong.Class.Kind() {
				x := &f.feats[i][search.FSameDir]
				*x = max(*x, 1/(1+0.5*float32(rank)))
			}
		}
	}
	return nil
}
