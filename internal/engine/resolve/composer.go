package resolve

import (
	"slices"
	"strings"
)

// composer holds the relevant parts of a composer.json: the directories of the classes below a prefix. Prefixes and
// directories are as written, those for development last. Classes of classmap and files are found by their namespace.
// https://getcomposer.org/doc/04-schema.md#autoload
type composer struct {
	PSR4 []composerMap
	PSR0 []composerMap
}

type composerMap struct {
	Prefix string
	Dirs   []string
}

func parseComposer(content []byte) composer {
	v := parseJSON(content)
	var c composer
	for _, key := range []string{"autoload", "autoload-dev"} {
		a := v.get(key)
		c.PSR4 = append(c.PSR4, composerMaps(a.get("psr-4"))...)
		c.PSR0 = append(c.PSR0, composerMaps(a.get("psr-0"))...)
	}
	return c
}

func composerMaps(v value) (maps []composerMap) {
	for i, key := range v.Keys {
		maps = append(maps, composerMap{key, v.Items[i].strings()})
	}
	return maps
}

// phpRoot is a directory that holds the classes whose names begin with a prefix.
type phpRoot struct {
	prefix string // "App\Models\"
	dir    string
	old    bool // PSR-0: the whole name is a path below dir, _ counts as /
}

// phpPackage is one composer.json with its roots relative to the repository.
type phpPackage struct {
	dir   string
	roots []phpRoot // longest prefix first
}

func newPHPPackage(dir string, c composer) phpPackage {
	p := phpPackage{dir: dir}
	add := func(maps []composerMap, old bool) {
		for _, m := range maps {
			for _, rel := range m.Dirs {
				if target, ok := join(dir, strings.TrimSuffix(rel, "/")); ok {
					p.roots = append(p.roots, phpRoot{strings.TrimPrefix(m.Prefix, `\`), target, old})
				}
			}
		}
	}
	add(c.PSR4, false)
	add(c.PSR0, true)
	slices.SortStableFunc(p.roots, func(a, b phpRoot) int { return len(b.prefix) - len(a.prefix) })
	return p
}
