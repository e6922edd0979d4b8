package store

import (
	"ken/internal/engine/history"
)

// HistoryKey identifies a piece of the packed history.
type HistoryKey = history.Key

// HistoryReader reads the packed history of the repository piece by piece, because
// most questions need a few pieces only. The bytes are engine/history's.
type HistoryReader interface {
	History(k HistoryKey) ([]byte, error) // nil if there is none
	HistoryKeys() ([]HistoryKey, error)   // ascending
}

// HistoryWriter stores the pieces that changed.
type HistoryWriter interface {
	PutHistory(k HistoryKey, data []byte) error // nil deletes
}
