package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
)

// use is one use of a tool by the scripted model.
type use struct {
	tool  string
	input map[string]any
	text  string // of a tool that takes a text and no object
}

// model is a server on the loopback interface that speaks the interfaces of several makers. What it answers depends on how many tools were
// used in the conversation so far.
type model struct {
	url   string
	serve *http.Server

	mu       sync.Mutex
	steps    []step
	requests []request
}

// step is one use of a tool, of those that the client offers; false ends the turn.
type step func(tools []string) (use, bool)

// request is one request that the model got.
type request struct {
	path, body string
	tools      []string
	used       int // tools so far
}

// startModel starts a model on a free port; closing its server ends it. It fails if it cannot listen.
func startModel() (*model, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m := &model{url: "http://" + l.Addr().String()}
	m.serve = &http.Server{Handler: http.HandlerFunc(m.handle)}
	go m.serve.Serve(l) // ends when serve is closed
	return m, nil
}

// begin forgets the requests so far and begins a script.
func (m *model) begin(steps []step) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.steps, m.requests = steps, nil
}

// answered returns the requests that had tools, so that they belong to the conversation and not to a title or a summary of it, and the text
// of all requests.
func (m *model) answered() (list []request, all string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.requests {
		if len(r.tools) > 0 {
			list = append(list, r)
		}
		all += r.path + " " + r.body + "\n"
	}
	return list, all
}

func (m *model) handle(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 64<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	q := parseRequest(r.URL.Path, body)
	m.mu.Lock()
	m.requests = append(m.requests, q)
	steps := m.steps
	m.mu.Unlock()
	text, next := "Done.", use{}
	if len(q.tools) > 0 && q.used < len(steps) {
		if u, ok := steps[q.used](q.tools); ok {
			text, next = "I go on.", u
		}
	}
	id := fmt.Sprintf("call_%d", q.used)
	switch {
	case strings.HasSuffix(r.URL.Path, "/responses"):
		writeEvents(w, true, responsesEvents(id, text, next))
	case strings.HasSuffix(r.URL.Path, "/chat/completions"):
		writeEvents(w, false, chatEvents(id, text, next))
	case strings.Contains(r.URL.Path, "streamGenerateContent"):
		writeEvents(w, false, []any{geminiReply(text, next)})
	case strings.Contains(r.URL.Path, "enerateContent"):
		writeJSON(w, geminiReply(text, next))
	case strings.Contains(r.URL.Path, "countTokens"):
		writeJSON(w, map[string]any{"totalTokens": 1})
	case strings.HasSuffix(r.URL.Path, "/messages"):
		writeEvents(w, true, messagesEvents(id, text, next))
	case strings.HasSuffix(r.URL.Path, "/models"):
		writeJSON(w, map[string]any{"object": "list", "data": []any{}, "models": []any{}})
	default:
		http.NotFound(w, r)
	}
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

// writeEvents writes server-sent events, with the type of each as its name if named.
func writeEvents(w http.ResponseWriter, named bool, events []any) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events {
		if text, ok := e.(string); ok {
			fmt.Fprintf(w, "data: %s\n\n", text)
			continue
		}
		b, _ := json.Marshal(e)
		if named {
			fmt.Fprintf(w, "event: %s\n", e.(map[string]any)["type"])
		}
		fmt.Fprintf(w, "data: %s\n\n", b)
	}
}

// parseRequest reads the names of the tools of a request, and how many of them were used.
func parseRequest(path string, body []byte) request {
	q := request{path: path, body: string(body)}
	var in any
	if json.Unmarshal(body, &in) != nil {
		return q
	}
	top, _ := in.(map[string]any)
	q.tools = toolNames(top["tools"])
	for _, key := range []string{"messages", "input", "contents"} {
		list, _ := top[key].([]any)
		for _, item := range list {
			b, _ := json.Marshal(item)
			marks := []string{`"type":"tool_use"`, `"tool_calls":[{`, `"functionCall":{`, `"type":"function_call"`, `"type":"custom_tool_call"`}
			for _, mark := range marks {
				if strings.Contains(string(b), mark) && !strings.Contains(string(b), `"role":"user"`) {
					q.used++
					break
				}
			}
		}
	}
	return q
}

// toolNames returns the names of tools, in whichever form a maker has them.
func toolNames(v any) (names []string) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			names = append(names, toolNames(e)...)
		}
	case map[string]any:
		if name, ok := v["name"].(string); ok {
			names = append(names, name)
			if inner, ok := v["tools"]; ok { // a name space
				for _, n := range toolNames(inner) {
					names = append(names, name+"/"+n)
				}
			}
			return names
		}
		for _, key := range []string{"function", "functionDeclarations"} {
			names = append(names, toolNames(v[key])...)
		}
	}
	return names
}

func messagesEvents(id, text string, u use) []any {
	stop := "end_turn"
	blocks := []any{map[string]any{"type": "text", "text": ""}}
	deltas := []any{map[string]any{"type": "text_delta", "text": text}}
	if u.tool != "" {
		input, _ := json.Marshal(u.input)
		stop = "tool_use"
		blocks = append(blocks, map[string]any{"type": "tool_use", "id": id, "name": u.tool, "input": map[string]any{}})
		deltas = append(deltas, map[string]any{"type": "input_json_delta", "partial_json": string(input)})
	}
	events := []any{map[string]any{"type": "message_start", "message": map[string]any{
		"id": "m", "type": "message", "role": "assistant", "model": "x", "content": []any{},
		"usage": map[string]any{"input_tokens": 9, "output_tokens": 1},
	}}}
	for i := range blocks {
		events = append(events, map[string]any{"type": "content_block_start", "index": i, "content_block": blocks[i]},
			map[string]any{"type": "content_block_delta", "index": i, "delta": deltas[i]}, map[string]any{"type": "content_block_stop", "index": i})
	}
	end := map[string]any{"type": "message_delta", "delta": map[string]any{"stop_reason": stop}, "usage": map[string]any{"output_tokens": 5}}
	return append(events, end, map[string]any{"type": "message_stop"})
}

func responsesEvents(id, text string, u use) []any {
	item := map[string]any{
		"type": "message", "role": "assistant", "id": "i", "content": []any{map[string]any{"type": "output_text", "text": text}},
	}
	switch {
	case u.text != "":
		item = map[string]any{"type": "custom_tool_call", "id": "i", "call_id": id, "name": u.tool, "input": u.text}
	case u.tool != "":
		input, _ := json.Marshal(u.input)
		item = map[string]any{"type": "function_call", "id": "i", "call_id": id, "name": u.tool, "arguments": string(input)}
		if space, name, ok := strings.Cut(u.tool, "/"); ok {
			item["namespace"], item["name"] = space, name
		}
	}
	usage := map[string]any{"input_tokens": 9, "output_tokens": 5, "total_tokens": 14}
	return []any{
		map[string]any{"type": "response.created", "response": map[string]any{"id": "r"}},
		map[string]any{"type": "response.output_item.done", "output_index": 0, "item": item},
		map[string]any{"type": "response.completed", "response": map[string]any{"id": "r", "usage": usage}},
	}
}

func chatEvents(id, text string, u use) []any {
	delta, end := map[string]any{"role": "assistant", "content": text}, "stop"
	if u.tool != "" {
		input, _ := json.Marshal(u.input)
		delta["tool_calls"] = []any{map[string]any{
			"index": 0, "id": id, "type": "function", "function": map[string]any{"name": u.tool, "arguments": string(input)},
		}}
		end = "tool_calls"
	}
	chunk := func(delta map[string]any, end any) map[string]any {
		return map[string]any{
			"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "x",
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": end}},
		}
	}
	return []any{chunk(delta, nil), chunk(map[string]any{}, end), "[DONE]"}
}

func geminiReply(text string, u use) map[string]any {
	parts := []any{map[string]any{"text": text}}
	if u.tool != "" {
		parts = append(parts, map[string]any{"functionCall": map[string]any{"name": u.tool, "args": u.input}})
	}
	return map[string]any{
		"candidates": []any{map[string]any{
			"index": 0, "finishReason": "STOP", "content": map[string]any{"role": "model", "parts": parts},
		}},
		"usageMetadata": map[string]any{"promptTokenCount": 9, "candidatesTokenCount": 5, "totalTokenCount": 14},
	}
}
