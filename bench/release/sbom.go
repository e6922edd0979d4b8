package main

import (
	"encoding/json"
	"strings"
	"time"
)

type component struct {
	Type       string      `json:"type"`
	Name       string      `json:"name"`
	Version    string      `json:"version"`
	PURL       string      `json:"purl,omitempty"`
	Components []component `json:"components,omitempty"`
}

// components returns the list of all that is in the program, in the form of CycloneDX. Grammars are below the modules that carry them.
func (r *release) components(list []module, goVersion string) ([]byte, error) {
	var parts []component
	for i := range list {
		m := &list[i]
		c := component{Type: "library", Name: m.Path, Version: m.Version, PURL: "pkg:golang/" + m.Path + "@" + m.Version}
		g, ok, err := carriedGrammar(m)
		if err != nil {
			return nil, err
		}
		if ok {
			name := strings.TrimPrefix(g.URL, "https://github.com/")
			c.Components = []component{{Type: "library", Name: name, Version: g.Revision, PURL: "pkg:github/" + name + "@" + g.Revision}}
		}
		parts = append(parts, c)
	}
	version := strings.TrimPrefix(goVersion, "go")
	parts = append(parts, component{Type: "library", Name: "std", Version: version, PURL: "pkg:golang/std@" + version})
	ken := component{Type: "application", Name: "ken", Version: r.version}
	text, err := json.MarshalIndent(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
		"metadata":   map[string]any{"timestamp": r.time.Format(time.RFC3339), "component": ken},
		"components": parts,
	}, "", "  ")
	return append(text, '\n'), err
}
