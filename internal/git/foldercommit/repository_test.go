package foldercommit

import (
	"testing"

	"ken/internal/git"
	"ken/internal/git/gittest"
)

func mustFind(t testing.TB, dir string) *git.Repo {
	t.Helper()
	r, err := git.Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// evilRepo is a repository whose configuration names a program wherever a commit could start one. Each leaves a file in
// the returned folder when it runs.
func evilRepo(t *testing.T) (dir, canaries string) {
	t.Helper()
	e := gittest.NewEvil(t)
	dir, canaries = e.Dir, e.Canaries
	gittest.Commit(t, dir, "one")
	e.Configure([]string{
		"core.fsmonitor", "core.pager", "core.editor", "core.askPass", "core.sshCommand", "core.alternateRefsCommand", "filter.evil.clean", "filter.evil.smudge",
		"filter.evil.process", "diff.external", "diff.evil.textconv", "credential.helper", "pager.update-ref", "pager.commit-tree", "pager.mktree",
		"pager.hash-object", "pager.update-index", "pager.check-attr", "pager.config", "pager.ls-tree", "trailer.x.command", "filter.other.clean",
	}, []string{"update-ref", "commit-tree", "mktree", "hash-object", "update-index", "check-attr", "config", "ls-tree"})
	return dir, canaries
}
