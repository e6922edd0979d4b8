package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
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
	Path     string
	Turn     string // whose step was the reply, "" if the script has none
	Step     int
	Stream   bool
	Messages []message
	Tools    []string
	Raw      json.RawMessage
	Tokens   int    // used, as the reply reports
	id       string // of the reply: the client joins replies of the same id
}

// message is one message of a conversation, its texts in order.
type message struct {
	Role  string
	Texts []string
	Uses  []string // ids of the uses whose results it holds
}

// model is a server that speaks the API of a model on the loopback interface.
type model struct {
	script modelScript
	serve  *http.Server
	url    string

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
	last := *q
	for i, m := range q.Messages {
		if m.Role == "assistant" {
			last.Messages = q.Messages[i+1:]
		}
	}
	return last.allText()
}

// startModel starts a model on a free port; closing its server ends it.
func startModel(s modelScript) (*model, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m := &model{script: s, url: "http://" + l.Addr().String()}
	m.serve = &http.Server{Handler: http.HandlerFunc(m.handle)}
	go m.serve.Serve(l) // ends when serve is closed
	return m, nil
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

func (m *model) handle(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 64<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	q := parseRequest(r.Method+" "+r.URL.Path, body)
	m.mu.Lock()
	reply := m.nextStep(q)
	m.requests = append(m.requests, q)
	q.id, q.Tokens = fmt.Sprintf("msg_%d", len(m.requests)), reply.inputTokens()+outputTokens
	m.mu.Unlock()
	if reply.check != nil {
		reply.check(q)
	}
	if reply.then != nil {
		reply.uses = reply.then(q)
	}
	switch {
	case r.URL.Path == "/v1/messages/count_tokens":
		writeAnswer(w, map[string]any{"input_tokens": len(body) / 4})
	case r.URL.Path != "/v1/messages":
		w.WriteHeader(http.StatusNotFound)
		writeAnswer(w, map[string]any{"type": "error", "error": map[string]any{"type": "not_found_error", "message": r.URL.Path}})
	case q.Stream:
		streamReply(w, q, reply)
	default:
		writeAnswer(w, wholeReply(q, reply))
	}
}

// parseRequest reads a request; of one that is no message only the path is known.
func parseRequest(path string, body []byte) *request {
	var in struct {
		Stream   bool `json:"stream"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
	}
	q := &request{Path: path, Raw: body}
	if json.Unmarshal(body, &in) != nil {
		return q
	}
	q.Stream = in.Stream
	for _, m := range in.Messages {
		texts, uses := splitContent(m.Content)
		q.Messages = append(q.Messages, message{m.Role, texts, uses})
	}
	for _, t := range in.Tools {
		q.Tools = append(q.Tools, t.Name)
	}
	return q
}

// splitContent returns the texts in a message's content, which is a string or a list of
// blocks, and the ids of the tool uses whose results are in it.
func splitContent(raw json.RawMessage) (texts, uses []string) {
	var plain string
	if json.Unmarshal(raw, &plain) == nil {
		return []string{plain}, nil
	}
	var blocks []struct {
		Text    string          `json:"text"`
		Content json.RawMessage `json:"content"`
		Use     string          `json:"tool_use_id"`
	}
	if json.Unmarshal(raw, &blocks) != nil {
		return nil, nil
	}
	for _, b := range blocks {
		if b.Use != "" {
			uses = append(uses, b.Use)
		}
		if b.Text != "" {
			texts = append(texts, b.Text)
		}
		if len(b.Content) > 0 {
			inner, _ := splitContent(b.Content)
			texts = append(texts, inner...)
		}
	}
	return texts, uses
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
	return modelStep{text: asideReply}
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

func writeAnswer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

// contentBlocks returns a reply in the form of content blocks.
func contentBlocks(q *request, s modelStep) []map[string]any {
	var out []map[string]any
	if s.text != "" {
		out = append(out, map[string]any{"type": "text", "text": s.text})
	}
	for i, u := range s.uses {
		id := fmt.Sprintf("%s%s_%d_%d", idBegin, q.Turn, q.Step, i)
		out = append(out, map[string]any{"type": "tool_use", "id": id, "name": u.tool, "input": u.input})
	}
	return out
}

// outputTokens is the number of output tokens that every reply reports.
const outputTokens = 10

// inputTokens returns the number of input tokens that a reply reports.
func (s modelStep) inputTokens() int { return max(s.tokens, 100) }

// stopReason returns the reason why the model stopped: it called tools, or ended its turn.
func stopReason(s modelStep) string {
	if len(s.uses) > 0 {
		return "tool_use"
	}
	return "end_turn"
}

func wholeReply(q *request, s modelStep) map[string]any {
	return map[string]any{
		"id": q.id, "type": "message", "role": "assistant", "model": "claude-scripted", "content": contentBlocks(q, s),
		"stop_reason": stopReason(s), "stop_sequence": nil, "usage": map[string]any{"input_tokens": s.inputTokens(), "output_tokens": outputTokens},
	}
}

// streamReply sends a reply as server-sent events.
func streamReply(w http.ResponseWriter, q *request, s modelStep) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(kind string, fields map[string]any) {
		fields["type"] = kind
		b, _ := json.Marshal(fields)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, b)
	}
	begin := wholeReply(q, s)
	begin["content"], begin["stop_reason"] = []any{}, nil
	send("message_start", map[string]any{"message": begin})
	for i, b := range contentBlocks(q, s) {
		delta := map[string]any{"type": "text_delta", "text": b["text"]}
		if b["type"] == "tool_use" {
			input, _ := json.Marshal(b["input"])
			delta = map[string]any{"type": "input_json_delta", "partial_json": string(input)}
			b["input"] = map[string]any{}
		} else {
			b["text"] = ""
		}
		send("content_block_start", map[string]any{"index": i, "content_block": b})
		send("content_block_delta", map[string]any{"index": i, "delta": delta})
		send("content_block_stop", map[string]any{"index": i})
	}
	send("message_delta", map[string]any{"delta": map[string]any{"stop_reason": stopReason(s), "stop_sequence": nil}, "usage": map[string]any{"output_tokens": outputTokens}})
	send("message_stop", map[string]any{})
}
