package commands

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"ken/internal/lang"
)

// ciWords are the first words of commands by their kind, beside those of lang.TestCommands. CI runs a project's commands in places that
// differ in each project, so a line is known by its program alone.
var ciWords = [kinds][]string{
	Setup: {"pip install -e", "pip install -r", "npm ci", "uv sync", "poetry install", "bundle install", "composer install"},
	Build: {"make", "make build", "make all", "go build", "cargo build", "npm run build", "yarn build", "pnpm build", "mvn package", "mvn compile", "mvnw package", "gradlew build", "gradlew assemble", "dotnet build", "cmake --build", "bazel build", "meson compile"},
	Test: append(lang.TestCommands(), "make test", "make check", "ctest", "bazel test", "meson test", "unittest", "prove", "busted", "mix test", "swift test", "sbt test",
		"dune test", "cabal test", "stack test", "runtests.py", "rake spec", "rake"),
	Lint: {"golangci-lint run", "make lint", "npm run lint", "yarn lint", "pnpm lint", "pnpm run lint", "yarn run lint", "eslint", "ruff check", "flake8", "pylint", "mypy", "pre-commit run", "cargo clippy", "rubocop", "phpcs",
		"phpstan", "ktlint", "gradlew ktlintCheck", "gradlew spotlessCheck", "gradlew detekt", "mvn checkstyle:check", "mvnw checkstyle:check", "dotnet format", "staticcheck", "go vet", "black --check", "credo"},
}

// callers are words that call the command behind them.
var callers = []string{"bundle", "exec", "uv", "poetry", "pdm", "hatch", "run", "python", "python3", "-m", "npx", "pnpx", "bunx", "sudo", "time", "xvfb-run"}

// maxWorkflows is the number of workflows that are read.
const maxWorkflows = 12

// readWorkflows takes the kinds for which no tool has a command from the commands that CI runs, where a line is one command without
// variables, pipes and redirections.
func (f *finder) readWorkflows() {
	if f.dir != "" || !slices.ContainsFunc([]Kind{Test, Lint}, func(k Kind) bool { return f.found[k].Line == "" }) {
		return
	}
	const folder = ".github/workflows"
	files, err := f.s.Index.FilesIn(folder)
	f.note(err)
	paths := []string{".gitlab-ci.yml", ".travis.yml", ".circleci/config.yml"}
	for i := range files {
		paths = append(paths, files[i].Path)
	}
	slices.SortStableFunc(paths, func(a, b string) int { return cmp.Compare(workflowPlace(a), workflowPlace(b)) })
	for _, p := range paths[:min(len(paths), maxWorkflows)] {
		if !f.has(p) {
			continue
		}
		lines := workflowLines(f.text(p))
		isOfProject := slices.ContainsFunc(lines, func(line string) bool {
			k, ok := kindOf(line)
			return ok && (k == Build || k == Test)
		})
		for _, line := range lines {
			if k, ok := kindOf(line); ok && (isOfProject || k != Setup) { // else it sets up a check of spelling or the like
				f.offer(k, line, p)
			}
		}
	}
}

// workflowPlace returns how late a workflow is read: those named for tests are the first.
func workflowPlace(p string) int {
	base := strings.ToLower(path.Base(p))
	for i, word := range [...]string{"test", "ci", "build", "check", "lint", "main"} {
		if strings.Contains(base, word) {
			return i
		}
	}
	return len(base) + 10
}

// workflowLines returns the single commands that a workflow runs: of its "run" and "script" keys, on the same line, in the
// block below, or in the list below. Those of a step in another folder are left out. It goes by the indentation of lines, so its cost is
// linear whatever the file holds.
func workflowLines(text string) (out []string) {
	within := -1 // the indentation of the key whose block is read
	step := -1   // the number of commands before the step that is read, -1 before the first
	elsewhere := false
	add := func(line string) {
		list, moved := plainCommands(line)
		if !elsewhere {
			out = append(out, list...)
		}
		elsewhere = elsewhere || moved
	}
	for line := range strings.Lines(text) {
		trimmed := strings.TrimLeft(line, " ")
		indent := len(line) - len(trimmed)
		item, isItem := strings.CutPrefix(trimmed, "- ")
		trimmed = strings.TrimSpace(trimmed)
		if trimmed == "" {
			continue
		}
		if within >= 0 && (indent > within || isItem && indent == within) {
			if _, rest, isKey := cutKey(item, "run", "command"); isKey {
				add(rest)
			} else {
				add(strings.TrimPrefix(trimmed, "- "))
			}
			continue
		}
		within = -1
		if isItem {
			indent += 2
			step, elsewhere = len(out), false
		}
		if _, _, ok := cutKey(item, "working-directory"); ok {
			if step < 0 { // of all steps
				return nil
			}
			out, elsewhere = out[:step], true
		}
		if key, rest, ok := cutKey(item, "run", "script", "command"); ok {
			add(rest)
			if rest == "" || strings.ContainsAny(rest[:1], "|>") || key == "script" {
				within = indent
			}
		}
	}
	return out
}

// cutKey returns the key that a line begins with and its value, if it is one of keys.
func cutKey(line string, keys ...string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(strings.TrimSpace(line), ":")
	return key, strings.Trim(strings.TrimSpace(value), `"'`), ok && slices.Contains(keys, key)
}

// plainCommands returns the commands of a line that "&&" joins, or none if a shell would do more with it than run them. Those behind a
// change of the folder are left out; moved is set if there is one.
func plainCommands(line string) (out []string, moved bool) {
	isPlain := !strings.ContainsAny(line, "$`|<>;{}*\\#()") && len(line) <= 120
	for one := range strings.SplitSeq(line, "&&") {
		words := strings.Fields(one)
		if len(words) > 0 && (words[0] == "cd" || words[0] == "pushd") {
			return out, true
		}
		if isPlain {
			out = append(out, strings.Join(words, " "))
		}
	}
	return out, false
}

// kindOf returns the kind of a command by its first words.
func kindOf(line string) (Kind, bool) {
	words := strings.Fields(line)
	for len(words) > 0 && slices.Contains(callers, words[0]) {
		words = words[1:]
	}
	if len(words) == 0 {
		return 0, false
	}
	words[0] = path.Base(words[0])
	rest := strings.Join(words, " ") + " "
	best, length := Kind(0), 0
	for k, list := range ciWords {
		for _, w := range list {
			if strings.HasPrefix(rest, w+" ") && len(w) > length {
				best, length = Kind(k), len(w)
			}
		}
	}
	if best == Build && rest == "make "+strings.TrimPrefix(rest, "make ") && len(words) > 1 && length == len("make") {
		return 0, false // another target
	}
	return best, length > 0
}
