// Package commit declares the operations that commit files of a project: named files, or the planning folder, and never other staged
// changes. If config.json asks for a branch, the commit begins one. No hook runs and nothing is signed, because both would start
// programs. The answer lists the hooks that git would have run. Package internal/git/foldercommit computes the content of a commit.
package commit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"ken/internal/git"
	"ken/internal/git/foldercommit"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
)

// The reasons why a commit was made or not, as words for programs.
const (
	reasonCommitted = "committed"
	reasonTurnedOff = "skipped_commit_docs_false"
	reasonIgnored   = "skipped_gitignored"
	reasonNothing   = "nothing_to_commit"
)

// Answer is the result of a commit. The fields after Reason are present only if not empty.
type Answer struct {
	Committed bool      `json:"committed"`
	Hash      *string   `json:"hash"`
	Reason    string    `json:"reason"`
	Branch    string    `json:"branch,omitempty"` // that was begun or switched to
	Files     []string  `json:"files,omitempty"`  // in the commit, or with --dry-run to be in it
	Missing   []string  `json:"missing,omitempty"`
	LeftOut   []LeftOut `json:"left_out,omitempty"`
	Hooks     []string  `json:"hooks_not_run,omitempty"`
	Unsigned  bool      `json:"not_signed,omitempty"` // though a setting asks for it
}

// LeftOut is a file that a commit could not include.
type LeftOut struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

const lasting = "a commit stays: ken plan undo does not take it back"

type commitInput struct {
	Message  string   `arg:"[MESSAGE…]" help:"the message"`
	Files    []string `flag:"files" help:"these files and folders alone, from the root of the project"`
	Amend    bool     `flag:"amend" help:"make the last commit anew, with its message and author"`
	NoVerify bool     `flag:"no-verify" help:"hooks are not run, which they never are"`
}

type commitToSubrepoInput struct {
	Message string   `arg:"MESSAGE…" help:"the message"`
	Files   []string `flag:"files" help:"these files and folders alone, from the root of the project"`
}

// All returns the operations of this package.
func All() []*planop.Operation {
	return []*planop.Operation{
		planop.Spec[commitInput, Answer]{
			Name: "commit", Summary: "commit the named files, or the planning folder, and nothing else", Writes: true, Lasting: lasting,
			Run: runCommit, Plain: plainAnswer, Page: answerPage,
		}.Operation(),
		planop.Spec[planop.NoInput, Allowed]{
			Name: "check-commit", Summary: "fail if the planning folder is staged and should not be", Run: checkStaged,
			Plain: func(Allowed) string { return "allowed" },
		}.Operation(),
		planop.Spec[commitToSubrepoInput, SubAnswer]{
			Name: "commit-to-subrepo", Summary: "commit files in the repositories below the project that hold them", Writes: true,
			Lasting: lasting,

			Run: runSubCommit, Plain: plainSubAnswer,
		}.Operation(),
		reviewOperation(),
	}
}

func plainAnswer(a Answer) string {
	switch {
	case a.Hash != nil:
		return *a.Hash
	case a.Reason == reasonNothing:
		return "nothing"
	}
	return "skipped"
}

func answerPage(a Answer) string {
	var b strings.Builder
	switch {
	case a.Committed:
		fmt.Fprintf(&b, "committed %s\n", *a.Hash)
	case a.Reason == reasonTurnedOff:
		b.WriteString("not committed: commit_docs is off\n")
	case a.Reason == reasonIgnored:
		fmt.Fprintf(&b, "not committed: git ignores %s\n", folder.Name)
	case len(a.Files) == 0:
		b.WriteString("not committed: nothing has changed\n")
	}
	if a.Branch != "" {
		fmt.Fprintf(&b, "on branch %s\n", a.Branch)
	}
	for _, f := range a.Files {
		fmt.Fprintf(&b, "  %s\n", f)
	}
	for _, f := range a.Missing {
		fmt.Fprintf(&b, "not there: %s\n", f)
	}
	for _, l := range a.LeftOut {
		fmt.Fprintf(&b, "left out: %s: %s\n", l.Path, l.Why)
	}
	if len(a.Hooks) > 0 {
		fmt.Fprintf(&b, "not run, though git would have: %s\n", strings.Join(a.Hooks, ", "))
	}
	if a.Unsigned {
		b.WriteString("not signed, though commit.gpgsign asks for it\n")
	}
	return b.String()
}

func runCommit(ctx context.Context, c *planop.Call, in *commitInput) (Answer, error) {
	amend := in.Amend
	message, err := cleanMessage(c, in.Message, amend)
	if err != nil {
		return Answer{}, err
	}
	project, r, err := projectRepository(c)
	if err != nil {
		return Answer{}, err
	}
	if reason, err := skipReason(ctx, c, r, project); reason != "" || err != nil {
		return Answer{Reason: reason}, err
	}
	names, given := in.Files, in.Files != nil
	if !given {
		names = []string{folder.Name}
	}
	a := Answer{Reason: reasonNothing}
	paths, missing, err := pathsBelow(r, project, names)
	if a.Missing = missing; err != nil || len(paths) == 0 {
		return a, err
	}
	plan, err := foldercommit.MakeNamedPlan(ctx, r, paths)
	if err != nil {
		return Answer{}, withReason(err)
	}
	a.fill(plan)
	if len(plan.Changes) == 0 {
		return a, nil
	}
	branch, err := wantedBranch(c, names)
	if err != nil {
		return Answer{}, err
	}
	if branch != "" && plan.Head.Ref != "refs/heads/"+branch {
		if err := beginBranch(ctx, r, plan.Head, branch, c.DryRun); err != nil {
			return Answer{}, err
		}
		a.Branch = branch
	}
	if c.DryRun {
		return a, nil
	}
	hash, err := commitNamed(ctx, r, paths, message, amend)
	if err != nil {
		return Answer{}, withReason(err)
	}
	a.Committed, a.Hash, a.Reason = true, &hash, reasonCommitted
	return a, nil
}

// maxTries is the number of attempts to commit, because files may change while a commit is being computed.
const maxTries = 3

// commitNamed makes one commit of the named files and returns its short id.
func commitNamed(ctx context.Context, r *git.Repo, paths []string, message string, amend bool) (id string, err error) {
	for range maxTries {
		plan, err := foldercommit.MakeNamedPlan(ctx, r, paths)
		if err != nil {
			return "", err
		}
		if amend {
			id, err = plan.Amend(ctx)
		} else {
			id, err = plan.Commit(ctx, message)
		}
		if err == nil {
			return plan.ShortID(ctx, id), nil
		}
		if !errors.Is(err, foldercommit.ErrMoved) {
			return "", err
		}
	}
	return "", foldercommit.ErrMoved
}

// cleanMessage returns the given message of a commit without what Clean removes. It fails if the message is too long, or empty, unless a
// commit is amended, which keeps its message.
func cleanMessage(c *planop.Call, given string, amend bool) (string, error) {
	const most = 64 << 10
	text := CleanMessage(given)
	switch {
	case text == "" && !amend:
		return "", planop.Usagef("MESSAGE is missing")
	case len(text) > most:
		return "", planop.Usagef("MESSAGE has %d bytes; %d are the most", len(text), most)
	}
	return text, nil
}

// projectRepository returns the root of the project and its repository, both as paths without links.
func projectRepository(c *planop.Call) (project string, r *git.Repo, err error) {
	if project, err = c.Project(); err != nil {
		return "", nil, err
	}
	if project, err = filepath.EvalSymlinks(project); err != nil {
		return "", nil, err
	}
	r, err = git.Find(project)
	if errors.Is(err, git.ErrNoRepository) {
		return "", nil, planop.Faultf("no_repository", "the project is not in a git repository; \"git init\" makes one")
	}
	return project, r, err
}

// skipReason returns the reason why no file of the planning folder is committed, or "": the setting is off, or git ignores the folder,
// whatever the setting. It fails if the settings cannot be read.
func skipReason(ctx context.Context, c *planop.Call, r *git.Repo, project string) (string, error) {
	set, err := c.Settings()
	if err != nil {
		return "", err
	}
	if set.Unreadable() {
		return "", planop.Faultf("config_parse_failed", "config.json cannot be read, so it is unknown whether plans are committed: %s", set.Problems()[0])
	}
	if !set.IsOn("commit_docs") {
		return reasonTurnedOff, nil
	}
	at, err := filepath.Rel(r.Root, filepath.Join(project, folder.Name))
	if err != nil {
		return "", err
	}
	ignored, err := foldercommit.IsIgnored(ctx, r, filepath.ToSlash(at))
	switch {
	case err != nil || !ignored:
		return "", err
	case set.Has("commit_docs"):
		return reasonIgnored, nil
	}
	return reasonTurnedOff, nil
}

// IsKept reports whether the roadmap of a project is committed, or is not to be: there is no repository, or plans are not committed in it.
// It fails if the settings cannot be read.
func IsKept(ctx context.Context, c *planop.Call) (bool, error) {
	project, r, err := projectRepository(c)
	if fault, ok := errors.AsType[*planop.Fault](err); ok && fault.Reason == "no_repository" {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	if reason, err := skipReason(ctx, c, r, project); reason != "" || err != nil {
		return err == nil, err
	}
	f, err := c.Folder()
	if err != nil {
		return false, err
	}
	paths, _, err := pathsBelow(r, project, []string{f.Path("ROADMAP.md")})
	if err != nil || len(paths) == 0 {
		return true, err // there is none
	}
	_, err = git.Git{}.Blob(ctx, r, "HEAD", paths[0])
	if errors.Is(err, git.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// pathsBelow returns the paths of the named files from the top of the working tree, and the names without a file. Such a file is not
// committed as deleted, because another process may be about to write it. Files that are missing in a named folder are committed as
// deleted.
func pathsBelow(r *git.Repo, project string, names []string) (paths, missing []string, err error) {
	for _, name := range names {
		local := filepath.FromSlash(strings.TrimSuffix(name, "/"))
		if filepath.IsAbs(local) {
			if rel, err := filepath.Rel(project, local); err == nil {
				local = rel
			}
		}
		at, err := filepath.Rel(r.Root, filepath.Join(project, local))
		if err != nil || !filepath.IsLocal(at) || strings.IndexFunc(name, unicode.IsControl) >= 0 {
			return nil, nil, planop.Faultf("path_outside", "%.120q is not a file of the repository", name)
		}
		at = filepath.ToSlash(at)
		switch _, err := os.Lstat(filepath.Join(r.Root, filepath.FromSlash(at))); {
		case name == folder.Name && errors.Is(err, fs.ErrNotExist):
			return nil, nil, folder.ErrNone
		case err != nil:
			missing = append(missing, name)
		default:
			paths = append(paths, at)
		}
	}
	return paths, missing, nil
}

// fill sets the fields of the answer from the plan of a commit.
func (a *Answer) fill(p *foldercommit.Plan) {
	for i := range p.Changes {
		a.Files = append(a.Files, p.Changes[i].Path)
	}
	for _, l := range p.LeftOut {
		a.LeftOut = append(a.LeftOut, LeftOut{l.Path, l.Why})
	}
	for _, name := range p.Ignored[:min(len(p.Ignored), 20)] {
		a.LeftOut = append(a.LeftOut, LeftOut{name, "ignore rules keep it out of git"})
	}
	if len(p.Changes) > 0 {
		a.Hooks, a.Unsigned = p.Hooks, p.Signs
	}
}

// withReason gives an error of a commit its reason as a word for programs.
func withReason(err error) error {
	switch {
	case errors.Is(err, foldercommit.ErrRefused):
		return planop.Faultf("commit_refused", "%s", err.Error())
	case errors.Is(err, foldercommit.ErrMoved):
		return planop.Faultf("commit_moved", "%s; try again", err.Error())
	}
	return err
}
