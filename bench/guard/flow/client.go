package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
)

// client speaks to one server, and remembers what it has really looked at.
type client struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	id    int
	calls int // of tools, since they were counted last

	task  string
	read  []span
	named map[string]bool // FILE:NAME that was looked up
}

type span struct {
	file        string
	first, last int
}

// args are the arguments of a tool.
type args map[string]any

// answer is what the tools of the flow answer, as far as it is looked at.
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
}

func start(ken, dir string) (*client, error) {
	c := &client{cmd: exec.Command(ken, "mcp", "--tools", "core,guard"), named: map[string]bool{}}
	c.cmd.Dir, c.cmd.Stderr = dir, os.Stderr
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReaderSize(out, 1<<20)
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	about := args{"name": "flow", "version": "1"}
	_, err = c.request("initialize", args{"protocolVersion": "2025-06-18", "capabilities": args{}, "clientInfo": about})
	return c, err
}

func (c *client) close() {
	c.in.Close()
	c.cmd.Wait()
}

// request sends one request and waits for its answer.
func (c *client) request(method string, params any) (json.RawMessage, error) {
	c.id++
	line, err := json.Marshal(args{"jsonrpc": "2.0", "id": c.id, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	if _, err := c.in.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	for {
		line, err := c.out.ReadBytes('\n')
		if err != nil {
			return nil, err
		}
		var m struct {
			ID     int
			Result json.RawMessage
			Error  json.RawMessage
		}
		if err := json.Unmarshal(line, &m); err != nil {
			return nil, err
		}
		if m.ID == c.id {
			if m.Error != nil {
				return nil, fmt.Errorf("%s: %s", method, m.Error)
			}
			return m.Result, nil
		}
	}
}

// call calls a tool and notes what its answer shows.
func (c *client) call(name string, a args) (*answer, error) {
	if a == nil {
		a = args{}
	}
	a["structured"], a["budget"] = true, 20000
	c.calls++
	raw, err := c.request("tools/call", args{"name": name, "arguments": a})
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

// note remembers what an answer showed.
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
