package engine

import (
	"ken/internal/engine/store"
	"ken/internal/engine/update"
	"ken/internal/engine/update/commits"
	"ken/internal/engine/update/embed"
	"ken/internal/engine/update/exactrun"
)

// The types of the engine's arguments and results. They are aliases, so that callers
// need not import the packages that do the work.
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

// ReasonChanges is the reason for rebuilding an index if so many files have changed that a rebuild costs less than an
// update.
const ReasonChanges = update.ReasonChanges
