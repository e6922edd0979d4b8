package runtimes

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"ken/internal/workflow/agent"
)

// TestDescriptions holds each description to the rules that packages which read it rely on.
func TestDescriptions(t *testing.T) {
	kinds := []agent.ToolKind{agent.Edit, agent.Shell, agent.Grep, agent.Read, agent.Fetch, agent.Task, agent.StartTask}
	plain := regexp.MustCompile(`^[a-z]+$`)
	seen := map[string]bool{}
	for _, r := range All() {
		fault := func(what string, about ...any) { t.Errorf("%s: %s %v", r.Name, what, about) }
		if !plain.MatchString(r.Name) || seen[r.Name] || r.Name == Other {
			fault("its name is no plain word, or that of another")
		}
		seen[r.Name] = true
		if got, ok := Named(r.Name); !ok || got.Title != r.Title {
			fault("it is not found by its name")
		}
		if r.Title == "" || r.Ask == "" || len(r.Programs) == 0 || !slices.Contains([]Certainty{Seen, Documented, ThirdParty}, r.Sure) {
			fault("no title, way to ask, program or certainty")
		}
		if r.Name != "claude" && len(r.Lacks) == 0 {
			fault("it lacks nothing")
		}
		for _, text := range append(append([]string{}, r.Lacks...), r.Trust, r.Start) {
			if strings.Contains(text, "?]") || strings.Contains(text, "TODO") || strings.TrimSpace(text) != text {
				fault("a text is not fit to be read", text)
			}
		}
		for name, kind := range r.Tools {
			if name == "" || !slices.Contains(kinds, kind) {
				fault("a tool of no kind", name)
			}
		}
		places := []Place{r.Skills, r.Rules}
		if s := r.Server; s != nil {
			places = append(places, s.Place)
			if len(s.Keys) == 0 || s.Shape == "" || s.Project+s.User == "" {
				fault("a server without keys, form or place")
			}
			for _, at := range []string{s.Project, s.User} {
				if at != "" && !slices.Contains(endings[s.Format], filepath.Ext(at)) {
					fault("a file of servers in another form", at, s.Format)
				}
			}
		}
		if r.Plugin != nil {
			places = append(places, r.Plugin.Place)
			checkPlugin(t, r)
		}
		if r.Hooks != nil {
			places = append(places, r.Hooks.Place)
			checkHooks(t, r)
		}
		for _, p := range places {
			checkPlace(t, r, p)
		}
	}
	if len(seen) != 26 {
		t.Errorf("%d runtimes", len(seen))
	}
}

// endings are those of the files of a form.
var endings = map[Format][]string{JSON: {".json"}, TOML: {".toml"}, YAML: {".yaml", ".yml"}}

// checkPlace holds a place to its form: below the project, and below the folder of a user or the home directory.
func checkPlace(t *testing.T, r Runtime, p Place) {
	t.Helper()
	if p.Project != "" && !filepath.IsLocal(filepath.FromSlash(p.Project)) {
		t.Errorf("%s: %q leaves the project", r.Name, p.Project)
	}
	below, ofHome := strings.CutPrefix(p.User, "~/")
	if p.User != "" && !filepath.IsLocal(filepath.FromSlash(below)) {
		t.Errorf("%s: %q leaves the folder of the user", r.Name, p.User)
	}
	if p.User != "" && !ofHome && r.Home.Dir+r.Home.Conf == "" {
		t.Errorf("%s: %q has no folder of a user", r.Name, p.User)
	}
	if strings.Contains(p.Project+p.User, `\`) {
		t.Errorf("%s: %v is written with backslashes", r.Name, p)
	}
}

// checkHooks holds the events of a runtime to those that ken knows. A kind may have several events, of which each has a name of its own.
func checkHooks(t *testing.T, r Runtime) {
	t.Helper()
	h := r.Hooks
	if h.Speech == "" || !slices.Contains([]string{"", "s", "ms"}, h.Timeout) {
		t.Errorf("%s: speech %q, timeouts in %q", r.Name, h.Speech, h.Timeout)
	}
	if h.Own && h.Project+h.User == "" {
		t.Errorf("%s: a file that is ken's alone is nowhere", r.Name)
	}
	if len(h.Events) > 0 && h.Shape == "" || len(h.Events) == 0 && r.Plugin == nil {
		t.Errorf("%s: %d events in the form %q", r.Name, len(h.Events), h.Shape)
	}
	names := map[string]bool{}
	for _, e := range h.Events {
		name := e.Name
		if e.Kind == agent.StopAsync { // the same event as that of the kind agent.Stop
			name += " without waiting"
		}
		if e.Name == "" || names[name] || !slices.Contains(agent.Kinds(), e.Kind) {
			t.Errorf("%s: event %q of the kind %q", r.Name, e.Name, e.Kind)
		}
		names[name] = true
		if e.Matcher == "" || e.Kind == agent.BeforeCompact { // which is matched by its cause
			continue
		}
		for tool := range strings.SplitSeq(e.Matcher, "|") {
			if r.Tools[tool] == "" {
				t.Errorf("%s: %s matches %q, which is no tool of it", r.Name, e.Name, tool)
			}
		}
	}
}

// TestTaskStarts: in programs that were run, a hook sees the result of the tool that begins a guarded task, whose session nothing else
// knows.
func TestTaskStarts(t *testing.T) {
	for _, r := range All() {
		if r.Sure != Seen || r.Plugin != nil || r.Name == "claude" { // whose hooks are described in agent/claude
			continue
		}
		sees := func(e Event) bool {
			tools := strings.Split(e.Matcher, "|")
			return e.Kind == agent.AfterTool && (e.Matcher == "" || slices.ContainsFunc(tools, func(tool string) bool { return r.Tools[tool] == agent.StartTask }))
		}
		if r.Hooks == nil || !slices.ContainsFunc(r.Hooks.Events, sees) {
			t.Errorf("%s: a task that is begun by a tool binds no session", r.Name)
		}
	}
}

// checkPlugin has node read a plugin, where there is one.
func checkPlugin(t *testing.T, r Runtime) {
	t.Helper()
	for _, word := range []string{`"KEN"`, `"RUNTIME"`} {
		if strings.Count(r.Plugin.Text, word) != 1 {
			t.Errorf("%s: %s is in its plugin %d times", r.Name, word, strings.Count(r.Plugin.Text, word))
		}
	}
	if strings.Count(r.Plugin.Text, "\nexport ") != 1 {
		t.Errorf("%s: a plugin has one export", r.Name)
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Log("no node")
		return
	}
	file := filepath.Join(t.TempDir(), "plugin.mjs")
	if err := os.WriteFile(file, []byte(r.Plugin.Text), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(node, "--check", file).CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", r.Name, err, out)
	}
}

// TestPluginResults: the plugin hands on what a tool showed, in the form of opencode's own tools and in that of servers, and adds what ken
// answers to it.
func TestPluginResults(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("no node, or no shell")
	}
	dir := t.TempDir()
	files := map[string]string{
		"ken":        "#!/bin/sh\ncat >>" + dir + "/got\necho >>" + dir + `/got` + "\n" + `echo '{"hookSpecificOutput":{"additionalContext":"a fact"}}'` + "\n",
		"plugin.mjs": strings.Replace(opencode().Plugin.Text, `"KEN"`, `"`+filepath.Join(dir, "ken")+`"`, 1),
		"run.mjs": `import plugin from "./plugin.mjs"
const hooks = await plugin({ directory: "/p" })
for (const result of [{ output: "task t1" }, { content: [{ type: "text", text: "task t2" }] }, { content: "odd" }]) {
  await hooks["tool.execute.after"]({ tool: "ken_start_session", sessionID: "s", callID: "c", args: {} }, result)
  console.log(JSON.stringify(result))
}
`,
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command(node, filepath.Join(dir, "run.mjs")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := `{"output":"task t1\na fact"}` + "\n" + `{"content":[{"type":"text","text":"task t2"},{"type":"text","text":"a fact"}]}` + "\n" + `{"content":"odd","output":"\na fact"}` + "\n"
	if string(out) != want {
		t.Errorf("results are\n%s, want\n%s", out, want)
	}
	got, err := os.ReadFile(filepath.Join(dir, "got"))
	for _, text := range []string{`{"output":"task t1"}`, `{"output":"task t2"}`, `{"output":""}`} {
		if err != nil || !strings.Contains(string(got), text) {
			t.Errorf("ken got %s, without %s: %v", got, text, err)
		}
	}
}

// TestNamed: a name that none has is not found, and describes a runtime of which nothing is known.
func TestNamed(t *testing.T) {
	if r, ok := Named("none"); ok || r.Name != Other || r.Hooks != nil {
		t.Errorf("%+v", r)
	}
}
