package setup

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"ken/internal/delivery/project"
	"ken/internal/engine"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/knowledge/session"
	"ken/internal/operation"
	"ken/internal/statefile"
)

// checkIndex checks the index and the memory of the project.
func (x *examination) checkIndex(ctx context.Context) {
	var none *operation.NoIndexError
	switch {
	case errors.As(x.missing, &none):
		x.addCheck("index", note, "%v; without one the hooks do nothing here", none)
		return
	case x.missing != nil:
		x.addCheck("index", problem, "%v", x.missing)
		return
	}
	p := x.project
	x.checkDecisions(p.Root)
	if made, ok := storedSchema(filepath.Join(p.Root, ".ken", "index.db")); ok && made != store.Schema {
		x.addCheck("index", note, "another version of ken made .ken/index.db (schema %d, this one has %d): the next question or edit makes it anew", made, store.Schema)
		x.checkMemory(ctx, p)
		return
	}
	if p.Missing != nil && p.Missing() && p.IsDir(".ken/knowledge") {
		x.addCheck("index", note, "no index yet: the next question builds it, and the next hook has it built in the background")
		return
	}
	err := p.Ask(ctx, engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		info, err := s.Info(ctx)
		if err != nil {
			return nil, err
		}
		x.addCheck("index", good, "revision %d, %s", info.Rev, operation.Plural(info.Files, "file"))
		return nil, nil
	})
	if err != nil {
		x.addCheck("index", problem, "%v", err)
	}
	x.checkMemory(ctx, p)
}

// storedSchema returns the schema number stored in a database; false if there is none. It is read from the file's header, because
// opening an index of another schema would rebuild it.
func storedSchema(path string) (int, bool) {
	const at = 60 // four bytes, the largest first
	if !statefile.IsRegular(path) {
		return 0, false
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	header := make([]byte, at+4)
	if _, err := io.ReadFull(f, header); err != nil || !bytes.HasPrefix(header, []byte("SQLite format 3\x00")) {
		return 0, false
	}
	return int(binary.BigEndian.Uint32(header[at:])), true
}

func (x *examination) checkMemory(ctx context.Context, p *project.Project) {
	m, err := p.Memory(false)
	if err == nil && m == nil {
		x.addCheck("memory", note, "nothing is remembered of sessions yet")
		return
	}
	if err == nil {
		list, failed := m.Sessions(ctx, 1)
		if err = failed; err == nil {
			x.addCheck("memory", good, "it can be read; %s", lastSession(len(list)))
			return
		}
	}
	x.addCheck("memory", problem, "%v", err)
}

// checkDecisions checks the project's decisions file, which people edit.
func (x *examination) checkDecisions(root string) {
	list, odd, err := session.Decisions(root)
	switch {
	case err != nil:
		x.addCheck("decisions", problem, "%v", err)
	case len(odd) > 0:
		x.addCheck("decisions", note, "%s of %s is skipped: %s; a heading must be \"## YYYY-MM-DD topic\"",
			operation.Plural(len(odd), "section"), session.DecisionsFile, operation.Quote(fmt.Sprintf("line %d, %s", odd[0].Line, odd[0].Heading)))
	case len(list) > 0:
		x.addCheck("decisions", good, "%s in %s", operation.Plural(len(list), "decision"), session.DecisionsFile)
	}
}

func lastSession(n int) string {
	if n == 0 {
		return "it knows of no session"
	}
	return "\"ken session show\" shows the last session"
}

// lastSessions returns when the last session of each product began in this project, as far as it is remembered.
func (x *examination) lastSessions(ctx context.Context) map[string]time.Time {
	const most = 500
	seen := map[string]time.Time{}
	if x.project == nil {
		return seen
	}
	m, err := x.project.Memory(false)
	if err != nil || m == nil {
		return seen // checkMemory reports it
	}
	list, err := m.Sessions(ctx, most)
	if err != nil {
		return seen
	}
	for i := range list {
		if s := &list[i]; s.Started.After(seen[s.Runtime]) {
			seen[s.Runtime] = s.Started
		}
	}
	return seen
}
