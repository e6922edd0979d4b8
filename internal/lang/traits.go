package lang

import (
	"slices"
	"strings"

	"ken/internal/code"
)

// Traits are the properties of a language, as far as anything outside of extraction and
// resolution depends on it. Behaviour asks for a trait instead of comparing
// languages, so that a new language states its traits in one row of the table
// instead of being added to conditions all over the code. The zero value is
// right for a language whose files name each other by paths and share nothing.
type Traits struct {
	// Family joins languages whose code calls each other without a bridge. The
	// table may leave it out: a language is then a family of its own, and Of
	// gives its name.
	Family string
	// Scope is the set of files that see each other's declarations without an import.
	Scope Scope
	// ModuleName is the name by which a file knows a module imported as a whole.
	ModuleName ModuleName
	// ExportLists: a file lists its exports by name; elsewhere declarations are marked.
	ExportLists bool
	// PackageImports: an import may name a directory, and mean a declaration
	// of the files in it.
	PackageImports bool
	// TypeWildcards: `import a.B.*` may name a type, whose members are meant.
	TypeWildcards bool
	// PrivateWildcards: a wildcard import serves the importing file alone. Where it
	// is not set, names are followed through such a file, which costs needless
	// work at most.
	PrivateWildcards bool
	// PassesImports: whatever a file imports by name can be imported from it.
	PassesImports bool
	// PackageFiles are the names of the file that speaks for its directory; with
	// PassesImports it passes on modules imported as a whole too.
	PackageFiles []string
	// GuessedPaths: an import of kind ImportPath is a guess at the meaning
	// of a name. That nothing is found is no fault.
	GuessedPaths bool
	// Autoload: the file that such a path leads to declares the constant, because
	// files are loaded by the names of constants.
	Autoload bool
	// StaticTypes: an import marked static names a type whose members are meant.
	StaticTypes bool

	// BareMembers: a plain name may be that of a member, own or inherited, or of a
	// type nested in another. Elsewhere these need a receiver.
	BareMembers bool
	// TopLevelMethods: a method or field may lie outside of all types and still
	// be used like a member (extensions).
	TopLevelMethods bool
	// SeparateNames: functions, constants and types of one name do not meet, so
	// the use decides which of them is meant.
	SeparateNames bool
	// Fallback is where names that the own namespace lacks are looked for.
	Fallback Fallback
	// ProjectReferences: a file sees only what its project refers to.
	ProjectReferences bool
	// Untyped: a file does not show the types of values, so that a member with a
	// common name is not likely to be the only one declared.
	Untyped bool
	// OpenMembers: modules, classes and objects are given members from anywhere, so
	// that a member missing in a declaration may still exist.
	OpenMembers bool
	// HidesFields: a field with the name of an inherited one is another field, and no use
	// of that one means it.
	HidesFields bool
	// EnumPayloads: members of enumerations are called with the values they hold.
	EnumPayloads bool
	// ReceiverName is the parameter without which a function of a type is called
	// through the type alone; "" if that is marked otherwise.
	ReceiverName string
	// ExtensionCalls: a call of a member that no type declares may mean a function
	// that extends the type from outside (Def.Extension).
	ExtensionCalls bool
	// GlobalScripts: files that neither import nor export anything share one global
	// scope, as ambient declarations do.
	GlobalScripts bool
	// Prototypes: a declaration may only announce a definition elsewhere.
	Prototypes bool
	// DetachedMethods: methods are declared outside of their type, in any file of
	// its package.
	DetachedMethods bool
	// ImplicitInterfaces: a type implements an interface by having its methods;
	// without naming it.
	ImplicitInterfaces bool
	// Overriding is the mark of a member that overrides another one.
	Overriding Overriding

	// TypeNamesFile: the file of a public type has its name.
	TypeNamesFile bool

	// EntryFunction is the function programs begin in, "" if there is none;
	// EntryInType: it may be the member of a type. EntryPackage is the package it
	// has to be in, "" for any. EntryFiles are the names of files that are run.
	EntryFunction string
	EntryInType   bool
	EntryPackage  string
	EntryFiles    []string
	// LoadFunctions run when their package is loaded; nothing calls them by name.
	LoadFunctions []string
	// DunderMethods: the language itself calls methods named like __this__.
	DunderMethods bool
	// InternalDirs: code below a directory "internal" is not visible to other
	// repositories.
	InternalDirs bool
	// Reflection is how members are reached by names that are values.
	Reflection Reflection

	// Tests are the names of files that hold tests.
	Tests TestNames
	// TestMarks declare a test in a file, whatever its name: functions that
	// are called outside of any other, and annotations.
	TestMarks []string
	// TestPrefix begins the names of functions that runners take for tests, "" if
	// that depends on more.
	TestPrefix string
	// TestFilesOnly: tests are known by their names, whatever directory they are
	// in: a directory "test" holds helpers as often.
	TestFilesOnly bool
	// SourceSets: sources lie in sets such as src/main and src/test.
	SourceSets bool
	// InlineTests: unit tests are in the file they test.
	InlineTests bool
	// HiddenSuffix ends the names of files that importers do not see, and
	// TestClause the package clause of a test that lies outside of the package it
	// tests; "" if there are none.
	HiddenSuffix, TestClause string

	// CapitalExports: a name that other packages see begins with a capital letter.
	CapitalExports bool
	// RelativeImports: files of a project can be imported by their place relative to the
	// importing one, or by a full name.
	RelativeImports bool
	// NamedTypes: functions make types, and are given the name of the variable that holds it.
	NamedTypes bool
	// ShortFields: `{ x }` in a literal or pattern is `{ x: x }`, a field and a variable.
	ShortFields bool
	// DefaultExports: a file can export one thing without a name.
	DefaultExports bool

	// TypeChecked: engine/gotypes binds the names in its files.
	TypeChecked bool
	// Tables: its declarations are database tables, which models are kept in.
	Tables bool
	// Minified: files are often made small for shipping.
	Minified bool
	// Settings: a notation for data of any kind, mostly settings and manifests.
	Settings bool
	// WholeFiles: others refer to the file, not to names declared in it.
	WholeFiles bool
	// PlainText: only the file's name shows its purpose.
	PlainText bool

	// MayUse are the families of languages whose declarations its code may name, with
	// blanks between, "*" for all: of a language whose uses are not read.
	// Components: only as a component's tag.
	MayUse     string
	Components bool

	// SCIP is the name of the language in SCIP indexes; "" for its own name with a
	// capital letter. Columns is their indexers' unit of columns.
	SCIP    string
	Columns Columns
}

// Scope is the set of files that share the names they declare at their top level
// without importing each other.
type Scope uint8

// The scopes.
const (
	FileScope      Scope = iota // none: other files' names are imported
	DirectoryScope              // the files of a directory
	ClauseScope                 // those files of a directory that have the same package clause
	PackageScope                // files with the same package clause wherever they lie; without one they share nothing
	NamespaceScope              // as PackageScope, but files without a clause share the global namespace
)

// IsShared reports whether any two files share names.
func (s Scope) IsShared() bool { return s != FileScope }

// IsPackage reports whether a scope is one package. Of namespaces a file may see
// several, which have to be searched one after the other.
func (s Scope) IsPackage() bool { return s.IsShared() && s != NamespaceScope }

// InDirectory reports whether the files of a scope lie in one directory.
func (s Scope) InDirectory() bool { return s == DirectoryScope || s == ClauseScope }

// IsDeclared reports whether files declare packages that do not follow
// from directories.
func (s Scope) IsDeclared() bool { return s == PackageScope || s == NamespaceScope }

// ModuleName is the name by which a file knows a module imported as a whole,
// unless the import gives it one.
type ModuleName uint8

// The names of modules.
const (
	LastSegment   ModuleName = iota // the last segment of the import
	FirstSegment                    // the first: `import a.b` binds a
	PackageClause                   // the name in the package clause of the imported files
)

// Fallback is where names are looked for that neither the own namespace nor an import
// has.
type Fallback uint8

// The fallbacks.
const (
	NoFallback      Fallback = iota
	GlobalFallback           // outside of all namespaces, for functions and constants
	OuterNamespaces          // in the namespaces around one's own
)

// Overriding is the mark of a member that overrides another one.
type Overriding uint8

// The marks of overriding.
const (
	Unmarked           Overriding = iota
	OverrideModifier              // the word override
	OverrideAnnotation            // @Override, which may be missing
	ImplBlock                     // the block around names the trait: impl Trait for Type
)

// HasImplBlocks reports whether methods are in blocks that name their type.
func (t *Traits) HasImplBlocks() bool { return t.Overriding == ImplBlock }

// Columns is the unit in which a column of a line is counted.
type Columns uint8

// The units of columns.
const (
	UTF16 Columns = iota
	UTF8
	UTF32
)

// Reflection is how code reaches members by names that are values. Names are
// the names that its calls refer to, Pattern is a regular expression of such a call.
type Reflection struct {
	Names   []string
	Pattern string
}

// InFamily lists the languages of a family, in the order of the table.
func InFamily(family string) []code.Lang { return tables.families[family] }

// FamilyReflection returns the reflection of a family's languages.
func FamilyReflection(family string) Reflection {
	for _, l := range tables.families[family] {
		if r := Of(l).Reflection; r.Pattern != "" {
			return r
		}
	}
	return Reflection{}
}

// SCIPName returns the name of the language in SCIP indexes, or "" for an unknown one.
func (i *Info) SCIPName() string {
	if i.SCIP != "" || i.Name == "" {
		return i.SCIP
	}
	return strings.ToUpper(string(i.Name[:1])) + string(i.Name[1:])
}

// SpeaksForDirectory reports whether a file of this name speaks for its
// directory (PackageFiles).
func (t *Traits) SpeaksForDirectory(name string) bool { return slices.Contains(t.PackageFiles, name) }

// TestNames are the names by which a language's test runner, or custom, knows
// files that hold tests. All but Extensions are compared with the name without
// its extension.
type TestNames struct {
	Names, Prefixes, Suffixes []string
	Extensions                []string // with the dot
	// Camel: class names whose first or last word is Test: FooTest, TestFoo.
	Camel bool
}

// Match reports whether a file of this name holds tests.
func (t *TestNames) Match(name string) bool {
	stem, ext := name, ""
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		stem, ext = name[:i], name[i:]
	}
	if slices.Contains(t.Extensions, ext) || slices.Contains(t.Names, stem) {
		return true
	}
	if slices.ContainsFunc(t.Prefixes, func(p string) bool { return strings.HasPrefix(stem, p) }) {
		return true
	}
	if slices.ContainsFunc(t.Suffixes, func(s string) bool { return strings.HasSuffix(stem, s) }) {
		return true
	}
	return t.Camel && camelTest(stem)
}

// camelTest knows class names: FooTest, FooTests, FooTestCase, FooIT, FooSpec,
// TestFoo. It has to be a word of its own: "Contest" and "Latest" do not have
// it, "TestamentReader" neither.
func camelTest(stem string) bool {
	for _, suffix := range []string{"Test", "Tests", "TestCase", "TestSuite", "Spec", "IT", "ITCase"} {
		rest, ok := strings.CutSuffix(stem, suffix)
		if !ok {
			continue
		}
		if rest == "" { // "IT" and "Spec" alone are words like any other
			if suffix != "IT" && suffix != "Spec" {
				return true
			}
		} else if !upper(rest[len(rest)-1]) {
			return true
		}
	}
	rest, ok := strings.CutPrefix(stem, "Test")
	if !ok || rest == "" {
		return false
	}
	return upper(rest[0]) || rest[0] >= '0' && rest[0] <= '9'
}

func upper(c byte) bool { return c >= 'A' && c <= 'Z' }

// PackageKey returns the key of a package among those of all languages. Java, Kotlin and Scala share one space of packages.
func PackageKey(l code.Lang, pkg string) string {
	space := string(l)
	if family := Of(l).Family; family == "jvm" {
		space = family
	}
	return space + ":" + pkg
}
