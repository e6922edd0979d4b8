// Package guard decides each step of a guarded task: which tool may be called in which state, which evidence a step requires, and
// whether a file may be written. Decide is a pure function of a request, the task and a policy. Facts of the index come in as values,
// so that the same evidence always leads to the same answer. table.go has the gates, evidence.go rates the evidence, steps.go judges
// each step, write.go judges writes, documents.go adds the requirements of documents.
//
// Its neighbours are guard/frame, which checks the user's request, knowledge/task, which stores tasks, and delivery/tasks, whose
// operations fill requests and store decisions.
package guard

import (
	"cmp"
	"slices"
	"time"

	"ken/internal/guard/frame"
	"ken/internal/knowledge/task"
)

// State is the progress of a task.
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

// States returns all states, in their order.
func States() []State {
	return []State{Exploration, Semantic, Verification, Impact, Ready, PreCommit}
}

// Intent is the purpose of a task.
type Intent string

// The intents.
const (
	Implement   Intent = "IMPLEMENT"
	Modify      Intent = "MODIFY"
	Investigate Intent = "INVESTIGATE"
	Question    Intent = "QUESTION"
)

// Intents returns all intents.
func Intents() []Intent { return []Intent{Implement, Modify, Investigate, Question} }

// Writes reports whether a task of this intent changes files.
func (i Intent) Writes() bool { return i == Implement || i == Modify }

// Tool is a tool of a guarded task, by its name. table.go lists them all.
type Tool string

// Level determines the amount of evidence that a task requires.
type Level string

// The levels. Auto requires evidence only where a change is risky according to the index. Full requires fixed numbers of claims
// for every change.
const (
	Auto Level = "auto"
	Full Level = "full"
)

// Levels returns all levels.
func Levels() []Level { return []Level{Auto, Full} }

// Risk tells how much of a request is left open.
type Risk string

// The risks.
const (
	Low    Risk = "LOW"
	Medium Risk = "MEDIUM"
	High   Risk = "HIGH"
)

// Policy holds the limits of the guard that a user can set.
type Policy struct {
	// MaxDependents is the highest number of files that may depend on a target before level Auto requires an impact analysis.
	MaxDependents int
	// MaxVerify is the number of files of an analysis for which an answer is required: those most likely to break. The others are only
	// named.
	MaxVerify int
	// MaxFailed is the number of failed verifications after which an agent is asked to step back.
	MaxFailed int
}

// DefaultPolicy returns the policy that applies unless a user sets another.
func DefaultPolicy() Policy { return Policy{MaxDependents: 10, MaxVerify: 20, MaxFailed: 3} }

// Task is one guarded piece of work of an agent: its state, its targets and the evidence so far.
type Task struct {
	ID      string      `json:"id"`
	Session string      `json:"session,omitempty"` // id of the host's session, "" while none is bound
	Intent  Intent      `json:"intent"`
	Level   Level       `json:"level"`
	State   State       `json:"state"`
	Query   string      `json:"query"`
	Frame   frame.Frame `json:"frame,omitempty"` // nil until it is set
	Risk    Risk        `json:"risk"`

	Targets    []Target     `json:"targets,omitempty"`
	Claims     []Claim      `json:"claims,omitempty"`     // of the last understanding
	Hypotheses []Hypothesis `json:"hypotheses,omitempty"` // with their verdicts
	Relevance  []Relevance  `json:"relevance,omitempty"`
	Analysis   *Analysis    `json:"analysis,omitempty"`
	Explored   []string     `json:"explored,omitempty"` // files beside the targets that may be written
	Missing    []Kind       `json:"missing,omitempty"`  // evidence that the last understanding lacked
	// Permits are the keys of the targets that were allowed to be written, whole files as PATH: alone.
	Permits []string `json:"permits,omitempty"`
	// Start is how the tree was when the task began.
	Start Start `json:"start,omitzero"`
	// Reviewed are the changes that a review has shown, by their paths. Final is the commit up to which the branch of the work tree was
	// made of reviewed changes.
	Reviewed map[string]Reviewed `json:"reviewed,omitempty"`
	Final    string              `json:"final,omitempty"`
	Kept     []string            `json:"kept,omitempty"` // the paths that were committed
	// Before are fingerprints of files that were allowed to be written as they were then, where there is no git to compare with.
	Before map[string]string `json:"before,omitempty"`
	// Unpermitted lists files that changed without permission, by commands that no hook could stop.
	Unpermitted []string `json:"unruly,omitempty"`

	Failed  int       `json:"failed,omitempty"` // failed verifications since the last step back
	AskedAt int       `json:"asked_at,omitempty"`
	Asking  bool      `json:"asking,omitempty"`  // the user has to decide how to go on
	Overlay bool      `json:"overlay,omitempty"` // the changes are made in a work tree of their own
	Root    string    `json:"root,omitempty"`    // root of the project in that work tree, once it exists
	Outcome string    `json:"outcome,omitempty"`
	History []Step    `json:"history,omitempty"`
	Began   time.Time `json:"began"`
	Ended   time.Time `json:"ended,omitzero"`

	// Looks are stored beside the task, because there are many and hooks add to them.
	Looks []task.ReadPart `json:"-"`

	asked []Target // the targets of the request that is judged; lines that were printed for one count, too
}

// Start is how the tree of a project was when a task began.
type Start struct {
	// Head is the commit that was checked out, "" without git, and Dirty has the fingerprints of the files that had changes, of a task that
	// writes in this tree. If ManyNew is set, those that git did not know are not among them, because there were too many.
	Head    string            `json:"head,omitempty"`
	Dirty   map[string]string `json:"dirty,omitempty"`
	ManyNew bool              `json:"many_new,omitempty"`
	// Rules is a fingerprint of the rules outside of the tree by which git ignores files.
	Rules string `json:"rules,omitempty"`
	// LeftOut is a fingerprint of what the index left out. Hidden are the files and folders among it that Head has.
	LeftOut string   `json:"left_out,omitempty"`
	Hidden  []string `json:"hidden,omitempty"`
}

// Reviewed is a change that a review has shown.
type Reviewed struct {
	ID   string `json:"id"`             // of the file before and after
	Left int    `json:"left,omitempty"` // lines of its differences that no answer has shown yet
	// Confirm are reasons to ask for the change by its name before it is kept.
	Confirm []string `json:"confirm,omitempty"`
}

// Step is an entry of a task's history: a change of its state.
type Step struct {
	From State     `json:"from"`
	To   State     `json:"to"`
	By   Tool      `json:"by"`
	At   time.Time `json:"at"`
}

// Place is the position of a declaration in a file.
type Place struct {
	Path   string `json:"path"`
	Symbol string `json:"symbol,omitempty"`
	Line   int    `json:"line,omitempty"`
}

// Caller is a file that uses a target, with the lines of the uses that have to be read: one of each form. Alike is the number of the other
// lines, on which it is used in the same way.
type Caller struct {
	Path  string `json:"path"`
	Lines []int  `json:"lines,omitempty"`
	Alike int    `json:"alike,omitempty"`
	// In are the functions and other declarations around all uses, Outside for uses outside of all; nil if they are not known.
	In []string `json:"in,omitempty"`
}

// Outside stands for the lines of a file that are in no declaration, where leave is given for declarations.
const Outside = "(outside)"

// Target is a file, or a declaration in one, that a task is going to change, with the facts that the index has of it.
type Target struct {
	Name   string `json:"name"` // as the agent wrote it
	Path   string `json:"path"`
	Symbol string `json:"symbol,omitempty"` // "" for the whole file
	New    bool   `json:"new,omitempty"`    // there is no such file yet
	// Unindexed is set if the index does not have the file, so that its dependents are unknown.
	Unindexed bool `json:"unindexed,omitempty"`
	// Candidates are the declarations that the name may refer to, if there are several.
	Candidates []Place `json:"candidates,omitempty"`
	// Callers are the other files that use it, those most likely to break first; tests are in Tests.
	Callers    []Caller `json:"callers,omitempty"`
	Tests      []string `json:"tests,omitempty"`
	Dependents int      `json:"dependents,omitempty"` // files that depend on it directly
	More       bool     `json:"-"`                    // there may be more of them
	// Isolated is set if no indexed reference or import enters or leaves it.
	Isolated bool `json:"isolated,omitempty"`
	// Changed are the declarations that a write changes, if Compared is set.
	Changed  []Change `json:"-"`
	Compared bool     `json:"-"`
	// Uncovered is the reason why no task gives leave to write it: it belongs to git, to ken or to the agent, is out of the project, or is
	// another name of a file. It is "" if one may.
	Uncovered string `json:"-"`
}

// Change is a declaration that a write changes.
type Change struct {
	Name   string   // qualified; "" for lines outside of all declarations
	Around []string // the declarations within whose lines it is
}

// Within reports whether the change is one of some declarations, or in one.
func (c *Change) Within(symbols []string) bool {
	in := func(name string) bool { return slices.Contains(symbols, name) }
	return in(cmp.Or(c.Name, Outside)) || slices.ContainsFunc(c.Around, in)
}

// Key identifies a target: two targets with the same key are the same file or declaration.
func (t *Target) Key() string { return t.Path + ":" + t.Symbol }

// hasNoDependents reports whether no file that the index knows can break if the target changes.
func (t *Target) hasNoDependents() bool { return t.Isolated || t.New || t.Unindexed }

// Kind is a kind of evidence. A requirement asks for a number of claims of a kind.
type Kind string

// The kinds of evidence.
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

// Claim is one thing that an agent claims to have understood, with the facts that the index has of it.
type Claim struct {
	Kind   Kind   `json:"kind"`
	Name   string `json:"name"`           // as the agent wrote it
	Text   string `json:"text,omitempty"` // description of a pattern
	Path   string `json:"path,omitempty"` // "" if it does not exist
	Symbol string `json:"symbol,omitempty"`
	First  int    `json:"first,omitempty"` // first and last line of its declaration
	Last   int    `json:"last,omitempty"`
	// Several is set if the name alone refers to more than one declaration.
	Several bool `json:"several,omitempty"`
	// Tied is set if a reference or import ties it to a target, or if it is inside one.
	Tied bool `json:"tied,omitempty"`
	// Entry is set if it leads into a target: it uses one, or is an exported or first declaration of one.
	Entry bool `json:"entry,omitempty"`
	// Linked are the names of listed symbols that an entry point is, or refers to.
	Linked []string `json:"linked,omitempty"`
}

// Exists reports whether the index has the file or declaration that a claim names.
func (c *Claim) Exists() bool { return c.Path != "" }

// Counts holds a number of claims for each kind of evidence.
type Counts struct {
	Symbols, EntryPoints, Files, Patterns int
}

// CountOfKind returns the number of claims of a kind, 0 for a kind without a count.
func (c Counts) CountOfKind(k Kind) int {
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

// Hypothesis is an assumption of an agent. It has to be verified before the agent may write.
type Hypothesis struct {
	Text     string  `json:"text"`
	Status   Verdict `json:"status,omitempty"` // "" while it is open
	Evidence string  `json:"evidence,omitempty"`
}

// Verdict is the result of verifying a hypothesis.
type Verdict string

// The verdicts.
const (
	Confirmed Verdict = "confirmed"
	Rejected  Verdict = "rejected"
)

// RelevanceTier grades how relevant a symbol is to the feature that a request is about.
type RelevanceTier string

// The tiers.
const (
	TierFact     RelevanceTier = "FACT"
	TierRisk     RelevanceTier = "RISK"
	TierRejected RelevanceTier = "REJECTED"
)

// Relevance is the tier of one symbol.
type Relevance struct {
	Symbol    string        `json:"symbol"` // PATH:NAME
	Tier      RelevanceTier `json:"tier"`
	Score     float64       `json:"score"`
	Confirmed bool          `json:"confirmed,omitempty"` // by evidence in the code
}

// Analysis is the impact of a change: the files and documents that it may break, with the agent's answer about each.
type Analysis struct {
	Targets  []string     `json:"targets"` // keys
	Must     []Caller     `json:"must_verify,omitempty"`
	Should   []string     `json:"should_verify,omitempty"`
	Left     int          `json:"left,omitempty"` // files that use the targets beyond Policy.MaxVerify
	Statuses []FileStatus `json:"verified_files,omitempty"`
	Done     bool         `json:"done,omitempty"`
	// Was is a fingerprint of each file that will be modified, by its path, taken when the agent announced that.
	Was map[string]string `json:"was,omitempty"`
	// Documents describe the targets. DocumentsLeft counts those that exceed Policy.MaxVerify.
	Documents     []Document `json:"confirmation_required,omitempty"`
	DocumentsLeft int        `json:"documents_left,omitempty"`
}

// Document is a document that describes targets. The agent has to read it, and to answer whether it will update it.
type Document struct {
	Path  string   `json:"file"`
	Lines []int    `json:"lines"` // that describe the targets
	Names []string `json:"names"`
}

// FileStatus is an agent's answer about a file that a change may break.
type FileStatus struct {
	Path   string `json:"file"`
	Status Status `json:"status"`
	Reason string `json:"reason,omitempty"`
}

// Status tells whether the agent will modify a file, or why the file needs no change.
type Status string

// The statuses.
const (
	WillModify  Status = "will_modify"
	NoChange    Status = "no_change_needed"
	NotAffected Status = "not_affected"
)
