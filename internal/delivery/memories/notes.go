package memories

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/knowledge/session"
	"ken/internal/statefile"
)

// AddNote stores a note. Its pins name files and symbols as users write them, and are stored with hashes of their present content. A
// decision is also written to the project's decisions file. It fails if a pin names nothing, or if the memory or the file cannot be
// written.
func AddNote(ctx context.Context, p *project.Project, n session.Note) (session.Note, error) {
	m, err := p.Memory(true)
	if err != nil {
		return n, err
	}
	if n.Pins, err = ResolvePins(ctx, p, n.Pins); err != nil {
		return n, err
	}
	for _, s := range []*string{&n.Topic, &n.Text, &n.Rationale} {
		*s = m.Hide(strings.ToValidUTF8(*s, "\ufffd"))
	}
	n.Terms = Terms(n.Topic + "\n" + n.Text + "\n" + n.Rationale + "\n" + joinTargets(n.Pins))
	if n.Kind == session.Decided {
		err = addDecision(ctx, p, m, &n)
	} else {
		err = m.Append(noteEvent(&n))
	}
	if err != nil {
		return n, err
	}
	if m.Drain(ctx) != nil {
		return n, nil // it is written, and will be applied when the memory can be
	}
	last, err := m.Notes(ctx, []session.Kind{n.Kind}, true, 1)
	if err == nil && len(last) == 1 && last[0].Text == n.Text {
		n.ID = last[0].ID
	}
	return n, err
}

// noteEvent returns the event of a note. Its key keeps it from being applied again if a process is killed between applying the
// spool and emptying it.
func noteEvent(n *session.Note) *session.Event {
	sum := sha256.Sum256([]byte(n.At.UTC().Format(time.RFC3339Nano) + n.Session + decisionKey(n)))
	return &session.Event{Session: n.Session, Kind: n.Kind, At: n.At, Note: n, Key: "note " + hex.EncodeToString(sum[:12])}
}

// addDecision writes a decision to the file and the memory: to both or to none. Until it is in both it is kept as the one that is being
// written, so that FinishDecision completes it if this process is killed.
func addDecision(ctx context.Context, p *project.Project, m *project.Memory, n *session.Note) error {
	unlock, err := p.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := finishDecision(ctx, p, m); err != nil {
		return err
	}
	if p.Deciding != nil {
		if err := p.Deciding.Put(*n); err != nil {
			return fmt.Errorf("write the decision: %w", err)
		}
		defer os.Remove(p.Deciding.Path)
	}
	undo, err := session.AddDecision(p.Root, *n)
	if err != nil {
		return fmt.Errorf("write the decision: %w", err)
	}
	if err := m.Append(noteEvent(n)); err != nil {
		return errors.Join(err, undo())
	}
	return nil
}

// finishPatience bounds the wait for a process that is writing, which may be the caller's own.
const finishPatience = 2 * time.Second

// FinishDecision writes the decision of a process that was killed to where it is missing. If that is impossible the next call tries again.
func FinishDecision(ctx context.Context, p *project.Project, m *project.Memory) {
	if p.Deciding == nil || !statefile.IsRegular(p.Deciding.Path) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, finishPatience)
	defer cancel()
	unlock, err := p.Lock(ctx)
	if err != nil {
		return
	}
	defer unlock()
	finishDecision(ctx, p, m)
}

func finishDecision(ctx context.Context, p *project.Project, m *project.Memory) error {
	if p.Deciding == nil {
		return nil
	}
	n, ok := p.Deciding.Get()
	if !ok {
		return nil
	}
	same := func(o session.Note) bool { return decisionKey(&o) == decisionKey(&n) }
	list, _, err := session.Decisions(p.Root)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(list, same) {
		if _, err := session.AddDecision(p.Root, n); err != nil {
			return err
		}
	}
	if err := m.Drain(ctx); err != nil { // it may have got as far as the spool
		return err
	}
	kept, err := m.Notes(ctx, []session.Kind{session.Decided}, false, 100)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(kept, same) {
		if _, err := m.Record(ctx, *noteEvent(&n)); err != nil {
			return err
		}
	}
	return os.Remove(p.Deciding.Path)
}

func joinTargets(pins []session.Pin) string {
	var out []string
	for _, p := range pins {
		out = append(out, p.Target)
	}
	return strings.Join(out, " ")
}

// MarkDone marks an open task as done. It reports false if no open task has the number, and fails if the memory cannot be written.
func MarkDone(ctx context.Context, p *project.Project, number int64, now time.Time) (n session.Note, ok bool, err error) {
	m, err := p.Memory(false)
	if err != nil || m == nil {
		return n, false, err
	}
	open, err := m.Notes(ctx, []session.Kind{session.Planned}, true, 0)
	if err != nil {
		return n, false, err
	}
	i := slices.IndexFunc(open, func(n session.Note) bool { return n.ID == number })
	if i < 0 {
		return n, false, nil
	}
	_, err = m.Record(ctx, session.Event{Session: open[i].Session, Kind: session.Done, At: now, Note: &session.Note{ID: number}})
	return open[i], err == nil, err
}

// ResolvePins resolves pins, which name files and symbols as users write them, and sets their hashes. It fails if a pin names nothing
// or the index cannot be read.
func ResolvePins(ctx context.Context, p *project.Project, pins []session.Pin) (out []session.Pin, err error) {
	if len(pins) == 0 {
		return nil, nil
	}
	err = p.AskShown(ctx, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		out = out[:0]
		var paths []string
		for _, pin := range pins {
			t, err := p.Target(ctx, s, pin.Target)
			if err != nil {
				return nil, err
			}
			target := t.File
			if target == "" {
				if len(t.Symbols) > 1 {
					return nil, code.Usagef("%s means %d declarations: name one as PATH:NAME", pin.Target, len(t.Symbols))
				}
				target = t.Symbols[0].Path + ":" + t.Symbols[0].Qualified
			}
			h, err := currentHash(ctx, s, target)
			if err != nil {
				return nil, err
			}
			path, _, _ := strings.Cut(target, ":")
			paths = append(paths, path)
			out = append(out, session.Pin{Target: target, Hash: h})
		}
		return paths, nil
	})
	return out, err
}

// currentHash returns a hash of the content of a file or symbol, "" if it does not exist. Blanks at the ends of lines are ignored
// for a symbol, but not for a file.
func currentHash(ctx context.Context, s *view.Snapshot, target string) (string, error) {
	path, name, symbol := strings.Cut(target, ":")
	f, err := s.File(ctx, path)
	if _, missing := project.AsNotFound(err); missing {
		return "", nil
	}
	if err != nil || !symbol {
		return FileHash(&f), err
	}
	list, err := s.Symbols(ctx, path)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(list, func(s view.Symbol) bool { return s.Qualified == name })
	if i < 0 {
		return "", nil
	}
	text, err := s.Text(ctx, path)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	n := uint32(0)
	for line := range strings.Lines(string(text)) {
		if n++; n >= list[i].Span.Line && n <= list[i].Span.EndLine {
			fmt.Fprintln(h, strings.TrimRight(line, " \t\r\n"))
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// FileHash returns the hash of a whole file in the form that pins store.
func FileHash(f *code.File) string { return hex.EncodeToString(f.Hash[:16]) }

// ChangedPins returns the files and symbols that a note is pinned to and that have changed since, or are gone. It returns an error if the
// index cannot be read.
func ChangedPins(ctx context.Context, s *view.Snapshot, n *session.Note) (out []string, err error) {
	for _, pin := range n.Pins {
		if pin.Hash == "" {
			continue // of a decision in a file: its former content is unknown
		}
		now, err := currentHash(ctx, s, pin.Target)
		if err != nil {
			return nil, err
		}
		if now != pin.Hash {
			out = append(out, pin.Target)
		}
	}
	return out, nil
}

// Decisions returns the latest decisions, the last first: those of the memory, and the others of the project's file. odd are the
// sections of the file that are no decisions, or the reason why the file cannot be read. It returns an error if the memory cannot be read.
func Decisions(ctx context.Context, p *project.Project, limit int) (out []session.Note, odd []OddRow, err error) {
	if m, err := p.Memory(false); err != nil {
		return nil, nil, err
	} else if m != nil {
		if out, err = m.Notes(ctx, []session.Kind{session.Decided}, false, limit); err != nil {
			return nil, nil, err
		}
	}
	known := map[string]bool{}
	for i := range out {
		known[decisionKey(&out[i])] = true
	}
	list, sections, err := session.Decisions(p.Root)
	if err != nil {
		odd = append(odd, OddRow{Why: err.Error()})
	}
	for _, s := range sections[:min(len(sections), maxOdd)] {
		odd = append(odd, OddRow{s.Line, p.Engine.Hide(code.Cut(s.Heading, maxHeading)), "a heading must be \"## YYYY-MM-DD topic\""})
	}
	for i := range list {
		n := &list[i]
		if n.Topic, n.Text, n.Rationale = p.Engine.Hide(n.Topic), p.Engine.Hide(n.Text), p.Engine.Hide(n.Rationale); !known[decisionKey(n)] {
			n.Foreign = true
			n.Topic, n.Text, n.Rationale = code.Cut(n.Topic, maxHeading), code.Cut(n.Text, maxForeign), code.Cut(n.Rationale, maxForeign)
			out = append(out, *n)
		}
	}
	slices.SortStableFunc(out, func(a, b session.Note) int { return b.At.Compare(a.At) })
	if limit > 0 {
		out = out[:min(len(out), limit)]
	}
	return out, odd, nil
}

// Bounds of the decisions in a project's file: their number, and sizes in bytes.
const (
	maxOdd     = 20
	maxHeading = 200
	maxForeign = 2000
)

// decisionKey returns a key that is equal for a decision in the file and the same decision in the memory.
func decisionKey(n *session.Note) string {
	return n.At.UTC().Format(time.DateOnly) + " " + strings.Join(strings.Fields(n.Topic+" "+n.Text), " ")
}

// StalePins returns the changed pins of notes by the note's index in the list. It returns an error if the index cannot be read.
func StalePins(ctx context.Context, p *project.Project, list []session.Note) (stale map[int][]string, err error) {
	if !slices.ContainsFunc(list, func(n session.Note) bool { return len(n.Pins) > 0 }) {
		return nil, nil
	}
	err = p.Ask(ctx, engine.Shown, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		stale = map[int][]string{}
		var paths []string
		for i := range list {
			changed, err := ChangedPins(ctx, s, &list[i])
			if err != nil {
				return nil, err
			}
			if len(changed) > 0 {
				stale[i] = changed
			}
			for _, pin := range list[i].Pins {
				path, _, _ := strings.Cut(pin.Target, ":")
				paths = append(paths, filepath.ToSlash(path))
			}
		}
		return paths, nil
	})
	return stale, err
}
