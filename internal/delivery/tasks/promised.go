package tasks

import (
	"ken/internal/delivery/tasks/content"
	"slices"

	"ken/internal/guard"
)

// fingerprints returns hashes of the files that an agent promised to modify, so that submit_for_review can check whether they
// were modified.
func (w *taskCall) fingerprints(said []guard.FileStatus) map[string]string {
	was := map[string]string{}
	for _, s := range said {
		if s.Status != guard.WillModify {
			continue
		}
		if f := content.Fingerprint(w.p.Root, s.Path); f != "" {
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
		if content.Fingerprint(root, p) == was {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	return paths
}
