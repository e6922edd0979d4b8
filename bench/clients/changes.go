package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/txtar"

	"ken/bench/world"
	counter "ken/internal/token"
)

// changeDir has the tasks, below the repository of ken: in each file the repository with its commit, the prompt, what the agent names and
// looks up, and the change as a diff.
const changeDir = "bench/guard/tasks"

// maxChangeCalls are the most calls of ken until the agent may write, by task and level.
var maxChangeCalls = map[string]int{"gin auto": 4, "click full": 12, "fastify full": 16}

// maxChangeTokens is the largest number of tokens of the answers until then, for a small change of what few files use.
const maxChangeTokens = 1500

// change is a guarded task in a real repository, done by an agent that follows the answers of ken.
type change struct {
	stage
	name, level, commit, prompt string
	overlay                     bool
	targets, also               []string // that are asked for leave, and other files of the change
	frame, understanding        map[string]any
	looks                       []toolUse
	edits                       []fileEdit

	root    string // to edit below
	calls   int
	tokens  int
	counter *counter.Counter
	uses    chan toolUse
	results chan string
	turn    string
	ready   [2]int // calls and tokens until the agent may write
}

// fileEdit replaces a text in a file.
type fileEdit struct{ file, old, new string }

// runChanges has the client do each task at both levels. repositories holds a clone of each, by the name of its task.
func (w *stage) runChanges(ctx context.Context, repositories string) error {
	files, err := filepath.Glob(changeDir + "/*.txtar")
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no tasks in %s: %w", changeDir, err)
	}
	user := filepath.Join(w.home, ".claude", "settings.json")
	if err := os.WriteFile(user, []byte(approval), 0o600); err != nil {
		return err
	}
	defer os.Remove(user)
	var rows []string
	for _, f := range files {
		for _, level := range []string{"auto", "full"} {
			c := &change{stage: *w, level: level, counter: counter.New(counter.O200K)}
			if err := c.parse(f); err != nil {
				return fmt.Errorf("%s: %w", f, err)
			}
			if err := c.do(ctx, filepath.Join(repositories, c.name)); err != nil {
				return fmt.Errorf("%s at %s: %w", c.name, level, err)
			}
			w.sessions, w.checks, w.faults = c.sessions, c.checks, c.faults
			rows = append(rows, fmt.Sprintf("| %s | %s | %d | %d | %d | %d |", c.name, level, c.ready[0], c.ready[1], c.calls, c.tokens))
		}
	}
	fmt.Printf("\n| task | level | calls to READY | tokens | calls to the end | tokens |\n|---|---|---|---|---|---|\n%s\n\n", strings.Join(rows, "\n"))
	return nil
}

// parse reads a task.
func (c *change) parse(file string) error {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		return err
	}
	c.name = strings.TrimSuffix(filepath.Base(file), ".txtar")
	head := strings.Fields(string(archive.Comment))
	_, c.commit, _ = strings.Cut(head[0], "@")
	c.overlay = slices.Contains(head, "overlay")
	for _, part := range archive.Files {
		text := string(part.Data)
		switch part.Name {
		case "prompt":
			c.prompt = strings.TrimSpace(text)
		case "targets":
			c.targets = strings.Fields(text)
		case "also":
			c.also = strings.Fields(text)
		case "frame":
			err = json.Unmarshal(part.Data, &c.frame)
		case "understanding":
			err = json.Unmarshal(part.Data, &c.understanding)
		case "look":
			for line := range strings.Lines(text) {
				name, args, _ := strings.Cut(line, " ")
				u := toolUse{tool: name}
				err = json.Unmarshal([]byte(args), &u.input)
				c.looks = append(c.looks, u)
			}
		case "diff":
			c.edits = parseDiff(text)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", part.Name, err)
		}
	}
	return nil
}

// parseDiff returns the hunks of a diff as edits.
func parseDiff(diff string) (out []fileEdit) {
	file := ""
	for line := range strings.Lines(diff) {
		last := len(out) - 1
		switch {
		case strings.HasPrefix(line, "+++ b/"):
			file = strings.TrimSpace(line[6:])
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "diff "), strings.HasPrefix(line, "index "):
			file = ""
		case strings.HasPrefix(line, "@@"):
			out = append(out, fileEdit{file: file})
		case last >= 0 && file != "" && line[0] == '-':
			out[last].old += line[1:]
		case last >= 0 && file != "" && line[0] == '+':
			out[last].new += line[1:]
		case last >= 0 && file != "":
			out[last].old += line[1:]
			out[last].new += line[1:]
		}
	}
	return out
}

// do prepares the repository, runs the session and checks what it has changed.
func (c *change) do(ctx context.Context, repository string) error {
	fmt.Printf("a guarded task in a real repository: %s at %s\n", c.name, c.level)
	c.project = filepath.Join(c.home, c.name+"-"+c.level)
	if err := c.prepare(ctx, repository); err != nil {
		return err
	}
	c.root, c.turn = c.project, "change-"+c.name+"-"+c.level
	c.client.Dir = c.project
	c.client.Env = append(slices.Clone(c.client.Env), "KEN_MCP_TOOLS=guard")
	c.client.Args = []string{"--debug-file", filepath.Join(c.keep, c.turn+".log"), "--allowedTools", "Read,Edit,Write,Grep,mcp__ken,ToolSearch"}
	c.uses, c.results = make(chan toolUse), make(chan string)
	go func() {
		c.work()
		close(c.uses)
	}()
	begun := false
	step := modelStep{text: "Going on.", then: func(q *request) []toolUse {
		if text, _ := lastResult(q); begun {
			c.results <- text
		}
		begun = true
		if u, more := <-c.uses; more {
			return []toolUse{u}
		}
		return nil
	}}
	c.model.addTurns(modelScript{c.turn: slices.Repeat([]modelStep{step}, 150)})
	c.sessions++
	began := time.Now()
	if _, err := c.client.RunSession(ctx, nil, turnMark(c.turn)+" "+c.prompt); err != nil {
		return err
	}
	fmt.Printf("  %d calls of ken in %.1f s\n", c.calls, time.Since(began).Seconds())
	out, err := c.runCommand("git", "diff", "--numstat", "begin")
	if err != nil {
		return err
	}
	var want []string
	for _, e := range c.edits {
		if !slices.Contains(want, e.file) {
			want = append(want, e.file)
		}
	}
	slices.Sort(want)
	var got []string
	for line := range strings.Lines(out) {
		if f := strings.Fields(line); len(f) == 3 {
			got = append(got, f[2])
		}
	}
	c.checkThat(slices.Equal(got, want), "the change is in the project, and no other: %v", got)
	if most := maxChangeCalls[c.name+" "+c.level]; most > 0 {
		c.checkThat(c.ready[0] <= most && c.ready[0] > 0, "%d calls of ken to READY, at most %d", c.ready[0], most)
	}
	if c.name+" "+c.level == "gin auto" {
		c.checkThat(c.ready[1] <= maxChangeTokens, "%d tokens, at most %d", c.ready[1], maxChangeTokens)
	}
	return nil
}

// prepare makes a repository of the commit, with ken installed in it.
func (c *change) prepare(ctx context.Context, repository string) error {
	if err := os.MkdirAll(c.project, 0o755); err != nil {
		return err
	}
	tar := filepath.Join(c.home, "commit.tar")
	if _, err := world.Git(ctx, repository, "archive", "-o", tar, c.commit); err != nil {
		return err
	}
	if _, err := c.runCommand("tar", "xf", tar); err != nil {
		return err
	}
	if err := c.beginRepository(ctx, mergedBase); err != nil {
		return err
	}
	if err := c.installKen(); err != nil {
		return err
	}
	if err := world.Commit(ctx, c.project, "Begin"); err != nil {
		return err
	}
	_, err := world.Git(ctx, c.project, "tag", "begin")
	return err
}

// use has the client use a tool, and returns the result.
func (c *change) use(tool string, input map[string]any) string {
	if input == nil {
		input = map[string]any{}
	}
	c.uses <- toolUse{tool, input}
	return <-c.results
}

// ken calls a tool of ken and counts it. An answer that was cut is read on.
func (c *change) ken(tool string, input map[string]any) string {
	text := c.use(serverPrefix+tool, input)
	c.calls++
	c.tokens += c.counter.Count([]byte(text))
	if m := cutAnswer.FindStringSubmatch(text); m != nil {
		next := maps.Clone(input)
		next["from"] = m[1]
		text += "\n" + c.ken(tool, next)
	}
	return text
}

var (
	cutAnswer = regexp.MustCompile(`go on with from: (\d+)`)
	toAnswer  = regexp.MustCompile(`(?m)^must be (?:verified|confirmed): (\S+?)(?::[\d,]+)?(?:  |$)`)
)

// work does the task: it names what it is going to change, and follows what the answers name as next.
func (c *change) work() {
	names := []string{"start_session", "set_query_frame", "find_definitions", "find_references", "get_symbols", "get_function_at_line", "submit_understanding",
		"check_write_target", "analyze_impact", "submit_impact_analysis", "submit_for_review", "review_changes", "finalize_changes", "merge_to_main", "record_outcome"}
	c.use("ToolSearch", map[string]any{"query": "select:" + serverPrefix + strings.Join(names, ","+serverPrefix), "max_results": len(names)})
	c.ken("start_session", map[string]any{"query": c.prompt, "intent": "MODIFY", "gate_level": c.level, "enable_overlay": c.overlay})
	last := ""
	if c.level == "full" {
		c.ken("set_query_frame", c.frame)
		for _, l := range c.looks {
			c.ken(l.tool, l.input)
		}
		c.understanding["target_files"] = c.targets
		c.ken("submit_understanding", c.understanding)
		last = c.analyse()
	} else {
		for _, t := range c.targets {
			if last = c.ken("check_write_target", map[string]any{"file_path": t}); strings.HasPrefix(last, "evidence_missing") {
				c.analyse()
				last = c.ken("check_write_target", map[string]any{"file_path": t})
			}
		}
		for _, f := range c.also {
			last = c.ken("check_write_target", map[string]any{"file_path": f})
		}
	}
	if !strings.HasPrefix(last, "READY") {
		c.checkThat(false, "the agent may write: %.600s", last)
		return
	}
	c.ready = [2]int{c.calls, c.tokens}
	if m := editRoot.FindStringSubmatch(last); m != nil {
		c.root = m[1]
	} else if c.overlay {
		c.checkThat(false, "the work tree is named: %.600s", last)
	}
	c.write()
	c.handIn()
}

// analyse has the impact of the targets analysed and gives each file a status.
func (c *change) analyse() string {
	found := c.ken("analyze_impact", map[string]any{"target_files": c.targets, "change_description": c.prompt})
	var statuses []map[string]any
	give := func(file string) {
		s := map[string]any{"file": file, "status": "no_change_needed", "reason": "it stays as it is"}
		if slices.ContainsFunc(c.edits, func(e fileEdit) bool { return e.file == file }) {
			s = map[string]any{"file": file, "status": "will_modify"}
		}
		if !slices.ContainsFunc(statuses, func(o map[string]any) bool { return o["file"] == file }) {
			statuses = append(statuses, s)
		}
	}
	for _, m := range toAnswer.FindAllStringSubmatch(found, -1) {
		give(m[1])
	}
	for _, f := range c.also {
		give(f)
	}
	return c.ken("submit_impact_analysis", map[string]any{"verified_files": statuses})
}

// write makes the change.
func (c *change) write() {
	read := ""
	for _, e := range c.edits {
		at := filepath.Join(c.root, filepath.FromSlash(e.file))
		if read != e.file {
			c.use("Read", map[string]any{"file_path": at})
			read = e.file
		}
		edit := map[string]any{"file_path": at, "old_string": e.old, "new_string": e.new}
		text := c.use("Edit", edit)
		if data, err := os.ReadFile(at); err != nil || !strings.Contains(string(data), e.new) {
			c.checkThat(false, "%s is written: %.600s", e.file, text)
		}
	}
}

// handIn ends the task: with a work tree it is reviewed, committed and merged.
func (c *change) handIn() {
	c.ken("submit_for_review", nil)
	if c.overlay {
		c.ken("review_changes", map[string]any{"budget": 10000})
		var list []map[string]any
		done := map[string]bool{}
		for _, e := range c.edits {
			if !done[e.file] {
				list = append(list, map[string]any{"path": e.file, "decision": "keep"})
			}
			done[e.file] = true
		}
		c.ken("finalize_changes", map[string]any{"reviewed_files": list, "commit_message": c.name + ": change it"})
		text := c.ken("merge_to_main", nil)
		c.checkContains(text, "it is merged", "is merged into "+mergedBase)
	}
	text := c.ken("record_outcome", map[string]any{"outcome": "success"})
	c.checkContains(text, "and its outcome is recorded", "recorded as success")
}
