package scope

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// roots are the directories that a client on standard input and output works in, as it answers when asked. They are
// asked for here and not by the library, because a handler of a notification may not wait for an answer there. The
// protocol has them up to the revision 2025-11-25.
type roots struct {
	mu      sync.Mutex // guards the fields below
	offered bool       // the client supports the question
	asked   int        // number of the last question
	known   chan struct{}
	dirs    []string
}

// rootsPatience is how long a call that needs them waits for a client's roots.
const rootsPatience = 2 * time.Second

// Bounds of a client's answer.
const (
	maxRoots   = 64
	maxRootURI = 4096
)

// rootsID begins the ids of questions for roots. The library numbers its own.
const rootsID = "ken-roots-"

// See looks at a message of the client. It returns the line of a question that is to be sent, nil if there is none.
func (s *Scope) See(method string, params json.RawMessage) []byte {
	r := &s.roots
	switch method {
	case "initialize":
		var p struct {
			Capabilities struct {
				Roots json.RawMessage `json:"roots"`
			} `json:"capabilities"`
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.offered = json.Unmarshal(params, &p) == nil && len(p.Capabilities.Roots) > 0 && string(p.Capabilities.Roots) != "null"
	case "notifications/initialized", "notifications/roots/list_changed":
		r.mu.Lock()
		defer r.mu.Unlock()
		if !r.offered {
			return nil
		}
		r.asked++
		if r.known == nil {
			r.known = make(chan struct{})
		}
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":"%s%d","method":"roots/list"}`+"\n", rootsID, r.asked)
	}
	return nil
}

// Take takes an answer to a question for roots, which has no result if the client reported an error; it reports whether
// the message is one. Of several questions the last counts.
func (s *Scope) Take(asked any, result json.RawMessage) bool {
	r := &s.roots
	id, ok := asked.(string)
	if !ok || !strings.HasPrefix(id, rootsID) {
		return false
	}
	var a struct {
		Roots []struct {
			URI string `json:"uri"`
		} `json:"roots"`
	}
	_ = json.Unmarshal(result, &a) // an invalid answer names no directory
	var dirs []string
	for _, one := range a.Roots[:min(len(a.Roots), maxRoots)] {
		if dir := rootDir(one.URI); dir != "" {
			dirs = append(dirs, dir)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if id != fmt.Sprintf("%s%d", rootsID, r.asked) {
		return true
	}
	r.dirs = dirs
	if r.known != nil {
		close(r.known)
		r.known = nil
	}
	return true
}

// rootDir is the directory that the address of a root names, "" if it names none.
func rootDir(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || len(uri) > maxRootURI || u.Scheme != "file" {
		return ""
	}
	if u.Host != "" && u.Host != "localhost" {
		return ""
	}
	dir := filepath.FromSlash(u.Path)
	if len(dir) > 2 && dir[0] == '\\' && dir[2] == ':' { // file:///C:/x
		dir = dir[1:]
	}
	if !filepath.IsAbs(dir) || strings.ContainsRune(dir, 0) {
		return ""
	}
	return filepath.Clean(dir)
}

// list are the directories; with wait an answer that is under way is waited for.
func (r *roots) list(ctx context.Context, wait bool) []string {
	r.mu.Lock()
	known := r.known
	r.mu.Unlock()
	if wait && known != nil {
		t := time.NewTimer(rootsPatience)
		defer t.Stop()
		select {
		case <-known:
		case <-ctx.Done():
		case <-t.C:
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dirs
}

// any reports whether the client may name directories.
func (r *roots) any() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.offered
}
