package commands

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// targetNames are the names under which projects keep their commands, the plainest first, in the order of the kinds. A name with "*"
// stands for all that begin so.
var targetNames = [kinds][]string{
	Build: {"build", "compile", "dist", "all"},
	Test:  {"test", "tests", "check", "unittest", "unit-test", "test-unit", "test-all", "testall"},
	Lint:  {"lint", "check-lint", "lint-check", "check-style", "style", "cs", "cs-check", "phpcs", "phpstan", "analyse", "eslint", "check-format", "fmt-check", "format-check"},
	Run:   {"start", "dev", "serve", "run", "run-dev", "start-dev", "server"},
}

// offerTargets notes the commands of named targets: "make test" for target test where call is "make ".
func (f *finder) offerTargets(targets map[string]bool, call, file string) {
	for k, names := range targetNames {
		for _, n := range names {
			for _, spelled := range [...]string{n, strings.ReplaceAll(n, "-", ":"), strings.ReplaceAll(n, "-", "_")} {
				if targets[spelled] {
					f.offer(Kind(k), call+spelled, file)
				}
			}
		}
	}
}

var makeTarget = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^([A-Za-z0-9_.-]+(?: +[A-Za-z0-9_.-]+)*) *::?(?:[^=:]|$)`)
})

// makeTargets returns the targets that a Makefile declares.
func makeTargets(text string) map[string]bool {
	out := map[string]bool{}
	for _, m := range makeTarget().FindAllStringSubmatch(text, -1) {
		for _, name := range strings.Fields(m[1]) {
			out[name] = true
		}
	}
	return out
}

// testingAll matches a first target of a Makefile in a folder of tests that runs them.
var testingAll = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?mi)^all *::?[^=\n]*(?:tests?\b|check)`) })

func (f *finder) readMakefile(file string) {
	text := f.text(file)
	targets := makeTargets(text)
	if isNamed := targets["test"] || targets["check"]; targets["all"] && !isNamed && strings.Contains(f.dir, "test") && testingAll().MatchString(text) {
		f.offer(Test, "make", file)
		delete(targets, "all")
	}
	f.offerTargets(targets, "make ", file)
	if f.found[Build].Line == "make all" {
		f.found[Build].Line = "make"
	}
}

var recipe = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^@?([A-Za-z][\w-]*)(?: +[^:=\n]*)?:(?:[^=]|$)`) })

func (f *finder) readJustfile(file string) {
	targets := map[string]bool{}
	for _, m := range recipe().FindAllStringSubmatch(f.text(file), -1) {
		targets[m[1]] = true
	}
	f.offerTargets(targets, "just ", file)
}

var taskName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^(?:  |\t|    )([A-Za-z][\w:-]*):[ \t\r]*$`) })

func (f *finder) readTaskfile(file string) {
	_, tasks, _ := strings.Cut("\n"+f.text(file), "\ntasks:")
	targets := map[string]bool{}
	for _, m := range taskName().FindAllStringSubmatch(tasks, -1) {
		targets[m[1]] = true
	}
	f.offerTargets(targets, "task ", file)
}

// scripts returns the named scripts of a package.json or composer.json that do something. A script of several steps is no string.
func (f *finder) scripts(file string) map[string]string {
	var pkg struct{ Scripts map[string]any }
	out := map[string]string{}
	if json.Unmarshal([]byte(f.text(file)), &pkg) != nil {
		return out
	}
	for name, v := range pkg.Scripts {
		if text, _ := v.(string); !strings.Contains(text, "no test specified") {
			out[name] = text
		}
	}
	return out
}

// managers are the package managers of JavaScript by the file that each keeps, with the call of a script and of a program.
var managers = []struct{ lock, install, script, exec string }{
	{"pnpm-lock.yaml", "pnpm install", "pnpm ", "pnpm exec "},
	{"yarn.lock", "yarn install", "yarn ", "yarn "},
	{"bun.lock", "bun install", "bun run ", "bunx "},
	{"bun.lockb", "bun install", "bun run ", "bunx "},
	{"", "npm install", "npm run ", "npx "},
}

func (f *finder) readNode(file string) {
	at := slices.IndexFunc(managers, func(m struct{ lock, install, script, exec string }) bool { return m.lock == "" || f.has(m.lock) })
	m := managers[at]
	scripts := f.scripts(file)
	targets := map[string]bool{}
	for name, text := range scripts {
		isAside := slices.Contains(targetNames[Run], name) && asideScript().MatchString(text)
		targets[name] = !isAside
	}
	f.offer(Setup, m.install, file)
	f.offerTargets(targets, m.script, file)
	if f.found[Test].Line == "npm run test" {
		f.found[Test].Line = "npm test"
	}
	f.offerRunner(nodeRunners, followScripts(scripts, "test", maxCalls), m.exec, file)
}

// asideScript matches a script that starts the documentation or an example in place of the program.
var asideScript = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:website|docs?|docusaurus|vitepress|storybook|examples?|playground|demo)\b`)
})

// maxCalls is the depth up to which a script is followed into those that it calls.
const maxCalls = 3

// followScripts returns the text of a script with those that it calls.
func followScripts(scripts map[string]string, name string, depth int) string {
	text := scripts[name]
	if depth == 0 {
		return text
	}
	for _, w := range strings.Fields(text) {
		if w != name && scripts[w] != "" {
			text += "\n" + followScripts(scripts, w, depth-1)
		}
	}
	return text
}

func (f *finder) readComposer(file string) {
	targets := map[string]bool{}
	for name := range f.scripts(file) {
		targets[name] = true
	}
	f.offer(Setup, "composer install", file)
	f.offerTargets(targets, "composer ", file)
	if config := f.first("phpunit.xml phpunit.xml.dist phpunit.dist.xml"); config != "" {
		program := "vendor/bin/phpunit"
		if strings.Contains(f.text(file), `"pestphp/pest"`) {
			program = "vendor/bin/pest"
		}
		lines("", "", program, program+" PATH", program+" --filter NAME", "", "")(f, config)
	}
	if f.has("artisan") {
		f.offer(Run, "php artisan serve", "artisan")
	}
}
