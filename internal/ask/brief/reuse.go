package brief

import (
	"cmp"
	"slices"
	"strings"

	"ken/internal/ask/find"
	"ken/internal/code"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// Reusable is an existing declaration that may do a part of the work.
type Reusable struct {
	Path    string
	Name    string // qualified
	Kind    code.Kind
	Line    int
	Doc     string // first sentence of its doc comment
	Users   int    // other files that use its name
	Shared  bool   // several declarations have the name, so that users may mean another one
	Unused  bool   // it is proven that nothing in the repository uses it; set by the caller of Make
	Public  bool   // code outside the repository can use it; set with Unused
	ofFile  int64
	ord     int32
	symbol  store.SymbolRow
	fitness float64

	namesakes int
}

// reuseFiles is the number of files whose declarations are looked at.
const reuseFiles = 16

// notReusable are classes of files whose helpers are not for other code.
const notReusable = code.ClassTest | code.ClassDocument | code.ClassData | code.ClassExample | code.ClassGenerated | code.ClassVendored

// reuse finds little-used helpers whose names share words with the goal.
func (b *briefer) reuse() error {
	var list []Reusable
	for i := range b.found.Files[:min(len(b.found.Files), reuseFiles)] {
		f := &b.found.Files[i]
		if f.Class.Has(notReusable) {
			continue
		}
		rows, err := find.SymbolRows(b.s, f.ID)
		if err != nil {
			return err
		}
		for j := range rows[:min(len(rows), find.MaxRated)] {
			if r, ok := b.reusable(&rows[j], f.Path, lang.NodeType(f.File)); ok {
				list = append(list, r)
			}
		}
	}
	byFit := func(x, y Reusable) int {
		return cmp.Or(cmp.Compare(y.fitness, x.fitness), strings.Compare(x.Path, y.Path), cmp.Compare(x.Line, y.Line))
	}
	slices.SortFunc(list, byFit)
	list = list[:min(len(list), 4*briefReuse)]
	for i := range list {
		if err := b.countUsers(&list[i]); err != nil {
			return err
		}
	}
	list = slices.DeleteFunc(list, func(r Reusable) bool {
		named := false // on the card of its file
		if i, ok := b.place[r.ofFile]; ok {
			c := &b.out.Modify[i]
			named = slices.Contains(c.Exports, r.symbol.Name) ||
				slices.ContainsFunc(c.Spots, func(s find.FoundSymbol) bool { return s.Name == r.Name })
		}
		shape := false // only describes data, such as the options of one function
		switch r.Kind {
		case code.KindInterface, code.KindType, code.KindEnum, code.KindUnion:
			shape = r.Users == 0
		}
		return r.namesakes > maxNamesakes || r.Users > 0 && named || shape
	})
	slices.SortFunc(list, byFit)
	list = withoutDeclarations(list)
	list = list[:min(len(list), briefReuse)]
	for i := range list {
		if err := b.addDoc(&list[i]); err != nil {
			return err
		}
	}
	b.out.Reuse = list
	return nil
}

// withoutDeclarations leaves out what is declared again with a body, as an overload or in another file.
func withoutDeclarations(list []Reusable) (out []Reusable) {
	lines := func(r *Reusable) uint32 { return r.symbol.Span.EndLine - r.symbol.Span.Line }
	for i := range list {
		longer := slices.ContainsFunc(list, func(o Reusable) bool { return o.Name == list[i].Name && lines(&o) > lines(&list[i]) })
		if !longer {
			out = append(out, list[i])
		}
	}
	return out
}

// isHelper reports whether a declaration has a telling name and can be called or built on from elsewhere.
func isHelper(row *store.SymbolRow) bool {
	switch {
	case len(row.Name) < 4, row.Kind == code.KindConstructor:
		return false
	case row.Kind == code.KindMethod:
		return row.Exported
	}
	return row.Parent < 0 && (row.Kind.IsFunction() || row.Kind.IsType())
}

// reusable rates a declaration: its name holds at least two words of the goal, or one that weighs much and is nearly the whole name;
// or its file's name is made of the goal's words.
func (b *briefer) reusable(row *store.SymbolRow, p, kind string) (r Reusable, ok bool) {
	if !isHelper(row) {
		return r, false
	}
	weight, hits, terms := b.overlap(row.Name)
	share := weight / max(b.total, 1)
	several := hits >= 2 && share >= 0.28 && 2*hits >= terms
	nearlyAll := hits == 1 && share >= 0.3 && terms <= 2
	fits := several || nearlyAll
	if !fits && row.Exported && row.Parent < 0 {
		var n int
		if weight, hits, n = b.overlap(view.Stem(p)); hits >= 2 && hits == n {
			fits, terms = true, n+1
		}
	}
	if !fits {
		return r, false
	}
	r = Reusable{Path: p, Name: row.Qualified, Kind: row.Kind, Line: int(row.Span.Line), ofFile: row.FileID, ord: row.Ord, symbol: *row}
	r.symbol.Path = p
	r.fitness = weight * float64(hits) / float64(terms)
	if kind == "util" || kind == "hook" {
		r.fitness *= 1.3
	}
	if row.Kind == code.KindMethod {
		r.fitness *= 0.6
	}
	if !row.Exported {
		r.fitness *= 0.7
	}
	return r, true
}

// countUsers counts the other files that use the name. Few users raise the fitness, because a popular helper is known anyway.
func (b *briefer) countUsers(r *Reusable) error {
	n, err := b.s.Index.NameCount(r.symbol.Name)
	if err != nil {
		return err
	}
	r.Users, r.Shared, r.namesakes = n.Files, n.Defs > 1, n.Defs
	if n.Files <= maxReuseUsers {
		r.Users = 0
		ids, err := b.s.Index.Referrers(r.symbol.Name)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if id != r.ofFile {
				r.Users++
			}
		}
	}
	switch {
	case r.Users == 0:
		r.fitness *= 1.5
	case r.Users > maxReuseUsers:
		r.fitness *= 0.6
	}
	return nil
}

// maxNamesakes is the number of declarations that may share a helper's name. A name that is declared more often is a hook of a
// framework, not a helper.
const maxNamesakes = 3

// maxReuseUsers is the largest number of using files at which a helper counts as little known.
const maxReuseUsers = 12

func (b *briefer) addDoc(r *Reusable) error {
	packed, err := b.s.OpenFacts(r.ofFile)
	if err != nil || packed == nil {
		return err
	}
	docs, err := packed.AllDetails()
	if int(r.ord) < len(docs) {
		r.Doc = code.FirstSentence(docs[r.ord].Doc)
	}
	return err
}

// Declaration returns the declaration as a symbol.
func (r *Reusable) Declaration() view.Symbol {
	return view.Symbol{Symbol: r.symbol.Symbol, ID: code.SymbolID{File: r.ofFile, Ord: r.ord}.Pack(), Path: r.Path}
}
