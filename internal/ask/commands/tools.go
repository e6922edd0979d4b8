package commands

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// tool is a program that builds or tests projects, with the files that show that a project uses it.
type tool struct {
	files string // patterns of path.Match for base names, separated by blanks
	langs string // of the projects it is for; "" for all
	read  func(f *finder, file string)
}

// tools lists the tools. Among tools of the same language the first wins, because each is the front of those below it: a project
// with a Makefile means its targets, even where the compiler could be called directly.
var tools = []tool{
	{"package.json", "typescript javascript vue svelte astro", (*finder).readNode},
	{"deno.json deno.jsonc", "typescript javascript", lines("", "", "deno test", "deno test PATH", "deno test PATH --filter NAME", "deno lint", "")},
	{"configure configure.ac configure.in", "c cpp", (*finder).readConfigure},
	{"Makefile GNUmakefile makefile", "", (*finder).readMakefile},
	{"justfile Justfile .justfile", "", (*finder).readJustfile},
	{"Taskfile.yml Taskfile.yaml", "", (*finder).readTaskfile},
	{"go.mod", "go", (*finder).readGo},
	{"Cargo.toml", "rust", (*finder).readCargo},
	{"pom.xml", "java kotlin scala groovy", (*finder).readMaven},
	{"build.gradle build.gradle.kts settings.gradle settings.gradle.kts", "java kotlin groovy scala", (*finder).readGradle},
	{"*.sln *.slnx *.csproj *.fsproj", "csharp fsharp", (*finder).readDotnet},
	{"manage.py pyproject.toml setup.py setup.cfg tox.ini noxfile.py pytest.ini", "python", (*finder).readPython},
	{"Rakefile Gemfile *.gemspec", "ruby", (*finder).readRuby},
	{"composer.json", "php blade", (*finder).readComposer},
	{"CMakeLists.txt", "c cpp cuda", (*finder).readCMake},
	{"meson.build", "c cpp vala", lines("", "meson setup build && meson compile -C build", "meson test -C build", "", "meson test -C build NAME", "", "")},
	{"mix.exs", "elixir", lines("mix deps.get", "mix compile", "mix test", "mix test PATH", "mix test PATH:LINE", "", "")},
	{"pubspec.yaml", "dart", (*finder).readPubspec},
	{"Package.swift", "swift", lines("", "swift build", "swift test", "", "swift test --filter NAME", "", "")},
	{"build.sbt", "scala", lines("", "sbt compile", "sbt test", `sbt "testOnly CLASS"`, "", "", "")},
	{"stack.yaml", "haskell", lines("", "stack build", "stack test", "", "", "", "")},
	{"cabal.project *.cabal", "haskell", lines("", "cabal build all", "cabal test all", "", "", "", "")},
	{"dune-project", "ocaml", lines("", "dune build", "dune test", "", "", "", "")},
	{"build.zig", "zig", (*finder).readZig},
	{"rebar.config", "erlang", lines("", "rebar3 compile", "rebar3 eunit", "", "", "", "")},
	{"foundry.toml", "solidity", lines("", "forge build", "forge test", "forge test --match-path PATH", "forge test --match-test NAME", "", "")},
	{"MODULE.bazel WORKSPACE WORKSPACE.bazel", "", lines("", "bazel build //...", "bazel test //...", "", "", "", "")},
	{".golangci.yml .golangci.yaml .golangci.toml .golangci.json", "go", lint("golangci-lint run")},
	{".pre-commit-config.yaml", "", lint("pre-commit run --all-files")},
	{"ruff.toml .ruff.toml", "python", lint("ruff check")},
	{".standard.yml", "ruby", lint("bundle exec standardrb")},
	{".rubocop.yml", "ruby", lint("bundle exec rubocop")},
	{"phpstan.neon phpstan.neon.dist phpstan.dist.neon", "php", lint("vendor/bin/phpstan analyse")},
	{"biome.json biome.jsonc", "typescript javascript", lint("npx biome check")},
}

// lines returns the reader of a tool whose commands are the same in every project, one of each kind in the order of the kinds.
func lines(of ...string) func(*finder, string) {
	return func(f *finder, file string) {
		for k, line := range of {
			f.offer(Kind(k), line, file)
		}
	}
}

// lint returns the reader of a file of settings of a program that checks style.
func lint(line string) func(*finder, string) {
	return func(f *finder, file string) { f.offer(Lint, line, file) }
}

func (f *finder) readGo(file string) {
	lines("", "go build ./...", "go test ./...", "go test ./DIR", "go test ./DIR -run '^NAME$'", "", "")(f, file)
	if main := f.mainPackage(); main != "" {
		f.offer(Run, "go run "+main, file)
	}
}

func (f *finder) readCargo(file string) {
	all := ""
	if strings.Contains(f.text(file), "[workspace]") {
		all = " --workspace"
	}
	one := ""
	if f.holds("tests", ".rs") {
		one = "cargo test --test STEM"
	}
	lines("", "cargo build"+all, "cargo test"+all, one, "cargo test NAME", "", "")(f, file)
	if f.has("src/main.rs") {
		f.offer(Run, "cargo run", file)
	}
}

func (f *finder) readMaven(file string) {
	mvn := "mvn"
	if f.has("mvnw") {
		mvn = "./mvnw"
	}
	lines("", mvn+" compile", mvn+" test", mvn+" test -Dtest=CLASS", mvn+" test -Dtest=CLASS#METHOD", "", "")(f, file)
}

// readGradle reads a project of Gradle. One for several platforms has no task "test" and one task a platform, so that only "check" is
// known to run all tests.
func (f *finder) readGradle(file string) {
	gradle := "gradle"
	if f.has("gradlew") {
		gradle = "./gradlew"
	}
	f.offer(Build, gradle+" assemble", file)
	text := f.text("build.gradle") + f.text("build.gradle.kts")
	if strings.Contains(text+f.text("gradle/libs.versions.toml"), "multiplatform") {
		f.offer(Test, gradle+" check", file)
		if jvmTarget().MatchString(text) {
			f.offer(TestFile, gradle+" jvmTest --tests CLASS", file)
		}
		return
	}
	test := gradle + " test --tests CLASS"
	lines("", "", gradle+" test", test, test+".METHOD", "", "")(f, file)
	if strings.Contains(text, "org.springframework.boot") {
		f.offer(Run, gradle+" bootRun", file)
	}
}

// jvmTarget matches the target of a project for several platforms that has the tasks jvmTest and jvmJar.
var jvmTarget = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*jvm\s*(?:\(\)|\{)`) })

func (f *finder) readDotnet(file string) {
	lines("", "dotnet build "+file, "dotnet test "+file, "dotnet test "+file+" --filter FullyQualifiedName~CLASS", "dotnet test "+file+" --filter FullyQualifiedName~NAME", "", "")(f, file)
}

var (
	cmakeOption = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\boption\s*\(\s*(\w+)\s+"[^"]*"\s*([^\s)]*)\s*\)`)
	})
	// testOption matches names of options that build all tests, and not those for one kind of them, as FMT_CUDA_TEST.
	testOption = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:[A-Z0-9]+_)*?(?:BUILD|ENABLE|WITH|RUN)_?(?:UNIT_?)?TEST(?:S|ING)?$|^(?:[A-Z0-9]+_)?(?:UNIT_?)?TEST(?:S|ING)?(?:_ENABLED?|_BUILD)?$`)
	})
)

// testSetting returns the definition with which cmake has to be called so that the tests are built, "" if none is needed.
func testSetting(text string) string {
	for _, m := range cmakeOption().FindAllStringSubmatch(text, -1) {
		if testOption().MatchString(m[1]) {
			if m[2] == "" || strings.EqualFold(m[2], "off") {
				return "-D" + m[1] + "=ON "
			}
			return ""
		}
	}
	return ""
}

func (f *finder) readCMake(file string) {
	if f.found[Build].Line != "" {
		return // tests would need another build
	}
	const build = "cmake -B build && cmake --build build"
	f.offer(Build, build, file)
	text := f.text(file)
	isTested := func(mark string) bool { return strings.Contains(text, mark) }
	if !slices.ContainsFunc([]string{"enable_testing", "include(CTest)", "add_test", "CTEST"}, isTested) {
		return
	}
	first := ""
	if setting := testSetting(text); setting != "" {
		first = strings.Replace(build, "build &&", "build "+setting+"&&", 1) + " && "
	}
	f.offer(Test, first+"ctest --test-dir build", file)
	f.offer(TestOne, "ctest --test-dir build -R NAME", file)
}

// readConfigure reads a project that is built by autotools or by a script of the same form.
func (f *finder) readConfigure(file string) {
	in := f.first("Makefile.am Makefile.in")
	if in == "" {
		return
	}
	start := "./configure && make"
	switch {
	case f.has("configure"):
	case f.has("autogen.sh"):
		start = "sh autogen.sh && " + start
	default:
		start = "autoreconf -i && " + start
	}
	f.offer(Build, start, file)
	targets := makeTargets(f.text(in))
	switch {
	case in == "Makefile.am":
		if f.checksWithAutomake("") {
			f.offer(Test, "make check", in)
		}
	case targets["test"]:
		f.offer(Test, "make test", in)
	case targets["check"]:
		f.offer(Test, "make check", in)
	}
}

var (
	automakeTests = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^(?:TESTS|check_\w+)\s*\+?=|^check(?:-local)?\s*:`)
	})
	subdirs = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^\s*(?:DIST_)?SUBDIRS\s*\+?=((?:[^\\\n]|\\\n)*)`)
	})
)

// checksWithAutomake reports whether the Makefile.am of a folder or of one that it lists names tests. "make check" is there without any.
func (f *finder) checksWithAutomake(dir string) bool {
	text := f.text(path.Join(dir, "Makefile.am"))
	if automakeTests().MatchString(text) {
		return true
	}
	for _, m := range subdirs().FindAllStringSubmatch(text, maxDirs) {
		for _, d := range strings.Fields(m[1]) {
			if dir == "" && isPlain(d) && f.has(path.Join(d, "Makefile.am")) && f.checksWithAutomake(d) {
				return true
			}
		}
	}
	return false
}

func (f *finder) readPubspec(file string) {
	dart := "dart"
	if strings.Contains(f.text(file), "sdk: flutter") {
		dart = "flutter"
	}
	lines(dart+" pub get", "", dart+" test", dart+" test PATH", dart+" test PATH --name NAME", dart+" analyze", "")(f, file)
}

func (f *finder) readZig(file string) {
	f.offer(Build, "zig build", file)
	if strings.Contains(f.text(file), `"test"`) {
		f.offer(Test, "zig build test", file)
	}
	if strings.Contains(f.text(file), `"run"`) {
		f.offer(Run, "zig build run", file)
	}
}
