package checks

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/settings"
	"ken/internal/workflow/plan/state"
)

// gateAnswer has the obstacles that prevent a workflow from beginning, and warnings.
type gateAnswer struct {
	Passed   bool      `json:"passed"`
	Blockers []blocker `json:"blockers"`
	Warnings []warning `json:"warnings"`
}

// blocker is an obstacle that must be settled before a workflow begins.
type blocker struct {
	Gate     string   `json:"gate"`
	File     string   `json:"file"`
	Severity string   `json:"severity"`
	Items    []string `json:"anti_patterns"` // the open points, in the words of the file
}

// warning is an obstacle that does not prevent a workflow from beginning.
type warning struct {
	Gate    string   `json:"gate"`
	Phase   string   `json:"phase"`
	File    string   `json:"file"`
	Items   []string `json:"items"`
	Message string   `json:"message"`
}

// gateSearch collects the gates of a workflow: the obstacles that must be settled before it begins.
type gateSearch struct {
	*source
	workflow string
	set      *settings.Settings
	found    gateAnswer
}

func checkGates(ctx context.Context, from *source, in *checkGatesInput) (gateAnswer, error) {
	set, warnings, err := readSettings(from.call)
	if err != nil {
		return gateAnswer{}, err
	}
	l := &gateSearch{source: from, workflow: workflowName(in.Workflow), set: set}
	l.found = gateAnswer{Blockers: []blocker{}, Warnings: []warning{}}
	if len(warnings) > 0 {
		l.addWarning("config", "", configFile(from.folder), "keys that cannot be read have their defaults", warnings)
	}
	list := from.inv.Phases
	if in.Phase != nil {
		p, err := from.findPhase(*in.Phase)
		if err != nil {
			return gateAnswer{}, err
		}
		list = []*inventory.Phase{p}
		if err := l.checkFinished(ctx, p); err != nil {
			return gateAnswer{}, err
		}
	}
	if err := l.checkPauseNotes(list, in.Phase == nil); err != nil {
		return gateAnswer{}, err
	}
	l.checkState()
	l.checkWaitingQuestion()
	for _, p := range list {
		l.checkPhase(p)
	}
	l.found.Passed = len(l.found.Blockers) == 0
	return l.found, nil
}

// workflowName returns the name of a workflow without the prefixes that programs put before it.
func workflowName(s string) string {
	s = strings.TrimPrefix(strings.ToLower(s), "/")
	for _, prefix := range []string{"gsd:", "gsd-", "ken:", "ken-"} {
		s = strings.TrimPrefix(s, prefix)
	}
	return s
}

func (l *gateSearch) addBlocker(gate, file string, items ...string) {
	l.found.Blockers = append(l.found.Blockers, blocker{gate, file, "blocking", items})
}

func (l *gateSearch) addWarning(gate, phase, file, message string, items []string) {
	l.found.Warnings = append(l.found.Warnings, warning{gate, phase, file, append([]string{}, items...), message})
}

// readText returns the text of a file, and false if there is no such file. A file that cannot be read blocks the workflow, because the
// obstacles in it are unknown.
func (l *gateSearch) readText(gate, file string) (text string, ok bool) {
	text, err := l.read(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.addBlocker(gate, file, "it cannot be read: "+err.Error())
	}
	return text, err == nil
}

const continueName = ".continue-here.md"

// checkPauseNotes reads the notes that a pause leaves for those who continue the work. They are at the top of the planning folder, or
// in the folder of the work.
func (l *gateSearch) checkPauseNotes(list []*inventory.Phase, others bool) error {
	dirs := []string{".", folder.Name}
	if l.folder.Base != folder.Name {
		dirs = append(dirs, l.folder.Base)
	}
	for _, p := range list {
		if p.Dir != "" {
			dirs = append(dirs, p.Dir)
		}
	}
	for _, store := range []string{"spikes", "sketches"} {
		entries, err := l.folder.List(store)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if e.Dir && others {
				dirs = append(dirs, l.folder.Path(path.Join(store, e.Name)))
			}
		}
	}
	for _, dir := range dirs {
		file := path.Join(dir, continueName)
		text, ok := l.readText("continue-here", file)
		if !ok {
			continue
		}
		if items := pointsToExplain(document.Parse(text)); len(items) > 0 {
			l.addBlocker("continue-here", file, items...)
		} else {
			l.addWarning("continue-here", "", file, "work was paused here; read the file, or go on with resume-work", nil)
		}
	}
	return nil
}

// pointsToExplain returns the points in the notes of a pause that must be understood before work continues: patterns with blocking
// severity, and constraints that are not ticked.
func pointsToExplain(d *document.Document) (items []string) {
	if line := d.ConflictLine(); line > 0 {
		items = append(items, "line "+strconv.Itoa(line)+": there is an open merge conflict")
	}
	for _, t := range d.Tables(d.Body()) {
		severity, pattern := d.Column(t, "Severity"), d.Column(t, "Pattern")
		for _, row := range t.Rows {
			if severity >= 0 && strings.EqualFold(strings.Trim(d.Cell(row, severity), "*`_ "), "blocking") {
				items = append(items, d.Cell(row, max(pattern, 0)))
			}
		}
	}
	if h, ok := d.FindHeading(d.Body(), "Blocking Constraints"); ok {
		for _, it := range d.Items(h.Section()) {
			text := it.Text.Text(d.Text())
			if it.HasBox() && !d.IsChecked(it) && !strings.HasPrefix(text, "[") {
				items = append(items, text)
			}
		}
	}
	return items
}

// checkState blocks the workflow if STATE.md or ROADMAP.md has a merge conflict, or if the status in STATE.md is a failure.
func (l *gateSearch) checkState() {
	if r := l.inv.Roadmap; r != nil && r.Doc.ConflictLine() > 0 {
		l.addBlocker("unreadable", l.folder.Path("ROADMAP.md"), "it has an open merge conflict")
	}
	file := l.folder.Path("STATE.md")
	s := l.inv.State
	switch {
	case s == nil:
		l.readText("unreadable", file)
	case s.Doc.ConflictLine() > 0:
		l.addBlocker("unreadable", file, "it has an open merge conflict")
	default:
		if why := reportedFailure(s); why != "" {
			l.addBlocker("state-error", file, why)
		}
	}
}

// reportedFailure returns the failure that STATE.md reports, or "". It only reads the status and a section about failures, because other
// mentions may be about errors that were fixed.
func reportedFailure(s *state.State) string {
	text, _ := s.Status()
	for _, status := range []string{text, s.FrontValue("status")} {
		word, _, _ := strings.Cut(strings.ToLower(strings.Trim(status, "*` ")), " ")
		if word = strings.Trim(word, ":.,"); word == "error" || word == "failed" {
			return "the status is " + strconv.Quote(status)
		}
	}
	if h, ok := s.Doc.FindHeading(s.Doc.Body(), "Error", "Errors"); ok && h.Level <= 2 {
		if text := strings.TrimSpace(s.Doc.BytesOf(h.Section()).Text(s.Doc.Text())); text != "" && !state.IsNone(text) {
			return "there is a section " + strconv.Quote(h.Text.Text(s.Doc.Text()))
		}
	}
	return ""
}

// checkWaitingQuestion reports a question that waits for an answer of a person.
func (l *gateSearch) checkWaitingQuestion() {
	file := l.folder.Path("WAITING.json")
	text, err := l.read(file)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var signal struct{ Question, Phase string }
	if err != nil || json.Unmarshal([]byte(text), &signal) != nil {
		l.addWarning("waiting", "", file, "something waits for a person, and the file cannot be read", nil)
		return
	}
	l.addWarning("waiting", signal.Phase, file, "a question waits for a person", []string{signal.Question})
}

// checkPhase searches the files of a phase for obstacles.
func (l *gateSearch) checkPhase(p *inventory.Phase) {
	if p.Dir == "" {
		return
	}
	if l.workflow == "plan-phase" {
		l.checkResearchQuestions(p)
	}
	l.checkThreats(p)
	file, text, err := l.phaseFile(p, "VERIFICATION")
	if err != nil {
		return
	}
	v := artefact.ParseVerification(text)
	var items []string
	for _, g := range v.Gaps {
		items = append(items, strings.TrimSpace(g.Status+": "+g.Truth))
	}
	if n := countFailures(v.Doc); n > len(items) {
		items = append(items, strconv.Itoa(n)+" rows of tables say FAIL")
	}
	switch v.Status {
	case "gaps_found", "human_needed":
		items = append(items, "status: "+v.Status)
	}
	if len(items) > 0 {
		l.addWarning("verification-debt", p.ID.String(), file, "the verification of phase "+p.ID.String()+" left something open", items)
	}
}

// checkFinished blocks shipping and ending a phase that is not finished. Gsd-tools leaves that to other operations.
func (l *gateSearch) checkFinished(ctx context.Context, p *inventory.Phase) error {
	if l.call.Original || !l.isEnd() {
		return nil
	}
	list, _, err := l.unfinished(ctx, p)
	if err == nil && len(list) > 0 {
		l.addBlocker("unfinished", p.Dir, list...)
	}
	return err
}

// isEnd reports whether the workflow is one that ends or ships a phase.
func (l *gateSearch) isEnd() bool {
	return slices.Contains([]string{"ship", "transition", "complete-phase", "complete-milestone"}, l.workflow)
}

// checkResearchQuestions blocks the planning of a phase whose research left questions open.
func (l *gateSearch) checkResearchQuestions(p *inventory.Phase) {
	file, text, err := l.phaseFile(p, "RESEARCH")
	if err != nil {
		return
	}
	if open := openQuestions(document.Parse(text)); len(open) > 0 {
		l.addBlocker("research-open-questions", file, open...)
	}
}

// openQuestions returns the questions in a research document that are not marked as resolved.
func openQuestions(d *document.Document) (open []string) {
	for _, h := range d.Headings() {
		title := strings.TrimSpace(h.Text.Text(d.Text()))
		if !strings.HasPrefix(strings.ToLower(title), "open questions") || isSettled(title) {
			continue
		}
		for _, q := range questionsIn(d, h) {
			text := strings.TrimLeft(strings.TrimSpace(d.Line(q.From)), "# ")
			if it, ok := d.ItemAt(q.From); ok {
				text = it.Text.Text(d.Text())
			}
			if !isSettled(d.BytesOf(q).Text(d.Text())) && !state.IsNone(text) {
				open = append(open, text)
			}
		}
	}
	return open
}

// questionsIn returns the lines of each question below a heading. A question is a subordinate heading with its section, else a list item.
func questionsIn(d *document.Document, h document.Heading) (list []document.Range) {
	for _, sub := range d.HeadingsIn(h.Section()) {
		if sub.Level == h.Level+1 {
			list = append(list, document.Range{From: sub.Line, To: sub.End})
		}
	}
	if len(list) > 0 {
		return list
	}
	for _, it := range d.Items(h.Section()) {
		if it.Indent > 0 {
			continue
		}
		if n := len(list); n > 0 {
			list[n-1].To = it.Line
		}
		list = append(list, document.Range{From: it.Line, To: h.End})
	}
	return list
}

// isSettled reports whether a text is marked as resolved.
func isSettled(s string) bool {
	return strings.Contains(strings.ReplaceAll(strings.ToUpper(s), "UNRESOLVED", ""), "RESOLVED")
}

// checkThreats reports unanswered threats. They block ending or shipping a phase, but not the work that answers them.
func (l *gateSearch) checkThreats(p *inventory.Phase) {
	file, text, err := l.phaseFile(p, "SECURITY")
	if err != nil || !l.set.IsOn("workflow.security_enforcement") || l.set.Text("workflow.security_block_on") == "none" {
		return
	}
	open := document.Parse(text).FrontMatter().Get("threats_open").Text()
	if n, err := strconv.Atoi(open); err == nil && n == 0 {
		return
	}
	what := "threats_open is " + strconv.Quote(open) + "; it has to be 0"
	if l.isEnd() {
		l.addBlocker("security", file, what)
		return
	}
	l.addWarning("security", p.ID.String(), file, "threats of phase "+p.ID.String()+" are not answered", []string{what})
}

type checkGatesInput struct {
	Workflow string  `arg:"WORKFLOW" help:"what is to begin: plan-phase, execute-phase, ship"`
	Phase    *string `flag:"phase" help:"the phase that it is about; without it all of the milestone are looked at"`
}
