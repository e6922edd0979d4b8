package relink

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/resolve"
)

// markMoved marks the files affected by a change of a file's package, of its language or of being a test.
func (l *relinkRun) markMoved(was code.File) error {
	if err := l.Importers(l.tx, was.ID); err != nil {
		return err
	}
	now, ok, err := l.tx.FileByID(was.ID)
	if err != nil || !ok {
		return err
	}
	keys := append(resolve.Keys(was.Path), resolve.PackageKeys(was.Lang, was.Package)...)
	for _, k := range append(keys, resolve.PackageKeys(now.Lang, now.Package)...) {
		if strings.HasSuffix(k, "**") {
			continue
		}
		if err := l.probedBy(k); err != nil {
			return err
		}
	}
	return nil
}

// markProbing marks the files with an import that looked for a path such as this one.
func (l *relinkRun) markProbing(f code.File, came bool) error {
	keys := append(resolve.Keys(f.Path), resolve.PackageKeys(f.Lang, f.Package)...)
	for _, k := range keys {
		turned, err := l.changesResult(&f, k, came)
		if err != nil {
			return err
		}
		if !turned {
			continue
		}
		if err := l.probedBy(k); err != nil {
			return err
		}
	}
	return nil
}

func (l *relinkRun) probedBy(key string) error {
	k := graph.ProbeKey(key)
	if l.probes[k] {
		return nil
	}
	l.probes[k] = true
	ids, err := l.tx.ProbedBy(k)
	for _, id := range ids {
		l.Files[id] = true
	}
	return err
}
