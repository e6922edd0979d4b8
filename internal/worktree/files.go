package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/git"
	"ken/internal/git/plumbing"
)

// fileMover changes the files on disk and an index from one tree to another. Git could do both (read-tree -u), but it writes files in
// place, so that a full disk or a crash leaves half of a file. A move writes new contents to temporary files first, and renames
// them into place: each file has either its old or its new content, and a move can be undone even on a full disk.
type fileMover struct {
	git      git.Git // with the index that is moved
	repo     *git.Repo
	from, to string // trees or commits
	scratch  string // on the same disk, if possible
	// behind is set if the index may not yet match files that are as in the first tree, because a move to there was interrupted.
	behind bool

	changes []git.Compared
	seen    map[string]os.FileInfo // the files on disk when the move was checked; nil: none
	done    []placedFile
}

// placedFile is a file that a move put in place or removed, with the path at which its old content is kept.
type placedFile struct {
	path string // absolute
	old  string // "" if there was none
}

// prepareMove lists the changes of the move, and refuses with Uncommitted if a file on disk differs from the first tree. It accepts files
// that already equal those of the second tree, because the user made the same change or a move was interrupted.
func (m *fileMover) prepareMove(ctx context.Context) (err error) {
	if m.changes, err = m.git.Differences(ctx, m.repo, m.from, m.to); err != nil || len(m.changes) == 0 {
		return err
	}
	m.seen = map[string]os.FileInfo{}
	for _, c := range m.changes {
		st, err := os.Lstat(m.filePath(c.Path))
		if err != nil && !isAbsent(err) {
			return err
		}
		m.seen[c.Path] = st
	}
	if err := plumbing.RefreshIndex(ctx, m.git, m.repo); err != nil {
		return err
	}
	if err := m.adoptMatching(ctx); err != nil {
		return err
	}
	if err := plumbing.CheckMovable(ctx, m.git, m.repo, m.from, m.to); err != nil {
		if ctx.Err() != nil {
			return err
		}
		// Files are staged in another form, or untracked files are in a folder that becomes a file.
		return newRefused(Uncommitted, "%s has changes of its own of these files: %v", m.repo.Root, err)
	}
	return m.exportNewContents(ctx)
}

func (m *fileMover) filePath(p string) string {
	return filepath.Join(m.repo.Root, filepath.FromSlash(p))
}

// isAbsent reports whether an error means that there is no file at a path, or that one of the path's folders is a file.
func isAbsent(err error) bool { return errors.Is(err, os.ErrNotExist) || isNotFolder(err) }

// adoptMatching refuses files that match neither the old tree nor the new one, and writes index entries for those that already match the
// new one. It compares the files themselves, because an index can hide changes (skip-worktree), and git overwrites files that it ignores.
func (m *fileMover) adoptMatching(ctx context.Context) error {
	before, err := m.matchingFiles(ctx, func(c *git.Compared) Side { return newSide(c.OldMode, c.OldID) })
	if err != nil {
		return err
	}
	after, err := m.matchingFiles(ctx, func(c *git.Compared) Side { return newSide(c.NewMode, c.NewID) })
	if err != nil {
		return err
	}
	var entries []plumbing.IndexEntry
	var inTheWay []string
	for _, c := range m.changes {
		switch {
		case after[c.Path]:
			entries = append(entries, plumbing.IndexEntry{Path: c.Path, Mode: c.NewMode, ID: c.NewID})
		case !before[c.Path]:
			inTheWay = append(inTheWay, c.Path)
		case m.behind:
			entries = append(entries, plumbing.IndexEntry{Path: c.Path, Mode: c.OldMode, ID: c.OldID})
		}
	}
	if len(inTheWay) > 0 {
		return newRefusedPaths(Uncommitted, inTheWay, "%s has changes of its own in these, which are not committed", m.repo.Root)
	}
	if len(entries) == 0 {
		return nil
	}
	if err := plumbing.PutEntries(ctx, m.git, m.repo, entries); err != nil {
		return err
	}
	return plumbing.RefreshIndex(ctx, m.git, m.repo)
}

// matchingFiles returns which files of the move are on disk as in the old or as in the new tree; side selects the tree. Git compares
// them, because line ends on disk may differ.
func (m *fileMover) matchingFiles(ctx context.Context, side func(*git.Compared) Side) (map[string]bool, error) {
	same := map[string]bool{}
	var entries []plumbing.IndexEntry
	for _, c := range m.changes {
		switch s := side(&c); {
		case s.Mode == 0: // a folder there belongs to the changes of its files
			same[c.Path] = m.seen[c.Path] == nil || m.seen[c.Path].IsDir()
		case m.seen[c.Path] != nil && !m.seen[c.Path].IsDir():
			entries = append(entries, plumbing.IndexEntry{Path: c.Path, Mode: s.Mode, ID: s.ID})
			same[c.Path] = true
		}
	}
	if len(entries) == 0 {
		return same, nil
	}
	index := filepath.Join(m.scratch, "compare")
	defer os.Remove(index)
	g := m.git.WithIndex(index)
	if err := errors.Join(os.RemoveAll(index), plumbing.PutEntries(ctx, g, m.repo, entries)); err != nil {
		return nil, err
	}
	if err := plumbing.RefreshIndex(ctx, g, m.repo); err != nil {
		return nil, err
	}
	differ, err := plumbing.DifferingFiles(ctx, g, m.repo)
	for _, p := range differ {
		same[p] = false
	}
	return same, err
}

// exportNewContents writes the new contents to the scratch folder, so that all of them are on the disk before the first file changes.
func (m *fileMover) exportNewContents(ctx context.Context) error {
	index := filepath.Join(m.scratch, "export")
	defer os.Remove(index)
	if err := os.RemoveAll(index); err != nil {
		return err
	}
	g := m.git.WithIndex(index)
	var paths []string
	for _, c := range m.changes {
		if c.NewMode != 0 {
			paths = append(paths, c.Path)
		}
	}
	if err := plumbing.SetIndex(ctx, g, m.repo, m.to); err != nil {
		return err
	}
	return plumbing.ExportFiles(ctx, g, m.repo, filepath.Join(m.scratch, "new"), paths)
}

// placeFiles puts the new files in place. If one of them fails, it restores all of them.
func (m *fileMover) placeFiles() error {
	// Files are removed first, because a folder may take the place of a file.
	for _, gone := range []bool{true, false} {
		for i, c := range m.changes {
			if (c.NewMode == 0) != gone {
				continue
			}
			if err := m.placeFile(i, &c); err != nil {
				return errors.Join(fmt.Errorf("write %s: %w", m.filePath(c.Path), err), m.restoreFiles())
			}
		}
	}
	return nil
}

// placeFile puts one file in place, or removes it.
func (m *fileMover) placeFile(i int, c *git.Compared) error {
	path := m.filePath(c.Path)
	if err := checkRealParents(m.repo.Root, c.Path); err != nil {
		return err
	}
	st, err := os.Lstat(path)
	if err != nil && !isAbsent(err) {
		return err
	}
	if st != nil && st.IsDir() && c.NewMode == 0 {
		return nil
	}
	if st != nil && st.IsDir() {
		st = nil // its files that the move removes are gone already
		if os.Remove(path) != nil {
			return newRefusedPaths(Uncommitted, []string{c.Path}, "%s has a folder with files of its own in the place of this file", m.repo.Root)
		}
	}
	was := m.seen[c.Path]
	if was != nil && was.IsDir() {
		was = nil
	}
	if !sameStat(st, was) {
		return newRefusedPaths(Changed, []string{c.Path}, "it was changed at this moment")
	}
	p := placedFile{path: path}
	if st != nil {
		p.old = filepath.Join(m.scratch, "old", fmt.Sprint(i))
		if err := keepOld(path, p.old); err != nil {
			return err
		}
	}
	if c.NewMode == 0 {
		if st != nil {
			if err := os.Remove(path); err != nil {
				return err
			}
			m.done = append(m.done, p)
			removeEmptyFolders(m.repo.Root, c.Path)
		}
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); isNotFolder(err) {
		return newRefusedPaths(Uncommitted, []string{c.Path}, "%s has a file of its own in the place of this folder", m.repo.Root)
	} else if err != nil {
		return err
	}
	if err := renameAcrossDisks(filepath.Join(m.scratch, "new", filepath.FromSlash(c.Path)), path); err != nil {
		return err
	}
	m.done = append(m.done, p)
	return nil
}

// restoreFiles gives all files the contents that they had before the move.
func (m *fileMover) restoreFiles() error {
	var errs []error
	for _, p := range slices.Backward(m.done) {
		if p.old == "" {
			errs = append(errs, os.Remove(p.path))
			if rel, err := filepath.Rel(m.repo.Root, p.path); err == nil {
				removeEmptyFolders(m.repo.Root, filepath.ToSlash(rel))
			}
			continue
		}
		errs = append(errs, os.MkdirAll(filepath.Dir(p.path), 0o777), renameAcrossDisks(p.old, p.path))
	}
	m.done = nil
	return errors.Join(errs...)
}

// updateIndex changes the index to the second tree, and updates the file times and sizes that are recorded in it.
func (m *fileMover) updateIndex(ctx context.Context) error {
	if err := plumbing.MoveIndex(ctx, m.git, m.repo, m.from, m.to); err != nil {
		return err
	}
	return plumbing.RefreshIndex(ctx, m.git, m.repo)
}

// sameStat reports whether a file is unchanged since the move was checked.
func sameStat(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && a.Mode() == b.Mode()
}

// checkRealParents refuses with Occupied if a folder on the way to path is a link, because the file would be written elsewhere.
func checkRealParents(root, path string) error {
	dir := root
	parts := strings.Split(path, "/")
	for _, part := range parts[:len(parts)-1] {
		dir = filepath.Join(dir, part)
		st, err := os.Lstat(dir)
		if isAbsent(err) {
			return nil
		}
		if err != nil {
			return err
		}
		if st.Mode()&os.ModeSymlink != 0 {
			return newRefused(Occupied, "%s is a link, and what is written there would be elsewhere", dir)
		}
	}
	return nil
}

// removeEmptyFolders removes those folders of a removed file's path that are empty now.
func removeEmptyFolders(root, path string) {
	for {
		at := strings.LastIndexByte(path, '/')
		if at < 0 {
			return
		}
		path = path[:at]
		if os.Remove(filepath.Join(root, filepath.FromSlash(path))) != nil {
			return
		}
	}
}

// keepOld gives a file a second name, by a link or a copy, so that its content exists at every moment.
func keepOld(path, old string) error {
	if err := os.MkdirAll(filepath.Dir(old), 0o700); err != nil {
		return err
	}
	if os.Link(path, old) == nil {
		return nil
	}
	if to, err := os.Readlink(path); err == nil {
		return os.Symlink(to, old)
	}
	return copyWhole(path, old)
}

// renameAcrossDisks moves a file. If the target is on another disk, it first makes a copy there.
func renameAcrossDisks(from, to string) error {
	err := os.Rename(from, to)
	if err == nil || !isOtherDisk(err) {
		return err
	}
	beside := to + ".ken-new"
	if link, lerr := os.Readlink(from); lerr == nil {
		err = os.Symlink(link, beside)
	} else {
		err = copyWhole(from, beside)
	}
	if err == nil {
		err = os.Rename(beside, to)
	}
	if err != nil {
		os.Remove(beside)
	}
	return err
}

// copyWhole copies a file and its permissions.
func copyWhole(from, to string) error {
	st, err := os.Lstat(from)
	if err == nil {
		err = copyFile(from, to)
	}
	if err != nil {
		return err
	}
	return os.Chmod(to, st.Mode().Perm())
}
