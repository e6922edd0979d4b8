package integration

import (
	"encoding/json"
	"strings"

	"ken/internal/operation"
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
	h := f.product.Hooks
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
	case runtimes.Listed: // nothing is written in this form yet
		return nil
	case runtimes.Scripts:
		f.addScripts(h)
		return nil
	case runtimes.Tables:
		f.addTables(h)
		return nil
	case runtimes.Wrapped:
		if f.Portable && f.Scope == User { // the settings have to name the path of a script in the home directory
			return nil
		}
	}
	if h.Own {
		return f.addOwnHooks(h)
	}
	to := f.settings(f.settingsPath(h.Place), "hooks")
	for _, e := range h.Events {
		line := f.hookLine(h, e)
		if h.Shape == runtimes.Wrapped {
			line = f.addWrapper(h, e)
		}
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

// hookLine returns the command for an event.
func (f *filler) hookLine(h *runtimes.Hooks, e runtimes.Event) string {
	if h.PowerShell && f.isWindows() {
		return f.powerShellLine(e)
	}
	word := operation.ShellWord(f.ken())
	if f.isWindows() && strings.HasPrefix(word, "'") {
		word = `"` + f.ken() + `"` // the shells there that are not PowerShell take no other quotes, all of them
	}
	return strings.Join(append([]string{word}, f.hookWords(e)...), " ")
}

// powerShellLine returns the command for an event in PowerShell, in which a quoted path alone is a text.
func (f *filler) powerShellLine(e runtimes.Event) string {
	word := f.ken()
	if operation.ShellWord(word) != word {
		word = "& " + powerShellText(word)
	}
	return strings.Join(append([]string{word}, f.hookWords(e)...), " ")
}

func powerShellText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func (f *filler) hookWords(e runtimes.Event) []string {
	return []string{"hook", f.product.Name, string(e.Kind)}
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
		return handler{Type: "command", Bash: line, PowerShell: f.powerShellLine(e), TimeoutSec: timeout(e.Kind)}
	case runtimes.Windows:
		return handler{Command: line, PowerShell: f.powerShellLine(e)}
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
		events[e.Name] = append(events[e.Name], f.hookValue(h, e, f.hookLine(h, e)))
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
	data, err := encodeLines(file)
	if err != nil {
		return err
	}
	f.own.Files = append(f.own.Files, install.File{Path: f.path(h.Place), Data: data, What: "hooks"})
	return nil
}
