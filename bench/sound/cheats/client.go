package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"

	"ken/bench/world"
	"ken/internal/delivery/op"
	"ken/internal/delivery/project"
	"ken/internal/operation"
)

// With -mcp the calls of a script are those of a client of the server for agents: its shell function k starts this program again, which
// passes the words of a call on to the process that plays the script. That has one server for each folder in which k was called, as a
// client has one for its session.

// request is a call of a script.
type request struct {
	Dir   string
	Words []string
}

// reply is the answer to a call: its text, and whether the tool reported an error.
type reply struct {
	Text  string
	Error bool
}

// forward passes a call on to the process that listens at a socket, and prints the answer. It returns the exit code.
func forward(socket string, words []string) int {
	answer, err := exchange(socket, words)
	if err != nil {
		fmt.Fprintln(os.Stderr, "cheats:", err)
		return 98
	}
	fmt.Println(answer.Text)
	if answer.Error {
		return 1
	}
	return 0
}

func exchange(socket string, words []string) (answer reply, err error) {
	dir, err := os.Getwd()
	if err != nil {
		return answer, err
	}
	c, err := net.Dial("unix", socket)
	if err != nil {
		return answer, err
	}
	defer c.Close()
	if err := json.NewEncoder(c).Encode(request{dir, words}); err != nil {
		return answer, err
	}
	return answer, json.NewDecoder(c).Decode(&answer)
}

// relay has the servers of one script.
type relay struct {
	ken     string
	env     []string
	log     io.Writer
	clients map[string]*world.Client
}

// serve answers calls until the listener is closed.
func (r *relay) serve(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			break
		}
		var q request
		if json.NewDecoder(c).Decode(&q) == nil {
			answer, err := r.call(&q)
			if err != nil {
				answer = reply{Text: err.Error(), Error: true}
			}
			json.NewEncoder(c).Encode(answer) // a script that is gone needs none
		}
		c.Close()
	}
	for _, c := range r.clients {
		c.Close()
	}
}

func (r *relay) call(q *request) (answer reply, err error) {
	c := r.clients[q.Dir]
	if c == nil {
		cmd := exec.Command(r.ken, "mcp", "--tools", "core,guard")
		cmd.Dir, cmd.Env, cmd.Stderr = q.Dir, r.env, r.log
		if c, err = world.Start(cmd, "2025-06-18"); err != nil {
			return answer, err
		}
		r.clients[q.Dir] = c
	}
	args, err := arguments(q.Words)
	if err != nil {
		return answer, err
	}
	raw, err := c.Request("tools/call", world.Params{"name": q.Words[0], "arguments": args})
	if err != nil {
		return answer, err
	}
	var got struct {
		IsError bool `json:"isError"`
		Content []struct{ Text string }
	}
	err = json.Unmarshal(raw, &got)
	for _, part := range got.Content {
		answer.Text += part.Text
	}
	answer.Error = got.IsError
	return answer, err
}

// arguments returns the arguments of the protocol for the words of a command of the group task.
func arguments(words []string) (world.Params, error) {
	tools := op.All()
	i := slices.IndexFunc(tools, func(t *project.Tool) bool { return t.Group == "task" && t.Name == words[0] })
	if i < 0 {
		return nil, errors.New("no task operation " + words[0])
	}
	fields := tools[i].Input()
	positional := slices.DeleteFunc(slices.Clone(fields), func(f operation.Field) bool { return !f.Positional })
	args := world.Params{}
	add := func(f *operation.Field, text string) {
		var value any = text
		if f.Objects && json.Valid([]byte(text)) {
			value = json.RawMessage(text)
		}
		if had, ok := args[f.Key()].([]any); ok {
			args[f.Key()] = append(had, value)
		} else if f.Many || f.Type == "array" {
			args[f.Key()] = []any{value}
		} else {
			args[f.Key()] = value
		}
	}
	for words = words[1:]; len(words) > 0; words = words[1:] {
		name, isFlag := strings.CutPrefix(words[0], "--")
		if name == "json" && isFlag {
			args["structured"] = true
			continue
		}
		if !isFlag {
			if len(positional) == 0 {
				return nil, errors.New("one word too many: " + words[0])
			}
			if add(&positional[0], words[0]); !positional[0].Many && len(positional) > 0 {
				positional = positional[1:]
			}
			continue
		}
		name, text, joined := strings.Cut(name, "=")
		k := slices.IndexFunc(fields, func(f operation.Field) bool { return f.Name == name && !f.Positional })
		switch {
		case k < 0:
			args[strings.ReplaceAll(name, "-", "_")] = true // the server has the last word
			continue
		case fields[k].Type == "boolean":
			text = "true"
		case !joined && len(words) < 2:
			return nil, errors.New("no value for --" + name)
		case !joined:
			text, words = words[1], words[1:]
		}
		add(&fields[k], text)
	}
	return args, nil
}
