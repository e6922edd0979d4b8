package list

import (
	"context"
	"slices"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/engine/source/scan/nofollow"
	"ken/internal/git"
)

// List lists the whole tree. Without prev it reads every directory and, if
// there is git, lets git list the tree, too: if the two differ, git is right. With
// prev, an earlier listing, it stats the known paths and reads only directories that
// changed, by ken's own rules and without starting git; if an ignore file, a setting
// or the set of tracked files changed, it reads every directory.
//
// Files that are tracked and deleted are not listed; tracked and ignored ones
// are. Two calls for the same tree return the same Files and Dirs. It fails if the root
// cannot be read or ctx ends.
func (s *Lister) List(ctx context.Context, prev *Listing) (*Listing, error) {
	x, err := s.beginSession()
	if err != nil {
		return nil, err
	}
	defer x.closeFiles()
	if prev != nil && prev.options == x.optionsHash() {
		now, err := x.compareWith(ctx, prev)
		if now != nil || err != nil {
			return now, err
		}
	}
	now, err := x.listAll(ctx, prev == nil)
	if err != nil {
		return nil, err
	}
	if prev != nil {
		now.markRacy(prev)
	}
	return now, nil
}

// gitPatience bounds the wait for git's listing once ours is complete, because a
// repository can make git hang (a pipe in place of an ignore file).
const gitPatience = 30 * time.Second

// listAll reads every directory of the tree, and with byGit set also runs git. It fails if ctx ends.
func (x *session) listAll(ctx context.Context, byGit bool) (*Listing, error) {
	x.loadOuterRules()
	mustGit := x.loadTracked() != nil
	ctxGit, cancel := context.WithCancel(ctx)
	defer cancel()
	var asked chan gitAnswer
	hasGit := x.repo != nil && !x.detached && !x.opt.NoGit
	wantsGit := (byGit || mustGit) && !x.gitWouldHang
	if hasGit && wantsGit {
		asked = x.askGit(ctxGit)
	}
	if mustGit { // the walk needs the tracked paths
		var a gitAnswer
		if asked != nil {
			a = x.waitForGit(ctx, asked, cancel)
			asked <- a
		}
		x.setListed(a.list)
	}
	all, err := x.walkDirs(ctx, x.top)
	if err != nil {
		return nil, err
	}
	now := &Listing{
		Files: all.files, Dirs: all.dirs, Ignored: all.ignored, LookedAt: x.began,
		options: x.optionsHash(), tracked: x.tracked.pathsHash(), sources: x.sourceFiles(),
	}
	if asked != nil && !x.gitWouldHang && !x.detached {
		if a := x.waitForGit(ctx, asked, cancel); a.list != nil {
			x.matchGit(now, a.list)
		}
	}
	return now, ctx.Err()
}

// sourceFiles returns all files that decide which other files are listed, such as ignore files, in a fixed order.
func (x *session) sourceFiles() []source {
	x.mu.Lock()
	defer x.mu.Unlock()
	slices.SortFunc(x.inside, func(a, b source) int { return strings.Compare(a.path, b.path) })
	return append(slices.Clone(x.outside), x.inside...)
}

type gitAnswer struct {
	list *git.Listing
	err  error
}

// askGit lets git list the tree while ken reads the directories itself.
func (x *session) askGit(ctx context.Context) chan gitAnswer {
	ch := make(chan gitAnswer, 1)
	go func() {
		list, err := x.opt.Git.List(ctx, x.repo, x.Lister.root, x.exFile)
		ch <- gitAnswer{list, err}
	}()
	return ch
}

// waitForGit waits for git's answer. After an error of git (not installed, a broken or
// hostile repository) the listing is by ken's own rules.
func (x *session) waitForGit(ctx context.Context, asked chan gitAnswer, cancel func()) gitAnswer {
	patience := time.NewTimer(gitPatience)
	defer patience.Stop()
	select {
	case a := <-asked:
		return a
	case <-patience.C:
	case <-ctx.Done():
	}
	cancel()
	return <-asked
}

// matchGit makes the listing equal to git's. The two differ only where ken's rules
// are wrong, or where the tree changed between the two looks.
func (x *session) matchGit(now *Listing, g *git.Listing) {
	others := make(map[string]bool, len(g.Others))
	for _, p := range g.Others {
		others[strings.TrimSuffix(p, "/")] = true
	}
	have := make(map[string]bool, len(now.Files))
	keep := now.Files[:0]
	for _, e := range now.Files {
		have[e.Path] = true
		// git lists neither pipes nor directories that are not entered.
		beyondGit := e.Problem == code.ProblemSpecial || e.Dir && e.Problem != code.ProblemNestedRepo
		if e.Tracked || others[e.Path] || beyondGit {
			keep = append(keep, e)
		}
	}
	now.Files = keep
	for p := range others {
		if !have[p] {
			x.addGitFile(now, p)
		}
	}
	sortEntries(now.Files)
}

// addGitFile adds a file that git lists and ken's walk did not.
func (x *session) addGitFile(now *Listing, path string) {
	for d := code.Dir(path); ; d = code.Dir(d) {
		if e, ok := now.Find(d); ok && e.Dir || d == ".ken" || strings.HasSuffix(d, "/.ken") {
			return // excluded or unreadable
		}
		if d == "" {
			break
		}
	}
	st, k, err := x.root.NewStatReader().Lstat("", path)
	if err != nil || k != nofollow.Regular && k != nofollow.Link {
		return
	}
	e := Entry{Path: path, Stat: st}
	if k == nofollow.Link {
		e.Problem = code.ProblemSymlink
	}
	now.Files = append(now.Files, e)
}

// markRacy sets Racy, the files too young to be trusted, after all directories were read.
func (l *Listing) markRacy(prev *Listing) {
	a := prev.Files
	for _, e := range l.Files {
		for len(a) > 0 && a[0].Path < e.Path {
			a = a[1:]
		}
		if len(a) == 0 || a[0].Path != e.Path || e.Problem != code.ProblemNone {
			continue
		}
		if sameEntry(a[0], e) && isTooYoung(e.Stat, prev.LookedAt) {
			l.Racy = append(l.Racy, e.Path)
		}
	}
}
