package overview

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// keptHot is the number of hot symbols, those that most files use, that are stored
// with the index. hotTries is the number of names, those in most files first, that
// are examined to find them.
const (
	keptHot  = 30
	hotTries = 90
)

// hotList is the stored list of the symbols that most files use in one revision.
type hotList struct {
	Rev  code.Rev
	List []hotEntry
}

type hotEntry struct {
	ID    code.SymbolID
	Path  string
	Files int
}

// hotSymbols returns the symbols that most files use. It examines names with a single definition and resolves their uses, because a
// name that is defined once may still mean something else elsewhere, for example a global of a test library. That takes 0.1 s on
// kubernetes, so the list is stored with its revision when it is first needed.
func hotSymbols(ctx context.Context, s *view.Snapshot, limit int) ([]view.HotSymbol, error) {
	list, err := keptHotList(s)
	if err != nil {
		return nil, err
	}
	if list == nil || limit > keptHot {
		if list, err = hottest(ctx, s, limit); err != nil {
			return nil, err
		}
		if err := keepHot(ctx, s, s.Rev(), list); err != nil {
			s.Opt.Log.Debug("hot symbols were not kept", "err", err)
		}
	}
	var out []view.HotSymbol
	for _, h := range list[:min(limit, len(list))] {
		row, ok, err := s.Index.Symbol(h.ID)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		out = append(out, view.HotSymbol{Symbol: view.Symbol{Symbol: row.Symbol, ID: h.ID.Pack(), Path: h.Path}, Files: h.Files})
	}
	return out, nil
}

// keptHotList returns the list of hot symbols that is stored for this revision, or nil if there is none.
func keptHotList(s *view.Snapshot) ([]hotEntry, error) {
	text, err := s.Index.Meta(store.MetaHot)
	if err != nil || text == "" {
		return nil, err
	}
	var kept hotList
	if err := json.Unmarshal([]byte(text), &kept); err != nil || kept.Rev != s.Rev() {
		return nil, nil
	}
	return kept.List, nil
}

// hottest returns the limit symbols that most files use.
func hottest(ctx context.Context, s *view.Snapshot, limit int) ([]hotEntry, error) {
	want := max(keptHot, limit)
	names, err := s.Index.HotNames(max(hotTries, 3*want))
	if err != nil {
		return nil, err
	}
	out := []hotEntry{}
	for _, n := range names {
		// Names come by the number of files that use them: no later one can be hotter.
		if len(out) >= want && out[want-1].Files >= n.Files {
			break
		}
		h, err := countUsers(ctx, s, n.Name)
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

// countUsers counts the files, other than its own, with a reference that
// certainly means the one definition of a name.
func countUsers(ctx context.Context, s *view.Snapshot, name string) (hotEntry, error) {
	rows, err := s.Index.SymbolsNamed(name)
	if err != nil {
		return hotEntry{}, err
	}
	if rows = view.WithoutTexts(rows); len(rows) != 1 {
		return hotEntry{}, nil
	}
	row := rows[0]
	target := view.Symbol{Symbol: row.Symbol, ID: row.ID().Pack(), Path: row.Path}
	refs, err := refs.References(ctx, s, []view.Symbol{target})
	if err != nil {
		return hotEntry{}, err
	}
	files := map[string]bool{}
	for i := range refs.List {
		if r := &refs.List[i]; r.Confidence >= code.ImportResolved && r.Path != row.Path {
			files[r.Path] = true
		}
	}
	return hotEntry{ID: code.SymbolID{File: row.FileID, Ord: row.Ord}, Path: row.Path, Files: len(files)}, nil
}

// keepHot stores a list of hot symbols for the revision from which it was made, unless the index has a newer revision by now.
func keepHot(ctx context.Context, s *view.Snapshot, rev code.Rev, list []hotEntry) error {
	text, err := json.Marshal(hotList{Rev: rev, List: list[:min(len(list), keptHot)]})
	if err != nil {
		return err
	}
	return s.Opt.Store.Write(ctx, func(tx store.Tx) error {
		now, err := store.Revision(tx)
		if err != nil || now != rev {
			return err
		}
		return tx.SetMeta(store.MetaHot, string(text))
	})
}

// Hotspots returns the files on which most files depend, and the symbols that most files use. It returns an error if the index
// cannot be read or ctx ends.
func Hotspots(ctx context.Context, s *view.Snapshot, limit int) ([]view.HotFile, []view.HotSymbol, error) {
	files, err := HotFiles(s, limit)
	if err != nil {
		return nil, nil, err
	}
	syms, err := hotSymbols(ctx, s, limit)
	return files, syms, err
}

// HotFiles returns the files that most others depend on. It returns an error if the index cannot be read.
func HotFiles(s *view.Snapshot, limit int) ([]view.HotFile, error) {
	rows, err := s.Index.HotFiles(limit)
	if err != nil {
		return nil, err
	}
	out := make([]view.HotFile, len(rows))
	for i, f := range rows {
		out[i] = view.HotFile{Path: f.Path, Dependents: int(f.Dependents), Rank: f.Rank, Purpose: code.Purpose(f), Type: lang.NodeType(f)}
	}
	return out, nil
}
