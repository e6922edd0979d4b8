package view

import (
	"context"
	"slices"

	"ken/internal/engine/store"
)

// maxHeirs is the number of types of one name whose bases are searched for a member.
const maxHeirs = 20

// inherited returns those of the rows, all of one name, that a type described by a qualifier inherits: the members of the nearest base that
// declares one. Where is the path of a file or directory with the type, or empty.
func (s *Snapshot) inherited(ctx context.Context, where, qualifier string, rows []store.SymbolRow) (found []store.SymbolRow, err error) {
	outer, own := splitName(qualifier)
	if own == qualifier {
		outer = ""
	}
	types, err := s.Index.SymbolsNamed(own)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	if outer != "" {
		if types, err = s.described(types, outer); err != nil {
			return nil, err
		}
	}
	types = slices.DeleteFunc(slices.Clone(types), func(t store.SymbolRow) bool {
		return !declaresMembers(t.Kind) || where != "" && !pathFits(t.Path, where)
	})
	for i := range min(len(types), maxHeirs) {
		line, err := s.Lineage(ctx, types[i].Path, types[i].Qualified)
		if err != nil {
			return nil, err
		}
		for _, row := range line.nearestMembers(s, rows) {
			if !slices.ContainsFunc(found, func(r store.SymbolRow) bool { return r.ID() == row.ID() }) {
				found = append(found, row)
			}
		}
	}
	return found, s.Lookup.Err
}
