package commitknowledge

import (
	"path"
	"path/filepath"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/git"
	"ken/internal/git/foldercommit"
	"ken/internal/operation"
)

// KeepPrivate keeps the project's folder out of git if the user asks for that (must), and the first time unless they want to commit
// knowledge or git tracks some already. It reports whether it did. It fails if the list of excluded files cannot be written.
func KeepPrivate(env *project.Env, p *project.Project, must bool) (bool, error) {
	r, err := git.Find(p.Root)
	switch {
	case err != nil && must:
		return false, code.Usagef("--private: %v", err)
	case err != nil || !must && p.Exists(ignore):
		return false, nil
	}
	below, err := filepath.Rel(r.Root, p.Root)
	if err != nil {
		return false, err
	}
	folder := path.Join(filepath.ToSlash(below), top)
	if tracked, err := r.TrackedBelow(folder); len(tracked) > 0 || err != nil {
		if must && err == nil {
			err = code.Usagef("--private: git tracks %s, so it stays in sight of git", operation.Quote(path.Join(folder, tracked[0])))
		}
		return false, err
	}
	if env.Confirm != nil && !must {
		shared, err := env.Confirm("Commit what is written down about the project (.ken/knowledge) to git, for all who work on it?")
		if shared || err != nil {
			return false, err
		}
	}
	if err := foldercommit.Hide(r, folder); err != nil && must {
		return false, err
	} else if err != nil {
		return false, nil // only the ignore file is in sight of git
	}
	return true, nil
}
