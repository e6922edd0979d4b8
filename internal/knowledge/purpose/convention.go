package purpose

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ken/internal/code"
	"ken/internal/engine/view"
)

// namedFile is the purpose of a file that frameworks or languages find by its name. A row applies if the file's name is
// base and, where given, its language is lang and a folder above it is called below. {dir} is the folder, {name} the name in
// words, {decls} the declarations of the file, {stem} the unchanged name; a row with {decls} applies only if there are
// declarations.
type namedFile struct {
	base  string // "*" stands for any name, "*.stories" for an ending
	lang  code.Lang
	below string
	text  string
}

var conventions = []namedFile{
	{"__main__.py", "python", "", "Runs the package {dir} as a program (python -m)."},
	{"conftest.py", "python", "", "Fixtures and hooks that pytest gives to all tests in {dir}."},
	{"setup.py", "python", "", "Builds and installs the Python package with setuptools."},
	{"manage.py", "python", "", "Runs the administrative commands of a Django project."},
	{"wsgi.py", "python", "", "Entry point for WSGI servers to the application in {dir}."},
	{"asgi.py", "python", "", "Entry point for ASGI servers to the application in {dir}."},
	{"urls.py", "python", "", "Maps URLs to the views of {dir}."},
	{"apps.py", "python", "", "Registers the application {dir} with Django."},
	{"admin.py", "python", "", "Registers models of {dir} with Django's administration."},
	{"models.py", "python", "", "Models of {dir}: {decls}."},
	{"views.py", "python", "", "Views of {dir}: {decls}."},
	{"forms.py", "python", "", "Forms of {dir}: {decls}."},
	{"serializers.py", "python", "", "Serializers of {dir}: {decls}."},
	{"signals.py", "python", "", "Signals of {dir}: {decls}."},
	{"route.ts", "typescript", "", "Answers the requests to {dir}."},
	{"page.tsx", "typescript", "", "The page at {dir}."},
	{"layout.tsx", "typescript", "", "The layout of the pages in {dir}."},
	{"*", "python", "management/commands", "The command {stem} of manage.py."},
	{"*", "python", "migrations", "Database migration: {name}."},
	{"*", "ruby", "db/migrate", "Database migration: {name}."},
	{"*", "php", "migrations", "Database migration: {name}."},
	{"Package.swift", "swift", "", "Declares the package of {dir}, with its products and dependencies, for Swift's package manager."},
	{"build.rs", "rust", "", "Runs before the crate is compiled and prepares its build."},
	{"errors.*", "", "", "The errors that {dir} reports: {decls}."},
	{"error.*", "", "", "The errors that {dir} reports: {decls}."},
	{"exceptions.*", "", "", "The errors that {dir} reports: {decls}."},
	{"constants.*", "", "", "Constants that {dir} shares: {decls}."},
	{"consts.*", "", "", "Constants that {dir} shares: {decls}."},
	{"types.*", "", "", "Types that {dir} shares: {decls}."},
	{"utils.*", "", "", "Helpers for {dir}: {decls}."},
	{"util.*", "", "", "Helpers for {dir}: {decls}."},
	{"helpers.*", "", "", "Helpers for {dir}: {decls}."},
	{"vite.config.*", "", "", "Configures Vite's build of {dir}."},
	{"vitest.config.*", "", "", "Configures the tests that Vitest runs in {dir}."},
	{"jest.config.*", "", "", "Configures the tests that Jest runs in {dir}."},
	{"rollup.config.*", "", "", "Configures Rollup's bundles of {dir}."},
	{"webpack.config.*", "", "", "Configures webpack's bundles of {dir}."},
	{"eslint.config.*", "", "", "Configures ESLint for {dir}."},
	{"tailwind.config.*", "", "", "Configures Tailwind CSS for {dir}."},
	{"next.config.*", "", "", "Configures Next.js for {dir}."},
	{"playwright.config.*", "", "", "Configures the tests that Playwright runs in {dir}."},
	{"cypress.config.*", "", "", "Configures the tests that Cypress runs in {dir}."},
	{"postcss.config.*", "", "", "Configures PostCSS for {dir}."},
	{"prettier.config.*", "", "", "Configures Prettier for {dir}."},
	{"svelte.config.*", "", "", "Configures Svelte for {dir}."},
	{"nuxt.config.*", "", "", "Configures Nuxt for {dir}."},
	{"tsup.config.*", "", "", "Configures tsup's bundles of {dir}."},
	{"karma.conf.*", "", "", "Configures the tests that Karma runs in {dir}."},
	{"gulpfile.*", "", "", "Tasks of gulp for {dir}."},
	{"babel.config.*", "", "", "Configures Babel for {dir}."},
	{"*.stories", "", "", "Shows {name} in Storybook."},
	{"*.d", "typescript", "", "Declares types for the compiler: {decls}."},
}

// conventionPurpose returns the purpose of a file with a name that a framework or language requires.
func (r *purposeReading) conventionPurpose(context.Context) (Purpose, error) {
	base := path.Base(r.f.Path)
	if base == "__init__.py" && len(r.top)+len(r.imports) == 0 {
		return Purpose{Text: "Marks " + r.folderName() + " as a package of Python.", From: Place}, nil
	}
	for i := range conventions {
		if c := &conventions[i]; c.applies(r.f, base) {
			return r.fillTemplate(c, base), nil
		}
	}
	return Purpose{}, nil
}

// toolFilePurpose returns the conventionPurpose of a file that a tool finds by its name in any folder. It comes first,
// because settings in a folder of tests are not tests.
func (r *purposeReading) toolFilePurpose(ctx context.Context) (Purpose, error) {
	base := path.Base(r.f.Path)
	isMark := base == "__init__.py" && len(r.top)+len(r.imports) == 0
	isTool := slices.Contains([]string{"conftest.py", "Package.swift", "build.rs"}, base) || strings.HasSuffix(base, ".d.ts")
	if isMark || isTool || strings.Contains(base, ".config.") {
		return r.conventionPurpose(ctx)
	}
	return Purpose{}, nil
}

// folderName returns the name of the file's folder as it appears in a sentence.
func (r *purposeReading) folderName() string {
	if d := path.Dir(r.f.Path); d != "." {
		return d
	}
	return "the project"
}

func (c *namedFile) applies(f *code.File, base string) bool {
	if c.lang != "" && c.lang != f.Lang {
		return false
	}
	stem := strings.TrimSuffix(base, path.Ext(base))
	switch {
	case c.base == "*":
		return strings.HasSuffix("/"+path.Dir(f.Path), "/"+c.below) && !strings.HasPrefix(base, "_")
	case strings.HasPrefix(c.base, "*"):
		return strings.HasSuffix(stem, c.base[1:]) && stem != c.base[1:]
	case strings.HasSuffix(c.base, ".*"):
		return stem == c.base[:len(c.base)-2]
	}
	return base == c.base
}

// ordinal matches the number or date with which the name of a migration begins.
var ordinal = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]+(_[0-9]+)*[_-]`) })

// isError reports whether a declaration in a file of errors can be one: it is a type, or has the name of a value as Go's.
func isError(y *view.Symbol) bool {
	isAlias := y.Kind == code.KindType || y.Kind == code.KindInterface || y.Kind == code.KindTrait
	return strings.HasPrefix(y.Name, "Err") || y.Kind.IsType() && !isAlias
}

func (r *purposeReading) fillTemplate(c *namedFile, base string) Purpose {
	var decls []string
	errors := strings.Contains(c.text, "errors")
	for i := range r.top {
		if y := &r.top[i]; y.Exported && (!errors || isError(y)) && !slices.Contains(decls, y.Name) {
			decls = append(decls, y.Name)
		}
	}
	if strings.Contains(c.text, "{decls}") && len(decls) == 0 {
		return Purpose{}
	}
	name := strings.TrimSuffix(base, path.Ext(base))
	if len(c.base) > 1 && c.base[0] == '*' {
		name = strings.TrimSuffix(name, c.base[1:])
	} else if n := ordinal().ReplaceAllString(name, ""); n != "" {
		name = nameInWords(n)
	}
	stem := strings.TrimSuffix(base, path.Ext(base))
	text := strings.NewReplacer("{dir}", r.folderName(), "{name}", name, "{stem}", stem, "{decls}", joinNames(decls, 3)).Replace(c.text)
	return Purpose{Text: text, From: Place}
}
