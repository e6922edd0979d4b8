package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"ken/internal/code"
)

// keptHot is the number of hot symbols kept with the index; hotTries how many
// names, by the number of files that use them, are looked at to find them.
const (
	keptHot  = 30
	hotTries = 90
)

// hotList is what metaHot holds: the hottest symbols of one revision.
type hotList struct {
	Rev  code.Rev
	List []hotEntry
}

type hotEntry struct {
	ID    SymbolID
	Path  string
	Files int
}

// hotSymbols are the symbols most files use. Candidates are names with a single
// definition; their uses are then bound, because a name defined once may be
// used everywhere in another meaning (a test library's global, say). That takes
// 0.1 s on kubernetes, so the list is kept with its revision once it was asked for.
func (s *Snapshot) hotSymbols(ctx context.Context, limit int) ([]HotSymbol, error) {
	list, err := s.keptHotList()
	if err != nil {
		return nil, err
	}
	if list == nil || limit > keptHot {
		if list, err = s.hottest(ctx, limit); err != nil {
			return nil, err
		}
		if err := s.keepHot(ctx, s.Rev(), list); err != nil {
			s.opt.Log.Debug("hot symbols were not kept", "err", err)
		}
	}
	var out []HotSymbol
	for _, h := range list[:min(limit, len(list))] {
		row, ok, err := s.r.Symbol(h.ID)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		out = append(out, HotSymbol{Symbol: Symbol{Symbol: row.Symbol, ID: h.ID.Pack(), Path: h.Path}, Files: h.Files})
	}
	return out, nil
}

// keptHotList is the list made for this revision, nil if there is none.
func (s *Snapshot) keptHotList() ([]hotEntry, error) {
	text, err := s.r.Meta(metaHot)
	if err != nil || text == "" {
		return nil, err
	}
	var kept hotList
	if err := json.Unmarshal([]byte(text), &kept); err != nil || kept.Rev != s.Rev() {
		return nil, nil
	}
	return kept.List, nil
}

// hottest counts the files that use each candidate.
func (s *Snapshot) hottest(ctx context.Context, limit int) ([]hotEntry, error) {
	want := max(keptHot, limit)
	names, err := s.r.HotNames(max(hotTries, 3*want))
	if err != nil {
		return nil, err
	}
	out := []hotEntry{}
	for _, n := range names {
		// Names come by the number of files that use them: no later one can be hotter.
		if len(out) >= want && out[want-1].Files >= n.Files {
			break
		}
		h, err := s.heat(ctx, n.Name)
		if err != nil {
			return nil, err
		}
		if h.Files > 0 {
			at, _ := slices.BinarySearchFunc(out, h, func(a, b hotEntry) int {
				return cmp.Or(cmp.Compare(b.Files, a.Files), cmp.Compare(a.Path, b.Path), cmp.Compare(a.ID.Ord, b.ID.Ord))
			})
			out = slices.Insert(out, at, h)
		}
	}
	return out[:min(len(out), want)], nil
}

// heat counts the other files with a reference that is certainly bound to the one
// definition of a name.
func (s *Snapshot) heat(ctx context.Context, name string) (hotEntry, error) {
	rows, err := s.r.SymbolsNamed(name)
	if err != nil {
		return hotEntry{}, err
	}
	if rows = declared(rows); len(rows) != 1 {
		return hotEntry{}, nil
	}
	row := rows[0]
	target := Symbol{Symbol: row.Symbol, ID: row.ID().Pack(), Path: row.Path}
	refs, err := s.References(ctx, []Symbol{target})
	if err != nil {
		return hotEntry{}, err
	}
	files := map[string]bool{}
	for i := range refs.List {
		if r := &refs.List[i]; r.Confidence >= code.ImportResolved && r.Path != row.Path {
			files[r.Path] = true
		}
	}
	return hotEntry{ID: SymbolID{File: row.FileID, Ord: row.Ord}, Path: row.Path, Files: len(files)}, nil
}

// keepHot stores a list for the revision it was made from, if that is still the
// present one.
func (s *Snapshot) keepHot(ctx context.Context, rev code.Rev, list []hotEntry) error {
	text, err := json.Marshal(hotList{Rev: rev, List: list[:min(len(list), keptHot)]})
	if err != nil {
		return err
	}
	return s.opt.Store.Write(ctx, func(tx Tx) error {
		now, err := revision(tx)
		if err != nil || now != rev {
			return err
		}
		return tx.SetMeta(metaHot, string(text))
	})
}
