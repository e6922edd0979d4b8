package view

import (
	"context"
	"ken/internal/engine/facts"
	"ken/internal/engine/lookup"
	"ken/internal/engine/store"
)

// Symbols are the declarations of a file in source order.
func (s *Snapshot) Symbols(ctx context.Context, p string) ([]Symbol, error) {
	f, err := s.File(ctx, p)
	if err != nil {
		return nil, err
	}
	rows, err := s.Index.Symbols(f.ID)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		rows[i].Path = p
	}
	return s.Detail(rows)
}

// Detail fills what the rows leave to the packed facts. All rows of one file
// must be neighbours.
func (s *Snapshot) Detail(rows []store.SymbolRow) ([]Symbol, error) {
	out := make([]Symbol, 0, len(rows))
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].FileID == rows[0].FileID {
			n++
		}
		if err := s.detailFile(rows[:n]); err != nil {
			return nil, err
		}
		for _, row := range rows[:n] {
			out = append(out, Symbol{Symbol: row.Symbol, ID: row.ID().Pack(), Path: row.Path})
		}
		rows = rows[n:]
	}
	return out, nil
}

func (s *Snapshot) detailFile(rows []store.SymbolRow) error {
	blob, err := s.Index.Facts(rows[0].FileID)
	if err != nil || len(blob) == 0 {
		return err
	}
	p, err := facts.Open(blob)
	if err != nil {
		return err
	}
	syms, err := p.AllDetails()
	if err != nil {
		return err
	}
	for i := range rows {
		if o := int(rows[i].Ord); o < len(syms) {
			rows[i].Doc, rows[i].Returns, rows[i].Params = syms[o].Doc, syms[o].Returns, syms[o].Params
		}
	}
	return nil
}

// Packed opens the packed facts of a file; nil if it has none.
func (s *Snapshot) Packed(id int64) (*facts.Packed, error) {
	blob, err := s.Index.Facts(id)
	if err != nil || len(blob) == 0 {
		return nil, err
	}
	return facts.Open(blob)
}

// SymbolsNamed is Reader.SymbolsNamed; the rows must not be changed.
func (s *Snapshot) SymbolsNamed(name string) ([]store.SymbolRow, error) {
	list, ok := s.byName[name]
	if ok {
		return list, nil
	}
	list, err := s.Index.SymbolsNamed(name)
	if err != nil {
		return nil, err
	}
	if s.rows += len(list) + 1; s.rows > lookup.KeptIDs {
		clear(s.byName)
		s.rows = len(list) + 1
	}
	s.byName[name] = list
	return list, nil
}

// RowSymbol is a row as answers give it.
func RowSymbol(row *store.SymbolRow) Symbol {
	return Symbol{Symbol: row.Symbol, ID: row.ID().Pack(), Path: row.Path}
}
