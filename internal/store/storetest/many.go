package storetest

import (
	"fmt"
	"testing"

	"ken/internal/code"
	"ken/internal/engine/store"
)

// manyFiles is a number of files that is larger than any number of rows that a store writes at once.
const manyFiles = 250

// checkManyRows builds an index of more rows than a store writes at once, and looks each up.
func checkManyRows(t *testing.T, s store.Store) {
	ids := make([]int64, manyFiles)
	buildIndex(t, s, func(tx store.Tx) error {
		for i := range ids {
			f := file{row: code.File{Path: fmt.Sprintf("f%03d", i)}}
			name := fmt.Sprintf("Name%03d", manyFiles-i)
			f.content = content("many", []string{"Common", name}, symbol(name, name, code.KindFunction, -1, 1, true))
			id, err := putFile(tx, &f, nil)
			if err != nil {
				return err
			}
			ids[i] = id
		}
		for i, id := range ids {
			// Every file depends on the first, and on the one after it.
			row := &store.LinkRow{Packed: []byte("links"), Imports: 1, Probes: []uint64{uint64(manyFiles - i), 1 << 40}, Edges: []store.EdgeRow{
				{Source: id, Target: ids[(i+1)%manyFiles], Relation: code.RelImports}, {Source: id, Target: ids[0], Relation: code.RelUses}}}
			if err := tx.PutLinks(id, row, nil); err != nil {
				return err
			}
		}
		return nil
	})
	readState(t, s, func(r store.Reader) {
		wantResult(t, "users of the common name", ids)(r.Referrers("Common"))
		wantResult(t, "files with the common probe", ids)(r.ProbedBy(1 << 40))
		for i, id := range ids {
			name := fmt.Sprintf("Name%03d", manyFiles-i)
			wantResult(t, "Referrers", []int64{id})(r.Referrers(name))
			wantResult(t, "NameCount", store.NameCount{Name: name, Defs: 1, Files: 1})(r.NameCount(name))
			wantResult(t, "SymbolIDs", []code.SymbolID{{File: id}})(r.SymbolIDs(name))
			wantResult(t, "ProbedBy", []int64{id})(r.ProbedBy(uint64(manyFiles - i)))
			edges, err := r.EdgesFrom(id)
			wantResult(t, "number of edges", 2)(len(edges), err)
			row, _, err := r.FileByID(id)
			dependents := uint32(1)
			if i == 0 {
				dependents = manyFiles
			}
			wantResult(t, "dependents", dependents)(row.Dependents, err)
		}
		imports, _, err := r.ImportSums()
		wantResult(t, "imports", manyFiles)(imports, err)
	})
}
