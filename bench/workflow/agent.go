package main

import (
	"fmt"
	"iter"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"ken/bench/loopback"
)

// use is one use of a tool, by its name in Claude Code.
type use struct {
	tool  string
	input map[string]any
}

// turn is a reply of the model: uses of tools, or a text that ends its turn.
type turn struct {
	uses []use
	text string
}

// result is what a use of a tool gave.
type result struct {
	text   string
	failed bool
}

// agent is the model as one agent of a run: a script that sends tool calls and reads their results. It knows what it has read, and takes
// each call of ken from there.
type agent struct {
	run  *trial
	name string // of its script
	next func() (turn, bool)
	stop func()

	mu    sync.Mutex
	talk  conversation // with a real client
	turns int          // of the model

	yield func(turn) bool
	got   []result // of the last turn
	reads strings.Builder
	last  string            // the text read last
	known *strings.Replacer // fills the placeholders whose values the prompt has
}

// conversation is what the server keeps of the requests of one agent.
type conversation struct {
	messages int   // of the request that was answered last
	uses     []use // of its reply
	reply    loopback.Reply
}

// script is what the model does as one agent.
type script func(*agent)

// stopped is the panic of a script that cannot go on.
type stopped struct{ why string }

// newAgent returns an agent that follows a script.
func (t *trial) newAgent(name string, s script) *agent {
	a := &agent{run: t, name: name, known: strings.NewReplacer()}
	a.next, a.stop = iter.Pull(func(yield func(turn) bool) {
		a.yield = yield
		defer func() {
			switch r := recover().(type) {
			case nil:
			case stopped:
				t.fault("%s: %s", name, r.why)
				yield(turn{text: "Stopped: " + r.why})
			case runtime.Error: // an answer lacks the line that the script takes its next call from
				t.fault("%s: nothing in the last answer leads on (%v): %.300s", name, r, a.last)
				yield(turn{text: "Stopped."})
			default:
				panic(r)
			}
		}()
		s(a)
	})
	return a
}

// read adds a text to those that the agent has read.
func (a *agent) read(text string) {
	a.reads.WriteString(text + "\n")
	a.last = text
}

// reply returns the next turn of the model after some results, or after a text of the user. It returns false when the script is at its end.
func (a *agent) reply(got ...result) (turn, bool) {
	for _, r := range got {
		if !strings.HasSuffix(a.reads.String(), r.text+"\n") {
			a.read(r.text)
		}
		a.last = r.text
	}
	a.got = got
	t, ok := a.next()
	if !ok {
		return turn{text: "Done."}, false
	}
	for _, u := range t.uses {
		a.run.checkUse(a, u)
	}
	return t, true
}

// fail ends the script, and with it the run.
func (a *agent) fail(format string, args ...any) {
	panic(stopped{fmt.Sprintf(format, args...)})
}

// send has the client use tools and returns the results.
func (a *agent) send(uses ...use) []result {
	if !a.yield(turn{uses: uses}) {
		panic(stopped{"the session ended"})
	}
	if len(a.got) != len(uses) {
		a.fail("%d uses of tools had %d results", len(uses), len(a.got))
	}
	return a.got
}

// say ends the turn with a text and returns what the user answers.
func (a *agent) say(text string) string {
	if !a.yield(turn{text: text}) {
		panic(stopped{"the session ended"})
	}
	if len(a.got) == 0 {
		return ""
	}
	return a.got[0].text
}

// end is the last text of a script.
func (a *agent) end(text string) { a.yield(turn{text: text}) }

// shell runs a command and returns its output and exit status.
func (a *agent) shell(command string) (string, int) {
	r := a.send(use{"Bash", map[string]any{"command": command + "; echo \"exit: $?\"", "description": "Run a command"}})[0]
	at := strings.LastIndex(r.text, "exit: ")
	exit := -1
	if at >= 0 {
		fmt.Sscan(r.text[at+len("exit: "):], &exit)
		return r.text[:at], exit
	}
	a.fail("no exit status of %s: %s", command, r.text)
	return "", -1
}

// must runs a command that has to end with 0.
func (a *agent) must(command string) string {
	a.deviate(command)
	out, exit := a.shell(command)
	if exit != 0 {
		a.fail("%s: exit status %d: %s", command, exit, out)
	}
	return out
}

var skillFile = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`file://(/\S+?/SKILL\.md)`) })

// skill loads a skill. Where the tool for that fails, as that of opencode does without ripgrep, it reads the file that the client lists.
func (a *agent) skill(name string) {
	r := a.send(use{"Skill", map[string]any{"skill": name}})[0]
	if !r.failed {
		return
	}
	for _, m := range skillFile().FindAllStringSubmatch(a.reads.String(), -1) {
		if strings.HasSuffix(m[1], "/"+name+"/SKILL.md") {
			a.run.tokens.add(a.name, "skills loaded", a.readFile(m[1]))
			return
		}
	}
	a.fail("the skill %s cannot be loaded: %s", name, r.text)
}

// deviate has the leader try what it should not, before a step.
func (a *agent) deviate(what string) {
	if a.name == "main" {
		a.run.deviate(what)
	}
}

func (a *agent) write(path, text string) {
	r := a.send(use{"Write", map[string]any{"file_path": a.run.absolute(path), "content": text}})[0]
	if r.failed {
		a.fail("write %s: %s", path, r.text)
	}
}

func (a *agent) edit(path, old, new string) {
	r := a.send(use{"Edit", map[string]any{"file_path": a.run.absolute(path), "old_string": old, "new_string": new}})[0]
	if r.failed {
		a.fail("edit %s: %s", path, r.text)
	}
}

func (a *agent) readFile(path string) string {
	r := a.send(use{"Read", map[string]any{"file_path": a.run.absolute(path)}})[0]
	if r.failed {
		a.fail("read %s: %s", path, r.text)
	}
	return unnumbered(r.text)
}

var (
	lineNumber  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^ *\d+(?:\t|→)`) })
	lineOfColon = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\d+: ?`) })
)

// unnumbered returns a text without what a client puts before lines and around the text.
func unnumbered(text string) string {
	text, _, _ = strings.Cut(text, "\n\n<system-reminder>")
	if _, inner, ok := strings.Cut(text, "<content>\n"); ok { // as opencode shows a file
		inner, _, _ = strings.Cut(inner, "\n\n(End of file")
		return lineOfColon().ReplaceAllString(inner, "") + "\n"
	}
	return lineNumber().ReplaceAllString(text, "")
}

func (t *trial) absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(t.root, filepath.FromSlash(path))
}

// call returns a call of ken out of what was read, the newest that begins with some words; values fill its placeholders, in their order.
// The script ends if there is none.
func (a *agent) call(begin string, values ...string) string {
	calls := readCalls(a.reads.String())
	for _, c := range slices.Backward(calls) {
		if c == begin || strings.HasPrefix(c, begin+" ") {
			return fillCall(a.known.Replace(c), values)
		}
	}
	a.fail("no text names %q", begin)
	return ""
}

// ken runs a call out of what was read, which has to end with 0.
func (a *agent) ken(begin string, values ...string) string {
	return a.must(a.call(begin, values...))
}

var blank = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[A-Z][A-Z-]*|[a-z_]+(?:\|[a-z_]+)+|'EXIT .*')$`)
})

// fillCall fills the placeholders of a call: words in capitals, choices, and exit statuses. Groups in brackets are left out. A value that
// is empty leaves the placeholder out.
func fillCall(call string, values []string) string {
	var out []string
	depth := 0
	for _, w := range shellWords(call) {
		if strings.HasPrefix(w, "[") {
			depth++
		}
		switch {
		case depth > 0:
		case blank().MatchString(w) && len(values) > 0:
			if command, ok := strings.CutPrefix(w, "'EXIT "); ok {
				w = "'" + values[0] + " " + command
			} else {
				w = values[0]
			}
			values = values[1:]
			out = append(out, w)
		default:
			out = append(out, w)
		}
		if depth > 0 && strings.HasSuffix(w, "]") {
			depth--
		}
	}
	return strings.Join(append(out, values...), " ")
}

var agentLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`agent: (.+?)  \(([a-z-]+)(?:, model (\w+))?\)`) })

// job is an agent to be started, as a line of ken names it.
type job struct{ prompt, role, model, script, more string }

// jobs returns the agents that a text names.
func jobs(text string) (list []job) {
	for _, m := range agentLine().FindAllStringSubmatch(text, -1) {
		list = append(list, job{prompt: m[1], role: m[2], model: m[3]})
	}
	return list
}

// start starts agents side by side and returns their last texts.
func (a *agent) start(list ...job) []result {
	var uses []use
	for _, j := range list {
		a.deviate("agent " + j.role)
		input := map[string]any{
			"description": j.role, "subagent_type": "general-purpose", "run_in_background": false,
			"prompt": strings.TrimSpace(j.prompt + "\n\n" + j.more + "\n\n" + mark(j.script)),
		}
		if j.model != "" {
			input["model"] = j.model
		}
		uses = append(uses, use{"Agent", input})
	}
	return a.send(uses...)
}

// mark is the text in a prompt by which its script is found.
func mark(script string) string { return "[turn " + script + "]" }

// takeRole runs the call of the prompt and those that the role begins with.
func (a *agent) takeRole() string {
	calls := readCalls(a.last)
	if len(calls) == 0 {
		a.fail("the prompt names no call: %s", a.last)
	}
	words := shellWords(calls[0])
	var known []string
	for i, name := range []string{"PHASE", "PLAN"} {
		if at := 4 + i; at < len(words) {
			known = append(known, name, words[at])
		}
	}
	a.known = strings.NewReplacer(known...)
	text := a.must(calls[0])
	for _, line := range strings.Split(text, "\n") {
		if first, ok := strings.CutPrefix(line, "first: `"); ok {
			if out, exit := a.shell(strings.TrimSuffix(first, "`")); exit > 1 { // 1: nothing was found
				a.fail("%s: exit status %d: %s", first, exit, out)
			}
		}
	}
	return text
}
