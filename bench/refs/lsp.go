package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// languageServer describes how a language server is started and used.
type languageServer struct {
	name     string
	command  []string
	language string // as the protocol names it
	settings map[string]any
	options  any // of initialization
	// ready reports whether a message means that the tree has been read; nil
	// if the server need not be waited for.
	ready func(method string, params []byte) bool
	// declarations are the requests that together give all declarations of a name.
	declarations []string
	// twins are further places that declare the same thing to a reader, though not
	// to the server, as the tag and the name of a typedef; nil if there are none.
	twins func(t *sourceTree, declared []place) []place
	// expanded: a use may be the expansion of a macro, so that another name is written there.
	expanded bool
	// known reports whether the server can know the meaning of names in a file; nil if it knows all files.
	known func(path string) bool
	// proof is a request that has an answer only where the server knows the meaning of a name, and does not guess it; "" if it never guesses.
	proof string
	// imports reports whether a place is in a list of imported names.
	imports func(t *sourceTree, p place) bool
}

// lspOracle is an oracle that speaks the language server protocol. It reads only
// while it waits for an answer, so that it needs no goroutine.
type lspOracle struct {
	languageServer
	tree   *sourceTree
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
	last   int
	opened map[string]bool
}

// message is one of the protocol, in either direction.
type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

func openServer(ctx context.Context, s languageServer, t *sourceTree) (oracle, error) {
	l := &lspOracle{languageServer: s, tree: t, opened: map[string]bool{}}
	l.cmd = exec.CommandContext(ctx, s.command[0], s.command[1:]...)
	l.cmd.Dir = t.dir
	l.cmd.Stderr = &messageHead{w: &l.stderr}
	var err error
	if l.in, err = l.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := l.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	l.out = bufio.NewReaderSize(out, 1<<16)
	if err := l.cmd.Start(); err != nil {
		return nil, err
	}
	if err := l.initialize(); err != nil {
		l.close()
		return nil, fmt.Errorf("%s: %w\n%s", s.name, err, l.stderr.Bytes())
	}
	return l, nil
}

// messageHead keeps the beginning of a server's error output.
type messageHead struct{ w *bytes.Buffer }

func (t *messageHead) Write(b []byte) (int, error) {
	if t.w.Len() < 1<<14 {
		t.w.Write(b)
	}
	return len(b), nil
}

// initialize shakes hands and waits until the server has read the tree.
func (l *lspOracle) initialize() error {
	root := l.fileURI("")
	err := l.call("initialize", map[string]any{
		"processId": nil, "rootUri": root, "initializationOptions": l.options,
		"workspaceFolders": []any{map[string]any{"uri": root, "name": "tree"}},
		"capabilities": map[string]any{
			"window":       map[string]any{"workDoneProgress": true},
			"workspace":    map[string]any{"configuration": true, "workspaceFolders": true},
			"experimental": map[string]any{"serverStatusNotification": true},
		},
	}, nil)
	if err != nil {
		return err
	}
	if err := l.send(message{Method: "initialized", Params: json.RawMessage("{}")}); err != nil {
		return err
	}
	if l.ready == nil {
		return nil
	}
	if err := l.openFile(l.tree.sources[0]); err != nil {
		return err
	}
	for {
		m, err := l.receive()
		if err != nil {
			return err
		}
		if l.ready(m.Method, m.Params) {
			return nil
		}
	}
}

func (l *lspOracle) fileURI(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.Join(l.tree.dir, path)}).String()
}

// treePath is that of a file of the tree, and none of others.
func (l *lspOracle) treePath(uri string) string {
	u, err := url.Parse(uri)
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(l.tree.dir, u.Path)
	if err != nil || strings.HasPrefix(rel, "..") {
		return ""
	}
	return rel
}

func (l *lspOracle) send(m message) error {
	b, err := json.Marshal(struct {
		Version string `json:"jsonrpc"`
		message
	}{"2.0", m})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(l.in, "Content-Length: %d\r\n\r\n%s", len(b), b)
	return err
}

// receive reads the next message, and answers it if it is a request.
func (l *lspOracle) receive() (message, error) {
	var m message
	header, err := textproto.NewReader(l.out).ReadMIMEHeader()
	if err != nil {
		return m, err
	}
	n, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		return m, err
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(l.out, b); err != nil {
		return m, err
	}
	if err := json.Unmarshal(b, &m); err != nil {
		return m, err
	}
	if m.Method != "" && m.ID != nil {
		return m, l.send(message{ID: m.ID, Result: l.replyTo(m)})
	}
	return m, nil
}

// replyTo is the answer to a request of the server's.
func (l *lspOracle) replyTo(m message) json.RawMessage {
	if m.Method != "workspace/configuration" {
		return json.RawMessage("null")
	}
	var asked struct{ Items []struct{ Section string } }
	if json.Unmarshal(m.Params, &asked) != nil {
		return json.RawMessage("null")
	}
	answers := make([]any, len(asked.Items))
	for i, item := range asked.Items {
		answers[i] = l.settings[item.Section]
	}
	b, err := json.Marshal(answers)
	if err != nil {
		return json.RawMessage("null")
	}
	return b
}

func (l *lspOracle) call(method string, params, result any) error {
	b, err := json.Marshal(params)
	if err != nil {
		return err
	}
	l.last++
	id := json.RawMessage(strconv.Itoa(l.last))
	if err := l.send(message{ID: id, Method: method, Params: b}); err != nil {
		return err
	}
	for {
		m, err := l.receive()
		if err != nil {
			return err
		}
		if m.Method != "" || !bytes.Equal(m.ID, id) {
			continue
		}
		if m.Error != nil {
			return serverError(m.Error.Message)
		}
		if m.Result == nil || result == nil {
			return nil
		}
		return json.Unmarshal(m.Result, result)
	}
}

// serverError is the message of a server that answers without a result.
type serverError string

func (e serverError) Error() string { return string(e) }

// openFile hands a file to the server; most answer about open files only.
func (l *lspOracle) openFile(path string) error {
	if l.opened[path] {
		return nil
	}
	l.opened[path] = true
	b, err := json.Marshal(map[string]any{"textDocument": map[string]any{
		"uri": l.fileURI(path), "languageId": l.language, "version": 1, "text": string(l.tree.fileText(path).bytes),
	}})
	if err != nil {
		return err
	}
	return l.send(message{Method: "textDocument/didOpen", Params: b})
}

type span struct {
	Start struct{ Line, Character int }
}

type location struct {
	URI         string
	Range       span
	TargetURI   string
	TargetRange span `json:"targetSelectionRange"`
}

// locations asks a question about a place that is answered with places.
func (l *lspOracle) locations(method string, at place, more map[string]any) ([]place, error) {
	if err := l.openFile(at.Path); err != nil {
		return nil, err
	}
	params := map[string]any{
		"textDocument": map[string]any{"uri": l.fileURI(at.Path)}, "position": map[string]any{"line": at.Line - 1, "character": at.Column},
	}
	for k, v := range more {
		params[k] = v
	}
	var raw json.RawMessage
	err := l.call(method, params, &raw)
	if refused := serverError(""); errors.As(err, &refused) {
		return nil, nil // a place the server cannot answer about
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", l.name, err, l.stderr.Bytes())
	}
	var list []location
	if err := json.Unmarshal(raw, &list); err != nil {
		var one location
		if err := json.Unmarshal(raw, &one); err != nil {
			return nil, err
		}
		list = []location{one}
	}
	var places []place
	for _, x := range list {
		if x.TargetURI != "" {
			x.URI, x.Range = x.TargetURI, x.TargetRange
		}
		places = append(places, place{l.treePath(x.URI), x.Range.Start.Line + 1, x.Range.Start.Character})
	}
	return places, nil
}

// meanings asks for all declarations of the name at a place.
func (l *lspOracle) meanings(_ context.Context, at place) ([]place, error) {
	if l.known != nil && !l.known(at.Path) {
		return nil, nil
	}
	if l.proof != "" {
		if list, err := l.locations(l.proof, at, nil); err != nil || len(list) == 0 {
			return nil, err
		}
	}
	var all []place
	for _, method := range l.declarations {
		list, err := l.locations(method, at, nil)
		if err != nil {
			return nil, err
		}
		for _, p := range list {
			if !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all, nil
}

func (l *lspOracle) references(ctx context.Context, at []place) (knowledge, error) {
	var k knowledge
	var asked []place
	for len(at) > 0 {
		p := at[0]
		at = at[1:]
		means, err := l.declaredWith(ctx, p)
		if err != nil {
			return k, err
		}
		if len(means) == 0 || slices.Contains(asked, p) {
			continue
		}
		asked = append(asked, p)
		k.declared = append(k.declared, means...)
		if len(asked) == 1 {
			at = nil
		}
		if l.twins != nil {
			at = append(at, l.twins(l.tree, means)...)
		}
	}
	seen := map[place]bool{}
	for _, p := range asked {
		list, err := l.locations("textDocument/references", p, map[string]any{"context": map[string]any{"includeDeclaration": true}})
		if err != nil {
			return k, err
		}
		for _, u := range list {
			if u.Path != "" && !seen[u] {
				seen[u] = true
				k.uses = append(k.uses, oracleUse{u, l.mentionRole(k.declared, p, u)})
			}
		}
	}
	return k, nil
}

// declaredWith returns all declarations of the thing declared at a place, or none.
// Two declarations belong together if the server leads from each to the other: for
// a class that was announced before, clangd only names the announcement.
func (l *lspOracle) declaredWith(ctx context.Context, p place) ([]place, error) {
	means, err := l.meanings(ctx, p)
	if err != nil || slices.Contains(means, p) {
		return means, err
	}
	for _, other := range means {
		if other.Path == "" {
			continue
		}
		back, err := l.meanings(ctx, other)
		if err != nil {
			return nil, err
		}
		if slices.Contains(back, p) {
			return append(means, p), nil
		}
	}
	return nil, nil
}

// mentionRole returns the way in which a place in a list of references mentions the declared symbol.
func (l *lspOracle) mentionRole(declared []place, symbol, at place) mentionKind {
	switch {
	case slices.Contains(declared, at):
		return definition
	case l.imports(l.tree, at):
		return imports
	case l.expanded && l.tree.wordAt(at) != l.tree.wordAt(symbol), l.tree.wordAt(at) == "":
		return implicit
	}
	return uses
}

func (l *lspOracle) isLoose() bool { return true }

// close asks the server to end, and ends it if it does not.
func (l *lspOracle) close() {
	_ = l.call("shutdown", nil, nil)
	_ = l.send(message{Method: "exit"})
	l.in.Close()
	timer := time.AfterFunc(10*time.Second, func() { _ = l.cmd.Process.Kill() })
	_ = l.cmd.Wait()
	timer.Stop()
}
