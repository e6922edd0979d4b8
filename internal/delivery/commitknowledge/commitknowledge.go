// Package commitknowledge declares the operation that commits the text files of a project's knowledge and nothing else. The commit is
// made by the wrapper of git (internal/git/foldercommit); delivery/op lists the operation.
package commitknowledge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/git"
	"ken/internal/git/foldercommit"
	"ken/internal/operation"
)

// Message is the message of every such commit; the mark keeps continuous integration from running for it.
const Message = "chore: update code intelligence state [skip ci]"

// dir is the folder that is committed, below the project's root, with the ignore file above it, so that git sees nothing else of ken in
// a clone.
const (
	top    = ".ken"
	dir    = top + "/knowledge"
	ignore = top + "/.gitignore"
)

type input struct {
	Dry bool `flag:"dry-run" help:"say what would be committed, and write nothing"`
}

type answer struct {
	Revision code.Rev  `json:"revision" doc:"state of the index, 0 if there is none; it does not matter to what is committed"`
	Commit   string    `json:"commit,omitempty" doc:"id of the commit; missing if none was made"`
	Branch   string    `json:"branch" doc:"branch it is on"`
	Message  string    `json:"message" doc:"its message"`
	Dry      bool      `json:"dry_run,omitempty" doc:"nothing was written"`
	Files    []file    `json:"files" paths:"yes" doc:"what is committed, by path"`
	Left     []leftOut `json:"skipped_files,omitempty" doc:"what stays as it is, by path"`
	Hooks    []string  `json:"skipped_hooks,omitempty" doc:"hooks that git would have run for a commit"`
	Notes    []string  `json:"notes,omitempty" doc:"what is to be known"`
}

type file struct {
	Path   operation.Path `json:"path" doc:"file"`
	Status string         `json:"status" doc:"added, changed or deleted"`
}

type leftOut struct {
	Path   operation.Path `json:"path" doc:"file"`
	Reason string         `json:"reason" doc:"why it is not committed"`
}

// Tool is the operation.
func Tool() *project.Tool {
	return operation.Spec[*project.Project, input, answer]{
		Name:  "commit-knowledge",
		Topic: operation.Remember, Rare: true,
		Summary: "commit .ken/knowledge and nothing else, whatever is staged",
		Long: "Commits the files below .ken/knowledge and .ken/.gitignore as they are in the working tree, on the branch that is checked out, with the message\n" +
			"\"" + Message + "\". What else is staged stays staged; a file of which another version is staged is left out.\n" +
			"A file with a credential in it is left out, too. No hook and no filter runs, and nothing is signed, because a repository must not make ken run a program; which hooks were not run is said.",
		Example: []string{"commit-knowledge --dry-run", "commit-knowledge"},
		Run:     run,
		Text:    text,
	}.Tool()
}

// maxTries bounds how often a plan is made again because the branch or a file changed meanwhile.
const maxTries = 5

func run(ctx context.Context, env *project.Env, in *input, emit func(*answer) error) error {
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	rev, err := indexRevision(ctx, p)
	if err != nil {
		return err
	}
	r, err := git.Find(p.Root)
	if err != nil {
		return err
	}
	release, err := p.Lock(ctx)
	if err != nil {
		return fmt.Errorf("wait for other processes that write knowledge: %w", err)
	}
	defer release()
	a := &answer{Revision: rev, Message: Message, Dry: in.Dry}
	plan, err := commitPlan(ctx, r, p, in, a)
	if err != nil {
		return err
	}
	if err := a.fill(p, r, plan); err != nil {
		return err
	}
	if len(plan.Changes) == 0 {
		err = nothingError(a, plan)
	}
	return operation.Finish(a, err, emit)
}

// indexRevision returns the revision of the index, 0 if there is none.
func indexRevision(ctx context.Context, p *project.Project) (rev code.Rev, err error) {
	if p.Missing != nil && p.Missing() {
		return 0, nil
	}
	err = p.Ask(ctx, engine.AsIndexed, func(_ context.Context, s *view.Snapshot) ([]string, error) {
		rev = s.Rev()
		return nil, nil
	})
	var none *operation.NoIndexError
	if errors.As(err, &none) {
		return 0, nil
	}
	return rev, err
}

// commitPlan plans the commit and makes it, again if something changed meanwhile.
func commitPlan(ctx context.Context, r *git.Repo, p *project.Project, in *input, a *answer) (plan *foldercommit.Plan, err error) {
	below, err := filepath.Rel(r.Root, p.Root)
	if err != nil {
		return nil, err
	}
	below = filepath.ToSlash(below)
	if st, err := os.Lstat(filepath.Join(p.Root, dir)); err != nil || !st.IsDir() {
		return nil, operation.Nothingf("nothing to commit: there is no %s", dir)
	}
	for range maxTries {
		plan, err = foldercommit.MakePlan(ctx, r, path.Join(below, top), path.Join(below, dir), path.Join(below, ignore))
		if err != nil {
			return plan, err
		}
		err = plan.LeaveOut(func(content []byte) string {
			if text := string(content); p.Engine.Hide(text) != text {
				return "it has a credential; take that out first"
			}
			return ""
		})
		switch {
		case err != nil || in.Dry || len(plan.Changes) == 0:
			return plan, err
		}
		if a.Commit, err = plan.Commit(ctx, Message); !errors.Is(err, foldercommit.ErrMoved) {
			break
		}
	}
	if err == nil {
		err = foldercommit.Show(r, path.Join(below, top))
	}
	return plan, err
}

// fill adds the files of a plan to the answer. It fails if the repository's paths cannot be shown.
func (a *answer) fill(p *project.Project, r *git.Repo, plan *foldercommit.Plan) error {
	prefix, err := filepath.Rel(r.Root, p.Root)
	if err != nil {
		return err
	}
	shown := func(name string) operation.Path {
		return p.Path(strings.TrimPrefix(name, filepath.ToSlash(prefix)+"/"))
	}
	a.Branch = strings.TrimPrefix(plan.Head.Ref, "refs/heads/")
	a.Hooks = plan.Hooks
	for i := range plan.Changes {
		c := &plan.Changes[i]
		status := "changed"
		switch {
		case c.Old.ID == "":
			status = "added"
		case c.New.ID == "":
			status = "deleted"
		}
		a.Files = append(a.Files, file{shown(c.Path), status})
	}
	for _, l := range plan.LeftOut {
		a.Left = append(a.Left, leftOut{shown(l.Path), l.Why})
	}
	if n := len(plan.Ignored); n > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("ignore rules keep %s of the folder out of git, such as %s", operation.Plural(n, "file"), operation.Quote(string(shown(plan.Ignored[0])))))
	}
	if plan.Signs && len(plan.Changes) > 0 {
		a.Notes = append(a.Notes, "the commit is not signed, though commit.gpgsign asks for it: ken starts no program for a repository")
	}
	return nil
}

// nothingError returns the error that explains why there is nothing to commit.
func nothingError(a *answer, plan *foldercommit.Plan) error {
	why := append([]string(nil), a.Notes...)
	for _, l := range a.Left {
		why = append(why, operation.Quote(string(l.Path))+" is left out: "+l.Reason)
	}
	message := "nothing to commit in " + dir
	if len(why) > 0 {
		message += "; " + strings.Join(why[:min(len(why), maxReasons)], "; ")
	}
	if more := len(why) - maxReasons; more > 0 {
		message += fmt.Sprintf("; and %d more", more)
	}
	return operation.Nothingf("%s", message)
}

// maxReasons is the number of reasons in an error.
const maxReasons = 5

func text(t *operation.Text, in *input, a *answer) error {
	if len(a.Files) == 0 {
		return nil
	}
	n := operation.Plural(len(a.Files), "file")
	if a.Dry {
		t.Line("would commit %s on %s: %s", n, t.Bold(a.Branch), a.Message)
	} else {
		t.Line("committed %s on %s as %s: %s", n, t.Bold(a.Branch), a.Commit[:min(len(a.Commit), shortID)], a.Message)
	}
	var rows [][]string
	for _, f := range a.Files {
		rows = append(rows, []string{f.Status, string(f.Path)})
	}
	t.Table("  ", 0, rows)
	for _, l := range a.Left {
		t.Line("left out: %s: %s", l.Path, l.Reason)
	}
	if len(a.Hooks) > 0 {
		t.Line("not run: %s of this repository", strings.Join(a.Hooks, ", "))
	}
	for _, note := range a.Notes {
		t.Line("%s", t.Dim(note))
	}
	return nil
}

// shortID is the length of a shown commit id.
const shortID = 12
