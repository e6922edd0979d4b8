package commit

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ken/internal/git"
	"ken/internal/git/plumbing"
	"ken/internal/operation"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
)

type reviewInput struct {
	Base   string `arg:"[BASE]" help:"the branch that the request is for; git.base_branch of the settings, else the default of the remote, if not given"`
	Branch string `flag:"branch" help:"the name of the new branch; that of the present one with -pr if not given"`
}

// ReviewBranch is a branch that has the commits of the present one without the planning folder, and what git found when it compared the
// two.
type ReviewBranch struct {
	Branch    string         `json:"branch"`     // "" if there is nothing to review
	Base      string         `json:"base"`       // the branch
	MergeBase string         `json:"merge_base"` // the commit from which both branch off
	From      string         `json:"from"`       // the commit that was copied last
	Head      string         `json:"head"`       // its copy
	Kept      []ReviewCommit `json:"kept"`
	LeftOut   []ReviewCommit `json:"left_out"`
	Proof     ReviewProof    `json:"proof"`
	Warnings  []string       `json:"warnings,omitempty"`
}

// ReviewCommit is a commit and, if it was kept, its copy.
type ReviewCommit struct {
	Commit  string `json:"commit"`
	Copy    string `json:"copy,omitempty"`
	Subject string `json:"subject"`
}

// ReviewProof has what git compared in the end; all of it is 0 in a branch that was made.
type ReviewProof struct {
	FilesLost       int `json:"files_that_differ_outside"`
	PlanningFiles   int `json:"planning_files_that_differ_from_base"`
	PlanningCommits int `json:"commits_that_change_planning"`
}

func reviewOperation() *planop.Operation {
	return planop.Spec[reviewInput, *ReviewBranch]{
		Name: "pr-branch", Summary: "make a branch for reviewers that has the commits without the planning folder, and prove it", Writes: true,
		Lasting: "a branch stays: git branch -D takes it back", Run: makeReviewBranch,
		Plain: func(a *ReviewBranch) string { return a.Branch }, Page: (*ReviewBranch).page,
	}.Operation()
}

func makeReviewBranch(ctx context.Context, c *planop.Call, in *reviewInput) (*ReviewBranch, error) {
	project, r, err := projectRepository(c)
	if err != nil {
		return nil, err
	}
	set, err := c.Settings()
	if err != nil {
		return nil, err
	}
	head, err := git.Git{}.Head(ctx, r)
	if err != nil {
		return nil, err
	}
	g, err := git.Git{}.WithoutPrograms(ctx, r)
	if err != nil {
		return nil, err
	}
	a := &ReviewBranch{Branch: in.Branch, Base: in.Base, From: head.Commit, Kept: []ReviewCommit{}, LeftOut: []ReviewCommit{}}
	if own := strings.TrimPrefix(head.Ref, "refs/heads/"); a.Branch == "" && own != "" {
		a.Branch = own + "-pr"
	}
	if head.Commit == "" || !plumbing.ValidBranch(ctx, g, r, a.Branch) {
		return nil, planop.Faultf("branch_invalid", "HEAD is at no branch with a commit, or %.120q is no name of one: --branch names the new one", a.Branch)
	}
	base, err := a.findBase(ctx, g, r, set.Text("git.base_branch"))
	if err != nil {
		return nil, err
	}
	below, _, err := pathsBelow(r, project, []string{folder.Name})
	if err != nil || len(below) != 1 {
		return nil, errors.Join(err, planop.Faultf("no_planning", "there is no planning folder in the repository"))
	}
	w, err := plumbing.CopyWithout(ctx, g, r, base, head.Commit, below[0])
	if errors.Is(err, git.ErrNotFound) {
		return nil, planop.Faultf("base_unrelated", "%s and HEAD have no commit in common", a.Base)
	}
	if err != nil {
		return nil, err
	}
	d, err := plumbing.CompareWithout(ctx, g, r, w, base, head.Commit, below[0])
	if err != nil {
		return nil, err
	}
	if err := a.take(w, d); err != nil {
		return nil, err
	}
	list, err := plumbing.Status(ctx, g, r, git.ReadConfig(r).ExcludesFile(r), false)
	if err != nil {
		return nil, err
	}
	unsaved := 0
	for _, f := range list {
		if !strings.HasPrefix(f.Path, below[0]+"/") {
			unsaved++
		}
	}
	if unsaved > 0 {
		a.Warnings = append(a.Warnings, operation.Plural(unsaved, "path")+" outside of the planning folder is not committed, so not in it")
	}
	return a, a.setBranch(ctx, g, r, c.DryRun)
}

// findBase returns the commit of the base: that of the remote's branch, because reviewers compare with it, else that of the local one.
func (a *ReviewBranch) findBase(ctx context.Context, g git.Git, r *git.Repo, configured string) (string, error) {
	remotes, err := plumbing.Remotes(ctx, g, r)
	if err != nil {
		return "", err
	}
	if a.Base == "" {
		if a.Base, err = plumbing.BaseBranch(ctx, g, r, configured, remotes); err != nil {
			return "", err
		}
	}
	refs := []string{"refs/remotes/origin/" + a.Base}
	if len(remotes) == 1 {
		refs[0] = "refs/remotes/" + remotes[0] + "/" + a.Base
	}
	for _, ref := range append(refs, "refs/heads/"+a.Base, "refs/remotes/"+a.Base) {
		at, err := plumbing.RefCommit(ctx, g, r, ref)
		if !errors.Is(err, git.ErrNotFound) {
			return at, err
		}
	}
	return "", planop.Faultf("base_unknown", "there is no branch %.120q to compare with: name the base", a.Base)
}

// take takes the commits over. It fails if the copy is not what it has to be.
func (a *ReviewBranch) take(w *plumbing.Without, d *plumbing.Difference) error {
	a.MergeBase, a.Head = w.Base, w.Head
	for _, k := range w.Kept {
		a.Kept = append(a.Kept, ReviewCommit{k.ID, k.Copy, k.Subject})
	}
	for _, k := range w.Dropped {
		a.LeftOut = append(a.LeftOut, ReviewCommit{k.ID, "", k.Subject})
	}
	if len(a.Kept) == 0 {
		a.Branch = ""
	}
	a.Proof = ReviewProof{len(d.Outside), len(d.Inside), len(d.Commits)}
	if a.Proof != (ReviewProof{}) {
		return planop.Faultf("not_proved", "no branch is made, because the copy is not right: %d files differ outside of the planning folder, %d in it, and %d commits change it",
			len(d.Outside), len(d.Inside), len(d.Commits))
	}
	return nil
}

// setBranch makes the branch, if there is something to review. One that is there already is left alone, and fails if it is at another
// commit.
func (a *ReviewBranch) setBranch(ctx context.Context, g git.Git, r *git.Repo, dry bool) error {
	if a.Branch == "" {
		return nil
	}
	ref := "refs/heads/" + a.Branch
	at, err := plumbing.RefCommit(ctx, g, r, ref)
	switch {
	case err == nil && at == a.Head:
		return nil
	case err == nil:
		return planop.Faultf("branch_exists", "there is a branch %s at another commit: remove it with git branch -D, or name another with --branch", a.Branch)
	case !errors.Is(err, git.ErrNotFound):
		return err
	case dry:
		return nil
	}
	return plumbing.UpdateRefs(ctx, g, r, "branch: copied without the planning folder",
		plumbing.RefUpdate{Name: ref, New: a.Head, Old: plumbing.ZeroID(a.Head)})
}

func (a *ReviewBranch) page() string {
	var b strings.Builder
	if a.Branch == "" {
		fmt.Fprintf(&b, "no branch: HEAD has no commit that %s has not and that changes more than the planning folder\n", a.Base)
		return b.String()
	}
	fmt.Fprintf(&b, "%s has %s for %s; left out: %s\n", a.Branch, operation.Plural(len(a.Kept), "commit"), a.Base, operation.Plural(len(a.LeftOut), "commit"))
	for _, k := range a.Kept {
		fmt.Fprintf(&b, "  %.10s %.10s %s\n", k.Commit, k.Copy, k.Subject)
	}
	for _, k := range a.LeftOut {
		fmt.Fprintf(&b, "  %.10s left out   %s\n", k.Commit, k.Subject)
	}
	b.WriteString("compared by git: no file differs outside of the planning folder, and no file or commit changes it\n")
	for _, w := range a.Warnings {
		fmt.Fprintf(&b, "%s\n", w)
	}
	return b.String()
}
