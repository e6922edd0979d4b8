package folder

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"ken/internal/git"
)

// Find returns the project whose planning folder applies to a directory. The directory itself comes first, then the nearest parent
// that is in the same repository or whose config.json lists the folder below it as one of its repositories, then for a linked work
// tree the main one. The search for a parent ends below home. It fails with ErrNone if there is no such project.
func Find(dir, home string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if hasPlanningFolder(dir) {
		return dir, nil
	}
	repo, err := git.Find(dir)
	inRepo := err == nil && repo.OwnsTree()
	for at := dir; ; {
		up := filepath.Dir(at)
		if up == at || up == home || at == home {
			break
		}
		same := inRepo && isInside(repo.Root, up)
		if hasPlanningFolder(up) && (same || listsRepository(up, filepath.Base(at))) {
			return up, nil
		}
		at = up
	}
	// A linked work tree uses the folder of the main one, unless it has its own.
	if inRepo && repo.GitDir != repo.CommonDir && filepath.Base(repo.CommonDir) == ".git" {
		if main := filepath.Dir(repo.CommonDir); hasPlanningFolder(main) {
			return main, nil
		}
	}
	return "", ErrNone
}

func hasPlanningFolder(dir string) bool {
	st, err := os.Stat(filepath.Join(dir, Name))
	return err == nil && st.IsDir()
}

// isInside reports whether path is the folder top or below it.
func isInside(top, path string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	rel, err := filepath.Rel(top, path)
	return err == nil && filepath.IsLocal(rel)
}

// listsRepository reports whether the settings of a project list the folder child as a repository of the project, or have multiRepo set,
// which stands for all of them. Settings that cannot be read list none.
func listsRepository(project, child string) bool {
	f, err := Open(project, Options{Flat: true})
	if err != nil {
		return false
	}
	defer f.Close()
	text, err := f.ReadRoot("config.json")
	if err != nil {
		return false
	}
	var config struct {
		SubRepos []string `json:"sub_repos"`
		Planning struct {
			SubRepos []string `json:"sub_repos"`
		}
		MultiRepo bool
	}
	if json.Unmarshal([]byte(text), &config) != nil {
		return false
	}
	return config.MultiRepo || slices.Contains(append(config.SubRepos, config.Planning.SubRepos...), child)
}
