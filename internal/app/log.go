package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"ken/internal/operation"

	"ken/internal/engine/source"
	"ken/internal/engine/source/known"
)

// warnings is a slog.Handler that shows warnings to the user, a line each, and
// nothing else.
type warnings struct {
	w     io.Writer
	known func() *known.Set
}

func (h warnings) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelWarn }

func (h warnings) Handle(_ context.Context, r slog.Record) error {
	_, err := fmt.Fprintln(h.w, "ken: warning: "+operation.Escape(h.known().MaskString(source.Redact(r.Message))))
	return err
}

func (h warnings) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h warnings) WithGroup(string) slog.Handler      { return h }
