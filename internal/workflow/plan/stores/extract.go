package stores

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/internal/workflow/plan/argument"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/state"
)

// ExtractedLearnings is the result of collecting what the documents of a phase teach.
type ExtractedLearnings struct {
	Phase     string   `json:"phase"`
	File      string   `json:"file"`
	Decisions int      `json:"decisions"`
	Lessons   int      `json:"lessons"`
	Patterns  int      `json:"patterns"`
	Surprises int      `json:"surprises"`
	Missing   []string `json:"missing_artifacts"`
}

// taught is a passage of a document that teaches something.
type taught struct{ text, source string }

// extraction has the passages by the sections of LEARNINGS.md.
type extraction struct {
	decisions, lessons, patterns, surprises []taught
	missing                                 []string
}

func extractOperation() *planop.Operation {
	return planop.Spec[extractInput, *ExtractedLearnings]{
		Name: "learnings extract", Summary: "collect what the documents of a phase teach, each with its source, in its LEARNINGS.md", Writes: true, Run: extractLearnings,
		Plain: func(a *ExtractedLearnings) string { return a.File },
	}.Operation()
}

type extractInput struct {
	Phase string `arg:"PHASE" help:"the number of a phase that was carried out"`
}

// extractLearnings writes the document anew at each call. It fails if the phase has no plan or no summary, because there is nothing to
// learn from yet.
func extractLearnings(ctx context.Context, c *planop.Call, in *extractInput) (*ExtractedLearnings, error) {
	inv, err := c.Inventory()
	if err != nil {
		return nil, err
	}
	p, archived := inv.FindText(in.Phase)
	if p == nil || archived != "" {
		return nil, &planop.Fault{Reason: "phase_not_found", Message: fmt.Sprintf("there is no phase %.40q in the milestone", in.Phase), Near: inv.NearPhases(in.Phase)}
	}
	if len(p.Plans) == 0 || len(p.Summaries) == 0 {
		return nil, planop.Faultf("summary_missing", "phase %s has no plan or no summary: what it taught is known when it was carried out", p.ID)
	}
	e, err := collectTaught(inv, p)
	if err != nil {
		return nil, err
	}
	name := p.FirstOfKind("LEARNINGS")
	if name == "" {
		name = p.Token() + "-LEARNINGS.md"
	}
	out := &ExtractedLearnings{
		Phase: p.Token(), File: path.Join(p.Dir, name), Missing: e.missing,
		Decisions: len(e.decisions), Lessons: len(e.lessons), Patterns: len(e.patterns), Surprises: len(e.surprises),
	}
	f, err := c.Folder()
	if err != nil {
		return nil, err
	}
	text := e.render(p, path.Base(f.Project), c.Now().UTC().Format(time.RFC3339))
	below, err := c.PathBelowPlanning(strings.TrimPrefix(out.File, f.Base+"/"))
	if err != nil {
		return nil, err
	}
	_, err = c.Change(ctx, c.Name, func(change.Read) ([]change.File, error) { return []change.File{{Name: below, Text: &text}}, nil })
	return out, err
}

// collectTaught reads the documents of a phase.
func collectTaught(inv *inventory.Inventory, p *inventory.Phase) (*extraction, error) {
	e := &extraction{missing: []string{}}
	for _, name := range p.Summaries {
		text, err := inv.ReadFile(p, name)
		if err != nil {
			return nil, err
		}
		e.addSummary(artefact.ParseSummary(text), name)
	}
	for _, kind := range [...]string{"VERIFICATION", "UAT"} {
		name := p.FirstOfKind(kind)
		if name == "" {
			e.missing = append(e.missing, kind+".md")
			continue
		}
		text, err := inv.ReadFile(p, name)
		if err != nil {
			return nil, err
		}
		if kind == "VERIFICATION" {
			for _, g := range artefact.ParseVerification(text).Gaps {
				add(&e.lessons, name, sentence("Did not hold when it was verified", g.Truth)+sentence("Reason", g.Reason))
			}
			continue
		}
		for _, t := range artefact.ParseUAT(text).Tests {
			if word, _ := t.Outcome(); word == "issue" {
				add(&e.lessons, name, sentence("A person tried "+t.Name+" and reported", t.Reported)+sentence("Reason", t.Reason))
			}
		}
	}
	if slices.Contains(p.Names, "deferred-items.md") {
		text, err := inv.ReadFile(p, "deferred-items.md")
		if err != nil {
			return nil, err
		}
		d := document.Parse(text)
		for _, passage := range passages(d, d.Body()) {
			add(&e.surprises, "deferred-items.md", passage)
		}
	}
	return e, nil
}

func (e *extraction) addSummary(s *artefact.Summary, name string) {
	for _, t := range s.KeyDecisions {
		add(&e.decisions, name, t)
	}
	for _, t := range s.Patterns {
		add(&e.patterns, name, t)
	}
	for _, section := range []struct {
		to    *[]taught
		names []string
	}{
		{&e.decisions, []string{"Decisions Made", "Decisions", "Key Decisions"}},
		{&e.lessons, []string{"Issues Encountered", "Issues", "Problems Encountered"}},
		{&e.patterns, []string{"Patterns Established", "Patterns"}},
		{&e.surprises, []string{"Deviations from Plan", "Deviations"}},
	} {
		if h, ok := s.Doc.FindHeading(s.Doc.Body(), section.names...); ok {
			for _, passage := range passages(s.Doc, h.Section()) {
				add(section.to, name, passage)
			}
		}
	}
}

// add adds a passage, once: summaries repeat their front matter in their text.
func add(list *[]taught, source, text string) {
	text = argument.SingleLine(argument.NeutralText(text))
	if text == "" || state.IsNone(text) || artefact.IsPlaceholder(text) {
		return
	}
	key := func(s string) string { return strings.ToLower(strings.Trim(strings.ReplaceAll(s, "*", ""), " .")) }
	if !slices.ContainsFunc(*list, func(t taught) bool { return key(t.text) == key(text) }) {
		*list = append(*list, taught{text, source})
	}
}

// sentence returns a remark with its beginning, or nothing without a remark.
func sentence(begin, text string) string {
	if text == "" {
		return ""
	}
	return begin + ": " + strings.TrimRight(text, ". ") + ". "
}

// passages returns the entries of lists in a section and the paragraphs between them. The lines below a numbered entry in bold belong to
// it: so summaries describe what went otherwise.
func passages(d *document.Document, r document.Range) (list []string) {
	open, numbered := false, false
	for line := r.From; line < r.To; line++ {
		text := strings.TrimSpace(d.Line(line))
		if text == "" && numbered {
			continue
		}
		if d.Kind(line) != document.Text || strings.HasPrefix(text, "#") || strings.Trim(text, "-") == "" {
			open, numbered = false, false
			continue
		}
		entry, isEntry := listEntry(d.Line(line))
		switch {
		case strings.HasPrefix(text, "**") && startsWithDigit(text[2:]):
			list, open, numbered = append(list, text), true, true
		case open && numbered:
			list[len(list)-1] += " " + strings.TrimPrefix(text, "- ")
		case isEntry:
			list, open = append(list, entry), true
		case open:
			list[len(list)-1] += " " + text
		default:
			list, open = append(list, text), true
		}
	}
	return list
}

// listEntry returns the text of an entry of a list that is in no other, and whether a line is one.
func listEntry(line string) (text string, ok bool) {
	mark, rest, ok := strings.Cut(line, " ")
	isNumber := startsWithDigit(mark) && strings.HasSuffix(mark, ".")
	return rest, ok && (isNumber || mark == "-" || mark == "*")
}

func startsWithDigit(s string) bool { return s != "" && '0' <= s[0] && s[0] <= '9' }

// render returns the document. Its entries are what the documents have; what to do otherwise is for its reader to add.
func (e *extraction) render(p *inventory.Phase, project, now string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "---\nphase: %s\nphase_name: %s\nproject: %s\ngenerated: %s\ncounts:\n  decisions: %d\n  lessons: %d\n  patterns: %d\n  surprises: %d\n",
		strconv.Quote(p.Token()), strconv.Quote(p.Name), strconv.Quote(project), strconv.Quote(now),
		len(e.decisions), len(e.lessons), len(e.patterns), len(e.surprises))
	if len(e.missing) == 0 {
		b.WriteString("missing_artifacts: []\n")
	} else {
		b.WriteString("missing_artifacts:\n")
		for _, m := range e.missing {
			fmt.Fprintf(&b, "  - %s\n", strconv.Quote(m))
		}
	}
	fmt.Fprintf(&b, "---\n\n# Phase %s — Learnings\n", p.Token())
	for _, s := range []struct {
		title string
		list  []taught
	}{{"Decisions", e.decisions}, {"Lessons", e.lessons}, {"Patterns", e.patterns}, {"Surprises", e.surprises}} {
		fmt.Fprintf(&b, "\n## %s\n", s.title)
		if len(s.list) == 0 {
			b.WriteString("\nNone\n")
		}
		for _, t := range s.list {
			fmt.Fprintf(&b, "\n- %s\n  **Source:** %s\n", t.text, t.source)
		}
	}
	return b.String()
}
