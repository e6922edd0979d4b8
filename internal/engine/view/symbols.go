package view

import (
	"context"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/facts"
	"ken/internal/engine/lookup"
	"ken/internal/engine/store"
)

// Symbols returns the declarations of a file in source order. It fails with code.NotFoundError if the file is not
// indexed.
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

// Member is a declaration inside a symbol, with its depth of nesting.
type Member struct {
	code.Symbol
	Depth int
}

// Members returns the declarations that belong to a symbol, in source order: those written inside it, and those outside
// whose qualified name begins with its name, such as Go methods. Doc, Params and Returns are empty. It returns an error
// if the index cannot be read.
func (s *Snapshot) Members(of *Symbol) (out []Member, err error) {
	rows, err := s.Declarations(code.UnpackSymbolID(of.ID).File)
	if err != nil {
		return nil, err
	}
	depths := make([]int, len(rows))
	depth := 0
	for i := range rows {
		if p := int(rows[i].Parent); p >= 0 && p < i {
			depths[i] = depths[p] + 1
		}
		if rows[i].ID().Pack() == of.ID {
			depth = depths[i] + 1
		}
	}
	for i := range rows {
		row := &rows[i]
		if rest, ok := strings.CutPrefix(row.Qualified, of.Qualified+"."); ok && row.ID().Pack() != of.ID {
			out = append(out, Member{row.Symbol, max(0, depths[i]-depth, strings.Count(rest, "."))})
		}
	}
	return out, nil
}

// Detail returns the symbols of rows and fills Doc, Params and Returns from the packed facts. All rows of one file
// must be neighbours. It returns an error if the index cannot be read.
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
	p, err := s.openFacts(rows[0].FileID)
	if err != nil || p == nil {
		return err
	}
	wanted := make(map[int]bool, len(rows))
	for i := range rows {
		wanted[int(rows[i].Ord)] = true
	}
	syms, err := p.SomeDetails(func(ord int) bool { return wanted[ord] })
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

// openFacts returns the packed facts of a file, from its Site if the snapshot has read that already.
func (s *Snapshot) openFacts(id int64) (*facts.Packed, error) {
	if t := s.sites[id]; t != nil && t.Packed != nil {
		return t.Packed, nil
	}
	return s.OpenFacts(id)
}

// OpenFacts reads the packed facts of a file, the result of parsing it; nil if it has none. It returns an error if the index cannot be
// read.
func (s *Snapshot) OpenFacts(id int64) (*facts.Packed, error) {
	blob, err := s.Index.Facts(id)
	if err != nil || len(blob) == 0 {
		return nil, err
	}
	return facts.Open(blob)
}

// SymbolsNamed returns the declarations of a name. The caller must not change them. It returns an error if the index
// cannot be read.
func (s *Snapshot) SymbolsNamed(name string) ([]store.SymbolRow, error) {
	list, ok := s.byName[name]
	if ok {
		return list, nil
	}
	list, err := s.Index.SymbolsNamed(name)
	if err != nil {
		return nil, err
	}
	if s.rows += len(list) + 1; s.rows > lookup.MaxRemembered {
		clear(s.byName)
		s.rows = len(list) + 1
	}
	s.byName[name] = list
	return list, nil
}

// RowSymbol returns the symbol of a row.
func RowSymbol(row *store.SymbolRow) Symbol {
	return Symbol{Symbol: row.Symbol, ID: row.ID().Pack(), Path: row.Path}
}
