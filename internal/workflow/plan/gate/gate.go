// Package gate declares the operations that record results of commands: tests, builds, reviews. An agent runs the command and records
// its result, so that later agents know the result and the commit that it is about. ken runs no command itself, because a file of the
// repository may have named it. The records are lines of gates.jsonl in the planning folder, newest last.
package gate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"ken/internal/git"
	"ken/internal/workflow/plan/argument"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
)

const (
	file       = "gates.jsonl"
	maxRecords = 1000 // older ones are dropped
	maxCommand = 2000 // bytes
)

// Record is the result of a command.
type Record struct {
	Time    string `json:"time"`
	Command string `json:"command"`
	Exit    int    `json:"exit"`
	Result  string `json:"result"` // passed, failed, or inconclusive after a timeout
	Commit  string `json:"commit,omitempty"`
	Phase   string `json:"phase,omitempty"`
	Plan    string `json:"plan,omitempty"`
	Note    string `json:"note,omitempty"`
}

// RecordAnswer is the answer about a new record.
type RecordAnswer struct {
	Recorded bool   `json:"recorded"`
	Gate     Record `json:"gate"`
	Path     string `json:"path"`
}

// ListedRecords holds the records of the planning folder, newest first.
type ListedRecords struct {
	Gates    []ShownRecord `json:"gates"`
	Count    int           `json:"count"`
	Passed   bool          `json:"passed"` // there is a record, and the last one of every command is a pass
	Problems []string      `json:"problems"`
}

// ShownRecord is a record, and whether it is about the present commit.
type ShownRecord struct {
	Record
	Current bool `json:"current"`
}

type gateRecordInput struct {
	Cmd     string  `flag:"cmd" required:"yes" help:"the command; it is not run"`
	Exit    *int    `flag:"exit" value:"N" help:"what it ended with; 0 is a pass"`
	Timeout bool    `flag:"timeout" help:"it ran out of time, which shows nothing"`
	Phase   *string `flag:"phase" help:"the number of the phase that it is about"`
	Plan    string  `flag:"plan" help:"the plan that it is about"`
	Note    string  `flag:"note" help:"a line about it"`
}

type gateListInput struct {
	Phase *string `flag:"phase" help:"the number of the phase that it is about"`
	Last  bool    `flag:"last" help:"the last record of each command alone"`
}

// All returns the operations of this package.
func All() []*planop.Operation {
	return []*planop.Operation{
		planop.Spec[gateRecordInput, RecordAnswer]{
			Name: "gate record", Summary: "keep how a command ended that an agent has run", Writes: true, Run: recordGate,
			Plain: func(a RecordAnswer) string { return a.Gate.Result },
		}.Operation(),
		planop.Spec[gateListInput, ListedRecords]{
			Name: "gate list", Also: []string{"gate status"}, Summary: "how commands ended, newest first", Run: listGates,
			Page: gatesPage,
		}.Operation(),
	}
}

func recordGate(ctx context.Context, c *planop.Call, in *gateRecordInput) (RecordAnswer, error) {
	r, err := newRecord(ctx, c, in)
	if err != nil {
		return RecordAnswer{}, err
	}
	b, err := json.Marshal(r)
	if err != nil {
		return RecordAnswer{}, err
	}
	name, err := c.PathBelowPlanning(file)
	if err != nil {
		return RecordAnswer{}, err
	}
	f, err := c.Folder()
	if err != nil {
		return RecordAnswer{}, err
	}
	_, err = c.Change(ctx, "record how a command ended", func(read change.Read) ([]change.File, error) {
		text, _, err := read(name)
		if err != nil {
			return nil, err
		}
		return []change.File{{Name: name, Text: new(appendLine(text, string(b)))}}, nil
	})
	return RecordAnswer{true, r, f.Path(file)}, err
}

// newRecord returns the record of a result that a caller passes.
func newRecord(ctx context.Context, c *planop.Call, in *gateRecordInput) (Record, error) {
	r := Record{
		Time: c.Now().UTC().Format(time.RFC3339), Command: argument.SingleLine(in.Cmd), Note: argument.SingleLine(in.Note),
		Plan: argument.SingleLine(in.Plan),
	}
	switch {
	case r.Command == "":
		return r, planop.Usagef("--cmd is missing")
	case len(r.Command)+len(r.Note)+len(r.Plan) > maxCommand:
		return r, planop.Usagef("--cmd, --plan and --note have more than %d bytes together", maxCommand)
	case in.Exit == nil && !in.Timeout:
		return r, planop.Usagef("give --exit, or --timeout")
	}
	if in.Exit != nil {
		r.Exit = *in.Exit
	}
	switch {
	case in.Timeout:
		r.Result = "inconclusive"
	case r.Exit == 0:
		r.Result = "passed"
	default:
		r.Result = "failed"
	}
	if in.Phase != nil {
		id, err := phaseID(c, *in.Phase)
		if err != nil {
			return r, err
		}
		r.Phase = id.String()
	}
	r.Commit = headCommit(ctx, c)
	return r, nil
}

func phaseID(c *planop.Call, text string) (phaseid.ID, error) {
	id, ok := phaseid.Parse(text)
	if !ok {
		return id, planop.Usagef("--phase is %.60q, which is not a phase number", text)
	}
	inv, err := c.Inventory()
	if err != nil {
		return id, err
	}
	if p, _ := inv.Find(id); p == nil {
		return id, &planop.Fault{Reason: "phase_not_found", Message: fmt.Sprintf("there is no phase %.60q", id), Near: inv.NearPhases(id.String())}
	}
	return id, nil
}

// headCommit returns the commit of HEAD, or "" if there is no repository or no commit. A record without a commit is still valid.
func headCommit(ctx context.Context, c *planop.Call) string {
	project, err := c.Project()
	if err != nil {
		return ""
	}
	return treeCommit(ctx, project)
}

// treeCommit returns the commit of HEAD in the work tree that a directory belongs to, as headCommit does.
func treeCommit(ctx context.Context, dir string) string {
	r, err := git.Find(dir)
	if err != nil {
		return ""
	}
	h, err := git.Git{}.Head(ctx, r)
	if err != nil {
		return ""
	}
	return h.Commit
}

// appendLine returns a text with one more line. It drops the oldest lines if there are too many.
func appendLine(text, line string) string {
	newline := "\n"
	if strings.Contains(text, "\r\n") {
		newline = "\r\n"
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += newline
	}
	text += line + newline
	for range max(0, strings.Count(text, "\n")-maxRecords) {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}

// parseRecords reads the lines of gates.jsonl. A line that is not a record becomes a problem and stays in the file.
func parseRecords(text string) (records []Record, problems []string) {
	n := 0
	for line := range strings.SplitSeq(strings.TrimPrefix(text, "\ufeff"), "\n") {
		n++
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		var r Record
		if err := json.Unmarshal([]byte(line), &r); err != nil || r.Command == "" {
			if len(problems) < 20 {
				problems = append(problems, fmt.Sprintf("%s: line %d is not a record", file, n))
			}
			continue
		}
		records = append(records, r)
	}
	return records, problems
}

func listGates(ctx context.Context, c *planop.Call, in *gateListInput) (ListedRecords, error) {
	f, err := c.Folder()
	if err != nil {
		return ListedRecords{}, err
	}
	text, err := f.Read(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return ListedRecords{}, err
	}
	want := ""
	if in.Phase != nil {
		id, err := phaseID(c, *in.Phase)
		if err != nil {
			return ListedRecords{}, err
		}
		want = id.Key()
	}
	records, problems := parseRecords(text)
	a := ListedRecords{Gates: []ShownRecord{}, Problems: append([]string{}, problems...)}
	at, seen := headCommit(ctx, c), map[string]bool{}
	a.Passed = len(records) > 0
	for _, r := range slices.Backward(records) {
		if id, ok := phaseid.Parse(r.Phase); want != "" && (!ok || id.Key() != want) {
			continue
		}
		last := !seen[r.Command]
		seen[r.Command] = true
		if last && r.Result != "passed" {
			a.Passed = false
		}
		if last || !in.Last {
			a.Gates = append(a.Gates, ShownRecord{r, at != "" && r.Commit == at})
		}
	}
	a.Count = len(a.Gates)
	a.Passed = a.Passed && a.Count > 0
	return a, nil
}

func gatesPage(a ListedRecords) string {
	var b strings.Builder
	for _, g := range a.Gates {
		fmt.Fprintf(&b, "%s  %-12s %s", g.Time, g.Result, g.Command)
		if g.Phase != "" {
			fmt.Fprintf(&b, " (phase %s)", g.Phase)
		}
		if !g.Current {
			b.WriteString(", of another commit")
		}
		if g.Note != "" {
			b.WriteString(": " + g.Note)
		}
		b.WriteByte('\n')
	}
	if len(a.Gates) == 0 {
		b.WriteString("no command was recorded\n")
	}
	for _, p := range a.Problems {
		fmt.Fprintf(&b, "%s\n", p)
	}
	return b.String()
}
