package main

import (
	"os"
	"path/filepath"
	"strings"
	"sync"

	"ken/internal/workflow/agent/skills"
)

// maxTurns is the number of replies after which an agent goes round in circles.
const maxTurns = 200

// runFast runs the session with a small client of its own: it gives the model the names of skills, the rules and a prompt, and does what
// its tool calls ask for.
func (t *trial) runFast(prompt string) {
	a := t.begin(prompt)
	if a == nil {
		t.fault("no script for %s", prompt)
		return
	}
	next := result{text: prompt}
	for !t.failed() {
		text := t.follow(a, next)
		said, ok := t.ask(text)
		if !ok {
			break
		}
		next = result{text: said}
	}
	a.stop()
}

// begin returns the agent of a prompt, which has read what a client gives each agent.
func (t *trial) begin(prompt string) *agent {
	a := t.agentFor(prompt)
	if a == nil {
		return nil
	}
	for _, k := range skills.All() {
		head := skillHead.FindAllStringSubmatch(k.Text, 2)
		text := "- " + head[0][1] + ": " + head[1][1]
		a.read(text)
		t.tokens.add(a.name, "skills listed", text)
	}
	if rules, err := os.ReadFile(filepath.Join(t.root, "CLAUDE.md")); err == nil {
		a.read(string(rules))
		t.tokens.add(a.name, "rules", string(rules))
	}
	return a
}

// follow runs an agent until it ends its turn, and returns its text.
func (t *trial) follow(a *agent, got ...result) string {
	for range maxTurns {
		reply, ok := a.reply(got...)
		if !ok || len(reply.uses) == 0 {
			return reply.text
		}
		got = make([]result, len(reply.uses))
		var group sync.WaitGroup
		for i, u := range reply.uses {
			group.Go(func() { got[i] = t.do(a, u) })
		}
		group.Wait()
		for i, u := range reply.uses {
			t.tokens.addResult(a.name, u, got[i].text)
		}
	}
	t.fault("%s: more than %d turns", a.name, maxTurns)
	return ""
}

// do does what a tool of the client does.
func (t *trial) do(a *agent, u use) result {
	text := func(key string) string { s, _ := u.input[key].(string); return s }
	fail := func(err error) result { return result{err.Error(), true} }
	switch u.tool {
	case "Bash":
		return t.runShell(text("command"))
	case "Write":
		err := os.MkdirAll(filepath.Dir(text("file_path")), 0o755)
		if err == nil {
			err = os.WriteFile(text("file_path"), []byte(text("content")), 0o644)
		}
		if err != nil {
			return fail(err)
		}
		return result{text: "written"}
	case "Read":
		b, err := os.ReadFile(text("file_path"))
		if err != nil {
			return fail(err)
		}
		return result{text: string(b)}
	case "Edit":
		b, err := os.ReadFile(text("file_path"))
		if err == nil && strings.Count(string(b), text("old_string")) != 1 {
			return result{"the text is there not once", true}
		}
		if err == nil {
			err = os.WriteFile(text("file_path"), []byte(strings.Replace(string(b), text("old_string"), text("new_string"), 1)), 0o644)
		}
		if err != nil {
			return fail(err)
		}
		return result{text: "edited"}
	case "Skill":
		b, err := os.ReadFile(filepath.Join(t.root, ".claude/skills", text("skill"), "SKILL.md"))
		if err != nil {
			return fail(err)
		}
		return result{text: string(b)}
	case "Agent":
		sub := t.begin(text("prompt"))
		if sub == nil {
			t.fault("%s: no script for %s", a.name, text("prompt"))
			return result{"no script", true}
		}
		defer sub.stop()
		return result{text: t.follow(sub, result{text: text("prompt")})}
	}
	return result{"no such tool", true}
}
