package view

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"ken/internal/engine/store"
)

// separators are the marks between the parts of a name in languages and in the output of their tools.
var separators = strings.NewReplacer("\\", ".", "::$", ".", "::", ".", "->", ".", "?.", ".", ".prototype.", ".", "#", ".")

// respell returns a name of a language's own notation in that of ken, or the name itself: (*Server).Serve of Go, App\User::save of PHP,
// <Style as FromStr>::from_str of Rust, Map.prototype.get of scripts, run/2 of Elixir, Base#go(int) of Javadoc, a call, a reference, or an
// annotation.
func respell(name string) string {
	plain := strings.TrimLeft(strings.TrimSpace(name), "&*@")
	plain = withoutGroups(plain)
	if i := strings.LastIndexByte(plain, '/'); i > 0 && isNumber(plain[i+1:]) {
		plain = plain[:i]
	}
	path, rest, byPath := cutPath(plain)
	if !byPath {
		rest = plain
	}
	rest = strings.Trim(separators.Replace(rest), ".:")
	for _, own := range []string{"crate.", "self.", "this.", "$this."} {
		rest = strings.TrimPrefix(rest, own)
	}
	if byPath {
		return path + ":" + rest
	}
	return rest
}

// withoutGroups removes the arguments of types and calls from a name, and the brackets around a receiver. A name whose brackets do not
// match stays as it is.
func withoutGroups(name string) string {
	var out strings.Builder
	for i := 0; i < len(name); i++ {
		end := groupEnd(name[i:])
		switch {
		case end < 0:
			return name
		case end == 0:
			out.WriteByte(name[i])
			continue
		}
		inside := name[i+1 : i+end]
		if typ, _, ok := strings.Cut(inside, " as "); ok {
			inside = typ
		}
		inside = strings.TrimLeft(inside[strings.LastIndexByte(inside, ' ')+1:], "*&")
		if isReceiver := i+end+1 < len(name) && (i == 0 || name[i-1] == '.'); isReceiver {
			out.WriteString(inside)
		}
		i += end
	}
	return out.String()
}

// groupEnd returns the offset of the bracket that matches the first byte of a text, 0 if that is no bracket, -1 if there is no match.
func groupEnd(text string) int {
	const opening, closing = "([<", ")]>"
	kind := strings.IndexByte(opening, text[0])
	if kind < 0 {
		return 0
	}
	depth := 0
	for i := range len(text) {
		switch {
		case text[i] == opening[kind]:
			depth++
		case text[i] == closing[kind] && text[i-1] != '-':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func isNumber(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsDigit(r) })
}

// cutNode splits the id of a test that pytest prints, tests/test_a.py::TestA::test_b, at the end of the path of an indexed file.
func (s *Snapshot) cutNode(name string) (string, error) {
	where, rest, ok := strings.Cut(name, "::")
	if !ok {
		return name, nil
	}
	if _, ok, err := s.Index.FileByPath(where); !ok || err != nil {
		return name, err
	}
	return where + ":" + strings.ReplaceAll(rest, "::", "."), nil
}

// cutPlace splits a place as compilers and traces print it, path:line or path:line:column. ok is false for other names.
func cutPlace(name string) (where string, line uint32, ok bool) {
	where, number, ok := cutPath(name)
	if !ok || !isNumber(number) {
		return "", 0, false
	}
	if outer, first, ok := cutPath(where); ok && isNumber(first) {
		where, number = outer, first
	}
	n, err := strconv.ParseUint(number, 10, 32)
	return where, uint32(n), err == nil
}

// declarationsAt returns the innermost declarations at a line of a file. What a function declares for itself belongs to it.
func (s *Snapshot) declarationsAt(where string, line uint32) (at []store.SymbolRow, err error) {
	f, ok, err := s.Index.FileByPath(where)
	if !ok || err != nil {
		return nil, err
	}
	rows, err := s.Index.Symbols(f.ID)
	for i := range rows {
		row := &rows[i]
		isLocal := row.Parent >= 0 && rows[row.Parent].Kind.IsFunction() && !row.Kind.IsFunction() && !row.Kind.IsType()
		if isLocal || line < row.Span.Line || row.Span.EndLine < line {
			continue
		}
		row.Path = f.Path
		at = slices.DeleteFunc(at, func(outer store.SymbolRow) bool { return outer.Span.Contains(row.Span) && outer.Span != row.Span })
		at = append(at, *row)
	}
	return at, err
}
