package checks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/git"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
)

// uncoveredDecision is a decision that no text mentions.
type uncoveredDecision struct {
	ID       string `json:"id"`
	Text     string `json:"text"`
	Category string `json:"category"`
}

// planCoverage reports whether the plans of a phase mention all decisions of its discussion. Missing ones block the next step,
// because a decision in no plan is not built.
type planCoverage struct {
	Passed    bool                `json:"passed"`
	Skipped   bool                `json:"skipped"`
	Reason    string              `json:"reason,omitempty"` // the reason why it was skipped
	Total     int                 `json:"total"`
	Covered   int                 `json:"covered"`
	Uncovered []uncoveredDecision `json:"uncovered"`
	Message   string              `json:"message"`
	Warnings  []string            `json:"warnings,omitempty"`
}

// resultCoverage reports whether the results of a phase mention its decisions. Missing ones block nothing, because code can follow a
// decision without naming it.
type resultCoverage struct {
	Skipped  bool                `json:"skipped"`
	Blocking bool                `json:"blocking"`
	Reason   string              `json:"reason,omitempty"`
	Total    int                 `json:"total"`
	Honored  int                 `json:"honored"`
	Missed   []uncoveredDecision `json:"not_honored"`
	Message  string              `json:"message"`
	Warnings []string            `json:"warnings,omitempty"`
}

// phaseWithDecisions is a phase with the decisions of its discussion.
type phaseWithDecisions struct {
	from  *source
	phase *inventory.Phase
	list  []artefact.Decision // the decisions that plans must mention
	skip  string              // the reason why there is nothing to check
}

func phaseDecisions(from *source, in *checkDecisionCoveragePlanInput) (*phaseWithDecisions, error) {
	p, err := from.promptPhase(in.Phase)
	if err != nil {
		return nil, err
	}
	set, err := from.call.Settings()
	if err != nil {
		return nil, err
	}
	d := &phaseWithDecisions{from: from, phase: p}
	if !set.IsOn("workflow.context_coverage_gate") {
		d.skip = "workflow.context_coverage_gate is false"
		return d, nil
	}
	text, err := from.contextText(p, in.Context)
	if errors.Is(err, fs.ErrNotExist) {
		d.skip = "CONTEXT.md missing"
		return d, nil
	}
	if err != nil {
		return nil, err
	}
	for _, one := range artefact.ParseDecisions(text) {
		if one.Tracked {
			d.list = append(d.list, one)
		}
	}
	if len(d.list) == 0 {
		d.skip = "no trackable decisions"
	}
	return d, nil
}

// contextText returns the text with the decisions of a phase: the file named, or without a name the phase's context document. It fails
// if the named file does not exist, because a check of nothing would pass.
func (s *source) contextText(p *inventory.Phase, named string) (string, error) {
	if named == "" || named == "null" {
		_, text, err := s.phaseFile(p, "CONTEXT")
		return text, err
	}
	at := named
	if !filepath.IsAbs(at) { // prompts give paths from the root of the project, wherever they are run
		at = filepath.Join(s.folder.Project, filepath.FromSlash(at))
	}
	text, err := s.call.ProjectText(at)
	if errors.Is(err, fs.ErrNotExist) {
		return "", planop.Faultf("file_not_found", "there is no file %.200s", named)
	}
	if fault, ok := errors.AsType[*planop.Fault](err); ok { // the message has the path as the user wrote it
		return "", planop.Faultf(fault.Reason, "%.200s is not in the project", named)
	}
	return text, err
}

// uncoveredDecisions returns the decisions that none of the texts mentions.
func uncoveredDecisions(list []artefact.Decision, texts []searchedText) []uncoveredDecision {
	out := []uncoveredDecision{}
	for i := range list {
		d := &list[i]
		if !slices.ContainsFunc(texts, func(b searchedText) bool { return b.mentionsDecision(d) }) {
			out = append(out, uncoveredDecision{d.ID, d.Text, d.Category})
		}
	}
	return out
}

func checkPlanCoverage(_ context.Context, from *source, in *checkDecisionCoveragePlanInput) (planCoverage, error) {
	d, err := phaseDecisions(from, in)
	if err != nil {
		return planCoverage{}, err
	}
	a := planCoverage{Passed: true, Skipped: d.skip != "", Reason: d.skip, Uncovered: []uncoveredDecision{}, Message: "Nothing to check: " + d.skip + "."}
	if a.Skipped {
		return a, nil
	}
	plans, warnings := d.from.readPlans(d.phase)
	var texts []searchedText
	for _, p := range plans {
		texts = append(texts, newSearchedText(commitmentText(p)))
	}
	a.Warnings, a.Total, a.Uncovered = warnings, len(d.list), uncoveredDecisions(d.list, texts)
	a.Covered = a.Total - len(a.Uncovered)
	a.Passed = len(a.Uncovered) == 0
	a.Message = "Every decision is in a plan."
	if !a.Passed {
		a.Message = decisionList("No plan has these decisions:", a.Uncovered) +
			"Name each by its id in must_haves or a task of the plan that carries it, or tag it [informational] in CONTEXT.md."
	}
	return a, nil
}

// decisionList returns decisions as a list for people.
func decisionList(title string, list []uncoveredDecision) string {
	var b strings.Builder
	b.WriteString(title + "\n\n")
	for _, u := range list {
		category := u.Category
		if category == "" {
			category = "no category"
		}
		fmt.Fprintf(&b, "- **%s** (%s): %s\n", u.ID, category, u.Text)
	}
	return b.String() + "\n"
}

func checkResultCoverage(ctx context.Context, from *source, in *checkDecisionCoveragePlanInput) (resultCoverage, error) {
	d, err := phaseDecisions(from, in)
	if err != nil {
		return resultCoverage{}, err
	}
	a := resultCoverage{Skipped: d.skip != "", Reason: d.skip, Missed: []uncoveredDecision{}, Message: "Nothing to check: " + d.skip + "."}
	if a.Skipped {
		return a, nil
	}
	texts, warnings, err := d.resultTexts(ctx)
	if err != nil {
		return resultCoverage{}, err
	}
	a.Warnings, a.Total, a.Missed = warnings, len(d.list), uncoveredDecisions(d.list, texts)
	a.Honored = a.Total - len(a.Missed)
	a.Message = "Every decision is in what was built, or in what was written of it."
	if len(a.Missed) > 0 {
		a.Message = decisionList("Neither plans, summaries, commits nor changed files speak of these decisions:", a.Missed) +
			"This blocks nothing; look whether they were followed."
	}
	return a, nil
}

const (
	maxFiles   = 100      // the maximal number of changed files of a phase that are read
	maxContent = 16 << 20 // the maximal number of their bytes
	maxCommits = "-200"
)

// resultTexts returns the texts of a finished phase that could mention a decision: its plans and summaries, the files that they list as
// changed, and the messages of its commits.
func (d *phaseWithDecisions) resultTexts(ctx context.Context) (texts []searchedText, warnings []string, err error) {
	plans, warnings := d.from.readPlans(d.phase)
	files := planFiles(plans)
	for _, p := range plans {
		texts = append(texts, newSearchedText(visibleText(p)))
	}
	for _, name := range d.phase.Summaries {
		text, err := d.from.read(path.Join(d.phase.Dir, name))
		if err != nil {
			warnings = append(warnings, err.Error())
			continue
		}
		s := artefact.ParseSummary(text)
		front := s.Doc.FrontMatter()
		files = slices.Concat(files, s.Created, s.Modified, front.Texts(front.Get("files_modified")))
		texts = append(texts, newSearchedText(text))
	}
	slices.Sort(files)
	left := maxContent
	for i, file := range slices.Compact(files) {
		if i == maxFiles || left <= 0 {
			warnings = append(warnings, fmt.Sprintf("%d files were changed; only the first %d were looked at", len(files), i))
			break
		}
		text, err := d.from.read(path.Clean(file))
		if err != nil {
			continue // the file was removed, is a folder, or is not in the project
		}
		left -= len(text)
		texts = append(texts, newSearchedText(text))
	}
	messages, err := commitMessages(ctx, d.from.folder.Project, d.phase.ID)
	return append(texts, newSearchedText(messages)), warnings, err
}

// commitMessages returns the messages of the last commits whose scope is the phase, such as "feat(02-01): words". Other commits do not
// count, because each phase numbers its decisions from D-01.
func commitMessages(ctx context.Context, project string, id phaseid.ID) (string, error) {
	r, err := git.Find(project)
	if errors.Is(err, git.ErrNoRepository) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	out, err := git.Git{}.Run(ctx, r, nil, nil, "log", maxCommits, "-z", "--no-show-signature", "--format=%B")
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		return "", nil // a repository without a commit has no log
	}
	var b strings.Builder
	for message := range strings.SplitSeq(string(out), "\x00") {
		if isAbout(message, id) {
			b.WriteString(message + "\n")
		}
	}
	return b.String(), nil
}

// isAbout reports whether the scope of a commit's message is a phase or a plan of that phase.
func isAbout(message string, id phaseid.ID) bool {
	_, rest, open := strings.Cut(message, "(")
	scope, _, closed := strings.Cut(rest, ")")
	if !open || !closed || strings.Contains(scope, "\n") {
		return false
	}
	scope = strings.TrimPrefix(scope, "phase-")
	if of, ok := phaseid.Parse(scope); ok && phaseid.Same(of, id) {
		return true
	}
	of, _, ok := phaseid.ParseFolder(scope)
	return ok && phaseid.Same(of, id)
}

type checkDecisionCoveragePlanInput struct {
	Phase   string `arg:"PHASE" help:"the number or the folder of a phase"`
	Context string `arg:"[CONTEXT]" help:"the file with its decisions; its CONTEXT.md if not given"`
}
