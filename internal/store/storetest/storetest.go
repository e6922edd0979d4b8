// Package storetest has the tests that every implementation of the contract in engine/store has to pass, so that the
// assumptions of the engine are written down once and checked for each of them. store/sqlite is the first; its own tests add
// faults of database files.
//
// A sample project is stored in every possible way: by a build, by a write into an empty index, and by a write over other
// rows. Readers must return the same after each.
package storetest

import (
	"testing"

	"ken/internal/engine/store"
)

// Run tests an implementation of store.Store. open returns a new store without an index at each call.
func Run(t *testing.T, open func(t *testing.T) store.Store) {
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			s := open(t)
			ids := way.fill(t, s)
			for _, c := range readerChecks {
				t.Run(c.name, func(t *testing.T) {
					readState(t, s, func(r store.Reader) { c.check(t, sample{Reader: r, ids: ids}) })
				})
			}
		})
	}
	for _, c := range storeChecks {
		t.Run(c.name, func(t *testing.T) { c.check(t, open(t)) })
	}
}

// storeChecks are the checks that change an index; each gets a new one.
var storeChecks = []struct {
	name  string
	check func(t *testing.T, s store.Store)
}{
	{"NoIndex", checkNoIndex},
	{"Empty", checkEmpty},
	{"Revision", checkRevision},
	{"BuildReplaces", checkBuildReplaces},
	{"BuildFails", checkBuildFails},
	{"BuildKeeps", checkBuildKeeps},
	{"WriteRollsBack", checkWriteRollsBack},
	{"WriteSeesItself", checkWriteSeesItself},
	{"Canceled", checkCanceled},
	{"Snapshots", checkSnapshots},
	{"SnapshotsOfBuilds", checkSnapshotsOfBuilds},
	{"ReadersBesideWriter", checkReadersBesideWriter},
	{"Watching", checkWatching},
	{"ManyRows", checkManyRows},
	{"ReaderErrors", checkReaderErrors},
	{"WriterErrors", checkWriterErrors},
	{"Touch", checkTouch},
	{"PutFile", checkPutFile},
	{"PutContent", checkPutContent},
	{"PutLinks", checkPutLinks},
	{"DropFile", checkDropFile},
	{"DropEveryFile", checkDropEveryFile},
	{"MetaWriter", checkMetaWriter},
	{"HistoryWriter", checkHistoryWriter},
	{"SearchWriter", checkSearchWriter},
	{"FreshWords", checkFreshWords},
	{"ExactUnits", checkExactUnits},
	{"ExactUnitReplaced", checkExactUnitReplaced},
	{"ExactBindings", checkExactBindings},
	{"ExactTypes", checkExactTypes},
	{"ExactKeys", checkExactKeys},
	{"ExactShapes", checkExactShapes},
}
