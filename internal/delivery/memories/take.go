package memories

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
	"ken/internal/knowledge/memory"
	"ken/internal/operation"
	"ken/internal/statefile"
)

// maxImport is the size of the largest file that is imported, in bytes; maxReasons is the number of rejected entries that are named.
const (
	maxImport  = 64 << 20
	maxReasons = 10
)

// importItems imports items from a file into the memory. They keep their text, subject and time but not their confidence, which was
// earned elsewhere.
func importItems(ctx context.Context, p *project.Project, in *memoryInput, now time.Time) (*importResult, error) {
	path := absolutePath(p, in.Words[0])
	if st, err := os.Stat(path); err == nil && st.IsDir() && in.Action == "adopt" {
		path = filepath.Join(path, "memory.db")
	}
	a := &importResult{From: in.From}
	if a.From == "" {
		a.From = filepath.Base(filepath.Dir(path))
	}
	items, err := []memory.Item(nil), error(nil)
	if in.Action == "adopt" {
		items, err = p.OtherMemory(ctx, path)
	} else {
		items, err = a.readAutoMemory(path, now)
	}
	if err != nil {
		return nil, err
	}
	m, err := p.Memory(true)
	if err != nil {
		return nil, err
	}
	kept, err := a.keepProjectItems(ctx, p, items)
	if err != nil {
		return nil, err
	}
	for i := range kept {
		it := &kept[i]
		*it = memory.Item{
			Kind: it.Kind, Subject: it.Subject, Topic: it.Topic, Text: it.Text, Pins: it.Pins, At: it.At, From: memory.ForeignPrefix + a.From,
		}
		m.Mask(it)
	}
	for part := range slices.Chunk(kept, 1000) { // so that others can write between them
		_, fresh, err := m.Learned.Learn(ctx, part)
		if err != nil {
			return nil, err
		}
		for _, isNew := range fresh {
			if isNew {
				a.New++
			} else {
				a.Known++
			}
		}
	}
	if len(items)+a.Left == 0 {
		return a, operation.Nothingf("there is nothing in %s", operation.Quote(in.Words[0]))
	}
	return a, nil
}

// keepProjectItems returns the items without those about files that this project does not have.
func (a *importResult) keepProjectItems(ctx context.Context, p *project.Project, items []memory.Item) (out []memory.Item, err error) {
	left := 0
	err = p.AskChecked(ctx, func(ctx context.Context, s *view.Snapshot) error {
		out, left = nil, 0
		there := map[string]bool{}
		for f, err := range s.Files(ctx) {
			if err != nil {
				return err
			}
			there[f.Path] = true
		}
		for _, it := range items {
			had := len(it.Pins)
			it.Pins = slices.DeleteFunc(slices.Clone(it.Pins), func(pin memory.Pin) bool { return !there[pin.Path()] })
			if had > 0 && len(it.Pins) == 0 {
				left++
				continue
			}
			out = append(out, it)
		}
		return nil
	})
	if left > 0 {
		a.skipEntry("%s about files that are not in this project", operation.Plural(left, "item"))
		a.Left += left - 1
	}
	return out, err
}

// skipEntry counts an entry that is not imported and records the reason.
func (a *importResult) skipEntry(format string, args ...any) {
	if a.Left++; len(a.Reasons) < maxReasons {
		a.Reasons = append(a.Reasons, fmt.Sprintf(format, args...))
	}
}

// autoMemoryEntry is an entry of a file auto-memory-store.json, which is a list of entries or an object that has the list in the field
// entries.
type autoMemoryEntry struct {
	Key       string          `json:"key"`
	Content   string          `json:"content"`
	Summary   string          `json:"summary"`
	CreatedAt json.RawMessage `json:"createdAt"` // milliseconds, or RFC 3339
	Metadata  struct {
		SourceFile string `json:"sourceFile"`
	} `json:"metadata"`
}

// readAutoMemory reads a file auto-memory-store.json.
func (a *importResult) readAutoMemory(path string, now time.Time) (out []memory.Item, err error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	var list []json.RawMessage
	data = bytes.TrimPrefix(bytes.TrimSpace(data), []byte("\ufeff"))
	if bytes.HasPrefix(data, []byte("{")) {
		var whole struct {
			Entries *[]json.RawMessage `json:"entries"`
		}
		if err = json.Unmarshal(data, &whole); err == nil && whole.Entries == nil {
			err = errors.New(`the object has no list "entries"`)
		}
		if err == nil {
			list = *whole.Entries
		}
	} else {
		err = json.Unmarshal(data, &list)
	}
	if err != nil {
		return nil, code.Usagef("%s is no auto-memory-store.json: %v", operation.Quote(path), err)
	}
	for i, raw := range list {
		var e autoMemoryEntry
		if err := json.Unmarshal(raw, &e); err != nil {
			a.skipEntry("entry %d: it is no object of the known form", i)
			continue
		}
		it, ok := e.item(now)
		if !ok {
			a.skipEntry("entry %d: it has no content", i)
			continue
		}
		out = append(out, it)
	}
	return out, nil
}

// item converts an entry to an item of kind note; ok is false if the entry is not valid.
func (e *autoMemoryEntry) item(now time.Time) (it memory.Item, ok bool) {
	it = memory.Item{Kind: memory.Note, Text: strings.TrimSpace(e.Content), At: now}
	if it.Text == "" {
		it.Text = strings.TrimSpace(e.Summary)
	} else if s := strings.TrimSpace(e.Summary); !strings.HasPrefix(it.Text, s) {
		it.Topic = s
	}
	var ms float64
	var text string
	if json.Unmarshal(e.CreatedAt, &ms) == nil && ms > 0 && ms < 1e14 {
		it.At = time.UnixMilli(int64(ms)).UTC()
	} else if json.Unmarshal(e.CreatedAt, &text) == nil {
		if at, err := time.Parse(time.RFC3339, text); err == nil {
			it.At = at.UTC()
		}
	}
	if it.At.After(now) {
		it.At = now
	}
	// A source file is mostly a file of notes and not one of the project; then it is no subject.
	if f := filepath.ToSlash(e.Metadata.SourceFile); f != "" && filepath.IsLocal(f) && !strings.HasSuffix(f, ".md") {
		it.Pins = []memory.Pin{{Target: f}}
	}
	return it, it.Text != ""
}

// readFile reads a regular file that is not too large.
func readFile(path string) ([]byte, error) {
	b, err := statefile.ReadFollow(path, maxImport)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, statefile.ErrNotRegular):
		return nil, code.Usagef("%s is not a file", operation.Quote(path))
	case errors.As(err, new(*statefile.SizeError)):
		return nil, fmt.Errorf("%s is larger than %d MB", operation.Quote(path), maxImport>>20)
	}
	return b, err
}
