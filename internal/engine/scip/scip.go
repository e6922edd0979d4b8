// Package scip reads and writes SCIP indexes (github.com/sourcegraph/scip,
// scip.proto), by which code indexers exchange definitions and references. It knows
// the wire format and the syntax of symbols, nothing of ken's index: engine/update
// and engine/view translate. Messages are read and written one document at a time,
// over small structs instead of generated code, because ken needs twenty of the
// format's eighty fields.
//
// # The part of the format used here
//
// An index is a protobuf message: metadata (1), documents (2), symbols defined
// elsewhere (3). A document has a path relative to metadata's project root, a
// position encoding, occurrences and symbols. An occurrence has a range of
// 0-based lines and characters ([line, start, end] or [line, start, line, end]), a
// symbol and roles. A symbol is
//
//	scheme ' ' manager ' ' package ' ' version ' ' descriptors   or   "local " id
//
// where a descriptor is name/ (namespace), name# (type), name. (term),
// name(disambiguator). (method), name: (meta), name! (macro), [name] (type
// parameter) or (name) (parameter); names of other than plain signs are put
// between backticks.
package scip

import (
	"errors"
	"strings"
)

// Metadata describes an index: its project and the tool that wrote it.
type Metadata struct {
	ProjectRoot string // a URI: "file:///src/app"
	Tool        string
	Version     string
}

// Encoding is the unit in which the characters of a position are counted, from the
// start of the line.
type Encoding int32

// The encodings; the values are the format's.
const (
	EncodingUnknown Encoding = iota
	UTF8                     // bytes
	UTF16
	UTF32
)

// Document is one file of an index.
type Document struct {
	Path        string // relative to the project root
	Language    string
	Text        string // the file's content, if the indexer embedded it
	HasText     bool
	Encoding    Encoding
	Occurrences []Occurrence
	Symbols     []Symbol
}

// Position is a 0-based line and character.
type Position struct{ Line, Char int32 }

// Range is a half-open range of positions.
type Range struct{ Start, End Position }

// Occurrence is one place where a symbol is named.
type Occurrence struct {
	Range     Range
	Symbol    string
	Roles     int32
	Enclosing *Range // of a definition: the whole declaration
}

// Roles of an occurrence; they are combined.
const (
	RoleDefinition  = 1
	RoleImport      = 2
	RoleWriteAccess = 4
	RoleReadAccess  = 8
	RoleTest        = 32
)

// Symbol describes a symbol where it is defined.
type Symbol struct {
	Symbol        string
	Name          string // as shown
	Kind          int32
	Documentation string
	Signature     string
	Language      string   // of the signature
	Implements    []string // symbols it implements
}

// ErrInvalid reports bytes that are not a SCIP index. It does not wrap code.ErrDamaged, because the file is the user's
// and rebuilding ken's index would not repair it.
var ErrInvalid = errors.New("not a SCIP index, or a damaged one")

// IsLocal reports whether a symbol can only be referred to inside its document.
func IsLocal(symbol string) bool { return strings.HasPrefix(symbol, "local ") }

// Global joins the parts of a symbol. Empty parts are written as ".".
func Global(scheme, manager, pkg, version string, descriptors ...string) string {
	var b strings.Builder
	for _, p := range []string{scheme, manager, pkg, version} {
		if p == "" {
			p = "."
		}
		b.WriteString(strings.ReplaceAll(p, " ", "  "))
		b.WriteByte(' ')
	}
	for _, d := range descriptors {
		b.WriteString(d)
	}
	return b.String()
}

// Namespace returns the descriptor of a package or module.
func Namespace(name string) string { return identifier(name) + "/" }

// Type returns the descriptor of a type.
func Type(name string) string { return identifier(name) + "#" }

// Term returns the descriptor of a value or field.
func Term(name string) string { return identifier(name) + "." }

// Macro returns the descriptor of a macro.
func Macro(name string) string { return identifier(name) + "!" }

// Method returns the descriptor of a function. The disambiguator, of plain signs,
// distinguishes functions of the same name.
func Method(name, disambiguator string) string {
	return identifier(name) + "(" + disambiguator + ")."
}

func identifier(name string) string {
	if name == "" {
		return "``"
	}
	for i := range len(name) {
		if !plain(name[i]) {
			return "`" + strings.ReplaceAll(name, "`", "``") + "`"
		}
	}
	return name
}

// plain reports whether a sign may be in a name without backticks.
func plain(c byte) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		return true
	}
	return strings.IndexByte("_+-$", c) >= 0
}

// LastName returns the name in the last descriptor of a symbol, "" if it has none or is
// local.
func LastName(symbol string) string {
	if IsLocal(symbol) || symbol == "" {
		return ""
	}
	s := symbol[:len(symbol)-1]
	switch symbol[len(symbol)-1] {
	case '.': // term, or the end of a method
		if strings.HasSuffix(s, ")") {
			i := strings.LastIndexByte(s, '(')
			if i < 0 {
				return ""
			}
			s = s[:i]
		}
	case '#', '/', ':', '!', ']', ')':
	default:
		return ""
	}
	if strings.HasSuffix(s, "`") {
		return escapedName(s[:len(s)-1])
	}
	i := len(s)
	for i > 0 && plain(s[i-1]) {
		i--
	}
	return s[i:]
}

// escapedName returns the name before a closing backtick.
func escapedName(s string) string {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] != '`' {
			continue
		}
		if i > 0 && s[i-1] == '`' {
			i-- // an escaped one
			continue
		}
		return strings.ReplaceAll(s[i+1:], "``", "`")
	}
	return ""
}
