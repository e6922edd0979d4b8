package agentevent

import (
	"testing"
	"time"

	"ken/internal/knowledge/memory"
)

// TestItemLine: a line has the text, date, source and evidence of an item, and the files changed since.
func TestItemLine(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		it      memory.Item
		changed []string
		want    string
	}{
		{memory.Item{Kind: memory.Note, Text: "a \"fact\"\nin two lines", At: at, Session: "s1"}, nil, `- 2026-03-01 noted: "a &quot;fact&quot; in two lines" (from session s1)`},
		{memory.Item{Kind: memory.Decision, Topic: "store", Text: "one file" + memory.Because + "no daemon", At: at, From: "claude",
			Evidence: memory.Evidence{For: 2, Against: 1}}, []string{"a.go"},
			`- 2026-03-01 decided: "store: one file", because "no daemon" (from claude; confirmed by 2; contradicted by 1; possibly outdated: a.go changed since)`},
		{memory.Item{Kind: memory.Outcome, Text: "slow uploads", At: at, Pins: []memory.Pin{{Target: "a.go"}, {Target: "b.go"}}}, nil,
			`- 2026-03-01 a task that ended well: "slow uploads"; it changed a.go, b.go`},
		{memory.Item{Kind: memory.Edit, Text: "a.go was edited in 4 sessions", At: at, From: "edits"}, nil, `- 2026-03-01 seen: "a.go was edited in 4 sessions"`},
		{memory.Item{Kind: memory.Note, Text: "x", At: at, From: memory.ForeignPrefix + "bob"}, nil, `- 2026-03-01 noted: "x" (imported from bob)`},
	} {
		if got := itemLine(&c.it, c.changed); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}
