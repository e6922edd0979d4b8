package lang

import (
	"regexp"
	"slices"
	"strings"

	"ken/internal/code"
)

// Traits are the properties of a language on which code outside of extraction and
// resolution depends. Such code asks for a trait instead of comparing languages, so
// that a new language needs one row of the table and no new conditions. The zero value
// is right for a language whose files import each other by paths and share no names.
type Traits struct {
	// Family joins languages whose code calls each other without a bridge,
	// such as Java and Kotlin. If the table leaves it out, the language is a
	// family of its own, and Of fills in its name.
	Family string
	// Scope is the set of files that see each other's declarations without an import.
	Scope Scope
	// ModuleName tells by which name a file uses a module that it imports as a whole.
	ModuleName ModuleName
	// ExportLists: a file lists its exports by name. In other languages the declarations themselves are marked.
	ExportLists bool
	// PackageImports: an import may name a directory, and mean a declaration
	// of the files in it.
	PackageImports bool
	// TypeWildcards: in `import a.B.*` B may be a type; the import then brings its members.
	TypeWildcards bool
	// PrivateWildcards: names of a wildcard import are visible in the importing
	// file alone. If it is not set, names are also looked for through such a file,
	// which costs time but does no harm.
	PrivateWildcards bool
	// PassesImports: other files can import from a file each name that it imports itself.
	PassesImports bool
	// PackageFiles are the names of the file that stands for its directory in
	// imports, such as __init__.py. With PassesImports it also passes on modules
	// that it imports as a whole.
	PackageFiles []string
	// GuessedPaths: an import of kind ImportPath is a guess from a name.
	// It is no defect if the path does not exist.
	GuessedPaths bool
	// Autoload: the file to which such a guessed path leads declares the
	// constant, because files are loaded by the names of constants.
	Autoload bool
	// StaticTypes: an import marked static names a type, and brings its members.
	StaticTypes bool

	// BareMembers: a name without a receiver may be a member of the type, an
	// inherited member, or a nested type. In other languages these need a
	// receiver.
	BareMembers bool
	// TopLevelMethods: a method or field may be declared outside of all types
	// and still be used like a member, as extensions are.
	TopLevelMethods bool
	// PropertyAccessors is the language in which a property x of this one is used as getX(), setX() or isX().
	PropertyAccessors code.Lang
	// AccessorProperties is the language in which a method getX(), setX() or isX() of this one is used as a property x.
	AccessorProperties code.Lang
	// AccessorLibrary is the package of annotations that make getX(), setX() and isX() for the fields of a file that imports it.
	AccessorLibrary string
	// Facade is the end of the name of the class that holds what a file declares outside of types, for other languages: MainKt of main.kt.
	Facade string
	// Unnamed are the uses of a type, object or module that use its members without their names.
	Unnamed []Unnamed
	// CalledMarks matches what is written at a declaration that the system, a test runner or a tool calls, where that is no decorator.
	CalledMarks string
	// CodedTypes matches the signature of a type whose fields the language reads and writes by name.
	CodedTypes string
	// Positional is in the signature of a type whose fields are also read by their places, without their names: val (a, b) = pair.
	Positional string
	// FindsTypes: frameworks look for the subtypes of their own types, which nothing else names then.
	FindsTypes bool
	// SubtypeHooks are members of a type that are called for each type made from it. SubtypeLists are members that list those. Metaclass
	// is in the signature of a type that a type of the program creates, which may do either.
	SubtypeHooks, SubtypeLists []string
	Metaclass                  string
	// LoneMembers: members of some types are used without the name of the type, or with it in an import alone: enumerators, extension
	// methods, members that are imported.
	LoneMembers bool
	// Privacy is where code can name what is private.
	Privacy Privacy
	// Rebinding are the functions that run code as if it were in the body of a type, which then reaches private members, "" for none.
	Rebinding []string
	// Platforms: a declaration may be written once for each platform, and once for all (expect and actual).
	Platforms bool
	// SeparateNames: a function, a constant and a type can have the same name;
	// the way a name is used decides between them.
	SeparateNames bool
	// Fallback is the place in which a name is looked for if its own namespace does not declare it.
	Fallback Fallback
	// CallsMethods: a method and a field can have the same name; what is called is the method, and what is not is the field.
	CallsMethods bool
	// StaticsByType: what belongs to a type itself, as enumerators and constants, is never reached through a value.
	StaticsByType bool
	// ProjectReferences: a file sees only what its project refers to.
	ProjectReferences bool
	// Untyped: the code does not show the types of values. A member with a
	// common name is then likely to be declared outside of the repository too.
	Untyped bool
	// OpenMembers: code anywhere can add members to modules, classes and objects. A
	// member may exist although the declaration lacks it.
	OpenMembers bool
	// DeclarationStem is the end, before the extension, of the names of files that only declare what others run, "" if there
	// are none.
	DeclarationStem string
	// HidesFields: a field with the name of an inherited field is another field, so that
	// its uses are no uses of the inherited one.
	HidesFields bool
	// EnumPayloads: members of enumerations are called with arguments, the values that they hold.
	EnumPayloads bool
	// ReceiverName is the name of the parameter that makes a function of a type
	// a method, such as self. A function without it is called through the type
	// alone. It is "" if the language marks that otherwise.
	ReceiverName string
	// TypeArity: types of one name are different ones if they have other numbers of type parameters.
	TypeArity bool
	// ExtensionCalls: a call of a member that no type declares may mean a function
	// that extends the type from outside (Def.Extension).
	ExtensionCalls bool
	// GlobalScripts: files that neither import nor export anything share one global
	// scope.
	GlobalScripts bool
	// Prototypes: a declaration may only announce a definition that is elsewhere.
	Prototypes bool
	// DetachedMethods: methods are declared outside of their type, in any file of
	// its package.
	DetachedMethods bool
	// StructuralTypes: an object is of each interface whose members it has.
	StructuralTypes bool
	// ObjectMethods: methods are declared in literals of objects, too, and no plain name means one.
	ObjectMethods bool
	// ImplicitInterfaces: a type implements an interface if it has its methods,
	// and does not name it.
	ImplicitInterfaces bool
	// StaticsHide: a static member hides the one of the base that has its name, and never overrides it.
	StaticsHide bool
	// Overriding is the way the language marks a member that overrides another one.
	Overriding Overriding

	// BuildScript ends the names of scripts that a build tool runs, which see declarations that nothing in them names, "" if there are none.
	BuildScript string
	// Directive matches what is in a comment in front of a name, where a comment means the declaration of that name: //go:linkname, or
	// an example that is run.
	Directive string
	// DirectivePaths: what Directive finds is a path of packages and types. DirectiveMembers: it is a member of the type around it, or of
	// one that is named in front of it.
	DirectivePaths, DirectiveMembers bool
	// BracketAttributes: a line in brackets above a declaration is an attribute of it, and never a statement.
	BracketAttributes bool
	// FieldAccessors matches the signature of members that give a variable of the object whose name is theirs behind "@", "" if there are
	// none.
	FieldAccessors string
	// LineStrings: a string between double quotes ends on its line, and nothing else has such a quote but a character between single ones.
	LineStrings bool
	// DocTests: blocks of code in the comments of declarations, and in Markdown that such a comment includes, are run as tests.
	DocTests bool
	// MacroOption is the option of commands by which a build sets a macro, which stands in front of its name: -D.
	MacroOption string
	// MarkSuffix is what the name of a decorator may lack of the name of its type: [Route] for RouteAttribute.
	MarkSuffix string
	// AliasCall is the function that gives a type another name at run time, "" if there is none.
	AliasCall string

	// TypeNamesFile: a file is named after the public type that it declares.
	TypeNamesFile bool

	// EntryFunction is the function in which programs begin, "" if there is none.
	// EntryInType: it may be a member of a type. EntryPackage is the package that
	// must declare it, "" for any. EntryFiles are the names of files that are run
	// as programs.
	EntryFunction string
	EntryInType   bool
	EntryPackage  string
	EntryFiles    []string
	// LoadFunctions are functions that run when their package or program is loaded, so that no code calls them by name, as patterns of
	// path.Match.
	LoadFunctions []string
	// CompilerSpace is the namespace in which the compiler looks for declarations by their names, "" if there is none.
	CompilerSpace string
	// DunderMethods: the language itself calls methods whose names are like __this__.
	DunderMethods bool
	// Implicit are members that the language or its standard library calls without
	// naming them.
	Implicit []string
	// StringCalls: a string that is the name of a function can be called.
	StringCalls bool
	// ArrowKeys: what is in front of => in a literal is a key.
	ArrowKeys bool
	// MarkedTests: test runners find tests by attributes, whatever the name of the type around them.
	MarkedTests bool
	// NameSymbols: a symbol such as :name is the name of a method where it is an
	// argument.
	NameSymbols bool
	// InternalDirs: code below a directory "internal" is not visible to other
	// repositories.
	InternalDirs bool
	// Reflection tells how code reaches members by names that are strings at run time.
	Reflection Reflection

	// Tests are the names of files that hold tests.
	Tests TestNames
	// TestMarks are functions and annotations whose use at the top level of
	// a file declares a test, whatever the file is called.
	TestMarks []string
	// TestPrefix begins the names of functions that test runners run as tests, ""
	// if the name alone does not decide.
	TestPrefix string
	// TestFilesOnly: only the name of a file shows that it holds tests, because
	// directories called "test" hold helpers as often.
	TestFilesOnly bool
	// SourceSets: source files are in directories such as src/main and src/test.
	SourceSets bool
	// InlineTests: unit tests are in the file they test.
	InlineTests bool
	// HiddenSuffix ends the names of files whose declarations importers do not
	// see, such as _test.go. TestClause ends the package name of a test that is
	// outside of the package it tests. Both are "" if there are none.
	HiddenSuffix, TestClause string

	// CapitalExports: a name is visible in other packages if it begins with a capital letter.
	CapitalExports bool
	// RelativeImports: a file of the project can be imported by a path relative to the
	// importing file, or by its full name.
	RelativeImports bool
	// NamedTypes: functions can create types, and take as an argument the name of the variable that holds the new type.
	NamedTypes bool
	// ShortFields: in a literal or pattern `{ x }` means `{ x: x }`, a field x with the value of the variable x.
	ShortFields bool
	// DefaultExports: a file can export one thing without a name.
	DefaultExports bool

	// TypeChecked: engine/gotypes runs a type checker over its files, which finds the declarations of their names.
	TypeChecked bool
	// Tables: its declarations are tables of a database, in which classes of programs are stored.
	Tables bool
	// Minified: files are often minified, which means reduced to few long lines for shipping.
	Minified bool
	// Settings: it is a notation for data of any kind, mostly settings and manifests.
	Settings bool
	// WholeFiles: other files refer to a file of this language as a whole, not to names in it.
	WholeFiles bool
	// PlainText: only the name of a file shows its purpose, because the content has no declarations.
	PlainText bool

	// MayUse are the families of languages whose declarations its code may use, with
	// blanks between, "*" for all. It is set for languages whose references ken does
	// not extract. Components: it uses them only as tags of components.
	MayUse     string
	Components bool
	// ExamplePrefix begins the names of tests that are examples of the declaration after it, of whose name a tool wants to know.
	ExamplePrefix string
	// BinaryNames: it lists declarations of the Java virtual machine by their names there: a/b/Outer$Inner, with their members below.
	BinaryNames bool
	// Actions are the marks around code in a page or document, in pairs with blanks between. The rest of it is prose, but for scripts,
	// attributes and tags of components; "" if every part of a file may be code.
	Actions string

	// SCIP is the name of the language in SCIP, a format of code indexes; ""
	// stands for its own name with a capital letter. Columns is the unit in which
	// SCIP indexers of the language count columns.
	SCIP    string
	Columns Columns
}

// Scope is the set of files that see each other's top-level names without an
// import.
type Scope uint8

// The scopes.
const (
	FileScope      Scope = iota // none: other files' names are imported
	DirectoryScope              // the files of a directory
	ClauseScope                 // those files of a directory that have the same package clause
	PackageScope                // files with the same package clause wherever they lie; without one they share nothing
	NamespaceScope              // as PackageScope, but files without a clause share the global namespace
)

// IsShared reports whether files can see names of other files without an import.
func (s Scope) IsShared() bool { return s != FileScope }

// IsPackage reports whether a scope is one package. It is false for namespaces:
// a file may see several, which are searched one after the other.
func (s Scope) IsPackage() bool { return s.IsShared() && s != NamespaceScope }

// InDirectory reports whether the files of a scope lie in one directory.
func (s Scope) InDirectory() bool { return s == DirectoryScope || s == ClauseScope }

// IsDeclared reports whether a clause in the file, and not its
// directory, decides to which package it belongs.
func (s Scope) IsDeclared() bool { return s == PackageScope || s == NamespaceScope }

// ModuleName tells by which name a file uses a module that it imports as a
// whole, if the import itself does not name it.
type ModuleName uint8

// The names of modules.
const (
	LastSegment   ModuleName = iota // the last segment of the import
	FirstSegment                    // the first: `import a.b` binds a
	PackageClause                   // the name in the package clause of the imported files
)

// Fallback is the place in which a name is looked for if neither its own namespace
// nor an import has it.
type Fallback uint8

// The fallbacks.
const (
	NoFallback      Fallback = iota
	GlobalFallback           // outside of all namespaces, for functions and constants
	OuterNamespaces          // in the namespaces around one's own
)

// Overriding is the way a language marks a member that overrides another one.
type Overriding uint8

// The ways to mark an overriding member.
const (
	Unmarked            Overriding = iota
	OverrideModifier               // the word override
	OverrideOrInterface            // the word override, which a public member that implements one of an interface lacks
	OverrideAnnotation             // @Override, which may be missing
	ImplBlock                      // the block around names the trait: impl Trait for Type
)

// HasImplBlocks reports whether methods are declared in blocks that name their type, such as Rust's impl.
func (t *Traits) HasImplBlocks() bool { return t.Overriding == ImplBlock }

// Privacy is the part of a repository in which code can name a private declaration.
type Privacy uint8

// The kinds of privacy.
const (
	NotPrivate      Privacy = iota // anywhere, or that is not known
	PrivateInFile                  // in its file, if it is marked as private
	PrivateInParts                 // in the parts of its type
	PrivateInType                  // in the body of its type, and in the traits that the type uses
	PrivateInModule                // in its module and those below it, unless it is marked as public
	PrivateInUnit                  // in what is compiled together
)

// Columns is the unit in which a column of a line is counted.
type Columns uint8

// The units of columns.
const (
	UTF16 Columns = iota
	UTF8
	UTF32
)

// Reflection tells how code reaches members by names that are strings at run time.
// Names are the functions that do it. Pattern is a regular expression for such a
// call, Computed for calls without such a function, and each text with either has one
// of Marks. Own matches a call on the type around it by a name that is computed. Before
// matches the text before a string that is the name of a member, as in x["name"].
// Common is set where frameworks find declarations by name as well.
type Reflection struct {
	Names    []string
	Marks    []string
	Pattern  string
	Computed string
	Own      string
	OwnOnly  bool
	Before   string
	Common   bool
}

// Unnamed is a use of a type, object or module that uses its members without their names, as values() does those of an enumeration.
type Unnamed struct {
	Kinds   []code.Kind // of the members; nil for those of any kind
	Pattern string      // a regular expression, in which NAME stands for the name of what has the members; "" if there is none
	Home    string      // the same in the file that declares them, without the name
}

// For returns the pattern for members of what has a name.
func (u *Unnamed) For(name string) *regexp.Regexp {
	return regexp.MustCompile(strings.ReplaceAll(u.Pattern, "NAME", regexp.QuoteMeta(name)))
}

// InFamily lists the languages of a family, in the order of the table.
func InFamily(family string) []code.Lang { return tables.families[family] }

// FamilyReflection returns the Reflection of the first language of a family that has one.
func FamilyReflection(family string) Reflection {
	for _, l := range tables.families[family] {
		if r := Of(l).Reflection; r.Pattern != "" || r.Before != "" {
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

// SpeaksForDirectory reports whether a file of this name stands for its
// directory in imports, because PackageFiles lists it.
func (t *Traits) SpeaksForDirectory(name string) bool { return slices.Contains(t.PackageFiles, name) }

// TestNames are patterns for the names of files that hold tests, by the rules
// of the test runner or by custom. All but Extensions are compared with the
// name without its extension.
type TestNames struct {
	Names, Prefixes, Suffixes []string
	Extensions                []string // with the dot
	// Camel: names in which Test is the first or last word, such as FooTest or TestFoo.
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

// camelTest reports whether a file is named like a test class: FooTest,
// FooTests, FooTestCase, FooIT, FooSpec or TestFoo. "Test" must be a whole
// word, which it is not in "Contest", "Latest" and "TestamentReader".
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

// PackageKey returns a key for a package that is unique among all languages. Java, Kotlin and Scala share their packages.
func PackageKey(l code.Lang, pkg string) string {
	space := string(l)
	if family := Of(l).Family; family == "jvm" {
		space = family
	}
	return space + ":" + pkg
}
