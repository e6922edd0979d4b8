package install

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
)

// work is a change of one file with its preparation.
type work struct {
	Change
	at      place
	was     content
	now     content
	record  record
	restore []byte // content to keep for restoring
	orphan  bool   // no longer in the plan
	yields  bool   // an existing file belongs to another installation
}

func changes(list []work) []Change {
	var out []Change
	for _, w := range list {
		out = append(out, w.Change)
	}
	return out
}

func (in *Installer) prepareInstall(p *Plan) (*manifest, []work, error) {
	m, err := readManifest(in.recordDir(p.Name, p.Root))
	if err != nil {
		return nil, nil, recordError(err)
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
	if err := w.remember(old); err != nil {
		return work{}, err
	}
	w.record.Dirs = in.sharedDirs(p, at, w.record.Dirs)
	return w, nil
}

// sharedDirs adds the folders above a file that another installation has made, so that the last one to use them removes them.
func (in *Installer) sharedDirs(p *Plan, at place, dirs []string) []string {
	in.each(func(m *manifest) {
		if m.Name == p.Name && m.Root == p.Root {
			return
		}
		for _, r := range m.Files {
			for _, dir := range r.Dirs {
				rel, err := filepath.Rel(dir, at.real())
				if err == nil && filepath.IsLocal(rel) && !slices.Contains(dirs, dir) {
					dirs = append(dirs, dir)
				}
			}
		}
	})
	return dirs
}

// remember fills in the record's fields about the file without ken.
func (w *work) remember(old *record) error {
	r := &w.record
	w.yields, r.Before = r.Before != "", ""
	if old != nil {
		r.Dirs = old.Dirs
	}
	if w.Action == Created {
		r.Dirs = append(slices.Clone(r.Dirs), w.at.missingDirs()...)
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

// unknown returns the file without ken when no manifest lists it: another user may have installed and committed ken's entries, or the
// state directory was deleted.
func (w *work) unknown() (content, error) {
	switch {
	case w.record.Kind == kindFile && w.yields && w.was.exists:
		return w.was, nil
	case !w.was.exists || w.record.Kind == kindFile:
		return content{}, nil
	}
	data, err := strip(w.was.data, &w.record, true)
	return content{data, true}, err
}

func blank(data []byte) bool { return len(bytes.TrimSpace(data)) == 0 }

// strip removes the recorded additions from a content.
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

// shareLines also counts lines added by another installation as ours, so that the last one to want them removes them.
func (in *Installer) shareLines(p *Plan, r *record) {
	in.others(p, r.Path, func(o *record) {
		for _, line := range o.Added {
			if slices.Contains(r.Lines, line) && !slices.Contains(r.Added, line) {
				r.Added = append(r.Added, line)
			}
		}
	})
}

// isShared reports whether another installation also has a file.
func (in *Installer) isShared(p *Plan, path string) (yes bool) {
	in.others(p, path, func(*record) { yes = true })
	return yes
}

// others visits other installations' records of a file.
func (in *Installer) others(p *Plan, path string, f func(*record)) {
	in.each(func(m *manifest) {
		if o := m.find(path); o != nil && (m.Name != p.Name || m.Root != p.Root) {
			f(o)
		}
	})
}

func (in *Installer) prepareUninstall(p *Plan) (*manifest, []work, error) {
	m, err := readManifest(in.recordDir(p.Name, p.Root))
	if err != nil {
		return nil, nil, recordError(err)
	}
	var records []record
	if m != nil {
		records = slices.Clone(m.Files)
	} else {
		for _, it := range p.items() {
			records = append(records, it.base())
		}
	}
	slices.Reverse(records) // entries that call ken go before the files that describe it
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

// prepareRemove computes the file without ken. Without a manifest only the plan is known.
func (in *Installer) prepareRemove(p *Plan, r record, recorded bool) (work, error) {
	at, cur, err := r.open(p)
	if err != nil {
		return work{}, err
	}
	same := Change{Path: r.Path, What: r.What, Action: Unchanged, Before: cur.data, After: cur.data}
	w := work{Change: same, at: at, was: cur, now: cur, record: r}
	if !cur.exists {
		return w, nil
	}
	written := slices.Contains(r.After, hash(cur.data))
	switch {
	case r.Kind == kindLines:
		var wanted []string
		in.others(p, r.Path, func(o *record) { wanted = append(wanted, o.Lines...) })
		err = w.setRest(removeLines(cur.data, &r, wanted))
	case r.Kind == kindFile && (r.Before == hash(cur.data) || in.isShared(p, r.Path)):
	case r.Kind == kindFile && !written:
		w.Action, w.Note = Kept, "it was changed since, so it is not deleted"
	case r.Kind == kindFile, recorded && written && r.Before == "":
		w.now, w.Action = content{}, Removed
	case written && recorded && r.Before != hash(cur.data):
		var data []byte
		if data, err = readKept(in.recordDir(p.Name, p.Root), r.Before); err == nil {
			w.now, w.Action = content{data, true}, Restored
			break
		}
		fallthrough
	default:
		var data []byte
		if data, err = strip(cur.data, &r, !recorded); err == nil {
			err = w.setRest(data)
		}
	}
	if err == nil && w.Action != Unchanged && w.Action != Kept {
		w.After = w.now.data
		err = at.writable()
	}
	return w, err
}

// setRest sets the content that remains after ken's part was removed. A file made by ken is deleted when nothing is left in it.
func (w *work) setRest(data []byte) error {
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
