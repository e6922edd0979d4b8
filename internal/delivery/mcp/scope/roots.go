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

// clientRoots holds the root directories that the client reports as its workspace. They are requested here and not
// by the library, because a handler of a notification may not wait for an answer there. The protocol has them up to
// the revision 2025-11-25.
type clientRoots struct {
	mu      sync.Mutex // guards the fields below
	offered bool       // the client supports the question
	asked   int        // number of the last question
	known   chan struct{}
	dirs    []string
}

// rootsPatience is how long a call waits for the client to report its roots.
const rootsPatience = 2 * time.Second

// Bounds of a client's answer.
const (
	maxRoots   = 64
	maxRootURI = 4096
)

// rootsID is the prefix of the ids of requests for roots. The library numbers its own.
const rootsID = "ken-roots-"

// ObserveMessage looks at a message of the client. It returns a line to send, a request for the client's roots, or nil.
func (s *Scope) ObserveMessage(method string, params json.RawMessage) []byte {
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

// TakeRootsAnswer handles an answer to a request for roots, which has no result if the client reported an error. It
// reports whether the message is such an answer. If several requests are open, the last counts.
func (s *Scope) TakeRootsAnswer(asked any, result json.RawMessage) bool {
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

// rootDir returns the directory that the URI of a root names, "" if it names none.
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

// list returns the directories; if wait is set, it waits for an answer that is under way.
func (r *clientRoots) list(ctx context.Context, wait bool) []string {
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

// mayBeNamed reports whether the client can report directories.
func (r *clientRoots) mayBeNamed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.offered
}
