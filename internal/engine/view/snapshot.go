// Package view is one consistent view of one revision of the index: files,
// symbols, imports, edges, history, exact bindings and masked text. The questions
// in internal/ask are built on it; it writes nothing but a memo of hot symbols.
package view

import (
	"context"
	"errors"
	"iter"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/engine/facts"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer"
	"ken/internal/engine/resolve"
	"ken/internal/engine/source"
	"ken/internal/engine/source/scan"
	"ken/internal/engine/store"
	"ken/internal/git"
	"ken/internal/lang"
	"ken/internal/token"
)

// Snapshot is an immutable view of one revision. Not safe for concurrent use;
// valid until the function it was handed to returns.
type Snapshot struct {
	Opt   *Options
	Tree  *source.Tree
	Index store.Reader
	*Cached
	paths map[int64]code.File
	exact exactState
	names map[string]*NamedSymbols
	types *infer.Types // made when first needed
	// Rows are the declarations of files, see symbolRows.
	Rows map[int64][]store.SymbolRow
	past historyState
}

// New makes a view of what r reads.
func New(opt *Options, r store.Reader) *Snapshot {
	s := &Snapshot{Opt: opt, Tree: opt.Tree, Index: r, Cached: opt.Memo.recalled(r), paths: map[int64]code.File{}, names: map[string]*NamedSymbols{}}
	s.Lookup.R, s.Details.s = r, s
	return s
}

// Rev is the revision the snapshot shows; 0 if it cannot be read.
func (s *Snapshot) Rev() code.Rev {
	rev, err := store.Revision(s.Index)
	if err != nil {
		return 0
	}
	return rev
}

// Info describes the index.
func (s *Snapshot) Info(ctx context.Context) (Info, error) {
	t, err := s.Index.Totals()
	if err != nil {
		return Info{}, err
	}
	commit, err := s.Index.Meta(store.MetaCommit)
	if err != nil {
		return Info{}, err
	}
	looked, err := s.Index.Meta(store.MetaLooked)
	if err != nil {
		return Info{}, err
	}
	ns, _ := strconv.ParseInt(looked, 10, 64)
	return Info{
		Rev: s.Rev(), Schema: store.Schema, Root: s.Tree.Root(), Commit: commit, Head: s.Tree.HeadCommit(ctx), Looked: time.Unix(0, ns),
		Files: t.Files, Parsed: t.Parsed, Symbols: t.Symbols, Edges: t.Edges, Refs: t.Refs,
		Lines: t.Lines, Bytes: t.Bytes, CL100K: t.CL100K, O200K: t.O200K, DiskUse: s.Opt.Store.Size(),
		Watched: s.Opt.Store.Watched(),
	}, nil
}

// HeadTime is the committer time of HEAD, zero without git or commits.
func (s *Snapshot) HeadTime(ctx context.Context) (time.Time, error) {
	repo, err := git.Find(s.Tree.Root())
	if err != nil {
		return time.Time{}, nil
	}
	h, err := git.Git{}.Head(ctx, repo)
	if err != nil || h.Commit == "" {
		return time.Time{}, nil
	}
	return git.Git{}.CommitTime(ctx, repo, h.Commit)
}

// File is the row of an indexed file.
func (s *Snapshot) File(_ context.Context, p string) (code.File, error) {
	f, ok, err := s.Index.FileByPath(p)
	if err != nil {
		return f, err
	}
	if !ok {
		return f, &code.NotFoundError{What: "file", Name: p, Near: s.nearFiles(p)}
	}
	return f, nil
}

// Files are all indexed files, by path.
func (s *Snapshot) Files(context.Context) iter.Seq2[code.File, error] { return s.Index.Files() }

// Skipped lists what was not read whole, by path.
func (s *Snapshot) Skipped(context.Context) ([]store.Skipped, error) { return s.Index.Skipped() }

// Symbols are the declarations of a file in source order.
func (s *Snapshot) Symbols(ctx context.Context, p string) ([]Symbol, error) {
	f, err := s.File(ctx, p)
	if err != nil {
		return nil, err
	}
	rows, err := s.Index.Symbols(f.ID)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		rows[i].Path = p
	}
	return s.Detail(rows)
}

// Detail fills what the rows leave to the packed facts. All rows of one file
// must be neighbours.
func (s *Snapshot) Detail(rows []store.SymbolRow) ([]Symbol, error) {
	out := make([]Symbol, 0, len(rows))
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].FileID == rows[0].FileID {
			n++
		}
		if err := s.detailFile(rows[:n]); err != nil {
			return nil, err
		}
		for _, row := range rows[:n] {
			out = append(out, Symbol{Symbol: row.Symbol, ID: row.ID().Pack(), Path: row.Path})
		}
		rows = rows[n:]
	}
	return out, nil
}

func (s *Snapshot) detailFile(rows []store.SymbolRow) error {
	blob, err := s.Index.Facts(rows[0].FileID)
	if err != nil || len(blob) == 0 {
		return err
	}
	p, err := facts.Open(blob)
	if err != nil {
		return err
	}
	syms, err := p.AllDetails()
	if err != nil {
		return err
	}
	for i := range rows {
		if o := int(rows[i].Ord); o < len(syms) {
			rows[i].Doc, rows[i].Returns, rows[i].Params = syms[o].Doc, syms[o].Returns, syms[o].Params
		}
	}
	return nil
}

// Packed opens the packed facts of a file; nil if it has none.
func (s *Snapshot) Packed(id int64) (*facts.Packed, error) {
	blob, err := s.Index.Facts(id)
	if err != nil || len(blob) == 0 {
		return nil, err
	}
	return facts.Open(blob)
}

func (s *Snapshot) Links(id int64) ([]graph.Link, error) {
	blob, err := s.Index.Links(id)
	if err != nil {
		return nil, err
	}
	l, err := graph.DecodeLinks(blob)
	if err != nil {
		return nil, err
	}
	return l.Imports, nil
}

// Imports are the imports of a file and where they lead, in source order.
func (s *Snapshot) Imports(ctx context.Context, p string) ([]ResolvedImport, error) {
	f, err := s.File(ctx, p)
	if err != nil {
		return nil, err
	}
	packed, err := s.Packed(f.ID)
	if err != nil || packed == nil {
		return nil, err
	}
	imps, err := packed.Imports()
	if err != nil {
		return nil, err
	}
	links, err := s.Links(f.ID)
	if err != nil {
		return nil, err
	}
	targets, err := s.dirTargets(f.ID)
	if err != nil {
		return nil, err
	}
	out := make([]ResolvedImport, len(imps))
	for i := range imps {
		out[i].Import = imps[i]
		if i < len(links) {
			s.fillTargets(&out[i], f.Lang, &links[i], targets)
		}
	}
	return out, s.Lookup.Err
}

// dirTargets are the files a file imports, by directory and by package.
func (s *Snapshot) dirTargets(id int64) (map[string][]string, error) {
	edges, err := s.Index.EdgesFrom(id)
	if err != nil {
		return nil, err
	}
	out := map[string][]string{}
	for _, e := range edges {
		if n, ok := s.Lookup.NodeByID(e.Target); ok && e.Relation == code.RelImports {
			out[code.Dir(n.Path)] = append(out[code.Dir(n.Path)], n.Path)
			for _, key := range resolve.PackageKeys(n.Lang, n.Package) {
				out[key] = append(out[key], n.Path)
			}
		}
	}
	return out, nil
}

func (s *Snapshot) fillTargets(out *ResolvedImport, l code.Lang, to *graph.Link, targets map[string][]string) {
	out.External, out.Std = to.External, to.Std
	add := func(id int64) {
		if n, ok := s.Lookup.NodeByID(id); ok {
			out.Targets = append(out.Targets, n.Path)
		}
	}
	if to.File != 0 {
		add(to.File)
	}
	for _, sub := range to.Subs {
		add(sub.File)
	}
	for _, d := range to.Dirs {
		out.Dir = to.Dirs[0]
		out.Targets = append(out.Targets, targets[d]...)
	}
	if to.IsPackage {
		out.Package = to.Package
		names := out.Names
		if out.Static && lang.Of(l).StaticTypes { // using static: the type is meant
			last := out.Spec[strings.LastIndexByte(out.Spec, '.')+1:]
			names = []code.ImportName{{Name: last, Alias: last}}
		}
		out.Targets = append(out.Targets, s.declaring(targets[resolve.PackageKey(l, to.Package)], names)...)
	}
	slices.Sort(out.Targets)
	out.Targets = slices.Compact(out.Targets)
}

// declaring keeps the files that declare one of the names an import takes.
func (s *Snapshot) declaring(files []string, names []code.ImportName) []string {
	return slices.DeleteFunc(slices.Clone(files), func(p string) bool {
		n, _ := s.Lookup.Node(p)
		return !slices.ContainsFunc(names, func(m code.ImportName) bool { return m.Name == "*" || s.Lookup.Declares(n.ID, "", m.Name) })
	})
}

// Exports are the names a file offers, in source order.
func (s *Snapshot) Exports(ctx context.Context, p string) ([]code.Export, error) {
	f, err := s.File(ctx, p)
	if err != nil {
		return nil, err
	}
	packed, err := s.Packed(f.ID)
	if err != nil || packed == nil {
		return nil, err
	}
	return packed.Exports()
}

// Target is what an argument names: a file, or symbols.
type Target struct {
	File    string
	Symbols []Symbol
}

// Target finds an indexed file, else symbols.
func (s *Snapshot) Target(ctx context.Context, arg string) (Target, error) {
	f, ok, err := s.Index.FileByPath(path.Clean(arg))
	if err != nil {
		return Target{}, err
	}
	if ok {
		return Target{File: f.Path}, nil
	}
	syms, err := s.Definitions(ctx, arg)
	var missing *code.NotFoundError
	if errors.As(err, &missing) && looksLikePath(arg) {
		return Target{}, &code.NotFoundError{What: "file", Name: arg, Near: s.nearFiles(arg)}
	}
	return Target{Symbols: syms}, err
}

func looksLikePath(arg string) bool {
	return strings.Contains(arg, "/") && !strings.Contains(arg, ":")
}

// Definitions finds the definitions of a name. It may be narrowed: "Type.method" by
// the enclosing declaration, "pkg.Name" by the package, module or directory,
// "path:Name" by the file or a directory above it.
func (s *Snapshot) Definitions(_ context.Context, name string) ([]Symbol, error) {
	where, rest, byPath := cutPath(name)
	qualifier, simple := "", rest
	if i := strings.LastIndexAny(rest, ".#"); i > 0 && i < len(rest)-1 {
		qualifier, simple = rest[:i], rest[i+1:]
	}
	if i := strings.LastIndex(rest, "::"); i > 0 && i < len(rest)-2 {
		qualifier, simple = strings.ReplaceAll(rest[:i], "::", "."), rest[i+2:]
	}
	rows, err := s.Index.SymbolsNamed(simple)
	if err != nil {
		return nil, err
	}
	if byPath {
		rows = slices.DeleteFunc(rows, func(row store.SymbolRow) bool { return !pathFits(row.Path, where) })
	}
	rows = s.narrow(rows, qualifier)
	if len(rows) == 0 && qualifier != "" { // a name with a dot in it: a heading, a key
		if rows, err = s.Index.SymbolsNamed(rest); err != nil {
			return nil, err
		}
		if byPath {
			rows = slices.DeleteFunc(rows, func(row store.SymbolRow) bool { return !pathFits(row.Path, where) })
		}
	}
	if found := Declared(rows); len(found) > 0 && !byPath {
		rows = found
	}
	if len(rows) == 0 {
		near, err := s.nearNames(simple)
		return nil, errors.Join(&code.NotFoundError{What: "symbol", Name: name, Near: near}, err)
	}
	return s.Detail(rows)
}

// Declared are the rows that are no parts of texts or data. A name means its
// declarations; headings, keys and the like are meant where there are none, or
// where the file is told.
func Declared(rows []store.SymbolRow) []store.SymbolRow {
	var out []store.SymbolRow
	for _, row := range rows {
		if !row.Kind.IsText() {
			out = append(out, row)
		}
	}
	return out
}

// narrow keeps the rows a qualifier names: by what encloses them or, at the top
// level, by package, file or directory; if there are none, members by their
// package ("store.Get" for Store.Get of package store).
func (s *Snapshot) narrow(rows []store.SymbolRow, qualifier string) []store.SymbolRow {
	if qualifier == "" {
		return rows
	}
	var exact, loose []store.SymbolRow
	for _, row := range rows {
		switch {
		case s.qualifies(row, qualifier, false):
			exact = append(exact, row)
		case s.qualifies(row, qualifier, true):
			loose = append(loose, row)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return loose
}

// cutPath splits path:Name; a path holds no second colon, so "a::b" is none.
func cutPath(name string) (where, rest string, ok bool) {
	i := strings.LastIndexByte(name, ':')
	if i <= 0 || i == len(name)-1 || name[i-1] == ':' || strings.Contains(name, "::") {
		return "", name, false
	}
	return path.Clean(name[:i]), name[i+1:], true
}

func pathFits(p, where string) bool {
	return p == where || strings.HasPrefix(p, where+"/") || strings.HasSuffix(p, "/"+where)
}

// qualifies reports whether a qualifier names what encloses a symbol: the end
// of its qualified name, its package, its module's file name or its directory.
func (s *Snapshot) qualifies(row store.SymbolRow, q string, loose bool) bool {
	full := row.Symbol.Container()
	if full == q || strings.HasSuffix(full, "."+q) {
		return true
	}
	f, err := s.FileByID(row.FileID)
	if err != nil {
		return false
	}
	stem := strings.TrimSuffix(f.Path, path.Ext(f.Path))
	stem = strings.TrimSuffix(strings.TrimSuffix(stem, "/__init__"), "/index")
	dotted := strings.ReplaceAll(stem, "/", ".")
	dir := strings.ReplaceAll(code.Dir(f.Path), "/", ".")
	for _, outer := range []string{f.Package, dotted, dir} {
		if outer == "" {
			continue
		}
		for _, inner := range []string{"", "." + full} {
			if inner == "." {
				continue
			}
			whole := outer + inner
			if inner == "" && full != "" && !loose {
				continue
			}
			if whole == q || strings.HasSuffix(whole, "."+q) {
				return true
			}
		}
	}
	return false
}

func (s *Snapshot) FileByID(id int64) (code.File, error) {
	if f, ok := s.paths[id]; ok {
		return f, nil
	}
	f, _, err := s.Index.FileByID(id)
	if err == nil {
		s.paths[id] = f
	}
	return f, err
}

// Pending is the number of files that differ from what the index holds. It
// only looks; Update applies.
func (s *Snapshot) Pending(ctx context.Context) (int, error) {
	sc, err := s.Tree.Scanner()
	if err != nil {
		return 0, err
	}
	prev, err := source.ReadListing(s.Index)
	if err != nil {
		return 0, err
	}
	now, err := sc.List(ctx, prev)
	if err != nil {
		return 0, err
	}
	added, changed, deleted := scan.Diff(prev, now)
	n := len(added) + len(deleted)
	r, err := s.Tree.NewReader(nil)
	if err != nil {
		return 0, err
	}
	for _, p := range append(changed, now.Racy...) {
		f, ok, err := s.Index.FileByPath(p)
		if err != nil {
			return 0, err
		}
		if !ok || r.Differs(ctx, p, f.Hash) {
			n++
		}
	}
	return n, nil
}

// Tokens counts a file as it is on disk now.
func (s *Snapshot) Tokens(ctx context.Context, p string) (token.Size, error) {
	return s.Tree.Tokens(ctx, p)
}
