package engine

import (
	"ken/internal/engine/store"
	"ken/internal/engine/update"
	"ken/internal/engine/update/commits"
	"ken/internal/engine/update/embed"
	"ken/internal/engine/update/exactrun"
)

// The types of the engine's arguments and results. They belong to the parts that do the
// work; aliases hide those parts from callers.
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

// ReasonChanges is the reason for building an index anew after comparing it with the tree: so much had changed that this
// cost less than changing it.
const ReasonChanges = update.ReasonChanges
