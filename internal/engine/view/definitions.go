package view

import (
	"bytes"
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/store"
	"ken/internal/lang"
)

// Target is the meaning of an argument: a file, or symbols.
type Target struct {
	File    string
	Symbols []Symbol
}

// Target finds an indexed file, else symbols. It fails with code.NotFoundError if there is neither.
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
		return Target{}, s.noFile(arg)
	case err == nil && len(syms) == 0:
		return Target{}, s.noSymbol(arg, simple)
	}
	return Target{Symbols: syms}, err
}

func looksLikePath(arg string) bool {
	return strings.Contains(arg, "/") && !strings.Contains(arg, ":")
}

// Definitions finds the definitions of a name. It may be narrowed: "Type.method" by the enclosing declaration,
// "pkg.Name"
// by the package, module or directory, "path:Name" by the file or a directory above it. It fails with code.NotFoundError
// if there is none.
func (s *Snapshot) Definitions(ctx context.Context, name string) ([]Symbol, error) {
	found, simple, err := s.definitions(ctx, name)
	if err == nil && len(found) == 0 {
		err = s.noSymbol(name, simple)
	}
	return found, err
}

// noSymbol returns the error for a name without a definition, with the names similar to it.
func (s *Snapshot) noSymbol(name, simple string) error {
	near, err := s.nearMembers(name, simple)
	if err == nil && len(near) == 0 {
		near, err = s.nearNames(simple)
	}
	return errors.Join(&code.NotFoundError{What: "symbol", Name: name, Near: near}, err)
}

// definitions is Definitions, without an error if there are none; simple is the name without its path and qualifier.
func (s *Snapshot) definitions(ctx context.Context, name string) (found []Symbol, simple string, err error) {
	where, rest, byPath := cutPath(name)
	qualifier, simple := splitName(rest)
	rows, err := s.Index.SymbolsNamed(simple)
	if err != nil {
		return nil, simple, err
	}
	if byPath {
		rows = slices.DeleteFunc(rows, func(row store.SymbolRow) bool { return !pathFits(row.Path, where) })
	}
	all := rows
	if rows = s.narrow(rows, qualifier); len(rows) == 0 && qualifier != "" {
		if rows, err = s.inNamespace(ctx, all, qualifier); err != nil {
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
	if found := WithoutTexts(rows); len(found) > 0 && !byPath {
		rows = found
	}
	found, err = s.Detail(rows)
	return found, simple, err
}

// splitName cuts a name at its last separator; dots separate the qualifier.
func splitName(name string) (qualifier, simple string) {
	simple = name
	if i := strings.LastIndexAny(name, ".#"); i > 0 && i < len(name)-1 {
		qualifier, simple = name[:i], name[i+1:]
	}
	if i := strings.LastIndex(name, "::"); i > 0 && i < len(name)-2 {
		qualifier, simple = name[:i], name[i+2:]
	}
	return strings.ReplaceAll(qualifier, "::", "."), simple
}

// WithoutTexts returns the rows that are no parts of texts or data. A name means its declarations; headings, keys and
// the
// like are meant only if there are none, or if the file is named.
func WithoutTexts(rows []store.SymbolRow) []store.SymbolRow {
	var out []store.SymbolRow
	for _, row := range rows {
		if !row.Kind.IsText() {
			out = append(out, row)
		}
	}
	return out
}

// narrow keeps the rows a qualifier names: by the enclosing declaration or, at the top level, by package, file or
// directory; if
// there are none, members by their package ("store.Get" for Store.Get of package store), then by parts of the path.
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
	if len(loose) > 0 {
		return loose
	}
	return slices.DeleteFunc(slices.Clone(rows), func(row store.SymbolRow) bool { return !leadsTo(row, qualifier) })
}

// maxOpened is the number of files read to see which namespaces they open.
const maxOpened = 20

// inNamespace keeps the rows whose file opens the last namespace of a qualifier, in languages where a macro before it
// can
// hide it from the parser.
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
		if i := bytes.Index(text, opening); i >= 0 && !wordByte(text, i+len(opening)) {
			out = append(out, row)
		}
	}
	return out, nil
}

// wordByte reports whether the byte at a place of a text continues a word.
func wordByte(text []byte, at int) bool {
	const letters = "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return at < len(text) && strings.IndexByte(letters, text[at]) >= 0
}

// leadsTo reports whether the segments of a qualifier occur in order among the directories, the file and the
// declarations
// around a symbol, the last of them right before it or as the file's directory: "tokio.sync" leads to Semaphore in
// tokio/src/sync/semaphore.rs, which a module above exports again.
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

// qualifies reports whether a qualifier names the surroundings of a symbol: the end of its qualified name, its package,
// its
// module's file name or its directory.
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
