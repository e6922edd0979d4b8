// Package outcome keeps how agents' work turned out, and what ken answered before: two logs of
// a project, joined by the session. Outcomes come from what happened and not from asking a
// model: tests that ran after edits, a user who says at the next prompt that it does not work
// (phrases.go), edits that git shows to be kept or reverted (judge.go), or somebody who recorded one.
// analysis.go has what is learned from the two logs.
//
// Its neighbours are store/linelog, which keeps the logs, knowledge/session, which knows what
// sessions did, and delivery/outcomes, the operation. docs/formats.md shows the lines.
package outcome

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Result is how work turned out.
type Result string

// The results. Partial is work of which some was kept and some was not.
const (
	Success Result = "success"
	Failure Result = "failure"
	Partial Result = "partial"
)

// Source is what an outcome is known from.
type Source string

// The sources of outcomes.
const (
	FromTests  Source = "tests"  // tests ran after edits
	FromPrompt Source = "prompt" // the next prompt says that it is wrong
	FromGit    Source = "git"    // the edits were kept, or they were reverted
	FromUser   Source = "user"   // somebody recorded it
)

// Outcome is how the work of a session turned out, as one line of the log. All texts in it are masked.
type Outcome struct {
	At      time.Time `json:"at"`
	Session string    `json:"session"`
	Result  Result    `json:"outcome"`
	Source  Source    `json:"source"`
	// Reason says more of a source: passed or failed, kept, reverted or mixed, or the kind of the complaint.
	Reason string `json:"reason,omitempty"`
	// Detail is the command, the phrase of the table that was found, or what somebody wrote. A
	// prompt itself is kept nowhere.
	Detail     string   `json:"detail,omitempty"`
	Confidence float64  `json:"confidence,omitempty"` // of a complaint
	Phase      string   `json:"phase,omitempty"`      // of the plan
	Intent     Intent   `json:"intent,omitempty"`
	Files      []string `json:"files,omitempty"` // that the session changed; of git those that were reverted come first
}

// Intent is what a session was for, as far as what it changed says so.
type Intent string

// The intents.
const (
	Implement   Intent = "implement"   // it created files
	Modify      Intent = "modify"      // it changed files
	Investigate Intent = "investigate" // it changed none
)

// Query is one answer that ken gave to a session, as one line of the log.
type Query struct {
	At        time.Time `json:"at"`
	Session   string    `json:"session"`
	Operation string    `json:"operation"`
	Query     string    `json:"query,omitempty"` // its arguments
	Files     []string  `json:"files,omitempty"` // the first that the answer names
	Found     bool      `json:"found"`
	MS        int64     `json:"ms"`
	Bytes     int64     `json:"bytes"` // of the answer
}

// BadLine is a line of a log that is no record.
type BadLine struct {
	File string
	Line int
	Why  string
}

// Log keeps records, each a JSON object; store/linelog has one. It is safe for use by many processes.
type Log interface {
	Append(record []byte) error
	// Read hands the records to f, oldest first, and names the lines that are none.
	Read(f func(record []byte)) ([]BadLine, error)
}

// Logs are the two logs of a project.
type Logs struct {
	Queries, Outcomes Log
	// Hide masks the credentials in a text, because nothing that was recognised as one is kept.
	Hide func(string) string
}

// How much of texts and lists is kept.
const (
	maxText  = 500 // bytes
	maxFiles = 20
	// MaxTop is how many files of an answer are kept.
	MaxTop = 5
)

// Record keeps an outcome.
func (l *Logs) Record(o Outcome) error {
	o.At = o.At.UTC().Truncate(time.Millisecond)
	for _, s := range []*string{&o.Session, &o.Reason, &o.Detail, &o.Phase} {
		*s = l.text(*s)
	}
	o.Files = l.files(o.Files, maxFiles)
	return add(l.Outcomes, &o)
}

// Answered keeps a query.
func (l *Logs) Answered(q Query) error {
	q.At = q.At.UTC().Truncate(time.Millisecond)
	for _, s := range []*string{&q.Session, &q.Operation, &q.Query} {
		*s = l.text(*s)
	}
	q.Files = l.files(q.Files, MaxTop)
	return add(l.Queries, &q)
}

func add(log Log, v any) error {
	b, err := json.Marshal(v)
	if err == nil {
		err = log.Append(b)
	}
	return err
}

// text is a text as it is kept: masked before it is cut, because half a credential is not recognised.
func (l *Logs) text(s string) string {
	if len(s) > 64*maxText {
		s = s[:64*maxText]
	}
	if s = l.Hide(s); len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText], "") + "…"
	}
	return s
}

func (l *Logs) files(list []string, most int) []string {
	out := make([]string, 0, min(len(list), most))
	for _, f := range list[:min(len(list), most)] {
		out = append(out, l.text(f))
	}
	return out
}

// Kept is what the logs hold.
type Kept struct {
	Outcomes []Outcome // oldest first
	Queries  []Query   // oldest first
	Bad      []BadLine
}

// Read reads both logs. Lines that are no records are in Bad.
func (l *Logs) Read() (*Kept, error) {
	k := &Kept{}
	odd, judged := 0, map[string]bool{}
	bad, err := l.Outcomes.Read(func(record []byte) {
		var o Outcome
		if json.Unmarshal(record, &o) != nil || !o.known() {
			odd++ // another version of ken wrote it
			return
		}
		if o.Source == FromGit {
			if judged[o.Session] { // by two processes at the same time
				return
			}
			judged[o.Session] = true
		}
		k.Outcomes = append(k.Outcomes, o)
	})
	if err != nil {
		return nil, err
	}
	more, err := l.Queries.Read(func(record []byte) {
		var q Query
		if json.Unmarshal(record, &q) != nil || q.Operation == "" {
			odd++
			return
		}
		k.Queries = append(k.Queries, q)
	})
	k.Bad = append(bad, more...)
	if odd > 0 {
		k.Bad = append(k.Bad, BadLine{Why: fmt.Sprintf("%d records of another version of ken", odd)})
	}
	// Processes that append at the same time may do so in another order than things happened in.
	slices.SortStableFunc(k.Outcomes, func(a, b Outcome) int { return a.At.Compare(b.At) })
	slices.SortStableFunc(k.Queries, func(a, b Query) int { return a.At.Compare(b.At) })
	return k, err
}

func (o *Outcome) known() bool {
	return o.Session != "" && (o.Result == Success || o.Result == Failure || o.Result == Partial)
}
