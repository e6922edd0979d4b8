package main

// language is a row: the repositories in which symbols of a language are renamed, and how the result is checked.
type language struct {
	name     string
	complete int    // percent of the renames that must have no unsure place
	ctags    string // its name for ctags, and the kinds that are drawn
	kinds    string
	fixed    string // names that the language itself gives a meaning, so that no declaration of them can get another
	globs    string // of the files that are searched for the old name
	prepare  string // command of the shell that is run first
	check    string // command of the shell whose messages must stay as they are; "" if there is none
	repos    []string
}

const (
	tsc = "tsc --noEmit --pretty false --skipLibCheck --target es2022 --module esnext --moduleResolution bundler --jsx react-jsx "
	// a unit takes seconds: the changed ones are compiled, those that have the old name, and three that include each changed header
	units = "$(git ls-files '*.cpp' '*.cc' | grep -v -e bench -e fuzz)"
	gxx   = "g++ -w -std=c++17 -Iinclude -Isrc -I. "
	// the changed files, or all before the first change, so that what is wrong with them anyway is known
	changed = "changed() { { git diff --name-only --diff-filter=d -- $1; git ls-files -o --exclude-standard -- $1; } | grep . || git ls-files -- $1; }; changed "
)

var languages = []language{
	{name: "go", complete: 85, ctags: "Go", kinds: "func method struct interface type const var member", globs: "*.go", prepare: "go mod download",
		check: "go vet ./...", repos: []string{"rs+zerolog", "spf13+afero", "go-resty+resty"}},
	{name: "typescript", complete: 85, ctags: "TypeScript", kinds: "function method class interface alias constant enum property variable generator",
		fixed: "constructor", globs: "*.ts *.tsx", check: tsc + "--strict $(git ls-files '*.ts' '*.tsx')",
		repos: []string{"reduxjs+redux", "ReactiveX+rxjs", "immerjs+immer", "sindresorhus+ky"}},
	{name: "javascript", complete: 85, ctags: "JavaScript", kinds: "function method class constant generator getter setter", fixed: "constructor", globs: "*.js *.mjs *.cjs *.ts",
		check: tsc + "--allowJs --checkJs $(git ls-files 'lib/*.js' 'test/*.js' 'index.js'); " + changed + "'*.js' | xargs -r -n1 node --check",
		repos: []string{"expressjs+express", "koajs+koa", "fastify+fastify", "winstonjs+winston"}},
	{name: "java", complete: 85, ctags: "Java", kinds: "class interface enum method field enumConstant", globs: "*.java",
		check: "mkdir -p /tmp/ken-javac && javac -proc:none -nowarn -Xmaxerrs 100000 -Xmaxwarns 1 -d /tmp/ken-javac $(find . -name '*.java' | grep -v -e module-info -e package-info) 2>&1 | grep ': error: '",
		repos: []string{"apache+commons-cli", "apache+commons-csv", "square+javapoet"}},
	{name: "python", complete: 85, ctags: "Python", kinds: "class function member variable", globs: "*.py *.pyi",
		check: "pyright .", repos: []string{"Textualize+rich", "pytest-dev+pluggy", "jpadilla+pyjwt", "tqdm+tqdm"}},
	{name: "c", complete: 85, ctags: "C", kinds: "function struct typedef enum enumerator macro member variable union", globs: "*.c *.h",
		check: "for f in $(git ls-files '*.c'); do gcc -fsyntax-only -w -std=gnu11 -D_GNU_SOURCE -I. -Iinclude -Isrc -Iuthash -Iklib $f; done",
		repos: []string{"madler+zlib", "troydhanson+uthash", "vstakhov+libucl", "tmux+tmux"}},
	{name: "c++", complete: 85, ctags: "C++", kinds: "function class struct typedef enum enumerator macro member", globs: "*.cpp *.cc *.h *.hpp",
		prepare: "for f in " + units + "; do " + gxx + "-MM -MT $f $f | tr -d '\\\\\\n'; echo; done > .git/units",
		check: "c=$(git diff --name-only --diff-filter=d); for f in $(if [ -z \"$c\" ]; then echo " + units + "; else (printf '%s\\n' $c; " +
			"for h in $c; do grep -F $h .git/units | cut -d: -f1 | head -3; done; git grep -lwFe \"$OLD_NAME\") | grep -e 'cpp$' -e 'cc$' |" +
			" grep -v -e bench -e fuzz | sort -u | head -16; fi); do " + gxx + "-fsyntax-only $f; done",
		repos: []string{"CLIUtils+CLI11", "jarro2783+cxxopts", "gabime+spdlog"}},
	{name: "rust", complete: 85, ctags: "Rust", kinds: "function method struct enum interface field enumerator typedef constant macro", globs: "*.rs",
		prepare: "cargo fetch", check: "RUSTFLAGS='--cap-lints warn' cargo check --offline --all-targets --message-format short 2>&1 | grep -e ^error -e ': error' | grep -v 'could not compile'", repos: []string{"hyperium+http", "rayon-rs+rayon", "seanmonstar+warp"}},
	{name: "php", complete: 85, ctags: "PHP", kinds: "class interface trait function constant variable", globs: "*.php",
		check: changed + "'*.php' | xargs -r -n1 php -l | grep -v '^No syntax errors'",
		repos: []string{"Seldaek+monolog", "guzzle+psr7", "thephpleague+commonmark", "thephpleague+flysystem"}},
	{name: "ruby", complete: 60, ctags: "Ruby", kinds: "class module method singletonMethod constant accessor", fixed: "initialize method_missing", globs: "*.rb",
		check: changed + "'*.rb' | xargs -r -n1 ruby -W0 -c 2>&1 | grep -v '^Syntax OK' | tr -s ' ~'",
		repos: []string{"lostisland+faraday", "rack+rack", "rails+thor", "ruby-grape+grape"}},
	{name: "kotlin", complete: 85, ctags: "Kotlin", kinds: "class interface object method constant variable typealias", globs: "*.kt *.kts",
		repos: []string{"InsertKoinIO+koin", "square+moshi", "Kotlin+kotlinx-datetime", "cashapp+turbine"}},
	{name: "c#", complete: 85, ctags: "C#", kinds: "class interface struct enum enumerator method property field", globs: "*.cs",
		repos: []string{"DapperLib+Dapper", "serilog+serilog", "App-vNext+Polly", "Humanizr+Humanizer"}},
}
