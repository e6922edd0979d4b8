// Package diff lists the changes between a revision and the working tree, or between two revisions: files, lines and the declarations
// that contain them. git compares trees; the working tree is read through engine/source, because git's own diff would run the filters
// that a repository names. Its neighbour is ask/impact.
package diff

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract"
	"ken/internal/engine/source"
	"ken/internal/engine/view"
	"ken/internal/git"
	"ken/internal/lang"
)

// DiffStatus is the kind of change of a file.
type DiffStatus string

// The statuses of a changed file.
const (
	DiffAdded    DiffStatus = "added"
	DiffModified DiffStatus = "modified"
	DiffDeleted  DiffStatus = "deleted"
	DiffRenamed  DiffStatus = "renamed"
)

// ChangedFile is a file of a diff.
type ChangedFile struct {
	Path   string // on the new side; of a deleted file the path it had
	Old    string // path before, "" if the file is new
	Status DiffStatus
	Lines  []source.LineRange // of the new side
	// Symbols are the indexed declarations that contain a changed line outside their
	// inner declarations, in source order.
	Symbols []view.Symbol
	// Removed are declarations that only the old side has, in source order. The index
	// does not have them.
	Removed []code.Symbol
	// Unread is set if Lines, Symbols and Removed are unknown: the file is binary, too
	// large, not indexed, or beyond MaxDiffed.
	Unread bool
}

// MaxDiffed is the number of changed files that are compared line by line.
const MaxDiffed = 1000

// ChangedFiles lists the differences between a revision and the working tree, by path: with "" uncommitted changes (staged, unstaged and
// untracked), with REV the working tree against it, with A..B two commits, with A...B the changes of B since it left A. Ignored files
// are left out. The working tree is compared by reading it, never by git, whose filters a repository chooses: a file that a filter
// changes on its way in counts as changed where its stat is not the one git remembers. It returns a *code.UsageError if there is no
// repository or revision, and fails if git does or files cannot be read.
func ChangedFiles(ctx context.Context, s *view.Snapshot, rev string) ([]ChangedFile, error) {
	repo, err := git.Find(s.Tree.Root())
	if errors.Is(err, git.ErrNoRepository) {
		return nil, code.Usagef("there is no git repository here")
	}
	if err != nil {
		return nil, err
	}
	d := &differ{s: s, repo: repo, extract: extract.New()}
	defer d.extract.Close()
	if d.reader, err = s.Tree.NewReader(nil); err != nil {
		return nil, err
	}
	if d.prefix, err = s.Tree.Prefix(repo); err != nil {
		return nil, err
	}
	if err := d.list(ctx, rev); err != nil {
		return nil, err
	}
	slices.SortFunc(d.files, func(a, b diffFile) int { return cmp.Compare(a.Path, b.Path) })
	if err := d.compare(ctx); err != nil {
		return nil, err
	}
	out := make([]ChangedFile, len(d.files))
	for i := range d.files {
		out[i] = d.files[i].ChangedFile
	}
	return out, nil
}

// differ collects the changed files of a diff.
type differ struct {
	s       *view.Snapshot
	repo    *git.Repo
	prefix  string // of the project in the working tree, "" or with a slash at its end
	reader  *source.Reader
	extract *extract.Extractor
	git     git.Git
	files   []diffFile
}

// diffFile is a changed file while it is compared. The ids are "" for a missing side,
// and newID also where the new side is the working tree.
type diffFile struct {
	ChangedFile
	oldID, newID string
	now          *source.Version // of the new side; nil if it is unknown
}

// list finds the changed files.
func (d *differ) list(ctx context.Context, rev string) error {
	from, to, ranged := strings.Cut(rev, "..")
	if !ranged {
		tree, err := d.base(ctx, rev)
		if err != nil {
			return err
		}
		return d.listTree(ctx, tree)
	}
	to, sinceFork := strings.CutPrefix(to, ".")
	a, err := d.commit(ctx, cmp.Or(from, "HEAD"))
	if err != nil {
		return err
	}
	b, err := d.commit(ctx, cmp.Or(to, "HEAD"))
	if err != nil {
		return err
	}
	if sinceFork {
		if a, err = d.git.MergeBase(ctx, d.repo, a, b); errors.Is(err, git.ErrNotFound) {
			return code.Usagef("%s and %s have no common ancestor", cmp.Or(from, "HEAD"), cmp.Or(to, "HEAD"))
		} else if err != nil {
			return err
		}
	}
	list, err := d.git.Compare(ctx, d.repo, a, b)
	for i := range list {
		d.add(&list[i], false)
	}
	return err
}

// base returns the tree that the working tree is compared with.
func (d *differ) base(ctx context.Context, rev string) (string, error) {
	if rev != "" {
		return d.commit(ctx, rev)
	}
	head, err := d.git.Head(ctx, d.repo)
	return cmp.Or(head.Commit, d.repo.EmptyTree()), err
}

func (d *differ) commit(ctx context.Context, rev string) (string, error) {
	id, err := d.git.Commit(ctx, d.repo, rev)
	if errors.Is(err, git.ErrNotFound) {
		return "", code.Usagef("there is no revision %q", rev)
	}
	return id, err
}

// inside converts a path in the working tree to one in the project. It reports false for a path outside of the project.
func (d *differ) inside(p string) (string, bool) {
	rest, ok := strings.CutPrefix(p, d.prefix)
	return rest, ok && !strings.HasPrefix(rest, ".ken/")
}

func regular(mode uint32) bool { return mode&0o170000 == 0o100000 }

// add records one difference that git found. work is set if the new side is the
// working tree, whose content is not in newID.
func (d *differ) add(c *git.Compared, work bool) {
	p, ok := d.inside(c.Path)
	old, oldOK := d.inside(c.Old)
	f := diffFile{oldID: c.OldID, newID: c.NewID}
	f.Path, f.Old, f.Status = p, old, DiffModified
	before, after := regular(c.OldMode) && oldOK, regular(c.NewMode) && ok
	switch {
	case before && after && c.Status == 'R':
		f.Status = DiffRenamed
	case before && after && c.Status != 'C':
	case after:
		f.Status, f.Old, f.oldID = DiffAdded, "", ""
	case before:
		f.Status, f.Path, f.newID = DiffDeleted, old, ""
	default:
		return // links, submodules, other folders
	}
	if work {
		f.newID = ""
	}
	if f.Status != DiffModified || work || f.oldID != f.newID { // else only the mode changed
		d.files = append(d.files, f)
	}
}

// listTree finds the differences between the working tree and a tree: staged ones by
// git, unstaged ones by the stats in its index, or by content where they differ.
func (d *differ) listTree(ctx context.Context, tree string) error {
	staged, err := d.git.Compare(ctx, d.repo, tree, "")
	if err != nil {
		return err
	}
	entries, err := d.git.Entries(ctx, d.repo)
	if err != nil {
		return err
	}
	files := map[string]code.File{}
	for f, err := range d.s.Index.Files() {
		if err != nil {
			return err
		}
		files[f.Path] = code.File{Stat: f.Stat, Problem: f.Problem}
	}
	byPath := map[string]*git.Compared{}
	for i := range staged {
		if c := &staged[i]; c.Status != 'U' {
			byPath[c.Path] = c
		}
	}
	for i := range entries {
		e := &entries[i]
		if next := i + 1; next < len(entries) && entries[next].Path == e.Path && entries[next].Stage <= 2 {
			continue // in conflict: ours is that of HEAD
		}
		if i > 0 && entries[i-1].Path == e.Path && e.Stage == 3 {
			continue
		}
		if err := d.entry(ctx, e, byPath[e.Path], files); err != nil {
			return err
		}
		if p, ok := d.inside(e.Path); ok {
			delete(files, p)
		}
	}
	for i := range staged { // staged deletions of files that are missing in the tree, too
		if c := &staged[i]; c.Status == 'D' {
			if p, ok := d.inside(c.Path); ok {
				if _, back := files[p]; back {
					delete(files, p)
					if !d.reader.IsBlob(p, c.OldID) {
						d.files = append(d.files, diffFile{ChangedFile: ChangedFile{Path: p, Old: p, Status: DiffModified}, oldID: c.OldID})
					}
					continue
				}
			}
			d.add(c, true)
		}
	}
	for p := range files { // untracked
		d.files = append(d.files, diffFile{ChangedFile: ChangedFile{Path: p, Status: DiffAdded}})
	}
	return nil
}

// entry compares one path of git's index. staged is its difference from the tree, nil
// if there is none.
func (d *differ) entry(ctx context.Context, e *git.Entry, staged *git.Compared, files map[string]code.File) error {
	p, ok := d.inside(e.Path)
	if !ok {
		return nil
	}
	c := git.Compared{Status: 'M', Old: e.Path, Path: e.Path, OldID: e.ID, OldMode: e.Mode, NewID: e.ID, NewMode: e.Mode}
	if staged != nil {
		c = *staged
	}
	f, listed := files[p]
	if listed { // ken lists regular files only
		c.NewMode = 0o100644
	}
	exists := listed
	if !listed {
		_, exists = d.reader.Stat(p)
	}
	sameTimes := e.MTime != 0 && e.MTime == f.Stat.MTime && e.CTime == f.Stat.CTime
	switch {
	case !listed && exists: // excluded by the user
		return nil
	case !listed && e.SkipWorktree && staged == nil:
		return nil
	case !listed:
		if c.Status = 'D'; regular(c.OldMode) {
			c.NewMode = 0
			d.add(&c, true)
		}
		return nil
	case regular(e.Mode) && sameTimes && e.Size == uint32(f.Stat.Size): // as git remembers it
		if staged != nil {
			d.add(&c, true)
		}
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if c.Status == 'R' || !d.reader.IsBlob(p, c.OldID) {
		d.add(&c, true)
	}
	return nil
}

// compare fills in the lines and symbols of the first MaxDiffed files.
func (d *differ) compare(ctx context.Context) error {
	for i := range d.files[min(len(d.files), MaxDiffed):] {
		d.files[MaxDiffed+i].Unread = true
	}
	files := d.files[:min(len(d.files), MaxDiffed)]
	err := d.versions(ctx, files, func(f *diffFile) string { return f.newID }, func(f *diffFile, v *source.Version) { f.now = v })
	if err != nil {
		return err
	}
	for i := range files {
		if f := &files[i]; f.newID == "" && f.Status != DiffDeleted && f.now == nil {
			f.now = d.reader.Version(ctx, f.Path)
		}
	}
	done := map[*diffFile]bool{}
	err = d.versions(ctx, files, func(f *diffFile) string { return f.oldID }, func(f *diffFile, old *source.Version) {
		done[f] = true
		d.lines(f, old)
	})
	for i := range files {
		f := &files[i]
		switch {
		case f.oldID == "":
			d.lines(f, nil)
		case !done[f]:
			f.Unread = true
		}
		if err == nil && !f.Unread {
			err = d.symbols(f)
		}
		f.now = nil
	}
	return err
}

// versions reads the old or the new texts of files from git. id returns the git object of a file's text, "" if there is none.
func (d *differ) versions(ctx context.Context, files []diffFile, id func(*diffFile) string, f func(*diffFile, *source.Version)) error {
	var ask []string
	byID := map[string][]*diffFile{}
	for i := range files {
		if k := id(&files[i]); k != "" {
			if byID[k] == nil {
				ask = append(ask, k)
			}
			byID[k] = append(byID[k], &files[i])
		}
	}
	return source.OldVersions(ctx, d.repo, ask, func(id string, v *source.Version) {
		for _, file := range byID[id] {
			f(file, v)
		}
	})
}

// lines compares both sides of a file and finds the removed declarations.
func (d *differ) lines(f *diffFile, old *source.Version) {
	if f.Status == DiffDeleted {
		f.Removed = d.declarations(f.Old, old)
		return
	}
	if f.now == nil {
		f.Unread = true
		return
	}
	if f.Lines = f.now.ChangedLines(old); len(f.Lines) == 0 || old.Len() == 0 {
		return
	}
	was := d.declarations(f.Old, old)
	if len(was) == 0 {
		return
	}
	has := map[string]bool{}
	for _, sym := range d.declarations(f.Path, f.now) {
		has[sym.Qualified] = true
	}
	f.Removed = slices.DeleteFunc(was, func(sym code.Symbol) bool { return has[sym.Qualified] })
}

// declarations returns the declarations of a version.
func (d *differ) declarations(p string, v *source.Version) []code.Symbol {
	masked := v.MaskedText(d.reader)
	l := lang.Detect(p, masked)
	if f, ok, err := d.s.Index.FileByPath(p); err == nil && ok {
		l = f.Lang
	}
	syms := d.extract.Extract(p, l, masked).Symbols
	return slices.DeleteFunc(syms, func(sym code.Symbol) bool { return sym.Kind.IsText() })
}

// IsRevision reports whether rev names a commit, or a range of two commits.
func IsRevision(ctx context.Context, s *view.Snapshot, rev string) bool {
	repo, err := git.Find(s.Tree.Root())
	if err != nil {
		return false
	}
	from, to, ranged := strings.Cut(rev, "..")
	for _, r := range [...]string{from, strings.TrimPrefix(to, ".")} {
		if !ranged && r == "" {
			continue
		}
		if _, err := (git.Git{}).Commit(ctx, repo, cmp.Or(r, "HEAD")); err != nil {
			return false
		}
	}
	return true
}
