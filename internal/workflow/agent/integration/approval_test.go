package integration

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/workflow/agent/runtimes"
)

// The hashes that Codex 0.169.0 gave to these commands (hooks/list of its app server).
const (
	startHash = "sha256:be32762a006a04d30ea50ed9279e2ef274f23391ab3ce244545fea148833ffa2"
	toolHash  = "sha256:673a978e0e151bc038c318a0bb37242b52ab590dcefe1a1386fd7ea5100a843a"
)

// TestHookHash: the hash of a command is that of the program.
func TestHookHash(t *testing.T) {
	const ken = "ken hook codex "
	for _, c := range []struct {
		event, matcher string
		approvedHandler
		want string
	}{
		{"session_start", "", approvedHandler{Type: "command", Command: ken + "session-start", Timeout: 10}, startHash},
		{"pre_tool_use", "apply_patch|Edit|Write|Bash", approvedHandler{Type: "command", Command: ken + "pre-tool-use", Timeout: 5}, toolHash},
	} {
		if got := hookHash(c.event, c.matcher, c.approvedHandler); got != c.want {
			t.Errorf("%s: %s, want %s", c.event, got, c.want)
		}
	}
	if hookHash("stop", "", approvedHandler{Type: "command", Command: "x"}) != hookHash("stop", "", approvedHandler{Type: "command", Command: "x", Timeout: 600}) {
		t.Error("a command without a timeout has that of 600 seconds")
	}
}

// TestApprovals: a command counts as approved if the user's settings have its hash, under its place, and do not turn it off.
func TestApprovals(t *testing.T) {
	r, _ := runtimes.Named("codex")
	home := t.TempDir()
	o := Options{Scope: User, Home: home, Ken: "ken", Getenv: func(string) string { return "" }}
	hooks, config := filepath.Join(home, ".codex", "hooks.json"), filepath.Join(home, ".codex", "config.toml")
	const other = `{"hooks": [{"type": "command", "command": "mine"}]}, `
	text := func(before string) string {
		return `{"hooks": {"SessionStart": [` + before + `{"hooks": [{"type": "command", "command": "ken hook codex session-start", "timeout": 10}]}]}}`
	}
	state := func(group int, lines string) string {
		return fmt.Sprintf("[hooks.state.%q]\n%s\n", fmt.Sprintf("%s:session_start:%d:0", hooks, group), lines)
	}
	for name, c := range map[string]struct {
		hooks, config string
		want          Approvals
		fails         string
	}{
		"approved":             {text(""), state(0, `trusted_hash = "`+startHash+`"`), Approvals{Commands: 1}, ""},
		"behind another one":   {text(other), state(1, `trusted_hash = "`+startHash+`"`), Approvals{Commands: 1}, ""},
		"nothing is approved":  {text(""), "", Approvals{1, []string{"session-start"}}, ""},
		"of another place":     {text(other), state(0, `trusted_hash = "`+startHash+`"`), Approvals{1, []string{"session-start"}}, ""},
		"changed since":        {text(""), state(0, `trusted_hash = "sha256:00"`), Approvals{1, []string{"session-start"}}, ""},
		"turned off":           {text(""), state(0, "enabled = false\ntrusted_hash = \""+startHash+`"`), Approvals{1, []string{"session-start"}}, ""},
		"no hooks of ken":      {`{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "mine"}]}]}}`, "", Approvals{}, ""},
		"states are something": {text(""), "hooks = 7\n", Approvals{1, []string{"session-start"}}, ""},
		"no JSON":              {"{", "", Approvals{}, "hooks.json"},
		"no TOML":              {text(""), "[", Approvals{}, "config.toml"},
	} {
		got, err := ReadApprovals(r, o, func(path string) ([]byte, error) {
			switch {
			case path == hooks:
				return []byte(c.hooks), nil
			case path == config && c.config != "":
				return []byte(c.config), nil
			}
			return nil, fs.ErrNotExist
		})
		if got.Commands != c.want.Commands || !slices.Equal(got.Missing, c.want.Missing) || (err != nil) != (c.fails != "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%s: %+v, %v, want %+v", name, got, err, c.want)
		}
	}
	gemini, _ := runtimes.Named("gemini")
	if got, err := ReadApprovals(gemini, o, nil); err != nil || got.Commands != 0 {
		t.Errorf("a program that asks for no approval: %+v, %v", got, err)
	}
}
