package update

import (
	"ken/internal/code"
	"ken/internal/engine/lookup"
	"ken/internal/engine/update/fingerprint"
	"ken/internal/lang"
)

// fingerprints remembers whether an updater must keep the prints of exact bindings right.
type fingerprints struct {
	asked, on bool
}

// tracksExact reports whether there are exact bindings whose prints must be kept right.
func (u *updater) tracksExact() (bool, error) {
	if u.exact.asked {
		return u.exact.on, nil
	}
	var err error
	u.exact.on, err = u.tx.HasExact()
	u.exact.asked = true
	return u.exact.on, err
}

// trackFile corrects the keys that a file, stored anew, adds to.
func (u *updater) trackFile(id int64, r *reading) error {
	if on, err := u.tracksExact(); err != nil || !on {
		return err
	}
	if err := u.untrackGo(id); err != nil {
		return err
	}
	if lang.Of(r.file.Lang).TypeChecked && lookup.IsIndexed(&r.file) {
		if err := u.trackGo(id, r.file.Path, r.shape); err != nil {
			return err
		}
	}
	return u.setPrint(fingerprint.KeyFile+r.file.Path, fingerprint.SymbolsPrint(id, r.file.Path, r.facts.Symbols))
}

// untrackGo takes what a file added out of its key.
func (u *updater) untrackGo(id int64) error {
	key, add, err := u.tx.ExactShape(id)
	if err != nil || key == 0 {
		return err
	}
	print, err := u.tx.ExactPrint(key)
	if err != nil {
		return err
	}
	if err := u.tx.SetExactPrint(key, print-add); err != nil {
		return err
	}
	return u.tx.SetExactShape(id, 0, 0)
}

// trackGo adds a file to its key, if something depends on that.
func (u *updater) trackGo(id int64, p string, shape uint64) error {
	k, ok, err := u.tx.ExactKey(fingerprint.GoKey(p))
	if err != nil || !ok {
		return err
	}
	add := fingerprint.AddOf(id, p, shape)
	if err := u.tx.SetExactShape(id, k.ID, add); err != nil {
		return err
	}
	return u.tx.SetExactPrint(k.ID, k.Print+add)
}

// setPrint stores the print of a key, if something depends on it.
func (u *updater) setPrint(name string, print uint64) error {
	k, ok, err := u.tx.ExactKey(name)
	if err != nil || !ok || k.Print == print {
		return err
	}
	return u.tx.SetExactPrint(k.ID, print)
}

// trackRemoved takes a file out that goes.
func (u *updater) trackRemoved(f *code.File) error {
	if on, err := u.tracksExact(); err != nil || !on {
		return err
	}
	if err := u.untrackGo(f.ID); err != nil {
		return err
	}
	return u.setPrint(fingerprint.KeyFile+f.Path, 0)
}

// trackMod follows a change of a go.mod or go.work that is stored already.
func (u *updater) trackMod(p string, content []byte) error {
	if !fingerprint.IsGoMod(p) {
		return nil
	}
	if on, err := u.tracksExact(); err != nil || !on {
		return err
	}
	if err := u.setPrint(fingerprint.KeyMod+p, fingerprint.ModPrint(content, content != nil)); err != nil {
		return err
	}
	mods, err := fingerprint.ModsPrint(u.tx)
	if err != nil {
		return err
	}
	return u.setPrint(fingerprint.KeyMods, mods)
}
