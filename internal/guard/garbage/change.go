package garbage

import "ken/internal/code"

// Kind is the kind of garbage that a finding is.
type Kind string

// The kinds of findings.
const (
	DebugPrint      Kind = "debug-print"
	CommentedOut    Kind = "commented-out-code"
	LeftTodo        Kind = "left-todo"
	UnrequestedTest Kind = "unrequested-test"
	UnrelatedFile   Kind = "unrelated-file"
	SecretValue     Kind = "secret"
)

// Kinds returns all kinds, in the order of output.
func Kinds() []Kind {
	return []Kind{SecretValue, DebugPrint, CommentedOut, LeftTodo, UnrequestedTest, UnrelatedFile}
}

// Sureness is the probability, in three levels, that a finding is garbage. The measurement in docs/measurements.md counts findings that
// are at least Likely.
type Sureness uint8

// The levels.
const (
	Possible Sureness = iota + 1 // worth a look: the author often means it, as a print in a program that prints
	Likely
	Certain // never intended: a breakpoint, a backup of an editor
)

// String returns the name of the level.
func (s Sureness) String() string {
	return [...]string{"", "possible", "likely", "certain"}[min(s, Certain)]
}

// Finding is a place in a changed file that looks left over or was not requested.
type Finding struct {
	Kind     Kind
	Path     string
	From, To int // lines of the new text, from 1; 0 if it is the whole file
	Why      string
	Sure     Sureness
}

// Change is the set of changed files to judge, with the request that led to it.
type Change struct {
	Request string // the request, in the words of the user
	Files   []File
	Secrets []Secret
	Tree    Tree // nil if there is no index
}

// File is a changed file that still exists.
type File struct {
	Path     string
	Lang     code.Lang
	Class    code.FileClass
	Created  bool
	Binary   bool
	Old, New string // the texts before and after; Old is empty if the file was created
	Added    []Span // the lines of New that are new, in order and without overlap
}

// Span is a range of lines. Both ends are included, and lines are counted from 1.
type Span struct{ From, To int }

// Secret is a credential that the rules of the engine found in an added line.
type Secret struct {
	Path string
	Line int
	Rule string
}

// Tree answers questions about the project before the change, from the index.
type Tree interface {
	// HasFolder reports whether a folder held files.
	HasFolder(dir string) bool
	// HasExtension reports whether any file ended in ext, the dot included.
	HasExtension(ext string) bool
	// Tied reports whether a reference or an import leads from one of the two files to the other.
	Tied(a, b string) bool
}
