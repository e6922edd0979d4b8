package unused

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"ken/internal/ask/grep"
	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// foundType adds the ways in which a type is found by what it inherits: a framework looks for the subtypes of its own types, a base hears
// of each new subtype or lists them.
func (h *unseenSearch) foundType(t *view.Symbol, n graph.Node) error {
	row := lang.Of(n.Lang)
	if !row.FindsTypes {
		return nil
	}
	bases, outside, err := refs.Bases(h.ctx, h.s, t)
	if err != nil {
		return err
	}
	for _, base := range outside {
		h.doubt(UnseenOutside, base+" may find it", t.Path, t.Span.Line)
	}
	return cmp.Or(h.heardOf(bases, row), h.listed(bases, row))
}

// heardOf adds the bases that the language calls for each new subtype.
func (h *unseenSearch) heardOf(bases []store.SymbolRow, row *lang.Info) error {
	for i := range bases {
		base := &bases[i]
		if row.Metaclass != "" && strings.Contains(base.Signature, row.Metaclass) {
			h.doubt(UnseenEntry, base.Qualified+" names a metaclass", base.Path, base.Span.Line)
		}
		rows, err := h.s.Index.Symbols(base.FileID)
		if err != nil {
			return err
		}
		for k := range rows {
			if rows[k].Parent == base.Ord && slices.Contains(row.SubtypeHooks, rows[k].Name) {
				h.doubt(UnseenEntry, rows[k].Qualified+" is called for it", base.Path, rows[k].Span.Line)
			}
		}
	}
	return nil
}

// listed adds the calls that list the subtypes of bases: on a base by its name, or on the type itself in the file of a base.
func (h *unseenSearch) listed(bases []store.SymbolRow, row *lang.Info) error {
	for _, list := range row.SubtypeLists {
		ids, err := h.s.Index.Referrers(list)
		if err != nil {
			return err
		}
		for _, id := range ids[:min(len(ids), maxUnlinked)] {
			names := []string{}
			for i := range bases {
				if names = append(names, regexp.QuoteMeta(bases[i].Name)); bases[i].FileID == id {
					names = append(names, "cls", "self", "this")
				}
			}
			if len(names) == 0 {
				return nil
			}
			f, err := h.s.FileByID(id)
			if err != nil {
				return err
			}
			pattern := `\b(` + strings.Join(names, "|") + `)\.` + list + `\b`
			for m, err := range grep.Grep(h.ctx, h.s, view.GrepQuery{Regex: pattern, Only: []code.File{f}, Limit: maxUnseen}) {
				if err != nil {
					return err
				}
				h.doubt(UnseenEntry, strings.TrimSpace(m.Text), m.Path, m.Line)
			}
		}
	}
	return nil
}

// maxMembers is the number of members of a type whose uses are looked for.
const maxMembers = 200

// usedMember adds a use of a member of a type whose members are used without its name: an enumerator, an extension method.
func (h *unseenSearch) usedMember(t *view.Symbol, n graph.Node) error {
	if !lang.Of(n.Lang).LoneMembers {
		return nil
	}
	id := code.UnpackSymbolID(t.ID)
	rows, err := h.s.Index.Symbols(id.File)
	if err != nil {
		return err
	}
	var members []view.Symbol
	for k := range rows {
		if rows[k].Parent != id.Ord || rows[k].Kind.IsType() || rows[k].Kind == code.KindConstructor {
			continue
		}
		rows[k].Path = t.Path
		if members = append(members, view.RowSymbol(&rows[k])); len(members) == maxMembers {
			break
		}
	}
	if len(members) == 0 {
		return nil
	}
	found, err := refs.References(h.ctx, h.s, members)
	for k := range found.List {
		r := &found.List[k]
		isOwn := r.Path == t.Path && t.Span.Contains(code.Span{Start: r.Start, End: r.Start})
		if !isOwn && r.Confidence > code.Ambiguous {
			h.doubt(UnseenValue, "its member "+r.Target.Name+" is used", r.Path, r.Line)
			break
		}
	}
	return err
}

// overriddenBy adds a member that overrides or implements a target and is marked as such, so that it does not stand without the target.
func (h *unseenSearch) overriddenBy(t *view.Symbol, n graph.Node) error {
	below, err := refs.Below(h.ctx, h.s, t)
	for i := range below {
		b := &below[i]
		if lang.Of(n.Lang).Overriding != lang.Unmarked || strings.Contains(b.Signature, "override ") {
			h.doubt(UnseenOverride, b.Qualified, b.Path, b.Span.Line)
			break
		}
	}
	return err
}

// isEntryName reports whether a name matches one of some patterns of path.Match.
func isEntryName(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, _ := path.Match(p, name)
		return ok
	})
}

// isTestType reports whether a type in a test file has a name that test runners look for.
func isTestType(name string) bool {
	endings := []string{"Test", "Tests", "TestCase", "Spec", "IT"}
	return strings.HasPrefix(name, "Test") || slices.ContainsFunc(endings, func(end string) bool { return strings.HasSuffix(name, end) })
}
