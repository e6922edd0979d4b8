package filename

import "strings"

// The kinds of files that go together by name, as data. A file's name is cut into
// words (camelCase, snake_case, kebab-case, dots); words that tell the use of the file
// is for are taken off its ends; names of directories count as well. Files
// whose remaining words are the same belong together: product.rb,
// product_spec.rb, factories/products.rb, 20240101_create_products.rb.

// The kinds of companions, files that belong together by their names, in the order in which answers list them.
const (
	CompanionSubject    = "subjects"    // the subject of a test, mock, …
	CompanionTest       = "tests"       // tests of it
	CompanionHeader     = "headers"     // C and C++: header of a source, source of a header
	CompanionTypes      = "types"       // declarations of types: .d.ts, .pyi, .mli, .rbs
	CompanionGenerated  = "generated"   // generated from it, or its source
	CompanionFactory    = "factories"   // makers of test data
	CompanionFixture    = "fixtures"    // test data
	CompanionMock       = "mocks"       // stand-ins
	CompanionSnapshot   = "snapshots"   // recorded output
	CompanionMigration  = "migrations"  // changes of a database table
	CompanionSeeder     = "seeders"     // first content of a database table
	CompanionStory      = "stories"     // component stories
	CompanionStyle      = "styles"      // style sheets
	CompanionTemplate   = "templates"   // markup
	CompanionTranslated = "i18n"        // translations
	CompanionVariant    = "variants"    // the same for another platform or build
	CompanionLayer      = "layers"      // another layer of the same thing: controller, service, repository, …
	CompanionBenchmark  = "benchmarks"  // measurements
	CompanionExample    = "examples"    // uses shown
	CompanionDoc        = "documents"   // documentation of the same name
	CompanionSame       = "counterpart" // the same name for an unknown reason
)

// companionKinds lists the kinds in the order of answers.
var companionKinds = [...]string{CompanionSubject, CompanionTest, CompanionHeader, CompanionTypes, CompanionGenerated,
	CompanionFactory, CompanionFixture, CompanionMock,
	CompanionSnapshot, CompanionMigration, CompanionSeeder, CompanionStory, CompanionStyle, CompanionTemplate, CompanionTranslated, CompanionVariant, CompanionLayer,
	CompanionBenchmark, CompanionExample, CompanionDoc, CompanionSame}

// companionAffixes lists the words at an end of a name that tell the kind
// of a file: "+x" after the words of its subject, "x+" before them. Blanks
// separate several words. Longer ones come before the ones they end with.
var companionAffixes = []struct {
	kind  string
	words []string
}{
	{CompanionTest, []string{"+unit test", "+unit tests", "+integration test", "+integration tests", "+e2e spec", "+e2e test", "+e2e", "+test d", "+spec d", "+test", "+tests", "+spec", "+specs", "+unittest", "+unittests",
		"+it", "+tester", "+cy", "+suite", "test+", "tests+", "spec+"}},
	{CompanionBenchmark, []string{"+bench", "+benchmark", "+benchmarks", "+perf", "bench+", "benchmark+"}},
	{CompanionGenerated, []string{"+grpc pb", "+pb gw", "+pb validate", "+pb", "+pb2 grpc", "+pb2", "+pb d", "+connect", "+gen", "+generated", "+freezed", "+g", "+designer", "+string", "+easyjson", "+ffjson", "+deepcopy", "zz generated+"}},
	{CompanionTypes, []string{"+d"}},
	{CompanionFactory, []string{"+factory", "+factories"}},
	{CompanionFixture, []string{"+fixture", "+fixtures", "+testdata", "+test data"}},
	{CompanionMock, []string{"+mock", "+mocks", "+fake", "+fakes", "+stub", "+stubs", "mock+", "fake+", "stub+", "mocks+"}},
	{CompanionSeeder, []string{"+seeder", "+seed", "+seeds"}},
	{CompanionStory, []string{"+stories", "+story"}},
	{CompanionStyle, []string{"+styles", "+style", "+styled"}},
	{CompanionVariant, []string{"+linux", "+windows", "+darwin", "+unix", "+posix", "+freebsd", "+macos", "+ios", "+android", "+other", "+others", "+unsupported", "+amd64", "+arm64", "+x86", "+386", "+wasm",
		"+cgo", "+nocgo", "+purego", "+asm", "+noasm"}},
	{CompanionLayer, []string{"+controller", "+controllers", "+service", "+services", "+service impl", "+impl", "+repository", "+repo", "+model", "+entity", "+view", "+views", "+viewset", "+view model", "+policy",
		"+serializer", "+serializers", "+resource", "+request", "+response", "+dto", "+mapper", "+schema", "+form", "+forms", "+admin", "+helper", "+presenter", "+validator", "+observer", "+resolver", "+reducer",
		"+slice", "+actions", "+selectors", "+store", "+hook", "+routes", "+router", "+handler", "+handlers", "+module", "+component", "+directive", "+pipe", "+guard"}},
}

// dottedVariants are words that mark a variant for a platform only after a dot: list.native.ts.
var dottedVariants = map[string]bool{"native": true, "web": true, "browser": true, "node": true,
	"server": true, "client": true, "worker": true, "ios": true, "android": true, "desktop": true, "mobile": true}

// companionDirs maps names of directories to the kind of the files below them.
var companionDirs = map[string]string{
	"test": CompanionTest, "tests": CompanionTest, "spec": CompanionTest, "specs": CompanionTest, "__tests__": CompanionTest, "__test__": CompanionTest, "e2e": CompanionTest, "cypress": CompanionTest,
	"factories": CompanionFactory, "fixtures": CompanionFixture, "__fixtures__": CompanionFixture, "fixture": CompanionFixture, "testdata": CompanionFixture, "test-data": CompanionFixture, "test_data": CompanionFixture,
	"mocks": CompanionMock, "__mocks__": CompanionMock, "fakes": CompanionMock, "stubs": CompanionMock, "mock": CompanionMock, "fake": CompanionMock,
	"__snapshots__": CompanionSnapshot, "snapshots": CompanionSnapshot,
	"migrations": CompanionMigration, "migrate": CompanionMigration, "migration": CompanionMigration, "seeders": CompanionSeeder, "seeds": CompanionSeeder,
	"stories": CompanionStory, "locales": CompanionTranslated, "locale": CompanionTranslated, "i18n": CompanionTranslated, "l10n": CompanionTranslated, "lang": CompanionTranslated, "translations": CompanionTranslated,
	"bench": CompanionBenchmark, "benches": CompanionBenchmark, "benchmark": CompanionBenchmark, "benchmarks": CompanionBenchmark,
	"example": CompanionExample, "examples": CompanionExample, "samples": CompanionExample, "demo": CompanionExample,
	"docs": CompanionDoc, "doc": CompanionDoc,
}

// companionExts maps extensions to the kind of their files.
var companionExts = map[string]string{
	".h": CompanionHeader, ".hh": CompanionHeader, ".hpp": CompanionHeader, ".hxx": CompanionHeader, ".inl": CompanionHeader,
	".pyi": CompanionTypes, ".mli": CompanionTypes, ".rbi": CompanionTypes, ".rbs": CompanionTypes,
	".css": CompanionStyle, ".scss": CompanionStyle, ".sass": CompanionStyle, ".less": CompanionStyle, ".styl": CompanionStyle,
	".html": CompanionTemplate, ".htm": CompanionTemplate, ".hbs": CompanionTemplate, ".ejs": CompanionTemplate, ".erb": CompanionTemplate, ".haml": CompanionTemplate, ".slim": CompanionTemplate,
	".twig": CompanionTemplate, ".jinja": CompanionTemplate, ".jinja2": CompanionTemplate, ".j2": CompanionTemplate, ".tmpl": CompanionTemplate, ".cshtml": CompanionTemplate, ".razor": CompanionTemplate,
	".md": CompanionDoc, ".mdx": CompanionDoc, ".rst": CompanionDoc, ".adoc": CompanionDoc,
	".snap": CompanionSnapshot, ".proto": CompanionGenerated,
}

// plainDirs are names of directories that belong to the layout of projects rather
// than to a topic, such as "src". They are ignored when the places of two files are
// compared.
var plainDirs = map[string]bool{
	"src": true, "lib": true, "main": true, "java": true, "kotlin": true, "scala": true, "python": true, "include": true, "source": true, "sources": true, "inc": true, "app": true, "js": true, "ts": true,
	"unit": true, "integration": true, "feature": true, "features": true, "functional": true, "unittests": true, "packages": true, "database": true, "db": true, "resources": true, "static": true, "public": true, "assets": true, "code": true,
	"models": true, "controllers": true, "services": true, "views": true, "helpers": true, "components": true, "spec": true, "testing": true,
}

// genericNames are names of so many files that two such files are related only if
// they are near each other.
var genericNames = map[string]bool{
	"index": true, "main": true, "mod": true, "init": true, "util": true, "utils": true, "helper": true, "helpers": true, "types": true, "type": true, "common": true, "base": true, "core": true, "config": true, "constants": true,
	"const": true, "consts": true, "errors": true, "error": true, "doc": true, "docs": true, "readme": true, "setup": true, "lib": true, "test": true, "tests": true, "model": true, "models": true, "view": true, "views": true,
	"app": true, "api": true, "schema": true, "data": true, "server": true, "client": true, "options": true, "option": true, "version": true, "conftest": true, "package": true, "interface": true, "register": true, "default": true,
	"defaults": true, "validation": true, "conversion": true, "strategy": true, "storage": true, "service": true, "handler": true, "handlers": true, "run": true, "cmd": true, "root": true, "all": true, "plugin": true, "factory": true,
}

// IsGeneric reports whether a name, in upper or lower case, is that of many unrelated files.
func IsGeneric(name string) bool { return genericNames[strings.ToLower(name)] }

// folderNames are names that describe the folder of a file instead of the file, such as "index".
var folderNames = map[string]bool{"index": true, "mod": true, "init": true}

// layerless are the kinds whose files belong to all layers (controller, service, …) of a subject.
var layerless = map[string]bool{CompanionFactory: true, CompanionSeeder: true, CompanionFixture: true, CompanionTranslated: true}

// anyLanguage are the kinds whose files need not be of the subject's language.
var anyLanguage = map[string]bool{CompanionFixture: true, CompanionSnapshot: true, CompanionMigration: true, CompanionSeeder: true,
	CompanionStyle: true, CompanionTemplate: true,
	CompanionTranslated: true, CompanionDoc: true, CompanionTypes: true, CompanionGenerated: true, CompanionHeader: true}
