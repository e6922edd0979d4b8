package update

import (
	"ken/internal/engine/lookup"
	"ken/internal/engine/update/fingerprint"
	"ken/internal/lang"
)

// fingerprints remembers whether an update must also update the fingerprints by which outdated exact bindings are found.
type fingerprints struct {
	checked, on bool
}

// tracksExact reports whether the index has exact bindings, so that the fingerprints of the things they depend on must be updated.
func (u *updater) tracksExact() (bool, error) {
	if u.exact.checked {
		return u.exact.on, nil
	}
	var err error
	u.exact.on, err = u.tx.HasExact()
	u.exact.checked = true
	return u.exact.on, err
}

// updateFingerprints updates the fingerprints of all keys that depend on a file. It is called after the file is stored or, with r
// nil, before it is dropped. All changes of fingerprints go through it.
func (u *updater) updateFingerprints(id int64, path string, kind pathKind, r *fileReading) error {
	if on, err := u.tracksExact(); err != nil || !on {
		return err
	}
	if err := u.dropShape(id); err != nil {
		return err
	}
	var config []byte
	symbols := uint64(0)
	if r != nil {
		config = r.config
		symbols = fingerprint.SymbolsPrint(id, path, r.facts.Symbols)
		if lang.Of(r.file.Lang).TypeChecked && lookup.IsIndexed(&r.file) {
			if err := u.addShape(id, path, r.shape); err != nil {
				return err
			}
		}
	}
	if kind.goMod {
		if err := u.setPrint(fingerprint.KeyMod+path, fingerprint.ModPrint(config, config != nil)); err != nil {
			return err
		}
		mods, err := fingerprint.ModsPrint(u.tx)
		if err != nil {
			return err
		}
		if err := u.setPrint(fingerprint.KeyMods, mods); err != nil {
			return err
		}
	}
	return u.setPrint(fingerprint.KeyFile+path, symbols)
}

// dropShape subtracts the hash of a Go file from the fingerprint of its package.
func (u *updater) dropShape(id int64) error {
	key, share, err := u.tx.ExactShape(id)
	if err != nil || key == 0 {
		return err
	}
	print, err := u.tx.ExactPrint(key)
	if err != nil {
		return err
	}
	if err := u.tx.SetExactPrint(key, print-share); err != nil {
		return err
	}
	return u.tx.SetExactShape(id, 0, 0)
}

// addShape adds the hash of a Go file to the fingerprint of its package, if exact bindings depend on that package.
func (u *updater) addShape(id int64, path string, shape uint64) error {
	k, ok, err := u.tx.ExactKey(fingerprint.GoKey(path))
	if err != nil || !ok {
		return err
	}
	share := fingerprint.FileShare(id, path, shape)
	if err := u.tx.SetExactShape(id, k.ID, share); err != nil {
		return err
	}
	return u.tx.SetExactPrint(k.ID, k.Print+share)
}

// setPrint stores the fingerprint of a key, such as the declarations of a directory, if bindings depend on it.
func (u *updater) setPrint(name string, print uint64) error {
	k, ok, err := u.tx.ExactKey(name)
	if err != nil || !ok || k.Print == print {
		return err
	}
	return u.tx.SetExactPrint(k.ID, print)
}
