package export

import (
	"fmt"
	"slices"
	"time"

	"ken/internal/knowledge/session"
	"ken/internal/operation"
)

// Session holds the work and decisions of agents' sessions, as session.json of older tools had it.
type Session struct {
	Last       *LastSession     `json:"lastSession" doc:"the last session that did something, else the last; null if there is none"`
	Decisions  []DecisionRecord `json:"recentDecisions" doc:"the latest first"`
	InProgress WorkInProgress   `json:"workInProgress" doc:"what is left to do"`
	History    []PastSession    `json:"sessionHistory" doc:"the oldest first"`
}

// LastSession is one session in full.
type LastSession struct {
	ID        string           `json:"id" doc:"as the agent's runtime names it"`
	Timestamp string           `json:"timestamp" doc:"time of its last event, RFC 3339, UTC"`
	Duration  string           `json:"duration" doc:"from its start to its last event: \"45 minutes\""`
	Phase     string           `json:"phase" doc:"phase of the plan it worked on, empty if it is not known"`
	Modified  []operation.Path `json:"filesModified" doc:"files it modified, by path"`
	Created   []operation.Path `json:"filesCreated" doc:"files it created, by path"`
	Deleted   []operation.Path `json:"filesDeleted" doc:"files it deleted, by path"`
	Summary   string           `json:"summary" doc:"what its events say it did"`
	Tokens    *int64           `json:"tokensUsed" doc:"tokens used; null where the runtime does not say"`
}

// DecisionRecord is one decision.
type DecisionRecord struct {
	Date     string           `json:"date" doc:"day"`
	Topic    string           `json:"topic" doc:"what it is about"`
	Decision string           `json:"decision" doc:"what was decided"`
	Why      string           `json:"rationale" doc:"the reason"`
	Files    []operation.Path `json:"affectedFiles" doc:"files and symbols it is about"`
}

// WorkInProgress is the list of open tasks.
type WorkInProgress struct {
	Phase string   `json:"phase" doc:"phase of the plan, empty if it is not known"`
	Goal  string   `json:"phaseGoal" doc:"its goal, empty if it is not known"`
	Tasks []string `json:"remainingTasks" doc:"what is left to do, the oldest first"`
}

// PastSession is one session in short.
type PastSession struct {
	ID      string `json:"id" doc:"as the agent's runtime names it"`
	Date    string `json:"date" doc:"day of its last event"`
	Summary string `json:"summary" doc:"what its events say it did"`
}

// NewSession converts sessions and notes to the format; both must have the latest first.
func NewSession(list []session.Record, decisions, open []session.Note) *Session {
	s := &Session{Decisions: []DecisionRecord{}, InProgress: WorkInProgress{Tasks: []string{}}, History: []PastSession{}}
	for i := len(list) - 1; i >= 0; i-- {
		r := &list[i]
		s.History = append(s.History, PastSession{r.ID, r.Last.UTC().Format(time.DateOnly), r.Summary()})
	}
	if len(list) > 0 {
		i := max(0, slices.IndexFunc(list, func(r session.Record) bool { return !r.IsEmpty() }))
		s.Last = lastSession(&list[i])
		s.InProgress.Phase = list[i].Phase
	}
	for i := range decisions {
		d := &decisions[i]
		row := DecisionRecord{
			Date: d.At.UTC().Format(time.DateOnly), Topic: d.Topic, Decision: d.Text, Why: d.Rationale, Files: []operation.Path{},
		}
		for _, p := range d.Pins {
			row.Files = append(row.Files, operation.Path(p.Target))
		}
		s.Decisions = append(s.Decisions, row)
	}
	for i := len(open) - 1; i >= 0; i-- {
		s.InProgress.Tasks = append(s.InProgress.Tasks, open[i].Text)
	}
	return s
}

func lastSession(r *session.Record) *LastSession {
	paths := func(c session.Change) []operation.Path {
		out := []operation.Path{}
		for _, p := range r.ChangedFiles(c) {
			out = append(out, operation.Path(p))
		}
		return out
	}
	l := &LastSession{
		ID: r.ID, Timestamp: r.Last.UTC().Format(time.RFC3339), Duration: durationText(r.Duration()), Phase: r.Phase,
		Modified: paths(session.Modified), Created: paths(session.Created), Deleted: paths(session.Deleted), Summary: r.Summary(),
	}
	if r.Tokens > 0 {
		l.Tokens = &r.Tokens
	}
	return l
}

// durationText returns a duration in its largest unit.
func durationText(d time.Duration) string {
	n, unit := int(d.Seconds()), "second"
	switch {
	case d >= 2*time.Hour:
		n, unit = int(d.Hours()), "hour"
	case d >= time.Minute:
		n, unit = int(d.Minutes()), "minute"
	}
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}
