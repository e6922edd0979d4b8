package watch

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// fencePrefix is the beginning of the names of fence files. The watcher makes such a file and waits for its notification, to know that
// all earlier ones have arrived.
const fencePrefix = "fence-"

// leftOver is the age from which a fence file counts as the remains of a killed process. A fence file in use
// is a few milliseconds old.
const leftOver = time.Minute

// ErrNoFence reports that notifications of earlier changes may still be missing.
var ErrNoFence = errors.New("the notifications of the file system are late, or not in order")

// openFences watches the directory of fences, and removes the files that killed processes left there.
func (w *Watcher) openFences(f *fsnotify.Watcher) {
	if w.opt.Fences == "" {
		return
	}
	w.prefix = fencePrefix + rand.Text() + "-"
	_ = f.Add(w.opt.Fences) // if this fails, Fence fails with ErrNoFence
	list, _ := os.ReadDir(w.opt.Fences)
	for _, en := range list {
		if !strings.HasPrefix(en.Name(), fencePrefix) || !en.Type().IsRegular() {
			continue
		}
		if st, err := en.Info(); err == nil && time.Since(st.ModTime()) > leftOver {
			_ = os.Remove(filepath.Join(w.opt.Fences, en.Name()))
		}
	}
}

// Fence returns once every notification that the system had when Fence was called has been taken: it creates a file and
// waits for its notification, because notifications come in order. It fails with ErrNoFence if that does not come in
// time, the file cannot be made, the watcher polls, or the system gives no order, or with the error of ctx.
func (w *Watcher) Fence(ctx context.Context, within time.Duration) error {
	// Other systems keep one queue for each directory.
	if runtime.GOOS != "linux" || w.opt.Fences == "" || w.notifier() == nil {
		return ErrNoFence
	}
	name, came := w.expect()
	defer func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.fences, name)
	}()
	path := filepath.Join(w.opt.Fences, name)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoFence, err)
	}
	f.Close()
	defer os.Remove(path)
	t := time.NewTimer(within)
	defer t.Stop()
	select {
	case <-came:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return ErrNoFence
	}
}

// expect returns the name of the next fence, and a channel that is closed when its notification comes.
func (w *Watcher) expect() (name string, came chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.made++
	name, came = fmt.Sprintf("%s%d", w.prefix, w.made), make(chan struct{})
	w.fences[name] = came
	return name, came
}

// isFence reports whether a notification is of the directory of fences, and wakes the waiting Fence.
func (w *Watcher) isFence(ev fsnotify.Event) bool {
	if w.opt.Fences == "" || filepath.Dir(ev.Name) != w.opt.Fences {
		return false
	}
	if !ev.Has(fsnotify.Create) {
		return true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	name := filepath.Base(ev.Name)
	if came := w.fences[name]; came != nil {
		close(came)
		delete(w.fences, name)
	}
	return true
}
