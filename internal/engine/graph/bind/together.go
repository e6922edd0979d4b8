package bind

import (
	"slices"
	"strconv"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
)

// Together returns the definitions that are one thing with the definition def, and def itself: the same declaration for other platforms,
// in a stub file, in other parts of a class or behind other build constraints. A reference to one means all, and a new name is one for all.
func (b *Binder) Together(def int) []int { return b.addTwins([]int{def}) }

// addTwins adds to definitions the others that are one thing with one of them.
func (b *Binder) addTwins(defs []int) []int {
	if b.twins == nil {
		b.findTwins()
	}
	if len(b.twins) == 0 {
		return defs
	}
	if len(defs) == 1 {
		if group := b.twins[defs[0]]; group != nil {
			return group
		}
		return defs
	}
	var out []int
	seen := map[int]bool{}
	add := func(list []int) {
		for _, i := range list {
			if !seen[i] {
				seen[i] = true
				out = append(out, i)
			}
		}
	}
	add(defs)
	for _, i := range defs {
		if group := b.twins[i]; len(group) > 0 && !seen[-1-group[0]] {
			seen[-1-group[0]] = true // the group is added
			add(group)
		}
	}
	return out
}

// findTwins groups the definitions by the keys of their families.
func (b *Binder) findTwins() {
	b.twins = map[int][]int{}
	if len(b.defs) < 2 {
		return
	}
	groups := map[string][]int{}
	for i := range b.defs {
		own := families[graph.Family(b.defs[i].File.Lang)]
		if own == nil || own.twin == nil {
			continue
		}
		if key := own.twin(b, &b.defs[i]); key != "" {
			if key = graph.Family(b.defs[i].File.Lang) + "\n" + key; !own.twinsApart {
				key += "\n" + string(b.defs[i].File.Lang) + "\n" + b.defs[i].Container
			}
			groups[key] = append(groups[key], i)
		}
	}
	for _, group := range groups {
		first := &b.defs[group[0]].File
		elsewhere := func(i int) bool {
			d := &b.defs[i]
			return d.File.ID != first.ID && (d.File.Declares() != first.Declares() || isGlobal(d))
		}
		if families[graph.Family(first.Lang)].twinsApart && !slices.ContainsFunc(group, elsewhere) {
			continue
		}
		for _, i := range group {
			if len(group) > 1 {
				b.twins[i] = group
			}
		}
	}
}

// reopenedKey groups the places that open a class or module of Ruby.
func (b *Binder) reopenedKey(d *graph.Def) string {
	if d.Kind.IsType() || d.Kind == code.KindModule {
		return "class " + d.Container
	}
	return ""
}

// partialKey groups the parts of a C# type or method.
func (b *Binder) partialKey(d *graph.Def) string {
	if !strings.Contains(" "+d.Signature, " partial ") {
		return ""
	}
	key := "partial " + d.Container + " " + d.File.Package
	if d.Kind.IsType() {
		key += " " + strconv.Itoa(typeParameters(d))
	}
	return key
}

// stubKey groups a declaration of a Python module with the one that the stub beside it (.pyi) has.
func (b *Binder) stubKey(d *graph.Def) string {
	return d.Container + " " + strings.TrimSuffix(d.File.Path, "i")
}

// buildKey groups the declarations of one name in a package of Go: only build constraints allow several of them. Functions that the
// language calls are declared anew in each file.
func (b *Binder) buildKey(d *graph.Def) string {
	if d.Container == "" && (d.Name == "init" || d.Name == "main" || d.Name == "_") {
		return ""
	}
	return d.Container + " " + code.Dir(d.File.Path) + " " + d.File.Package
}

// platformKey groups the declarations of one thing for several platforms: those marked expect and actual in Kotlin, and the members of
// types that are marked so.
func (b *Binder) platformKey(d *graph.Def) string {
	if !d.File.Traits().Platforms || !b.isPlatform(d) {
		return ""
	}
	key := d.Container + " package " + d.File.Package
	if d.Kind.IsFunction() {
		key += " " + strconv.Itoa(parameterCount(d))
	}
	return key
}

// isPlatform reports whether a definition is marked expect or actual, or is a member of a type that is expected.
func (b *Binder) isPlatform(d *graph.Def) bool {
	if isMarked(d.Signature) {
		return true
	}
	for path := d.Container; path != ""; path = outerScope(path) {
		for _, t := range b.types.Lookup().Declarations(d.File.ID, outerScope(path), code.LastSegment(path)) {
			if strings.Contains(" "+t.Signature, " expect ") {
				return true
			}
		}
	}
	return false
}

// isMarked reports whether a signature has the word expect or actual among its modifiers.
func isMarked(signature string) bool {
	for word := range strings.FieldsSeq(signature) {
		switch word {
		case "expect", "actual":
			return true
		case "fun", "val", "var", "class", "object", "interface", "typealias", "constructor":
			return false
		}
	}
	return false
}

// parameterCount returns the number of parameters of a function of Kotlin.
func parameterCount(d *graph.Def) int {
	_, list, _ := strings.Cut(d.Signature, d.Name+"(")
	count, depth := 1, 0
	for i := range len(list) {
		switch list[i] {
		case '(', '<', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				if strings.TrimSpace(strings.TrimSuffix(list[:i], ",")) == "" {
					return 0
				}
				return count
			}
		case '>':
			if i > 0 && list[i-1] != '-' {
				depth--
			}
		case ',':
			if depth == 0 && strings.Trim(list[i:], ", )") != "" {
				count++
			}
		}
	}
	return count
}
