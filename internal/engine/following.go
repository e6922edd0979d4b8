package engine

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"ken/internal/code"
	"ken/internal/engine/source"
	"ken/internal/engine/update"
	"ken/internal/engine/watch"
	"ken/internal/git"
)

const (
	// fenceWait is the time that a question waits for notifications of the file
	// system. After it, the question compares the tree instead, which takes about as
	// long.
	fenceWait = 100 * time.Millisecond
	// maxMissed is the number of waits without a notification after which the watcher is made anew.
	maxMissed = 3
	// followAgain is the time between a fault and the next watcher; it doubles with each fault.
	followAgain    = 10 * time.Second
	maxFollowAgain = 10 * time.Minute
	// lookEvery is the time after which a question starts another comparison of the whole tree in the background,
	// because not every change is notified.
	lookEvery = time.Minute
	// maxLinked is the largest number of files with several names (hard links) that each question compares one by one.
	maxLinked = 64
)

// errFollow reports that notifications do not suffice to follow the changes of the tree.
var errFollow = errors.New("the tree cannot be followed")

// follower keeps the index up to date by the notifications of the file system, so that
// questions need not compare the whole tree.
type follower struct {
	e      *Engine
	w      *watch.Watcher
	mounts *watch.Mounts
	repo   git.Repo      // the working tree it began with, no root without git
	stale  chan struct{} // has an entry if a look at the whole tree is old
	turn   chan struct{} // has an entry while one goroutine uses the fields below and brings the index up to date

	owed    bool // the next question looks at the whole tree, whatever was notified
	outside source.Outside
	looked  string    // update.State.Looked of the last look at the whole tree
	at      time.Time // of that look
	linked  []string  // files with several names
	missed  int       // waits for notifications in vain, one after the other
	ended   bool
	cancel  context.CancelFunc
	working sync.WaitGroup
}

// Follow watches the tree until ctx ends, so that answers need not compare it: each answer first updates the index
// with the notified changes. Watching begins after the first answer, which must not wait for it. Where notifications
// are missing or do not suffice, answers compare the tree.
func (e *Engine) Follow(ctx context.Context) {
	select {
	case <-e.answered:
	case <-ctx.Done():
		return
	}
	for wait := followAgain; e.follow(ctx); wait = min(2*wait, maxFollowAgain) {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}

// OnSettled has f called after notified changes of the tree were taken over, until stop is called. f must
// not wait. While the tree is not followed, it is not called.
func (e *Engine) OnSettled(f func()) (stop func()) {
	e.settled.Store(&f, f)
	return func() { e.settled.Delete(&f) }
}

func (e *Engine) callSettled() {
	e.settled.Range(func(_, f any) bool { f.(func())(); return true })
}

// IsFollowed reports whether answers are given without comparing the tree.
func (e *Engine) IsFollowed() bool { return e.follower.Load() != nil }

// follow follows the tree until that becomes impossible; again reports whether to
// try once more.
func (e *Engine) follow(ctx context.Context) (again bool) {
	f := e.newFollower()
	defer f.close()
	ctx, f.cancel = context.WithCancel(ctx)
	defer f.cancel()
	if err := f.w.Fence(ctx, followAgain); errors.Is(err, watch.ErrNoFence) {
		return false // no notifications on this system, or nothing can be written
	}
	if err := f.look(ctx); err != nil || !f.suffices() {
		return err != nil && ctx.Err() == nil && f.w.Limit() == nil
	}
	e.follower.Store(f)
	defer e.follower.Store(nil)
	f.working.Go(func() { f.lookAgain(ctx) })
	for f.w.Settle(ctx) == nil {
		if !f.acquire(ctx) {
			break
		}
		// Changes that could not be taken over are left to the next question, which reports the reason.
		_ = f.applyNotified(ctx, WholeTree)
		f.release()
	}
	f.cancel()
	f.working.Wait()
	return f.suffices()
}

func (e *Engine) newFollower() *follower {
	f := &follower{e: e, mounts: watch.OpenMounts(), stale: make(chan struct{}, 1), turn: make(chan struct{}, 1)}
	o := watch.Options{Root: e.opt.Root, Fences: filepath.Join(e.opt.Root, ".ken")}
	if repo, err := git.Find(e.opt.Root); err == nil {
		f.repo, o.GitDir = *repo, repo.GitDir
	}
	f.w = watch.New(o)
	return f
}

// close ends the follower. It waits until the running question has ended; the next one compares the tree.
func (f *follower) close() {
	f.turn <- struct{}{}
	f.ended = true
	f.release()
	_ = f.w.Close()
	f.mounts.Close()
}

// isCurrent brings the index up to date by notifications, and reports whether that succeeded. It is false if the tree is not followed.
func (e *Engine) isCurrent(ctx context.Context, fresh Freshness) bool {
	f := e.follower.Load()
	if f == nil {
		return false
	}
	fence := f.w.Fence(ctx, fenceWait)
	if !f.acquire(ctx) {
		return false
	}
	defer f.release()
	if fence != nil {
		if f.missed++; f.missed >= maxMissed {
			f.end()
		}
		return false
	}
	f.missed = 0
	if f.applyNotified(ctx, fresh) != nil {
		return false
	}
	if time.Since(f.at) > lookEvery {
		select {
		case f.stale <- struct{}{}:
		default:
		}
	}
	return true
}

// acquire waits until no other question uses the follower. It reports false if ctx or the follower has ended.
func (f *follower) acquire(ctx context.Context) bool {
	select {
	case f.turn <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	if f.ended {
		f.release()
		return false
	}
	return true
}

func (f *follower) release() { <-f.turn }

// end stops the follower, so that a new one is started.
func (f *follower) end() {
	f.ended = true
	f.e.follower.CompareAndSwap(f, nil)
	f.cancel()
}

// applyNotified updates the index with the notified changes. If it fails, the next call compares the whole tree.
func (f *follower) applyNotified(ctx context.Context, fresh Freshness) error {
	b := f.w.Take()
	owed := f.owed || b.Reason != "" || f.mounts.HaveChanged() || !f.outside.IsUnchanged()
	f.owed = true
	var around git.Repo // the repository around the tree, which may be another one now
	if repo, err := git.Find(f.e.opt.Root); err == nil {
		around = *repo
	}
	if f.w.Limit() != nil || around != f.repo {
		f.end()
		return errFollow
	}
	if !owed {
		gone, err := f.update(ctx, slices.Concat(f.linked, b.Paths))
		if err != nil {
			return err
		}
		if owed, err = f.isDue(ctx, fresh); err != nil {
			return err
		}
		owed = owed || gone
	}
	if owed {
		if err := f.look(ctx); err != nil {
			return err
		}
	}
	f.owed = false
	if owed || len(b.Paths) > 0 {
		f.e.callSettled()
	}
	if !f.suffices() {
		f.end()
		return errFollow
	}
	return nil
}

// suffices reports whether notifications alone are enough to know the state of the tree.
func (f *follower) suffices() bool { return f.w.Limit() == nil && len(f.linked) <= maxLinked }

// update updates the index with changes of single files. gone reports that a file appeared and vanished, so that the tree must be
// compared.
func (f *follower) update(ctx context.Context, paths []string) (gone bool, err error) {
	if len(paths) == 0 {
		return false, nil
	}
	r, err := f.e.writer.Store.Read(ctx)
	if err != nil {
		return false, err
	}
	paths, err = f.e.tree.ChangedPaths(ctx, r, paths)
	r.Close()
	if err != nil || len(paths) == 0 {
		return false, err
	}
	f.addLinked(paths)
	_, err = f.e.Update(ctx, update.Request{Paths: paths})
	var missing *code.NotFoundError
	if errors.As(err, &missing) {
		return true, nil
	}
	return false, err
}

// isDue reports whether an answer must compare the whole tree although nothing was notified: because HEAD has moved to
// another commit, ranks must be computed, or another process has updated the index, perhaps with other settings.
func (f *follower) isDue(ctx context.Context, fresh Freshness) (bool, error) {
	r, err := f.e.writer.Store.Read(ctx)
	if err != nil {
		return false, err
	}
	defer r.Close()
	s, err := f.e.writer.State(ctx, r)
	return s.Due || s.Looked != f.looked || s.Unranked && fresh != Shown, err
}

// look compares the whole tree, updates the index, and watches the directories found.
func (f *follower) look(ctx context.Context) error {
	for try := 0; ; try++ {
		began := time.Now()
		u, err := f.e.Update(ctx, update.Request{})
		if err != nil {
			return err
		}
		added, files, err := f.watchSeen(ctx)
		if err != nil {
			return err
		}
		if f.at.IsZero() {
			f.addLinked(files)
		}
		for i := range u.Changes {
			f.addLinked([]string{u.Changes[i].Path})
		}
		f.at = began
		if added == 0 || try == maxTries {
			return nil
		}
	}
}

// watchSeen watches the directories that the last comparison of the tree found. It returns the number of new
// ones. Before the first comparison has ended it also returns all files.
func (f *follower) watchSeen(ctx context.Context) (added int, files []string, err error) {
	r, err := f.e.writer.Store.Read(ctx)
	if err != nil {
		return 0, nil, err
	}
	defer r.Close()
	s, err := f.e.writer.State(ctx, r)
	if err != nil {
		return 0, nil, err
	}
	l, err := source.ReadListing(r)
	if err != nil {
		return 0, nil, err
	}
	if l == nil {
		return 0, nil, errFollow
	}
	f.outside, f.looked = l.Outside(filepath.Join(f.repo.GitDir, "index")), s.Looked
	if f.at.IsZero() {
		for i := range l.Files {
			files = append(files, l.Files[i].Path)
		}
	}
	return f.w.SetDirs(l.WatchedDirs()), files, nil
}

// addLinked remembers those files that have several names (hard links), because a change under one name is not notified for the others.
func (f *follower) addLinked(files []string) {
	for _, p := range watch.HardLinked(f.e.opt.Root, files) {
		if len(f.linked) <= maxLinked && !slices.Contains(f.linked, p) {
			f.linked = append(f.linked, p)
		}
	}
}

// lookAgain waits for requests to compare the whole tree, and updates the index with the differences.
func (f *follower) lookAgain(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.stale:
		}
		began := time.Now()
		same, err := f.isSame(ctx)
		if !f.acquire(ctx) {
			return
		}
		f.at = began
		if err != nil || !same {
			f.owed = f.look(ctx) != nil
		}
		f.release()
	}
}

// isSame compares the whole tree, and reports whether it equals the index.
func (f *follower) isSame(ctx context.Context) (bool, error) {
	r, last, err := f.e.writer.ReadChecked(ctx)
	if err != nil {
		return false, err
	}
	r.Close()
	l, err := f.e.writer.CompareTree(ctx, last)
	return err == nil && l.IsSame(), err
}
