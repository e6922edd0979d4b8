package foldercommit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ken/internal/git"
)

// ErrMoved is returned if HEAD or a file changed between plan and commit; make the plan again.
var ErrMoved = errors.New("HEAD or a file has changed meanwhile")

// Commit commits the plan on the branch of HEAD and returns the id of the commit. No hook runs, nothing is signed, and no
// temporary index is needed: the trees are made of HEAD's. It fails with ErrMoved, or if git does.
//
// First the index gets the new entries of exactly the committed paths, then the branch moves, if it still is where it was
// for the plan. A process that is killed between leaves files that are staged and not committed, and no lock; the other
// order would leave a commit that the index reverts. When the branch cannot move, the entries are put back.
func (p *Plan) Commit(ctx context.Context, message string) (string, error) {
	if err := p.writeBlobs(ctx); err != nil {
		return "", err
	}
	tree, err := p.writeTrees(ctx)
	if err != nil {
		return "", err
	}
	args := []string{"commit-tree", "-m", message, tree}
	if p.Head.Commit != "" {
		args = append(args, "-p", p.Head.Commit)
	}
	out, err := p.git(ctx, nil, args...)
	if err != nil {
		return "", explainUnknownUser(err)
	}
	commit := strings.TrimSpace(string(out))
	return commit, p.moveBranch(ctx, tree, commit, "commit: "+message)
}

// moveBranch sets both the index and the branch to a new commit, or changes neither.
func (p *Plan) moveBranch(ctx context.Context, tree, commit, why string) error {
	if !git.IsID(commit) || len(commit) != len(tree) {
		return fmt.Errorf("read the commit: %w: %.80q", git.ErrUnsupported, commit)
	}
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	ctx = context.WithoutCancel(ctx) // git that is killed while it writes leaves a lock, and this takes milliseconds
	if err := p.setIndex(ctx, func(c *Change) (from, to TreeFile) { return c.index, c.New }); err != nil {
		return err
	}
	was := p.Head.Commit
	if was == "" {
		was = strings.Repeat("0", len(commit))
	}
	_, err := p.git(ctx, nil, "update-ref", "-m", why, "HEAD", commit, was)
	if err == nil {
		return nil
	}
	return p.restoreIndex(ctx, err)
}

// restoreIndex restores the entries of the index after the branch could not be moved, and returns the reason. Entries that HEAD
// has by now, because another process committed them, stay.
func (p *Plan) restoreIndex(ctx context.Context, err error) error {
	var now map[string]TreeFile
	if head, herr := (git.Git{}).Head(ctx, p.repo); herr == nil && head != p.Head {
		err = ErrMoved
		if now, herr = p.listFiles(ctx, head.Commit); herr != nil {
			return errors.Join(err, herr)
		}
	}
	return errors.Join(err, p.setIndex(ctx, func(c *Change) (from, to TreeFile) {
		if now != nil && now[c.Path] == c.New {
			return c.New, c.New
		}
		return c.New, c.indexedFile()
	}))
}

// explainUnknownUser adds advice to an error of git that means that git does not know the committer's name.
func explainUnknownUser(err error) error {
	for _, s := range [...]string{"identity unknown", "tell me who you are", "empty ident", "no email was given", "no name was given"} {
		if strings.Contains(err.Error(), s) {
			return refusedError("git does not know who you are; set user.name and user.email with git config")
		}
	}
	return err
}

// writeBlobs writes the contents of the changed files as git objects.
func (p *Plan) writeBlobs(ctx context.Context) error {
	var names, planned []string
	for i := range p.Changes {
		if c := &p.Changes[i]; c.New.ID != "" {
			names, planned = append(names, c.Path), append(planned, c.New.ID)
		}
	}
	ids, err := p.hashFiles(ctx, names, true)
	if err != nil {
		return err
	}
	if !slices.Equal(ids, planned) {
		return ErrMoved
	}
	return nil
}

// treeFolder is a directory whose tree object is to be written.
type treeFolder struct {
	files   map[string]TreeFile
	folders map[string]*treeFolder
	id      string
}

func (f *treeFolder) putFile(name string, b TreeFile) {
	dir, rest, below := strings.Cut(name, "/")
	if !below {
		f.files[name] = b
		return
	}
	if f.folders[dir] == nil {
		f.folders[dir] = newTreeFolder()
	}
	f.folders[dir].putFile(rest, b)
}

func newTreeFolder() *treeFolder {
	return &treeFolder{files: map[string]TreeFile{}, folders: map[string]*treeFolder{}}
}

// groupByHeight sorts f and the folders below it into levels, by the number of levels below each, and returns the number for f.
func (f *treeFolder) groupByHeight(levels *[][]*treeFolder) (height int) {
	for _, sub := range f.folders {
		height = max(height, sub.groupByHeight(levels)+1)
	}
	for len(*levels) <= height {
		*levels = append(*levels, nil)
	}
	(*levels)[height] = append((*levels)[height], f)
	return height
}

func (f *treeFolder) treeEntries() (list []treeEntry) {
	for name, b := range f.files {
		kind := "blob"
		if b.Mode == "160000" {
			kind = "commit"
		}
		list = append(list, treeEntry{b.Mode, kind, b.ID, name})
	}
	for name, sub := range f.folders {
		list = append(list, treeEntry{"040000", "tree", sub.id, name})
	}
	return list
}

// writeTrees makes the tree of the commit: HEAD's, with another folder in it.
func (p *Plan) writeTrees(ctx context.Context) (string, error) {
	if p.dir == "" {
		return p.graftChanges(ctx, p.Head.Commit, p.Changes, 0)
	}
	top := newTreeFolder()
	changed := map[string]bool{}
	for i := range p.Changes {
		c := &p.Changes[i]
		changed[c.Path] = true
		if c.New.ID != "" {
			top.putFile(strings.TrimPrefix(c.Path, p.dir+"/"), c.New)
		}
	}
	for name, b := range p.head {
		if !changed[name] {
			top.putFile(strings.TrimPrefix(name, p.dir+"/"), b)
		}
	}
	id := ""
	if len(top.files)+len(top.folders) > 0 {
		var levels [][]*treeFolder
		top.groupByHeight(&levels)
		for _, level := range levels {
			if err := p.writeLevel(ctx, level); err != nil {
				return "", err
			}
		}
		id = top.id
	}
	return p.writeAbove(ctx, p.Head.Commit, strings.Split(p.dir, "/"), id)
}

// writeLevel writes the tree objects of folders whose subfolders are written already, in one run of git.
func (p *Plan) writeLevel(ctx context.Context, level []*treeFolder) error {
	var lists [][]treeEntry
	for _, f := range level {
		lists = append(lists, f.treeEntries())
	}
	ids, err := p.makeTrees(ctx, lists)
	for i := range ids {
		level[i].id = ids[i]
	}
	return err
}

// writeAbove writes a copy of tree in which the folder at path is replaced by the tree id, or removed if id is "". It returns the copy's
// id.
func (p *Plan) writeAbove(ctx context.Context, tree string, path []string, id string) (string, error) {
	var list []treeEntry
	if tree != "" {
		var err error
		if list, err = p.listTree(ctx, tree, false); err != nil {
			return "", err
		}
	}
	i := slices.IndexFunc(list, func(e treeEntry) bool { return e.name == path[0] })
	if len(path) > 1 {
		below := ""
		if i >= 0 {
			below = list[i].id
		}
		var err error
		if id, err = p.writeAbove(ctx, below, path[1:], id); err != nil {
			return "", err
		}
	}
	if i >= 0 {
		list = slices.Delete(list, i, i+1)
	}
	if id != "" {
		list = append(list, treeEntry{"040000", "tree", id, path[0]})
	}
	if len(list) == 0 {
		return "", nil
	}
	ids, err := p.makeTrees(ctx, [][]treeEntry{list})
	if err != nil {
		return "", err
	}
	return ids[0], nil
}

// makeTrees writes a tree object of each list of entries, none of which is empty. Objects that the entries name may be missing, as in a
// partial clone.
func (p *Plan) makeTrees(ctx context.Context, lists [][]treeEntry) (ids []string, err error) {
	var in bytes.Buffer
	for _, list := range lists {
		for _, e := range list {
			fmt.Fprintf(&in, "%s %s %s\t%s\x00", e.mode, e.kind, e.id, e.name)
		}
		in.WriteByte(0)
	}
	text, err := p.git(ctx, in.Bytes(), "mktree", "-z", "--missing", "--batch")
	if err != nil {
		return nil, err
	}
	if ids = strings.Fields(string(text)); len(ids) != len(lists) {
		return nil, fmt.Errorf("read mktree: %w: %d ids for %d trees", git.ErrUnsupported, len(ids), len(lists))
	}
	return ids, nil
}

// Limits of the wait while another git process has the index locked: the number of tries, and the time between two.
const (
	lockLooks = 10
	lockPause = 100 * time.Millisecond
)

// indexedFile returns the file as it is in the index, or as in HEAD if its entry in the index is only an announcement (git add -N).
func (c *Change) indexedFile() TreeFile {
	if isIntentToAdd(c.index, c.Old) {
		return c.Old
	}
	return c.index
}

// setIndex replaces the index entries of the changed paths: side returns the expected entry and the new one. It does not read entries of
// other paths.
func (p *Plan) setIndex(ctx context.Context, side func(*Change) (from, to TreeFile)) error {
	var gone, set bytes.Buffer
	for i := range p.Changes {
		c := &p.Changes[i]
		switch from, b := side(c); {
		case from == b:
		case b.ID == "":
			fmt.Fprintf(&gone, "0 %s\t%s\x00", strings.Repeat("0", len(c.Old.ID+c.New.ID)), c.Path)
		default:
			fmt.Fprintf(&set, "%s %s\t%s\x00", b.Mode, b.ID, c.Path)
		}
	}
	if gone.Len()+set.Len() == 0 {
		return nil
	}
	in := append(gone.Bytes(), set.Bytes()...)                               // a file may take the place of a folder
	settings := append(slices.Clone(p.settings), "core.untrackedCache=keep") // the user's cache in the index stays
	var err error
	for range lockLooks {
		_, err = git.Git{}.Run(ctx, p.repo, settings, in, "update-index", "-z", "--index-info")
		if err == nil || !strings.Contains(err.Error(), "index.lock") {
			return err
		}
		time.Sleep(lockPause)
	}
	return fmt.Errorf("%w (another git process works on the index; try again when it has ended)", err)
}
