package op

import (
	"bufio"
	"context"
	"io"

	"ken/internal/ask/export"
	"ken/internal/engine/view"
)

// exportSCIP writes the index in the SCIP format of other tools: one protobuf
// message, which streams because a protobuf message may be written field by
// field.
func exportSCIP(ctx context.Context, s *view.Snapshot, w io.Writer) error {
	b := bufio.NewWriterSize(w, 64<<10)
	if err := export.WriteSCIP(ctx, s, b, buildVersion().Version); err != nil {
		return err
	}
	return b.Flush()
}
