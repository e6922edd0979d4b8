package integration

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"

	"ken/internal/workflow/agent/runtimes"
)

// Approvals are the commands of ken in a file of hooks, of a program that runs none that its user has not approved.
type Approvals struct {
	Commands int
	// Missing are the events of those that are not approved as they are now.
	Missing []string
}

// ReadApprovals returns how many commands of ken the user has approved. It fails if a file is there and cannot be read; read returns a
// file's bytes, or fs.ErrNotExist. A program that asks for no approval has none.
func ReadApprovals(r runtimes.Runtime, o Options, read func(path string) ([]byte, error)) (a Approvals, err error) {
	if r.Hooks == nil || r.Hooks.Approval == nil {
		return a, nil
	}
	f := &filler{product: r, Options: o}
	if err := f.setBase(); err != nil {
		return a, err
	}
	folder, err := UserFolder(r, o)
	if err != nil {
		return a, err
	}
	hooks := f.path(r.Hooks.Place)
	raw, err := read(hooks)
	if err != nil {
		return a, err
	}
	var file struct {
		Hooks map[string][]approvedGroup `json:"hooks"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return a, fmt.Errorf("read %s: %w", hooks, err)
	}
	path := filepath.Join(folder, filepath.FromSlash(r.Hooks.Approval.File))
	raw, err = read(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return a, err
	}
	var tree map[string]any
	if err := toml.Unmarshal(raw, &tree); err != nil {
		return a, fmt.Errorf("read %s: %w", path, err)
	}
	given := &approved{states: table(tree, r.Hooks.Approval.Keys...), member: r.Hooks.Approval.Hash, paths: []string{hooks}}
	if real, err := filepath.EvalSymlinks(hooks); err == nil && real != hooks {
		given.paths = append(given.paths, real)
	}
	for _, e := range r.Hooks.Events {
		line := f.hookLine(r.Hooks, e)
		for g, group := range file.Hooks[e.Name] {
			for h, handler := range group.Hooks {
				if handler.Command != line {
					continue
				}
				a.Commands++
				if !given.has(snake(e.Name), g, h, &group, handler) {
					a.Missing = append(a.Missing, string(e.Kind))
				}
			}
		}
	}
	return a, nil
}

// approvedGroup are commands with a matcher, in the members of which the program makes a hash.
type approvedGroup struct {
	Matcher string            `json:"matcher"`
	Hooks   []approvedHandler `json:"hooks"`
}

type approvedHandler struct {
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int    `json:"timeout"`
	Async   bool   `json:"async"`
	Status  string `json:"statusMessage"`
}

// approved are the states that the program keeps of commands.
type approved struct {
	states map[string]any
	member string
	paths  []string // by which the program may name the file of hooks
}

// has reports whether a command is approved as it is now, and not turned off.
func (a *approved) has(event string, group, handler int, g *approvedGroup, h approvedHandler) bool {
	return slices.ContainsFunc(a.paths, func(path string) bool {
		state := table(a.states, strings.Join([]string{path, event, strconv.Itoa(group), strconv.Itoa(handler)}, ":"))
		return state["enabled"] != false && state[a.member] == hookHash(event, g.Matcher, h)
	})
}

// defaultTimeout is the timeout that the program takes for a command without one, in seconds.
const defaultTimeout = 600

// hookHash returns the hash of a command that Codex keeps once it is approved: of its definition as JSON with sorted members.
func hookHash(event, matcher string, h approvedHandler) string {
	handler := map[string]any{"type": h.Type, "command": h.Command, "timeout": h.Timeout, "async": h.Async}
	if h.Timeout == 0 {
		handler["timeout"] = defaultTimeout
	}
	if h.Status != "" {
		handler["statusMessage"] = h.Status
	}
	identity := map[string]any{"event_name": event, "hooks": []any{handler}}
	if matcher != "" {
		identity["matcher"] = matcher
	}
	text, _ := encode(identity) // such values can be encoded
	sum := sha256.Sum256(bytes.TrimSpace(text))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// table returns the table below some keys, nil if there is none.
func table(tree map[string]any, keys ...string) map[string]any {
	for _, key := range keys {
		tree, _ = tree[key].(map[string]any)
	}
	return tree
}

// snake returns a name in lower case with underscores between its words: SessionStart is session_start.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
