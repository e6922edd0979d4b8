// Package check compares the statements of a plan about the code with the code: files and symbols that it names, declarations that it
// relies on, changes that break files outside of its list, code that exists already. It judges those of the twelve dimensions of plan
// reviews that a machine can judge, each with its evidence, and names the others as not judged.
//
// Neighbours: package claim reads the plan, package writeset finds the files that it writes.
package check

import (
	"context"
	"fmt"
	"slices"

	"ken/internal/delivery/plancode/claim"
	"ken/internal/delivery/plancode/place"
	"ken/internal/delivery/plancode/writeset"
	"ken/internal/engine/view"
	"ken/internal/workflow/plan/artefact"
)

// Verdict is the result for a claim.
type Verdict string

// The verdicts.
const (
	Found     Verdict = "found"
	Near      Verdict = "near"       // not as the plan has it: a different declaration, or a member of another type
	Absent    Verdict = "absent"     // the plan states that it is there, and it is not
	ToBeMade  Verdict = "to_be_made" // by this plan, or by another one, which Is names
	NotJudged Verdict = "not_judged" // the meaning is open, or not all that may have it was looked at
)

// Claim is a statement of the plan with its verdict.
type Claim struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind"` // path, declaration, or a kind of name: symbol, member, command, flag, setting, route, dependency
	File    string   `json:"file,omitempty"`
	Line    int      `json:"line,omitempty"` // of the plan
	Part    string   `json:"part"`           // of the plan
	Verdict Verdict  `json:"verdict"`
	Says    string   `json:"says,omitempty"` // the declaration in the plan
	Is      string   `json:"is,omitempty"`   // the existing thing, or its place
	Near    []string `json:"near,omitempty"`
}

// Break is a file outside the plan's list that a change of the plan affects.
type Break struct {
	Path string `json:"path"`
	Why  string `json:"why"`
	Test bool   `json:"test"`
}

// Existing is something that the plan makes and that exists already.
type Existing struct {
	Name string `json:"name"`
	Path string `json:"path"`
	Line uint32 `json:"line"`
	Kind string `json:"kind"`
}

// Reading is the amount of text that an executor of the plan has to read, in tokens.
type Reading struct {
	Files  []ReadFile `json:"files"`
	Plan   int        `json:"plan_tokens"`
	Tokens int        `json:"tokens"` // of all, o200k_base
}

// ReadFile is a file to read.
type ReadFile struct {
	Path   string `json:"path"`
	Tokens int    `json:"tokens"`
}

// Issue is something that is wrong with a plan.
type Issue struct {
	Dimension   string `json:"dimension"`
	Severity    string `json:"severity"` // blocker, warning or info
	Description string `json:"description"`
	Task        string `json:"task,omitempty"`
	Line        int    `json:"line,omitempty"`
	Hint        string `json:"fix_hint"`
}

// Report is the result of the comparison.
type Report struct {
	Files      []Claim     `json:"files"`
	Names      []Claim     `json:"names"` // all but files
	Signatures []Claim     `json:"signatures"`
	Breaks     []Break     `json:"breaks"`
	Agains     []Existing  `json:"exists_already"`
	Reading    Reading     `json:"reading"`
	Dimensions []Dimension `json:"dimensions"`
	Issues     []Issue     `json:"issues"`
}

// EmptyReport returns the report of a plan that is not compared.
func EmptyReport() Report {
	return Report{
		Files: []Claim{}, Names: []Claim{}, Signatures: []Claim{}, Breaks: []Break{}, Agains: []Existing{}, Reading: Reading{Files: []ReadFile{}},
		Dimensions: []Dimension{}, Issues: []Issue{},
	}
}

// Surroundings are the other plans and documents around a plan.
type Surroundings struct {
	ID string // of the plan: 01-02
	// Makes returns the other plan that makes a file, "" if none does.
	Makes func(path string) string
	// Names returns the plan before this one, not yet carried out, whose text has a word, "" if none does.
	Names func(word string) string
	// Requirements are the IDs of the project, nil if it has no list of them.
	Requirements map[string]bool
	// Order is the problem with the plan's dependencies, "" if there is none.
	Order string
	// Research is the text of the phase's research, Validation whether there is a plan of validation; Phase is set where the plan is one
	// of a phase.
	Research   string
	Validation bool
	Phase      bool
	Window     int // tokens of the context window of an executor
}

// checker is one comparison.
type checker struct {
	plan   *artefact.Plan
	c      *claim.Claims
	set    *writeset.Set
	s      *view.Snapshot // nil without an index
	places *place.Places
	around *Surroundings
	writes map[string]bool
	names  []claim.Name
	made   map[string]bool // the last parts of names that the plan makes
	// declares are those of them that code of the plan declares.
	declares map[string]bool
	// existing are names that the text calls existing.
	existing map[string]bool
	r        Report

	manifests *manifests // nil before they are read
}

// Compare compares a plan with the code. s may be nil: then only the facts of the planning folder are compared. It returns an
// error if the index cannot be read.
func Compare(ctx context.Context, s *view.Snapshot, places *place.Places, plan *artefact.Plan, around *Surroundings) (*Report, error) {
	x := &checker{plan: plan, c: claim.Read(plan), s: s, places: places, around: around, writes: map[string]bool{}}
	var err error
	if x.set, err = writeset.New(ctx, s, places, plan.ID, x.c); err != nil {
		return nil, err
	}
	for i := range x.set.Entries {
		if e := &x.set.Entries[i]; e.Kind().IsStated() {
			x.writes[e.Path] = true
		}
	}
	x.checkFiles()
	if s != nil {
		for _, step := range []func(context.Context) error{x.readNames, x.checkSignatures, x.checkNames, x.findBreaks, x.findExisting} {
			if err := step(ctx); err != nil {
				return nil, err
			}
		}
	}
	if err := x.countReading(); err != nil {
		return nil, err
	}
	for i, row := range dimensions {
		d := Dimension{Number: i + 1, Name: row.name, Verdict: "not_judged", Evidence: []string{}}
		if row.judge == nil {
			d.Evidence = append(d.Evidence, row.why)
		} else {
			d.Judged, d.Verdict = true, "passed"
			row.judge(x, &d)
		}
		x.r.Dimensions = append(x.r.Dimensions, d)
	}
	slices.SortStableFunc(x.r.Issues, func(a, b Issue) int { return severity[a.Severity] - severity[b.Severity] })
	return &x.r, nil
}

var severity = map[string]int{"blocker": 0, "warning": 1, "info": 2}

func (x *checker) addIssue(dimension, level, task string, line int, hint, format string, args ...any) {
	x.r.Issues = append(x.r.Issues, Issue{dimension, level, fmt.Sprintf(format, args...), task, line, hint})
}

// Count returns the number of claims with a verdict.
func (r *Report) Count(v Verdict) (n int) {
	for _, l := range [][]Claim{r.Files, r.Names, r.Signatures} {
		for i := range l {
			if l[i].Verdict == v {
				n++
			}
		}
	}
	return n
}
