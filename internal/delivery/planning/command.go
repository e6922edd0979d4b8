package planning

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/operation"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
)

// Command is one run of `ken plan` or `ken gsd`.
type Command struct {
	Operations     []*planop.Operation // nil: All
	Dir            string              // absolute working directory
	StateDir       string              // where lock and journal are of a project without git
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Now            func() time.Time
	Terminal       bool                // somebody reads the answer as it comes
	Mask           func(string) string // takes secrets out of what is shown; may be nil
	Meet           planop.Meet         // tells where plans meet in the code; may be nil
}

// globals are the flags of every operation.
type globals struct {
	json, help, watch, raw bool
	dir, workstream, pick  string
	picks                  bool
}

// takeGlobals takes the flags that every operation has out of a command line; what is behind -- is left alone. others are those
// that only `ken gsd` has.
func takeGlobals(words []string, others bool) (g globals, rest []string, err error) {
	for i := 0; i < len(words); i++ {
		name, value, joined := strings.Cut(words[i], "=")
		text := map[string]*string{"-C": &g.dir, "--directory": &g.dir, "--ws": &g.workstream}[name]
		on := map[string]*bool{"-h": &g.help, "--help": &g.help}[name]
		if others {
			text = map[string]*string{"-C": &g.dir, "--cwd": &g.dir, "--ws": &g.workstream, "--pick": &g.pick}[name]
			on = map[string]*bool{"-h": &g.help, "--help": &g.help, "--version": &g.help, "-v": &g.help, "--usage": &g.help, "--raw": &g.raw, "--json": &g.json}[name]
		} else if name == "--json" || name == "--watch" {
			on = map[string]*bool{"--json": &g.json, "--watch": &g.watch}[name]
		}
		switch {
		case words[i] == "--":
			return g, append(rest, words[i:]...), nil
		case on != nil && !joined:
			*on = true
		case text != nil && joined:
			*text = value
		case text != nil:
			if i++; i == len(words) {
				return g, nil, code.Usagef("%s needs a value", name)
			}
			*text = words[i]
		default:
			rest = append(rest, words[i])
		}
		g.picks = g.picks || name == "--pick"
	}
	return g, rest, nil
}

func (c *Command) list() []*planop.Operation {
	if c.Operations == nil {
		c.Operations = All()
	}
	return c.Operations
}

// surroundings are those of an operation.
func (c *Command) surroundings(g *globals) planop.Surroundings {
	dir := c.Dir
	if g.dir != "" {
		dir = g.dir
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(c.Dir, dir)
		}
	}
	home := c.Getenv("HOME")
	if home == "" {
		home = c.Getenv("USERPROFILE")
	}
	return planop.Surroundings{
		Dir: dir, Home: home, StateDir: c.StateDir, Stdin: c.Stdin, Getenv: c.Getenv, Now: c.Now, Workstream: g.workstream, Meet: c.Meet,
	}
}

// Plan runs `ken plan …`.
func (c *Command) Plan(ctx context.Context, words []string) error {
	g, words, err := takeGlobals(words, false)
	if err != nil {
		return err
	}
	if len(words) > 0 && words[0] == "help" {
		g.help, words = true, words[1:]
	}
	if g.help {
		return c.help(words)
	}
	if len(words) == 0 || strings.HasPrefix(words[0], "-") {
		words = append([]string{"show"}, words...)
	}
	o, rest := planop.Find(c.list(), words)
	if o == nil {
		return c.unknown(words)
	}
	if g.watch {
		if o.Page == nil || o.Writes {
			return code.Usagef("--watch goes with pages alone: ken plan --watch")
		}
		return c.watch(ctx, o, rest, &g)
	}
	return c.answer(ctx, o, rest, &g)
}

// unknown says that there is no such operation, and which come near.
func (c *Command) unknown(words []string) error {
	word := words[0]
	var near []string
	for _, o := range c.list() {
		if strings.HasPrefix(o.Name, word+" ") || strings.HasSuffix(o.Name, " "+word) || (len(word) > 2 && strings.HasPrefix(o.Name, word[:3])) {
			near = append(near, o.Name)
		}
	}
	message := "there is no operation " + operation.Quote(strings.Join(words[:min(2, len(words))], " "))
	if len(near) > 0 {
		message += "; near: " + strings.Join(near[:min(8, len(near))], ", ")
	}
	return code.Usagef("%s (see \"ken plan help\")", message)
}

// done is what an operation answered.
type done struct {
	answer any
	call   *planop.Call
	json   []byte // of the answer
}

// run does an operation.
func (c *Command) run(ctx context.Context, o *planop.Operation, words []string, g *globals) (d done, err error) {
	if d.call, err = o.Parse(words, c.surroundings(g)); err != nil {
		return d, err
	}
	defer func() { err = errors.Join(err, d.call.Close()) }()
	if !o.Anywhere {
		if _, err := d.call.Folder(); err != nil {
			return d, err
		}
	}
	if d.answer, err = o.Run(ctx, d.call); err != nil {
		return d, err
	}
	d.json, err = marshal(d.answer)
	return d, err
}

// marshal is an answer as JSON of two blanks, without a line end. Characters of HTML stay as they are, because agents read it.
func marshal(answer any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(answer)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

func (c *Command) write(text string) error {
	if c.Mask != nil {
		text = c.Mask(text)
	}
	_, err := io.WriteString(c.Stdout, text)
	return err
}

// answer runs an operation and writes what it answers.
func (c *Command) answer(ctx context.Context, o *planop.Operation, words []string, g *globals) error {
	d, err := c.run(ctx, o, words, g)
	if err != nil {
		return c.failed(err, g)
	}
	text := page(o, d) + changesText(d)
	if g.json {
		text = withChanges(d) + "\n"
	}
	if err := c.write(text); err != nil {
		return err
	}
	return nothing(d)
}

// nothing is the error of an answer that says that what was asked for is not there. As an answer of its own, and no fault,
// it is known to programs that read it.
func nothing(d done) error {
	var a struct {
		Found *bool
		Error string
		Near  []string
	}
	if json.Unmarshal(d.json, &a) != nil || a.Error == "" && (a.Found == nil || *a.Found) {
		return nil // a list, or an answer
	}
	if a.Error == "" {
		a.Error = "nothing found"
	}
	return &operation.NothingError{Message: a.Error, Near: a.Near}
}

func page(o *planop.Operation, d done) string {
	if o.Page != nil {
		return escape(o.Page(d.answer))
	}
	return escape(textOf(d.json))
}

// failed turns the errors of operations into those that the program has exit codes for. With --json a fault is an answer, too.
func (c *Command) failed(err error, g *globals) error {
	var usage *planop.UsageError
	var fault *planop.Fault
	switch {
	case errors.As(err, &usage):
		return code.Usagef("%s; usage: ken plan %s", usage.Message, usage.Operation.Usage())
	case errors.Is(err, folder.ErrNone):
		return fmt.Errorf("%w; \"ken plan help\" shows how one is begun", err)
	case errors.As(err, &fault):
		if g.json {
			b, e := marshal(struct {
				Error  string   `json:"error"`
				Reason string   `json:"reason"`
				Near   []string `json:"near"`
			}{fault.Text(), fault.Reason, append([]string{}, fault.Near...)})
			if e = errors.Join(e, c.write(string(b)+"\n")); e != nil {
				return e
			}
		}
		if strings.HasSuffix(fault.Reason, "not_found") {
			return &operation.NothingError{Message: fault.Text(), Near: fault.Near}
		}
		return err
	case errors.Is(err, fs.ErrNotExist):
		return operation.Nothingf("%s", err.Error())
	}
	return err
}

// shownChange is what an operation changed, or with --dry-run would.
type shownChange struct {
	File   string `json:"file"`
	Change string `json:"change"` // added, changed, removed
}

func shownChanges(d done) (list []shownChange, id string) {
	list = []shownChange{}
	for _, r := range d.call.Results {
		id = r.ID
		for _, f := range r.Changed {
			how := "changed"
			if f.Before == nil {
				how = "added"
			} else if f.After == nil {
				how = "removed"
			}
			list = append(list, shownChange{folder.Name + "/" + f.Name, how})
		}
	}
	return list, id
}

// withChanges is the JSON of an answer. That of one that writes has the files it changed, how to undo it, and whether it was
// only tried.
func withChanges(d done) string {
	s := string(d.json)
	body, ok := strings.CutSuffix(s, "\n}")
	if !d.call.Operation.Writes || !ok {
		return s
	}
	list, id := shownChanges(d)
	var said struct {
		Dry *bool `json:"dry_run"`
	}
	dry := &d.call.DryRun
	if json.Unmarshal(d.json, &said) == nil && said.Dry != nil {
		dry = nil // the answer says it itself
	}
	b, err := marshal(struct {
		Changed []shownChange `json:"changed_files"`
		Change  string        `json:"change_id"`
		Dry     *bool         `json:"dry_run,omitempty"`
	}{list, id, dry})
	if err != nil {
		return s
	}
	return body + ",\n" + strings.TrimPrefix(string(b), "{\n")
}

func changesText(d done) string {
	o := d.call.Operation
	if !o.Writes {
		return ""
	}
	list, _ := shownChanges(d)
	var b strings.Builder
	for _, f := range list {
		how := f.Change
		if d.call.DryRun {
			how = "would be " + how
		}
		fmt.Fprintf(&b, "%s %s\n", how, escape(f.File))
	}
	switch {
	case len(list) == 0 && o.Lasting != "": // its page says what was done
	case len(list) == 0:
		b.WriteString("no file changed\n")
	case o.Lasting != "":
		fmt.Fprintf(&b, "%s\n", o.Lasting)
	case !d.call.DryRun && o.Name != "undo":
		b.WriteString("undo: ken plan undo\n")
	}
	return b.String()
}

// watch shows a page again whenever it has changed.
func (c *Command) watch(ctx context.Context, o *planop.Operation, words []string, g *globals) error {
	const pause = time.Second
	last := ""
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		text := ""
		d, err := c.run(ctx, o, words, g)
		switch {
		case err != nil && last == "":
			return c.failed(err, g)
		case err != nil: // a file may be half written right now
			text = err.Error() + "\n"
		default:
			text = page(o, d)
		}
		if text != last {
			if c.Terminal {
				text = "\x1b[H\x1b[2J" + text
			}
			if err := c.write(text); err != nil {
				return err
			}
			last = strings.TrimPrefix(text, "\x1b[H\x1b[2J")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// Complete are the words that a command line can go on with.
func (c *Command) Complete(words []string, begun string) []string {
	done := strings.Join(words, " ")
	var list []string
	for _, o := range c.list() {
		rest, ok := strings.CutPrefix(o.Name+" ", strings.TrimPrefix(done+" ", " "))
		if word, _, _ := strings.Cut(rest, " "); ok && word != "" && strings.HasPrefix(word, begun) {
			list = append(list, word)
		}
	}
	if o, _ := planop.Find(c.list(), words); o != nil {
		for _, f := range o.Flags {
			if f.Kind != planop.Pairs && strings.HasPrefix("--"+f.Name, begun) {
				list = append(list, "--"+f.Name)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
