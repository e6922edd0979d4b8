package relink

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/resolve"
)

// moved relinks those for whom it matters that a file changed its package, its
// language or whether it is a test.
func (l *linking) moved(was code.File) error {
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

// probed relinks the files whose imports asked for a path like this one.
func (l *linking) probed(f code.File, came bool) error {
	keys := append(resolve.Keys(f.Path), resolve.PackageKeys(f.Lang, f.Package)...)
	for _, k := range keys {
		turned, err := l.turned(&f, k, came)
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

func (l *linking) probedBy(key string) error {
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
