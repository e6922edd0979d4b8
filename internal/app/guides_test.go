package app

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ken/internal/git/gittest"
	"ken/internal/workflow/agent/claude"
	"ken/internal/workflow/content"
)

// placeholders are the words in capitals that calls in guides can have, each with its value in the project of TestGuideCalls.
var placeholders = map[string]string{
	"PHASE": "1", "PLAN": "01-01", "TASK": "1", "FILE": "words/words.go", "SYMBOL": "Hello", "NAME": "words", "TEXT": "greet", "GOAL": "greet", "N": "1",
	"VERSION": "v1.0", "COMMIT": "HEAD", "ID": "1", "BRANCH": "main", "URL": "https://example.com", "T": "decision", "K": "bug", "ANSWER": "yes",
	"QUESTION": "why", "REASON": "a reason", "WHAT": "a case", "COMMAND": "go test ./...",
	"OLD": "Hello", "NEW": "Hi", "QUERY": "greet", "REGEX": "func", "PATH": "words/words.go", "TERM": "greeting",
	"VALIDATED": "VALIDATED", // the verdict of a spike
}

// refusals are reasons for which a call may fail in the project of TestGuideCalls, because it depends on work that is not done there.
var refusals = []string{
	"phase_incomplete", "no_evidence", "event_refused", "run_exists", "plan_exists", "milestone_incomplete", "summary_missing", "nothing_to_run",
	"current_test_malformed",
}

// callValues are values of placeholders in single calls.
var callValues = map[string]map[string]string{
	"plan uat render-checkpoint --file FILE": {"FILE": ".planning/phases/01-words/01-UAT.md"},
	"plan start --from FILE --dry-run":       {"FILE": "docs/greeting.md"},
	"plan write-profile --input PATH":        {"PATH": "docs/profile.json"},
	"plan backlog promote NUMBER":            {"NUMBER": "999.1"},

	"plan profile-questionnaire --answers TEXT --json": {"TEXT": "a,b,c,a,b,c,a,b"},
}

// contentCalls returns the calls of ken in all texts for agents, with the texts in which they stand.
func contentCalls(t *testing.T) map[string][]string {
	t.Helper()
	calls := map[string][]string{}
	add := func(call, where string) {
		if !slices.Contains(calls[call], where) {
			calls[call] = append(calls[call], where)
		}
	}
	quoted := regexp.MustCompile("`ken ([^`]+)`")
	addText := func(text, where string) {
		for _, m := range quoted.FindAllStringSubmatch(text, -1) {
			add(strings.Join(strings.Fields(m[1]), " "), where)
		}
	}
	addSteps := func(steps []content.Step, where string) {
		for _, s := range steps {
			addText(s.Do, where)
			for _, call := range slices.Concat(s.Run, s.Report, s.Otherwise) {
				add(strings.TrimPrefix(call, "ken "), where)
			}
		}
	}
	for _, name := range content.Names(content.GuideKind) {
		g, err := content.ReadGuide(name)
		if err != nil {
			t.Fatal(err)
		}
		addSteps(g.Steps, name)
		for _, call := range g.Next {
			add(strings.TrimPrefix(call, "ken "), name)
		}
	}
	stages, err := content.Stages()
	if err != nil {
		t.Fatal(err)
	}
	addSteps(stages, "stages")
	for _, name := range content.Names(content.RoleKind) {
		r, err := content.ReadRole(name)
		if err != nil {
			t.Fatal(err)
		}
		addText(r.Text, name)
		for _, call := range r.Reads {
			add(strings.TrimPrefix(call, "ken "), name)
		}
	}
	for _, name := range content.Names(content.ReferenceKind) {
		r, err := content.ReadReference(name)
		if err != nil {
			t.Fatal(err)
		}
		addText(r.Text, name)
	}
	for _, kind := range []content.PlaceKind{content.Purposes, content.Subjects} {
		for _, p := range content.Places(kind) {
			if p.Call != "" {
				add(strings.TrimPrefix(p.Call, "ken "), string(kind))
			}
		}
	}
	plan, err := claude.Plan(claude.Options{Scope: claude.Project, Root: t.TempDir(), Home: t.TempDir(), Ken: "/bin/ken"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range plan.Files {
		if strings.Contains(string(f.Data), "ken plan") {
			addText(string(f.Data), f.Path)
		}
	}
	return calls
}

// runIn runs ken in a directory and returns its exit code and what it printed.
func runIn(ctx context.Context, dir, home string, args ...string) (int, string) {
	var out bytes.Buffer
	env := func(name string) string {
		return map[string]string{"HOME": home, "KEN_STATE": home + "/state", "PATH": os.Getenv("PATH"), "XDG_CACHE_HOME": home + "/cache"}[name]
	}
	p := Program{Args: args, Getenv: env, Dir: dir, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out}
	code := p.Run(ctx)
	return code, out.String()
}

// greetingProject returns a project with code, an index and a plan, and the home of its user. What is run in it is run in copies.
func greetingProject(t *testing.T) (dir, home string) {
	t.Helper()
	gittest.IsolateSettings(t)
	home, from := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(home, ".claude"), 0o700); err != nil {
		t.Fatal(err)
	}
	gittest.Run(t, from, "init", "-q", "-b", "main")
	for path, text := range map[string]string{
		"go.mod":              "module greet\n\ngo 1.22\n",
		"words/words.go":      "// Package words greets.\npackage words\n\n// Hello greets.\nfunc Hello() string { return \"hello\" }\n",
		"words/words_test.go": "package words\n\nimport \"testing\"\n\nfunc TestHello(t *testing.T) {\n\tif Hello() == \"\" {\n\t\tt.Fatal()\n\t}\n}\n",
		"docs/greeting.md":    "# Greetings\n\n- [ ] Four languages: people are greeted in four\n",
		"docs/profile.json":   `{"profile_version": "1.0", "dimensions": {}}`,
		"main.go":             "package main\n\nimport \"greet/words\"\n\nfunc main() { println(words.Hello()) }\n",
	} {
		gittest.Write(t, from, path, text)
	}
	gittest.SetUser(t, "a")
	gittest.Commit(t, from, "begin")
	for _, args := range [][]string{
		{"init"}, {"plan", "start", "--milestone", "v1.0", "words: greet in two languages", "more: greet in three"}, {"plan", "phase", "draft", "1", "--plans", "2"},
		{"plan", "scaffold", "uat", "--phase", "1"}, {"plan", "todo", "create", "words"}, {"plan", "seed", "create", "words"}, {"plan", "thread", "create", "words"},
		{"plan", "note", "create", "words"}, {"plan", "debug", "create", "words"}, {"plan", "quick", "create", "words"}, {"plan", "spike", "create", "words"},
		{"plan", "sketch", "create", "words"}, {"plan", "backlog", "add", "words"},
	} {
		if code, text := runIn(t.Context(), from, home, args...); code != 0 {
			t.Fatalf("ken %v: exit %d: %s", args, code, text)
		}
	}
	return from, home
}

// TestGuideCalls runs every call of ken that a text for agents has, in a project with code, an index and a plan. Each call finds the
// project as it was. It fails if an operation, flag or argument does not exist, or if the call could not be done for a reason that is
// not in refusals.
func TestGuideCalls(t *testing.T) {
	from, home := greetingProject(t)
	calls := contentCalls(t)
	if len(calls) < 60 {
		t.Fatalf("only %d calls found", len(calls))
	}
	for call, where := range calls {
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "p")
			if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
				t.Fatal(err)
			}
			code, text := runIn(t.Context(), dir, home, callWords(t, call)...)
			if code != Failed {
				return
			}
			for _, reason := range refusals {
				if strings.Contains(text, `"reason": "`+reason+`"`) {
					return
				}
			}
			t.Errorf("%s\n(%s)", text, strings.Join(where, ", "))
		})
	}
}

// callWords returns the words of a call with values for its placeholders, and asks for JSON.
func callWords(t *testing.T, call string) []string {
	t.Helper()
	var words []string
	for _, word := range regexp.MustCompile(`'[^']*'|\[[^\]]*\]|\S+`).FindAllString(call, -1) {
		if strings.HasPrefix(word, "[") {
			continue // what may be added
		}
		word, _, _ = strings.Cut(strings.Trim(word, "'"), "|")
		if strings.Contains(word, "…") || strings.Contains(word, "<") {
			t.Errorf("%s is not a word that can be typed", word)
		}
		if value, ok := callValues[call][word]; ok {
			word = value
		} else if value, ok := placeholders[word]; ok {
			word = value
		} else if bare := strings.Trim(word, "-_."); len(bare) > 1 && strings.ToUpper(bare) == bare && strings.ToLower(bare) != bare {
			t.Errorf("%s is no placeholder", word)
		}
		words = append(words, word)
	}
	return append(words, "--json")
}
