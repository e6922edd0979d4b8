package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"ken/bench/loopback"
)

// modelStep is one reply of the scripted model: a text, and the tools that it calls.
type modelStep struct {
	text string
	uses []toolUse
	// check, if set, is called with the request before it is answered, when the step
	// before is finished.
	check func(*request)
	// then, if set, returns the tools that the reply asks for, by the result of the step before.
	then func(*request) []toolUse
	// tokens is the number of input tokens that the reply reports; 0 means few.
	tokens int
}

// toolUse is one use of a tool.
type toolUse struct {
	tool  string
	input map[string]any
}

// modelScript holds the replies of the model: the steps of each turn, by the turn's name. A
// turn begins with a prompt that has the mark of its name; its next steps follow the results
// of tools, whose ids name turn and step. So a reply depends only on the request, in
// whatever order requests come.
type modelScript map[string][]modelStep

// turnMark returns the text with which a prompt names its turn.
func turnMark(turn string) string { return "[turn " + turn + "]" }

// request is one request that the model got.
type request struct {
	*loopback.Request
	Turn   string // whose step was the reply, "" if the script has none
	Step   int
	Tokens int // used, as the reply reports
}

// message is one message of a conversation.
type message = loopback.Message

// model answers requests on the loopback interface by a script.
type model struct {
	*loopback.Model
	script modelScript

	mu       sync.Mutex
	requests []*request
}

// allText returns the texts of all messages of a request, joined.
func (q *request) allText() string {
	var b strings.Builder
	for _, m := range q.Messages {
		for _, t := range m.Texts {
			b.WriteString(t)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// newText returns the texts after the model's last message, joined.
func (q *request) newText() string {
	last := *q.Request
	for i, m := range q.Messages {
		if m.Role == "assistant" {
			last.Messages = q.Messages[i+1:]
		}
	}
	return (&request{Request: &last}).allText()
}

// startModel starts a model on a free port; closing it ends it.
func startModel(s modelScript) (*model, error) {
	m := &model{script: s}
	var err error
	m.Model, err = loopback.Start(m.answer)
	return m, err
}

// addTurns puts more turns into the script.
func (m *model) addTurns(s modelScript) {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.Copy(m.script, s)
}

// requestsSoFar returns the requests so far.
func (m *model) requestsSoFar() []*request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.requests)
}

// answer returns the reply of the script to a request.
func (m *model) answer(got *loopback.Request) loopback.Reply {
	q := &request{Request: got}
	m.mu.Lock()
	step := m.nextStep(q)
	m.requests = append(m.requests, q)
	reply := loopback.Reply{Text: step.text, Tokens: step.tokens}
	q.Tokens = reply.InputTokens() + loopback.OutputTokens
	m.mu.Unlock()
	if step.check != nil {
		step.check(q)
	}
	if step.then != nil {
		step.uses = step.then(q)
	}
	for i, u := range step.uses {
		reply.Uses = append(reply.Uses, loopback.Use{ID: fmt.Sprintf("%s%s_%d_%d", idBegin, q.Turn, q.Step, i), Tool: u.tool, Input: u.input})
	}
	return reply
}

// idBegin begins the id of a use of a tool: turn, step and number follow.
const idBegin = "toolu_"

// summarize is part of the prompt that asks for a summary at a compaction; compaction is the
// name of such a turn.
const (
	summarize  = "create a detailed summary of the conversation"
	compaction = "compaction"
)

// stopFeedback begins the reply of a Stop hook with which the agent goes on.
const stopFeedback = "Stop hook feedback"

// turnAnswered is the turn that such an answer begins.
const turnAnswered = "answered"

// nextStep returns the step that answers a request, by the messages since the model's last one:
// the step after the tool use whose result is there, or the first step of the turn whose mark
// is there. Other requests, such as news of a command in the background, get a short text.
func (m *model) nextStep(q *request) modelStep {
	if n := len(q.Messages); n > 0 && strings.Contains(strings.Join(q.Messages[n-1].Texts, ""), summarize) {
		q.Turn = compaction
		return modelStep{text: "<summary>The greetings were worked on.</summary>"}
	}
	for i := len(q.Messages) - 1; i >= 0 && q.Messages[i].Role != "assistant"; i-- {
		if turn, n := m.scriptPlace(&q.Messages[i]); turn != "" && n < len(m.script[turn]) {
			q.Turn, q.Step = turn, n
			return m.script[turn][n]
		}
	}
	return modelStep{text: loopback.Aside}
}

// scriptPlace returns the turn and the step of the script that answer a user's message.
func (m *model) scriptPlace(msg *message) (turn string, n int) {
	for _, id := range msg.Uses {
		rest, ok := strings.CutPrefix(id, idBegin)
		if parts := strings.Split(rest, "_"); ok && len(parts) == 3 {
			if _, err := fmt.Sscan(parts[1], &n); err == nil {
				return parts[0], n + 1
			}
		}
	}
	if slices.ContainsFunc(msg.Texts, func(t string) bool { return strings.Contains(t, stopFeedback) }) {
		return turnAnswered, 0
	}
	for turn := range m.script {
		if slices.ContainsFunc(msg.Texts, func(t string) bool { return strings.Contains(t, turnMark(turn)) }) {
			return turn, 0
		}
	}
	return "", 0
}
