package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// analyseDocument analyses the target of a document, reads all code that uses it, but not all of the documents: only the demand to confirm
// documents can refuse it.
func (x *cheater) analyseDocument() error {
	d := x.w.docs[x.r.IntN(len(x.w.docs)-1)]
	list := slices.Sorted(maps.Keys(d.of))
	name := list[x.r.IntN(len(list))]
	file := x.w.home[name].file
	got, err := x.send("analyze_impact", args{"target_files": []string{file + ":" + name}})
	if err != nil || got.failed != "" || !got.Allowed {
		return err
	}
	x.analysed = append(x.analysed, file+":"+name)
	uses := slices.Concat(x.w.uses(file, name), x.half(x.w.descriptions(file, name)))
	for _, p := range got.Must { // of earlier analyses
		for _, l := range p.Lines {
			uses = append(uses, use{p.File, l})
		}
	}
	for _, u := range uses {
		if !x.saw(u) {
			if _, err := x.call("get_function_at_line", args{"file": u.file, "line": fmt.Sprint(u.line)}); err != nil {
				return err
			}
		}
	}
	return x.impact()
}

// half returns some of the lines that describe something, and other lines of the same documents: the second half of a file
// describes nothing in the first.
func (x *cheater) half(described []use) (out []use) {
	for _, u := range described {
		switch x.r.IntN(4) {
		case 0:
			out = append(out, u)
		case 1:
			out = append(out, use{u.file, 1})
		case 2:
			out = append(out, use{guide, 1})
		}
	}
	return out
}

// countUnread counts the unread descriptions of targets of an accepted analysis as faults. It knows the descriptions from how the
// project was made, and not from ken.
func (x *cheater) countUnread() {
	any := false
	for _, t := range x.analysed {
		file, name, _ := strings.Cut(t, ":")
		if name != "" && !x.exists(t) {
			continue
		}
		for _, u := range x.w.descriptions(file, name) {
			if any = true; !x.saw(u) {
				x.faults = append(x.faults, fmt.Sprintf("%s: %s:%d describes %s, counts as confirmed and was not read", x.task, u.file, u.line, t))
			}
		}
	}
	if any {
		x.confirmed++
	}
}
