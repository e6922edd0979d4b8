package commands

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// runner is a program that runs tests: the word by which a script names it, its call for one file, the further arguments for one test,
// and whether flags of the script tell it which code to load first.
type runner struct {
	word, file, one string
	loads           bool
}

var nodeRunners = []runner{
	{"vitest", "vitest run PATH", "-t NAME", false},
	{"jest", "jest PATH", "-t NAME", false},
	{"react-scripts test", "react-scripts test PATH", "-t NAME", false},
	{"mocha", "mocha PATH", "-g NAME", true},
	{"ava", "ava PATH", "--match=NAME", false},
	{"borp", "borp PATH", "", false},
	{"tap", "tap PATH", "", false},
	{"tape", "tape PATH", "", true},
	{"jasmine", "jasmine PATH", "--filter=NAME", true},
	{"bun test", "bun test PATH", "-t NAME", false},
	{"node --test", "node --test PATH", "", true},
}

// offerRunner notes the commands for one file and one test of the first runner that a script names. exec begins a call of an installed
// program. There are none if the tests are compiled first, because the paths of sources are then not those of tests.
func (f *finder) offerRunner(list []runner, script, exec, file string) {
	for _, r := range list {
		at := wordIndex(script, r.word)
		if at < 0 {
			continue
		}
		call, _, _ := strings.Cut(script[at:], "\n")
		call, _, _ = strings.Cut(call, "&&")
		if settings := f.text(f.first(".mocharc* .taprc")); strings.Contains(call+settings, "build/") || strings.Contains(call+settings, "dist/") {
			return
		}
		program, arguments, _ := strings.Cut(r.file, " PATH")
		if strings.HasPrefix(r.word, "node ") || strings.HasPrefix(r.word, "bun ") {
			exec = ""
		}
		if r.loads {
			program += loadingFlags(call)
		}
		f.offer(TestFile, exec+program+" PATH"+arguments, file)
		if r.one != "" {
			f.offer(TestOne, exec+program+" PATH "+r.one, file)
		}
		return
	}
}

// loadFlags are the flags with which a test runner loads code before the tests, or finds its settings. They are needed for one file as
// for all.
var loadFlags = []string{"--require", "-r", "--import", "--loader", "--experimental-loader", "--file", "--config", "--ui", "-u"}

// loadingFlags returns the loadFlags of a call, with their values.
func loadingFlags(call string) (out string) {
	words := strings.Fields(call)
	for i, w := range words {
		name, _, joined := strings.Cut(w, "=")
		switch {
		case !slices.Contains(loadFlags, name) || !isPlain(strings.TrimLeft(strings.ReplaceAll(w, "=", ""), "-")):
		case joined:
			out += " " + w
		case i+1 < len(words) && isPlain(words[i+1]):
			out += " " + w + " " + words[i+1]
		}
	}
	return out
}

// wordIndex returns the place of a word in text that is not part of a longer one or of a path, -1 if there is none.
func wordIndex(text, word string) int {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return -1
		}
		begin, end := at+i, at+i+len(word)
		before := begin == 0 || strings.IndexByte(" \n\t/&;|(\"'", text[begin-1]) >= 0
		if before && (end == len(text) || strings.IndexByte(" \n\t&;|)\"'", text[end]) >= 0) {
			return begin
		}
		at = end
	}
}

// pythonManagers are the managers of Python projects by the file that each keeps.
var pythonManagers = []struct{ lock, install, run string }{
	{"uv.lock", "uv sync", "uv run "},
	{"poetry.lock", "poetry install", "poetry run "},
	{"pdm.lock", "pdm install", "pdm run "},
	{"Pipfile.lock", "pipenv install --dev", "pipenv run "},
}

func (f *finder) readPython(file string) {
	run := ""
	for _, m := range pythonManagers {
		if f.has(m.lock) {
			f.offer(Setup, m.install, m.lock)
			run = m.run
			break
		}
	}
	if from := f.first("pyproject.toml setup.py"); from == "setup.py" || from != "" && strings.Contains(f.text(from), "[build-system]") {
		f.offer(Setup, "pip install -e .", from)
	}
	if from := f.pytestSign(); from != "" {
		lines("", "", run+"pytest", run+"pytest PATH", run+"pytest PATH::NAME", "", "")(f, from)
	}
	if file == "manage.py" {
		manage := run + "python manage.py "
		lines("", "", manage+"test", "", manage+"test MODULE.CLASS.NAME", "", manage+"runserver")(f, file)
	}
	if f.has("tox.ini") {
		f.offer(Test, "tox", "tox.ini")
	}
	if f.has("noxfile.py") {
		f.offer(Test, "nox", "noxfile.py")
	}
	if strings.Contains(f.text("pyproject.toml"), "[tool.ruff") {
		f.offer(Lint, run+"ruff check", "pyproject.toml")
	}
	if e := f.entry("/__main__.py"); e != "" && isPlain(e) {
		name := strings.TrimPrefix(path.Dir(e), "src/")
		f.offer(Run, run+"python -m "+strings.ReplaceAll(name, "/", "."), e)
	}
}

// pytestSign returns the file that shows that pytest runs the tests, "" if none does.
func (f *finder) pytestSign() string {
	for _, name := range [...]string{"pytest.ini", "conftest.py", "tests/conftest.py", "test/conftest.py"} {
		if f.has(name) {
			return name
		}
	}
	for _, sign := range [...][2]string{
		{"pyproject.toml", "pytest"}, {"setup.cfg", "pytest"}, {"tox.ini", "pytest"}, {"noxfile.py", "pytest"},
		{"requirements-dev.txt", "pytest"}, {"requirements-test.txt", "pytest"}, {"requirements.txt", "pytest"}, {"setup.py", "pytest"},
	} {
		if f.has(sign[0]) && strings.Contains(f.text(sign[0]), sign[1]) {
			return sign[0]
		}
	}
	return ""
}

// entry returns the only file with a path of some ending in which a program starts, relative to the directory; "" if there is not just one.
func (f *finder) entry(ending string) string {
	found := ""
	for _, p := range f.entries {
		if !strings.HasSuffix(p, ending) {
			continue
		}
		if found != "" {
			return ""
		}
		found = p
	}
	return strings.TrimPrefix(strings.TrimPrefix(found, f.dir), "/")
}

// mainPackage returns the argument of "go run" for the only main package, "" if there is not just one.
func (f *finder) mainPackage() string {
	found := ""
	for _, p := range f.entries {
		if !strings.HasSuffix(p, ".go") {
			continue
		}
		dir := cmp.Or(strings.TrimPrefix(strings.TrimPrefix(path.Dir(p), f.dir), "/"), ".")
		if found != "" && found != dir {
			return ""
		}
		found = dir
	}
	switch {
	case found == "" || !isPlain(found):
		return ""
	case found == ".":
		return "."
	}
	return "./" + found
}

var rakeTask = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\s*(?:task|multitask)[ (]+(?::|["'])?(\w+)|^\s*(?:Rake::TestTask|RSpec::Core::RakeTask)\.new(?:[ (]*:(\w+))?`)
})

func (f *finder) readRuby(string) {
	if f.has("Gemfile") {
		f.offer(Setup, "bundle install", "Gemfile")
	}
	if f.has("bin/rails") {
		lines("", "", "bin/rails test", "bin/rails test PATH", "bin/rails test PATH:LINE", "", "bin/rails server")(f, "bin/rails")
	}
	targets := map[string]bool{}
	text := f.text("Rakefile")
	for _, m := range rakeTask().FindAllStringSubmatch(text, -1) {
		switch {
		case m[1] != "" || m[2] != "":
			targets[m[1]+m[2]] = true
		case strings.Contains(m[0], "RSpec"):
			targets["spec"] = true
		default:
			targets["test"] = true
		}
	}
	for _, name := range [...]string{"test", "spec"} {
		if targets[name] {
			f.offer(Test, "bundle exec rake "+name, "Rakefile")
		}
	}
	if targets["default"] {
		f.offer(Test, "bundle exec rake", "Rakefile")
	}
	if strings.Contains(text, "standard/rake") {
		f.offer(Lint, "bundle exec rake standard", "Rakefile")
	}
	switch {
	case f.has(".rspec") || f.has("spec/spec_helper.rb"):
		from := ".rspec"
		if !f.has(from) {
			from = "spec/spec_helper.rb"
		}
		lines("", "", "bundle exec rspec", "bundle exec rspec PATH", "bundle exec rspec PATH:LINE", "", "")(f, from)
	case targets["test"]:
		ruby := "bundle exec ruby -Ilib:test PATH"
		lines("", "", "", ruby, ruby+" -n NAME", "", "")(f, "Rakefile")
	}
}
