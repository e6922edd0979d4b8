package graph

import (
	"path"
	"slices"
	"strings"

	"ken/internal/code"
)

// C and C++: an include brings in every declaration of the file it names and of
// those included there. What is declared there is often defined elsewhere: a
// reference is then bound to the prototype and to the definitions that can be
// meant, which are those in files that include the prototype's file.

// inC decides one reference of a C or C++ file.
func (b *Binder) inC(s *Site, r *code.Ref) Binding {
	switch r.Via {
	case code.ViaBare:
		return b.bareC(s, r)
	case code.ViaSelf, code.ViaTyped:
		recv, scope := strings.CutSuffix(r.Recv, "::")
		if got := b.memberC(s, recv); len(got.Defs) > 0 {
			return got
		}
		// A function of the class may name what is outside of it, and what stands
		// before :: may be a namespace, which names leave out.
		if scope || r.Via == code.ViaSelf {
			got := b.bareC(s, r)
			if len(got.Defs) > 0 || scope {
				return got
			}
		}
	}
	got := b.memberByName(s, r)
	if got.Confidence == code.Ambiguous && len(got.Defs) > 1 && b.oneFunction(got.Defs) {
		got.Confidence = code.UniqueName
	}
	return got
}

// bareC looks a plain name up: in the file, then in what it includes.
func (b *Binder) bareC(s *Site, r *code.Ref) Binding {
	top := func(d *Def) bool { return d.Container == "" }
	if own := b.pick(b.byFile[s.Node.ID], top); len(own) > 0 {
		return b.withDefinitions(s.Node.ID, own, Binding{Defs: own, Confidence: code.Exact, Decided: true})
	}
	for i := range s.Imports {
		if i >= len(s.Links) || s.Links[i].File == 0 {
			continue
		}
		home, name, ok := b.k.FollowName(s.Links[i].File, r.Name)
		if !ok {
			continue
		}
		decls := b.pick(b.byFile[home], func(d *Def) bool { return top(d) && d.Name == name })
		if len(decls) > 0 {
			return b.withDefinitions(home, decls, Binding{Defs: decls, Confidence: code.ImportResolved, Decided: true})
		}
	}
	if b.incomplete(s) {
		return b.byName(s, r, func(d *Def) bool { return d.Container == "" && (!d.Local || isHeader(d.File.Path)) })
	}
	return Binding{Decided: true}
}

// incomplete reports whether a file may see more than its includes show: an
// include that was not found, or a header, which sees what stands before it where
// it is included.
func (b *Binder) incomplete(s *Site) bool {
	for i := range s.Links {
		if !s.Links[i].Resolved() {
			return true
		}
	}
	return len(s.Links) < len(s.Imports) || isHeader(s.Node.Path)
}

func isHeader(p string) bool {
	switch path.Ext(p) {
	case ".c", ".cc", ".cpp", ".cxx", ".c++", ".m", ".mm", ".cu":
		return false
	}
	return true
}

// withDefinitions adds to declarations in the file home, where they are all
// prototypes, the definitions they announce. If none includes home, the only one of
// the name in the repository will be it, as two would not link; then the name alone
// tells.
func (b *Binder) withDefinitions(home int64, decls []int, got Binding) Binding {
	if !slices.ContainsFunc(decls, func(i int) bool { return b.defs[i].Forward }) ||
		slices.ContainsFunc(decls, func(i int) bool { return !b.defs[i].Forward }) {
		return got
	}
	class := lastSegment(b.defs[decls[0]].Container)
	fits := b.pick(b.byType[class], func(d *Def) bool {
		return !d.Forward && !d.Local && d.File.ID != home && Family(d.File.Lang) == "c" && definesC(d.Kind)
	})
	if near := b.pick(fits, func(d *Def) bool { return b.k.includes(d.File.ID, home) }); len(near) > 0 {
		got.Defs, got.Confidence = append(slices.Clone(decls), near...), min(got.Confidence, code.ImportResolved)
		return got
	}
	if len(fits) == 1 {
		got.Defs, got.Confidence = append(slices.Clone(decls), fits...), code.UniqueName
	}
	return got
}

// definesC reports whether a prototype can announce what is of kind k.
func definesC(k code.Kind) bool {
	return k.IsFunction() && k != code.KindMacro || k == code.KindVariable || k == code.KindConstant || k == code.KindField
}

// includes reports whether a file includes another, however many files are in
// between, up to maxFollowed of them.
func (k *Linker) includes(file, other int64) bool {
	set, ok := k.included[file]
	if !ok {
		set = map[int64]bool{file: true}
		queue := []int64{file}
		for i := 0; i < len(queue) && len(queue) < maxFollowed; i++ {
			out := k.w.Outward(queue[i])
			for _, l := range k.linksOf(queue[i], out.Imports) {
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

// memberC looks a member up by its class.
func (b *Binder) memberC(s *Site, class string) Binding {
	of := b.pick(b.byType[lastSegment(class)], func(d *Def) bool { return Family(d.File.Lang) == "c" && d.Container != "" })
	if class == "" || len(of) == 0 {
		return Binding{}
	}
	if own := b.pick(of, func(d *Def) bool { return d.File.ID == s.Node.ID }); len(own) > 0 {
		return b.withDefinitions(s.Node.ID, own, Binding{Defs: own, Confidence: code.Exact, Decided: true})
	}
	for i := range s.Imports {
		if i >= len(s.Links) || s.Links[i].File == 0 {
			continue
		}
		home, ok := b.k.Follow(s.Links[i].File, class)
		if !ok {
			continue
		}
		if decls := b.pick(of, func(d *Def) bool { return d.File.ID == home }); len(decls) > 0 {
			return b.withDefinitions(home, decls, Binding{Defs: decls, Confidence: code.ImportResolved, Decided: true})
		}
	}
	// The class came in by a way not seen, or its header names it by a macro.
	if reached := b.pick(of, func(d *Def) bool { return b.k.includes(s.Node.ID, d.File.ID) }); len(reached) > 0 {
		return b.withDefinitions(b.defs[reached[0]].File.ID, reached, Binding{Defs: reached, Confidence: code.ImportResolved, Decided: true})
	}
	if b.oneFunction(of) {
		return Binding{Defs: of, Confidence: code.UniqueName}
	}
	return Binding{Defs: of, Confidence: code.Ambiguous}
}

// oneFunction reports whether definitions are one, with its prototypes.
func (b *Binder) oneFunction(of []int) bool {
	defined := 0
	for _, i := range of {
		if b.defs[i].Container != b.defs[of[0]].Container {
			return false
		}
		if !b.defs[i].Forward {
			defined++
		}
	}
	return defined <= 1
}

// pairs draws an edge from a header to the source that implements it, by their
// names: what depends on the header depends on that. Edges into the source from
// every user of the header would say the same many times over.
func (l *linking) pairs() {
	if l.n.Lang != "c" && l.n.Lang != "cpp" || !isHeader(l.n.Path) {
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
			if t, ok := l.w.Node(at + ext); ok {
				l.edge(t.ID, code.RelUses, code.UniqueName)
				return
			}
		}
	}
}

// maxSourceDirs bounds where the source of a header is looked for.
const maxSourceDirs = 8

// sourceDirs are the directories where the source of a header in dir may be,
// likeliest first: beside it, and where src stands in place of include, with the
// directories below include or without the first of them, which names the project.
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
