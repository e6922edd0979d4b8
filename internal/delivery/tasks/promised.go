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

// maxPromised is the largest file, in bytes, that is hashed to see whether it was modified as promised.
const maxPromised = 16 << 20

// fingerprints returns hashes of the files that an agent promised to modify, so that submit_for_review can check whether they
// were modified.
func (w *taskCall) fingerprints(said []guard.FileStatus) map[string]string {
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

// unchangedPromises returns the files that the agent promised to modify but did not. A file that could not be read at the time of the
// promise is left out.
func (w *taskCall) unchangedPromises() (paths []string) {
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

// fingerprint returns the hash of a file's content, noFile if there is none, or "" if it is outside of root, cannot be read or is
// larger than maxPromised.
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
