package engine

import (
	"ken/internal/engine/store"
	"ken/internal/engine/update"
	"ken/internal/engine/update/embed"
	"ken/internal/engine/update/exactrun"
)

// What callers hand to the engine and get back. The types belong to the parts
// that do the work; they have names here so that the parts stay behind this door.
type (
	Request       = update.Request
	Update        = update.Update
	HistoryUpdate = update.HistoryUpdate
	EmbedRequest  = embed.EmbedRequest
	EmbedReport   = embed.EmbedReport
	SCIPSource    = exactrun.SCIPSource
	SCIPReport    = exactrun.SCIPReport
	Store         = store.Store
	Cache         = store.Cache
	Embedder      = store.Embedder
	Embedding     = store.Embedding
)
