package commit

import (
	"context"
	"errors"
	"path"
	"strings"

	"ken/internal/git"
	"ken/internal/git/plumbing"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
)

// wantedBranch returns the branch on which config.json wants the named files to be committed, or "" if it wants none or the branch is
// unknown.
func wantedBranch(c *planop.Call, names []string) (string, error) {
	set, err := c.Settings()
	if err != nil {
		return "", err
	}
	strategy := set.Text("git.branching_strategy")
	if strategy != "phase" && strategy != "milestone" {
		return "", nil
	}
	inv, err := c.Inventory()
	if err != nil {
		return "", err
	}
	if strategy == "milestone" {
		if inv.View.Version == "" {
			return "", nil
		}
		slug := phaseid.Slug(inv.View.Name, 60)
		if slug == "" {
			slug = "milestone"
		}
		return fillTemplate(set.Text("git.milestone_branch_template"), "{milestone}", inv.View.Version, slug), nil
	}
	for _, name := range names {
		id, ok := phaseFromPath(name)
		if !ok {
			continue
		}
		p, archived := inv.Find(id)
		if p == nil || archived != "" {
			continue
		}
		slug := p.Slug()
		if slug == "" {
			slug = "phase"
		}
		return fillTemplate(set.Text("git.phase_branch_template"), "{phase}", p.Token(), slug), nil
	}
	return "", nil
}

func fillTemplate(template, name, value, slug string) string {
	return strings.NewReplacer(name, value, "{slug}", slug).Replace(template)
}

// phaseFromPath returns the phase that a file belongs to, from the name of its folder or, elsewhere, from the number at the beginning of
// its name.
func phaseFromPath(name string) (phaseid.ID, bool) {
	parts := strings.Split(path.Clean(strings.ReplaceAll(name, `\`, "/")), "/")
	for i, part := range parts[:len(parts)-1] {
		if part == "phases" {
			id, _, ok := phaseid.ParseFolder(parts[i+1])
			return id, ok
		}
	}
	id, _, ok := phaseid.ParseFolder(parts[len(parts)-1])
	return id, ok && len(parts) > 1 && parts[0] == ".planning" && id.Custom == ""
}

// beginBranch makes HEAD refer to a branch, and makes the branch at the present commit if it does not exist. It fails if the branch is at
// another commit: switching to it would change files, and a commit on another branch than the wanted one would be worse.
func beginBranch(ctx context.Context, r *git.Repo, head git.Head, branch string, dry bool) error {
	g, err := git.Git{}.WithoutPrograms(ctx, r)
	if err != nil {
		return err
	}
	if !plumbing.ValidBranch(ctx, g, r, branch) {
		return planop.Faultf("branch_invalid", "%.120q, from the template in config.json, is not a valid branch name", branch)
	}
	ref := "refs/heads/" + branch
	at, err := plumbing.RefCommit(ctx, g, r, ref)
	switch {
	case errors.Is(err, git.ErrNotFound):
		at = ""
	case err != nil:
		return err
	case at != head.Commit:
		return planop.Faultf("branch_elsewhere", "the branch %s is at another commit than HEAD; switch to it with: git switch %s", branch, branch)
	}
	trees, err := plumbing.LinkedTrees(ctx, g, r)
	if err != nil {
		return err
	}
	for _, t := range trees {
		if t.Ref == ref && !t.Gone {
			return planop.Faultf("branch_elsewhere", "the branch %s is checked out in another work tree, %s", branch, t.Path)
		}
	}
	if dry {
		return nil
	}
	if at == "" && head.Commit != "" {
		none := plumbing.ZeroID(head.Commit)
		if err := plumbing.UpdateRefs(ctx, g, r, "branch: created from HEAD", plumbing.RefUpdate{Name: ref, New: head.Commit, Old: none}); err != nil {
			return err
		}
	}
	return plumbing.SetHeadBranch(ctx, g, r, ref)
}
