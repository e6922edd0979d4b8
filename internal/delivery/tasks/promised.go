package tasks

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"ken/internal/guard"
	"ken/internal/statefile"
)

// maxPromised is the size in bytes up to which a file is read to see whether it was modified as was said.
const maxPromised = 16 << 20

// fingerprints returns fingerprints of the files of which will_modify is said, so that submit_for_review can tell whether they were
// modified.
func (w *work) fingerprints(said []guard.FileStatus) map[string]string {
	was := map[string]string{}
	for _, s := range said {
		if s.Status != guard.WillModify {
			continue
		}
		if f := fingerprint(w.p.Root, s.Path); f != "" {
			was[s.Path] = f
		}
	}
	return was
}

// unchangedPromises returns the files that were to be modified and are as they were when that was said. Of one that could not be read
// then, nothing is known.
func (w *work) unchangedPromises() (paths []string) {
	if w.task.Analysis == nil {
		return nil
	}
	root := w.p.Root
	if w.task.Root != "" {
		root = w.task.Root
	}
	for p, was := range w.task.Analysis.FingerprintsToModify() {
		if fingerprint(root, p) == was {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	return paths
}

// noFile is the fingerprint of a file that is not there, such as one that will be made.
const noFile = "none"

// fingerprint returns the hash of what is in a file, noFile or, if it is outside of root, cannot be read or is larger than maxPromised, "".
func fingerprint(root, path string) string {
	if !filepath.IsLocal(filepath.FromSlash(path)) {
		return ""
	}
	data, err := statefile.ReadFollow(filepath.Join(root, filepath.FromSlash(path)), maxPromised)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return noFile
	case err != nil:
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
