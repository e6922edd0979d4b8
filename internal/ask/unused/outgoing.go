package unused

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// Outgoing returns the evidence for "it uses nothing of the repository" of a file or of symbols. Its names are the references in it. It
// returns errors as Symbols does.
func Outgoing(ctx context.Context, s *view.Snapshot, t view.Target) (Absence, error) {
	a := Absence{Searched: 1, Share: 1}
	h := unseenSearch{s: s, ctx: ctx}
	paths := map[string]bool{}
	if t.File != "" {
		paths[t.File] = true
	}
	for i := range t.Symbols {
		sym := &t.Symbols[i]
		paths[sym.Path] = true
		open, named, err := refs.Undecided(ctx, s, sym)
		if err != nil {
			return a, err
		}
		a.Named, a.Decided = a.Named+named, a.Decided+named-len(open)
		for _, r := range open {
			h.doubt(UnseenPossible, r.Kind.String()+" of "+r.Name, sym.Path, r.Line)
		}
	}
	for _, p := range slices.Sorted(maps.Keys(paths)) {
		f, err := s.File(ctx, p)
		if err != nil {
			return a, err
		}
		if err := h.unreadParts(&f, t.File != "", &a); err != nil {
			return a, err
		}
	}
	a.UnseenUses = h.sort()
	if a.Share = share(a.Whole, a.Files) * share(a.Decided, a.Named); a.Verdict() == CouldNotTell {
		a.Share = min(a.Share, AlmostAll)
	}
	return a, s.Lookup.Err
}

// unreadParts adds what of a file was not read, so that it may use more than is seen.
func (h *unseenSearch) unreadParts(f *code.File, asFile bool, a *Absence) error {
	a.Files++
	switch {
	case f.Problem != code.ProblemNone:
		h.doubt(UnseenUnread, string(f.Problem), f.Path, 0)
	case lang.LanguageTier(f.Lang) != lang.Full:
		h.doubt(UnseenText, "uses are not read in "+cmp.Or(string(f.Lang), "files of an unknown language"), f.Path, 0)
	case f.ErrorBytes > 0:
		h.doubt(UnseenUnread, plural(int(f.ErrorBytes), "byte")+" could not be parsed", f.Path, 0)
	default:
		a.Whole++
	}
	if !asFile {
		return nil
	}
	t, err := h.s.Site(f.ID)
	if err != nil {
		return err
	}
	for i := range t.Imports {
		if a.Named++; i < len(t.Links) && t.Links[i].IsResolved() {
			a.Decided++
		} else {
			h.doubt(UnseenPossible, "import of "+t.Imports[i].Spec, f.Path, t.Imports[i].Line)
		}
	}
	return nil
}
