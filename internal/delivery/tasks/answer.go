package tasks

import (
	"fmt"
	"strconv"
	"strings"

	"ken/internal/code"
	"ken/internal/delivery/tasks/inspect"
	"ken/internal/guard"
	"ken/internal/guard/frame"
	"ken/internal/operation"
)

// answer is the answer of every operation of the flow: whether the call was let through, the state of the task, and the next step.
type answer struct {
	Revision code.Rev `json:"revision" doc:"state of the index the answer was computed from"`
	Task     string   `json:"task_id" doc:"id of the task; the others take it as task"`
	Allowed  bool     `json:"allowed" doc:"the call was let through"`
	Error    string   `json:"error,omitempty" doc:"phase_blocked: the state does not allow it; evidence_missing: something is not shown yet; not_covered: no task gives leave for it; overlay_refused: the work tree cannot be made or used; frame_refused: a quote or value is wrong; not_found: a name means nothing that the index has"`
	Message  string   `json:"message,omitempty" doc:"why, where missing_items does not have it"`
	State    string   `json:"current_phase" doc:"EXPLORATION, SEMANTIC, VERIFICATION, IMPACT_ANALYSIS, READY or PRE_COMMIT"`
	Hint     string   `json:"hint,omitempty" doc:"the cheapest way forward"`
	Tools    []string `json:"allowed_tools" doc:"what may be called now, reading left out in text"`

	Rating       string       `json:"rating,omitempty" doc:"of an understanding: high or low"`
	Missing      []missingRow `json:"missing_items,omitempty" doc:"evidence that is demanded and not there"`
	Inconsistent []string     `json:"inconsistencies,omitempty" doc:"what cannot be true of what was submitted"`
	Unjudged     []string     `json:"unjudged_items,omitempty" doc:"what ken cannot judge and takes as it is"`
	Warnings     []string     `json:"warnings,omitempty" doc:"what is to be known"`
	Intervention string       `json:"intervention,omitempty" doc:"step_back or ask_user, after verifications failed"`
	Prompt       string       `json:"prompt,omitempty" doc:"of an intervention, for the agent"`

	Intent     string        `json:"intent,omitempty" doc:"IMPLEMENT, MODIFY, INVESTIGATE or QUESTION"`
	Level      string        `json:"gate_level,omitempty" doc:"auto or full"`
	Risk       string        `json:"risk_level,omitempty" doc:"LOW, MEDIUM or HIGH"`
	Query      string        `json:"query,omitempty" doc:"what was asked for"`
	Root       string        `json:"edit_root,omitempty" doc:"folder of the task's work tree: edit below it, nowhere else"`
	Commit     string        `json:"commit,omitempty" doc:"that was made"`
	Changes    []inspect.Row `json:"changes,omitempty" doc:"of review_changes: every changed file"`
	Session    string        `json:"session_id,omitempty" doc:"session of the host that is bound to the task"`
	Slots      []slotRow     `json:"slots,omitempty" doc:"the query frame"`
	Guidance   []stepRow     `json:"investigation_steps,omitempty" doc:"how what is not known is found out"`
	Targets    []targetRow   `json:"targets,omitempty" paths:"yes" doc:"what shall change, with what the index says of it"`
	Likely     []likelyRow   `json:"likely_targets,omitempty" paths:"yes" doc:"of start_session: what the request is most likely about, at most 3"`
	Hypotheses []string      `json:"hypotheses,omitempty" doc:"those that nobody has verified"`
	Must       []placeRow    `json:"must_verify,omitempty" doc:"files that use the targets: each needs a status"`
	Confirm    []placeRow    `json:"confirmation_required,omitempty" doc:"documents that describe the targets: each has to be read and needs a status"`
	Should     []placeRow    `json:"should_verify,omitempty" doc:"tests, files and documents that may have to change, too"`
	Left       int           `json:"must_left,omitempty" doc:"further files that use the targets, of which no word is demanded"`
	Relevance  []symbolRow   `json:"symbols,omitempty" doc:"symbols with how far they go with the feature"`
	Read       int           `json:"files_read,omitempty" doc:"files of which text was seen in the task"`
	Context    []contextRow  `json:"essential_context,omitempty" doc:"rules and design documents in short"`
	Renew      []string      `json:"context_update_required,omitempty" doc:"documents that changed since their summary was written"`
	Proposals  []string      `json:"proposals,omitempty" doc:"agreements that could be kept of what was confirmed"`
	Unruly     []string      `json:"changed_without_leave,omitempty" doc:"files that changed without leave"`
}

type missingRow struct {
	Kind   string   `json:"kind" doc:"symbols, entry_points, files, patterns, slots, tools, targets, callers, dependents, ambiguity, hypotheses, verified_files, documents, semantic_reason or changed_without_leave"`
	Have   int      `json:"have" doc:"how many there are"`
	Need   int      `json:"need" doc:"how many are demanded"`
	What   string   `json:"what" doc:"what is missing"`
	Next   string   `json:"next" doc:"how it is got"`
	Places []string `json:"places,omitempty" doc:"what has to be looked at"`
}

type slotRow struct {
	Slot   string `json:"slot" doc:"target_feature, trigger_condition, observed_issue or desired_action"`
	Value  string `json:"value,omitempty" doc:"what it is"`
	Quote  string `json:"quote,omitempty" doc:"the words of the prompt that say so"`
	Source string `json:"source" doc:"FACT, HYPOTHESIS or UNRESOLVED"`
	Basis  string `json:"basis,omitempty" doc:"prompt; evidence; or text given by the agent, unverified"`
}

type stepRow struct {
	Slot  string   `json:"slot" doc:"slot that is not known"`
	Tools []string `json:"tools" doc:"what finds it out, the cheapest first"`
	How   string   `json:"how" doc:"what to do"`
}

type targetRow struct {
	Path       operation.Path `json:"path" doc:"file; empty if the name means several declarations"`
	Name       string         `json:"name" doc:"as it was given"`
	Symbol     string         `json:"symbol,omitempty" doc:"declaration in it"`
	New        bool           `json:"new,omitempty" doc:"there is no such file yet"`
	Isolated   bool           `json:"isolated,omitempty" doc:"no indexed reference or import enters or leaves it"`
	Unindexed  bool           `json:"unindexed,omitempty" doc:"the index does not have it, so that nothing is known of it"`
	Dependents int            `json:"dependents" doc:"files that depend on it directly"`
	Callers    []placeRow     `json:"callers,omitempty" doc:"files outside of tests that use it"`
}

type placeRow struct {
	Path   operation.Path `json:"file" doc:"file"`
	Lines  []int          `json:"lines,omitempty" doc:"where to look, one line of each form of use; left out: the whole file"`
	Texts  []string       `json:"line_texts,omitempty" doc:"these lines, secrets masked; left out of lines that were read"`
	Alike  int            `json:"alike,omitempty" doc:"further lines that use it in the same way"`
	Reason string         `json:"reason,omitempty" doc:"why it is listed"`
	Seen   bool           `json:"seen,omitempty" doc:"these lines were read in the task"`
}

type symbolRow struct {
	Name   string  `json:"name" doc:"PATH:NAME"`
	Tier   string  `json:"tier" doc:"FACT, RISK or REJECTED"`
	Score  float64 `json:"score" doc:"how far it goes with the feature, compares within one answer"`
	Reason string  `json:"reason,omitempty" doc:"why"`
}

type contextRow struct {
	Path operation.Path `json:"file" doc:"document"`
	Text string         `json:"summary" doc:"what it says in short"`
}

// setDecision sets the fields that a decision of the guard determines.
func (a *answer) setDecision(t *guard.Task, by guard.Tool, d *guard.Decision) {
	a.setTaskFields(t)
	a.Allowed, a.Error, a.Message, a.Hint = d.Allowed, d.Error, d.Message, d.Hint
	a.Rating, a.Inconsistent, a.Unjudged, a.Warnings = d.Rating, d.Inconsistent, d.Unjudged, d.Warnings
	a.Intervention, a.Prompt = d.Intervention, d.Prompt
	a.State, a.Tools = string(d.State), nil
	if len(d.Missing) > 0 {
		a.Message = ""
	}
	for _, m := range d.Missing {
		a.Missing = append(a.Missing, missingRow{string(m.Kind), m.Have, m.Need, m.What, m.Next, m.Places})
	}
	for _, n := range d.AllowedTools {
		a.Tools = append(a.Tools, string(n))
	}
	if a.Hint == "" && d.Allowed {
		a.Hint = nextStep(by)
	}
}

// nextStep returns the next step after a call that was let through, for calls whose decision names none.
func nextStep(by guard.Tool) string {
	switch by {
	case guard.AddExplored:
		return "these files may be written, too"
	case guard.StartSession:
		return "look up what is asked for"
	}
	return ""
}

// setTaskFields sets the fields that every answer about a task has.
func (a *answer) setTaskFields(t *guard.Task) {
	a.Task, a.State, a.Allowed, a.Root = t.ID, string(t.State), true, t.Root
	for _, n := range guard.AllowedTools(t) {
		a.Tools = append(a.Tools, string(n))
	}
}

// setAllFields sets everything that is known of a task.
func (a *answer) setAllFields(t *guard.Task) {
	a.setTaskFields(t)
	a.Intent, a.Level, a.Risk, a.Query, a.Session = string(t.Intent), string(t.Level), string(t.Risk), t.Query, t.Session
	if t.Frame != nil {
		a.setFrame(t.Frame)
	}
	for i := range t.Targets {
		a.Targets = append(a.Targets, newTargetRow(t, &t.Targets[i]))
	}
	for _, h := range t.Hypotheses {
		if h.Status == "" {
			a.Hypotheses = append(a.Hypotheses, h.Text)
		}
	}
	if t.Analysis != nil {
		a.setAnalysis(t)
	}
	a.Unruly = t.Unpermitted
	a.Read = t.FilesRead()
	if !t.Ended.IsZero() {
		a.Message = "the task has ended: " + t.Outcome
	}
}

func (a *answer) setFrame(f frame.Frame) {
	for _, s := range f {
		a.Slots = append(a.Slots, slotRow{string(s.Slot), s.Value, s.Quote, string(s.Source), string(s.Basis)})
	}
	for _, g := range f.Guidance() {
		a.Guidance = append(a.Guidance, stepRow{string(g.Slot), g.Tools, g.How})
	}
}

// setAnalysis sets the files and documents of the task's analysis, each with whether it was read. It keeps the list of files to verify
// if the answer has one already.
func (a *answer) setAnalysis(t *guard.Task) {
	a.Left = t.Analysis.Left
	for _, c := range t.Analysis.Must {
		a.Must = append(a.Must, placeRow{Path: operation.Path(c.Path), Lines: c.Lines, Alike: c.Alike, Seen: t.ReadCaller(&c), Reason: "uses a target"})
	}
	for i := range t.Analysis.Documents {
		d := &t.Analysis.Documents[i]
		about := "describes " + strings.Join(d.Names, ", ")
		a.Confirm = append(a.Confirm, placeRow{Path: operation.Path(d.Path), Lines: d.Lines, Seen: t.ReadDocument(d), Reason: about})
	}
	if len(a.Should) == 0 {
		for _, s := range t.Analysis.Should {
			a.Should = append(a.Should, placeRow{Path: operation.Path(s)})
		}
	}
}

// maxCallersShown is how many files that use a target an answer lists.
const maxCallersShown = 20

func newTargetRow(t *guard.Task, g *guard.Target) targetRow {
	r := targetRow{
		Path: operation.Path(g.Path), Name: g.Name, Symbol: g.Symbol,
		New: g.New, Isolated: g.Isolated, Unindexed: g.Unindexed, Dependents: g.Dependents,
	}
	for _, c := range g.Callers[:min(len(g.Callers), maxCallersShown)] {
		r.Callers = append(r.Callers, placeRow{Path: operation.Path(c.Path), Lines: c.Lines, Alike: c.Alike, Seen: t.ReadCaller(&c)})
	}
	return r
}

// isAlwaysAllowed reports whether a tool may be called in every state, so that answers need not list it.
func isAlwaysAllowed(name string) bool {
	g, ok := guard.LookupGate(guard.Tool(name))
	return ok && g.Ended
}

func text[In any](t *operation.Text, _ *In, a *answer) error {
	switch {
	case a.Allowed:
		t.Line("%s  task %s", t.Bold(a.State), a.Task)
	default:
		t.Line("%s  %s  task %s", t.Bold(a.Error), a.State, a.Task)
	}
	if a.Message != "" {
		t.Paragraph("", a.Message)
	}
	if a.Root != "" {
		t.Line("edit below: %s", a.Root)
	}
	writeTask(t, a)
	if a.Rating != "" {
		t.Line("understanding: %s", a.Rating)
	}
	for _, m := range a.Missing {
		t.Line("missing: %s", m.What)
		if m.Next != a.Hint {
			t.Line("  next: %s", m.Next)
		}
	}
	writeList(t, "inconsistent: ", a.Inconsistent)
	writeList(t, "note: ", a.Warnings)
	writeList(t, "not judged: ", a.Unjudged)
	writePlaces(t, a)
	for _, c := range a.Changes {
		marks := c.Opaque
		if c.Outside {
			marks += " (no target)"
		}
		t.Line("%s  %s  %s %s", t.Bold(string(c.Path)), c.Kind, c.ID, marks)
		c.WriteFindings(t)
		t.Paragraph("    ", c.Patch)
	}
	if a.Commit != "" {
		t.Line("commit %s", a.Commit)
	}
	writeList(t, "could be agreed on: ", a.Proposals)
	if a.Prompt != "" {
		t.Line("%s: %s", t.Bold(a.Intervention), a.Prompt)
	}
	if a.Hint != "" {
		t.Line("next: %s", a.Hint)
	}
	if a.Error == guard.EvidenceMissing { // what is next is named, and enough
		return nil
	}
	var allowed []string
	for _, n := range a.Tools {
		if !isAlwaysAllowed(n) {
			allowed = append(allowed, n)
		}
	}
	if len(allowed) == 0 { // the task has ended
		t.Line("allowed: reading; start_session begins a task")
		return nil
	}
	t.Line("allowed: %s; reading always is", strings.Join(allowed, ", "))
	return nil
}

func writeList(t *operation.Text, before string, list []string) {
	for _, s := range list {
		t.Line("%s%s", operation.Styled(before), s)
	}
}

// writeTask writes the state of a task.
func writeTask(t *operation.Text, a *answer) {
	if a.Intent != "" {
		t.Line("%s, level %s, risk %s: %s", a.Intent, a.Level, a.Risk, clipLine(a.Query, 200))
	}
	for _, s := range a.Slots {
		basis := ""
		if s.Basis != "" {
			basis = " (" + s.Basis + ")"
		}
		t.Line("  %s  %s  %s%s", s.Slot, s.Source, s.Value, basis)
	}
	for _, s := range a.Guidance {
		t.Line("  find out %s: %s (%s)", s.Slot, s.How, s.Tools)
	}
	for _, g := range a.Targets {
		t.Line("  target %s%s  %s", g.Name, relationKind(&g), operation.Plural(g.Dependents, "dependent"))
	}
	writeList(t, "  to verify: ", a.Hypotheses)
	for i := range a.Likely {
		a.Likely[i].show(t)
	}
	for _, c := range a.Context {
		t.Line("  %s: %s", c.Path, clipLine(c.Text, 300))
	}
	writeList(t, "  summary to be written again: ", a.Renew)
	writeList(t, "  changed without leave: ", a.Unruly)
}

func relationKind(g *targetRow) string {
	switch {
	case g.New:
		return " (new)"
	case g.Isolated:
		return " (nothing is tied to it)"
	case g.Unindexed:
		return " (not indexed)"
	case g.Path == "":
		return " (means several declarations)"
	}
	return ""
}

// maxShould is the number of files of which a look is only advised that a text lists.
const maxShould = 8

// writePlaces writes the places that have to be looked at.
func writePlaces(t *operation.Text, a *answer) {
	for i := range a.Must {
		writePlace(t, "must be verified: ", &a.Must[i], "")
	}
	if a.Left > 0 {
		t.Line("%s more use the targets; of these no word is demanded", operation.Plural(a.Left, "file"))
	}
	for i := range a.Confirm {
		writePlace(t, "must be confirmed: ", &a.Confirm[i], "  "+a.Confirm[i].Reason)
	}
	for _, p := range a.Should[:min(len(a.Should), maxShould)] {
		t.Line("should be verified: %s  %s", p.Path, p.Reason)
	}
	if n := len(a.Should) - maxShould; n > 0 {
		t.Line("should be verified: %s more (structured: true lists them)", operation.Plural(n, "file"))
	}
	for _, y := range a.Relevance {
		t.Line("%s  %s  %.2f  %s", t.Bold(y.Tier), y.Name, y.Score, y.Reason)
	}
}

// writePlace writes a file with its lines: each with its text, as far as that is not known to the reader.
func writePlace(t *operation.Text, before string, p *placeRow, about string) {
	if p.Alike > 0 {
		about += fmt.Sprintf("  (%d more like it)", p.Alike)
	}
	if len(p.Texts) == 0 {
		seen := ""
		if p.Seen {
			seen = "  (read)"
		}
		t.Line("%s%s%s%s", before, operation.Styled(lineList(operation.Escape(string(p.Path)), p.Lines)), operation.Styled(about), operation.Styled(seen))
		return
	}
	t.Line("%s%s%s", before, p.Path, operation.Styled(about))
	for i := range p.Texts {
		t.Line("%s", operation.Styled(p.shownLine(i)))
	}
}

// shownLine returns a line of a place as a text shows it.
func (p *placeRow) shownLine(i int) string {
	return fmt.Sprintf("  %s:%d  %s", operation.Escape(string(p.Path)), p.Lines[i], operation.EscapeLine(p.Texts[i]))
}

// lineList returns lines of a file as a place, as in "a.go:3,7".
func lineList(path string, lines []int) string {
	for i, l := range lines {
		path += ":,"[min(i, 1):][:1] + strconv.Itoa(l)
	}
	return path
}

// clipLine returns a text on one line, cut after most bytes.
func clipLine(s string, most int) string {
	return code.Cut(strings.Join(strings.Fields(s), " "), most)
}
