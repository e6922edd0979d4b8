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

// step is one reply of the model: a text, and the tools that it asks for.
type step struct {
	text string
	uses []use
	// check, if set, is called with the request before it is answered, when the step
	// before is finished.
	check func(*request)
	// then, if set, returns the tools that the reply asks for, by the result of the step before.
	then func(*request) []use
	// tokens is the number of input tokens that the reply reports; 0 means few.
	tokens int
}

// use is one use of a tool.
type use struct {
	tool  string
	input map[string]any
}

// script holds the replies of the model: the steps of each turn, by the turn's name. A turn
// begins with a prompt that holds the mark of its name; its next steps follow the results of
// tools, whose ids name turn and step. So a reply depends on the request alone, in whatever
// order requests come.
type script map[string][]step

// mark begins a turn in a prompt.
func mark(turn string) string { return "[turn " + turn + "]" }

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
	script script
	serve  *http.Server
	url    string

	mu       sync.Mutex
	requests []*request
}

// texts are all texts of a request's messages, joined.
func (q *request) texts() string {
	var b strings.Builder
	for _, m := range q.Messages {
		for _, t := range m.Texts {
			b.WriteString(t)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// news are the texts since the model spoke last, joined.
func (q *request) news() string {
	last := *q
	for i, m := range q.Messages {
		if m.Role == "assistant" {
			last.Messages = q.Messages[i+1:]
		}
	}
	return last.texts()
}

// listen starts a model on a free port; closing serve ends it.
func listen(s script) (*model, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m := &model{script: s, url: "http://" + l.Addr().String()}
	m.serve = &http.Server{Handler: http.HandlerFunc(m.handle)}
	go m.serve.Serve(l) // ends when serve is closed
	return m, nil
}

// add puts more turns into the script.
func (m *model) add(s script) {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.Copy(m.script, s)
}

// received returns the requests so far.
func (m *model) received() []*request {
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
	q := parse(r.Method+" "+r.URL.Path, body)
	m.mu.Lock()
	reply := m.next(q)
	m.requests = append(m.requests, q)
	q.id, q.Tokens = fmt.Sprintf("msg_%d", len(m.requests)), reply.input()+written
	m.mu.Unlock()
	if reply.check != nil {
		reply.check(q)
	}
	if reply.then != nil {
		reply.uses = reply.then(q)
	}
	switch {
	case r.URL.Path == "/v1/messages/count_tokens":
		answer(w, map[string]any{"input_tokens": len(body) / 4})
	case r.URL.Path != "/v1/messages":
		w.WriteHeader(http.StatusNotFound)
		answer(w, map[string]any{"type": "error", "error": map[string]any{"type": "not_found_error", "message": r.URL.Path}})
	case q.Stream:
		stream(w, q, reply)
	default:
		answer(w, whole(q, reply))
	}
}

// parse reads a request; of one that is no message only the path is known.
func parse(path string, body []byte) *request {
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
		texts, uses := contents(m.Content)
		q.Messages = append(q.Messages, message{m.Role, texts, uses})
	}
	for _, t := range in.Tools {
		q.Tools = append(q.Tools, t.Name)
	}
	return q
}

// contents are the texts of a content, which is a string or a list of blocks, and the ids of
// the uses of tools whose results are in it.
func contents(raw json.RawMessage) (texts, uses []string) {
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
			inner, _ := contents(b.Content)
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

// next returns the step that answers a request, by the messages since the model's last one:
// the step after the tool use whose result is there, or the first step of the turn whose mark
// is there. Other requests, such as news of a command in the background, get a short text.
func (m *model) next(q *request) step {
	if n := len(q.Messages); n > 0 && strings.Contains(strings.Join(q.Messages[n-1].Texts, ""), summarize) {
		q.Turn = compaction
		return step{text: "<summary>The greetings were worked on.</summary>"}
	}
	for i := len(q.Messages) - 1; i >= 0 && q.Messages[i].Role != "assistant"; i-- {
		if turn, n := m.at(&q.Messages[i]); turn != "" && n < len(m.script[turn]) {
			q.Turn, q.Step = turn, n
			return m.script[turn][n]
		}
	}
	return step{text: aside}
}

// at is the place in the script that a message of the user leads to.
func (m *model) at(msg *message) (turn string, n int) {
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
		if slices.ContainsFunc(msg.Texts, func(t string) bool { return strings.Contains(t, mark(turn)) }) {
			return turn, 0
		}
	}
	return "", 0
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

// blocks is a reply as blocks of content.
func blocks(q *request, s step) []map[string]any {
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

// written is the number of output tokens that every reply reports.
const written = 10

// input returns the number of input tokens that a reply reports.
func (s step) input() int { return max(s.tokens, 100) }

// why is why the model stopped.
func why(s step) string {
	if len(s.uses) > 0 {
		return "tool_use"
	}
	return "end_turn"
}

func whole(q *request, s step) map[string]any {
	return map[string]any{
		"id": q.id, "type": "message", "role": "assistant", "model": "claude-scripted", "content": blocks(q, s),
		"stop_reason": why(s), "stop_sequence": nil, "usage": map[string]any{"input_tokens": s.input(), "output_tokens": written},
	}
}

// stream sends a reply as server-sent events.
func stream(w http.ResponseWriter, q *request, s step) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(kind string, fields map[string]any) {
		fields["type"] = kind
		b, _ := json.Marshal(fields)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, b)
	}
	begin := whole(q, s)
	begin["content"], begin["stop_reason"] = []any{}, nil
	send("message_start", map[string]any{"message": begin})
	for i, b := range blocks(q, s) {
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
	send("message_delta", map[string]any{"delta": map[string]any{"stop_reason": why(s), "stop_sequence": nil}, "usage": map[string]any{"output_tokens": written}})
	send("message_stop", map[string]any{})
}
