package storetest

import (
	"testing"

	"ken/internal/code"
	"ken/internal/engine/exact"
	"ken/internal/engine/store"
)

// newExactUnit returns an exact unit (files whose bindings a type checker computed together) with a value in every field.
func newExactUnit(origin store.Origin, name string, part int) *store.ExactUnit {
	return &store.ExactUnit{Origin: origin, Name: name, Part: part, Deps: []int64{900, 7, 8}, Print: 1<<64 - 2, Env: "go1.26",
		Problem: "broken", Made: 1700000000, Errors: 2}
}

func putUnits(units ...*store.ExactUnit) func(store.Tx) error {
	return func(tx store.Tx) error {
		for _, u := range units {
			if err := tx.PutExactUnit(u, nil, nil); err != nil {
				return err
			}
		}
		return nil
	}
}

func checkExactUnits(t *testing.T, s store.Store) {
	buildIndex(t, s, writeNothing)
	scip, first := newExactUnit(store.FromSCIP, "a", 0), newExactUnit(store.FromTypes, "a", 5)
	inside, outside := newExactUnit(store.FromTypes, "b", 1), newExactUnit(store.FromTypes, "b", 2)
	first.Deps, first.Problem = nil, ""
	writeTransaction(t, s, putUnits(scip, outside, inside, first))
	readState(t, s, func(r store.Reader) {
		wantResult(t, "HasExact", true)(r.HasExact())
		wantAll(t, "ExactUnits", r.ExactUnits(), []store.ExactUnit{*first, *inside, *outside, *scip})
		wantFound(t, "ExactUnit", *inside)(r.ExactUnit(inside.ID))
		wantEqual(t, "ascending keys", inside.Deps, []int64{7, 8, 900})
	})
	writeTransaction(t, s, func(tx store.Tx) error { return tx.DropExactUnit(inside.ID) })
	readState(t, s, func(r store.Reader) {
		wantMissing[store.ExactUnit](t, "ExactUnit")(r.ExactUnit(inside.ID))
		wantAll(t, "ExactUnits", r.ExactUnits(), []store.ExactUnit{*first, *outside, *scip})
	})
}

// packedMethods returns a type's method names in packed form.
func packedMethods(names ...string) []byte {
	var list []exact.Method
	for i, n := range names {
		list = append(list, exact.Method{Name: n, Print: uint64(i) + 9, Target: int64(i)})
	}
	return exact.EncodeMethods(list)
}

func exactType(id code.SymbolID, iface bool, names ...string) store.ExactType {
	return store.ExactType{Type: id, Interface: iface, Names: names, Methods: packedMethods(names...)}
}

// checkExactUnitReplaced stores a unit again, and checks that its id stays and its bindings are deleted.
func checkExactUnitReplaced(t *testing.T, s store.Store) {
	ids := storeSample(t, s)
	before := newExactUnit(store.FromTypes, "a", 0)
	y := code.SymbolID{File: ids[pathA]}
	writeTransaction(t, s, func(tx store.Tx) error {
		if err := tx.PutExactUnit(newExactUnit(store.FromTypes, "first", 0), nil, nil); err != nil {
			return err
		}
		if err := tx.PutExactUnit(before, []store.ExactFile{{File: ids[pathA], Hash: sampleFile(t, pathA).row.Hash, Data: []byte("old")},
			{File: ids[pathTest], Data: []byte("old")}}, []store.ExactType{exactType(y, false, "Close", "Open")}); err != nil {
			return err
		}
		return tx.PutExactUnit(newExactUnit(store.FromTypes, "last", 0), nil, nil)
	})
	after := newExactUnit(store.FromTypes, "a", 0)
	after.Print, after.Env = 3, "go1.27"
	files := []store.ExactFile{{File: ids[pathA], Hash: sampleFile(t, pathA).row.Hash, Data: []byte("new")}}
	types := []store.ExactType{exactType(y, false, "Open")}
	writeTransaction(t, s, func(tx store.Tx) error { return tx.PutExactUnit(after, files, types) })
	wantEqual(t, "id of the replaced unit", after.ID, before.ID)
	wantEqual(t, "unit set in files", files[0].Unit, after.ID)
	wantEqual(t, "unit set in types", types[0].Unit, after.ID)
	readState(t, s, func(r store.Reader) {
		wantFound(t, "ExactUnit", *after)(r.ExactUnit(after.ID))
		wantResult(t, "ExactFiles", files)(r.ExactFiles(ids[pathA]))
		wantResult(t, "ExactHashes", map[int64][32]byte{ids[pathA]: files[0].Hash})(r.ExactHashes(after.ID))
		wantResult[[]store.ExactType](t, "ExactTypes that went", nil)(r.ExactTypes("Close", false))
		types[0].Names = nil
		wantResult(t, "ExactTypes", types)(r.ExactTypes("Open", false))
	})
}

func checkExactBindings(t *testing.T, s store.Store) {
	ids := storeSample(t, s)
	hashA, hashB := sampleFile(t, pathA).row.Hash, sampleFile(t, pathB).row.Hash
	types, scip := newExactUnit(store.FromTypes, "a", 0), newExactUnit(store.FromSCIP, "a", 0)
	ofTypes := []store.ExactFile{{File: ids[pathA], Hash: hashA, Data: []byte("types a")},
		{File: ids[pathB], Hash: hashB, Data: []byte("types b")}}
	ofSCIP := []store.ExactFile{{File: ids[pathA], Origin: store.FromSCIP, Hash: hashA, Data: []byte("scip a")},
		{File: ids[pathTest], Origin: store.FromSCIP, Hash: hash(99), Data: []byte("of other content")}}
	writeTransaction(t, s, func(tx store.Tx) error {
		if err := tx.PutExactUnit(scip, ofSCIP, nil); err != nil {
			return err
		}
		return tx.PutExactUnit(types, ofTypes, nil)
	})
	readState(t, s, func(r store.Reader) {
		wantResult(t, "ExactFiles by origin", []store.ExactFile{ofTypes[0], ofSCIP[0]})(r.ExactFiles(ids[pathA]))
		wantResult(t, "ExactFiles", []store.ExactFile{ofTypes[1]})(r.ExactFiles(ids[pathB]))
		wantResult[[]store.ExactFile](t, "ExactFiles of changed content", nil)(r.ExactFiles(ids[pathTest]))
		wantResult(t, "ExactHashes", map[int64][32]byte{ids[pathA]: hashA, ids[pathTest]: hash(99)})(r.ExactHashes(scip.ID))
		wantResult(t, "ExactCounts", []store.ExactCount{{Unit: scip.ID, Files: 1, Refs: 5}, {Unit: types.ID, Files: 2, Refs: 12}})(r.ExactCounts())
	})
	// Bindings of a file that goes go with it; those of the others stay.
	writeTransaction(t, s, func(tx store.Tx) error {
		f := sampleFile(t, pathA)
		return tx.DropFile(ids[pathA], f.content.Names, f.linkRow(ids))
	})
	readState(t, s, func(r store.Reader) {
		wantResult(t, "ExactHashes", map[int64][32]byte{ids[pathTest]: hash(99)})(r.ExactHashes(scip.ID))
		wantResult(t, "ExactHashes", map[int64][32]byte{ids[pathB]: hashB})(r.ExactHashes(types.ID))
	})
}

func checkExactTypes(t *testing.T, s store.Store) {
	buildIndex(t, s, writeNothing)
	a, b := newExactUnit(store.FromTypes, "a", 0), newExactUnit(store.FromTypes, "b", 0)
	file := exactType(code.SymbolID{File: 2, Ord: 3}, false, "Close", "Read")
	closer := exactType(code.SymbolID{File: 1, Ord: 7}, true, "Close")
	other := exactType(code.SymbolID{File: 1, Ord: 9}, false, "Close")
	writeTransaction(t, s, func(tx store.Tx) error {
		if err := tx.PutExactUnit(a, nil, []store.ExactType{file, closer}); err != nil {
			return err
		}
		return tx.PutExactUnit(b, nil, []store.ExactType{other})
	})
	stored := func(y store.ExactType, u *store.ExactUnit) store.ExactType {
		y.Names, y.Unit = nil, u.ID // names are in the packed methods
		return y
	}
	readState(t, s, func(r store.Reader) {
		wantResult(t, "ExactTypes", []store.ExactType{stored(other, b), stored(file, a)})(r.ExactTypes("Close", false))
		wantResult(t, "ExactTypes, interfaces", []store.ExactType{stored(closer, a)})(r.ExactTypes("Close", true))
		wantResult(t, "ExactTypes", []store.ExactType{stored(file, a)})(r.ExactTypes("Read", false))
	})
	writeTransaction(t, s, func(tx store.Tx) error { return tx.DropExactUnit(a.ID) })
	readState(t, s, func(r store.Reader) {
		wantResult(t, "ExactTypes", []store.ExactType{stored(other, b)})(r.ExactTypes("Close", false))
		wantResult[[]store.ExactType](t, "ExactTypes, interfaces", nil)(r.ExactTypes("Close", true))
	})
}

func checkExactKeys(t *testing.T, s store.Store) {
	buildIndex(t, s, writeNothing)
	var first, second int64
	put := func(name string, print uint64, id *int64) {
		t.Helper()
		writeTransaction(t, s, func(tx store.Tx) (err error) {
			*id, err = tx.PutExactKey(name, print)
			return err
		})
	}
	put("z", 1<<63+1, &first)
	put("a", 2, &second)
	var again int64
	put("z", 5, &again)
	wantEqual(t, "id of a key put again", again, first)
	if second <= first {
		t.Errorf("id %d after %d", second, first)
	}
	writeTransaction(t, s, func(tx store.Tx) error { return tx.SetExactPrint(second, 1<<63+2) })
	readState(t, s, func(r store.Reader) {
		wantAll(t, "ExactKeys", r.ExactKeys(), []store.ExactKey{{ID: first, Name: "z", Print: 5}, {ID: second, Name: "a", Print: 1<<63 + 2}})
		wantFound(t, "ExactKey", store.ExactKey{ID: first, Name: "z", Print: 5})(r.ExactKey("z"))
		wantResult(t, "ExactPrint", uint64(1<<63+2))(r.ExactPrint(second))
	})
}

func checkExactShapes(t *testing.T, s store.Store) {
	buildIndex(t, s, writeNothing)
	shape := func(file, key int64, add uint64) {
		t.Helper()
		readState(t, s, func(r store.Reader) {
			k, a, err := r.ExactShape(file)
			wantResult(t, "ExactShape", [2]uint64{uint64(key), add})([2]uint64{uint64(k), a}, err)
		})
	}
	set := func(file, key int64, add uint64) {
		t.Helper()
		writeTransaction(t, s, func(tx store.Tx) error { return tx.SetExactShape(file, key, add) })
	}
	set(3, 8, 1<<63+7)
	set(4, 9, 1)
	shape(3, 8, 1<<63+7)
	set(3, 9, 2)
	shape(3, 9, 2)
	set(3, 0, 5) // forgets it
	shape(3, 0, 0)
	shape(4, 9, 1)
}
