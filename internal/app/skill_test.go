package app

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ken/internal/operation"
	"ken/internal/workflow/agent/claude"
)

// TestSkillCommands: every command in a text that an installation gives to agents
// exists, has the flags that are named, and takes arguments if some are.
func TestSkillCommands(t *testing.T) {
	var texts []string
	for _, s := range []claude.Scope{claude.Local, claude.Project, claude.User} {
		p, err := claude.Plan(claude.Options{Scope: s, Root: t.TempDir(), Home: t.TempDir(), Ken: "/bin/ken"})
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, p.Blocks[0].Text)
		for _, f := range p.Files {
			texts = append(texts, string(f.Data))
		}
	}
	var commands []string
	for _, m := range regexp.MustCompile("`ken ([^`]+)`").FindAllStringSubmatch(strings.Join(texts, "\n"), -1) {
		if !slices.Contains(commands, m[1]) {
			commands = append(commands, m[1])
		}
	}
	if len(commands) < 15 {
		t.Fatalf("only %d commands found", len(commands))
	}
	for _, c := range commands {
		words := strings.Fields(c)
		if len(words) > 1 && (words[0] == "task" || words[0] == "plan") && words[1] != strings.ToUpper(words[1]) { // a group: its operation is what is asked for help
			words = append([]string{words[0] + " " + words[1]}, words[2:]...)
		}
		name := operation.Kebab(words[0]) // help shows the name of an alias with underscores
		var out, errs bytes.Buffer
		p := Program{Args: append(strings.Fields(words[0]), "--help"), Getenv: os.Getenv, Dir: t.TempDir(), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}
		if code := p.Run(context.Background()); code != 0 || !strings.Contains(out.String(), "ken "+name) {
			t.Errorf("ken %s: exit %d, %s", c, code, errs.String())
			continue
		}
		takes := strings.Contains(regexp.MustCompile(`(?m)^  ken `+name+`.*$`).FindString(out.String()), name+" ")
		for i, w := range words[1:] {
			if strings.HasPrefix(w, "--") && !strings.Contains(out.String(), w+" ") {
				t.Errorf("ken %s: there is no %s", c, w)
			}
			if w == strings.ToUpper(w) && !strings.HasPrefix(words[i], "--") && !takes {
				t.Errorf("ken %s takes no arguments", c)
			}
		}
	}
}

// TestInstalledHooks: every hook that is installed is a command that exists: outside of
// a project it is silent and succeeds.
func TestInstalledHooks(t *testing.T) {
	plan, err := claude.Plan(claude.Options{Scope: claude.Project, Root: t.TempDir(), Home: t.TempDir(), Ken: "/bin/ken"})
	if err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (int, string) {
		var out, errs bytes.Buffer
		home := t.TempDir()
		env := func(name string) string { return map[string]string{"HOME": home, "KEN_STATE": home + "/state"}[name] }
		p := Program{Args: args, Getenv: env, Dir: t.TempDir(), Stdin: strings.NewReader(`{"cwd":"/"}`), Stdout: &out, Stderr: &errs}
		return p.Run(context.Background()), out.String() + errs.String()
	}
	for _, e := range plan.Settings[0].Entries {
		if code, said := run(e.Argv[1:]...); code != 0 || said != "" {
			t.Errorf("%v: exit %d, %q", e.Argv, code, said)
		}
	}
	if _, said := run("hook", "claude", "no-such-event"); said == "" {
		t.Error("nothing is said of an event that does not exist, so this test proves nothing")
	}
}
