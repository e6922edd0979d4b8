package surface

import (
	"context"

	"ken/internal/ask/surface/manifest"
	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// Own finds the packages that the files of a repository belong to.
type Own struct{ c *collector }

// Membership is the package of a file.
type Membership struct {
	Manager, Package string
	Module           string // the path by which code imports the file, if its place alone gives it (Go); "" else
}

// Packages reads the packages that a repository provides. It fails if the index or a file cannot be read, or if ctx ends.
func Packages(ctx context.Context, s *view.Snapshot) (*Own, error) {
	c := newCollector(s)
	return &Own{c}, c.readManifests(ctx)
}

// At returns the package of a file, and false if it is code of none.
func (o *Own) At(path string) (Membership, bool) {
	manager := manifest.CodeManager(lang.Detect(path, nil))
	r, ok := o.c.nearestPackage(manager, code.Dir(path))
	if manager == "" || !ok {
		return Membership{}, false
	}
	m := Membership{Manager: manager, Package: r.Package}
	if manager == manifest.Go {
		m.Module = r.Package + code.Dir(path)[len(code.Dir(r.Manifest)):]
		if code.Dir(r.Manifest) == "" && code.Dir(path) != "" {
			m.Module = r.Package + "/" + code.Dir(path)
		}
	}
	return m, true
}
