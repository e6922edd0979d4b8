package graph

import (
	"path"
	"slices"
	"strings"

	"ken/internal/code"
)

// Includes reports whether a C file includes another, directly or through up to maxFollowed other files.
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

// MayInclude reports whether a C file may include another, directly or through other files: an include that leads to no known file may mean
// each file of its name, and one whose path is a macro, or an import of a module, may mean any.
func (k *Linker) MayInclude(file int64, other Node) bool {
	if k.Includes(file, other.ID) || len(k.included[file]) >= maxFollowed {
		return true
	}
	for id := range k.included[file] {
		out := k.files.Outward(id)
		links := k.importLinks(id, out.Imports)
		for i := range out.Imports {
			isKnown := i < len(links) && links[i].File != 0
			spec := out.Imports[i].Spec
			isPath := !strings.HasPrefix(spec, "module:") && (strings.ContainsAny(spec, "./") || strings.ToLower(spec) == spec)
			if !isKnown && (!isPath || path.Base(spec) == path.Base(other.Path)) {
				return true
			}
		}
	}
	return false
}

// linkHeaders adds an edge from a header to the source file that implements it, found by name, so that dependents of the
// header depend on the source. One edge replaces those from each user of the header to the source.
func (l *fileLinker) linkHeaders() {
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

// IsHeader reports whether a file of C or a related language is meant to be included: each file whose name is not that of a source file.
func IsHeader(p string) bool {
	switch path.Ext(p) {
	case ".c", ".cc", ".cpp", ".cxx", ".c++", ".m", ".mm", ".cu":
		return false
	}
	return true
}

// maxSourceDirs bounds the directories that are searched for the source file of a header.
const maxSourceDirs = 8

// sourceDirs returns the directories that may hold the source file of a header in dir, likeliest first: dir itself,
// and dir with src in the place of include. Below include, the first directory may be missing, because it names the
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
