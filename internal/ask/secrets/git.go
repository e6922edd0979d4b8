// Package secrets reports credentials: those in the indexed files, in what is
// staged, and in every version that git keeps. Values are never part of an answer.
package secrets

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/source"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/git"
)

// StagedSecrets returns the credentials in the files staged for the next commit: the whole of every file that differs from HEAD, as it
// is in git's index. It returns a *code.UsageError if there is no git repository, and fails if git does or the salt is missing.
func StagedSecrets(ctx context.Context, s *view.Snapshot, paths []string) ([]store.FoundSecret, Allowed, error) {
	h, err := newSecretHistory(s, paths)
	if err != nil {
		return nil, Allowed{}, err
	}
	staged, err := git.Git{}.StagedFiles(ctx, h.repo)
	if err != nil {
		return nil, Allowed{}, err
	}
	byID := map[string][]string{}
	var ask []git.Staged
	for _, st := range staged {
		if path, ok := h.project(st.Path); ok {
			if byID[st.ID] == nil {
				ask = append(ask, st)
			}
			byID[st.ID] = append(byID[st.ID], path)
		}
	}
	err = git.Git{}.Blobs(ctx, h.repo, ask, func(b git.Blob, r io.Reader) error {
		found, err := h.find(r)
		for _, p := range byID[b.ID] {
			h.report(found, p, "")
			h.report(h.tree.PathSecrets(h.salt, p), p, "")
		}
		return err
	})
	return h.result(err)
}

// HistorySecrets returns the credentials in every version of every file that a ref can reach. A version is read once, and listed under
// the oldest commit that has it; only findings are held in memory. It returns a *code.UsageError if there is no git repository, and
// fails if git does or the salt is missing.
func HistorySecrets(ctx context.Context, s *view.Snapshot, paths []string, progress func(done, total int)) (
	list []store.FoundSecret, allowed Allowed, err error) {
	h, err := newSecretHistory(s, paths)
	if err != nil {
		return nil, Allowed{}, err
	}
	type version struct {
		path  string
		found []store.Secret
	}
	seen, ids := map[string]version{}, map[string]bool{}
	done := 0
	err = git.Git{}.AllBlobs(ctx, h.repo, func(b git.Blob, r io.Reader) error {
		if done++; progress != nil {
			progress(done, 0)
		}
		found, err := h.find(r)
		if len(found)+len(h.tree.PathSecrets(h.salt, b.Path)) > 0 {
			seen[b.ID], ids[b.ID] = version{b.Path, found}, true
		}
		return err
	})
	if err != nil {
		return nil, Allowed{}, err
	}
	origins, err := git.Git{}.Origins(ctx, h.repo, ids)
	for id, v := range seen {
		at := origins[id]
		if len(at) == 0 {
			at = []git.Origin{{Path: v.path}}
		}
		for _, o := range at {
			if path, ok := h.project(o.Path); ok {
				h.report(v.found, path, o.Commit)
				h.report(h.tree.PathSecrets(h.salt, path), path, o.Commit)
			}
		}
	}
	return h.result(err)
}

// secretHistory looks for secrets in git's objects.
type secretHistory struct {
	*secretReport
	repo   *git.Repo
	prefix string // of the project in the working tree, "" or with a slash at its end
	paths  []string
	tree   *source.Tree
	salt   []byte
}

func newSecretHistory(s *view.Snapshot, paths []string) (*secretHistory, error) {
	t := s.Tree
	repo, err := git.Find(t.Root())
	if errors.Is(err, git.ErrNoRepository) {
		return nil, code.Usagef("there is no git repository here")
	}
	if err != nil {
		return nil, err
	}
	h := &secretHistory{secretReport: newSecretReport(s), repo: repo, paths: paths, tree: t, salt: t.ReadSalt()}
	if h.salt == nil {
		return nil, errors.New("read the salt: .ken/salt is missing or damaged; run \"ken index\"")
	}
	h.prefix, err = t.Prefix(repo)
	return h, err
}

// project converts a path of the working tree to one of the project, and reports whether it is wanted.
func (h *secretHistory) project(p string) (string, bool) {
	rest, ok := strings.CutPrefix(p, h.prefix)
	return rest, ok && code.IsUnder(rest, h.paths)
}

func (h *secretHistory) find(r io.Reader) ([]store.Secret, error) {
	return h.tree.FindSecrets(h.salt, r)
}

func (h *secretHistory) report(found []store.Secret, path, commit string) {
	for _, f := range found {
		h.addOnce(store.FoundSecret{Secret: f, Path: path, Commit: commit})
	}
}

// result returns the findings in a fixed order.
func (h *secretHistory) result(err error) ([]store.FoundSecret, Allowed, error) {
	slices.SortFunc(h.list, func(a, b store.FoundSecret) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Start, b.Start),
			strings.Compare(a.Commit, b.Commit), strings.Compare(a.HashText(), b.HashText()))
	})
	return h.list, h.allowed, err
}
