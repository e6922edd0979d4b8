package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"

	"ken/bench/world"
)

// client speaks to one server, and records which lines and symbols it was really shown.
type client struct {
	*world.Client
	calls int // of tools, since the last reset

	task  string
	read  []span
	named map[string]bool // FILE:NAME that was looked up
}

type span struct {
	file        string
	first, last int
}

// args are the arguments of a tool.
type args = world.Params

// answer holds the fields of the tools' answers that are used.
type answer struct {
	Task          string `json:"task_id"`
	Allowed       bool
	Error         string
	Message       string
	State         string   `json:"current_phase"`
	Hint          string   `json:"hint"`
	Tools         []string `json:"allowed_tools"`
	Rating        string
	Intervention  string
	Inconsistent  []string  `json:"inconsistencies"`
	Missing       []missing `json:"missing_items"`
	Must          []place   `json:"must_verify"`
	Confirm       []place   `json:"confirmation_required"`
	Hypotheses    []string
	Line, EndLine int
	Path, Name    string
	Symbols       []struct{ Path, Name, Qualified string }

	failed string // the call could not be done
}

type missing struct{ Kind, What, Next string }

type place struct {
	File  string
	Lines []int
	Texts []string `json:"line_texts"`
}

func start(ken, dir string) (*client, error) {
	cmd := exec.Command(ken, "mcp", "--tools", "core,guard")
	cmd.Dir = dir
	server, err := world.Start(cmd, "2025-06-18")
	return &client{Client: server, named: map[string]bool{}}, err
}

// call calls a tool and records the lines and symbols of its answer.
func (c *client) call(name string, a args) (*answer, error) {
	if a == nil {
		a = args{}
	}
	a["structured"], a["budget"] = true, 20000
	c.calls++
	raw, err := c.Request("tools/call", args{"name": name, "arguments": a})
	if err != nil {
		return nil, err
	}
	var r struct {
		IsError bool `json:"isError"`
		Content []struct{ Text string }
		Made    json.RawMessage `json:"structuredContent"`
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, err
	}
	got := &answer{}
	if r.IsError {
		for _, t := range r.Content {
			got.failed += t.Text
		}
		return got, nil
	}
	if err := json.Unmarshal(r.Made, got); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", name, err, r.Made)
	}
	c.note(name, got, r.Made)
	return got, nil
}

// end ends all tasks, because one at full that goes on makes the next one strict.
func (c *client) end() error {
	for {
		status, err := c.call("get_session_status", nil)
		if err != nil || status.failed != "" {
			return err
		}
		if _, err := c.call("record_outcome", args{"outcome": "partial", "task": status.Task}); err != nil {
			return err
		}
	}
}

// note records the lines and symbols that an answer shows.
func (c *client) note(name string, got *answer, raw json.RawMessage) {
	switch name {
	case "start_session":
		c.task, c.read, c.named = got.Task, nil, map[string]bool{}
	case "get_function_at_line":
		var lines struct {
			EndLine int `json:"end_line"`
		}
		json.Unmarshal(raw, &lines) // the same bytes were read before
		c.read = append(c.read, span{got.Path, got.Line, lines.EndLine})
		c.named[got.Path+":"+got.Name] = true
	case "get_symbols":
		var outlines struct {
			Files []struct {
				Path    string
				Symbols []struct{ Qualified string }
			}
		}
		json.Unmarshal(raw, &outlines)
		for _, f := range outlines.Files {
			for _, y := range f.Symbols {
				c.named[f.Path+":"+y.Qualified] = true
			}
		}
	case "search_text": // its lines count if it is for a target
		var found struct {
			Matches []struct {
				Path string
				Line int
			}
		}
		json.Unmarshal(raw, &found)
		for _, m := range found.Matches {
			c.read = append(c.read, span{m.Path, m.Line, m.Line})
		}
	case "analyze_impact": // so do those that it shows
		for _, p := range slices.Concat(got.Must, got.Confirm) {
			for i := range p.Texts {
				c.read = append(c.read, span{p.File, p.Lines[i], p.Lines[i]})
			}
		}
	case "find_definitions":
		for _, y := range got.Symbols {
			c.named[y.Path+":"+cmp.Or(y.Qualified, y.Name)] = true
		}
	case "find_references":
		var found struct {
			References []struct{ Path, In string }
			Symbols    []struct{ Path, Qualified string }
		}
		json.Unmarshal(raw, &found)
		for _, r := range found.References {
			c.named[r.Path+":"+r.In] = true
		}
		for _, y := range found.Symbols {
			c.named[y.Path+":"+y.Qualified] = true
		}
	}
}

// saw reports whether a line was really read in the task.
func (c *client) saw(u use) bool {
	return slices.ContainsFunc(c.read, func(s span) bool { return s.file == u.file && s.first <= u.line && u.line <= s.last })
}
