// Package watch reports when a tree may have changed: it turns the file system's notifications into batches of paths, or
// into a request
// to look at the whole tree where notifications were lost, are not available, or are less precise than a look. It reads
// no file and
// decides nothing about content; package engine does both, and chooses the directories.
package watch

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Options are the options of a Watcher; zero values are defaults.
type Options struct {
	Root string // absolute, without symbolic links
	// GitDir is the git directory of the working tree, "" without git: a change
	// of HEAD or of git's index there asks for a look at the tree, and while git
	// holds its index.lock no batch ends, because git is still changing files.
	GitDir   string
	Debounce time.Duration // quiet time that ends a batch; 150 ms
	MaxDelay time.Duration // after which a batch ends without quiet; 1 s
	Poll     time.Duration // between looks when there are no notifications; 2 s
	// MaxDirs is the largest number of directories to watch; 0 means no
	// limit. The system's own limit may be lower. With more directories, the
	// watcher polls the tree instead.
	MaxDirs int
	// Fences is the directory in which Fence makes its files, "" for none.
	Fences string
}

// The reasons for comparing the whole tree.
const (
	Branch      = "branch"      // HEAD moved: a checkout, a commit, a reset
	GitIndex    = "git_index"   // the set of tracked files may differ
	Overflow    = "overflow"    // notifications were lost
	Directories = "directories" // a directory came, went or moved, or ignore rules changed
	Many        = "many"        // so many paths that a look is cheaper
	Polling     = "polling"     // there are no notifications, and the time to look has come
)

// Batch holds the possible changes since the last batch.
type Batch struct {
	Paths []string // relative to the root, '/' between elements, sorted; nil with Reason
	// Reason asks for a look at the whole tree, and is one of the constants above; "" if Paths are all.
	Reason string
}

const (
	// maxPaths bounds a batch: a look at the tree costs about as much as this
	// many single files.
	maxPaths = 64
	// maxHeld bounds the wait for git to release its index, because a crashed git leaves the lock behind.
	maxHeld = 10 * time.Second
)

// Watcher watches one tree. SetDirs and Close are for one goroutine at a time, the other methods may run beside them. A
// goroutine of its own takes notifications.
type Watcher struct {
	opt    Options
	ctl    sync.WaitGroup // the goroutine that drains fs
	prefix string         // of the files that Fence makes

	mu          sync.Mutex        // guards what follows
	fs          *fsnotify.Watcher // nil while polling
	fences      map[string]chan struct{}
	made        int             // files that Fence made
	dirs        map[string]bool // watched, absolute
	gone        []string        // watched directories that went away
	paths       map[string]struct{}
	reason      string
	first, last time.Time
	wake        chan struct{} // holds one token when there is something new
	limit       error         // why notifications were given up
}

// New returns a watcher that watches no directory yet. It never fails: without notifications it polls; see Limit.
func New(opt Options) *Watcher {
	w := &Watcher{
		opt: opt, dirs: map[string]bool{}, paths: map[string]struct{}{}, wake: make(chan struct{}, 1), fences: map[string]chan struct{}{},
	}
	w.opt.Debounce = orDefault(opt.Debounce, 150*time.Millisecond)
	w.opt.MaxDelay = orDefault(opt.MaxDelay, time.Second)
	w.opt.Poll = orDefault(opt.Poll, 2*time.Second)
	f, err := fsnotify.NewWatcher()
	if err != nil {
		w.limit = err
		return w
	}
	w.fs = f
	if opt.GitDir != "" { // gone or forbidden: the tree itself is still watched
		_ = f.Add(opt.GitDir)
		_ = f.Add(filepath.Join(opt.GitDir, "info"))
	}
	w.openFences(f)
	w.ctl.Go(func() { w.drain(f) })
	return w
}

func orDefault(d, def time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return def
}

// Close stops watching. It returns the error of closing the system's notifier.
func (w *Watcher) Close() error {
	err := w.stop()
	w.ctl.Wait()
	return err
}

func (w *Watcher) stop() error {
	w.mu.Lock()
	f := w.fs
	w.fs = nil
	w.mu.Unlock()
	if f == nil {
		return nil
	}
	return f.Close()
}

// notifier returns the source of notifications, nil while polling.
func (w *Watcher) notifier() *fsnotify.Watcher {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.fs
}

// Limit returns the error because of which the watcher polls, nil if it is notified.
func (w *Watcher) Limit() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.limit
}

// Dirs returns the number of watched directories; 0 while polling.
func (w *Watcher) Dirs() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.dirs)
}

// SetDirs makes dirs (relative to the root, "" for the root itself) the watched directories and returns the number of
// new ones. Changes in those before now were not seen: look at the tree once more if there are any.
func (w *Watcher) SetDirs(dirs []string) (added int) {
	f := w.notifier()
	if f == nil {
		return 0
	}
	if w.opt.MaxDirs > 0 && len(dirs) > w.opt.MaxDirs {
		w.giveUp(errLimit)
		return 0
	}
	w.forget()
	want := make(map[string]bool, len(dirs))
	for _, d := range dirs {
		abs := filepath.Join(w.opt.Root, filepath.FromSlash(d))
		want[abs] = true
		if w.isWatched(abs) {
			continue
		}
		switch err := f.Add(abs); {
		case err == nil && isRemote(abs):
			w.giveUp(errRemote)
			return 0
		case err == nil:
			w.mu.Lock()
			w.dirs[abs] = true
			w.mu.Unlock()
			added++
		case isExhausted(err):
			w.giveUp(err)
			return 0
		}
		// Any other failure means that the directory went away or cannot be read. The watch of its parent reports it
		// when it is back.
	}
	w.drop(func(d string) bool { return !want[d] })
	return added
}

func (w *Watcher) isWatched(abs string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.dirs[abs]
}

// drop stops watching the directories for which f is true; it gets their absolute paths.
func (w *Watcher) drop(f func(abs string) bool) {
	w.mu.Lock()
	var list []string
	for d := range w.dirs {
		if f(d) {
			list = append(list, d)
			delete(w.dirs, d)
		}
	}
	n := w.fs
	w.mu.Unlock() // Remove may wait for a notification to be taken
	if n == nil {
		return
	}
	for _, d := range list {
		_ = n.Remove(d)
	}
}

var (
	errLimit  = errors.New("more directories than are to be watched")
	errRemote = errors.New("other machines can change the files, which is not notified")
)

// isExhausted reports whether an error means that the system grants no more watches.
func isExhausted(err error) bool {
	for _, full := range [...]error{syscall.ENOSPC, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM} {
		if errors.Is(err, full) {
			return true
		}
	}
	return false
}

func (w *Watcher) giveUp(err error) {
	_ = w.stop()
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.dirs)
	w.limit = err
	w.rouse()
}

// forget stops watching directories that were removed or moved, and those below
// them, because a moved directory would report changes under its old name.
func (w *Watcher) forget() {
	w.mu.Lock()
	gone := w.gone
	w.gone = nil
	w.mu.Unlock()
	for _, g := range gone {
		below := g + string(filepath.Separator)
		w.drop(func(d string) bool { return d == g || strings.HasPrefix(d, below) })
	}
}

// drain reads notifications as fast as they come, so that the kernel's queue does
// not overflow. It ends when f is closed.
func (w *Watcher) drain(f *fsnotify.Watcher) {
	for {
		select {
		case ev, ok := <-f.Events:
			if !ok {
				return
			}
			w.take(ev)
		case err, ok := <-f.Errors:
			if !ok {
				return
			}
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				w.note("", Overflow)
			}
		}
	}
}

// take turns one notification into a path that may have changed, or into a reason for comparing the whole tree.
func (w *Watcher) take(ev fsnotify.Event) {
	if w.isFence(ev) {
		return
	}
	if w.opt.GitDir != "" && filepath.Dir(ev.Name) == w.opt.GitDir {
		switch filepath.Base(ev.Name) {
		case "HEAD":
			w.note("", Branch)
		case "index":
			w.note("", GitIndex)
		}
		return
	}
	if w.opt.GitDir != "" && ev.Name == filepath.Join(w.opt.GitDir, "info", "exclude") {
		w.note("", Directories)
		return
	}
	rel, err := filepath.Rel(w.opt.Root, ev.Name)
	rel = filepath.ToSlash(rel)
	if err != nil || rel == ".ken" || strings.HasPrefix(rel, ".git/") {
		return
	}
	// A directory with .git in it is a repository of its own, which is not entered.
	ofRepository := path.Base(rel) == ".git" || path.Base(path.Dir(rel)) == ".git"
	switch {
	case rel == "." || ofRepository || decidesListing(rel):
		w.note("", Directories)
	case ev.Has(fsnotify.Remove) || ev.Has(fsnotify.Rename):
		if w.noteGone(ev.Name) {
			w.note("", Directories)
			return
		}
		w.note(rel, "")
	case ev.Has(fsnotify.Create):
		if isDir(ev.Name) {
			w.note("", Directories)
			return
		}
		w.note(rel, "")
	case ev.Op == fsnotify.Chmod && isDir(ev.Name):
		if !w.isWatched(ev.Name) || !isReadable(ev.Name) { // it was unreadable, or is now
			w.note("", Directories)
		}
	default:
		w.note(rel, "")
	}
}

func isDir(path string) bool {
	st, err := os.Lstat(path)
	return err == nil && st.Mode()&fs.ModeDir != 0
}

func isReadable(dir string) bool {
	f, err := os.Open(dir)
	if err == nil {
		f.Close()
	}
	return err == nil
}

// decidesListing reports whether a file decides which others are listed, or how they count.
func decidesListing(rel string) bool {
	switch filepath.Base(rel) {
	case ".gitignore", ".kenignore", ".gitattributes", ".gitmodules":
		return true
	}
	return false
}

// noteGone reports whether a path that went away was a watched directory, and remembers it.
func (w *Watcher) noteGone(abs string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.dirs[abs] {
		w.gone = append(w.gone, abs)
	}
	return w.dirs[abs]
}

// note adds a changed path, or a reason for comparing the whole tree, to the current batch.
func (w *Watcher) note(path, reason string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if len(w.paths) == 0 && w.reason == "" {
		w.first = now
	}
	w.last = now
	switch {
	case reason != "":
		w.askForLook(reason)
	case w.reason == "":
		w.paths[path] = struct{}{}
		if len(w.paths) > maxPaths {
			w.askForLook(Many)
		}
	}
	w.rouse()
}

// rouse wakes the goroutine that waits for changes.
func (w *Watcher) rouse() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// askForLook requests a comparison of the whole tree. The strongest of several reasons is kept.
func (w *Watcher) askForLook(reason string) {
	weight := map[string]int{"": 0, Many: 1, GitIndex: 2, Directories: 3, Branch: 4, Overflow: 5}
	if weight[reason] > weight[w.reason] {
		w.reason = reason
	}
	clear(w.paths)
}

// Next waits for a change, then for quiet, and returns the batch. Without notifications it waits for Options.Poll and
// asks for a look, whether or not something changed. It returns the error of ctx.
func (w *Watcher) Next(ctx context.Context) (Batch, error) {
	if w.notifier() == nil {
		return Batch{Reason: Polling}, sleep(ctx, w.opt.Poll)
	}
	if err := w.Settle(ctx); err != nil {
		return Batch{}, err
	}
	return w.Take(), nil
}

// Settle waits for a change, then for quiet, and leaves the changes to Take. It returns the error of ctx.
func (w *Watcher) Settle(ctx context.Context) error {
	select {
	case <-w.wake:
	case <-ctx.Done():
		return ctx.Err()
	}
	for {
		wait := w.remainingWait()
		if wait <= 0 {
			return nil
		}
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// remainingWait returns how long to wait before checking the batch again, at most 0 if it has ended.
func (w *Watcher) remainingWait() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if w.gitBusy() && now.Sub(w.first) < maxHeld {
		return w.opt.Debounce
	}
	return min(w.opt.Debounce-now.Sub(w.last), w.opt.MaxDelay-now.Sub(w.first))
}

// gitBusy reports whether git is in the middle of an operation.
func (w *Watcher) gitBusy() bool {
	if w.opt.GitDir == "" {
		return false
	}
	_, err := os.Lstat(filepath.Join(w.opt.GitDir, "index.lock"))
	return err == nil
}

// Take returns the changes collected so far, settled or not.
func (w *Watcher) Take() Batch {
	w.mu.Lock()
	defer w.mu.Unlock()
	select { // this batch includes the change that would wake the next call
	case <-w.wake:
	default:
	}
	b := Batch{Reason: w.reason}
	for p := range w.paths {
		b.Paths = append(b.Paths, p)
	}
	slices.Sort(b.Paths)
	clear(w.paths)
	w.reason = ""
	return b
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
