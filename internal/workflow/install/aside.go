package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"ken/internal/git"
	"ken/internal/git/plumbing"
)

// A file that ken has installed as a whole may be changed by the user. As long as ken has nothing new for it, it stays as it is. Otherwise
// the user's version is kept in
//
//	STATE/install/NAME-HASH/aside/ID-FOLDER-FILE
//
// and ken's new text is written. Installer.Reapply merges the two, from the text of ken's that the user has changed. A version with
// conflicts stays until it is deleted. Uninstalling leaves it there, because it is the user's.

// asideDir returns the folder of the versions that were kept aside from an installation.
func (in *Installer) asideDir(p *Plan) string {
	return filepath.Join(in.recordDir(p.Name, p.Root), "aside")
}

// Aside returns the folder in which versions of the user's were kept aside from an installation, "" if there is none.
func (in *Installer) Aside(p *Plan) string {
	dir := in.asideDir(p)
	if st, err := os.Lstat(dir); err != nil || !st.IsDir() {
		return ""
	}
	return dir
}

func asideName(path string, data []byte) string {
	return hash(data)[:8] + "-" + filepath.Base(filepath.Dir(path)) + "-" + filepath.Base(path)
}

// setAside adds the user's version to those that are kept aside, and with Reapply merges all of them into the new text. It fails if one
// cannot be read or merged.
func (in *Installer) setAside(ctx context.Context, p *Plan, w *fileWork) error {
	r, dir := &w.record, in.asideDir(p)
	r.Aside = slices.DeleteFunc(slices.Clone(r.Aside), func(c asideCopy) bool { // the user has deleted it
		_, err := os.Lstat(filepath.Join(dir, c.File))
		return errors.Is(err, fs.ErrNotExist)
	})
	if w.aside != nil {
		name := asideName(w.Path, w.aside)
		if !slices.ContainsFunc(r.Aside, func(c asideCopy) bool { return c.File == name }) {
			r.Aside = append(r.Aside, asideCopy{name, r.Text})
		}
	}
	if in.Reapply {
		for _, c := range r.Aside {
			if err := in.mergeAside(ctx, p, w, c); err != nil {
				return fmt.Errorf("merge %s: %w", filepath.Join(dir, c.File), err)
			}
		}
	}
	w.After = w.now.data
	w.noteAside(dir, false)
	return nil
}

// mergeAside merges one version into the new text.
func (in *Installer) mergeAside(ctx context.Context, p *Plan, w *fileWork, c asideCopy) error {
	theirs := w.aside
	if w.aside == nil || c.File != asideName(w.Path, w.aside) {
		var err error
		if theirs, err = os.ReadFile(filepath.Join(in.asideDir(p), c.File)); err != nil {
			return err
		}
	}
	var base []byte
	if c.Base != "" {
		var err error
		if base, err = readContent(in.recordDir(p.Name, p.Root), c.Base); err != nil {
			return err
		}
	}
	merged, conflicts, err := plumbing.MergeTexts(ctx, git.Git{}, base, w.now.data, theirs)
	switch {
	case err != nil:
		return err
	case len(conflicts) > 0:
		w.Conflicts = append(w.Conflicts, conflicts...)
	default:
		w.now.data, w.merged = merged, append(w.merged, c)
	}
	return nil
}

// noteAside tells the user about the versions that are kept aside, and stay there when ken is removed.
func (w *fileWork) noteAside(dir string, removing bool) {
	note := ""
	for _, c := range w.record.Aside {
		path := filepath.Join(dir, c.File)
		switch {
		case slices.Contains(w.merged, c):
			note = "your changes were merged into it"
		case len(w.Conflicts) > 0:
			note = "your version is in " + path + " and has conflicts with it: put your changes in by hand, and delete that file"
		case removing:
			note = "your version stays in " + path
		default:
			note = "your version is in " + path + "; \"ken install --reapply\" merges it"
		}
		if w.Note == "" {
			w.Note = note
		} else {
			w.Note += "; " + note
		}
	}
}

// ownHash returns the SHA-256 of what ken has written, without the changes of the user in a file that is ken's alone.
func (w *fileWork) ownHash() string {
	if w.text != nil {
		return hash(w.text)
	}
	return hash(w.now.data)
}

// isNews reports whether a text has to be recorded, or versions that were merged have to be forgotten.
func (w *fileWork) isNews() bool {
	return len(w.merged) > 0 || w.text != nil && w.record.Text != hash(w.text)
}

// storeTexts keeps the user's version aside, and ken's text for a later merge.
func (in *Installer) storeTexts(p *Plan, w *fileWork) error {
	if w.aside != nil {
		at := filepath.Join(in.asideDir(p), asideName(w.Path, w.aside))
		if err := errors.Join(in.callStep("keep aside "+w.Path), writePrivate(at, w.aside)); err != nil {
			return err
		}
	}
	if !w.isNews() || w.text == nil {
		return nil
	}
	return errors.Join(in.callStep("keep the text of "+w.Path), storeContent(in.recordDir(p.Name, p.Root), w.text))
}

// finishTexts sets in the record what holds once the file is written.
func (w *fileWork) finishTexts() {
	r := &w.record
	if w.text != nil {
		r.Text = hash(w.text)
	}
	r.Aside = slices.DeleteFunc(r.Aside, func(c asideCopy) bool { return slices.Contains(w.merged, c) })
	if len(r.Aside) == 0 {
		r.Aside = nil
	}
}

// removeMerged deletes the versions that were merged.
func (in *Installer) removeMerged(p *Plan, list []fileWork) {
	dir := in.asideDir(p)
	for _, w := range list {
		for _, c := range w.merged {
			os.Remove(filepath.Join(dir, c.File))
		}
	}
	os.Remove(dir) // unless it has others
}
