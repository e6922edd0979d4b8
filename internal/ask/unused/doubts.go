package unused

import (
	"context"
	"path"
	"regexp"
	"strconv"
	"strings"

	"ken/internal/ask/grep"
	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/graph"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// The kinds of doubts: evidence of possible uses, with which "nothing uses it" is not
// proven.
const (
	UnseenPossible = "possible" // an undecided use of the name
	UnseenUnread   = "unread"   // files that could use it were not read whole
	UnseenText     = "text"     // its name is in a file of a language whose uses are not read
	UnseenOutside  = "outside"  // it may override a member of a type outside the repository
)

// isDoubt reports whether a kind of unseen use leaves "nothing uses it" unproven.
func isDoubt(kind string) bool {
	return kind == UnseenPossible || kind == UnseenUnread || kind == UnseenText || kind == UnseenOutside
}

// IsSettled reports whether it is proven which definition every use of the targets' names in the repository means, so that refs lists
// all uses of the targets. Cheap doubts are checked first. It returns an error if the index or the searched files cannot be read or
// ctx ends.
func IsSettled(ctx context.Context, s *view.Snapshot, targets []view.Symbol, refs *view.References) (bool, error) {
	if refs.ResolvedShare < 1 || !refs.IsProven() {
		return false, nil
	}
	h := unseenSearch{s: s, ctx: ctx}
	var a Absence
	families := families(s, targets)
	if err := h.coverage(families, &a); err != nil || a.Whole < a.Files {
		return false, err
	}
	if err := h.addDoubts(targets, families); err != nil {
		return false, err
	}
	return len(h.list) == 0, s.Lookup.Err
}

// addDoubts adds doubts beside those of the references and the coverage.
func (h *unseenSearch) addDoubts(targets []view.Symbol, families map[string]bool) error {
	for i := range targets {
		t := &targets[i]
		if n, _ := h.s.Lookup.Node(t.Path); builtin.IsLeftOut(n.Lang, t.Name) {
			h.add(UnseenUnread, "uses of "+t.Name+", a name of the language itself, are not all recorded", t.Path, t.Span.Line)
		}
		if err := h.outsideBases(t); err != nil {
			return err
		}
	}
	return h.unreadLanguages(targets, families)
}

// outsideBases adds the bases outside the repository that a target may override a
// member of.
func (h *unseenSearch) outsideBases(t *view.Symbol) error {
	n, _ := h.s.Lookup.Node(t.Path)
	if t.Symbol.Container() == "" || !t.Kind.IsFunction() || lang.Of(n.Lang).ImplicitInterfaces {
		return nil
	}
	bases, err := refs.OverriddenOutside(h.ctx, h.s, t)
	if err != nil {
		return err
	}
	for _, base := range bases {
		h.add(UnseenOutside, base+"."+t.Name, t.Path, t.Span.Line)
	}
	return nil
}

// unreadLanguages adds the files that hold a target's name, could name it, and
// are of languages whose uses are not read.
func (h *unseenSearch) unreadLanguages(targets []view.Symbol, families map[string]bool) error {
	for f := range families {
		if list := lang.InFamily(f); len(list) > 0 && lang.LanguageTier(list[0]) != lang.Full {
			h.add(UnseenText, "uses are not read in "+string(list[0]), "", 0)
			return nil
		}
	}
	done := map[string]bool{}
	for i := range targets {
		name := targets[i].Name
		if done[name] {
			continue
		}
		done[name] = true
		files, err := h.unreadFiles(name, families)
		if err != nil {
			return err
		}
		if err := h.namedIn(name, files); err != nil {
			return err
		}
	}
	return nil
}

// unreadFiles returns the files that may name declarations of the families, are of languages whose uses are not read, and hold a
// word of a name.
func (h *unseenSearch) unreadFiles(name string, families map[string]bool) ([]code.File, error) {
	if err := h.openNames(); err != nil {
		return nil, err
	}
	files, total, known, err := h.names.Unread(name, families)
	if err != nil {
		return nil, err
	}
	if !known {
		h.add(UnseenText, "files that may name it are not searched for so short a name", "", 0)
	}
	if total > len(files) {
		h.add(UnseenText, strconv.Itoa(total)+" files may name it, more than are searched", "", 0)
	}
	return files, nil
}

func (h *unseenSearch) openNames() (err error) {
	if h.names == nil {
		h.names, err = grep.NewNameFiles(h.s)
	}
	return err
}

// namedIn adds the lines of files that contain a name as possible uses.
func (h *unseenSearch) namedIn(name string, files []code.File) error {
	var tags, plain []code.File
	for _, f := range files {
		if lang.Of(f.Lang).Components {
			tags = append(tags, f)
		} else {
			plain = append(plain, f)
		}
	}
	quoted := regexp.QuoteMeta(name)
	for _, look := range []struct {
		files   []code.File
		pattern string
	}{
		{plain, `(^|[^\pL\pN_$\n])` + quoted + `($|[^\pL\pN_$\n])`},
		{tags, `(<(\w+\.)?|^import .*)` + quoted + `($|[^\pL\pN_$\n-])`},
	} {
		if len(look.files) == 0 {
			continue
		}
		for m, err := range grep.Grep(h.ctx, h.s, view.GrepQuery{Regex: look.pattern, Only: look.files, Limit: maxUnseen}) {
			if err != nil {
				return err
			}
			h.add(UnseenText, strings.TrimSpace(m.Text), m.Path, m.Line)
		}
	}
	return nil
}

// addUnread says how many files that could use it were not read whole.
func (h *unseenSearch) addUnread(a *Absence) {
	if n := a.Files - a.Whole; n > 0 {
		h.add(UnseenUnread, strconv.Itoa(n)+" of "+strconv.Itoa(a.Files)+" files were not read whole", "", 0)
	}
}

// doubtsOfFile adds the ways in which code may depend on a file without a
// known import. unlinked reports whether there are imports whose target is
// unknown.
func (h *unseenSearch) doubtsOfFile(n graph.Node, stem string, unlinked bool) error {
	if entryStems[stem] && code.Dir(n.Path) != "" { // imported by its directory's name
		stem = path.Base(code.Dir(n.Path))
	}
	if unlinked {
		if err := h.unresolvedImports(n, stem); err != nil {
			return err
		}
	}
	return h.fileInUnread(stem, map[string]bool{graph.Family(n.Lang): true})
}

// fileInUnread adds the files, of languages whose imports are not read, that hold
// the name of a file as an import or a link would write it.
func (h *unseenSearch) fileInUnread(stem string, families map[string]bool) error {
	files, err := h.unreadFiles(stem, families)
	if err != nil || len(files) == 0 {
		return err
	}
	pattern := `["'/]` + regexp.QuoteMeta(stem) + `(\.\w+)?["']`
	for m, err := range grep.Grep(h.ctx, h.s, view.GrepQuery{Regex: pattern, Only: files, Limit: maxUnseen}) {
		if err != nil {
			return err
		}
		h.add(UnseenText, strings.TrimSpace(m.Text), m.Path, m.Line)
	}
	return nil
}

// unresolvedImports adds the imports that lead nowhere known and may mean a file by its
// name, by a way that resolution does not know.
func (h *unseenSearch) unresolvedImports(n graph.Node, stem string) error {
	if err := h.openNames(); err != nil {
		return err
	}
	ids, _, err := h.names.Holding(stem, func(l code.Lang) bool { return graph.Family(l) == graph.Family(n.Lang) })
	if err != nil {
		return err
	}
	for _, id := range ids[:min(len(ids), maxUnlinked)] {
		t, err := h.s.Site(id)
		if err != nil {
			return err
		}
		for i := range t.Imports {
			imp := &t.Imports[i]
			known := i < len(t.Links) && t.Links[i].IsResolved()
			if !known && lastWord(imp.Spec) == stem && id != n.ID {
				h.add(UnseenPossible, "import of "+imp.Spec, t.Node.Path, imp.Line)
			}
		}
	}
	return nil
}

// maxUnlinked is the number of files whose imports are looked at.
const maxUnlinked = 2000

// lastWord returns the last segment of the path in an import, without an extension.
func lastWord(spec string) string {
	spec = spec[strings.LastIndexAny(spec, `/\:`)+1:]
	if stem := strings.TrimSuffix(spec, path.Ext(spec)); strings.Contains(spec, ".") && path.Ext(spec) != spec {
		if after := code.LastSegment(spec); lang.Detect("x."+after, nil) == "" {
			return after
		}
		return stem
	}
	return spec
}
