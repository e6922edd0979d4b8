package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"golang.org/x/tools/txtar"

	"ken/bench/world"
	"ken/internal/workflow/agent/runtimes"
)

// payloadDir has a payload of each event of each runtime, as its maker describes it, and what is read of it.
const payloadDir = "internal/workflow/agent/speech/testdata"

// runtimePayload is a payload of an event of a runtime. Its project is /p, and the file that it edits is a.go there.
type runtimePayload struct {
	runtime, kind, text string
	edits, searches     bool
}

// runtimePayloads returns the payloads of a runtime: of each kind of event the first, and of the events of tools one that edits a file.
func runtimePayloads(name string) (list []runtimePayload, err error) {
	file := name
	if name == "kilo" { // it loads the plugin of opencode
		file = "opencode"
	}
	archive, err := txtar.ParseFile(filepath.Join(payloadDir, file+".txtar"))
	if err != nil {
		return nil, err
	}
	read, err := os.ReadFile(filepath.Join(payloadDir, file+".txt"))
	if err != nil {
		return nil, err
	}
	described := map[string]string{}
	for part := range strings.SplitSeq("\n"+string(read), "\n## ") {
		title, text, _ := strings.Cut(part, "\n")
		described[title] = text
	}
	seen := map[string]bool{}
	for _, f := range archive.Files {
		kind, _, _ := strings.Cut(f.Name, " ")
		facts := described[f.Name]
		p := runtimePayload{runtime: name, kind: kind, text: string(f.Data)}
		isEdit := strings.Contains(facts, `Tool: "edit"`)
		p.edits = isEdit && strings.Contains(facts, "/p/a.go")
		p.searches = strings.Contains(facts, "Pattern: ") || strings.Contains(facts, `Command: "rg `)
		key := kind
		if kind == "pre-tool-use" || kind == "post-tool-use" {
			key += fmt.Sprint(p.edits, p.searches)
		}
		failed := strings.Contains(facts, "\n  as post-tool-use-failure")
		if !seen[key] && json.Valid(f.Data) && !failed && isEdit == p.edits { // else it edits another file, which is not there
			list, seen[key] = append(list, p), true
		}
	}
	return list, nil
}

// ids matches the ids of a session or of the use of a tool, which differ from run to run.
var ids = regexp.MustCompile(`"((?:session|conversation|trajectory|task|tool_use|tool_call|generation|turn)_id|` +
	`(?:session|conversation|task|toolUse|toolCall)Id)": ?"[^"]*"`)

// in returns the payload for a run in a tree.
func (p *runtimePayload) in(s *measuredTree, run int) map[string]any {
	abs := filepath.ToSlash(s.dir)
	file := s.file(run)
	text := strings.NewReplacer("/p/a.go", abs+"/"+file, `\"a.go\"`, `\"`+file+`\"`, `"a.go"`, `"`+file+`"`, "File: a.go", "File: "+file,
		`"/p"`, `"`+abs+`"`).Replace(p.text)
	text = ids.ReplaceAllString(text, fmt.Sprintf(`"$1": "%s %s %d"`, p.runtime, p.kind, run))
	var out map[string]any
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		panic(err) // it is JSON before, and file names are plain
	}
	return out
}

// measureRuntimes measures the events of each runtime beside the yardsticks of Claude Code's, all in one run in turns: an edit beside the
// index of its file, other events beside `ken version`.
func measureRuntimes(ctx context.Context, o options, t *table) error {
	s, err := newMeasuredTree(ctx, o, o.trees[0])
	if err != nil {
		return err
	}
	// Patches name more files than the one that is changed.
	others := map[string]string{"dir/b.go": "package dir\n", "c.go": "package made\n", "d.go": "package made\n", "e.go": "package made\n"}
	if err := errors.Join(world.WriteFiles(s.dir, others), s.runUnmeasured(ctx, "index")); err != nil {
		return err
	}
	number, before := 0, ""
	edited := func(run int) error {
		number++
		before = s.indexState()
		return s.editFile(run, number)
	}
	reached := func(int, string) error {
		if s.indexState() == before {
			return errors.New("the edit did not reach the index")
		}
		return nil
	}
	things := []measuredCommand{
		{name: "version", p: s.project, args: []string{"version"}},
		{name: "refs", p: s.project, argsOf: func(run int) []string { return []string{"refs", s.name(run)} }},
		{name: "index", p: s.project, before: edited, says: reached, argsOf: func(run int) []string { return []string{"index", s.file(run)} }},
	}
	var payloads []runtimePayload
	for _, r := range runtimes.All() {
		if r.Hooks == nil {
			continue
		}
		list, err := runtimePayloads(r.Name)
		if err != nil {
			return err
		}
		for _, p := range list {
			if measured, _, _ := p.bound(); !measured {
				continue
			}
			c := measuredCommand{name: p.label(), p: s.project, args: []string{"hook", r.Name, p.kind}}
			c.payload = func(run int) map[string]any { return p.in(s, run) }
			if p.edits && p.kind == "post-tool-use" {
				c.before, c.says = edited, reached
			}
			things, payloads = append(things, c), append(payloads, p)
		}
	}
	m, err := runInTurns(ctx, 7, o.runs, things)
	if err != nil {
		return err
	}
	names := map[string]string{"index": "ken index FILE", "version": "ken version", "refs": "ken refs NAME"}
	for _, p := range payloads {
		_, yardstick, most := p.bound()
		t.addRatio(p.label(), s.label, names[yardstick], m[p.label()], m[yardstick], most)
	}
	return measureShims(ctx, o, t, s)
}

func (p *runtimePayload) label() string {
	label := p.runtime + ", " + p.kind
	switch {
	case p.edits:
		label += ", an edit"
	case p.searches:
		label += ", a search"
	}
	return label
}

// indexState returns what changes of the files of the index when it is written.
func (p *project) indexState() (state string) {
	for _, name := range []string{"index.db", "index.db-wal"} {
		if st, err := os.Stat(filepath.Join(p.dir, ".ken", name)); err == nil {
			state += fmt.Sprintln(st.ModTime().UnixNano(), st.Size())
		}
	}
	return state
}

// bound returns whether an event is measured, beside what, and the ratio that it must keep.
func (p *runtimePayload) bound() (measured bool, yardstick string, most ratioBound) {
	switch p.kind {
	case "pre-tool-use", "post-tool-use":
		if p.searches && p.kind == "pre-tool-use" { // the question is answered
			return true, "refs", ratioBound{p50: 1.3}
		}
		if p.edits && p.kind == "post-tool-use" {
			return true, "index", ratioBound{1.25, 1.6}
		}
		return true, "version", smallBound
	case "post-tool-use-failure", "stop":
		return true, "version", smallBound
	case "user-prompt-submit":
		return true, "version", ratioBound{p50: 3}
	}
	return false, "", ratioBound{}
}

// shim is a program for node that loads a plugin, calls its handler of a tool that was used, and prints for each call the milliseconds of
// the whole and of the same run of ken alone.
const shim = `
import { spawnSync } from "node:child_process"
const [plugin, ken, runtime, runs, dir] = process.argv.slice(2)
const make = (await import(plugin)).default
const handlers = {}
const host = { on: (name, f) => { handlers[name] = f }, helpers: {}, system: {} }
const made = await make(runtime === "opencode" || runtime === "kilo" ? { directory: dir } : host)
Object.assign(handlers, made ?? {})
const ctx = { cwd: dir, sessionManager: { getSessionId: () => "s" } }
const call = {
  opencode: (id) => handlers["tool.execute.after"]({ sessionID: "s", callID: id, tool: "bash", args: { command: "ls " + id } }, { output: "ok" }),
  pi: (id) => handlers["tool_result"]({ toolName: "bash", toolCallId: id, input: { command: "ls " + id }, content: [{ type: "text", text: "ok" }] }, ctx),
  amp: (id) => handlers["tool.result"]({ thread: { id: "s" }, tool: "Bash", toolUseID: id, input: { cmd: "ls " + id }, status: "done", output: "ok" }),
}
call.kilo = call.opencode
const out = []
for (let i = 0; i < Number(runs); i++) {
  let at = performance.now()
  await call[runtime]("u" + i)
  const whole = performance.now() - at
  const input = JSON.stringify({ hook_event_name: "PostToolUse", session_id: "s", cwd: dir, tool_name: "Bash", tool_use_id: "v" + i, tool_input: { command: "ls v" + i }, tool_response: { output: "ok" } })
  at = performance.now()
  spawnSync(ken, ["hook", runtime, "post-tool-use"], { input, timeout: 10000, encoding: "utf8" })
  out.push([whole, performance.now() - at])
}
console.log(JSON.stringify(out))
`

// measureShims measures what the plugins of runtimes without commands for hooks cost beside the run of ken that they start. It needs node.
func measureShims(ctx context.Context, o options, t *table, s *measuredTree) error {
	if _, err := exec.LookPath("node"); err != nil {
		fmt.Println("\nno node: the time of plugins was not measured")
		return nil
	}
	script := filepath.Join(o.work, "shim.mjs")
	if err := os.WriteFile(script, []byte(shim), 0o644); err != nil {
		return err
	}
	for _, r := range runtimes.All() {
		if r.Plugin == nil {
			continue
		}
		ken, err := json.Marshal(s.ken)
		if err != nil {
			return err
		}
		text := strings.Replace(strings.Replace(r.Plugin.Text, `"KEN"`, string(ken), 1), "RUNTIME", r.Name, 1)
		plugin := filepath.Join(o.work, r.Name+".mjs")
		if err := os.WriteFile(plugin, []byte(text), 0o644); err != nil {
			return err
		}
		out, err := s.runProgram(ctx, "node", script, plugin, s.ken, r.Name, fmt.Sprint(o.runs), s.dir)
		if err != nil {
			return err
		}
		var pairs [][2]float64
		if err := json.Unmarshal(bytes.TrimSpace(out), &pairs); err != nil {
			return fmt.Errorf("%s: %w: %s", r.Name, err, out)
		}
		var whole, alone series
		for _, p := range pairs {
			whole.wall, alone.wall = append(whole.wall, milliseconds(p[0])), append(alone.wall, milliseconds(p[1]))
		}
		whole.processor, alone.processor = whole.wall, alone.wall // of node and ken together there is only the wall clock
		t.addRatio(r.Name+", its plugin and ken", s.label, "ken alone, from node", whole, alone, ratioBound{})
	}
	return nil
}

func milliseconds(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }
