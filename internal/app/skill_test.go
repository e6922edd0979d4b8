package app

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

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
		texts = append(texts, string(p.Files[0].Data), p.Blocks[0].Text)
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
		var out, errs bytes.Buffer
		p := Program{Args: []string{words[0], "--help"}, Getenv: os.Getenv, Dir: t.TempDir(), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}
		if code := p.Run(context.Background()); code != 0 || !strings.Contains(out.String(), "ken "+words[0]) {
			t.Errorf("ken %s: exit %d, %s", c, code, errs.String())
			continue
		}
		takes := strings.Contains(regexp.MustCompile(`(?m)^  ken `+words[0]+`.*$`).FindString(out.String()), words[0]+" ")
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
