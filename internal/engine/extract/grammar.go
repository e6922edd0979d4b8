package extract

import "unsafe"

// kind numbers the grammar symbols that a reader uses, field the fields. Each language
// declares its own constants from 1; 0 is every symbol or field it does not name.
type (
	kind  uint16
	field uint8
)

// spec describes the grammar of a language. Kinds and fields are indexed by the
// language's constants; anonymous symbols (keywords, punctuation) are written with a
// leading apostrophe ("'static") because many share their text with a named one.
type spec struct {
	language func() unsafe.Pointer
	kinds    []string
	fields   []string
	comments []kind // comment nodes: cut from signatures, searched for docs
	branches []kind // each adds one to Facts.Branches
	optional []kind // tokens whose absence loses nothing, such as the semicolon after a macro that is a loop
	noted    []kind // listed by survey in tree.noted, so that a reader finds them without a walk
	quotes   string // characters that open a string, for signatures
	lines    bool   // in braces, a line break may end a member, for signatures
	work     uint64 // replaces workPerByte if that is less
}

// grammar is a spec with its names translated to the numbers of the grammar's own tables.
type grammar struct {
	ptr    unsafe.Pointer
	kinds  []kind  // by symbol id
	fields []field // by field id
	roles  []role  // by kind
	quotes string
	lines  bool
	work   uint64
}

type role uint8

const (
	roleComment role = 1 << iota
	roleBranch
	roleNoted
	roleOptional
)

// newGrammar looks up the names of s in its grammar. It returns those that the grammar
// does not have, so that a test can require that there are none: an update of a grammar
// must not silently lose a symbol.
func newGrammar(s *spec) (g *grammar, unknown []string) {
	g = &grammar{ptr: s.language(), roles: make([]role, len(s.kinds)), quotes: s.quotes, lines: s.lines, work: s.work}
	symbols, fields := grammarNames(g.ptr)
	var missing []string
	g.kinds, unknown = number[kind](symbols, s.kinds)
	g.fields, missing = number[field](fields, s.fields)
	for _, k := range s.comments {
		g.roles[k] |= roleComment
	}
	for _, k := range s.branches {
		g.roles[k] |= roleBranch
	}
	for _, k := range s.optional {
		g.roles[k] |= roleOptional
	}
	for _, k := range s.noted {
		g.roles[k] |= roleNoted
	}
	return g, append(unknown, missing...)
}

// number returns for each name in have its index in want, or 0 if it is not
// there. Several symbols may have one name (aliases).
func number[T kind | field](have, want []string) (ids []T, unknown []string) {
	index := make(map[string]T, len(want))
	for i, name := range want {
		if name != "" {
			index[name] = T(i)
		}
	}
	ids = make([]T, max(len(have), 1))
	seen := make([]bool, len(want))
	for i, name := range have {
		if id, ok := index[name]; ok {
			ids[i], seen[id] = id, true
		}
	}
	for i, name := range want {
		if name != "" && !seen[i] {
			unknown = append(unknown, name)
		}
	}
	return ids, unknown
}
