package store

import (
	"ken/internal/engine/history"
)

// HistoryKey says where a piece of the packed history belongs.
type HistoryKey = history.Key

// HistoryReader is the part of Reader about the history.
type HistoryReader interface {
	History(k HistoryKey) ([]byte, error) // nil if there is none
	HistoryKeys() ([]HistoryKey, error)   // ascending
}

// HistoryWriter is the part of Tx about the history.
type HistoryWriter interface {
	PutHistory(k HistoryKey, data []byte) error // nil deletes
}
