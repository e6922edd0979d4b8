package view

import (
	"bytes"
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"unicode"

	"ken/internal/code"
	"ken/internal/engine/graph/infer"
	"ken/internal/engine/store"
	"ken/internal/lang"
)

// Target is the meaning of a command's argument: a file, or symbols.
type Target struct {
	File    string
	Symbols []Symbol
}

// Target finds the indexed file that an argument names or, if there is none, the symbols. It fails with code.NotFoundError if it finds
// neither.
func (s *Snapshot) Target(ctx context.Context, arg string) (Target, error) {
	f, ok, err := s.Index.FileByPath(path.Clean(arg))
	if err != nil {
		return Target{}, err
	}
	if ok {
		return Target{File: f.Path}, nil
	}
	syms, simple, err := s.definitions(ctx, arg)
	switch {
	case err == nil && len(syms) == 0 && looksLikePath(arg):
		return Target{}, s.noFileError(arg)
	case err == nil && len(syms) == 0:
		return Target{}, s.noSymbolError(arg, simple)
	}
	return Target{Symbols: syms}, err
}

func looksLikePath(arg string) bool {
	return strings.Contains(arg, "/") && !strings.Contains(arg, ":")
}

// Definitions finds the definitions of a name. The name may be qualified: "Type.method" by the enclosing declaration or by a type that
// inherits it, "pkg.Name" by the package, module or directory, "path:Name" by the file or a directory above it. A place, path:line, names
// the declaration around it. It fails with code.NotFoundError if there is none.
func (s *Snapshot) Definitions(ctx context.Context, name string) ([]Symbol, error) {
	found, simple, err := s.definitions(ctx, name)
	if err == nil && len(found) == 0 {
		err = s.noSymbolError(name, simple)
	}
	return found, err
}

// noSymbolError returns the error for a name without a definition, with the names similar to it.
func (s *Snapshot) noSymbolError(name, simple string) error {
	if where, _, ok := cutPlace(name); ok {
		if _, ok, err := s.Index.FileByPath(where); !ok && err == nil {
			return s.noFileError(where)
		}
	}
	near, err := s.nearMembers(name, simple)
	if err == nil && len(near) == 0 {
		near, err = s.nearNames(simple)
	}
	return errors.Join(&code.NotFoundError{What: "symbol", Name: name, Near: near}, err)
}

// definitions finds the definitions of a name, also in the notations of languages and their tools, and returns an empty list if there are
// none; simple is the name without its path and qualifier.
func (s *Snapshot) definitions(ctx context.Context, name string) (found []Symbol, simple string, err error) {
	if where, line, ok := cutPlace(name); ok {
		rows, err := s.declarationsAt(where, line)
		if err == nil && len(rows) > 0 {
			found, err = s.Detail(rows)
		}
		return found, "", err
	}
	found, simple, err = s.spelled(ctx, name)
	if err != nil || len(found) > 0 {
		return found, simple, err
	}
	other, err := s.cutNode(name)
	if other = respell(other); err != nil || other == name || other == "" {
		return nil, simple, err
	}
	return s.spelled(ctx, other)
}

// spelled finds the definitions of a name in ken's own notation.
func (s *Snapshot) spelled(ctx context.Context, name string) (found []Symbol, simple string, err error) {
	where, rest, byPath := cutPath(name)
	qualifier, simple := splitName(rest)
	rows, err := s.Index.SymbolsNamed(simple)
	if err != nil {
		return nil, simple, err
	}
	named := rows
	if byPath {
		rows = slices.DeleteFunc(slices.Clone(rows), func(row store.SymbolRow) bool { return !pathFits(row.Path, where) })
	}
	all := rows
	if qualifier != "" {
		if rows, err = s.described(rows, qualifier); err == nil && len(rows) == 0 {
			rows, err = s.inNamespace(ctx, all, qualifier)
		}
		if err == nil && len(rows) == 0 {
			rows, err = s.inherited(ctx, where, qualifier, named)
		}
		if err != nil {
			return nil, simple, err
		}
	}
	if len(rows) == 0 && qualifier != "" { // a name with a dot in it: a heading, a key
		if rows, err = s.Index.SymbolsNamed(rest); err != nil {
			return nil, simple, err
		}
		if byPath {
			rows = slices.DeleteFunc(rows, func(row store.SymbolRow) bool { return !pathFits(row.Path, where) })
		}
	}
	if len(rows) == 0 {
		if rows, err = s.unnamedExports(where, rest); err != nil {
			return nil, simple, err
		}
	}
	if found := WithoutTexts(rows); len(found) > 0 && !byPath {
		rows = found
	}
	found, err = s.Detail(rows)
	return found, simple, err
}

// unnamedExports returns the default exports without a name in the files, below where, that a name fits, because importers give
// them the name of the file: isStream for is-stream.js.
func (s *Snapshot) unnamedExports(where, name string) ([]store.SymbolRow, error) {
	rows, err := s.Index.SymbolsNamed("default")
	words := foldName(name)
	return slices.DeleteFunc(rows, func(row store.SymbolRow) bool {
		stem := strings.TrimSuffix(row.Path, path.Ext(row.Path))
		stem = path.Base(strings.TrimSuffix(stem, "/index"))
		return row.Qualified != row.Name || foldName(stem) != words || where != "" && !pathFits(row.Path, where)
	}), err
}

// foldName returns the letters and digits of a name in lower case, so that is-stream, is_stream and isStream are the same.
func foldName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// splitName cuts a name at its last separator; dots separate the qualifier. The # of a private member of a script is part of its name.
func splitName(name string) (qualifier, simple string) {
	simple = name
	if i := strings.LastIndexAny(name, ".#"); i > 0 && i < len(name)-1 {
		if name[i] == '#' && name[i-1] == '.' {
			i--
		}
		qualifier, simple = name[:i], name[i+1:]
	}
	if i := strings.LastIndex(name, "::"); i > len(qualifier) && i < len(name)-2 { // of A::b.c and a.B::c the last one
		qualifier, simple = name[:i], name[i+2:]
	}
	return strings.ReplaceAll(qualifier, "::", "."), simple
}

// WithoutTexts removes the rows of headings, keys and other parts of texts or data, because a name usually means a
// declaration. It returns all rows if no other rows remain.
func WithoutTexts(rows []store.SymbolRow) []store.SymbolRow {
	var out []store.SymbolRow
	for _, row := range rows {
		if !row.Kind.IsText() {
			out = append(out, row)
		}
	}
	return out
}

// filterByQualifier keeps the rows that a qualifier describes: by the enclosing declaration or, at the top level, by package,
// file or directory. If there are none, it compares the qualifier with the packages of members ("store.Get" for
// Store.Get of package store), then with parts of the path.
func (s *Snapshot) filterByQualifier(rows []store.SymbolRow, qualifier string) []store.SymbolRow {
	if qualifier == "" {
		return rows
	}
	var exact, loose []store.SymbolRow
	for _, row := range rows {
		switch {
		case s.isQualifiedBy(row, qualifier, false):
			exact = append(exact, row)
		case s.isQualifiedBy(row, qualifier, true):
			loose = append(loose, row)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	if len(loose) > 0 {
		return loose
	}
	return slices.DeleteFunc(slices.Clone(rows), func(row store.SymbolRow) bool { return !leadsTo(row, qualifier) })
}

// described keeps the rows that a qualifier describes: in C and C++ those that it describes by namespaces, which qualified names leave out,
// or by another name of a type (typedef struct a b), else as filterByQualifier does.
func (s *Snapshot) described(rows []store.SymbolRow, qualifier string) ([]store.SymbolRow, error) {
	outer, own := splitName(qualifier)
	if own == qualifier {
		outer = ""
	}
	types, err := s.Index.SymbolsNamed(own)
	if err != nil {
		return nil, err
	}
	names := []string{qualifier}
	for _, t := range s.filterByQualifier(types, outer) {
		if n, ok := s.Lookup.NodeByID(t.FileID); ok && t.Kind == code.KindType && n.Traits().Prototypes {
			names = append(names, s.InferredTypes().OtherNames(infer.Decl{Def: NewDef(n, &t)})...)
		}
	}
	var fits, others []store.SymbolRow
	for _, row := range rows {
		n, ok := s.Lookup.NodeByID(row.FileID)
		if !ok || !n.Traits().Prototypes || row.Kind.IsText() {
			others = append(others, row)
			continue
		}
		space, enum, _ := strings.Cut(s.Details.Namespaces(row.FileID, row.Parent), "/")
		within := strings.Trim(space+"."+row.Symbol.Container(), ".")
		isNamed := func(name string) bool { return isEnd(within, name) || enum != "" && isEnd(space+"."+enum, name) }
		if slices.ContainsFunc(names, isNamed) {
			fits = append(fits, row)
		}
	}
	if len(fits) == 0 {
		return s.filterByQualifier(rows, qualifier), s.Lookup.Err
	}
	return append(fits, s.filterByQualifier(others, qualifier)...), s.Lookup.Err
}

// isEnd reports whether a dotted path ends with another.
func isEnd(path, end string) bool { return path == end || strings.HasSuffix(path, "."+end) }

// maxOpened is the number of files that inNamespace reads to find the namespaces that they declare.
const maxOpened = 20

// inNamespace keeps the rows whose file declares the namespace that the qualifier ends with. It reads the text in
// those languages where a macro before a namespace can hide it from the parser.
func (s *Snapshot) inNamespace(ctx context.Context, rows []store.SymbolRow, qualifier string) (out []store.SymbolRow, err error) {
	opening := []byte("namespace " + code.LastSegment(qualifier))
	opened := 0
	for _, row := range rows {
		f, err := s.FileByID(row.FileID)
		if err != nil {
			return nil, err
		}
		hidden := lang.Of(f.Lang).Prototypes && !row.Kind.IsText()
		if !hidden || opened == maxOpened {
			continue
		}
		opened++
		text, err := s.Text(ctx, f.Path)
		if err != nil {
			return nil, err
		}
		if i := bytes.Index(text, opening); i >= 0 && !isWordByte(text, i+len(opening)) {
			out = append(out, row)
		}
	}
	return out, nil
}

// isWordByte reports whether the byte at an offset of a text is part of a word.
func isWordByte(text []byte, at int) bool {
	const letters = "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return at < len(text) && strings.IndexByte(letters, text[at]) >= 0
}

// leadsTo reports whether the segments of a qualifier occur in order among the directories, the file and the
// declarations around a symbol. The last segment must be right before the symbol, or be the file's directory:
// "tokio.sync" leads to Semaphore in tokio/src/sync/semaphore.rs, which a module above exports again.
func leadsTo(row store.SymbolRow, qualifier string) bool {
	stem := strings.TrimSuffix(row.Path, path.Ext(row.Path))
	way := strings.Split(stem, "/")
	dirs := len(way) - 1
	if c := row.Symbol.Container(); c != "" {
		way = append(way, strings.Split(c, ".")...)
	}
	want := strings.Split(qualifier, ".")
	at, last := 0, -1
	for i, seg := range way {
		if at < len(want) && seg == want[at] {
			at, last = at+1, i
		}
	}
	return at == len(want) && (last == len(way)-1 || last == dirs-1 || last == dirs)
}

// cutPath splits path:Name at the last colon. It reports false for a name with "::" in it, which separates qualifiers.
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

// isQualifiedBy reports whether a qualifier describes the place of a symbol: the end of its qualified name, its package,
// its module's file name or its directory. With loose it also accepts weaker matches.
func (s *Snapshot) isQualifiedBy(row store.SymbolRow, q string, loose bool) bool {
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
	for _, outer := range []string{strings.ReplaceAll(f.Package, `\`, "."), dotted, dir} {
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
