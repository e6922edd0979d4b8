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

// fencePrefix begins the names of the files that Fence makes.
const fencePrefix = "fence-"

// leftOver is the age from which a file of Fence's counts as one of a process that
// was killed. One that is in use is a few milliseconds old.
const leftOver = time.Minute

// ErrNoFence says that it is not known whether all notifications were taken.
var ErrNoFence = errors.New("the notifications of the file system are late, or not in order")

// openFences watches the directory of fences, and removes what killed processes left there.
func (w *Watcher) openFences(f *fsnotify.Watcher) {
	if w.opt.Fences == "" {
		return
	}
	w.prefix = fencePrefix + rand.Text() + "-"
	_ = f.Add(w.opt.Fences) // without it no fence comes back, which Fence says
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

// Fence returns when every notification was taken that the system had when Fence was
// called: it makes a file and waits for the notification of that one, because they
// come in their order. If it does not come in time the error is ErrNoFence.
func (w *Watcher) Fence(ctx context.Context, within time.Duration) error {
	// Elsewhere each directory has a queue of its own.
	if runtime.GOOS != "linux" || w.opt.Fences == "" || w.notifier() == nil {
		return ErrNoFence
	}
	name, came := w.expect()
	defer w.forgetFence(name)
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

// expect makes the name of the next fence, and a channel that is closed when it is noticed.
func (w *Watcher) expect() (name string, came chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.made++
	name, came = fmt.Sprintf("%s%d", w.prefix, w.made), make(chan struct{})
	w.fences[name] = came
	return name, came
}

func (w *Watcher) forgetFence(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.fences, name)
}

// isFence takes a notification of the directory of fences.
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
