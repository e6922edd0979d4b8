package tasks

import (
	"context"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/git"
	"ken/internal/operation"
	"ken/internal/worktree"
)

// openTrees opens the work trees of a project.
func openTrees(p *project.Project) (*worktree.Trees, error) {
	m, err := p.Memory(true)
	if err != nil {
		return nil, err
	}
	return worktree.New(p.Root, git.Git{}, m.Worktrees, time.Now)
}

type cleanInput struct {
	IDs     []string `arg:"[ID…]" key:"ids" help:"tasks whose work trees are removed; default: all that hold nothing that would be lost"`
	Prompts bool     `flag:"prompts" help:"also forget the prompts that were kept to look for quotes in"`
	Force   bool     `flag:"force" help:"also those with changes that are not committed, or commits that are not merged, and of those named ones that a task works in"`
}

type cleanAnswer struct {
	Revision code.Rev   `json:"revision" doc:"state of the index the answer was computed from"`
	Trees    []cleanRow `json:"trees" doc:"work trees, oldest first"`
	Prompts  bool       `json:"prompts_forgotten,omitempty" doc:"the prompts that were kept are forgotten"`
}

type cleanRow struct {
	ID      string   `json:"id" doc:"task that it was made for"`
	Branch  string   `json:"branch" doc:"its branch"`
	Removed bool     `json:"removed" doc:"it was removed with its branch"`
	Why     string   `json:"why,omitempty" doc:"why it was left"`
	Paths   []string `json:"paths,omitempty" doc:"what would have been lost"`
}

// cleanTool returns the operation that removes the work trees of tasks, with the given name and command group; group may be empty.
func cleanTool(name, group string, offered operation.Offer) *project.Tool {
	return operation.Spec[*project.Project, cleanInput, cleanAnswer]{
		Name: name, Group: group, Topic: operation.ChangeSafely, MCP: offered, Effect: operation.Changes, Summary: "remove work trees of tasks that are over, and their branches",
		Long:    "What is not committed or not merged is left and named, unless --force is given. So is the work tree of a task that goes on, unless --force is given with its id.",
		Example: []string{strings.TrimSpace(group + " " + name), strings.TrimSpace(group+" "+name) + " 1f2e3d4c5b6a --force"},
		Run:     runClean,
		Text: func(t *operation.Text, _ *cleanInput, a *cleanAnswer) error {
			for _, r := range a.Trees {
				state := "removed"
				if !r.Removed {
					state = "left: " + r.Why
				}
				t.Line("%s  %s  %s", t.Bold(r.ID), r.Branch, state)
			}
			if a.Prompts {
				t.Line("prompts are forgotten")
			}
			return nil
		},
	}.Tool()
}

// forgetPrompts forgets the prompts of all sessions.
func forgetPrompts(ctx context.Context, p *project.Project) error {
	m, err := p.Memory(false)
	if err != nil || m == nil {
		return err
	}
	return m.Tasks.ForgetPrompts(ctx, "")
}

func runClean(ctx context.Context, e *project.Env, in *cleanInput, emit func(*cleanAnswer) error) error {
	p, err := project.Open(e, operation.Existing)
	if err != nil {
		return err
	}
	a := &cleanAnswer{}
	err = p.Ask(ctx, engine.AsIndexed, func(_ context.Context, s *view.Snapshot) ([]string, error) {
		a.Revision = s.Rev()
		return nil, nil
	})
	if err != nil {
		return err
	}
	trees, err := openTrees(p)
	if err != nil {
		return err
	}
	inUse, err := treesInUse(ctx, p, trees)
	if err != nil {
		return err
	}
	done, err := trees.Clean(ctx, worktree.CleanOptions{IDs: in.IDs, Force: in.Force, InUse: inUse})
	for i := range done {
		d := &done[i]
		a.Trees = append(a.Trees, cleanRow{ID: d.ID, Branch: strings.TrimPrefix(d.Branch, "refs/heads/"), Removed: d.Removed, Why: d.Text, Paths: d.Paths})
	}
	if err == nil && in.Prompts {
		err = forgetPrompts(ctx, p)
		a.Prompts = err == nil
	}
	if err == nil && len(done) == 0 && !in.Prompts {
		err = operation.Nothingf("there is no work tree to remove")
	}
	return operation.Finish(a, err, emit)
}

// treesInUse returns the work trees whose tasks go on, each with a text that names the task. The copy of an open task decides where the
// memory does not have it.
func treesInUse(ctx context.Context, p *project.Project, trees *worktree.Trees) (map[string]string, error) {
	m, err := p.Memory(true)
	if err != nil {
		return nil, err
	}
	records, err := trees.Records(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for i := range records {
		id := records[i].ID
		k, _, ok, err := m.Tasks.Task(ctx, id)
		if err != nil {
			return nil, err
		}
		goesOn, about := ok && k.Ended.IsZero(), ""
		if !ok && p.Bound != nil {
			_, goesOn = p.Bound.OpenTask(id)
		}
		if t, err := parseTask(&k); goesOn && err == nil {
			about = " (" + string(t.Intent) + " " + operation.Quote(clipLine(t.Query, 60)) + ")"
		}
		if goesOn {
			out[id] = "its task goes on" + about + "; record_outcome or merge_to_main ends it, or name it with force"
		}
	}
	return out, nil
}
