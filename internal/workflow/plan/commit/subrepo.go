package commit

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/git"
	"ken/internal/git/foldercommit"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
)

// Allowed reports that a commit may be made.
type Allowed struct {
	Allowed bool   `json:"allowed"`
	Reason  string `json:"reason"`
}

// checkStaged reports whether the staged changes may be committed. Changes of the planning folder may not if the setting commit_docs is
// off.
func checkStaged(ctx context.Context, c *planop.Call, _ *planop.NoInput) (Allowed, error) {
	set, err := c.Settings()
	if err != nil {
		return Allowed{}, err
	}
	if set.IsOn("commit_docs") {
		return Allowed{true, "commit_docs_enabled"}, nil
	}
	project, r, err := projectRepository(c)
	if err != nil {
		return Allowed{true, "no_planning_files_staged"}, nil
	}
	at, err := filepath.Rel(r.Root, filepath.Join(project, folder.Name))
	if err != nil {
		return Allowed{}, err
	}
	staged, err := foldercommit.StagedPaths(ctx, r, filepath.ToSlash(at))
	if err != nil {
		return Allowed{}, err
	}
	if len(staged) == 0 {
		return Allowed{true, "no_planning_files_staged"}, nil
	}
	shown := staged[:min(len(staged), 8)]
	return Allowed{}, planop.Faultf("planning_files_staged", "commit_docs is off and %d files of %s are staged: %s; unstage them with: git restore --staged %s",
		len(staged), folder.Name, strings.Join(shown, ", "), filepath.ToSlash(at))
}

// SubAnswer is the result of the commits in repositories below the project.
type SubAnswer struct {
	Committed bool                 `json:"committed"`
	Repos     map[string]SubCommit `json:"repos"`
	Unmatched []string             `json:"unmatched,omitempty"`
}

// SubCommit is the commit in a repository below the project.
type SubCommit struct {
	Committed bool      `json:"committed"`
	Hash      *string   `json:"hash"`
	Files     []string  `json:"files"`
	Reason    string    `json:"reason,omitempty"`
	Error     string    `json:"error,omitempty"`
	LeftOut   []LeftOut `json:"left_out,omitempty"`
	Hooks     []string  `json:"hooks_not_run,omitempty"`
}

func plainSubAnswer(a SubAnswer) string {
	var list []string
	for name, s := range a.Repos {
		hash := "skip"
		if s.Hash != nil {
			hash = *s.Hash
		}
		list = append(list, name+":"+hash)
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

func runSubCommit(ctx context.Context, c *planop.Call, in *commitToSubrepoInput) (SubAnswer, error) {
	message, err := cleanMessage(c, in.Message, false)
	if err != nil {
		return SubAnswer{}, err
	}
	set, err := c.Settings()
	if err != nil {
		return SubAnswer{}, err
	}
	value, _ := set.Get("planning.sub_repos")
	listed, _ := value.([]any)
	var repos []string
	for _, v := range listed {
		if s, ok := v.(string); ok && s != "" {
			repos = append(repos, strings.TrimSuffix(s, "/"))
		}
	}
	switch {
	case len(repos) == 0:
		return SubAnswer{}, planop.Usagef("config.json names no sub_repos")
	case len(in.Files) == 0:
		return SubAnswer{}, planop.Usagef("--files is missing")
	}
	project, err := c.Project()
	if err != nil {
		return SubAnswer{}, err
	}
	a := SubAnswer{Repos: map[string]SubCommit{}}
	files := map[string][]string{}
	for _, f := range in.Files {
		f = strings.TrimPrefix(filepath.ToSlash(f), "./")
		if i := slices.IndexFunc(repos, func(r string) bool { return strings.HasPrefix(f, r+"/") }); i >= 0 {
			files[repos[i]] = append(files[repos[i]], f)
		} else {
			a.Unmatched = append(a.Unmatched, f)
		}
	}
	for name, list := range files {
		s := commitSubRepository(ctx, project, name, list, message, c.DryRun)
		a.Repos[name] = s
		a.Committed = a.Committed || s.Committed
	}
	return a, nil
}

// commitSubRepository commits files in the named repository below the project. A failure is part of the result, so that other
// repositories are still committed.
func commitSubRepository(ctx context.Context, project, name string, files []string, message string, dry bool) SubCommit {
	s := SubCommit{Files: files, Reason: reasonNothing}
	failed := func(err error) SubCommit {
		s.Reason, s.Error = "error", err.Error()
		return s
	}
	r, err := subRepository(project, name)
	if err != nil {
		return failed(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimPrefix(f, name+"/"))
	}
	paths, _, err := pathsBelow(r, r.Root, names)
	if err != nil {
		return failed(err)
	}
	if len(paths) == 0 {
		return s
	}
	plan, err := foldercommit.MakeNamedPlan(ctx, r, paths)
	if err != nil {
		return failed(err)
	}
	var a Answer
	a.fill(plan)
	s.LeftOut, s.Hooks = a.LeftOut, a.Hooks
	if len(plan.Changes) == 0 || dry {
		return s
	}
	hash, err := commitNamed(ctx, r, paths, message, false)
	if err != nil {
		return failed(err)
	}
	s.Committed, s.Hash, s.Reason = true, &hash, ""
	return s
}

// subRepository returns the repository whose working tree is the named folder of the project. It fails if there is none, or if a link
// leads to it.
func subRepository(project, name string) (*git.Repo, error) {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, fmt.Errorf("%.80q is not a folder of the project", name)
	}
	real, err := filepath.EvalSymlinks(project)
	if err != nil {
		return nil, err
	}
	at := real
	for part := range strings.SplitSeq(name, "/") {
		at = filepath.Join(at, part)
		if st, err := os.Lstat(at); err != nil || !st.IsDir() {
			return nil, fmt.Errorf("%.80q is not a folder of the project", name)
		}
	}
	r, err := git.Find(at)
	if err == nil && r.Root != at {
		err = fmt.Errorf("%.80q is not a repository of its own", name)
	}
	return r, err
}
