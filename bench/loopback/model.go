// Package loopback has a model on the loopback interface, which answers as a script has it, and Claude Code, the client that npm installs
// at a pinned version. Its neighbour world has the parts that all measuring programs share.
package loopback

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
)

// Use is one use of a tool, with the id that its result will have; without one it gets an id of its own.
type Use struct {
	ID, Tool string
	Input    map[string]any
}

// Reply is an answer of the model: a text, and the tools that it calls.
type Reply struct {
	Text   string
	Uses   []Use
	Tokens int // input tokens that the answer reports; 0 means few
}

// OutputTokens is the number of output tokens that every answer reports.
const OutputTokens = 10

// InputTokens returns the number of input tokens that the answer reports.
func (r *Reply) InputTokens() int { return max(r.Tokens, 100) }

// Request is one request that the model got.
type Request struct {
	Path     string
	Stream   bool
	Messages []Message
	Tools    []string
	Raw      json.RawMessage
	ID       string // of the reply: the client joins replies of the same id
}

// Message is one message of a conversation, its texts in order.
type Message struct {
	Role    string
	Texts   []string
	Uses    []string // ids of the uses whose results it holds
	Results []Result
}

// Result is what a use of a tool gave.
type Result struct {
	ID, Text string
	Failed   bool
}

// Model is a server that speaks the API of a model on the loopback interface.
type Model struct {
	URL string

	answer func(*Request) Reply
	server *http.Server
	mu     sync.Mutex
	count  int
}

// Start starts a model on a free port, which answers with what answer returns. It fails if it cannot listen.
func Start(answer func(*Request) Reply) (*Model, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m := &Model{answer: answer, URL: "http://" + l.Addr().String()}
	m.server = &http.Server{Handler: http.HandlerFunc(m.handle)}
	go m.server.Serve(l) // ends when the server is closed
	return m, nil
}

// Close ends the model. It returns an error if the listener cannot be closed.
func (m *Model) Close() error { return m.server.Close() }

func (m *Model) handle(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 64<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	q := parseRequest(r.Method+" "+r.URL.Path, body)
	m.mu.Lock()
	m.count++
	q.ID = fmt.Sprintf("msg_%d", m.count)
	m.mu.Unlock()
	reply := m.answer(q)
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
func parseRequest(path string, body []byte) *Request {
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
	q := &Request{Path: path, Raw: body}
	if json.Unmarshal(body, &in) != nil {
		return q
	}
	q.Stream = in.Stream
	for _, m := range in.Messages {
		texts, uses := SplitContent(m.Content)
		q.Messages = append(q.Messages, Message{m.Role, texts, uses, results(m.Content)})
	}
	for _, t := range in.Tools {
		q.Tools = append(q.Tools, t.Name)
	}
	return q
}

// SplitContent returns the texts in a message's content, which is a string or a list of
// blocks, and the ids of the tool uses whose results are in it.
func SplitContent(raw json.RawMessage) (texts, uses []string) {
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
			inner, _ := SplitContent(b.Content)
			texts = append(texts, inner...)
		}
	}
	return texts, uses
}

// results returns the results of tool uses in a message's content.
func results(raw json.RawMessage) (list []Result) {
	var blocks []struct {
		Type    string          `json:"type"`
		Use     string          `json:"tool_use_id"`
		IsError bool            `json:"is_error"`
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(raw, &blocks) != nil {
		return nil
	}
	for _, b := range blocks {
		if b.Type == "tool_result" {
			texts, _ := SplitContent(b.Content)
			list = append(list, Result{b.Use, strings.Join(texts, "\n"), b.IsError})
		}
	}
	return list
}

func writeAnswer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

// contentBlocks returns a reply in the form of content blocks.
func contentBlocks(q *Request, r Reply) []map[string]any {
	var out []map[string]any
	if r.Text != "" {
		out = append(out, map[string]any{"type": "text", "text": r.Text})
	}
	for i, u := range r.Uses {
		if u.ID == "" {
			u.ID = fmt.Sprintf("toolu_%s_%d", q.ID, i)
		}
		out = append(out, map[string]any{"type": "tool_use", "id": u.ID, "name": u.Tool, "input": u.Input})
	}
	return out
}

// stopReason returns the reason why the model stopped: it called tools, or ended its turn.
func stopReason(r Reply) string {
	if len(r.Uses) > 0 {
		return "tool_use"
	}
	return "end_turn"
}

func wholeReply(q *Request, r Reply) map[string]any {
	return map[string]any{
		"id": q.ID, "type": "message", "role": "assistant", "model": "claude-scripted", "content": contentBlocks(q, r),
		"stop_reason": stopReason(r), "stop_sequence": nil,
		"usage": map[string]any{"input_tokens": r.InputTokens(), "output_tokens": OutputTokens},
	}
}

// streamReply sends a reply as server-sent events.
func streamReply(w http.ResponseWriter, q *Request, r Reply) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(kind string, fields map[string]any) {
		fields["type"] = kind
		b, _ := json.Marshal(fields)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, b)
	}
	begin := wholeReply(q, r)
	begin["content"], begin["stop_reason"] = []any{}, nil
	send("message_start", map[string]any{"message": begin})
	for i, b := range contentBlocks(q, r) {
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
	send("message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": stopReason(r), "stop_sequence": nil}, "usage": map[string]any{"output_tokens": OutputTokens},
	})
	send("message_stop", map[string]any{})
}
