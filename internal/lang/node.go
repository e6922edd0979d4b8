package lang

import (
	"maps"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
)

// typeSegments maps words of a path to the type of node that they show, such as a service or a hook.
var typeSegments = map[string]string{
	"service": "service", "services": "service",
	"component": "component", "components": "component", "widgets": "component", "views": "component", "pages": "component", "ui": "component",
	"util": "util", "utils": "util", "lib": "util", "libs": "util", "helper": "util", "helpers": "util", "common": "util", "shared": "util", "support": "util",
	"api": "api", "apis": "api", "route": "api", "routes": "api", "router": "api", "routers": "api", "controller": "api", "controllers": "api",
	"handler": "api", "handlers": "api", "endpoints": "api", "rest": "api", "graphql": "api",
	"config": "config", "configs": "config", "configuration": "config", "settings": "config",
	"model": "model", "models": "model", "entity": "model", "entities": "model", "schema": "model", "schemas": "model", "types": "model", "dto": "model", "domain": "model",
	"hook": "hook", "hooks": "hook",
}

// libDir is the directory in which a package keeps its source, if it is at the top
// of a tree. Further down, as in src/lib, it holds code that the rest shares.
const libDir = "lib"

// NodeTypes lists the results of NodeType, sorted.
func NodeTypes() []string {
	all := map[string]bool{"test": true, "module": true}
	for _, t := range typeSegments {
		all[t] = true
	}
	return slices.Sorted(maps.Keys(all))
}

// NodeType returns the type of a file in exports (docs/formats.md). Tests and
// configuration are known by their flags; then the file's own name counts
// ("user.service.ts", "use-auth.ts" in hooks), then the nearest directory that
// names a type; "module" is everything else.
func NodeType(f code.File) string {
	switch {
	case f.Flags&code.FlagTest != 0:
		return "test"
	case f.Flags&code.FlagConfig != 0:
		return "config"
	}
	base := strings.ToLower(path.Base(f.Path))
	stem := strings.TrimSuffix(base, path.Ext(base))
	switch f.Lang {
	case "yaml", "toml", "json", "ini", "properties":
		return "config"
	}
	if t, ok := typeSegments[stem]; ok && stem != libDir { // lib.rs is the root of a crate
		return t
	}
	if i := strings.LastIndexAny(stem, "._-"); i >= 0 {
		if t, ok := typeSegments[stem[i+1:]]; ok {
			return t
		}
	}
	segs := strings.Split(strings.ToLower(path.Dir(f.Path)), "/")
	for i := len(segs) - 1; i >= 0; i-- {
		if t, ok := typeSegments[segs[i]]; ok && (i > 0 || segs[i] != libDir) {
			return t
		}
	}
	return "module"
}
