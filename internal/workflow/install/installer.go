package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"ken/internal/git/plumbing"
	"ken/internal/workflow/install/jsonedit"
)

// Installer installs and removes plans. Several processes may use it at a time.
type Installer struct {
	State string // ken's state directory, where manifests are kept
	// Reapply merges the changes of the user into files of ken's from which they were kept aside.
	Reapply bool

	// step is called before each write; an error of it ends the process as a kill would. Only tests set it.
	step func(string) error
}

// The actions on a file, done or planned.
const (
	Created   = "created"
	Changed   = "changed"
	Unchanged = "unchanged"
	Removed   = "removed"
	Restored  = "restored" // it has its old bytes again
	Kept      = "kept"     // it belongs to ken, but was changed by others
)

// Change is a change of one file.
type Change struct {
	Path, What, Action string
	Note               string // or ""
	Before, After      []byte // whole contents
	// Conflicts are the places of a file of ken's in which the changes of the user could not be merged.
	Conflicts []plumbing.TextConflict
}

// NothingToDo reports whether changes would leave all files as they are.
func NothingToDo(changes []Change) bool {
	return !slices.ContainsFunc(changes, func(c Change) bool { return c.Action != Unchanged && c.Action != Kept })
}

// PreviewInstall returns the changes that Install would make. It fails as Install does, except for errors of writing.
func (in *Installer) PreviewInstall(ctx context.Context, p *Plan) ([]Change, error) {
	_, list, err := in.prepareInstall(ctx, p)
	return listChanges(list), err
}

// PreviewUninstall returns the changes that Uninstall would make. It fails as Uninstall does, except for errors of writing.
func (in *Installer) PreviewUninstall(_ context.Context, p *Plan) ([]Change, error) {
	_, list, err := in.prepareUninstall(p)
	return listChanges(list), err
}

// Install installs a plan. Existing text stays as it is. If both ken and the user have changed a file of ken's, the user's version is kept
// aside; with Reapply it is merged, if there are no conflicts. It writes nothing and fails if any part of the plan cannot be done: a file
// is a link out of the plan's folders, not regular, too large, read-only, owned by another user, or not in the expected form. It also
// fails if the lock or a file cannot be taken or written.
func (in *Installer) Install(ctx context.Context, p *Plan) ([]Change, error) {
	return in.runLocked(ctx, func() ([]Change, error) {
		m, list, err := in.prepareInstall(ctx, p)
		if err != nil {
			return nil, err
		}
		return listChanges(list), in.commitInstall(p, m, list)
	})
}

// Uninstall removes the additions of a plan, by the record of the installation if there is one. It fails as Install does.
func (in *Installer) Uninstall(ctx context.Context, p *Plan) ([]Change, error) {
	return in.runLocked(ctx, func() ([]Change, error) {
		m, list, err := in.prepareUninstall(p)
		if err != nil {
			return nil, err
		}
		return listChanges(list), in.commitUninstall(p, m, list)
	})
}

// maxTries is the number of attempts when a file is changed meanwhile.
const maxTries = 5

// runLocked calls do while it holds the lock. It repeats the call if another program changes a file meanwhile.
func (in *Installer) runLocked(ctx context.Context, do func() ([]Change, error)) ([]Change, error) {
	release, err := in.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	for try := 1; ; try++ {
		changes, err := do()
		if try == maxTries || !errors.Is(err, errRaced) {
			return changes, err
		}
	}
}

// lockTimeout is the longest wait for the lock.
const lockTimeout = 10 * time.Second

func (in *Installer) lock(ctx context.Context) (release func(), err error) {
	if in.State == "" {
		return nil, errors.New("there is no state directory for the record of the installation: neither HOME nor KEN_STATE names one")
	}
	if err := os.MkdirAll(in.State, 0o700); err != nil {
		return nil, fmt.Errorf("keep the record of the installation: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	l := flock.New(filepath.Join(in.State, "install.lock"), flock.SetPermissions(0o600))
	if _, err := l.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		return nil, fmt.Errorf("wait for another installation: %w", err)
	}
	return func() { l.Unlock() }, nil
}

// callStep calls the test hook step, if it is set.
func (in *Installer) callStep(what string) error {
	if in.step == nil {
		return nil
	}
	return in.step(what)
}

// PreviousValue returns the value of a key that an installation has replaced in a file, as it was written there, or nil.
func (in *Installer) PreviousValue(name, root, path, key string) []byte {
	m, err := readManifest(in.recordDir(name, root))
	if err != nil {
		return nil
	}
	if r := m.findRecord(path); r != nil {
		for _, p := range r.JSON.Previous {
			if p.Key == key {
				return jsonedit.StandardJSON(p.Text)
			}
		}
	}
	return nil
}

// recordDir returns the folder of an installation's manifest.
func (in *Installer) recordDir(name, root string) string {
	return filepath.Join(in.State, "install", name+"-"+hash([]byte(root))[:12])
}

// Installed is an installation that is recorded in a manifest.
type Installed struct {
	Name, Root string
	Complete   bool     // it was not broken off
	Version    string   // of ken, "" if it was not recorded
	Options    []string // with which it was made
}

// List returns the recorded installations. It returns an error if the folder of manifests cannot be read.
func (in *Installer) List() ([]Installed, error) {
	var out []Installed
	err := in.eachManifest(func(m *manifest) {
		out = append(out, Installed{m.Name, m.Root, m.State == stateInstalled, m.Ken, m.Options})
	})
	return out, err
}

// noticed is the file beside a manifest with the version of ken that the user knows of.
const noticed = "noticed"

// FirstNotice reports whether the user has not heard yet that another version of ken than the installation's is there, and records
// that they are. The next installation forgets it.
func (in *Installer) FirstNotice(k Installed, version string) bool {
	at := filepath.Join(in.recordDir(k.Name, k.Root), noticed)
	if before, err := os.ReadFile(at); err == nil && string(before) == version {
		return false
	}
	return writePrivate(at, []byte(version)) == nil
}

// HasWritten reports whether a recorded installation has written an entry that runs a program. Manifests are the user's own, so the
// program does not come from a repository.
func (in *Installer) HasWritten(program string) bool {
	found := false
	err := in.eachManifest(func(m *manifest) {
		for i := range m.Files {
			found = found || slices.ContainsFunc(m.Files[i].Entries, func(e Entry) bool { return len(e.Argv) > 0 && e.Argv[0] == program })
		}
	})
	return found && err == nil
}

// eachManifest calls f for each manifest that can be read.
func (in *Installer) eachManifest(f func(*manifest)) error {
	base := filepath.Join(in.State, "install")
	entries, err := os.ReadDir(base)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if m, err := readManifest(filepath.Join(base, e.Name())); err == nil && m != nil {
			f(m)
		}
	}
	if err != nil {
		return recordError(err)
	}
	return nil
}
