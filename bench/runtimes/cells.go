package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/bench/world"
	"ken/internal/workflow/agent/runtimes"
)

// tryAll has a client go through all cells. It fails if it cannot be installed, or a session cannot be begun.
func (p *place) tryAll(ctx context.Context, from programs) error {
	r, ok := runtimes.Named(p.name)
	if !ok {
		return fmt.Errorf("ken knows no runtime %s", p.name)
	}
	p.runtime, p.path = r, []string{world.OpencodePrograms(from.shared()), bin(from.shared())}
	if err := errors.Join(os.MkdirAll(p.home(), 0o755), os.MkdirAll(p.project(), 0o755), os.MkdirAll(p.keep, 0o755)); err != nil {
		return err
	}
	if p.pkg != "" {
		folder, err := from.installOther(ctx, p.pkg)
		if err != nil {
			return err
		}
		at := bin(folder)
		if p.folder != "" {
			at = filepath.Join(folder, "node_modules", filepath.FromSlash(p.folder))
		}
		p.path = append([]string{at}, p.path...)
		// Some packages hold no program, but load one when they are started first.
		if out, err := p.run(ctx, p.command, "--version"); err != nil {
			return fmt.Errorf("it does not install: %s", firstError(out, err))
		}
	}
	if err := p.prepare(ctx); err != nil {
		return err
	}
	defer p.model.serve.Close()
	tries := []func(context.Context) error{p.tryUntrusted, p.tryWork, p.tryGuard, p.tryGuardOverServer, p.tryDouble, p.tryLists}
	if p.args == nil {
		p.LeaveOut(p.name+": a session", "it works", "it wants an account")
		tries = []func(context.Context) error{p.tryLists}
	}
	for _, try := range tries {
		if err := try(ctx); err != nil {
			return err
		}
	}
	return nil
}

// firstError returns the line of an output that names an error, else the error.
func firstError(out string, err error) string {
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "Error: ") {
			return strings.TrimSpace(line)
		}
	}
	return err.Error()
}

// does returns a step that uses a tool.
func does(u use) step { return func([]string) (use, bool) { return u, true } }

// asks returns the steps that use a tool of ken's server.
func (p *place) asks(name string, input map[string]any) []step {
	if p.searches {
		return []step{
			does(use{tool: "tool_search", input: map[string]any{"query": "select:" + p.prefix + name}}),
			does(use{tool: "tool_call", input: map[string]any{"name": p.prefix + name, "arguments": input}}),
		}
	}
	return []step{does(use{tool: p.prefix + name, input: input})}
}

// tryWork has the client write a file and ask ken, and looks at what reached whom.
func (p *place) tryWork(ctx context.Context) error {
	write := does(p.write(filepath.Join(p.project(), "words", "new.go"), newFile))
	steps := append([]step{write}, p.asks("find", map[string]any{"query": "greet"})...)
	s, err := p.play(ctx, "work", p.bypass, steps...)
	if err != nil {
		return err
	}
	remembered, _ := p.ken(ctx, "session", "show", "--json")
	found, _ := p.ken(ctx, "find", "Greet")
	first, last := s.requests[0], s.last()
	yes := func(what string, ok bool) { p.cell(what, "yes", map[bool]string{true: "yes", false: "no"}[ok], ok) }
	withHooks := func(what string, ok bool) {
		if !p.hasHooks() {
			p.LeaveOut(p.name+": "+what, "yes", "ken writes no hooks")
			return
		}
		yes(what, ok)
	}
	if p.mute {
		p.LeaveOut(p.name+": what a session begins with is in the first request", "yes", "no hook can answer then")
	} else {
		withHooks("what a session begins with is in the first request", strings.Contains(first.body, "Critical Hotspots"))
	}
	if p.runtime.Rules.User == "" {
		p.LeaveOut(p.name+": the rules are", "yes", "it has no rules of a user")
	} else {
		yes("the rules are", strings.Contains(first.body, "indexed by ken"))
	}
	yes("the skills are listed", strings.Contains(first.body, "ken-plan"))
	p.LeaveOut(p.name+": the agents are listed", "yes", "ken writes none: roles are prompts of its guides")
	yes("a tool of the server is called", strings.Contains(last.body, "words: greet"))
	edits := strings.Count(remembered, `"path":"words/new.go"`)
	withHooks("the edit is in the record of the session, once", edits == 1)
	withHooks("and the record has the client's name", strings.Contains(remembered, `"runtime":"`+p.name+`"`))
	yes("the edit is in the index", strings.Contains(found, "words/new.go"))
	if p.hasHooks() && p.runtime.Skills.User != "" { // else ken is in two places, for its skills
		p.cell("each event comes once", "once", s.events(), s.once())
	}
	fmt.Fprintf(os.Stderr, "%s: %d requests, %d tools used, %.1f s\n", p.name, len(s.requests), last.used, s.took.Seconds())
	return nil
}

// tryDouble has a client work that runs the hooks of another runtime's settings as well, with ken in both.
func (p *place) tryDouble(ctx context.Context) error {
	if p.double == "" {
		return nil
	}
	if _, err := p.ken(ctx, "install", p.double, "--project", "--yes"); err != nil {
		return err
	}
	file := filepath.Join(p.project(), "words", "double.go")
	s, err := p.play(ctx, "double", p.bypass, does(p.write(file, "package words\n")))
	if err != nil {
		return err
	}
	remembered, _ := p.ken(ctx, "session", "show", "--json")
	shown, edits := strings.Count(s.requests[0].body, "Critical Hotspots"), strings.Count(remembered, `"path":"words/double.go"`)
	reached := fmt.Sprintf("%s; shown %d times, recorded %d times", s.events(), shown, edits)
	what := "with ken in the settings of " + p.double + " as well, each event counts once"
	p.cell(what, "shown and recorded once", reached, shown == 1 && edits == 1)
	return nil
}

// once reports whether each event that a session has once came once, and no event of a compaction, of which there was none.
func (s *played) once() bool {
	for _, event := range []string{"session-start", "user-prompt-submit", "stop", "stop-async", "session-end"} {
		if s.count(event) > 1 {
			return false
		}
	}
	return s.count("session-start") == 1 && s.count("pre-compact") == 0
}

// events returns how often each event came.
func (s *played) events() string {
	var names, out []string
	for _, line := range s.log {
		if f := strings.Fields(line); len(f) > 1 && !slices.Contains(names, f[1]) {
			names = append(names, f[1])
			event := strings.TrimSuffix(f[1], ":")
			out = append(out, fmt.Sprintf("%s %d", event, s.count(event)))
		}
	}
	return strings.Join(out, ", ")
}

// hasHooks reports whether ken writes hooks or a plugin for the client.
func (p *place) hasHooks() bool {
	return p.runtime.Plugin != nil || p.runtime.Hooks != nil && !p.runtime.Hooks.Experimental
}

// refusal is a part of the text with which ken refuses a write.
const refusal = "gives no leave to write"

// tryGuard has the client begin a guarded task by a command, and write without leave.
func (p *place) tryGuard(ctx context.Context) error {
	if !p.hasHooks() {
		p.LeaveOut(p.name+": the guard stops a write", "yes", "no such hook: ken writes none")
		return nil
	}
	line := `ken task start_session "Hello should greet politely" --intent MODIFY --gate-level full`
	begin := []step{does(p.shell(line))}
	err := p.tryWrites(ctx, "guard", "the guard stops a write of a task that a command began", p.write, begin...)
	if err != nil || p.patch == nil {
		return err
	}
	return p.tryWrites(ctx, "patch", "and a patch that is given to a command", p.patch, begin...)
}

// tryGuardOverServer has the client begin the task by a tool of the server.
func (p *place) tryGuardOverServer(ctx context.Context) error {
	if !p.hasHooks() {
		return nil
	}
	file := filepath.Join(p.home(), ".config", "ken", "config.yml")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(file, []byte("mcp_tools: [core, guard]\n"), 0o600); err != nil {
		return err
	}
	input := map[string]any{"query": "Hello should greet politely", "intent": "MODIFY", "gate_level": "full"}
	return p.tryWrites(ctx, "server", "the guard stops a write of a task that the server began", p.write, p.asks("start_session", input)...)
}

// tryWrites has the model write a file after some steps and looks at whether the write was stopped.
func (p *place) tryWrites(ctx context.Context, name, what string, write func(path, text string) use, steps ...step) error {
	target := filepath.Join(p.project(), "words", "words.go")
	const old, now = `"hello"`, `"hello, dear"`
	change := write(target, strings.Replace(oldFile, old, now, 1))
	if p.edit != nil {
		change = p.edit(target, old, now)
	}
	if p.read != nil { // some clients refuse to write what was not read, and that is not ken's refusal
		steps = append(steps, does(p.read(target)))
	}
	s, err := p.play(ctx, name, p.bypass, append(steps, does(change))...)
	if err != nil {
		return err
	}
	found, err := os.ReadFile(target)
	if err != nil {
		return err
	}
	if p.ends {
		was, ended := string(found) == oldFile, !strings.Contains(s.printed, "Done.")
		reached := fmt.Sprintf("the file is as it was: %v, the run ends: %v", was, ended)
		p.cell(what, "the file is as it was, the run ends", reached, was && ended)
		return os.WriteFile(target, []byte(oldFile), 0o644)
	}
	answered := strings.Contains(s.last().body, refusal)
	reached := fmt.Sprintf("the file is %s, the model has %sthe refusal", map[bool]string{true: "as it was", false: "written"}[string(found) == oldFile],
		map[bool]string{true: "", false: "not "}[answered])
	p.cell(what, "the file is as it was, the model has the refusal", reached, string(found) == oldFile && answered)
	return os.WriteFile(target, []byte(oldFile), 0o644)
}

// tryUntrusted has a client that asks for approval of hooks work without it.
func (p *place) tryUntrusted(ctx context.Context) error {
	if p.bypass == nil {
		return nil
	}
	s, err := p.play(ctx, "untrusted", nil, does(p.shell("true")))
	if err != nil {
		return err
	}
	p.cell("hooks that were not approved do not run", "0 events", fmt.Sprintf("%d events", len(s.log)), len(s.log) == 0)
	var doctor struct {
		Checks []struct{ About, State, Text string }
	}
	out, _ := p.ken(ctx, "doctor", "--json")                                        // ends with 1 where it finds a problem
	if err := json.NewDecoder(strings.NewReader(out)).Decode(&doctor); err != nil { // a message may follow
		return fmt.Errorf("ken doctor: %w: %s", err, lastLines(out))
	}
	text := ""
	for _, c := range doctor.Checks {
		if strings.HasPrefix(c.About, p.name+",") {
			text += c.State + ": " + c.Text
		}
	}
	reported := strings.Contains(text, "problem: ") && strings.Contains(text, "/hooks")
	p.cell("ken doctor reports them, and the one thing to do", "a problem, /hooks", text, reported)
	return nil
}

// tryLists has the client list what it has read.
func (p *place) tryLists(ctx context.Context) error {
	for _, l := range p.lists {
		out, err := p.run(ctx, append([]string{p.command}, l.args...)...)
		if err := os.WriteFile(filepath.Join(p.keep, "list-"+l.what+".txt"), []byte(out), 0o644); err != nil {
			return err
		}
		reached := "lists " + l.want
		if err != nil {
			reached = err.Error()
		} else if !strings.Contains(out, l.want) {
			reached = "does not: " + lastLines(out)
		}
		what := fmt.Sprintf("`%s %s`", p.command, strings.Join(l.args, " "))
		p.cell(what, "lists "+l.want, reached, err == nil && strings.Contains(out, l.want))
	}
	return nil
}
