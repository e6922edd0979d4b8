package outcomes

import (
	"fmt"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/knowledge/outcome"
	"ken/internal/operation"
)

type answer struct {
	Revision   code.Rev     `json:"revision" doc:"state of the index when it was answered"`
	Outcomes   []outcomeRow `json:"outcomes,omitempty" doc:"of record: what was recorded"`
	Stats      *stats       `json:"stats,omitempty" doc:"of stats"`
	Insights   *insights    `json:"insights,omitempty" doc:"of insights"`
	Session    *analysis    `json:"session,omitempty" doc:"of insights --session: the session"`
	Unreadable []badRow     `json:"unreadable_lines,omitempty" doc:"lines of the logs that are no records: they are skipped"`
}

type outcomeRow struct {
	At         string           `json:"at" doc:"RFC 3339, UTC"`
	Session    string           `json:"session" doc:"as the agent's runtime names it"`
	Outcome    string           `json:"outcome" doc:"success, failure or partial"`
	Source     string           `json:"source" doc:"what says so: tests, prompt, git or user"`
	Reason     string           `json:"reason,omitempty" doc:"of tests passed or failed, of git kept, reverted or mixed, of a prompt redo, denial, malfunction or bug"`
	Detail     string           `json:"detail,omitempty" doc:"command, phrase that was found, or what somebody wrote"`
	Confidence float64          `json:"confidence,omitempty" doc:"of a prompt: from 0.7 to 1"`
	Phase      string           `json:"phase,omitempty" doc:"phase of the plan, or state of the guarded task"`
	Intent     string           `json:"intent,omitempty" doc:"implement (files were created), modify or investigate (none were changed)"`
	Files      []operation.Path `json:"files,omitempty" doc:"files that the session changed; of git those that were reverted come first"`
}

type tally struct {
	Success int `json:"successes" doc:"outcomes that are successes"`
	Failure int `json:"failures" doc:"failures"`
	Partial int `json:"partials" doc:"in part"`
}

type counted struct {
	Name string  `json:"name" doc:"what is counted"`
	Rate float64 `json:"failure_rate" doc:"share of failures, 0 to 1"`
	tally
}

type stats struct {
	Sessions int       `json:"total_sessions" doc:"sessions with an outcome"`
	Total    tally     `json:"total" doc:"all outcomes that were looked at"`
	Intents  []counted `json:"intents" doc:"by what the session was for"`
	Phases   []counted `json:"phases" doc:"by phase of the plan, or state of the guarded task"`
	Sources  []counted `json:"sources" doc:"by what says so"`
	Asked    tally     `json:"with_ken" doc:"outcomes of sessions that asked ken, and of guarded tasks"`
	Unasked  tally     `json:"without_ken" doc:"outcomes of sessions of which no question is noted"`
}

type insights struct {
	Outcomes    int       `json:"total_outcomes" doc:"outcomes looked at"`
	Sessions    int       `json:"total_sessions" doc:"sessions with an outcome"`
	WithQueries int       `json:"sessions_with_queries" doc:"of these, those that asked ken"`
	Findings    []finding `json:"findings" doc:"what the counts show, the strongest first"`
	Operations  []counted `json:"operations" doc:"last outcomes of sessions by the operations they asked"`
	Sights      []counted `json:"sights" doc:"last outcomes of sessions by how many of the files they changed an answer had named among its first 20: all, some or none"`
	Points      []counted `json:"failure_points" doc:"where it failed"`
	Files       []counted `json:"failing_files" doc:"files with three failures or more"`
}

type finding struct {
	Text  string  `json:"text" doc:"what it is, in a sentence"`
	About string  `json:"about" doc:"sight, point or file"`
	Rate  float64 `json:"failure_rate" doc:"share of failures"`
	Of    int     `json:"samples" doc:"sessions, or outcomes, it is drawn from"`
}

type analysis struct {
	ID           string           `json:"id" doc:"as the agent's runtime names it"`
	Final        string           `json:"final_outcome,omitempty" doc:"the last outcome"`
	FailurePoint string           `json:"failure_point,omitempty" doc:"where the last failure was"`
	Outcomes     []outcomeRow     `json:"outcomes" doc:"oldest first"`
	Operations   []operationCount `json:"operations" doc:"what it asked ken, most often first"`
	Queries      []query          `json:"queries" doc:"each question, oldest first"`
	Shown        []operation.Path `json:"shown_files" doc:"files it changed that an answer had among its first 20, or that the guarded task was shown"`
	Unseen       []operation.Path `json:"unseen_files" doc:"files it changed that none had among its first 20"`
}

type operationCount struct {
	Name    string `json:"name" doc:"operation"`
	Count   int    `json:"count" doc:"times it was asked"`
	Nothing int    `json:"nothing_found" doc:"times nothing was found"`
	MS      int64  `json:"ms" doc:"milliseconds of all answers"`
	Bytes   int64  `json:"bytes" doc:"bytes of all answers"`
}

type query struct {
	At        string           `json:"at" doc:"RFC 3339, UTC"`
	Operation string           `json:"operation" doc:"operation"`
	Query     string           `json:"query,omitempty" doc:"its arguments"`
	Found     bool             `json:"found" doc:"something was found"`
	Files     []operation.Path `json:"files,omitempty" doc:"the first files of the answer"`
	MS        int64            `json:"ms" doc:"milliseconds"`
	Bytes     int64            `json:"bytes" doc:"bytes of the answer"`
}

type badRow struct {
	File string `json:"file,omitempty" doc:"log"`
	Line int    `json:"line,omitempty" doc:"line"`
	Why  string `json:"why" doc:"why it is no record"`
}

func formatTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func pathRows(list []string) []operation.Path {
	out := make([]operation.Path, 0, len(list))
	for _, p := range list {
		out = append(out, operation.Path(p))
	}
	return out
}

func newOutcomeRow(o *outcome.Outcome) outcomeRow {
	return outcomeRow{
		At: formatTime(o.At), Session: o.Session, Outcome: string(o.Result), Source: string(o.Source), Reason: o.Reason, Detail: o.Detail,
		Confidence: o.Confidence, Phase: o.Phase, Intent: string(o.Intent), Files: pathRows(o.Files),
	}
}

func newTally(t outcome.Tally) tally { return tally{t.Success, t.Failure, t.Partial} }

func countedRows(list []outcome.CountedGroup) []counted {
	out := make([]counted, 0, len(list))
	for _, c := range list {
		out = append(out, counted{c.Name, c.FailureRate(), newTally(c.Tally)})
	}
	return out
}

func newInsights(in *outcome.Insights) *insights {
	a := &insights{
		Outcomes: in.Outcomes, Sessions: in.Sessions, WithQueries: in.WithQueries, Findings: []finding{},
		Operations: countedRows(in.Operations), Sights: countedRows(in.Sights), Points: countedRows(in.Points), Files: countedRows(in.Files),
	}
	for _, f := range in.Findings {
		a.Findings = append(a.Findings, finding(f))
	}
	return a
}

func newAnalysis(s *outcome.SessionAnalysis) *analysis {
	a := &analysis{
		ID: s.Session, Final: string(s.Final), FailurePoint: s.FailurePoint, Outcomes: []outcomeRow{}, Operations: []operationCount{}, Queries: []query{},
		Shown: pathRows(s.Shown), Unseen: pathRows(s.Unseen),
	}
	for i := range s.Outcomes {
		a.Outcomes = append(a.Outcomes, newOutcomeRow(&s.Outcomes[i]))
	}
	for _, o := range s.Operations {
		a.Operations = append(a.Operations, operationCount(o))
	}
	for _, q := range s.Queries {
		a.Queries = append(a.Queries, query{formatTime(q.At), q.Operation, q.Query, q.Found, pathRows(q.Files), q.MS, q.Bytes})
	}
	return a
}

// text writes an answer.
func text(t *operation.Text, _ *input, a *answer) error {
	for i := range a.Outcomes {
		a.Outcomes[i].line(t)
	}
	if a.Stats != nil {
		a.Stats.text(t)
	}
	if a.Insights != nil {
		a.Insights.text(t)
	}
	if a.Session != nil {
		a.Session.text(t)
	}
	if n := len(a.Unreadable); n > 0 {
		b := a.Unreadable[0]
		t.Line("%s of the logs are skipped; the first: %s", operation.Plural(n, "line"), b.String())
	}
	return nil
}

func (b *badRow) String() string {
	if b.File == "" {
		return b.Why
	}
	return fmt.Sprintf("%s:%d, %s", b.File, b.Line, b.Why)
}

func (o *outcomeRow) line(t *operation.Text) {
	why := o.Source
	for _, s := range []string{o.Reason, o.Detail} {
		if s != "" {
			why += ", " + s
		}
	}
	t.Line("%s  %s  %s (%s)", t.Bold(o.Outcome), o.Session, t.Dim(o.At), why)
	if n := len(o.Files); n > 0 {
		t.Line("    %s: %s", operation.Plural(n, "changed file"), firstPaths(o.Files))
	}
}

// firstPaths names the first of some files.
func firstPaths(list []operation.Path) string {
	const most = 3
	var names []string
	for _, p := range list[:min(len(list), most)] {
		names = append(names, string(p))
	}
	if more := len(list) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

func (y *tally) words() string {
	return fmt.Sprintf("%d succeeded, %d failed, %d in part", y.Success, y.Failure, y.Partial)
}

func writeCounted(t *operation.Text, title string, rows []counted) {
	if len(rows) == 0 {
		return
	}
	t.Line("")
	t.Line("%s", t.Bold(title))
	for i := range rows {
		t.Line("  %s: %s (%.0f%% fail)", rows[i].Name, rows[i].words(), 100*rows[i].Rate)
	}
}

func (s *stats) text(t *operation.Text) {
	t.Line("of %s: %s", operation.Plural(s.Sessions, "session"), s.Total.words())
	t.Line("with ken: %s; without, or not noted: %s", s.Asked.words(), s.Unasked.words())
	writeCounted(t, "By intent", s.Intents)
	writeCounted(t, "By phase", s.Phases)
	writeCounted(t, "By source", s.Sources)
}

func (in *insights) text(t *operation.Text) {
	t.Line("%s of %s, %d of which asked ken", operation.Plural(in.Outcomes, "outcome"), operation.Plural(in.Sessions, "session"), in.WithQueries)
	for _, f := range in.Findings {
		t.Line("- %s", f.Text)
	}
	if len(in.Findings) == 0 {
		t.Line("Nothing is said of so few: it takes %d sessions, or %d failures at one place.", outcome.MinSessions, outcome.MinOften)
	}
	writeCounted(t, "Operations asked", in.Operations)
	writeCounted(t, "Changed files that were shown before", in.Sights)
	writeCounted(t, "Where it failed", in.Points)
	writeCounted(t, "Files that fail often", in.Files)
}

func (s *analysis) text(t *operation.Text) {
	t.Line("session %s: %s", s.ID, s.words())
	for i := range s.Outcomes {
		s.Outcomes[i].line(t)
	}
	for _, o := range s.Operations {
		t.Line("asked %s %s, %d with nothing found; %d ms, %d bytes", o.Name, operation.Plural(o.Count, "time"), o.Nothing, o.MS, o.Bytes)
	}
	for _, f := range s.Unseen {
		t.Line("changed, and no answer had named it: %s", f)
	}
}

func (s *analysis) words() string {
	switch {
	case s.Final == "":
		return "no outcome is recorded"
	case s.FailurePoint == "":
		return s.Final
	}
	return s.Final + "; the last failure was at " + s.FailurePoint
}
