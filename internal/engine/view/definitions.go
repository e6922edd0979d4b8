package view

import (
	"context"
	"errors"
	"ken/internal/code"
	"ken/internal/engine/store"
	"path"
	"slices"
	"strings"
)

// Target is what an argument names: a file, or symbols.
type Target struct {
	File    string
	Symbols []Symbol
}

// Target finds an indexed file, else symbols.
func (s *Snapshot) Target(_ context.Context, arg string) (Target, error) {
	f, ok, err := s.Index.FileByPath(path.Clean(arg))
	if err != nil {
		return Target{}, err
	}
	if ok {
		return Target{File: f.Path}, nil
	}
	syms, simple, err := s.definitions(arg)
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

// Definitions finds the definitions of a name. It may be narrowed: "Type.method" by
// the enclosing declaration, "pkg.Name" by the package, module or directory,
// "path:Name" by the file or a directory above it.
func (s *Snapshot) Definitions(_ context.Context, name string) ([]Symbol, error) {
	found, simple, err := s.definitions(name)
	if err == nil && len(found) == 0 {
		err = s.noSymbol(name, simple)
	}
	return found, err
}

// noSymbol says that a name has no definition, and which names come near it.
func (s *Snapshot) noSymbol(name, simple string) error {
	near, err := s.nearNames(simple)
	return errors.Join(&code.NotFoundError{What: "symbol", Name: name, Near: near}, err)
}

// definitions is Definitions, without an error if there are none; simple is the name
// without what narrows it.
func (s *Snapshot) definitions(name string) (found []Symbol, simple string, err error) {
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
		return nil, simple, err
	}
	if byPath {
		rows = slices.DeleteFunc(rows, func(row store.SymbolRow) bool { return !pathFits(row.Path, where) })
	}
	rows = s.narrow(rows, qualifier)
	if len(rows) == 0 && qualifier != "" { // a name with a dot in it: a heading, a key
		if rows, err = s.Index.SymbolsNamed(rest); err != nil {
			return nil, simple, err
		}
		if byPath {
			rows = slices.DeleteFunc(rows, func(row store.SymbolRow) bool { return !pathFits(row.Path, where) })
		}
	}
	if found := Declared(rows); len(found) > 0 && !byPath {
		rows = found
	}
	found, err = s.Detail(rows)
	return found, simple, err
}

// Declared are the rows that are no parts of texts or data. A name means its
// declarations; headings, keys and the like are meant where there are none, or
// where the file is named.
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
