package install

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
)

// fileWork is the change of one file, prepared but not written yet.
type fileWork struct {
	Change
	at      filePlace
	was     fileContent
	now     fileContent
	record  record
	restore []byte      // content to keep for restoring
	orphan  bool        // no longer in the plan
	yields  bool        // an existing file belongs to another installation
	text    []byte      // of ken's, in a file that is its alone; nil if that stays as it is
	aside   []byte      // the user's version that is replaced, nil if there is none
	merged  []asideCopy // of the user's versions
	exec    bool        // the file is a program
}

func listChanges(list []fileWork) []Change {
	var out []Change
	for _, w := range list {
		out = append(out, w.Change)
	}
	return out
}

func (in *Installer) prepareInstall(ctx context.Context, p *Plan) (*manifest, []fileWork, error) {
	m, err := readManifest(in.recordDir(p.Name, p.Root))
	if err != nil {
		return nil, nil, recordError(err)
	}
	var list []fileWork
	for _, it := range p.items() {
		w, err := in.prepareAdd(ctx, p, it, m)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", it.newRecord().Path, err)
		}
		list = append(list, w)
	}
	if m == nil {
		return nil, list, nil
	}
	for _, r := range m.Files { // of an earlier version of the plan
		if slices.ContainsFunc(list, func(w fileWork) bool { return w.Path == r.Path }) {
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

// openFile resolves the path in a record and reads the file.
func (r *record) openFile(p *Plan) (filePlace, fileContent, error) {
	within := p.Within
	if r.Within != "" {
		within = []string{r.Within}
	}
	at, err := resolvePlace(r.Path, within)
	if err != nil {
		return filePlace{}, fileContent{}, err
	}
	cur, err := at.readFile()
	return at, cur, err
}

func (in *Installer) prepareAdd(ctx context.Context, p *Plan, it planItem, m *manifest) (fileWork, error) {
	base := it.newRecord()
	at, cur, err := base.openFile(p)
	if err != nil {
		return fileWork{}, err
	}
	old := m.findRecord(base.Path)
	made, err := it.addTo(cur, old)
	if err != nil {
		return fileWork{}, err
	}
	w := fileWork{
		Change: Change{Path: base.Path, What: base.What, Action: Unchanged, Note: made.note, Before: cur.data, After: made.data},
		at:     at, was: cur, now: made.fileContent, record: made.record, text: made.text, aside: made.aside, exec: made.exec,
	}
	if err := in.setAside(ctx, p, &w); err != nil {
		return fileWork{}, err
	}
	if !w.now.equal(cur) {
		w.Action = Changed
		if !cur.exists {
			w.Action = Created
		}
		if err := at.checkWritable(); err != nil {
			return fileWork{}, err
		}
	}
	if base.Kind == kindLines {
		in.addSharedLines(p, &w.record)
	}
	if err := w.recordOriginal(old); err != nil {
		return fileWork{}, err
	}
	w.record.Dirs = in.addSharedDirs(p, at, w.record.Dirs)
	return w, nil
}

// addSharedDirs adds to the plan's folders those above a file that another installation has created, so that whichever is removed last
// removes them.
func (in *Installer) addSharedDirs(p *Plan, at filePlace, dirs []string) []string {
	in.eachManifest(func(m *manifest) {
		if m.Name == p.Name && m.Root == p.Root {
			return
		}
		for _, r := range m.Files {
			for _, dir := range r.Dirs {
				rel, err := filepath.Rel(dir, at.realPath())
				if err == nil && filepath.IsLocal(rel) && !slices.Contains(dirs, dir) {
					dirs = append(dirs, dir)
				}
			}
		}
	})
	return dirs
}

// recordOriginal stores in the record the facts about the file before ken changed it.
func (w *fileWork) recordOriginal(old *record) error {
	r := &w.record
	if r.Theirs {
		return nil
	}
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
		if before, err = w.guessOriginal(); err != nil {
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
		r.After = append([]string{w.ownHash()}, old.After...)
		return nil
	case r.Kind == kindFile: // the user's version is kept aside
		r.Made = old.Made || !w.was.exists
		r.After = append([]string{w.ownHash()}, old.After...)
		return nil
	default:
		r.Made = old.Made || !w.was.exists
		if w.was.exists {
			data, err := stripAdditions(w.was.data, old, false)
			if err != nil {
				return err
			}
			before = fileContent{data, !r.Made || !isBlank(data)}
		}
	}
	r.After = []string{hash(w.now.data)}
	if before.exists {
		r.Before, w.restore = hash(before.data), before.data
	}
	return nil
}

// guessOriginal returns the file without ken's additions if no manifest lists it: another user may have installed and committed ken's
// entries, or the state directory was deleted.
func (w *fileWork) guessOriginal() (fileContent, error) {
	switch {
	case w.record.Kind == kindFile && w.yields && w.was.exists:
		return w.was, nil
	case !w.was.exists || w.record.Kind == kindFile:
		return fileContent{}, nil
	}
	data, err := stripAdditions(w.was.data, &w.record, true)
	return fileContent{data, true}, err
}

func isBlank(data []byte) bool { return len(bytes.TrimSpace(data)) == 0 }

// stripAdditions removes the recorded additions from a content.
func stripAdditions(data []byte, r *record, unrecorded bool) ([]byte, error) {
	switch r.Kind {
	case kindSettings:
		return removeSettings(data, r, unrecorded)
	case kindBlock:
		return removeBlock(data, r)
	case kindLines:
		return removeLines(data, r, nil), nil
	case kindMember:
		return removeMember(data, r)
	}
	return data, nil
}

// addSharedLines records lines added by another installation as ours, too, so that the last installation that needs them removes them.
func (in *Installer) addSharedLines(p *Plan, r *record) {
	in.eachOtherRecord(p, r.Path, func(o *record) {
		for _, line := range o.Added {
			if slices.Contains(r.Lines, line) && !slices.Contains(r.Added, line) {
				r.Added = append(r.Added, line)
			}
		}
	})
}

// isShared reports whether another installation also has a file.
func (in *Installer) isShared(p *Plan, path string) (yes bool) {
	in.eachOtherRecord(p, path, func(*record) { yes = true })
	return yes
}

// eachOtherRecord calls f for the records that other installations have of a file.
func (in *Installer) eachOtherRecord(p *Plan, path string, f func(*record)) {
	in.eachManifest(func(m *manifest) {
		if o := m.findRecord(path); o != nil && (m.Name != p.Name || m.Root != p.Root) {
			f(o)
		}
	})
}

func (in *Installer) prepareUninstall(p *Plan) (*manifest, []fileWork, error) {
	m, err := readManifest(in.recordDir(p.Name, p.Root))
	if err != nil {
		return nil, nil, recordError(err)
	}
	var records []record
	if m != nil {
		records = slices.Clone(m.Files)
	} else {
		for _, it := range p.items() {
			records = append(records, it.newRecord())
		}
	}
	slices.Reverse(records) // entries that call ken go before the files that describe it
	var list []fileWork
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
func (in *Installer) prepareRemove(p *Plan, r record, recorded bool) (fileWork, error) {
	at, cur, err := r.openFile(p)
	if err != nil {
		return fileWork{}, err
	}
	same := Change{Path: r.Path, What: r.What, Action: Unchanged, Before: cur.data, After: cur.data}
	w := fileWork{Change: same, at: at, was: cur, now: cur, record: r}
	if !cur.exists || r.Theirs {
		return w, nil
	}
	written := slices.Contains(r.After, hash(cur.data))
	switch {
	case r.Kind == kindLines:
		var wanted []string
		in.eachOtherRecord(p, r.Path, func(o *record) { wanted = append(wanted, o.Lines...) })
		err = w.setRest(removeLines(cur.data, &r, wanted))
	case r.Kind == kindFile && (r.Before == hash(cur.data) || in.isShared(p, r.Path)):
	case r.Kind == kindFile && !written:
		w.Action, w.Note = Kept, "you have changed it, so it is not deleted"
	case r.Kind == kindFile, recorded && written && r.Before == "":
		w.now, w.Action = fileContent{}, Removed
	case written && recorded && r.Before != hash(cur.data):
		var data []byte
		if data, err = readContent(in.recordDir(p.Name, p.Root), r.Before); err == nil {
			w.now, w.Action = fileContent{data, true}, Restored
			break
		}
		fallthrough
	default:
		var data []byte
		if data, err = stripAdditions(cur.data, &r, !recorded); err == nil {
			err = w.setRest(data)
		}
	}
	w.noteAside(in.asideDir(p), true)
	if err == nil && w.Action != Unchanged && w.Action != Kept {
		w.After = w.now.data
		err = at.checkWritable()
	}
	return w, err
}

// setRest sets the content that remains after ken's part was removed. If nothing remains of a file that ken made, it is deleted.
func (w *fileWork) setRest(data []byte) error {
	switch left := !isBlank(data); {
	case bytes.Equal(data, w.was.data):
	case !left && (w.record.Made || w.record.Kind == kindBlock && w.record.Before == ""):
		w.now, w.Action = fileContent{}, Removed
	default:
		w.now, w.Action = fileContent{data, true}, Changed
		if hash(data) == w.record.Before {
			w.Action = Restored
		}
	}
	return nil
}
