package gate

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/internal/git"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/evidence"
	"ken/internal/workflow/plan/planop"
)

// Source is what recorded how a command ended.
type Source string

// The sources.
const (
	Report Source = "report" // an agent reported it
	Hook   Source = "hook"   // a hook of the agent's program saw it
)

// Result is how a command ended last.
type Result struct {
	Command string `json:"command"`
	State   string `json:"state"` // passed, failed, inconclusive, or missing if nothing recorded it
	Exit    int    `json:"exit"`
	Source  Source `json:"recorded_by,omitempty"`
	Commit  string `json:"commit,omitempty"`
	// Current: the code of that commit is the present one.
	Current bool `json:"current"`
}

// String returns the result as answers show it: "exit 0, recorded by a hook".
func (r *Result) String() string {
	switch {
	case r.State == "missing":
		return "not recorded"
	case r.State == "inconclusive":
		return "ran out of time"
	case r.Source == Hook:
		return fmt.Sprintf("exit %d, seen by a hook", r.Exit)
	}
	return fmt.Sprintf("exit %d, as reported", r.Exit)
}

// Results holds how commands ended, as agents reported and hooks saw it.
type Results struct {
	project string
	records []Record
	seen    evidence.Seen
	head    string
	repo    *git.Repo
	added   []Record // not saved
	same    map[string]bool
}

// ReadResults returns how commands of a project ended. It fails if there is no planning folder or its records cannot be read.
func ReadResults(ctx context.Context, c *planop.Call) (*Results, error) {
	f, err := c.Folder()
	if err != nil {
		return nil, err
	}
	text, err := f.Read(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	r := &Results{project: f.Project, seen: evidence.ReadSeen(c.StateDir, f.Project), head: headCommit(ctx, c), same: map[string]bool{}}
	r.records, _ = parseRecords(text)
	if repo, err := git.Find(f.Project); err == nil {
		r.repo = repo
	}
	return r, nil
}

// Add adds the ends of commands that a caller passes, each as "EXIT COMMAND", without saving them. They ran in the work tree at tree, or
// in that of the project if it is "". It fails if one has another form.
func (r *Results) Add(ctx context.Context, c *planop.Call, phase, plan, tree string, ran []string) error {
	for _, text := range ran {
		exit, command, _ := strings.Cut(strings.TrimSpace(text), " ")
		n, err := strconv.Atoi(exit)
		if err != nil || strings.TrimSpace(command) == "" {
			return planop.Usagef("--ran is %.80q; it is the exit status and the command, as in --ran '0 go test ./...'", text)
		}
		rec, err := newRecord(ctx, c, &gateRecordInput{Cmd: command, Exit: &n, Phase: &phase, Plan: plan})
		if err != nil {
			return err
		}
		if tree != "" {
			rec.Commit = cmp.Or(treeCommit(ctx, tree), rec.Commit)
		}
		r.added = append(r.added, rec)
	}
	return nil
}

// Save writes the ends that were added. It fails as planop.Call.Change does.
func (r *Results) Save(ctx context.Context, c *planop.Call) error {
	if len(r.added) == 0 {
		return nil
	}
	name, err := c.PathBelowPlanning(file)
	if err != nil {
		return err
	}
	_, err = c.Change(ctx, "record how commands ended", func(read change.Read) ([]change.File, error) {
		text, _, err := read(name)
		if err != nil {
			return nil, err
		}
		for _, rec := range r.added {
			line, err := json.Marshal(rec)
			if err != nil {
				return nil, err
			}
			text = appendLine(text, string(line))
		}
		return []change.File{{Name: name, Text: &text}}, nil
	})
	if err == nil {
		r.records, r.added = append(r.records, r.added...), nil
	}
	return err
}

// Of returns how a command ended last. Of two ends at the same time that of a report counts, because it may correct the other.
func (r *Results) Of(ctx context.Context, command string) Result {
	out := Result{Command: command, State: "missing"}
	key, at := evidence.Key(r.project, r.project, command), ""
	for _, rec := range slices.Backward(slices.Concat(r.records, r.added)) {
		if evidence.Key(r.project, r.project, rec.Command) == key {
			out.State, out.Exit, out.Source, out.Commit, at = rec.Result, rec.Exit, Report, rec.Commit, rec.Time
			break
		}
	}
	if e, ok := r.seen.Of(r.project, command); ok && isLater(e.Time, at) {
		out.State, out.Exit, out.Source, out.Commit = "passed", e.Exit, Hook, e.Commit
		if e.Exit != 0 {
			out.State = "failed"
		}
	}
	out.Current = out.State != "missing" && r.isCurrent(ctx, out.Commit)
	return out
}

// isLater reports whether a time is after another one, or the other one is none.
func isLater(a, b string) bool {
	x, errX := time.Parse(time.RFC3339, a)
	y, errY := time.Parse(time.RFC3339, b)
	return errX == nil && (errY != nil || x.After(y))
}

// isCurrent reports whether the code of a commit is that of HEAD: nothing but the planning folder differs.
func (r *Results) isCurrent(ctx context.Context, commit string) bool {
	if commit == r.head {
		return true
	}
	if commit == "" || r.head == "" || r.repo == nil {
		return false
	}
	same, known := r.same[commit]
	if !known {
		list, err := (git.Git{}).Differences(ctx, r.repo, commit, r.head)
		same = err == nil && !slices.ContainsFunc(list, func(d git.Compared) bool { return !strings.HasPrefix(d.Path, ".planning/") })
		r.same[commit] = same
	}
	return same
}
