// Package workspace reads workspaces: folders in the user's home that contain work trees or clones of several repositories, and a
// planning folder of their own. It also lists the work that removing a workspace would lose. It writes nothing. The manifest of a
// workspace, which lists its repositories, is untrusted, so names that lead out of the workspace are ignored. Neighbour: package begin
// declares the operations.
package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/git"
	"ken/internal/statefile"
	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/folder"
)

const (
	baseName     = "gsd-workspaces"
	manifestName = "WORKSPACE.md"
	maxManifest  = 1 << 20
)

// Base returns the folder that contains a user's workspaces.
func Base(home string) string { return filepath.Join(home, baseName) }

// Workspace is a folder of repositories.
type Workspace struct {
	Name, Path string
	Manifest   bool   // it has a manifest
	Strategy   string // "worktree" or "clone", "unknown" if not in the manifest
	Repos      []Repo // from the manifest
	Problems   []string
}

// Repo is a repository that the manifest of a workspace lists.
type Repo struct {
	Name     string `json:"name"`
	Source   string `json:"source"`
	Branch   string `json:"branch"`
	Strategy string `json:"strategy"`
}

// ErrNone reports that there is no workspace with a name.
var ErrNone = errors.New("there is no such workspace")

// ValidName reports whether a text can be the name of a workspace: it must not be a path, or contain a character that breaks a line.
func ValidName(name string) bool {
	bad := func(r rune) bool { return unicode.IsControl(r) || r == utf8.RuneError || r == '/' || r == '\\' }
	return name != "." && filepath.IsLocal(name) && strings.IndexFunc(name, bad) < 0
}

// List returns the workspaces in the folder base, by name. A folder without a manifest is no workspace. It returns an error if base
// cannot be read.
func List(base string) (list []Workspace, problems []string, err error) {
	names, problems, err := listFolders(base)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		w, err := Open(base, name)
		if err != nil {
			problems = append(problems, name+": "+err.Error())
			continue
		}
		if w.Manifest {
			list = append(list, *w)
		}
	}
	return list, problems, nil
}

// listFolders returns the names of the folders in dir, without links. It returns none if dir does not exist.
func listFolders(dir string) (names, problems []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		switch {
		case !e.IsDir():
		case !ValidName(e.Name()):
			problems = append(problems, fmt.Sprintf("the name %.80q has a control character or is not UTF-8: it is left out", e.Name()))
		default:
			names = append(names, e.Name())
		}
	}
	return names, problems, nil
}

// Open reads the workspace with a name. It fails with ErrNone if there is none, and if the name is invalid or the folder cannot be read.
func Open(base, name string) (*Workspace, error) {
	if !ValidName(name) {
		return nil, fmt.Errorf("%.80q is not a valid workspace name: it must be one folder in %s", name, base)
	}
	w := &Workspace{Name: name, Path: filepath.Join(base, name), Strategy: "unknown", Repos: []Repo{}}
	switch st, err := os.Lstat(w.Path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: %s", ErrNone, w.Path)
	case err != nil:
		return nil, err
	case !st.IsDir():
		return nil, fmt.Errorf("%s is not a folder, or a link to one: it is not a workspace", w.Path)
	}
	at := filepath.Join(w.Path, manifestName)
	text, err := statefile.ReadFollow(at, maxManifest)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return w, nil
	case err != nil:
		w.Manifest = true
		w.Problems = append(w.Problems, manifestName+" cannot be read: "+err.Error())
		return w, nil
	}
	w.Manifest = true
	w.readManifest(string(text))
	return w, nil
}

// readManifest reads the strategy and the repositories from the text of a manifest. Table cells are read as a whole, because paths
// may contain blanks.
func (w *Workspace) readManifest(text string) {
	d := document.Parse(text)
	all := document.Range{From: 0, To: d.LineCount()}
	if f, ok := d.Field(all, "Strategy"); ok && d.Value(f) != "" {
		w.Strategy = d.Value(f)
	}
	if d.ConflictLine() > 0 {
		w.Problems = append(w.Problems, fmt.Sprintf("%s has an open conflict in line %d", manifestName, d.ConflictLine()))
	}
	for _, t := range d.Tables(all) {
		name := d.Column(t, "Repo")
		if name < 0 {
			continue
		}
		for _, row := range t.Rows {
			cell := func(column string) string { return d.Cell(row, d.Column(t, column)) }
			if r := (Repo{d.Cell(row, name), cell("Source"), cell("Branch"), cell("Strategy")}); r.Name != "" {
				w.Repos = append(w.Repos, r)
			}
		}
	}
}

// HasProject reports whether a project was begun in the workspace.
func (w *Workspace) HasProject() bool {
	return statefile.IsRegular(filepath.Join(w.Path, folder.Name, "PROJECT.md"))
}

// UnlistedRepos returns the folders of the workspace that are repositories but not in its manifest. It returns an error if the workspace
// cannot be read.
func (w *Workspace) UnlistedRepos() ([]string, error) {
	names, problems, err := listFolders(w.Path)
	w.Problems = append(w.Problems, problems...)
	return slices.DeleteFunc(names, func(name string) bool {
		_, is := git.LocateGitDir(filepath.Join(w.Path, name))
		return !is || slices.ContainsFunc(w.Repos, func(r Repo) bool { return r.Name == name })
	}), err
}
