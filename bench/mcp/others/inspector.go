package others

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"ken/bench/world"
)

// inspection is a run of the inspector, a client of others.
type inspection struct {
	trial    *Trial
	programs *npmPrograms
	env      []string
	small    string // a project that may be written to
	file     string // a path and a name that the asked project has
	symbol   string
	note     int // number of an item that may be forgotten
}

// token authorizes the inspector's requests over HTTP.
const token = "a-token-of-this-measurement-alone"

// Inspector has the protocol's own inspector list and use everything, in each way that it can connect. Questions go to the given
// project, writing calls to a small one. It fails if the inspector cannot be run.
func (t *Trial) Inspector(ctx context.Context) error {
	p, err := installPrograms(ctx)
	if err != nil {
		return err
	}
	return t.withHTTPServer(ctx, token, false, func(url, work string) error {
		in := &inspection{trial: t, programs: p, small: filepath.Join(work, "project")}
		in.env = append(os.Environ(), "HOME="+work, "KEN_STATE="+filepath.Join(work, "state"), "KEN_MCP_TOKEN=")
		if t.Dir == "" {
			t.Dir = in.small
		} else {
			if t.Dir, err = filepath.Abs(t.Dir); err != nil {
				return err
			}
			in.env = append(os.Environ(), "KEN_MCP_TOKEN=") // the state directory knows whose index of the given project it is
		}
		if err := in.prepareProjects(ctx); err != nil {
			return err
		}
		fmt.Printf("| way | what | reached |\n|---|---|---|\n")
		for _, era := range []string{"legacy", "modern"} {
			stdio := connectionWay{name: "stdio, " + era, args: []string{"--protocol-era", era}}
			stdio.server = func(dir, sets string) []string { return []string{t.Ken, "-C", dir, "mcp", "--tools", sets} }
			if !t.Short || era == "legacy" {
				if err := in.inspectAll(ctx, &stdio, []string{"core", "knowledge", "full"}); err != nil {
					return err
				}
			}
			http := connectionWay{name: "HTTP, " + era, args: []string{"--protocol-era", era, "--header", "Authorization: Bearer " + token}, small: true}
			http.server = func(string, string) []string { return []string{"--transport", "http", "--server-url", url} }
			if !t.Short || era == "modern" {
				if err := in.inspectAll(ctx, &http, []string{"full"}); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// connectionWay is a way to connect.
type connectionWay struct {
	name   string
	args   []string
	server func(dir, sets string) []string
	small  bool // it serves the small project alone
}

// prepareProjects commits a file in the small project, so that there is something to review, and finds a path and a name in the other.
func (in *inspection) prepareProjects(ctx context.Context) error {
	if err := world.Commit(ctx, in.small, "Begin"); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, in.trial.Ken, "-C", in.trial.Dir, "hotspots", "--json")
	cmd.Env = in.env
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("ken hotspots: %w", err)
	}
	var spots struct {
		Files   []struct{ Path string }
		Symbols []struct{ Name string }
	}
	if err := json.Unmarshal(out, &spots); err != nil {
		return err
	}
	if len(spots.Files) == 0 || len(spots.Symbols) == 0 {
		return errors.New("nothing is known of the project: run ken init there")
	}
	in.file, in.symbol = spots.Files[0].Path, spots.Symbols[0].Name
	return nil
}

// inspectAll lists and uses everything in one way.
func (in *inspection) inspectAll(ctx context.Context, w *connectionWay, sets []string) error {
	dir := in.trial.Dir
	if w.small {
		dir = in.small
	}
	ask := func(dir, set string, into any, args ...string) error {
		return in.runInspector(ctx, w, append(w.server(dir, set), args...), into)
	}
	var listed struct{ Tools []struct{ Name string } }
	for _, set := range sets {
		err := ask(dir, set, &listed, "--method", "tools/list", "--strict")
		in.printRow(w, fmt.Sprintf("list the set %s, no schema to complain of", set), fmt.Sprintf("%d tools", len(listed.Tools)), err)
	}
	for _, one := range listed.Tools { // of the last set, which has all
		if one.Name == "forget" {
			if err := in.storeForgettable(ctx, w); err != nil {
				return err
			}
		}
		at, args := dir, in.toolArguments(one.Name)
		if w.small || one.Name == "remember" || one.Name == "forget" { // those write
			at = in.small
		}
		if w.small {
			small := *in
			small.file, small.symbol = smallFile, smallSymbol
			args = small.toolArguments(one.Name)
		}
		var got struct {
			Content []struct{ Text string }
			IsError bool
		}
		err := ask(at, "full", &got, "--method", "tools/call", "--tool-name", one.Name, "--tool-args-json", args)
		if err == nil && (got.IsError || len(got.Content) != 1 || got.Content[0].Text == "") {
			err = fmt.Errorf("no answer: %+v", got)
		}
		in.printRow(w, "call "+one.Name, "an answer", err)
	}
	return in.inspectOthers(w, func(into any, args ...string) error { return ask(in.small, "full", into, args...) })
}

// storeForgettable stores an item that may be forgotten.
func (in *inspection) storeForgettable(ctx context.Context, w *connectionWay) error {
	cmd := exec.CommandContext(ctx, in.trial.Ken, "-C", in.small, "remember", "to be forgotten by the inspector over "+w.name, "--json")
	cmd.Env = in.env
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("ken remember: %w", err)
	}
	var got struct{ Items []struct{ ID int } }
	if err := json.Unmarshal(out, &got); err != nil || len(got.Items) == 0 {
		return fmt.Errorf("ken remember: %w: %.200s", err, out)
	}
	in.note = got.Items[0].ID
	return nil
}

// inspectOthers lists and uses resources and prompts.
func (in *inspection) inspectOthers(w *connectionWay, ask func(into any, args ...string) error) error {
	var fixed struct{ Resources []struct{ URI string } }
	err := ask(&fixed, "--method", "resources/list")
	in.printRow(w, "list resources", fmt.Sprintf("%d resources", len(fixed.Resources)), err)
	var templates struct {
		ResourceTemplates []struct{ URITemplate string }
	}
	err = ask(&templates, "--method", "resources/templates/list")
	in.printRow(w, "list templates", fmt.Sprintf("%d templates", len(templates.ResourceTemplates)), err)
	var uris []string
	for _, r := range fixed.Resources {
		uris = append(uris, r.URI)
	}
	for _, t := range templates.ResourceTemplates {
		begin, _, _ := strings.Cut(t.URITemplate, "{")
		uris = append(uris, begin+map[string]string{"ken://schema/": "refs"}[begin])
		if !strings.HasPrefix(begin, "ken://schema/") {
			uris[len(uris)-1] += smallFile
		}
	}
	for _, uri := range uris {
		var got struct{ Contents []struct{ Text string } }
		err := ask(&got, "--method", "resources/read", "--uri", uri)
		if err == nil && (len(got.Contents) != 1 || got.Contents[0].Text == "") {
			err = errors.New("nothing was read")
		}
		in.printRow(w, "read "+uri, "a text", err)
	}
	var prompts struct{ Prompts []struct{ Name string } }
	err = ask(&prompts, "--method", "prompts/list")
	in.printRow(w, "list prompts", fmt.Sprintf("%d prompts", len(prompts.Prompts)), err)
	for _, p := range prompts.Prompts {
		var got struct{ Messages []any }
		err := ask(&got, "--method", "prompts/get", "--prompt-name", p.Name, "--prompt-args", "goal=close the store")
		if err == nil && len(got.Messages) == 0 {
			err = errors.New("no message")
		}
		in.printRow(w, "take "+p.Name, "messages", err)
	}
	if len(fixed.Resources) == 0 || len(templates.ResourceTemplates) == 0 || len(prompts.Prompts) == 0 {
		return fmt.Errorf("%s: nothing is listed", w.name)
	}
	return nil
}

// runInspector runs the inspector once.
func (in *inspection) runInspector(ctx context.Context, w *connectionWay, args []string, into any) error {
	script := []string{"@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js"}
	cmd := in.programs.command(ctx, script, slices.Concat([]string{"--cli"}, args, w.args, []string{"--format", "json", "-q"})...)
	cmd.Env, cmd.Dir = in.env, in.small
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%w: %.300s", err, said.String())
	}
	return json.Unmarshal(out, &struct{ Result any }{into})
}

func (in *inspection) printRow(w *connectionWay, what, reached string, err error) {
	if err != nil {
		reached = fmt.Sprintf("**missed**: %v", err)
		in.trial.Missed++
	}
	fmt.Printf("| %s | %s | %s |\n", w.name, what, strings.Join(strings.Fields(reached), " "))
}

// A file and a name of the small project.
const (
	smallFile   = "web/app.ts"
	smallSymbol = "Open"
)

// toolArguments are those that a tool is called with; a tool that is not here is called without any.
func (in *inspection) toolArguments(tool string) string {
	args := map[string]any{}
	file, symbol := []string{in.file}, in.symbol
	switch tool {
	case "find", "pack":
		args["query"] = symbol
	case "show", "deps", "dependents":
		args["target"] = in.file
	case "impact":
		args["target"] = file
	case "refs", "def", "callers", "callees", "implementers":
		args["name"] = symbol
	case "rename":
		args["old"], args["new"] = symbol, symbol+"Renamed"
	case "brief":
		args["goal"] = "change " + symbol
	case "grep":
		args["regex"] = symbol
	case "pattern":
		args["function"] = "^" + symbol
	case "outline":
		args["file"] = in.file
	case "tokens":
		args["file"] = file
	case "recall", "remember":
		args["text"] = "the store is opened once"
	case "forget":
		args["id"] = []int{in.note}
	case "session", "agreement":
		args["action"] = "list"
	case "entity":
		args["action"] = "next"
	case "outcome":
		args["action"] = "stats"
	}
	b, err := json.Marshal(args)
	if err != nil {
		return "{}" // strings and numbers can always be encoded
	}
	return string(b)
}
