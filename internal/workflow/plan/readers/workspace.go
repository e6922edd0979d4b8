package readers

import (
	"context"
	"errors"
	"path/filepath"

	"ken/internal/git"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/workspace"
)

type nameInput struct {
	Name string `arg:"NAME" help:"the workspace"`
}

// workspaceOperations returns the operations with which workflows on workspaces begin. They need no planning folder, because a workspace
// is made outside of one.
func workspaceOperations() []*planop.Operation {
	return []*planop.Operation{
		planop.Spec[planop.NoInput, workspacesPayload]{
			Name: "init list-workspaces", Summary: "the workspaces of the user", Anywhere: true, Run: initListWorkspaces,
		}.Operation(),
		planop.Spec[nameInput, removalPayload]{
			Name: "init remove-workspace", Summary: "what removing a workspace begins with: whether something would be lost",
			Anywhere: true,
			Run:      initRemoveWorkspace,
		}.Operation(),
	}
}

// workspacesFolder returns the folder that contains the user's workspaces.
func workspacesFolder(c *planop.Call) (string, error) {
	if c.Home == "" {
		return "", planop.Faultf("no_home", "workspaces are in the user's home, which is unknown: set HOME")
	}
	return workspace.Base(c.Home), nil
}

func initNewWorkspace(ctx context.Context, a *source, _ *planop.NoInput) (payload, error) {
	base, err := workspacesFolder(a.call)
	if err != nil {
		return nil, err
	}
	children, err := workspace.Children(ctx, a.root())
	_, isRepo := git.LocateGitDir(a.root())
	return a.newPayload("default_workspace_base child_repos child_repo_count worktree_available is_git_repo cwd_repo_name"+commonFields, values{
		"default_workspace_base": base, "child_repos": children, "child_repo_count": len(children), "worktree_available": git.Git{}.Available(),
		"is_git_repo": isRepo, "cwd_repo_name": filepath.Base(a.root()),
	}), err
}

type workspacesPayload struct {
	Base     string      `json:"workspace_base"`
	List     []spaceLine `json:"workspaces"`
	Count    int         `json:"workspace_count"`
	Problems []string    `json:"problems,omitempty"`
}

type spaceLine struct {
	Name     string   `json:"name"`
	Path     string   `json:"path"`
	Repos    int      `json:"repo_count"`
	Strategy string   `json:"strategy"`
	Project  bool     `json:"has_project"`
	Problems []string `json:"problems,omitempty"`
}

func initListWorkspaces(_ context.Context, c *planop.Call, _ *planop.NoInput) (workspacesPayload, error) {
	a := workspacesPayload{List: []spaceLine{}}
	var err error
	if a.Base, err = workspacesFolder(c); err != nil {
		return workspacesPayload{}, err
	}
	list, problems, err := workspace.List(a.Base)
	for _, w := range list {
		a.List = append(a.List, spaceLine{w.Name, w.Path, len(w.Repos), w.Strategy, w.HasProject(), w.Problems})
	}
	a.Count, a.Problems = len(a.List), problems
	return a, err
}

type removalPayload struct {
	Name     string           `json:"workspace_name"`
	Path     string           `json:"workspace_path"`
	Manifest bool             `json:"has_manifest"`
	Strategy string           `json:"strategy"`
	Repos    []workspace.Repo `json:"repos"`
	Count    int              `json:"repo_count"`
	Unlisted []string         `json:"unlisted_repos"` // repositories in the folder that are not in the manifest
	Dirty    []string         `json:"dirty_repos"`
	HasDirty bool             `json:"has_dirty_repos"`
	Reasons  []workspace.Loss `json:"dirty_reasons"`
	Problems []string         `json:"problems,omitempty"`
}

func initRemoveWorkspace(ctx context.Context, c *planop.Call, in *nameInput) (removalPayload, error) {
	at, err := workspacesFolder(c)
	if err != nil {
		return removalPayload{}, err
	}
	w, err := workspace.Open(at, in.Name)
	if err != nil {
		f := &planop.Fault{Reason: "workspace_invalid", Message: err.Error(), Ends: true}
		if errors.Is(err, workspace.ErrNone) {
			f.Reason = "workspace_not_found"
			list, _, _ := workspace.List(at) // an error leaves the names that could be read
			for _, one := range list[:min(len(list), 8)] {
				f.Near = append(f.Near, one.Name)
			}
		}
		return removalPayload{}, f
	}
	a := removalPayload{
		Name: w.Name, Path: w.Path, Manifest: w.Manifest, Strategy: w.Strategy, Repos: w.Repos, Count: len(w.Repos), Dirty: []string{},
	}
	unlisted, err := w.UnlistedRepos()
	if err != nil {
		return removalPayload{}, err
	}
	if a.Reasons, err = w.Losses(ctx, unlisted); err != nil {
		return removalPayload{}, err
	}
	a.Unlisted = append([]string{}, unlisted...)
	for _, l := range a.Reasons {
		a.Dirty = append(a.Dirty, l.Repo)
	}
	a.HasDirty, a.Problems = len(a.Dirty) > 0, w.Problems
	return a, nil
}
