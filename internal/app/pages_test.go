package app

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ken/internal/delivery/op"
	"ken/internal/delivery/project"
	"ken/internal/operation"
)

// pageValues are the values of words in capitals in the pages that placeholders does not have.
var pageValues = map[string]string{
	"DIR": ".", "TARGET": "words/words.go", "FROM": "main.go", "TO": "words/words.go", "REV": "HEAD", "SHELL": "bash", "ROLE": "executor", "TIER": "exact",
	"ADDRESS": "127.0.0.1:0", "KEY": "mode", "VALUE": "yolo", "NAME": "Hello", "PRODUCT": "claude", "RUNTIME": "claude", "EVENT": "session-start",
	"PATH/TO/YOUR/REPOSITORY": ".", "OPERATION": "stats", "N": "300",
}

// exportNames are what "ken export NAME" can have, which is no name of a symbol.
var exportNames = regexp.MustCompile(`^export NAME`)

// serving are the commands that go on until they are ended. Their flags are checked as they are when everything is stopped at once.
var serving = []string{"mcp", "web", "watch", "hook", "statusline"}

var (
	pageFence  = regexp.MustCompile("(?ms)^(````*)([a-z]*)\n(.*?)^````*$")
	pageLine   = regexp.MustCompile(`(?m)^(\$ )?(?:.*&& )?(?:\./|npx |uvx )?ken(?:-code)? ([^\n]+)$`)
	pageSpan   = regexp.MustCompile("`(?:\\./|npx |uvx )?ken(?:-code)? ([^`\n]+)`")
	pageRest   = regexp.MustCompile(`\s+(#|\\?\||>|<|&&) .*$|\s+…|:?$`)
	pageOption = regexp.MustCompile(`\[([^\]]+)\]`)
	capitals   = regexp.MustCompile(`[A-Z]+(/[A-Z]+)*`)
)

// pageCalls returns the calls of ken in the pages for people with the pages that have them: those of examples, whose arguments are whole, and
// those of running text, which may lack arguments.
func pageCalls(t *testing.T) (examples, mentions map[string][]string) {
	t.Helper()
	const root = "../.."
	pages, err := filepath.Glob(root + "/docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "AGENTS.md", "packaging/npm/README.md", "packaging/wheel/README.md"} {
		if _, err := os.Stat(filepath.Join(root, name)); err == nil {
			pages = append(pages, filepath.Join(root, name))
		}
	}
	examples, mentions = map[string][]string{}, map[string][]string{}
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		add := func(calls map[string][]string, call string) {
			call = pageRest.ReplaceAllString(strings.TrimSpace(call), "")
			if strings.HasPrefix(call, "…") {
				return // any command
			}
			if !slices.Contains(calls[call], filepath.Base(page)) {
				calls[call] = append(calls[call], filepath.Base(page))
			}
		}
		text := pageFence.ReplaceAllStringFunc(string(data), func(block string) string {
			m := pageFence.FindStringSubmatch(block)
			for _, line := range pageLine.FindAllStringSubmatch(m[3], -1) {
				if m[2] == "sh" || line[1] != "" {
					add(examples, line[2])
				}
			}
			return ""
		})
		for _, m := range pageSpan.FindAllStringSubmatch(text, -1) {
			add(mentions, m[1])
		}
	}
	return examples, mentions
}

// pageVariants returns the command lines that a call in a page stands for: without what is in brackets, and with it, once for each of its
// alternatives.
func pageVariants(call string) [][]string {
	var out [][]string
	add := func(text string) {
		for i := range 1 + strings.Count(text, "|") {
			var words []string
			for _, word := range operation.ShellWords(text) {
				if alternatives := strings.Split(word, "|"); !strings.Contains(word, " ") {
					word = alternatives[min(i, len(alternatives)-1)]
				}
				words = append(words, fillWord(call, strings.TrimSuffix(word, "…")))
			}
			if !slices.ContainsFunc(out, func(o []string) bool { return slices.Equal(o, words) }) {
				out = append(out, words)
			}
		}
	}
	call = strings.ReplaceAll(call, `\|`, "|")
	add(pageOption.ReplaceAllString(call, ""))
	add(pageOption.ReplaceAllString(call, "$1"))
	return out
}

// fillWord returns a word of a call with values for what it has in capitals.
func fillWord(call, word string) string {
	if exportNames.MatchString(call) && word == "NAME" {
		return "index"
	}
	if word == "~/src" || strings.HasPrefix(word, "~/src/") { // a folder of repositories, and one of these
		return "."
	}
	return capitals.ReplaceAllStringFunc(word, func(name string) string {
		if !strings.Contains(" .:/=@,", string((" " + word)[strings.Index(word, name)])) {
			return name // a part of a name
		}
		if value, ok := pageValues[name]; ok {
			return value
		}
		if value, ok := placeholders[name]; ok {
			return value
		}
		return name
	})
}

// TestPageVariants: what a call in a page stands for.
func TestPageVariants(t *testing.T) {
	for call, want := range map[string]string{
		`show FILE\|SYMBOL`:                             "show words/words.go; show Hello",
		"impact --diff [REV]":                           "impact --diff; impact --diff HEAD",
		`brief "add NOWAIT" --budget N`:                 "brief,add NOWAIT,--budget,300",
		"plan payload PHASE [--role executor|verifier]": "plan payload 1; plan payload 1 --role executor; plan payload 1 --role verifier",
		"outline FILE…":                                 "outline words/words.go",
		"refs PATH:NAME":                                "refs words/words.go:Hello",
	} {
		var got []string
		for _, words := range pageVariants(call) {
			sep := " "
			if strings.Contains(strings.Join(words, ""), " ") {
				sep = ","
			}
			got = append(got, strings.Join(words, sep))
		}
		if text := strings.Join(got, "; "); text != want {
			t.Errorf("%s: %s, want %s", call, text, want)
		}
	}
}

// TestPageCalls runs every call of ken that README, docs and the other pages for people have, each in a copy of a project with code, an index
// and a plan. It fails if an operation, flag or value does not exist, and if a question could not be answered; that nothing was found is an
// answer. A mention in running text may lack arguments.
func TestPageCalls(t *testing.T) {
	from, home := greetingProject(t)
	examples, mentions := pageCalls(t)
	if len(examples) < 20 || len(mentions) < 150 {
		t.Fatalf("only %d examples and %d mentions found", len(examples), len(mentions))
	}
	unused := filepath.Join(t.TempDir(), "p") // readers make and remove files of SQLite in the other one
	if err := os.CopyFS(unused, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	for call, pages := range examples {
		delete(mentions, call)
		checkPageCall(t, from, unused, home, call, pages, false)
	}
	for call, pages := range mentions {
		checkPageCall(t, from, unused, home, call, pages, true)
	}
}

// TestPageCallsNotice: calls that cannot be typed are noticed, in examples and in running text.
func TestPageCallsNotice(t *testing.T) {
	from, home := greetingProject(t)
	for _, call := range []string{"quux", "refs Hello --quux", "refs Hello --format quux", "refs Hello --limit x", "def Hello Hello", "plan quux", "plan waves 1 --quux", "session quux", "task quux"} {
		words := strings.Fields(call)
		if code, text := runIn(t.Context(), from, home, words...); refusal(code, text, words, true) == "" {
			t.Errorf("ken %s passes: exit %d: %s", call, code, text)
		}
	}
	if code, text := runIn(t.Context(), from, home, "refs"); refusal(code, text, []string{"refs"}, false) == "" || refusal(code, text, []string{"refs"}, true) != "" {
		t.Errorf("ken refs without a name: exit %d: %s", code, text)
	}
}

// checkPageCall runs the command lines of a call: questions in a project, others in a copy of unused, which is a copy of it. With mention,
// arguments may be missing.
func checkPageCall(t *testing.T, from, unused, home, call string, pages []string, mention bool) {
	t.Helper()
	for _, words := range pageVariants(call) {
		t.Run(strings.Join(words, " "), func(t *testing.T) {
			t.Parallel()
			dir := from
			if !asksCode(words[0]) {
				dir = filepath.Join(t.TempDir(), "p")
				if err := os.CopyFS(dir, os.DirFS(unused)); err != nil {
					t.Fatal(err)
				}
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if slices.Contains(serving, words[0]) {
				cancel()
			}
			code, text := runIn(ctx, dir, home, words...)
			if reason := refusal(code, text, words, mention); reason != "" {
				t.Errorf("ken %s (%s): %s: exit %d: %s", call, strings.Join(pages, ", "), reason, code, text)
			}
		})
	}
}

// unknown matches errors about a name or value that does not exist; asking matches those for want of an answer of the user.
var (
	unknown = regexp.MustCompile(`there is no (command|operation|flag|place)|unknown (flag|shorthand)|is "[^"]*"; it can be|it must be|it has to be`)
	asking  = regexp.MustCompile(`nobody can be asked here|on this machine: `)
)

// refusal returns what is wrong with a call that ended with code and text, or "".
func refusal(code int, text string, words []string, mention bool) string {
	isMisused := strings.Contains(text, `(see "ken help`) || unknown.MatchString(text)
	switch {
	case code != Failed:
		return ""
	case isMisused && mention && !unknown.MatchString(text):
		return "" // the name of an operation, whose arguments are not the subject
	case isMisused && !asking.MatchString(text):
		return "it cannot be typed"
	case !asksCode(words[0]):
		return "" // what it writes or tries may be refused here
	case isMisused, strings.Contains(text, "could not tell"):
		return ""
	}
	return "a question that could not be answered"
}

// asksCode reports whether a command is a question about the code.
func asksCode(name string) bool {
	return slices.ContainsFunc(op.All(), func(t *project.Tool) bool { return t.Group == "" && t.Name == name && notAsked[name] == "" })
}
