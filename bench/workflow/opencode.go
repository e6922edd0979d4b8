package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/bench/loopback"
	"ken/bench/world"
)

// maxOpencode is the longest time of all commands: there is one for each answer of the user, and each starts the client anew.
const maxOpencode = 30 * time.Minute

// The manifest of bench/runtimes pins opencode.
const runtimesManifest = "bench/runtimes/package.json"

// opencodeTools are the tools of opencode by their names in Claude Code, with the names of their parameters.
var opencodeTools = map[string]struct {
	name   string
	params map[string]string
}{
	"Bash":  {"bash", map[string]string{"command": "command", "description": "description"}},
	"Write": {"write", map[string]string{"file_path": "filePath", "content": "content"}},
	"Edit":  {"edit", map[string]string{"file_path": "filePath", "old_string": "oldString", "new_string": "newString"}},
	"Read":  {"read", map[string]string{"file_path": "filePath"}},
	"Agent": {"task", map[string]string{"description": "description", "prompt": "prompt", "subagent_type": "subagent_type"}},
	"Skill": {"skill", map[string]string{"skill": "name"}},
}

// opencodeUse returns a use of a tool as opencode has it.
func opencodeUse(u use) (string, map[string]any) {
	t, ok := opencodeTools[u.tool]
	if !ok {
		return u.tool, u.input
	}
	input := map[string]any{}
	for from, to := range t.params {
		if v, ok := u.input[from]; ok {
			input[to] = v
		}
	}
	if u.tool == "Agent" {
		input["subagent_type"] = "general"
	}
	return t.name, input
}

// installOpencode has npm install opencode and returns the folders with its programs: its own, and ripgrep, which it would load from the
// network, in the package of another client. It fails if npm does.
func installOpencode(ctx context.Context) (folders []string, err error) {
	manifest, err := os.ReadFile(runtimesManifest)
	if err != nil {
		return nil, err
	}
	user, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(user, "ken-runtimes")
	if err := world.InstallPackages(ctx, folder, manifest); err != nil {
		return nil, err
	}
	rg, err := filepath.Glob(filepath.Join(folder, "node_modules", "@openai", "codex-*", "vendor", "*", "codex-path"))
	if err != nil || len(rg) == 0 {
		return nil, fmt.Errorf("there is no ripgrep, without which it loads no skill: %w", err)
	}
	return []string{world.OpencodePrograms(folder), rg[0]}, nil
}

// runOpencode runs the session in opencode, a command for each prompt. It fails if the client does.
func (t *trial) runOpencode(folders []string, prompt string) error {
	t.translate = opencodeUse
	m, err := loopback.Start(t.answer)
	if err != nil {
		return err
	}
	defer m.Close()
	home := filepath.Dir(t.root)
	settings, err := json.Marshal(map[string]any{
		"provider": map[string]any{"anthropic": map[string]any{"options": map[string]any{"baseURL": m.URL + "/v1", "apiKey": "x"}}},
		"model":    "anthropic/claude-sonnet-4-5", "permission": map[string]any{"external_directory": "allow"},
	})
	if err != nil {
		return err
	}
	users := map[string]string{"opencode/opencode.json": string(settings), ".config/opencode/opencode.json": string(settings)}
	if err := world.WriteFiles(home, users); err != nil {
		return err
	}
	// opencode adds the line to a file that has none.
	schema := "{\n  \"$schema\": \"https://opencode.ai/config.json\"\n}\n"
	if err := world.WriteFiles(t.root, map[string]string{"opencode.json": schema}); err != nil {
		return err
	}
	if r := t.runShell("ken install opencode --project --yes && git add -A && git commit -q -m 'Use ken in opencode'"); r.failed {
		return fmt.Errorf("install: %s", r.text)
	}
	path := strings.Join(slices.Concat([]string{t.bin}, folders, []string{os.Getenv("PATH")}), string(os.PathListSeparator))
	env := []string{
		"PATH=" + path, "HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_CACHE_HOME=" + filepath.Join(home, "cache"),
		"KEN_STATE=" + filepath.Join(home, "state"), "LANG=C.UTF-8", "TERM=dumb", "SHELL=/bin/bash",
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "NO_COLOR=1", "CI=1",
	}
	ctx, cancel := context.WithTimeout(t.ctx, maxOpencode)
	defer cancel()
	more := []string{}
	for !t.failed() {
		cmd := exec.CommandContext(ctx, filepath.Join(folders[0], "opencode"), append(append([]string{"run"}, more...), prompt)...)
		cmd.Dir, cmd.Env = t.root, env
		out, err := cmd.CombinedOutput()
		os.WriteFile(filepath.Join(home, "client.log"), append(out, '\n'), 0o600)
		if err != nil {
			return fmt.Errorf("opencode run: %w: %s", err, bytes.TrimSpace(out[max(0, len(out)-600):]))
		}
		said, ok := t.ask(t.lastText())
		if !ok {
			break
		}
		prompt, more = said, []string{"--continue"}
	}
	return nil
}

// lastText returns the text with which the leader ended its turn.
func (t *trial) lastText() string {
	t.mu.Lock()
	a := t.agents["main"]
	t.mu.Unlock()
	if a == nil {
		return ""
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.talk.reply.Text
}
