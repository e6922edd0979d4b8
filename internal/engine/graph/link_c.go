package graph

import (
	"path"
	"slices"
	"strings"

	"ken/internal/code"
)

// Includes reports whether a file includes another, through any number of files up to maxFollowed.
func (k *Linker) Includes(file, other int64) bool {
	set, ok := k.included[file]
	if !ok {
		set = map[int64]bool{file: true}
		queue := []int64{file}
		for i := 0; i < len(queue) && len(queue) < maxFollowed; i++ {
			out := k.files.Outward(queue[i])
			for _, l := range k.importLinks(queue[i], out.Imports) {
				if l.File != 0 && !set[l.File] {
					set[l.File] = true
					queue = append(queue, l.File)
				}
			}
		}
		k.included[file] = set
	}
	return set[other]
}

// pairs draws an edge from a header to the source that implements it, by their names: dependents of the header depend on
// the source. Edges into the source from every user of the header would repeat that many times.
func (l *linking) pairs() {
	if !l.traits.Prototypes || !IsHeader(l.n.Path) {
		return
	}
	stem := strings.TrimSuffix(path.Base(l.n.Path), path.Ext(l.n.Path))
	for _, dir := range sourceDirs(code.Dir(l.n.Path)) {
		at := stem
		if dir != "" {
			at = dir + "/" + stem
		}
		l.probes[ProbeKey(at)] = true
		for _, ext := range [...]string{".c", ".cc", ".cpp", ".cxx", ".c++"} {
			if t, ok := l.files.Node(at + ext); ok {
				l.edge(t.ID, code.RelUses, code.UniqueName)
				return
			}
		}
	}
}

// IsHeader reports whether a file of C or its relatives is meant to be included: all that are not named like sources.
func IsHeader(p string) bool {
	switch path.Ext(p) {
	case ".c", ".cc", ".cpp", ".cxx", ".c++", ".m", ".mm", ".cu":
		return false
	}
	return true
}

// maxSourceDirs bounds the directories in which the source of a header is sought.
const maxSourceDirs = 8

// sourceDirs returns the directories where the source of a header in dir may be, likeliest first: beside it, and where
// src takes the place of include, with the directories below include or without the first of them, which names the
// project.
func sourceDirs(dir string) []string {
	out := []string{dir}
	segs := strings.Split(dir, "/")
	for i := len(segs) - 1; i >= 0 && len(out) < maxSourceDirs; i-- {
		switch segs[i] {
		case "include", "inc", "includes", "public":
		default:
			continue
		}
		above, below := segs[:i:i], segs[i+1:]
		for skip := 0; skip <= min(1, len(below)); skip++ {
			for _, src := range [...]string{"src", "source", "lib", ""} {
				parts := slices.Clone(above)
				if src != "" {
					parts = append(parts, src)
				}
				out = append(out, strings.Join(append(parts, below[skip:]...), "/"))
			}
		}
		break
	}
	return slices.Compact(out)
}
