package loopback

import (
	"bufio"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"ken/bench/world"
)

//go:embed package.json
var manifest []byte

// Client is Claude Code in print mode, with a home of its own.
type Client struct {
	Program string   // the native binary
	Dir     string   // where it works
	Env     []string // everything that it sees of the environment
	Args    []string // of every session
	Log     io.Writer
	Limit   time.Duration // of a session; 0 means three minutes
}

// Install has npm install the client and returns its program. That needs no node: the script that npm puts beside it only looks for
// it. It fails if npm does, or has no program for this machine.
func Install(ctx context.Context) (program string, err error) {
	user, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	began, cache := time.Now(), filepath.Join(user, "ken-clients")
	if err := world.InstallPackages(ctx, cache, manifest); err != nil {
		return "", err
	}
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	program = filepath.Join(cache, "node_modules", "@anthropic-ai", "claude-code-"+runtime.GOOS+"-"+arch, "claude")
	if _, err := os.Stat(program); err != nil {
		return "", fmt.Errorf("npm installed no program for this machine: %w", err)
	}
	fmt.Printf("installed in %.1f s\n", time.Since(began).Seconds())
	return program, nil
}

// Environment returns the only environment that client, hooks and commands get: a
// home of their own, the model on the loopback interface, nothing that calls home or
// replaces the program.
func Environment(home, bin, model string) []string {
	in := func(name string) string { return filepath.Join(home, name) }
	env := []string{
		"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + home, "CLAUDE_CONFIG_DIR=" + in(".claude"),
		"KEN_STATE=" + in("state"), "KEN_DEBUG=1", "XDG_CACHE_HOME=" + in("cache"), "TMPDIR=" + in("tmp"),
		"LANG=C.UTF-8", "TERM=dumb", "SHELL=/bin/bash",
		"ANTHROPIC_BASE_URL=" + model, "ANTHROPIC_API_KEY=not-a-key", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1",
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GOTELEMETRY=off", "GOTOOLCHAIN=local", "GOPROXY=off",
	}
	// The build cache is the user's, so that a run of tests does not compile the standard library.
	if out, err := exec.Command("go", "env", "GOCACHE").Output(); err == nil {
		env = append(env, "GOCACHE="+strings.TrimSpace(string(out)))
	}
	return env
}

// Aside is the model's reply to a request for which its script has no step.
const Aside = "Nothing to do."

// MaxSession is the longest time of a session. A usual one takes three seconds, one that learns a repository ten, on a busy machine more.
const MaxSession = 3 * time.Minute

// RunSession runs one session and returns its id. Each prompt is sent when the turn before has ended. It fails if the client does.
func (c *Client) RunSession(ctx context.Context, args []string, prompts ...string) (id string, err error) {
	return c.Converse(ctx, args, func(string) (string, bool) {
		if len(prompts) == 0 {
			return "", false
		}
		p := prompts[0]
		prompts = prompts[1:]
		return p, true
	})
}

// Converse runs one session and returns its id. next returns the prompt that follows the text with which a turn ended, or false to end the
// session; the first prompt follows "". It fails if the client does.
func (c *Client) Converse(ctx context.Context, args []string, next func(text string) (prompt string, ok bool)) (id string, err error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(c.Limit, MaxSession))
	defer cancel()
	all := []string{"-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"}
	cmd := exec.CommandContext(ctx, c.Program, append(append(all, c.Args...), args...)...)
	cmd.Dir, cmd.Env, cmd.Stderr = c.Dir, c.Env, c.Log
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	say := func(text string) {
		prompt, ok := next(text)
		if !ok {
			in.Close()
			return
		}
		json.NewEncoder(in).Encode(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": prompt}})
	}
	say("")
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		c.Log.Write(line)
		var said struct {
			Type    string `json:"type"`
			Session string `json:"session_id"`
			Result  string `json:"result"`
		}
		if json.Unmarshal(line, &said) == nil {
			id = said.Session
			// The client takes a turn of its own when a command in the background ends.
			if said.Type == "result" && said.Result != Aside {
				say(said.Result)
			}
		}
		if err != nil {
			break
		}
	}
	if err := cmd.Wait(); err != nil {
		return id, fmt.Errorf("claude %s: %w", strings.Join(args, " "), err)
	}
	return id, nil
}
