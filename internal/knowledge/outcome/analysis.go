package outcome

import (
	"cmp"
	"maps"
	"slices"
)

// The thresholds of the analyses.
const (
	StatsLimit   = 1000 // the latest outcomes that are counted
	InsightLimit = 100  // the latest outcomes that are looked at for what can be improved
	// MinSessions is how many sessions, at least, something is said of: what holds for fewer is chance.
	MinSessions = 5
	// MinOften is how many failures a file or a point of failure has, at least, to be named.
	MinOften = 3
)

// Tally counts results.
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

// Total is how many results were counted.
func (t Tally) Total() int { return t.Success + t.Failure + t.Partial }

// FailureRate is the share of failures, 0 of nothing.
func (t Tally) FailureRate() float64 {
	if t.Total() == 0 {
		return 0
	}
	return float64(t.Failure) / float64(t.Total())
}

// Counted is a tally of what has a name.
type Counted struct {
	Name string
	Tally
}

// counts are tallies by name.
type counts map[string]*Tally

func (c counts) add(name string, r Result) {
	if name == "" {
		return
	}
	if c[name] == nil {
		c[name] = &Tally{}
	}
	c[name].add(r)
}

// sorted lists the most failures first.
func (c counts) sorted() (out []Counted) {
	for _, name := range slices.Sorted(maps.Keys(c)) {
		out = append(out, Counted{name, *c[name]})
	}
	slices.SortStableFunc(out, func(a, b Counted) int { return cmp.Or(b.Failure-a.Failure, b.Total()-a.Total()) })
	return out
}

// latest are the last outcomes, at most so many.
func (k *Kept) latest(most int) []Outcome { return k.Outcomes[max(0, len(k.Outcomes)-most):] }

// Stats counts outcomes.
type Stats struct {
	Sessions int // with an outcome
	All      Tally
	Intents  []Counted
	Phases   []Counted
	Sources  []Counted
	// With and Without count outcomes of sessions that asked ken, and of those that did not.
	With, Without Tally
}

// Stats counts the latest outcomes.
func (k *Kept) Stats(limit int) *Stats {
	s := &Stats{}
	asked := map[string]bool{}
	for i := range k.Queries {
		asked[k.Queries[i].Session] = true
	}
	intents, phases, sources, sessions := counts{}, counts{}, counts{}, map[string]bool{}
	for _, o := range k.latest(limit) {
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
	s.Intents, s.Phases, s.Sources = intents.sorted(), phases.sorted(), sources.sorted()
	return s
}

// SessionAnalysis joins what a session asked and how it turned out.
type SessionAnalysis struct {
	Session    string
	Outcomes   []Outcome
	Operations []Operation // what was asked, most often first
	Queries    []Query     // the latest last
	// Final is the last outcome, "" if there is none.
	Final Result
	// FailurePoint is where the last failure was, "" without one.
	FailurePoint string
	// Shown are the changed files that an answer of ken had named, Unseen those that none had.
	Shown, Unseen []string
}

// Operation is what was asked of ken so many times.
type Operation struct {
	Name    string
	Count   int
	Nothing int // times that nothing was found
	MS      int64
	Bytes   int64
}

// Session analyses one session; false if nothing is known of it.
func (k *Kept) Session(id string) (*SessionAnalysis, bool) {
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
		if p := o.point(); p != "" {
			a.FailurePoint = p
		}
		for _, f := range o.Files {
			changed[f] = true
		}
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

// point is where something failed, "" of what did not.
func (o *Outcome) point() string {
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

// Sight is how much of what a session changed an answer of ken had named before.
type Sight string

// The sights. It is the risk of a session: who changes what was not looked for acts on less.
const (
	AllSeen  Sight = "all"
	SomeSeen Sight = "some"
	NoneSeen Sight = "none"
)

// Insights are what can be improved, as far as the latest outcomes say so.
type Insights struct {
	Outcomes    int // looked at
	Sessions    int // with an outcome
	WithQueries int // of these, those that asked ken
	// Operations count the last results of sessions that asked them, Sights those by what was seen before.
	Operations, Sights []Counted
	// Points count where it failed; Files are the files with results of which MinOften or more are failures.
	Points, Files []Counted
	Findings      []Finding
}

// Finding is something that at least MinSessions sessions, or MinOften failures, say.
type Finding struct {
	Text  string
	About string // operation, sight, point or file
	Rate  float64
	Of    int
}

// Insights looks at the latest outcomes for what can be improved.
func (k *Kept) Insights(limit int) *Insights {
	in := &Insights{}
	list := k.latest(limit)
	in.Outcomes = len(list)
	points, files, last := counts{}, counts{}, map[string]Outcome{}
	for i := range list {
		o := &list[i]
		last[o.Session] = *o
		points.add(o.point(), o.Result)
		for _, f := range o.Files {
			files.add(f, o.Result)
		}
	}
	operations, sights := counts{}, counts{}
	for _, id := range slices.Sorted(maps.Keys(last)) {
		in.Sessions++
		a, _ := k.Session(id)
		if len(a.Queries) > 0 {
			in.WithQueries++
		}
		for _, op := range a.Operations {
			operations.add(op.Name, a.Final)
		}
		sights.add(string(a.sight()), a.Final)
	}
	in.Operations, in.Sights, in.Points = operations.sorted(), sights.sorted(), points.sorted()
	for _, f := range files.sorted() {
		if f.Failure >= MinOften {
			in.Files = append(in.Files, f)
		}
	}
	in.find()
	return in
}

// sight is how much of what a session changed was seen; "" if it changed nothing.
func (a *SessionAnalysis) sight() Sight {
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
