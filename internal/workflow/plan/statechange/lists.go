package statechange

import (
	"errors"
	"io/fs"
	"strings"

	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/state"
)

// The names of the sections that contain lists. Two templates of STATE.md name them differently.
var (
	decisionSections = [...]string{"Decisions", "Decisions Made", "Accumulated Decisions"}
	blockerSections  = [...]string{"Blockers/Concerns", "Blockers", "Concerns", "Blockers & Concerns"}
)

// DecidedAnswer is a recorded decision.
type DecidedAnswer struct {
	Added    bool   `json:"added"`
	Decision string `json:"decision,omitempty"`
	Reason   string `json:"reason,omitempty"`
	DerivedKeys
}

// BlockerAnswer is a recorded blocker, a problem that stops the work.
type BlockerAnswer struct {
	Added   bool   `json:"added"`
	Blocker string `json:"blocker,omitempty"`
	Reason  string `json:"reason,omitempty"`
	DerivedKeys
}

// ResolvedBlockers are blockers that were removed because they are resolved.
type ResolvedBlockers struct {
	Resolved bool     `json:"resolved"`
	Blocker  string   `json:"blocker,omitempty"`
	Removed  []string `json:"removed"`
	Reason   string   `json:"reason,omitempty"`
	Near     []string `json:"near,omitempty"`
	DerivedKeys
}

// RecordedMetric is a recorded metric of a plan, such as its duration.
type RecordedMetric struct {
	Recorded bool   `json:"recorded"`
	Phase    string `json:"phase,omitempty"`
	Plan     string `json:"plan,omitempty"`
	Duration string `json:"duration,omitempty"`
	Reason   string `json:"reason,omitempty"`
	DerivedKeys
}

type stateAddDecisionInput struct {
	Summary       string `flag:"summary" help:"what was decided"`
	SummaryFile   string `flag:"summary-file" help:"a file that has it, from the root of the project"`
	Phase         string `flag:"phase" help:"the phase it belongs to; else the current one"`
	Rationale     string `flag:"rationale" help:"why"`
	RationaleFile string `flag:"rationale-file" help:"a file that has it, from the root of the project"`
}

type stateAddBlockerInput struct {
	Text     string `flag:"text" help:"what blocks"`
	TextFile string `flag:"text-file" help:"a file that has it, from the root of the project"`
}

type textInput struct {
	Text string `flag:"text" required:"yes" help:"a part of the blocker, letters compared without case"`
}

type stateRecordMetricInput struct {
	Phase    string `flag:"phase" required:"yes" help:"the number of the phase"`
	Plan     string `flag:"plan" required:"yes" help:"the number of the plan"`
	Duration string `flag:"duration" required:"yes" help:"how long: 12min"`
	Tasks    string `flag:"tasks" help:"how many tasks it had"`
	Files    string `flag:"files" help:"how many files were changed"`
}

func listOperations() []*planop.Operation {
	decide := changeOperation(planop.Spec[stateAddDecisionInput, *DecidedAnswer]{
		Name: "state add-decision", Summary: "write a decision down", Plain: func(a *DecidedAnswer) string { return trueOrFalse(a.Added) },
	}, false, (*stateJob).addDecision)
	block := changeOperation(planop.Spec[stateAddBlockerInput, *BlockerAnswer]{
		Name: "state add-blocker", Summary: "write down what blocks the work", Plain: func(a *BlockerAnswer) string { return trueOrFalse(a.Added) },
	}, false, (*stateJob).addBlocker)
	resolve := changeOperation(planop.Spec[textInput, *ResolvedBlockers]{
		Name: "state resolve-blocker", Summary: "take blockers out that have a text",
		Plain: func(a *ResolvedBlockers) string { return trueOrFalse(a.Resolved) },
	}, false, (*stateJob).resolveBlockers)
	metric := changeOperation(planop.Spec[stateRecordMetricInput, *RecordedMetric]{
		Name: "state record-metric", Summary: "write down how long a plan took",
		Plain: func(a *RecordedMetric) string { return trueOrFalse(a.Recorded) },
	}, false, (*stateJob).recordMetric)
	return []*planop.Operation{decide, block, resolve, metric}
}

// givenText returns the given text, or the text of the file name, in one line.
func (j *stateJob) givenText(given, name string) (string, error) {
	if name == "" {
		return oneLine(given), nil
	}
	text, err := j.ProjectText(name)
	if errors.Is(err, fs.ErrNotExist) {
		err = planop.Faultf("file_not_found", "%s: %s", shorten(name), "there is no such file")
	}
	return oneLine(text), err
}

func (j *stateJob) addDecision(in *stateAddDecisionInput) (*DecidedAnswer, error) {
	summary, err := j.givenText(in.Summary, in.SummaryFile)
	if err != nil {
		return nil, err
	}
	rationale, err := j.givenText(in.Rationale, in.RationaleFile)
	if err != nil {
		return nil, err
	}
	if summary == "" {
		return nil, planop.Usagef("no decision: give it with --summary or --summary-file")
	}
	phase := oneLine(in.Phase)
	if phase == "" {
		phase = "?"
		if at := j.sheet.State.Position().Phase; !at.IsNone() {
			phase = at.String()
		}
	}
	entry := "[Phase " + phase + "]: " + summary
	if rationale != "" {
		entry += " — " + rationale
	}
	h, ok := j.sheet.State.Heading(decisionSections[:]...)
	if !ok {
		return &DecidedAnswer{Reason: "Decisions section not found in STATE.md"}, nil
	}
	if row, ok := j.addDecisionRow(h, phase, summary, rationale); ok {
		j.sheet.Edit(row, nil)
	} else {
		j.sheet.AddEntry(h, "- "+entry)
	}
	return &DecidedAnswer{Added: true, Decision: "- " + entry}, nil
}

// addDecisionRow returns the edits that add a row to the table of decisions. It returns false if the section has no table of three columns.
func (j *stateJob) addDecisionRow(h document.Heading, cells ...string) ([]edit.Edit, bool) {
	d := j.sheet.State.Doc
	tables := d.Tables(d.OwnLines(h))
	if len(tables) == 0 || len(tables[0].Head.Cells) != len(cells) {
		return nil, false
	}
	for i, c := range cells {
		if cells[i] = strings.ReplaceAll(c, "|", "\\|"); c == "" {
			cells[i] = "—"
		}
	}
	return j.sheet.RowEdits(tables[0], "| "+strings.Join(cells, " | ")+" |"), true
}

func (j *stateJob) addBlocker(in *stateAddBlockerInput) (*BlockerAnswer, error) {
	text, err := j.givenText(in.Text, in.TextFile)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, planop.Usagef("no blocker: give it with --text or --text-file")
	}
	h, ok := j.sheet.State.Heading(blockerSections[:]...)
	if !ok {
		return &BlockerAnswer{Reason: "Blockers section not found in STATE.md"}, nil
	}
	j.sheet.AddEntry(h, "- "+text)
	return &BlockerAnswer{Added: true, Blocker: text}, nil
}

func (j *stateJob) resolveBlockers(in *textInput) (*ResolvedBlockers, error) {
	text := oneLine(in.Text)
	if text == "" {
		return nil, planop.Usagef("--text is missing")
	}
	h, ok := j.sheet.State.Heading(blockerSections[:]...)
	if !ok {
		return &ResolvedBlockers{Removed: []string{}, Reason: "Blockers section not found in STATE.md"}, nil
	}
	out := &ResolvedBlockers{Blocker: text, Removed: []string{}}
	d := j.sheet.State.Doc
	r := d.OwnLines(h)
	var edits []edit.Edit
	left := 0
	for _, it := range d.Items(r) {
		entry := it.Text.Text(d.Text())
		switch {
		case it.Indent > 0 || state.IsNone(entry):
		case strings.Contains(strings.ToLower(oneLine(entry)), strings.ToLower(text)):
			out.Removed = append(out.Removed, entry)
			edits = append(edits, edit.Edit{Span: d.BytesOf(entryLines(d, it, r))})
		default:
			left++
			out.Near = append(out.Near, entry)
		}
	}
	if len(edits) == 0 {
		out.Reason = "no blocker has this text"
		return out, nil
	}
	if left == 0 {
		edits[len(edits)-1].New = "None" + d.Newline()
	}
	out.Resolved, out.Near = true, nil
	j.sheet.Edit(edits, nil)
	return out, nil
}

// entryLines returns the lines of a list item: the line with its marker, and the indented lines below it.
func entryLines(d *document.Document, it document.Item, within document.Range) document.Range {
	end := it.Line + 1
	for end < within.To && strings.TrimSpace(d.Line(end)) != "" && strings.IndexAny(d.Line(end), " \t") == 0 {
		end++
	}
	return document.Range{From: it.Line, To: end}
}

func (j *stateJob) recordMetric(in *stateRecordMetricInput) (*RecordedMetric, error) {
	out := &RecordedMetric{Phase: oneLine(in.Phase), Plan: oneLine(in.Plan), Duration: oneLine(in.Duration)}
	if out.Phase == "" || out.Plan == "" || out.Duration == "" {
		return nil, planop.Usagef("--phase, --plan and --duration are needed")
	}
	orDash := func(s string) string {
		if s = oneLine(s); s == "" {
			return "-"
		}
		return s
	}
	h, ok := j.sheet.State.Heading("Performance Metrics")
	tables := []document.Table(nil)
	if ok {
		tables = j.sheet.State.Doc.Tables(h.Section())
	}
	if len(tables) == 0 {
		return &RecordedMetric{Reason: "Performance Metrics section not found in STATE.md"}, nil
	}
	cells := []string{"Phase " + out.Phase + " P" + out.Plan, out.Duration, orDash(in.Tasks) + " tasks", orDash(in.Files) + " files"}
	for i := range cells {
		cells[i] = strings.ReplaceAll(cells[i], "|", "\\|")
	}
	out.Recorded = true
	j.sheet.Edit(j.sheet.RowEdits(tables[0], "| "+strings.Join(cells, " | ")+" |"), nil)
	return out, nil
}
