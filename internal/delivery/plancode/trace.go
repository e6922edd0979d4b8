package plancode

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ken/internal/ask/refs"
	"ken/internal/delivery/plancode/verify"
	"ken/internal/git"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/planop"
)

// TraceAnswer is the answer of `ken plan trace`.
type TraceAnswer struct {
	Phase        string             `json:"phase"` // "" for all phases
	Index        Index              `json:"index"`
	Gaps         []TraceGap         `json:"gaps"`
	Requirements []TraceRequirement `json:"requirements"`
	Plans        []TracePlan        `json:"plans"`
	Files        []TraceFile        `json:"files"`
}

// TraceGap is a missing link in the chain from a requirement over plans and code to a test.
type TraceGap struct {
	// Kind is requirement_without_plan, unknown_requirement, plan_without_commit, file_gone, file_without_test or undeclared_file.
	Kind string `json:"kind"`
	Of   string `json:"of"`
	Why  string `json:"why"`
}

// TraceRequirement is a requirement and the plans that name it.
type TraceRequirement struct {
	ID    string   `json:"id"`
	Done  bool     `json:"done"`
	Plans []string `json:"plans"`
	Files int      `json:"files"`
	Tests int      `json:"tests"`
}

// TracePlan is a plan with its commits.
type TracePlan struct {
	ID           string   `json:"id"`
	Done         bool     `json:"done"`
	Requirements []string `json:"requirements"`
	Commits      []string `json:"commits"`
	Files        []string `json:"files"` // that its commits changed, outside of .planning
}

// TraceFile is a file that commits of plans changed.
type TraceFile struct {
	Path    string   `json:"path"`
	Exists  bool     `json:"exists"`
	Plans   []string `json:"plans"`
	Symbols []string `json:"symbols"` // exported symbols of its files
	Tests   []string `json:"tests"`   // that use it themselves
}

type phaseInput struct {
	Phase string `arg:"[PHASE]" help:"the number of a phase; without one all of the milestone"`
}

func (j *planIndexOps) trace() *planop.Operation {
	return planop.Spec[phaseInput, *TraceAnswer]{
		Name: "trace", Summary: "from requirements to plans, commits, files, symbols and tests, what is missing first",
		Run:  j.runTrace,
		Page: (*TraceAnswer).page,
	}.Operation()
}

// tracedPlan is a plan in a trace, with its summary and commits.
type tracedPlan struct {
	planWithSummary
	phase *inventory.Phase
}

func (j *planIndexOps) runTrace(ctx context.Context, c *planop.Call, in *phaseInput) (*TraceAnswer, error) {
	f, err := c.Folder()
	if err != nil {
		return nil, err
	}
	inv, err := c.Inventory()
	if err != nil {
		return nil, err
	}
	phases := inv.Phases
	a := &TraceAnswer{}
	if text := in.Phase; text != "" {
		ph, err := findPhase(c, text)
		if err != nil {
			return nil, err
		}
		phases, a.Phase = []*inventory.Phase{ph}, ph.Token()
	}
	var plans []tracedPlan
	for _, ph := range phases {
		list, err := readPlansWithSummaries(f, ph)
		if err != nil {
			return nil, err
		}
		for _, p := range list {
			plans = append(plans, tracedPlan{p, ph})
		}
	}
	commits, changed, err := planChanges(ctx, f.Project, plans)
	if err != nil {
		return nil, err
	}
	var wanted []artefact.Requirement
	if text, err := f.Read("REQUIREMENTS.md"); err == nil {
		wanted = artefact.ParseRequirements(text).List
	}
	err = j.withSource(ctx, c, func(ctx context.Context, s *source) error {
		t := &tracer{s: s, plans: plans, commits: commits, changed: changed, wanted: wanted}
		t.a = TraceAnswer{
			Phase: a.Phase, Index: s.index, Gaps: []TraceGap{}, Requirements: []TraceRequirement{}, Plans: []TracePlan{}, Files: []TraceFile{},
		}
		if err := t.makeTrace(ctx); err != nil {
			return err
		}
		*a = t.a
		return nil
	})
	return a, err
}

// maxLog is the number of commits that are searched for those of plans.
const maxLog = 20000

// planChanges finds the commits of plans and the files that they changed. A commit belongs to a plan if its subject has the plan's
// number, as in (01-02):, or if the plan's summary has its id.
func planChanges(ctx context.Context, dir string, plans []tracedPlan) (of map[string][]string, changed map[string][]string, err error) {
	of, changed = map[string][]string{}, map[string][]string{}
	r, err := git.Find(dir)
	if errors.Is(err, git.ErrNoRepository) || errors.Is(err, git.ErrNoGit) {
		return of, changed, nil
	}
	if err != nil {
		return nil, nil, err
	}
	var named []string
	for _, p := range plans {
		if p.summary != nil {
			named = append(named, verify.Commits(p.summary)...)
		}
	}
	known, err := verify.KnownCommits(ctx, git.Git{}, r, named)
	if err != nil {
		return nil, nil, err
	}
	if h, err := (git.Git{}).Head(ctx, r); err != nil || h.Commit == "" {
		return of, changed, err
	}
	log, err := git.Git{}.Run(ctx, r, nil, nil, "log", "--no-merges", "--format=%H %s", fmt.Sprintf("--max-count=%d", maxLog), "-E",
		`--grep=^[a-z]+\([^)]*[0-9]+-[0-9]+\)`)
	if err != nil {
		return nil, nil, fmt.Errorf("read the log: %w", err)
	}
	var all []string
	add := func(plan, id string) {
		if !slices.Contains(of[plan], id) {
			of[plan] = append(of[plan], id)
			all = append(all, id)
		}
	}
	for line := range bytes.Lines(log) {
		id, subject, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		_, scope, _ := strings.Cut(subject, "(")
		scope, _, _ = strings.Cut(scope, ")")
		for _, p := range plans {
			if sameID(p.ID, strings.TrimPrefix(scope, "phase-")) {
				add(p.ID, id)
			}
		}
	}
	for _, p := range plans {
		if p.summary == nil {
			continue
		}
		for _, id := range verify.Commits(p.summary) {
			if whole := known[id]; whole != "" {
				add(p.ID, whole)
			}
		}
	}
	return of, changed, readChanges(ctx, r, all, changed)
}

// readChanges reads the files changed by each commit, in one run of git.
func readChanges(ctx context.Context, r *git.Repo, ids []string, into map[string][]string) error {
	if len(ids) == 0 {
		return nil
	}
	in := []byte(strings.Join(ids, "\n") + "\n")
	text, err := git.Git{}.Run(ctx, r, nil, in, "diff-tree", "--stdin", "--root", "-r", "--no-renames", "--name-only", "-z", "-v", "--format=%x01%H")
	if err != nil {
		return fmt.Errorf("read what commits changed: %w", err)
	}
	for record := range strings.SplitSeq(string(text), "\x01") {
		parts := strings.FieldsFunc(record, func(r rune) bool { return r == 0 || r == '\n' })
		if len(parts) == 0 {
			continue
		}
		into[parts[0]] = parts[1:]
	}
	return nil
}

// tracer makes a trace: requirements, plans that implement them, their commits, symbols and tests.
type tracer struct {
	s       *source
	a       TraceAnswer
	plans   []tracedPlan
	commits map[string][]string
	changed map[string][]string
	wanted  []artefact.Requirement
}

func (t *tracer) addGap(kind, of, format string, args ...any) {
	t.a.Gaps = append(t.a.Gaps, TraceGap{kind, of, fmt.Sprintf(format, args...)})
}

func (t *tracer) makeTrace(ctx context.Context) error {
	at := map[string]*TraceFile{}
	for _, p := range t.plans {
		row := TracePlan{
			ID: p.ID, Done: p.HasSummary(), Requirements: nonNilList(p.plan.Requirements), Commits: nonNilList(t.commits[p.ID]), Files: []string{},
		}
		for _, id := range row.Commits {
			for _, f := range t.changed[id] {
				if !strings.HasPrefix(f, ".planning/") && !slices.Contains(row.Files, f) {
					row.Files = append(row.Files, f)
				}
			}
		}
		slices.Sort(row.Files)
		if row.Done && len(row.Commits) == 0 {
			t.addGap("plan_without_commit", p.ID, "it has a summary, and no commit names it")
		}
		for _, f := range row.Files {
			if at[f] == nil {
				at[f] = &TraceFile{Path: f, Exists: t.s.places.Exists(f), Plans: []string{}, Symbols: []string{}, Tests: []string{}}
			}
			at[f].Plans = append(at[f].Plans, p.ID)
			if len(p.plan.Files) > 0 && !slices.Contains(p.plan.Files, f) {
				t.addGap("undeclared_file", f, "commits of %s changed it, and the plan does not declare it", p.ID)
			}
		}
		t.a.Plans = append(t.a.Plans, row)
	}
	for _, f := range at {
		t.a.Files = append(t.a.Files, *f)
	}
	slices.SortFunc(t.a.Files, func(a, b TraceFile) int { return strings.Compare(a.Path, b.Path) })
	if err := t.addSymbolsAndTests(ctx); err != nil {
		return err
	}
	t.addRequirements()
	order := map[string]int{"requirement_without_plan": 0, "unknown_requirement": 1, "plan_without_commit": 2, "file_gone": 3, "file_without_test": 4}
	rank := func(kind string) int {
		if n, ok := order[kind]; ok {
			return n
		}
		return len(order)
	}
	slices.SortStableFunc(t.a.Gaps, func(a, b TraceGap) int { return rank(a.Kind) - rank(b.Kind) })
	return nil
}

// maxOffered is the number of declarations of a file that are named, and maxTraced the number of files that are looked up.
const (
	maxOffered = 8
	maxTraced  = 300
)

// addSymbolsAndTests adds the exported symbols of the files and the tests that use them.
func (t *tracer) addSymbolsAndTests(ctx context.Context) error {
	if t.s.s == nil {
		return nil
	}
	for i := range t.a.Files {
		f := &t.a.Files[i]
		id := t.s.places.FileID(f.Path)
		if !f.Exists {
			t.addGap("file_gone", f.Path, "commits of %s changed it, and it is not there any more", strings.Join(f.Plans, ", "))
		}
		if id == 0 || i >= maxTraced {
			continue
		}
		row, err := t.s.s.FileByID(id)
		if err != nil {
			return err
		}
		symbols, err := t.s.s.Signatures(ctx, row)
		if err != nil {
			return err
		}
		runs := false
		for _, y := range symbols {
			declares := y.Parent < 0 && (y.Kind.IsFunction() || y.Kind.IsType())
			runs = runs || y.Kind.IsFunction()
			if declares && y.Exported && len(f.Symbols) < maxOffered {
				f.Symbols = append(f.Symbols, y.Qualified)
			}
		}
		if !runs || row.Class != 0 {
			continue // a test, a document, or nothing that runs
		}
		tests, err := refs.Tests(ctx, t.s.s, f.Path)
		if err != nil {
			return err
		}
		for _, x := range tests {
			if x.Steps == 1 {
				f.Tests = append(f.Tests, x.File.Path)
			}
		}
		if len(tests) == 0 {
			t.addGap("file_without_test", f.Path, "no test reaches it")
		}
	}
	return nil
}

// addRequirements adds the requirements with the plans that name them.
func (t *tracer) addRequirements() {
	in := map[string]bool{}
	for _, q := range t.wanted {
		in[q.ID] = true
		row := TraceRequirement{ID: q.ID, Done: q.Done, Plans: []string{}}
		files, tests := map[string]bool{}, map[string]bool{}
		for _, p := range t.a.Plans {
			if !slices.Contains(p.Requirements, q.ID) {
				continue
			}
			row.Plans = append(row.Plans, p.ID)
			for _, f := range t.a.Files {
				if slices.Contains(f.Plans, p.ID) {
					files[f.Path] = true
					for _, x := range f.Tests {
						tests[x] = true
					}
				}
			}
		}
		row.Files, row.Tests = len(files), len(tests)
		if t.a.Phase != "" && len(row.Plans) == 0 {
			continue // of another phase
		}
		if len(row.Plans) == 0 {
			t.addGap("requirement_without_plan", q.ID, "no plan names it")
		}
		t.a.Requirements = append(t.a.Requirements, row)
	}
	for _, p := range t.a.Plans {
		for _, id := range p.Requirements {
			if len(t.wanted) > 0 && !in[id] {
				in[id] = true // once
				t.addGap("unknown_requirement", id, "%s names it, and REQUIREMENTS.md does not", p.ID)
			}
		}
	}
}

func (a *TraceAnswer) page() string {
	var b strings.Builder
	if a.Index.Note != "" {
		fmt.Fprintf(&b, "%s\n", a.Index.Note)
	}
	fmt.Fprintf(&b, "%d gaps, %d requirements, %d plans, %d files\n", len(a.Gaps), len(a.Requirements), len(a.Plans), len(a.Files))
	for i, g := range a.Gaps {
		if i == 2*maxRows {
			fmt.Fprintf(&b, "  … and %d more gaps\n", len(a.Gaps)-i)
			break
		}
		fmt.Fprintf(&b, "gap  %s  %s: %s\n", g.Kind, g.Of, g.Why)
	}
	for _, q := range a.Requirements {
		fmt.Fprintf(&b, "%s  plans %s, %d files, %d tests\n", q.ID, joinWithOr(q.Plans), q.Files, q.Tests)
	}
	for _, p := range a.Plans {
		fmt.Fprintf(&b, "%s  %d commits, %d files\n", p.ID, len(p.Commits), len(p.Files))
	}
	for i, f := range a.Files {
		if i == 2*maxRows {
			fmt.Fprintf(&b, "… and %d more files\n", len(a.Files)-i)
			break
		}
		fmt.Fprintf(&b, "%s  plans %s, offers %s, tests %s\n", f.Path, joinWithOr(f.Plans), joinWithOr(f.Symbols), joinWithOr(f.Tests))
	}
	return b.String()
}

func joinWithOr(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
