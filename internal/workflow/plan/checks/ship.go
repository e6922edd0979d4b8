package checks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"ken/internal/git"
	"ken/internal/git/plumbing"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/gate"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phases"
)

// shipAnswer reports whether a phase can be shipped. Facts that only a hosting service such as GitHub knows are left out, because ken
// does not use the network.
type shipAnswer struct {
	Ready    bool     `json:"ready"`
	Verified bool     `json:"verification_passed"`
	Clean    bool     `json:"clean_tree"`
	Feature  bool     `json:"on_feature_branch"`
	Branch   *string  `json:"current_branch"` // null if HEAD is detached, or without a repository
	Base     *string  `json:"base_branch"`    // null if unknown
	Remote   bool     `json:"remote_configured"`
	GH       bool     `json:"gh_available"`
	Signed   bool     `json:"gh_authenticated"`
	GHReason string   `json:"gh_reason"`
	Blockers []string `json:"blockers"`
}

func checkShipReady(ctx context.Context, from *source, in *phaseInput) (shipAnswer, error) {
	p, err := from.findPhase(in.Phase)
	if err != nil {
		return shipAnswer{}, err
	}
	set, err := from.call.Settings()
	if err != nil {
		return shipAnswer{}, err
	}
	a := shipAnswer{GHReason: "ken starts no gh and asks no network; ask gh itself: gh auth status"}
	if a.Blockers, a.Verified, err = from.unfinished(ctx, p); err != nil {
		return shipAnswer{}, err
	}
	l := &gateSearch{source: from, workflow: "ship", set: set}
	l.checkThreats(p)
	for _, b := range l.found.Blockers {
		a.addBlocker("%s: %s", b.File, strings.Join(b.Items, "; "))
	}
	r, err := readRepository(ctx, from.folder.Project, set.IsOn("commit_docs"), set.Text("git.base_branch"))
	if err != nil {
		return shipAnswer{}, err
	}
	a.repository(r)
	a.Ready = len(a.Blockers) == 0
	return a, nil
}

func (a *shipAnswer) addBlocker(format string, args ...any) {
	a.Blockers = append(a.Blockers, fmt.Sprintf(format, args...))
}

// unfinished returns the parts of a phase that are not finished, and reports whether the phase is verified.
func (s *source) unfinished(ctx context.Context, p *inventory.Phase) (list []string, verified bool, err error) {
	results, err := gate.ReadResults(ctx, s.call)
	if err != nil {
		return nil, false, err
	}
	list = []string{}
	open, _ := phases.OpenWork(ctx, s.inv, p, s.read, results)
	for _, o := range open {
		list = append(list, fmt.Sprintf("phase %s: %s", p.ID, o))
	}
	file, text, err := s.phaseFile(p, "VERIFICATION")
	if errors.Is(err, fs.ErrNotExist) {
		return append(list, fmt.Sprintf("phase %s was not verified: verify-work %s", p.ID, p.ID)), false, nil
	}
	if err != nil {
		return nil, false, err
	}
	v := artefact.ParseVerification(text)
	verified = v.Status == "passed" && v.Doc.ConflictLine() == 0
	if !verified {
		list = append(list, fmt.Sprintf("%s: the status is %q, and has to be passed", file, v.Status))
	}
	return list, verified, nil
}

// repositoryState is the state of the git repository from which a phase is shipped.
type repositoryState struct {
	found   bool
	born    bool // there is a commit
	branch  string
	base    string
	remotes []string
	changed []string // paths that differ from HEAD
	problem error    // the reason why git could not list the changes
}

// readRepository reads the state of a project's repository. The names of branches are never passed to a shell, which could run parts of
// them.
func readRepository(ctx context.Context, project string, docs bool, base string) (repositoryState, error) {
	r, err := git.Find(project)
	if errors.Is(err, git.ErrNoRepository) {
		return repositoryState{}, nil
	}
	if err != nil {
		return repositoryState{}, err
	}
	head, err := git.Git{}.Head(ctx, r)
	if err != nil {
		return repositoryState{}, err
	}
	out := repositoryState{found: true, born: head.Commit != ""}
	if branch, ok := strings.CutPrefix(head.Ref, "refs/heads/"); ok {
		out.branch = branch
	}
	g, err := git.Git{}.WithoutPrograms(ctx, r)
	if err != nil {
		return out, err
	}
	if out.remotes, err = plumbing.Remotes(ctx, g, r); err != nil {
		return out, err
	}
	if out.base, err = plumbing.BaseBranch(ctx, g, r, base, out.remotes); err != nil {
		return out, err
	}
	list, err := plumbing.Status(ctx, g, r, git.ReadConfig(r).ExcludesFile(r), false)
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	out.problem = err
	own := planningPrefix(r, project)
	for _, c := range list {
		if docs || !strings.HasPrefix(c.Path, own) { // notes that are never committed always differ from HEAD
			out.changed = append(out.changed, c.Path)
		}
	}
	return out, nil
}

// planningPrefix returns the path of the planning folder from the root of the repository.
func planningPrefix(r *git.Repo, project string) string {
	if real, err := filepath.EvalSymlinks(project); err == nil {
		project = real
	}
	rel, err := filepath.Rel(r.Root, filepath.Join(project, folder.Name))
	if err != nil {
		return folder.Name + "/"
	}
	return filepath.ToSlash(rel) + "/"
}

func (a *shipAnswer) repository(r repositoryState) {
	if !r.found {
		a.addBlocker("there is no git repository")
		return
	}
	if r.branch != "" {
		a.Branch = &r.branch
	}
	if r.base != "" {
		a.Base = &r.base
	}
	a.Remote = len(r.remotes) > 0
	a.Clean = r.problem == nil && len(r.changed) == 0
	a.Feature = r.branch != "" && r.branch != r.base && r.branch != "main" && r.branch != "master"
	switch {
	case r.problem != nil:
		a.addBlocker("git cannot say what changed: %s", r.problem)
	case !a.Clean:
		const most = 3
		more := ""
		if n := len(r.changed) - most; n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		a.addBlocker("not committed: %s%s", strings.Join(r.changed[:min(len(r.changed), most)], ", "), more)
	}
	switch {
	case r.branch == "":
		a.addBlocker("HEAD is on no branch; begin one with: git switch -c NAME")
	case !a.Feature:
		a.addBlocker("%s is the branch that others begin from; begin one with: git switch -c NAME", r.branch)
	}
	if !r.born {
		a.addBlocker("there is no commit")
	}
	if !a.Remote {
		a.addBlocker("there is no remote repository; add one with: git remote add origin URL")
	}
}
