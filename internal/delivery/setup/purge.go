package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/git"
	"ken/internal/git/foldercommit"
	"ken/internal/operation"
	"ken/internal/statefile"
	"ken/internal/workflow/install"
)

// The values of --purge.
const (
	purgeMost = "most" // all but what was written down
	purgeAll  = "all"
)

// knowledge is the folder of .ken that people and agents write.
const knowledge = "knowledge"

// purge is what is left of a project when ken is taken out of it: its folder .ken, and its entries in the user's state directory.
type purge struct {
	root, state string
	kept        bool     // the folder of knowledge stays
	asides      []string // folders of versions of the user's that were kept aside
	record      string   // of .ken in the state directory, or ""
}

// newPurge finds what is to be removed. It fails if there is no project here, if work trees are left in it, or if ken is installed in it
// for another product than those that it is taken out of.
func newPurge(e *env, in *installInput, targets []*target, installer *install.Installer) (*purge, error) {
	t := targets[0]
	if t.options.Root == "" || !t.indexed {
		return nil, operation.Nothingf("there is no project here to purge: no folder .ken")
	}
	ken := filepath.Join(t.options.Root, ".ken")
	if st, err := os.Lstat(ken); err != nil || !st.IsDir() {
		return nil, fmt.Errorf("%s is no folder of its own, so it is not removed (%w)", ken, err)
	}
	if trees, err := os.ReadDir(filepath.Join(ken, "worktrees")); err == nil && len(trees) > 0 {
		return nil, code.Usagef("%s in .ken/worktrees may hold work: \"ken clean\" and \"ken plan executor cleanup\" remove them",
			operation.Plural(len(trees), "work tree"))
	}
	known, err := installer.List()
	if err != nil {
		return nil, err
	}
	for _, k := range known {
		own := slices.ContainsFunc(targets, func(t *target) bool {
			return slices.ContainsFunc(t.plans, func(p *install.Plan) bool { return p.Name == k.Name && p.Root == k.Root })
		})
		if rel, err := filepath.Rel(t.options.Root, k.Root); err == nil && filepath.IsLocal(rel) && !own {
			return nil, code.Usagef("ken is installed here as %s: take it out first, or name it as well", k.Name)
		}
	}
	p := &purge{root: t.options.Root, state: t.state, kept: in.Purge != purgeAll, record: t.record}
	for _, t := range targets {
		for _, plan := range t.plans {
			if dir := installer.Aside(plan); dir != "" {
				p.asides = append(p.asides, dir)
			}
		}
	}
	return p, nil
}

// files returns what is removed: the entries of .ken, and those of the state directory.
func (p *purge) files() (list []string, err error) {
	entries, err := os.ReadDir(filepath.Join(p.root, ".ken"))
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.Name() != knowledge || !p.kept {
			list = append(list, filepath.Join(p.root, ".ken", e.Name()))
		}
	}
	if p.record != "" {
		list = append(list, p.record)
	}
	name := statefile.Name(p.root)
	for _, sub := range []string{"patterns", "deciding", "bound", "tasks", "events"} {
		entries, err := os.ReadDir(filepath.Join(p.state, sub))
		if err != nil {
			continue // there is none
		}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), name) {
				list = append(list, filepath.Join(p.state, sub, e.Name()))
			}
		}
	}
	return append(list, p.asides...), nil
}

// changes shows what is removed.
func (p *purge) changes() ([]install.Change, error) {
	list, err := p.files()
	var out []install.Change
	for _, path := range list {
		what := "what ken made of the project"
		if strings.HasPrefix(path, p.state+string(filepath.Separator)) {
			what = "state of the project"
		}
		if slices.Contains(p.asides, path) {
			what = "your versions of ken's files"
		}
		out = append(out, install.Change{Path: path, What: what, Action: install.Removed})
	}
	return out, err
}

// do removes the files, the folder if nothing is left in it, and the line that hides it from git. Links are removed and not followed.
func (p *purge) do() error {
	list, err := p.files()
	if err != nil {
		return err
	}
	for _, path := range list {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	for _, dir := range p.asides { // the folder of a record that has nothing else
		os.Remove(filepath.Dir(dir))
		os.Remove(filepath.Dir(filepath.Dir(dir)))
	}
	err = os.Remove(filepath.Join(p.root, ".ken"))
	if left, readErr := os.ReadDir(filepath.Join(p.root, ".ken")); errors.Is(err, fs.ErrNotExist) || readErr == nil && len(left) > 0 {
		err = nil // knowledge stays
	}
	repo, none := git.Find(p.root)
	if none != nil || !repo.OwnsTree() {
		return err
	}
	below, relErr := filepath.Rel(repo.Root, p.root)
	if relErr != nil {
		return err
	}
	if showErr := foldercommit.Show(repo, filepath.ToSlash(filepath.Join(below, ".ken"))); !errors.Is(showErr, foldercommit.ErrRefused) {
		err = errors.Join(err, showErr)
	}
	return err
}
