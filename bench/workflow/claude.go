package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"ken/bench/loopback"
	"ken/internal/workflow/agent/skills"
)

// maxClient is the longest time of the session in a real client.
const maxClient = 10 * time.Minute

// runClaude runs the session in Claude Code, whose model follows the scripts. It fails if the client does.
func (t *trial) runClaude(program, prompt string) error {
	home := filepath.Dir(t.root)
	log, err := os.Create(filepath.Join(home, "client.log"))
	if err != nil {
		return err
	}
	defer log.Close()
	m, err := loopback.Start(t.answer)
	if err != nil {
		return err
	}
	defer m.Close()
	env := append(loopback.Environment(home, t.bin, m.URL), "XDG_CONFIG_HOME="+home)
	for _, dir := range []string{"tmp", ".claude"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			return err
		}
	}
	c := loopback.Client{
		Program: program, Dir: t.root, Env: env, Log: log, Limit: maxClient,
		Args: []string{"--allowedTools", "Bash,Edit,Write,Read,Grep,Glob,Agent,Skill", "--debug-file", filepath.Join(home, "debug.log")},
	}
	_, err = c.Converse(t.ctx, nil, func(text string) (string, bool) {
		if text == "" {
			return prompt, true
		}
		if t.failed() {
			return "", false
		}
		return t.ask(text)
	})
	return err
}

// answer returns the reply of the script to which a request belongs.
func (t *trial) answer(q *loopback.Request) loopback.Reply {
	aside := loopback.Reply{Text: loopback.Aside}
	if len(q.Tools) == 0 {
		return aside // such as one for a title
	}
	a := t.agentOf(q)
	if a == nil {
		return aside
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(q.Messages) <= a.talk.messages {
		return a.talk.reply // the same request again
	}
	if a.talk.messages == 0 {
		t.readBeginning(a, q)
	}
	a.talk.messages = len(q.Messages)
	var got []result
	byID := map[string]loopback.Result{}
	news := newMessages(q)
	for _, m := range news {
		for _, r := range m.Results {
			byID[r.ID] = r
		}
	}
	for i, u := range a.talk.uses {
		r, ok := byID[t.useID(a, i)]
		if !ok {
			return aside // news of something in the background
		}
		t.tokens.addResult(a.name, u, r.Text)
		got = append(got, result{r.Text, r.Failed})
	}
	for _, m := range news {
		text := strings.Join(m.Texts, "\n")
		if a.turns > 0 { // the beginning was counted
			t.countHooks(a, "hooks", text)
		}
		a.read(text)
	}
	if got == nil {
		got = []result{{text: lastText(news)}}
	}
	a.turns++
	next, _ := a.reply(got...)
	a.talk.uses = next.uses
	a.talk.reply = loopback.Reply{Text: next.text}
	for i, u := range next.uses {
		tool, input := u.tool, u.input
		if t.translate != nil {
			tool, input = t.translate(u)
		}
		a.talk.reply.Uses = append(a.talk.reply.Uses, loopback.Use{ID: t.useID(a, i), Tool: tool, Input: input})
	}
	return a.talk.reply
}

func (t *trial) useID(a *agent, i int) string {
	return fmt.Sprintf("toolu_%s_%d_%d", a.name, a.turns, i)
}

// agentOf returns the agent whose mark is in the first prompt of a request.
func (t *trial) agentOf(q *loopback.Request) *agent {
	for _, m := range q.Messages {
		for _, text := range m.Texts {
			if m.Role == "user" && turnMark.MatchString(text) {
				return t.agentFor(text)
			}
		}
	}
	return nil
}

// The words with which the instructions of ken's server begin and end. Clients differ in what they set around them.
const (
	serverWords = "ken answers questions about this repository"
	serverEnd   = "data, not instructions."
	maxServer   = 2048 // bytes, at which clients cut them
)

// hookWords are the blocks that hooks of ken add to a conversation.
var hookWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)<codebase-intelligence>.*?</codebase-intelligence>`)
})

// countHooks counts what hooks said in a text.
func (t *trial) countHooks(a *agent, kind, text string) {
	for _, block := range hookWords().FindAllString(text, -1) {
		t.tokens.add(a.name, kind, block)
	}
}

// newMessages returns the messages behind the last one of the model.
func newMessages(q *loopback.Request) []loopback.Message {
	for i := len(q.Messages) - 1; i >= 0; i-- {
		if q.Messages[i].Role == "assistant" {
			return q.Messages[i+1:]
		}
	}
	return q.Messages
}

// lastText returns the prompt in some messages, or the last text that no program put in.
func lastText(list []loopback.Message) (text string) {
	for _, m := range list {
		for _, s := range m.Texts {
			if turnMark.MatchString(s) {
				return s // the prompt, beside which a client and its hooks put other texts
			}
			if !strings.HasPrefix(s, "<system-reminder>") {
				text = s
			}
		}
	}
	return text
}

// readBeginning has the agent read what the client gives it first, and counts our texts in it.
func (t *trial) readBeginning(a *agent, q *loopback.Request) {
	var in struct {
		System json.RawMessage `json:"system"`
		Tools  []struct {
			Name        string `json:"name"`
			Description string `json:"description"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(q.Raw, &in); err != nil {
		t.fault("%s: %v", a.name, err)
		return
	}
	system, _ := loopback.SplitContent(in.System)
	all := strings.Join(system, "\n")
	for _, tool := range in.Tools {
		all += "\n" + tool.Name + ": " + tool.Description
	}
	for _, m := range q.Messages {
		all += "\n" + strings.Join(m.Texts, "\n")
	}
	a.read(all)
	for _, k := range skills.All() {
		head := skillHead.FindAllStringSubmatch(k.Text, 2)
		if strings.Contains(all, head[1][1]) {
			t.tokens.add(a.name, "skills listed", "- "+head[0][1]+": "+head[1][1])
		}
	}
	t.countHooks(a, "first words", all)
	if _, text, ok := strings.Cut(all, serverWords); ok {
		text, _, _ = strings.Cut(text, serverEnd)
		t.tokens.add(a.name, "server", serverWords+text[:min(len(text), maxServer)]+serverEnd)
	}
	if rules := skills.Rules(false, "ken"); strings.Contains(all, rules) {
		t.tokens.add(a.name, "rules", rules)
	}
}
