package integration

import (
	"encoding/json"

	"ken/internal/workflow/agent"
	"ken/internal/workflow/agent/runtimes"
	"ken/internal/workflow/install"
)

// handler is a command for an event.
type handler struct {
	Type       string `json:"type,omitempty"`
	Command    string `json:"command,omitempty"`
	Bash       string `json:"bash,omitempty"`
	PowerShell string `json:"powershell,omitempty"`
	Matcher    string `json:"matcher,omitempty"`
	Timeout    int    `json:"timeout,omitempty"`
	Async      bool   `json:"async,omitempty"`
	TimeoutSec int    `json:"timeoutSec,omitempty"`
}

// group are commands for the tools that a matcher names.
type group struct {
	Matcher string    `json:"matcher,omitempty"`
	Hooks   []handler `json:"hooks"`
}

// addHooks adds a command for each event: to a file that is ken's alone, or to the user's list. An event of a list that others use is
// found again by its command.
func (f *filler) addHooks() error {
	h := f.runtime.Hooks
	if h == nil || len(h.Events) == 0 || f.path(h.Place) == "" {
		return nil
	}
	if h.Experimental && !f.Experimental {
		return nil
	}
	if f.Scope == User && h.UserShape != "" {
		user := *h
		user.Shape = h.UserShape
		h = &user
	}
	switch h.Shape {
	case runtimes.Wrapped, runtimes.Scripts, runtimes.Tables, runtimes.Listed: // nothing is written in these forms yet
		return nil
	}
	if h.Own {
		return f.addOwnHooks(h)
	}
	to := f.settings(f.settingsPath(h.Place), "hooks")
	for _, e := range h.Events {
		line := f.hookLine(e)
		value, err := encode(f.hookValue(h, e, line))
		if err != nil {
			return err
		}
		keys := []string{"hooks", e.Name}
		switch h.Shape {
		case runtimes.Top:
			keys = keys[1:]
		case runtimes.ByName:
			keys = []string{"ken", e.Name}
		}
		to.Entries = append(to.Entries, install.Entry{Keys: keys, Argv: []string{line}, Value: value})
	}
	if h.Shape == runtimes.Flat || h.Shape == runtimes.Versioned {
		to.Values = append(to.Values, install.Value{Key: "version", Value: json.RawMessage("1"), Yield: true})
	}
	return nil
}

func (f *filler) hookLine(e runtimes.Event) string {
	return f.line("hook", f.runtime.Name, string(e.Kind))
}

// hookValue returns the element of an event's list.
func (f *filler) hookValue(h *runtimes.Hooks, e runtimes.Event, line string) any {
	c := handler{Type: "command", Command: line, Async: h.Async && e.Kind == agent.StopAsync}
	switch h.Timeout {
	case "s":
		c.Timeout = timeout(e.Kind)
	case "ms":
		c.Timeout = 1000 * timeout(e.Kind)
	}
	switch h.Shape {
	case runtimes.Flat, runtimes.Plain:
		c.Type, c.Matcher = "", e.Matcher
		return c
	case runtimes.Typed:
		return c
	case runtimes.Shells:
		return handler{Type: "command", Bash: line, PowerShell: line, TimeoutSec: timeout(e.Kind)}
	case runtimes.Windows:
		return handler{Command: line, PowerShell: line}
	case runtimes.ByName:
		if e.Matcher == "" {
			return c
		}
	}
	return group{e.Matcher, []handler{c}}
}

// addOwnHooks adds a file that has the hooks of ken alone.
func (f *filler) addOwnHooks(h *runtimes.Hooks) error {
	events := map[string][]any{}
	for _, e := range h.Events {
		events[e.Name] = append(events[e.Name], f.hookValue(h, e, f.hookLine(e)))
	}
	var file any = map[string]any{"hooks": events}
	switch h.Shape {
	case runtimes.Shells:
		file = map[string]any{"version": 1, "hooks": events}
	case runtimes.Top:
		file = events
	case runtimes.ByName:
		file = map[string]any{"ken": events}
	}
	data, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		return err
	}
	f.own.Files = append(f.own.Files, install.File{Path: f.path(h.Place), Data: append(data, '\n'), What: "hooks"})
	return nil
}
