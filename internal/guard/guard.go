// Package guard decides what may be done in a guarded task: which tool in which state, what evidence a step demands, and
// whether a file may be written. Decide is a pure function of a request, the task and a policy: facts of the index
// come in as values, so that the same evidence always leads to the same answer. table.go has the gates,
// evidence.go rates what was looked at, steps.go judges each step, write.go writes, documents.go what documents demand.
//
// Its neighbours are guard/frame, which checks what was asked for, knowledge/task, which has what is
// kept, and delivery/tasks, whose operations fill requests and keep what was decided.
package guard

import (
	"time"

	"ken/internal/guard/frame"
	"ken/internal/knowledge/task"
)

// State is how far a task is.
type State string

// The states, in their order.
const (
	Exploration  State = "EXPLORATION"
	Semantic     State = "SEMANTIC"
	Verification State = "VERIFICATION"
	Impact       State = "IMPACT_ANALYSIS"
	Ready        State = "READY"
	PreCommit    State = "PRE_COMMIT"
)

// States are all states.
func States() []State {
	return []State{Exploration, Semantic, Verification, Impact, Ready, PreCommit}
}

// Intent is what a task is for.
type Intent string

// The intents.
const (
	Implement   Intent = "IMPLEMENT"
	Modify      Intent = "MODIFY"
	Investigate Intent = "INVESTIGATE"
	Question    Intent = "QUESTION"
)

// Intents are all intents.
func Intents() []Intent { return []Intent{Implement, Modify, Investigate, Question} }

// Writes reports whether a task of this intent changes files.
func (i Intent) Writes() bool { return i == Implement || i == Modify }

// Tool is a tool of a guarded task, by its name. table.go has them all.
type Tool string

// Level is how much is demanded.
type Level string

// The levels. Auto demands evidence where the index says that a change is risky. Full demands the counts of a table for every change.
const (
	Auto Level = "auto"
	Full Level = "full"
)

// Levels are all levels.
func Levels() []Level { return []Level{Auto, Full} }

// Risk is how much a request leaves open.
type Risk string

// The risks.
const (
	Low    Risk = "LOW"
	Medium Risk = "MEDIUM"
	High   Risk = "HIGH"
)

// Policy is what a user may set.
type Policy struct {
	// MaxDependents is how many files may depend on a target before auto demands an analysis of the impact.
	MaxDependents int
	// MaxVerify is how many files an analysis demands a word on, those most likely to break. The others are named.
	MaxVerify int
	// MaxFailed is after how many failed verifications an agent is asked to step back.
	MaxFailed int
}

// DefaultPolicy is the policy unless something is set.
func DefaultPolicy() Policy { return Policy{MaxDependents: 10, MaxVerify: 20, MaxFailed: 3} }

// Task is one guarded piece of work.
type Task struct {
	ID      string      `json:"id"`
	Session string      `json:"session,omitempty"` // of the host, "" while none is bound
	Intent  Intent      `json:"intent"`
	Level   Level       `json:"level"`
	State   State       `json:"state"`
	Query   string      `json:"query"`
	Frame   frame.Frame `json:"frame,omitempty"` // nil until it was set
	Risk    Risk        `json:"risk"`

	Targets    []Target     `json:"targets,omitempty"`
	Claims     []Claim      `json:"claims,omitempty"`     // of the last understanding
	Hypotheses []Hypothesis `json:"hypotheses,omitempty"` // and what became of them
	Relevance  []Relevance  `json:"relevance,omitempty"`
	Analysis   *Analysis    `json:"analysis,omitempty"`
	Explored   []string     `json:"explored,omitempty"` // files beside the targets that may be written
	Missing    []Kind       `json:"missing,omitempty"`  // what the last understanding lacked
	// Unruly are files that changed without leave, by commands that nobody could stop.
	Unruly []string `json:"unruly,omitempty"`

	Failed  int       `json:"failed,omitempty"` // verifications, since the last step back
	AskedAt int       `json:"asked_at,omitempty"`
	Asking  bool      `json:"asking,omitempty"`  // the user has to say how to go on
	Overlay bool      `json:"overlay,omitempty"` // it is written in a work tree of its own
	Root    string    `json:"root,omitempty"`    // of the project in that, once it is made
	Outcome string    `json:"outcome,omitempty"`
	History []Step    `json:"history,omitempty"`
	Began   time.Time `json:"began"`
	Ended   time.Time `json:"ended,omitzero"`

	// Looks are kept beside the task, because there are many and hooks add to them.
	Looks []task.Look `json:"-"`
}

// Step is a change of the state.
type Step struct {
	From State     `json:"from"`
	To   State     `json:"to"`
	By   Tool      `json:"by"`
	At   time.Time `json:"at"`
}

// Place is where a declaration is.
type Place struct {
	Path   string `json:"path"`
	Symbol string `json:"symbol,omitempty"`
	Line   int    `json:"line,omitempty"`
}

// Caller is a file that uses a target, and the lines on which it does.
type Caller struct {
	Path  string `json:"path"`
	Lines []int  `json:"lines,omitempty"`
}

// Target is a file, or a declaration in one, that a task is going to change, with what the index says of it.
type Target struct {
	Name   string `json:"name"` // as it was given
	Path   string `json:"path"`
	Symbol string `json:"symbol,omitempty"` // "" for the whole file
	New    bool   `json:"new,omitempty"`    // there is no such file yet
	// Unindexed says that the index has no such file, so that it knows of nothing that depends on it.
	Unindexed bool `json:"unindexed,omitempty"`
	// Candidates are the declarations that the name may mean, if there are several.
	Candidates []Place `json:"candidates,omitempty"`
	// Callers are the files outside of it that use it, those most likely to break first; tests are in Tests.
	Callers    []Caller `json:"callers,omitempty"`
	Tests      []string `json:"tests,omitempty"`
	Dependents int      `json:"dependents,omitempty"` // files that depend on it directly
	// Isolated says that no indexed reference or import enters or leaves it.
	Isolated bool `json:"isolated,omitempty"`
}

// Key is what a target is the same by.
func (t *Target) Key() string { return t.Path + ":" + t.Symbol }

// inert reports whether the index knows of nothing that a change of the target could break.
func (t *Target) inert() bool { return t.Isolated || t.New || t.Unindexed }

// Kind is what is demanded, or what a claim is of.
type Kind string

// The kinds of what is demanded.
const (
	Symbols     Kind = "symbols"
	EntryPoints Kind = "entry_points"
	Files       Kind = "files"
	Patterns    Kind = "patterns"
	Slots       Kind = "slots"
	Tools       Kind = "tools"
	Targets     Kind = "targets"
	Callers     Kind = "callers"
	Dependents  Kind = "dependents"
	Ambiguity   Kind = "ambiguity"
	Hypotheses  Kind = "hypotheses"
	Statuses    Kind = "verified_files"
	Documents   Kind = "documents"
	Reasons     Kind = "semantic_reason"
	Shell       Kind = "changed_without_leave"
)

// Claim is something that an agent says it has understood, with what the index says of it.
type Claim struct {
	Kind   Kind   `json:"kind"`
	Name   string `json:"name"`           // as it was given
	Text   string `json:"text,omitempty"` // of a pattern, what it is
	Path   string `json:"path,omitempty"` // "" if there is no such thing
	Symbol string `json:"symbol,omitempty"`
	First  int    `json:"first,omitempty"` // lines of its declaration
	Last   int    `json:"last,omitempty"`
	// Several says that the name alone means more than one declaration.
	Several bool `json:"several,omitempty"`
	// Tied says that a reference or import ties it to a target, or that it is in one.
	Tied bool `json:"tied,omitempty"`
	// Entry says that it leads into a target: it uses one, or is an exported or first declaration of one.
	Entry bool `json:"entry,omitempty"`
	// Linked are names of listed symbols that an entry point is, or refers to.
	Linked []string `json:"linked,omitempty"`
}

// Exists reports whether the index has what a claim names.
func (c *Claim) Exists() bool { return c.Path != "" }

// Counts are numbers by kind.
type Counts struct {
	Symbols, EntryPoints, Files, Patterns int
}

// Of is the number of a kind.
func (c Counts) Of(k Kind) int {
	switch k {
	case Symbols:
		return c.Symbols
	case EntryPoints:
		return c.EntryPoints
	case Files:
		return c.Files
	case Patterns:
		return c.Patterns
	}
	return 0
}

// Hypothesis is something that an agent holds to be true and has to verify.
type Hypothesis struct {
	Text     string  `json:"text"`
	Status   Verdict `json:"status,omitempty"` // "" while it is open
	Evidence string  `json:"evidence,omitempty"`
}

// Verdict is what became of a hypothesis.
type Verdict string

// The verdicts.
const (
	Confirmed Verdict = "confirmed"
	Rejected  Verdict = "rejected"
)

// Tier is how relevant a symbol is to the feature of a request.
type Tier string

// The tiers.
const (
	TierFact     Tier = "FACT"
	TierRisk     Tier = "RISK"
	TierRejected Tier = "REJECTED"
)

// Relevance is how far a symbol goes with a feature.
type Relevance struct {
	Symbol    string  `json:"symbol"` // PATH:NAME
	Tier      Tier    `json:"tier"`
	Score     float64 `json:"score"`
	Confirmed bool    `json:"confirmed,omitempty"` // by evidence in the code
}

// Analysis is what a change concerns, and what the agent says of it.
type Analysis struct {
	Targets  []string     `json:"targets"` // keys
	Must     []Caller     `json:"must_verify,omitempty"`
	Should   []string     `json:"should_verify,omitempty"`
	Left     int          `json:"left,omitempty"` // files that use the targets and are not among Must, because there are too many
	Statuses []FileStatus `json:"verified_files,omitempty"`
	Done     bool         `json:"done,omitempty"`
	// Was is a fingerprint of each file that will be modified, by its path, as it was when that was said.
	Was map[string]string `json:"was,omitempty"`
	// Documents describe the targets. DocumentsLeft are further ones, because there are too many.
	Documents     []Document `json:"confirmation_required,omitempty"`
	DocumentsLeft int        `json:"documents_left,omitempty"`
}

// Document is one that describes targets, and that has to be confirmed: it was read, and what becomes of it was said.
type Document struct {
	Path  string   `json:"file"`
	Lines []int    `json:"lines"` // that describe them
	Names []string `json:"names"`
}

// FileStatus is what an agent says of a file that a change may concern.
type FileStatus struct {
	Path   string `json:"file"`
	Status Status `json:"status"`
	Reason string `json:"reason,omitempty"`
}

// Status is what becomes of a file.
type Status string

// The statuses.
const (
	WillModify  Status = "will_modify"
	NoChange    Status = "no_change_needed"
	NotAffected Status = "not_affected"
)
