// Package code is ken's vocabulary: the plain values that describe a
// repository (files, symbols, references, imports, edges, changes), and the errors
// that several packages share. It does no I/O and imports no other package of ken; every
// other package uses its terms.
//
// Paths are relative to the project root and separated by '/'. They may contain any
// bytes that git allows, so a path need not be UTF-8. Byte offsets count bytes of
// the file on disk; lines are counted from 1.
package code

import (
	"slices"
	"strings"
)

// Lang is the name of a language ("go", "typescript", …), a key of the table in
// internal/lang. It is empty if the language is unknown.
type Lang string

// Span is a place in a file: bytes [Start, End) and the 1-based lines of the first and
// last byte.
type Span struct {
	Start, End    uint32
	Line, EndLine uint32
}

// Contains reports whether o lies within s.
func (s Span) Contains(o Span) bool { return s.Start <= o.Start && o.End <= s.End }

// Kind classifies a symbol.
type Kind uint8

// The kinds of symbols. The values are stored in indexes; append only.
const (
	KindUnknown     Kind = iota
	KindFunction         // function or procedure outside a class
	KindMethod           // function of a class, struct, interface, trait or impl
	KindConstructor      // constructor of a class
	KindClass
	KindStruct
	KindInterface // interface or protocol
	KindTrait
	KindType // alias or defined type that is none of the others
	KindEnum
	KindEnumMember
	KindField    // struct, class or interface data member
	KindConstant // constant of package, module or class level
	KindVariable // variable of package, module or class level
	KindModule   // module or namespace block written in the source (Rust mod, TS namespace)
	KindMacro
	KindUnion
	KindMessage  // record of an interface definition (Protobuf message)
	KindService  // service of an interface definition
	KindTable    // database table
	KindView     // database view
	KindIndex    // database index
	KindTrigger  // database trigger
	KindResource // object that a manifest describes (Kubernetes object, Terraform resource)
	KindTarget   // target of a build file: Make target, Dockerfile stage
	KindHeading  // heading of a document
	KindKey      // key of a data file
	KindSelector // class, id or placeholder selector of a style sheet
	KindElement  // element of a page that has an id
)

var kindNames = [...]string{"unknown", "function", "method", "constructor", "class", "struct", "interface", "trait",
	"type", "enum", "enum_member", "field", "constant", "variable", "module", "macro", "union",
	"message", "service", "table", "view", "index", "trigger", "resource", "target", "heading", "key", "selector", "element"}

// String returns the kind's name as printed in answers ("enum_member").
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// KindNames returns the names of all kinds.
func KindNames() []string { return slices.Clone(kindNames[1:]) }

// ParseKind returns the kind of a name as String prints it, and reports whether there is one.
func ParseKind(s string) (Kind, bool) {
	for i, n := range kindNames {
		if n == s && i > 0 {
			return Kind(i), true
		}
	}
	return KindUnknown, false
}

// IsType reports whether symbols of this kind name a type.
func (k Kind) IsType() bool {
	switch k {
	case KindClass, KindStruct, KindInterface, KindTrait, KindType, KindEnum, KindUnion, KindMessage, KindService, KindTable, KindView:
		return true
	}
	return false
}

// IsText reports whether symbols of this kind are parts of a text or of data. A name in
// code never refers to them, so they do not compete with declarations for it.
func (k Kind) IsText() bool {
	switch k {
	case KindResource, KindTarget, KindHeading, KindKey, KindSelector, KindElement:
		return true
	}
	return false
}

// IsFunction reports whether symbols of this kind can be called as functions.
func (k Kind) IsFunction() bool {
	return k == KindFunction || k == KindMethod || k == KindConstructor || k == KindMacro
}

// Param is one parameter of a function. Type and Default are source text, empty
// if the source has none.
type Param struct {
	Name     string `json:"name"`
	Type     string `json:"type,omitempty"`
	Optional bool   `json:"optional"`
	Default  string `json:"default,omitempty"`
}

// Symbol is one declaration.
type Symbol struct {
	Name string
	// Qualified is the dotted path of the enclosing declarations and the name,
	// without package or module: "Server.Start", "outer.inner". A Go method is
	// "Type.Method" wherever it is declared.
	Qualified string
	Kind      Kind
	// Span is the declaration node, without doc comment and decorators. One
	// name of a shared declaration (`var a, b int`, a const in a group) has its
	// own spec's span.
	Span Span
	// NameStart is the byte offset of the name itself.
	NameStart uint32
	// Parent is the index in Facts.Symbols of the symbol whose declaration
	// encloses this one, -1 at the top. Parents come before their children.
	Parent int32
	// Signature is the declaration on one line, runs of white space collapsed,
	// without body, doc comment and decorators.
	Signature string
	// Doc is the doc comment's text without comment marks, at most MaxDoc bytes.
	Doc     string
	Params  []Param
	Returns string // return type as written, "" if none
	// Exported symbols are visible outside their file (Go, Java: their package;
	// JS/TS: their module; Python: no leading underscore, and in __all__ if there is one).
	Exported bool
}

// Container returns the qualified name of the declaration around a symbol, or "" at the top.
func (s *Symbol) Container() string {
	if n := len(s.Qualified) - len(s.Name) - 1; n > 0 && s.Qualified[n+1:] == s.Name {
		return s.Qualified[:n]
	}
	return ""
}

// MaxDoc is the number of bytes of a doc comment that are kept, and
// MaxSignature the number of bytes of a signature. Both are cut at a rune boundary.
const (
	MaxDoc       = 1024
	MaxSignature = 512
)

// ImportKind classifies the way in which a file names another.
type ImportKind uint8

// The kinds of imports. The values are stored in indexes; append only.
const (
	ImportStatic   ImportKind = iota // import statement, use declaration
	ImportDynamic                    // import("x"), importlib.import_module("x")
	ImportRequire                    // require("x")
	ImportTypeOnly                   // import type
	ImportReexport                   // export … from "x", pub use
	ImportMod                        // Rust `mod x;`
	// ImportPath is a qualified path written where it is used, without an import
	// (Rust `crate::a::f()`, Java `com.x.Foo.f()`); Names are those taken from it.
	ImportPath
	ImportMention // a path named in prose, data or a command; the file may not exist
	ImportOrigin  // the file this one was generated from, by the generator's own header
	ImportTable   // the database table of a model; Spec is its name
)

// ImportName is one name taken from an imported module. Name is the name in that
// module ("*" for all, "default" for a JS default import), Alias the local name.
// Alias is never empty: without renaming it equals Name ("*" for a bare wildcard).
type ImportName struct{ Name, Alias string }

// Import is one import of a file, as written.
type Import struct {
	// Spec is the specifier: "fmt", "./db", "..pkg.mod" (Python keeps its
	// dots), "crate::a::b" (Rust, without the last names; inside an inline module,
	// self and super are rewritten to be relative to the file), "com.x.Foo" (Java).
	// C#: a namespace or type ("A.B"); PHP: a name without leading backslash
	// ("A\B"), of require and include the path, beginning with "./" if it is given
	// by __DIR__. For ImportMod it is the module, with the inline ones around it
	// ("m::x"), or "path:y.rs" under #[path = "y.rs"].
	Spec string
	Kind ImportKind
	// Alias is the local name of the whole module: Go package alias ("_" blank,
	// "." dot), `import * as ns`, `import numpy as np`. "" if the module as a
	// whole is bound under its default name or not at all.
	Alias string
	Names []ImportName
	Line  uint32
	// Static marks Java's `import static`, C#'s `using static`, PHP's `use
	// function` and `use const`.
	Static bool
	// Within are the packages in which a name is searched before it is taken for one
	// that begins at the root, innermost first, with blanks between (Scala), or the
	// innermost of them alone (C#); or the function that contains a wildcard import (Rust).
	Within string
}

// Export is one name a file offers to others (JS/TS exports, Python __all__,
// re-exports). Languages whose symbols carry their own visibility (Go, Java,
// Rust) list their exported top-level symbols.
type Export struct {
	Name  string // name seen from outside; "default"; "*" for a wildcard re-export
	Local string // name inside this file, or in the source module of a re-export
	From  int32  // index in Facts.Imports of a re-export, else -1
	Line  uint32
}

// RefKind classifies the use of a name by a reference.
type RefKind uint8

// The kinds of references. The values are stored in indexes; append only.
const (
	RefCall      RefKind = iota // f(), new T(), x.m(), m!()
	RefType                     // name in a type position
	RefInherit                  // base class, embedded type, super-trait
	RefImplement                // implemented interface or trait
	RefDecorate                 // decorator, annotation, attribute
	RefUse                      // any other reading or writing of a name
	// RefUnparsed is a name in a part of a file that could not be parsed: it may use or declare anything of that name.
	RefUnparsed
)

// The kinds of uses that are not stored with a file's facts: they are found in
// imports, exports and markup when a question is answered.
const (
	RefImport   RefKind = 16 + iota // the name in an import
	RefExport                       // the name in an export or re-export
	RefTemplate                     // a component in markup
)

var refKindNames = [...]string{"call", "type", "inherit", "implement", "decorate", "use", "unparsed", RefImport: "import", RefExport: "export", RefTemplate: "template"}

// IsStored reports whether references of the kind are stored as facts of a file.
func (k RefKind) IsStored() bool { return k < RefImport }

// String returns the reference kind's name as printed in answers.
func (k RefKind) String() string {
	if int(k) < len(refKindNames) && refKindNames[k] != "" {
		return refKindNames[k]
	}
	return "use"
}

// Via is the evidence in a file itself that shows which declaration a reference means.
type Via uint8

// The kinds of such evidence. The values are stored in indexes; append only.
const (
	ViaBare   Via = iota // plain name, not local, not imported: this file, its package, a wildcard import or a builtin
	ViaImport            // bound by Imports[Ref.Import]: `b` of `import {b}`, `pkg.F` of `import "…/pkg"`
	ViaSelf              // member of the enclosing type: self.x, this.x, Go receiver.x, super().x; Ref.Recv is that type's name
	// ViaTyped is a member of a value whose type the file shows (declared parameter,
	// constructor result); Ref.Recv is the type's name as written.
	ViaTyped
	ViaMember // member of a value of unknown type
	ViaLocal  // declared by this file where only lexical scope reaches (nested function, class member used inside)
	// ViaModule is the module of Imports[Ref.Import] itself, used as a value: `app` of `const app = require("./app")`, which
	// is the one thing that a module of CommonJS exports.
	ViaModule
)

// NamesImport reports whether references of this kind have an import.
func (v Via) NamesImport() bool { return v == ViaImport || v == ViaModule }

// AlsoType is between two types in Ref.Recv, of which the value has both.
const AlsoType = "&"

// Ref is one use of a name that a declaration outside the current local scope
// may define. Uses of parameters and local variables are not references.
type Ref struct {
	// Name is the name of the declaration: for `b` of `import {a as b}` it is "a", for
	// `np.array` it is "array". For a default import it is the local name.
	Name string
	Kind RefKind
	Via  Via
	// Import is the index in Facts.Imports for ViaImport and ViaModule, or -1.
	Import int32
	// Recv is the receiver's type name for ViaSelf and ViaTyped, without
	// pointers and type arguments; `pkg.T` keeps its qualifier. In Rust and Java
	// that is the Spec of the import it comes from: "crate::a.T". For ViaTyped it
	// may instead be an expression, see RecvExpr. AlsoType is between the types of a value that has several.
	Recv string
	// Args are the arguments of a call as a tuple of expressions (RecvExpr, without its
	// mark): "(Gson,?)", "()". It is "" if they are not recorded: for references that are
	// no calls, for languages in which a name has one declaration, and if arguments are
	// spread or left to the callee. A function without a name is "lambda". A type of C# with type arguments has
	// their number instead: "{}" for T<A>, "{,}" for T<A, B>; a plain name of Kotlin the functions to which the lambdas
	// around it are passed, innermost first: "{it.test;module". See ArgsAround.
	Args string
	// Start, End are the bytes of the name itself; Line is its line.
	Start, End uint32
	Line       uint32
	// Scope is the index in Facts.Symbols of the innermost symbol around the
	// reference, or -1.
	Scope int32
}

// ArgsAround begins a Ref.Args that holds something else than arguments, which references that are no calls have, too.
const ArgsAround = "{"

// Pasting is the name of the reference that stands where a macro of C joins two parts to a name. It is also between the parts in
// Ref.Args, where a parameter of the macro is empty.
const Pasting = "##"

// ArgsMacro is the value of Ref.Args for the invocation of a Rust macro.
const ArgsMacro = "!"

// ArgsTuple is the value of Ref.Args for the name before a tuple in a pattern of Rust.
const ArgsTuple = ArgsAround + "("

// RecvExpr begins a Ref.Recv that is not the name of a type but an expression whose type
// depends on other files: "=NewStore().conn" is the type of field conn of the result
// of NewStore. Its type is inferred when a question is answered (engine/graph/infer). An
// expression is
//
//	name         type, function, variable or module visible at the file's top level
//	e.name       member of e: field, method, name of a module
//	e() e(1)     first, second result of calling e; a type called is itself
//	e[] e[1]     element of e, second part of the tuple e
//	e[k]         the first variable of a loop over e: keys of a map, else elements
//	e<           the type that e inherits from (super)
//	[e] {k:e} (a,b)  sequence of e, map from k to e, tuple
//	e{a,b}       type e with type arguments; method e whose function argument gives a
//	(T).a.b()    member of a value of type T, which is as Ref.Recv has it; await is the value that a task gives (C#, PHP).
//	             In C# also b<T>() with type arguments, [] an element, b@1@0 the first parameter of the second argument of b, a function
//	e(k)         owner of the names of keyword arguments in a call of e, at the end only
//	?            unknown
//
// and has no white space. A value and its type are written in the same way.
const RecvExpr = "="

// Steps of a chain of C#: an element of a collection, and what is in front of the places of an argument and of a parameter of it.
const (
	StepElement = "[]"
	PassedTo    = "@"
)

// RecvRange is the name in an expression for the type of a range of Rust (1..n), because the repository may declare types of the names that
// std has for it.
const RecvRange = "std#range"

// RecvKeywords is the end of Ref.Recv for the name in `name=value` of a call. The name
// may be a field of the called class, or of the dictionary of its keyword arguments.
const RecvKeywords = "(k)"

// The values of TypeHint.Name that describe the keyword arguments of a call: for a
// class, that they are its fields; for a function, the type of the dictionary that
// collects the others.
const (
	HintFields   = "="
	HintKeywords = "**"
)

// HintUnknown is the value of TypeHint.Type for an attribute that a class is known to have, and whose type is not known.
const HintUnknown = "?"

// IsExpr reports whether a receiver is an expression, and not the name of a type.
func IsExpr(recv string) bool { return strings.HasPrefix(recv, RecvExpr) }

// Problem is the reason why a file was not read or parsed completely.
type Problem string

// The problems of a file, as `ken status` lists them.
const (
	ProblemNone       Problem = ""
	ProblemBinary     Problem = "binary"
	ProblemTooLarge   Problem = "too_large"
	ProblemMinified   Problem = "minified"
	ProblemParseLimit Problem = "parse_limit"
	ProblemUnreadable Problem = "unreadable"
	ProblemSymlink    Problem = "symlink"
	ProblemSubmodule  Problem = "submodule"
	ProblemNestedRepo Problem = "nested_repository"
	ProblemSpecial    Problem = "special_file" // device, socket, pipe
	ProblemExcluded   Problem = "excluded"     // by .kenignore or a setting
	ProblemIgnored    Problem = "ignored"      // by git's rules; such files are not in the index
)

// TypeHint is a type that the code of a file reveals though no declaration states it:
// that of the result of a function, a variable or an attribute.
type TypeHint struct {
	Symbol int32 // index in Facts.Symbols
	// Name is "" for the type of the symbol itself, or the name of an attribute of the
	// class Symbol, declared or not.
	Name string
	Type string // an expression, see RecvExpr, without its mark
}

// Facts are the results of extraction for one file. They depend only on the file's
// bytes, its language and its name.
type Facts struct {
	// Package is the package clause of Go and Java, the first namespace with a
	// declaration of C# and PHP, in C and C++ the file's own name, by which includes
	// find it, and "" otherwise.
	Package    string
	Doc        string // the module's own doc comment, at most MaxDoc bytes
	Symbols    []Symbol
	Imports    []Import
	Exports    []Export
	Refs       []Ref      // in source order
	Types      []TypeHint // by Symbol, then Name
	ErrorBytes uint32
	Branches   uint32 // decision points (if, for, while, case, catch, ?:, &&, ||): as Complexity counts them
	Problem    Problem
	// IsTest is set if the content itself shows that the file has tests (imports of a
	// test framework, #[cfg(test)] on the whole file, @Test methods).
	IsTest bool
}
