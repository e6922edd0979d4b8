package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"

	"ken/bench/world"
)

// serena is a server over language servers, which it starts itself: gopls, typescript-language-server, pyright and intelephense are in
// registries, the one of Java is not.
func (i *installed) serena(ctx context.Context) *rival {
	program := i.python("serena", "serena")
	args := []string{program, "start-mcp-server", "--context", "claude-code", "--project-from-cwd", "--enable-web-dashboard", "false"}
	r := &rival{name: "serena", version: serenaVersion, languages: []string{"go", "typescript", "python", "php"},
		note:   "Java not asked: its language server is downloaded from outside of the registries",
		broken: i.fromPyPI(ctx, "serena", "serena-agent=="+serenaVersion, "uv=="+uvVersion)}
	if r.broken == "" {
		r.broken = i.fromGo(ctx, "golang.org/x/tools/gopls", goplsVersion)
	}
	s := &serenaServer{start: func(dir string) (*world.Client, error) {
		cmd := i.command(ctx, dir, append(args, "--agent-interface", "tools")...)
		if null, err := os.Open(os.DevNull); err == nil {
			cmd.Stderr = null
		}
		return world.Start(cmd, protocol)
	}}
	r.clean = removing(".serena")
	r.definitions = func(_ context.Context, dir string, x *row) (places []string, err error) {
		symbols, err := s.find(dir, world.Params{"name_path_pattern": x.Symbol})
		for _, f := range symbols {
			places = append(places, place(f.RelativePath, f.Body.StartLine+1))
		}
		return places, err
	}
	r.references = []referenceWay{{"find_referencing_symbols", s.references}}
	r.closeAll = s.close
	r.tools = func(ctx context.Context, dir string) *exec.Cmd { return i.command(ctx, dir, args...) }
	return r
}

// serenaServer is the server of the tree that was asked about last.
type serenaServer struct {
	start  func(dir string) (*world.Client, error)
	client *world.Client
	dir    string
}

type serenaSymbol struct {
	NamePath     string `json:"name_path"`
	RelativePath string `json:"relative_path"`
	Body         struct {
		StartLine int `json:"start_line"`
		EndLine   int `json:"end_line"`
	} `json:"body_location"`
}

func (s *serenaServer) close() {
	if s.client != nil {
		world.KillTree(s.client.Cmd.Process, true)
		s.client.Close()
	}
	s.client, s.dir = nil, ""
}

func (s *serenaServer) call(dir, tool string, arguments world.Params) (string, error) {
	if s.dir != dir {
		s.close()
		c, err := s.start(dir)
		if err != nil {
			return "", err
		}
		s.client, s.dir = c, dir
	}
	arguments["max_answer_chars"] = 1 << 20
	stop := time.AfterFunc(perCommand, func() { world.KillTree(s.client.Cmd.Process, true) })
	defer stop.Stop()
	out, err := s.client.Request("tools/call", world.Params{"name": tool, "arguments": arguments})
	if err != nil {
		s.close()
		return "", err
	}
	var a struct {
		Content []struct{ Text string }
		IsError bool
	}
	if err := json.Unmarshal(out, &a); err != nil || len(a.Content) == 0 {
		return "", errors.Join(err, errors.New("an answer without text"))
	}
	if a.IsError || strings.HasPrefix(a.Content[0].Text, "Error") {
		return "", errors.New(a.Content[0].Text)
	}
	return a.Content[0].Text, nil
}

func (s *serenaServer) find(dir string, arguments world.Params) (list []serenaSymbol, err error) {
	out, err := s.call(dir, "find_symbol", arguments)
	if err != nil {
		return nil, err
	}
	return list, json.Unmarshal([]byte(out), &list)
}

// serenaLine matches the line of a reference in its surroundings; lines count from 0.
var serenaLine = regexp.MustCompile(`(?m)^\s*>\s*([0-9]+):`)

func (s *serenaServer) references(_ context.Context, dir string, x *row) (places []string, err error) {
	symbols, err := s.find(dir, world.Params{"name_path_pattern": x.Symbol, "relative_path": x.File})
	if err != nil {
		return nil, err
	}
	name := ""
	for _, f := range symbols {
		if f.Body.StartLine < x.Line && x.Line <= f.Body.EndLine+1 {
			name = f.NamePath
		}
	}
	if name == "" {
		return nil, fmt.Errorf("no symbol %s in %s:%d", x.Symbol, x.File, x.Line)
	}
	out, err := s.call(dir, "find_referencing_symbols", world.Params{"name_path": name, "relative_path": x.File})
	if err != nil {
		return nil, err
	}
	var byFile map[string]map[string][]struct {
		Around string `json:"content_around_reference"`
	}
	if err := json.Unmarshal([]byte(out), &byFile); err != nil {
		return nil, err
	}
	for file, kinds := range byFile {
		for _, list := range kinds {
			for _, u := range list {
				if m := serenaLine.FindStringSubmatch(u.Around); m != nil {
					n, _ := strconv.Atoi(m[1])
					places = append(places, place(file, n+1))
				}
			}
		}
	}
	return places, nil
}
