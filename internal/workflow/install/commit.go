package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// commitInstall writes the intent, the files, and the final record.
func (in *Installer) commitInstall(p *Plan, old *manifest, list []fileWork) error {
	dir := in.recordDir(p.Name, p.Root)
	in.removeLeftovers(p, old)
	m := &manifest{Version: manifestVersion, State: stateInstalling, Name: p.Name, Root: p.Root, Ken: p.Version, Options: p.Options}
	for i := range list {
		w := &list[i]
		if w.restore != nil && w.record.Before != hash(w.now.data) {
			if err := errors.Join(in.callStep("keep the contents of "+w.Path), storeContent(dir, w.restore)); err != nil {
				return recordError(err)
			}
		}
		if err := in.storeTexts(p, w); err != nil {
			return recordError(err)
		}
		if w.Action != Unchanged && w.Action != Kept {
			w.record.Beside = tempName()
		}
		m.Files = append(m.Files, w.record)
	}
	if NothingToDo(listChanges(list)) && m.equalInstalled(old) && !slices.ContainsFunc(list, func(w fileWork) bool { return w.isNews() }) {
		return nil
	}
	if err := in.writeIntent(dir, m); err != nil {
		return err
	}
	if err := in.writeFiles(list); err != nil {
		return fmt.Errorf("%w; run \"ken install\" again to go on, or \"ken uninstall\" to revert", err)
	}
	m.State, m.Files = stateInstalled, nil
	for _, w := range list {
		if w.orphan && w.Action != Kept {
			continue
		}
		if w.Action != Unchanged && w.Action != Kept {
			w.record.After = []string{w.ownHash()}
		}
		w.finishTexts()
		w.record.Beside = ""
		m.Files = append(m.Files, w.record)
	}
	if err := in.callStep("record the end"); err != nil {
		return err
	}
	if err := writeManifest(dir, m); err != nil {
		return recordError(err)
	}
	removeUnusedContents(dir, m)
	in.removeMerged(p, list)
	return nil
}

func recordError(err error) error {
	return fmt.Errorf("keep the record of the installation: %w", err)
}

// equalInstalled reports whether a manifest has nothing else than that of a complete installation.
func (m *manifest) equalInstalled(old *manifest) bool {
	if old == nil || old.State != stateInstalled {
		return false
	}
	return old.Ken == m.Ken && slices.Equal(old.Options, m.Options) && sameRecords(old.Files, m.Files)
}

func sameRecords(a, b []record) bool {
	x, err := json.Marshal(a)
	if err != nil {
		return false
	}
	y, err := json.Marshal(b)
	return err == nil && bytes.Equal(x, y)
}

func (in *Installer) writeIntent(dir string, m *manifest) error {
	if err := in.callStep("record the intent"); err != nil {
		return err
	}
	if err := writeManifest(dir, m); err != nil {
		return recordError(err)
	}
	return nil
}

// writeFiles writes the files. If one fails, those already written stay: the recorded intent lists all, so that the next run finishes.
func (in *Installer) writeFiles(list []fileWork) error {
	for i := range list {
		w := &list[i]
		var err error
		switch {
		case w.Action == Unchanged || w.Action == Kept:
			continue
		case w.now.exists:
			err = w.at.replaceFile(w.was, w.now.data, w.record.Beside, w.mode(), in.callStep)
		default:
			err = w.at.removeFile(w.was, in.callStep)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", w.Path, err)
		}
	}
	return nil
}

// mode returns the mode of a file that is made.
func (w *fileWork) mode() fs.FileMode {
	if w.exec {
		return 0o755
	}
	return 0o644
}

// removeLeftovers deletes temporary files that a killed process left behind.
func (in *Installer) removeLeftovers(p *Plan, m *manifest) {
	if m == nil || m.State == stateInstalled {
		return
	}
	for i := range m.Files {
		if at, _, err := m.Files[i].openFile(p); err == nil {
			at.removeBeside(m.Files[i].Beside)
		}
	}
}

// commitUninstall writes the intent, changes the files, and removes the record.
func (in *Installer) commitUninstall(p *Plan, m *manifest, list []fileWork) error {
	dir := in.recordDir(p.Name, p.Root)
	in.removeLeftovers(p, m)
	if m == nil {
		removeRecordDir(dir) // contents kept by a killed process
	}
	intent := &manifest{Version: manifestVersion, State: stateRemoving, Name: p.Name, Root: p.Root, Ken: p.Version, Options: p.Options}
	for i := range list {
		list[i].record.Beside = tempName()
		intent.Files = append(intent.Files, list[i].record)
	}
	slices.Reverse(intent.Files)
	if m != nil {
		if err := in.writeIntent(dir, intent); err != nil {
			return err
		}
	}
	if err := in.writeFiles(list); err != nil {
		return err
	}
	if err := in.removeDirs(list); err != nil || m == nil {
		return err
	}
	if err := in.callStep("remove the record"); err != nil {
		return err
	}
	// The manifest goes first: without it the other files are unused.
	if err := os.Remove(filepath.Join(dir, "manifest.json")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return recordError(err)
	}
	removeRecordDir(dir)
	return nil
}

// removeRecordDir deletes the record folder of an installation, if it has no manifest.
func removeRecordDir(dir string) {
	removeUnusedContents(dir, &manifest{})
	os.Remove(dir)
	os.Remove(filepath.Dir(dir)) // unless it has other records
}

// removeDirs removes the folders that the installation made, if they are empty.
func (in *Installer) removeDirs(list []fileWork) error {
	var dirs []string
	for _, w := range list {
		dirs = append(dirs, w.record.Dirs...)
	}
	slices.Sort(dirs)
	slices.Reverse(dirs) // a folder comes before the one it is in
	for _, dir := range slices.Compact(dirs) {
		if err := in.callStep("remove the folder " + dir); err != nil {
			return err
		}
		if st, err := os.Lstat(dir); err == nil && st.IsDir() {
			os.Remove(dir)
		}
	}
	return nil
}
