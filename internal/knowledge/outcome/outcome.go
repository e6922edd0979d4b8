// Package outcome records the results of agents' work, and the earlier answers of ken: two logs of a project, joined by the
// session. Outcomes come from events and not from asking a model: tests that ran after edits, a user who complains at the
// next prompt (phrases.go), edits that git shows to be kept or reverted (judge.go), or a result that a user recorded.
// analysis.go evaluates the two logs.
//
// Its neighbours are store/linelog, which stores the logs, knowledge/session, which records the events of sessions, and
// delivery/outcomes, the operation. docs/formats.md shows the lines.
package outcome

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Result is the result of work.
type Result string

// The results. Partial work was kept in part.
const (
	Success Result = "success"
	Failure Result = "failure"
	Partial Result = "partial"
)

// Source is the source of an outcome.
type Source string

// The sources of outcomes.
const (
	FromTests  Source = "tests"  // tests ran after edits
	FromPrompt Source = "prompt" // the next prompt says that it is wrong
	FromGit    Source = "git"    // the edits were kept, or they were reverted
	FromUser   Source = "user"   // a user recorded it
)

// Outcome is the result of a session's work, as one line of the log. All texts in it are masked.
type Outcome struct {
	At      time.Time `json:"at"`
	Session string    `json:"session"`
	Result  Result    `json:"outcome"`
	Source  Source    `json:"source"`
	// Reason adds to the source: passed or failed, kept, reverted or mixed, or the kind of the complaint.
	Reason string `json:"reason,omitempty"`
	// Detail is the command, the phrase of the table that was found, or a text that a user recorded. A prompt itself is never
	// stored.
	Detail     string   `json:"detail,omitempty"`
	Confidence float64  `json:"confidence,omitempty"` // of a complaint
	Phase      string   `json:"phase,omitempty"`      // of the plan, or the state of the guarded task
	Intent     Intent   `json:"intent,omitempty"`
	Files      []string `json:"files,omitempty"` // that the session changed; of git those that were reverted come first
	// Task is the guarded task whose outcome it is, and Seen the files among Files that the task was shown.
	Task string   `json:"task,omitempty"`
	Seen []string `json:"seen,omitempty"`
}

// Intent is the purpose of a session, as far as its changes show it.
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

// BadLine is a line of a log that is not a record.
type BadLine struct {
	File string
	Line int
	Why  string
}

// Log stores records, each a JSON object; store/linelog has one. It is safe for use by many processes.
type Log interface {
	Append(record []byte) error
	// Read passes the records to f, oldest first, and returns the lines that are not records.
	Read(f func(record []byte)) ([]BadLine, error)
}

// Logs are the two logs of a project.
type Logs struct {
	Queries, Outcomes Log
	// Hide masks the credentials in a text, because a recognised credential is never stored.
	Hide func(string) string
}

// Limits of texts and lists.
const (
	maxText  = 500 // bytes
	maxFiles = 20
	// MaxTop is how many files of an answer are recorded.
	MaxTop = 20
)

// Record appends an outcome, and leaves it as it is kept: masked and shortened. It fails if the log cannot be written.
func (l *Logs) Record(o *Outcome) error {
	o.At = o.At.UTC().Truncate(time.Millisecond)
	for _, s := range []*string{&o.Session, &o.Reason, &o.Detail, &o.Phase, &o.Task} {
		*s = l.maskedText(*s)
	}
	o.Files, o.Seen = l.maskedFiles(o.Files, maxFiles), l.maskedFiles(o.Seen, maxFiles)
	return appendRecord(l.Outcomes, o)
}

// RecordQuery appends a query. It fails if the log cannot be written.
func (l *Logs) RecordQuery(q Query) error {
	q.At = q.At.UTC().Truncate(time.Millisecond)
	for _, s := range []*string{&q.Session, &q.Operation, &q.Query} {
		*s = l.maskedText(*s)
	}
	q.Files = l.maskedFiles(q.Files, MaxTop)
	return appendRecord(l.Queries, &q)
}

func appendRecord(log Log, v any) error {
	b, err := json.Marshal(v)
	if err == nil {
		err = log.Append(b)
	}
	return err
}

// maskedText masks a text and cuts it: in this order, because half a credential is not recognised.
func (l *Logs) maskedText(s string) string {
	if len(s) > 64*maxText {
		s = s[:64*maxText]
	}
	if s = l.Hide(s); len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText], "") + "…"
	}
	return s
}

func (l *Logs) maskedFiles(list []string, most int) []string {
	out := make([]string, 0, min(len(list), most))
	for _, f := range list[:min(len(list), most)] {
		out = append(out, l.maskedText(f))
	}
	return out
}

// LogContent is the content of the two logs, the outcomes and the queries.
type LogContent struct {
	Outcomes []Outcome // oldest first
	Queries  []Query   // oldest first
	Bad      []BadLine
}

// Read reads both logs. Lines that are not records are in Bad. It fails if a log cannot be read.
func (l *Logs) Read() (*LogContent, error) {
	k := &LogContent{}
	odd, judged := 0, map[string]bool{}
	bad, err := l.Outcomes.Read(func(record []byte) {
		var o Outcome
		if json.Unmarshal(record, &o) != nil || !o.isKnownResult() {
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
	// Processes that append at the same time may do so in another order than that of the events.
	slices.SortStableFunc(k.Outcomes, func(a, b Outcome) int { return a.At.Compare(b.At) })
	slices.SortStableFunc(k.Queries, func(a, b Query) int { return a.At.Compare(b.At) })
	return k, err
}

func (o *Outcome) isKnownResult() bool {
	return o.Session != "" && (o.Result == Success || o.Result == Failure || o.Result == Partial)
}
