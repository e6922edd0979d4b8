package outcome

import (
	"cmp"
	"maps"
	"slices"
)

// Limits and thresholds of the analyses.
const (
	StatsLimit   = 1000 // the latest outcomes that are counted
	InsightLimit = 100  // the latest outcomes that Insights reads
	// MinSessions is the least number of sessions behind a finding: fewer may be chance.
	MinSessions = 5
	// MinOften is the least number of failures of a file or a point of failure that is named.
	MinOften = 3
)

// Tally counts the results of some sessions.
type Tally struct{ Success, Failure, Partial int }

func (t *Tally) add(r Result) {
	switch r {
	case Success:
		t.Success++
	case Failure:
		t.Failure++
	case Partial:
		t.Partial++
	}
}

// Total returns the number of results.
func (t Tally) Total() int { return t.Success + t.Failure + t.Partial }

// FailureRate returns the share of failures, 0 if there are no results.
func (t Tally) FailureRate() float64 {
	if t.Total() == 0 {
		return 0
	}
	return float64(t.Failure) / float64(t.Total())
}

// CountedGroup is the tally of one group of sessions, with the name of the group.
type CountedGroup struct {
	Name string
	Tally
}

// talliesByName are tallies by name.
type talliesByName map[string]*Tally

func (c talliesByName) add(name string, r Result) {
	if name == "" {
		return
	}
	if c[name] == nil {
		c[name] = &Tally{}
	}
	c[name].add(r)
}

// sortedByFailures returns the tallies, the most failures first.
func (c talliesByName) sortedByFailures() (out []CountedGroup) {
	for _, name := range slices.Sorted(maps.Keys(c)) {
		out = append(out, CountedGroup{name, *c[name]})
	}
	slices.SortStableFunc(out, func(a, b CountedGroup) int { return cmp.Or(b.Failure-a.Failure, b.Total()-a.Total()) })
	return out
}

// latestOutcomes returns the last outcomes that count, at most the given number.
func (k *LogContent) latestOutcomes(most int) []Outcome {
	list := withoutOverruled(k.Outcomes)
	return list[max(0, len(list)-most):]
}

// withoutOverruled returns the outcomes, oldest first, without the successes that a complaint overrules: the last one of its session
// before it. Tests may pass although the work is not the requested thing, so the user knows better. Earlier successes of the session
// stay, because the user had accepted that work.
func withoutOverruled(list []Outcome) []Outcome {
	last := map[string]int{} // session → place of its latest outcome
	overruled := map[int]bool{}
	for i := range list {
		o := &list[i]
		if before, ok := last[o.Session]; ok && o.Source == FromPrompt && o.Result == Failure && list[before].Result == Success {
			overruled[before] = true
		}
		last[o.Session] = i
	}
	var out []Outcome
	for i := range list {
		if !overruled[i] {
			out = append(out, list[i])
		}
	}
	return out
}

// Stats are counts of outcomes.
type Stats struct {
	Sessions int // with an outcome
	All      Tally
	Intents  []CountedGroup
	Phases   []CountedGroup
	Sources  []CountedGroup
	// With and Without count the outcomes of sessions that did and did not ask ken. A guarded task asks it.
	With, Without Tally
}

// Stats counts the latest outcomes, at most limit.
func (k *LogContent) Stats(limit int) *Stats {
	s := &Stats{}
	asked := k.asking()
	intents, phases, sources, sessions := talliesByName{}, talliesByName{}, talliesByName{}, map[string]bool{}
	for _, o := range k.latestOutcomes(limit) {
		sessions[o.Session] = true
		s.All.add(o.Result)
		intents.add(string(o.Intent), o.Result)
		phases.add(o.Phase, o.Result)
		sources.add(string(o.Source), o.Result)
		if asked[o.Session] {
			s.With.add(o.Result)
		} else {
			s.Without.add(o.Result)
		}
	}
	s.Sessions = len(sessions)
	s.Intents, s.Phases, s.Sources = intents.sortedByFailures(), phases.sortedByFailures(), sources.sortedByFailures()
	return s
}

// asking returns the sessions that asked ken: those with a query, and those of guarded tasks.
func (k *LogContent) asking() map[string]bool {
	out := map[string]bool{}
	for i := range k.Queries {
		out[k.Queries[i].Session] = true
	}
	for i := range k.Outcomes {
		if k.Outcomes[i].Task != "" {
			out[k.Outcomes[i].Session] = true
		}
	}
	return out
}

// SessionAnalysis joins the queries of a session and its outcomes.
type SessionAnalysis struct {
	Session    string
	Outcomes   []Outcome
	Operations []Operation // the most frequent first
	Queries    []Query     // the latest last
	// Final is the last outcome, "" if there is none.
	Final Result
	// FailurePoint is the place of the last failure, "" without one.
	FailurePoint string
	// Shown are the changed files that an answer of ken had among its first MaxTop files, or that the guarded task was shown; Unseen are the
	// others.
	Shown, Unseen []string
}

// Operation is an operation of ken with the number of its queries.
type Operation struct {
	Name    string
	Count   int
	Nothing int // queries without a result
	MS      int64
	Bytes   int64
}

// Session analyses one session; false if nothing is recorded of it.
func (k *LogContent) Session(id string) (*SessionAnalysis, bool) {
	a := &SessionAnalysis{Session: id}
	var named [][]string
	operations := map[string]*Operation{}
	for _, q := range k.Queries {
		if q.Session != id {
			continue
		}
		a.Queries = append(a.Queries, q)
		named = append(named, q.Files)
		op := operations[q.Operation]
		if op == nil {
			op = &Operation{Name: q.Operation}
			operations[q.Operation] = op
		}
		op.Count, op.MS, op.Bytes = op.Count+1, op.MS+q.MS, op.Bytes+q.Bytes
		if !q.Found {
			op.Nothing++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(operations)) {
		a.Operations = append(a.Operations, *operations[name])
	}
	slices.SortStableFunc(a.Operations, func(x, y Operation) int { return y.Count - x.Count })
	changed := map[string]bool{}
	for _, o := range k.Outcomes {
		if o.Session != id {
			continue
		}
		a.Outcomes = append(a.Outcomes, o)
		a.Final = o.Result
		if p := o.failurePoint(); p != "" {
			a.FailurePoint = p
		}
		for _, f := range o.Files {
			changed[f] = true
		}
		named = append(named, o.Seen)
	}
	for _, f := range slices.Sorted(maps.Keys(changed)) {
		if slices.ContainsFunc(named, func(files []string) bool { return slices.Contains(files, f) }) {
			a.Shown = append(a.Shown, f)
		} else {
			a.Unseen = append(a.Unseen, f)
		}
	}
	return a, len(a.Outcomes)+len(a.Queries) > 0
}

// failurePoint returns the place at which the work failed, "" if it did not.
func (o *Outcome) failurePoint() string {
	if o.Result == Success {
		return ""
	}
	switch o.Source {
	case FromTests:
		return "tests: " + o.Detail
	case FromPrompt:
		return "the user: " + o.Reason
	case FromGit:
		return "git: " + o.Reason
	}
	return "recorded: " + o.Detail
}

// Foresight describes how many of the files that a session changed had been named by an answer of ken before.
type Foresight string

// The values of Sight. They measure risk, because a change to a file that was not looked up rests on less knowledge.
const (
	AllSeen  Foresight = "all"
	SomeSeen Foresight = "some"
	NoneSeen Foresight = "none"
)

// Insights are possible improvements according to the latest outcomes.
type Insights struct {
	Outcomes    int // analysed
	Sessions    int // with an outcome
	WithQueries int // of these, those that asked ken
	// Operations count the last results of sessions by the operations they used, Sights by the files they had seen.
	Operations, Sights []CountedGroup
	// Points count failures by place; Files are the files with MinOften failures or more.
	Points, Files []CountedGroup
	Findings      []Finding
}

// Finding is a statement that rests on at least MinSessions sessions or MinOften failures.
type Finding struct {
	Text  string
	About string // operation, sight, point or file
	Rate  float64
	Of    int
}

// Insights returns possible improvements according to the latest outcomes, at most limit.
func (k *LogContent) Insights(limit int) *Insights {
	in := &Insights{}
	list := k.latestOutcomes(limit)
	in.Outcomes = len(list)
	points, files, last := talliesByName{}, talliesByName{}, map[string]Outcome{}
	for i := range list {
		o := &list[i]
		last[o.Session] = *o
		points.add(o.failurePoint(), o.Result)
		for _, f := range o.Files {
			files.add(f, o.Result)
		}
	}
	operations, sights, asked := talliesByName{}, talliesByName{}, k.asking()
	for _, id := range slices.Sorted(maps.Keys(last)) {
		in.Sessions++
		a, _ := k.Session(id)
		if asked[id] {
			in.WithQueries++
		}
		for _, op := range a.Operations {
			operations.add(op.Name, a.Final)
		}
		sights.add(string(a.foresight()), a.Final)
	}
	in.Operations, in.Sights, in.Points = operations.sortedByFailures(), sights.sortedByFailures(), points.sortedByFailures()
	for _, f := range files.sortedByFailures() {
		if f.Failure >= MinOften {
			in.Files = append(in.Files, f)
		}
	}
	in.addFindings()
	return in
}

// foresight returns how many of a session's changed files had been named by an answer before; "" if it changed nothing.
func (a *SessionAnalysis) foresight() Foresight {
	switch {
	case len(a.Shown)+len(a.Unseen) == 0:
		return ""
	case len(a.Unseen) == 0:
		return AllSeen
	case len(a.Shown) > 0:
		return SomeSeen
	}
	return NoneSeen
}
