// Command kill ends an agent's client after each number of events and looks at the first words of the next session.
//
//	go run ./bench/firstwords/kill [-n N] [-seed N]
//
// A session is replayed through ken's hooks: edits, tasks to do, commits, tests, prompts, stops, in an order drawn by the seed. Then
// nothing more comes, as after kill -9, and the next session has to begin with what this one did and left to do, and not with the session
// before it.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"ken/bench/world"
)

func main() {
	n := flag.Int("n", 50, "sessions, killed after 1 to N events")
	seed := flag.Uint64("seed", 1, "of the order of events")
	flag.Parse()
	if err := run(context.Background(), *n, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "kill:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, n int, seed uint64) error {
	scratch, remove, err := world.Scratch("ken-bench-kill-")
	if err != nil {
		return err
	}
	defer remove()
	ken, err := world.Build(ctx, scratch)
	if err != nil {
		return err
	}
	os.Setenv("KEN_STATE", filepath.Join(scratch, "state"))
	table, good := &world.Table{}, 0
	for events := 1; events <= n; events++ {
		s := &replay{ctx: ctx, ken: ken, dir: filepath.Join(scratch, fmt.Sprint(events)), did: map[string]bool{}}
		missing, err := s.play(events, rand.New(rand.NewPCG(seed, uint64(events))))
		if err != nil {
			return err
		}
		if len(missing) == 0 {
			good++
		} else {
			fmt.Fprintf(os.Stderr, "killed after %d events: %s\n", events, strings.Join(missing, ", "))
		}
	}
	table.Row("killed sessions whose work and tasks the next one begins with", "all", fmt.Sprintf("%d of %d", good, n), good == n)
	return table.Summary()
}

// replay is a session with what it has done.
type replay struct {
	ctx            context.Context
	ken, dir       string
	did            map[string]bool // files
	todos, commits []string
}

// hook sends an event of a session and returns the reply.
func (s *replay) hook(event, session string, payload map[string]any) (string, error) {
	payload["session_id"], payload["cwd"] = session, s.dir
	b, err := json.Marshal(payload)
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(s.ctx, s.ken, "hook", "claude", event)
	cmd.Dir, cmd.Stdin = s.dir, strings.NewReader(string(b))
	out, err := cmd.Output()
	return string(out), err
}

// edit appends a line to a file and reports it.
func (s *replay) edit(session, file string, k int) error {
	f, err := os.OpenFile(filepath.Join(s.dir, file), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	fmt.Fprintf(f, "// %s %d\n", session, k)
	if err := f.Close(); err != nil {
		return err
	}
	_, err = s.hook("post-tool-use", session, map[string]any{
		"hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_use_id": fmt.Sprint(session, k),
		"tool_input": map[string]string{"file_path": filepath.Join(s.dir, file)}, "tool_response": map[string]string{},
	})
	return err
}

// play plays a session that ended, and one that is killed after some events. It returns what the next session does not begin with.
func (s *replay) play(events int, draw *rand.Rand) ([]string, error) {
	files := map[string]string{}
	for i := range 5 {
		files[fmt.Sprintf("f%d.ts", i)] = fmt.Sprintf("export function f%d() { return %d }\n", i, i)
	}
	if err := world.WriteFiles(s.dir, files); err != nil {
		return nil, err
	}
	if err := world.Commit(s.ctx, s.dir, "Begin"); err != nil {
		return nil, err
	}
	if out, err := exec.CommandContext(s.ctx, s.ken, "-C", s.dir, "init").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("ken init: %w: %s", err, out)
	}
	start := func() map[string]any { return map[string]any{"hook_event_name": "SessionStart", "source": "startup"} }
	if _, err := s.hook("session-start", "before", start()); err != nil {
		return nil, err
	}
	if err := s.edit("before", "f4.ts", 0); err != nil {
		return nil, err
	}
	if _, err := s.hook("session-end", "before", map[string]any{"hook_event_name": "SessionEnd", "reason": "logout"}); err != nil {
		return nil, err
	}
	if _, err := s.hook("session-start", "killed", start()); err != nil {
		return nil, err
	}
	for k := range events {
		if err := s.event(k, draw); err != nil {
			return nil, err
		}
	}
	words, err := s.hook("session-start", "next", start())
	return s.missing(words), err
}

// event does one thing; the first is an edit.
func (s *replay) event(k int, draw *rand.Rand) error {
	tool := func(command string) error {
		_, err := s.hook("post-tool-use", "killed", map[string]any{
			"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_use_id": fmt.Sprint("c", k),
			"tool_input": map[string]string{"command": command}, "tool_response": map[string]string{"stdout": ""},
		})
		return err
	}
	kind := draw.IntN(8)
	if k == 0 {
		kind = 0
	}
	switch kind {
	case 3:
		s.todos = append(s.todos, fmt.Sprintf("look at part %d", k))
		cmd := exec.CommandContext(s.ctx, s.ken, "-C", s.dir, "session", "todo", s.todos[len(s.todos)-1])
		cmd.Env = append(os.Environ(), "CLAUDE_CODE_SESSION_ID=killed")
		return cmd.Run()
	case 4:
		s.commits = append(s.commits, fmt.Sprintf("Change part %d", k))
		if err := world.Commit(s.ctx, s.dir, s.commits[len(s.commits)-1]); err != nil {
			return err
		}
		return tool("git commit")
	case 5:
		return tool("npm test")
	case 6:
		prompt := map[string]any{"hook_event_name": "UserPromptSubmit", "prompt": fmt.Sprintf("do part %d", k)}
		_, err := s.hook("user-prompt-submit", "killed", prompt)
		return err
	case 7:
		message := fmt.Sprintf("Fixed the loader of part %d for good.", k)
		_, err := s.hook("stop-async", "killed", map[string]any{"hook_event_name": "Stop", "last_assistant_message": message})
		return err
	}
	file := fmt.Sprintf("f%d.ts", draw.IntN(4))
	s.did[file] = true
	return s.edit("killed", file, k)
}

// missing returns what the first words lack.
func (s *replay) missing(words string) (out []string) {
	_, last, ok := strings.Cut(words, "Last Session")
	if !ok {
		return []string{"the last session"}
	}
	named := len(s.commits) > 0
	for file := range s.did {
		named = named || strings.Contains(last, file)
	}
	for what, has := range map[string]bool{
		"the work":                 named,
		"the last commit":          len(s.commits) == 0 || strings.Contains(last, s.commits[max(0, len(s.commits)-1)]),
		"the oldest task":          len(s.todos) == 0 || strings.Contains(last, s.todos[0]),
		"the number of tasks":      len(s.todos) <= 3 || strings.Contains(last, fmt.Sprintf("- %d more", len(s.todos)-3)),
		"the session that it is":   !strings.Contains(last, "f4.ts"),
		"that it was not finished": strings.Contains(last, "its end was not reported"),
	} {
		if !has {
			out = append(out, what)
		}
	}
	return out
}
