package store

import (
	"ken/internal/engine/history"
)

// HistoryKey identifies one blob of the history of commits, which package history packs into many.
type HistoryKey = history.Key

// HistoryReader reads the history of commits blob by blob, because most questions
// need only a few blobs. Package history defines their form.
type HistoryReader interface {
	History(k HistoryKey) ([]byte, error) // nil if there is none
	HistoryKeys() ([]HistoryKey, error)   // ascending
}

// HistoryWriter stores those blobs of the history that have changed.
type HistoryWriter interface {
	PutHistory(k HistoryKey, data []byte) error // nil deletes
}
