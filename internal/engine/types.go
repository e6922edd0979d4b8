package engine

import (
	"ken/internal/engine/store"
	"ken/internal/engine/update"
	"ken/internal/engine/update/commits"
	"ken/internal/engine/update/embed"
	"ken/internal/engine/update/exactrun"
)

// What callers hand to the engine and get back. The types belong to the parts
// that do the work; they have names here so that the parts stay behind this door.
type (
	Request       = update.Request
	Update        = update.Update
	HistoryUpdate = commits.Update
	EmbedRequest  = embed.EmbedRequest
	EmbedReport   = embed.EmbedReport
	SCIPSource    = exactrun.SCIPSource
	SCIPReport    = exactrun.SCIPReport
	Store         = store.Store
	Cache         = store.Cache
	Embedder      = store.Embedder
	Embedding     = store.Embedding
)

// ReasonChanges is why an index was built anew that was compared with the tree:
// so much had changed that this cost less than changing it.
const ReasonChanges = update.ReasonChanges
