package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"ken/internal/engine/source/owner"
	"ken/internal/engine/store"
	"ken/internal/knowledge/session"
	"ken/internal/store/sqlite/memory"
)

// Bounds of 200 hooks at once.
const (
	maxResident = 64 << 10 // KB a process
	killShare   = 3        // every so manieth is killed
	twiceShare  = 7        // every so manieth is reported twice, as by two installations
)

// hookCall is one of many hooks that run at once.
type hookCall struct {
	event, session string
	payload        map[string]any
	file           string // that it is about, "" for none
	kill           time.Duration
	twin           int // the call that reports the same event, -1 for none

	done   bool // it exited with 0
	memory int64
}

// checkKilled runs many hooks at once, kills some, and checks their events.
func checkKilled(ctx context.Context, o options, t *table) error {
	rng := rand.New(rand.NewPCG(1, 5))
	for range o.rounds {
		if err := checkKilledOnce(ctx, o, t, rng); err != nil {
			return err
		}
	}
	return nil
}

func checkKilledOnce(ctx context.Context, o options, t *table, rng *rand.Rand) error {
	p := o.project("kill")
	defer os.RemoveAll(filepath.Join(o.work, "kill"))
	if err := errors.Join(os.MkdirAll(p.home, 0o755), makeTree(ctx, p.dir, 200, rng.Uint64()), p.runUnmeasured(ctx, "init")); err != nil {
		return err
	}
	files, err := p.goFiles(ctx)
	if err != nil {
		return err
	}
	calls := drawCalls(rng, p, files, o.many)
	if err := p.startAllAtOnce(ctx, calls); err != nil {
		return err
	}
	// The next event applies the leftovers of killed processes.
	if _, err := p.runHook(ctx, "session-end", map[string]any{"session_id": "last", "cwd": p.dir, "hook_event_name": "SessionEnd", "reason": "other"}); err != nil {
		return err
	}
	return p.checkEvents(ctx, t, calls)
}

// drawCalls draws events, each of a session of its own so that one that is applied twice shows.
func drawCalls(rng *rand.Rand, p *project, files []string, n int) []*hookCall {
	var calls []*hookCall
	for len(calls) < n {
		i := len(calls)
		c := &hookCall{session: fmt.Sprintf("session %d", i), twin: -1}
		base := map[string]any{"session_id": c.session, "cwd": p.dir, "prompt_id": fmt.Sprint("prompt ", i)}
		switch i % 3 {
		case 0:
			c.event, base["hook_event_name"], base["prompt"] = "user-prompt-submit", "UserPromptSubmit", "what is new?"
		case 1:
			c.event, base["hook_event_name"], base["agent_type"] = "subagent-stop", "SubagentStop", "Explore"
		case 2:
			c.event, c.file = "post-tool-use", files[i%len(files)]
			path := filepath.Join(p.dir, c.file)
			base["hook_event_name"], base["tool_name"], base["tool_use_id"] = "PostToolUse", "Edit", fmt.Sprint("use ", i)
			base["tool_input"], base["tool_response"] = map[string]any{"file_path": path, "new_string": "x"}, map[string]any{"filePath": path}
		}
		c.payload = base
		if i%killShare == rng.IntN(killShare) {
			c.kill = time.Duration(rng.IntN(4*n)) * time.Millisecond // most are at work then
		}
		calls = append(calls, c)
		if i%twiceShare == 0 && len(calls) < n {
			twin := *c
			twin.kill, twin.twin, c.twin = 0, i, i+1
			calls = append(calls, &twin)
		}
	}
	return calls
}

// startAllAtOnce edits the files and starts all hooks before it waits for any.
func (p *project) startAllAtOnce(ctx context.Context, calls []*hookCall) error {
	for i, c := range calls {
		if c.file == "" {
			continue
		}
		if err := p.appendLine(c.file, fmt.Sprintf("func addedAtOnce%d() {}", i)); err != nil {
			return err
		}
	}
	var all sync.WaitGroup
	failed := make([]error, len(calls))
	for i, c := range calls {
		cmd := exec.CommandContext(ctx, p.ken, "hook", "claude", c.event)
		cmd.Dir, cmd.Env, cmd.Stdin = p.dir, p.env(), bytes.NewReader(encode(c.payload))
		if err := cmd.Start(); err != nil {
			return err
		}
		if c.kill > 0 {
			defer time.AfterFunc(c.kill, func() { cmd.Process.Kill() }).Stop()
		}
		all.Go(func() {
			err := cmd.Wait()
			c.done = err == nil
			if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
				c.memory = u.Maxrss
			}
			if err != nil && c.kill == 0 {
				failed[i] = fmt.Errorf("%s: %w", c.event, err)
			}
		})
	}
	all.Wait()
	return errors.Join(failed...)
}

// checkEvents compares memory and index with the events.
func (p *project) checkEvents(ctx context.Context, t *table, calls []*hookCall) error {
	place := owner.New(p.dir, owner.NewState(p.stateDir()), func(string) {}).Place()
	m := memory.NewSealed(place.Memory, place.Print, place.TaskKey)
	kills, resident := 0, int64(0)
	var wrong []string
	for i, c := range calls {
		resident = max(resident, c.memory)
		if !c.done {
			kills++
		}
		if c.twin >= 0 && c.twin < i {
			continue // its twin was looked at
		}
		r, found, err := m.Session(ctx, c.session)
		if err != nil {
			return err
		}
		must := c.done || c.twin >= 0 && calls[c.twin].done
		if problem := wrongRecord(c, &r, found, must); problem != "" {
			wrong = append(wrong, fmt.Sprintf("%s of %s: %s", c.event, c.session, problem))
		}
	}
	label := fmt.Sprintf("%d hooks, %d killed", len(calls), kills)
	t.addCheck("at once: events that exited with 0", label, firstOrNone(wrong, "all are applied once"), "applied once", len(wrong) == 0)
	torn, err := p.tornFiles(ctx, place)
	if err != nil {
		return err
	}
	t.addCheck("at once: files", label, firstOrNone(torn, "all are whole"), "none is torn", len(torn) == 0)
	t.addCheck("at once: memory", label, fmt.Sprintf("at most %d MB a process", resident>>10), fmt.Sprintf("≤ %d MB", maxResident>>10), resident <= maxResident)
	return nil
}

func firstOrNone(list []string, none string) string {
	if len(list) == 0 {
		return none
	}
	return fmt.Sprintf("%d wrong: %s", len(list), strings.ReplaceAll(list[0], "|", "/"))
}

// wrongRecord describes the fault in the recorded session of one event, or returns "". The event of a killed process may be
// applied or not, but not twice.
func wrongRecord(c *hookCall, r *session.Record, found, must bool) string {
	if !found {
		if must {
			return "it is not there"
		}
		return ""
	}
	switch c.event {
	case "user-prompt-submit":
		if r.Prompts != 1 {
			return fmt.Sprintf("%d prompts", r.Prompts)
		}
	case "subagent-stop":
		if r.Agents != 1 {
			return fmt.Sprintf("%d sub-agents", r.Agents)
		}
	default:
		if len(r.Files) != 1 || r.Files[0].Path != c.file {
			return fmt.Sprintf("files %v", r.Files)
		}
	}
	return ""
}

// tornFiles returns the files that are not whole: databases, the spool, and an index that differs from the files.
func (p *project) tornFiles(ctx context.Context, place store.Place) (wrong []string, err error) {
	for _, path := range []string{place.Memory, place.Index} {
		c, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
		if err != nil {
			return nil, err
		}
		result := ""
		err = sqlitex.ExecuteTransient(c, "PRAGMA integrity_check", &sqlitex.ExecOptions{ResultFunc: func(st *sqlite.Stmt) error {
			result += st.ColumnText(0)
			return nil
		}})
		if err := errors.Join(err, c.Close()); err != nil {
			return nil, err
		}
		if result != "ok" {
			wrong = append(wrong, filepath.Base(path)+": "+result)
		}
	}
	if st, err := os.Stat(place.Spool); err == nil && st.Size() > 0 {
		wrong = append(wrong, fmt.Sprintf("the spool holds %d bytes", st.Size()))
	}
	if f := p.hookFaults(); f != "" {
		wrong = append(wrong, "hooks.log: "+strings.SplitN(f, "\n", 2)[0])
	}
	o, err := p.runKen(ctx, p.dir, nil, "index")
	if err != nil {
		return nil, err
	}
	if pending, err := p.countPending(ctx); err != nil || pending != 0 {
		return append(wrong, fmt.Sprintf("%d files differ after %q", pending, o.out)), err
	}
	return wrong, nil
}
