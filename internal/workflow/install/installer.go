package install

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"ken/internal/workflow/install/jsonedit"
)

// Installer carries plans out. It is safe for several processes at a time.
type Installer struct {
	State string // ken's state directory, where manifests are kept

	// step is called before each write; an error of it ends the process as a kill
	// would. Only tests set it.
	step func(string) error
}

// What happened to a file, or would happen.
const (
	Created   = "created"
	Changed   = "changed"
	Unchanged = "unchanged"
	Removed   = "removed"
	Restored  = "restored" // it has the bytes of before
	Kept      = "kept"     // it is ken's, and somebody has changed it
)

// Change is what happens to one file.
type Change struct {
	Path, What, Action string
	Note               string // "" if there is nothing to say
	Before, After      []byte // whole contents
}

// Done reports whether nothing is left to do.
func Done(changes []Change) bool {
	return !slices.ContainsFunc(changes, func(c Change) bool { return c.Action != Unchanged && c.Action != Kept })
}

// work is what is to be done with one file.
type work struct {
	Change
	at      place
	was     content
	now     content
	record  record
	restore []byte // content to be kept, so that it can come back
	orphan  bool   // the plan has it no more
}

// PreviewInstall says what Install would do.
func (in *Installer) PreviewInstall(p *Plan) ([]Change, error) {
	_, list, err := in.prepareInstall(p)
	return changesOf(list), err
}

// PreviewUninstall says what Uninstall would do.
func (in *Installer) PreviewUninstall(p *Plan) ([]Change, error) {
	_, list, err := in.prepareUninstall(p)
	return changesOf(list), err
}

func changesOf(list []work) []Change {
	var out []Change
	for _, w := range list {
		out = append(out, w.Change)
	}
	return out
}

// Install carries a plan out. What is there already stays as it is; where anything of
// the plan cannot be done nothing is.
func (in *Installer) Install(ctx context.Context, p *Plan) ([]Change, error) {
	return in.run(ctx, func() ([]Change, error) {
		m, list, err := in.prepareInstall(p)
		if err != nil {
			return nil, err
		}
		return changesOf(list), in.commitInstall(p, m, list)
	})
}

// Uninstall takes out what a plan has put in, by the manifest if there is one.
func (in *Installer) Uninstall(ctx context.Context, p *Plan) ([]Change, error) {
	return in.run(ctx, func() ([]Change, error) {
		m, list, err := in.prepareUninstall(p)
		if err != nil {
			return nil, err
		}
		return changesOf(list), in.commitUninstall(p, m, list)
	})
}

// tries is how often everything is begun anew because a file changed meanwhile.
const tries = 5

// run does something under the lock, again while other programs come in between.
func (in *Installer) run(ctx context.Context, do func() ([]Change, error)) ([]Change, error) {
	release, err := in.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	for try := 1; ; try++ {
		changes, err := do()
		if try == tries || !errors.Is(err, errRaced) {
			return changes, err
		}
	}
}

// patience is how long another process may hold the lock.
const patience = 10 * time.Second

func (in *Installer) lock(ctx context.Context) (release func(), err error) {
	if in.State == "" {
		return nil, errors.New("there is no state directory to keep the record of the installation in: neither HOME nor KEN_STATE names one")
	}
	if err := os.MkdirAll(in.State, 0o700); err != nil {
		return nil, fmt.Errorf("keep the record of the installation: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	l := flock.New(filepath.Join(in.State, "install.lock"), flock.SetPermissions(0o600))
	if _, err := l.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		return nil, fmt.Errorf("wait for another installation: %w", err)
	}
	return func() { l.Unlock() }, nil
}

// pass calls step, if there is one.
func (in *Installer) pass(what string) error {
	if in.step == nil {
		return nil
	}
	return in.step(what)
}

func (in *Installer) prepareInstall(p *Plan) (*manifest, []work, error) {
	m, err := readManifest(in.dirOf(p.Name, p.Root))
	if err != nil {
		return nil, nil, err
	}
	var list []work
	for _, it := range p.items() {
		w, err := in.prepareAdd(p, it, m)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", it.base().Path, err)
		}
		list = append(list, w)
	}
	if m == nil {
		return nil, list, nil
	}
	for _, r := range m.Files { // of an earlier version of the plan
		if slices.ContainsFunc(list, func(w work) bool { return w.Path == r.Path }) {
			continue
		}
		w, err := in.prepareRemove(p, r, true)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", r.Path, err)
		}
		w.orphan = true
		list = append(list, w)
	}
	return m, list, nil
}

// open finds and reads the file of a record.
func (r *record) open(p *Plan) (place, content, error) {
	within := p.Within
	if r.Within != "" {
		within = []string{r.Within}
	}
	at, err := resolve(r.Path, within)
	if err != nil {
		return place{}, content{}, err
	}
	cur, err := at.read()
	return at, cur, err
}

func (in *Installer) prepareAdd(p *Plan, it item, m *manifest) (work, error) {
	base := it.base()
	at, cur, err := base.open(p)
	if err != nil {
		return work{}, err
	}
	old := m.find(base.Path)
	made, err := it.add(cur, old)
	if err != nil {
		return work{}, err
	}
	w := work{
		Change: Change{Path: base.Path, What: base.What, Action: Unchanged, Note: made.note, Before: cur.data, After: made.data},
		at:     at, was: cur, now: made.content, record: made.record,
	}
	if !made.equal(cur) {
		w.Action = Changed
		if !cur.exists {
			w.Action = Created
		}
		if err := at.writable(); err != nil {
			return work{}, err
		}
	}
	if base.Kind == kindLines {
		in.shareLines(p, &w.record)
	}
	return w, w.remember(old)
}

// remember fills in what the record says of the file without ken.
func (w *work) remember(old *record) error {
	r := &w.record
	if old != nil {
		r.Dirs = old.Dirs
	}
	if w.Action == Created {
		r.Dirs = append(slices.Clone(r.Dirs), w.at.missing()...)
	}
	before := w.was
	switch now := hash(w.was.data); {
	case old == nil:
		var err error
		if before, err = w.unknown(); err != nil {
			return err
		}
		r.Made = !before.exists
	case w.Action == Unchanged:
		r.Before, r.Made, r.After = old.Before, old.Made, old.After
		if slices.Contains(r.After, now) {
			r.After = []string{now}
		}
		return nil
	case w.was.exists && slices.Contains(old.After, now):
		r.Before, r.Made = old.Before, old.Made
		r.After = append([]string{hash(w.now.data)}, old.After...)
		return nil
	default:
		r.Made = old.Made || !w.was.exists
		if w.was.exists {
			data, err := strip(w.was.data, old, false)
			if err != nil {
				return err
			}
			before = content{data, !r.Made || !blank(data)}
		}
	}
	r.After = []string{hash(w.now.data)}
	if before.exists {
		r.Before, w.restore = hash(before.data), before.data
	}
	return nil
}

// unknown is the file without ken when no manifest knows of it: somebody else may have
// installed ken and committed that, or the state directory was deleted.
func (w *work) unknown() (content, error) {
	if !w.was.exists || w.record.Kind == kindFile {
		return content{}, nil
	}
	data, err := strip(w.was.data, &w.record, true)
	return content{data, true}, err
}

func blank(data []byte) bool { return len(bytes.TrimSpace(data)) == 0 }

// strip takes out of a content what a record says was put in.
func strip(data []byte, r *record, unrecorded bool) ([]byte, error) {
	switch r.Kind {
	case kindSettings:
		return removeSettings(data, r, unrecorded)
	case kindBlock:
		return removeBlock(data, r)
	case kindLines:
		return removeLines(data, r, nil), nil
	}
	return data, nil
}

// shareLines makes lines that another installation has added ours, too, so that the
// last one which wants them takes them out.
func (in *Installer) shareLines(p *Plan, r *record) {
	in.others(p, r.Path, func(o *record) {
		for _, line := range o.Added {
			if slices.Contains(r.Lines, line) && !slices.Contains(r.Added, line) {
				r.Added = append(r.Added, line)
			}
		}
	})
}

// others visits what other installations have recorded of a file.
func (in *Installer) others(p *Plan, path string, f func(*record)) {
	in.each(func(m *manifest) {
		if o := m.find(path); o != nil && (m.Name != p.Name || m.Root != p.Root) {
			f(o)
		}
	})
}

// commitInstall writes the intent, the files, and that it is done.
func (in *Installer) commitInstall(p *Plan, old *manifest, list []work) error {
	dir := in.dirOf(p.Name, p.Root)
	in.sweep(p, old)
	m := &manifest{Version: manifestVersion, State: stateInstalling, Name: p.Name, Root: p.Root}
	for i := range list {
		w := &list[i]
		if w.restore != nil && w.record.Before != hash(w.now.data) {
			if err := errors.Join(in.pass("keep what is in "+w.Path), keep(dir, w.restore)); err != nil {
				return recordError(err)
			}
		}
		if w.Action != Unchanged && w.Action != Kept {
			w.record.Beside = besideName()
		}
		m.Files = append(m.Files, w.record)
	}
	if old != nil && old.State == stateInstalled && Done(changesOf(list)) && same(old.Files, m.Files) {
		return nil
	}
	if err := in.writeIntent(dir, m); err != nil {
		return err
	}
	if err := in.apply(list); err != nil {
		return err
	}
	m.State, m.Files = stateInstalled, nil
	for _, w := range list {
		if w.orphan && w.Action != Kept {
			continue
		}
		if w.Action != Unchanged && w.Action != Kept {
			w.record.After = []string{hash(w.now.data)}
		}
		w.record.Beside = ""
		m.Files = append(m.Files, w.record)
	}
	if err := in.pass("say that it is done"); err != nil {
		return err
	}
	if err := writeManifest(dir, m); err != nil {
		return recordError(err)
	}
	tidy(dir, m)
	return nil
}

func recordError(err error) error {
	return fmt.Errorf("keep the record of the installation: %w", err)
}

func same(a, b []record) bool {
	x, err := json.Marshal(a)
	if err != nil {
		return false
	}
	y, err := json.Marshal(b)
	return err == nil && bytes.Equal(x, y)
}

func (in *Installer) writeIntent(dir string, m *manifest) error {
	if err := in.pass("say what will be done"); err != nil {
		return err
	}
	if err := writeManifest(dir, m); err != nil {
		return recordError(err)
	}
	return nil
}

// apply writes the files. What was written stays if one fails: the intent says what is
// left to do.
func (in *Installer) apply(list []work) error {
	for i := range list {
		w := &list[i]
		var err error
		switch {
		case w.Action == Unchanged || w.Action == Kept:
			continue
		case w.now.exists:
			err = w.at.replace(w.was, w.now.data, w.record.Beside, in.pass)
		default:
			err = w.at.remove(w.was, in.pass)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", w.Path, err)
		}
	}
	return nil
}

// sweep deletes what a process that was killed has left beside files.
func (in *Installer) sweep(p *Plan, m *manifest) {
	if m == nil || m.State == stateInstalled {
		return
	}
	for i := range m.Files {
		if at, _, err := m.Files[i].open(p); err == nil {
			at.removeBeside(m.Files[i].Beside)
		}
	}
}

func (in *Installer) prepareUninstall(p *Plan) (*manifest, []work, error) {
	m, err := readManifest(in.dirOf(p.Name, p.Root))
	if err != nil {
		return nil, nil, err
	}
	var records []record
	if m != nil {
		records = slices.Clone(m.Files)
	} else {
		for _, it := range p.items() {
			records = append(records, it.base())
		}
	}
	slices.Reverse(records) // what calls ken goes before what describes it
	var list []work
	for _, r := range records {
		w, err := in.prepareRemove(p, r, m != nil)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", r.Path, err)
		}
		list = append(list, w)
	}
	return m, list, nil
}

// prepareRemove finds out what is left of a file without ken. Without a manifest there
// is only what the plan says.
func (in *Installer) prepareRemove(p *Plan, r record, recorded bool) (work, error) {
	at, cur, err := r.open(p)
	if err != nil {
		return work{}, err
	}
	w := work{Change: Change{Path: r.Path, What: r.What, Action: Unchanged, Before: cur.data, After: cur.data}, at: at, was: cur, now: cur, record: r}
	if !cur.exists {
		return w, nil
	}
	written := slices.Contains(r.After, hash(cur.data))
	switch {
	case r.Kind == kindLines:
		var wanted []string
		in.others(p, r.Path, func(o *record) { wanted = append(wanted, o.Lines...) })
		err = w.becomes(removeLines(cur.data, &r, wanted))
	case r.Kind == kindFile && !written:
		w.Action, w.Note = Kept, "it was changed by somebody, so it is not deleted"
	case r.Kind == kindFile, recorded && written && r.Before == "":
		w.now, w.Action = content{}, Removed
	case written && recorded && r.Before != hash(cur.data):
		var data []byte
		if data, err = kept(in.dirOf(p.Name, p.Root), r.Before); err == nil {
			w.now, w.Action = content{data, true}, Restored
			break
		}
		fallthrough
	default:
		var data []byte
		if data, err = strip(cur.data, &r, !recorded); err == nil {
			err = w.becomes(data)
		}
	}
	if err == nil && w.Action != Unchanged && w.Action != Kept {
		w.After = w.now.data
		err = at.writable()
	}
	return w, err
}

// becomes says what is left of a file after what is ken's was taken out. One that ken
// has made goes when nothing is left in it.
func (w *work) becomes(data []byte) error {
	switch left := !blank(data); {
	case bytes.Equal(data, w.was.data):
	case !left && (w.record.Made || w.record.Kind == kindBlock && w.record.Before == ""):
		w.now, w.Action = content{}, Removed
	default:
		w.now, w.Action = content{data, true}, Changed
		if hash(data) == w.record.Before {
			w.Action = Restored
		}
	}
	return nil
}

// commitUninstall writes the intent, changes the files, and forgets the installation.
func (in *Installer) commitUninstall(p *Plan, m *manifest, list []work) error {
	dir := in.dirOf(p.Name, p.Root)
	in.sweep(p, m)
	if m == nil {
		forget(dir) // what one that was killed has kept
	}
	intent := &manifest{Version: manifestVersion, State: stateRemoving, Name: p.Name, Root: p.Root}
	for i := range list {
		list[i].record.Beside = besideName()
		intent.Files = append(intent.Files, list[i].record)
	}
	slices.Reverse(intent.Files)
	if m != nil {
		if err := in.writeIntent(dir, intent); err != nil {
			return err
		}
	}
	if err := in.apply(list); err != nil {
		return err
	}
	if err := in.removeDirs(list); err != nil || m == nil {
		return err
	}
	if err := in.pass("forget the installation"); err != nil {
		return err
	}
	// The manifest goes first: without it the rest is nobody's.
	if err := os.Remove(filepath.Join(dir, "manifest.json")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return recordError(err)
	}
	forget(dir)
	return nil
}

// forget deletes a folder without manifest.
func forget(dir string) {
	tidy(dir, &manifest{})
	os.Remove(dir)
	os.Remove(filepath.Dir(dir)) // unless others are in it
}

// removeDirs removes the folders that were made, unless there is something in them.
func (in *Installer) removeDirs(list []work) error {
	var dirs []string
	for _, w := range list {
		dirs = append(dirs, w.record.Dirs...)
	}
	slices.Sort(dirs)
	slices.Reverse(dirs) // a folder comes before the one it is in
	for _, dir := range slices.Compact(dirs) {
		if err := in.pass("remove the folder " + dir); err != nil {
			return err
		}
		if st, err := os.Lstat(dir); err == nil && st.IsDir() {
			os.Remove(dir)
		}
	}
	return nil
}

// Replaced is the value of a key that an installation has replaced in a file, as it was
// written there; nil if there was none.
func (in *Installer) Replaced(name, root, path, key string) []byte {
	m, err := readManifest(in.dirOf(name, root))
	if err != nil {
		return nil
	}
	if r := m.find(path); r != nil {
		for _, p := range r.JSON.Previous {
			if p.Key == key {
				return jsonedit.Standard(p.Text)
			}
		}
	}
	return nil
}
