package check

import (
	"context"
	"path"
	"regexp"
	"strings"
	"sync"

	"ken/internal/ask/surface/manifest"
)

// manifests are the facts of all manifests of the project, each with the file that has it.
type manifests struct {
	packages  map[string]string // by name in lower case
	scripts   map[string]string // of package.json and its like
	targets   map[string]string // of Makefiles
	has       map[string]bool   // base names of manifests; "Python" for any of its own
	manifests map[string]bool   // paths
}

// target matches the line of a Makefile that begins a target.
var target = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^([A-Za-z][\w./-]*)\s*:(?:[^=]|$)`) })

// readManifests reads the manifests of the project, once.
func (x *checker) readManifests(ctx context.Context) (*manifests, error) {
	if x.manifests != nil {
		return x.manifests, nil
	}
	m := &manifests{map[string]string{}, map[string]string{}, map[string]string{}, map[string]bool{}, map[string]bool{}}
	rows, err := x.s.AllPaths()
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		base := path.Base(r.Path)
		isMake := base == "Makefile" || base == "makefile" || base == "GNUmakefile"
		if !isMake && !manifest.IsManifest(r.Path) && base != "pubspec.yaml" {
			continue
		}
		m.manifests[r.Path], m.has[base] = true, true
		if strings.HasPrefix(base, "requirements") || base == "pyproject.toml" || base == "setup.py" || base == "setup.cfg" {
			m.has["Python"] = true
		}
		text, err := x.s.Text(ctx, r.Path)
		if err != nil {
			return nil, err
		}
		if isMake {
			m.has["Makefile"] = true
			for _, t := range target().FindAllStringSubmatch(string(text), -1) {
				m.targets[t[1]] = r.Path
			}
			continue
		}
		read := manifest.Read(r.Path, string(text))
		if read == nil {
			continue
		}
		for _, d := range read.Dependencies {
			m.packages[strings.ToLower(d.Name)] = r.Path
		}
		for _, s := range read.Scripts {
			m.scripts[s.Name] = r.Path
		}
	}
	x.manifests = m
	return m, nil
}
