package memories

import (
	"context"
	"strings"

	"ken/internal/delivery/project"
)

// Note is a note, a decision or an open task relevant to a text.
type Note struct {
	Kind     string   // as of a Row, or "todo"
	Date     string   // day it was written down
	Text     string   // of a decision after its topic
	Why      string   // the reason for a decision
	From     string   // its author, "" if unknown
	Outdated []string // of its pins, those that have changed since
	Foreign  bool     // it came with the repository and was not written on this machine
}

// NotesAbout returns at most most notes relevant to a text, the best first. If the memory cannot be read, it returns a single note of
// kind "problem" with the error, because the caller has other things to show.
func NotesAbout(ctx context.Context, p *project.Project, text string, most int) []Note {
	out, err := notesAbout(ctx, p, text, most)
	if err != nil {
		return []Note{{Kind: "problem", Text: "what is remembered could not be read: " + err.Error()}}
	}
	return out
}

func notesAbout(ctx context.Context, p *project.Project, text string, most int) (out []Note, err error) {
	m, err := p.Memory(false)
	if err != nil || m == nil {
		return nil, err
	}
	list, err := m.Like(ctx, Terms(text), most)
	if err != nil {
		return nil, err
	}
	stale, err := StalePins(ctx, p, list)
	for i := range list {
		row := NewNoteRow(&list[i], stale[i])
		text := strings.Join(strings.Fields(row.Text), " ")
		if row.Topic != "" {
			text = row.Topic + ": " + text
		}
		why := strings.Join(strings.Fields(row.Why), " ")
		out = append(out, Note{Kind: row.Kind, Date: row.Date, Text: text, Why: why, Outdated: row.Outdated})
	}
	return out, err
}
