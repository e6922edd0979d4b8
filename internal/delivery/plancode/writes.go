package plancode

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ken/internal/delivery/plancode/claim"
	"ken/internal/delivery/plancode/writeset"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
	"ken/internal/workflow/plan/wave"
)

// WritesAnswer is the answer of `ken plan writes`.
type WritesAnswer struct {
	Phase     string         `json:"phase"`
	Directory string         `json:"directory"`
	Index     Index          `json:"index"`
	Plans     []WritesOfPlan `json:"plans"`
	Apart     []SetApart     `json:"set_apart"`
	Waves     []WritesWave   `json:"waves"`
	Warnings  []string       `json:"warnings"`
}

// WritesOfPlan is the write set of a plan.
type WritesOfPlan struct {
	ID      string        `json:"id"`
	File    string        `json:"file"`
	Wave    int           `json:"wave"` // 0 of a plan that is in none
	Writes  []WrittenFile `json:"writes"`
	May     []WrittenFile `json:"may_write"` // named, or tied to a written file; does not keep plans apart
	Outside []string      `json:"outside"`   // paths that lead out of the project
}

// WrittenFile is a file of a write set.
type WrittenFile struct {
	Path    string            `json:"path"`
	Exists  bool              `json:"exists"`
	Reasons []writeset.Reason `json:"reasons"`
}

// SetApart is a pair of plans of a wave that cannot run in parallel.
type SetApart struct {
	Wave  int           `json:"wave"`
	Plans []string      `json:"plans"`
	Files []MeetingFile `json:"files"`
}

// MeetingFile is a file that both plans write, with the reason of each.
type MeetingFile struct {
	Path    string            `json:"path"`
	Sure    bool              `json:"declared_by_both"`
	Reasons []writeset.Reason `json:"reasons"` // of the first plan, of the second
}

// WritesWave is a wave of plans, divided into batches. The plans of one batch can run in parallel.
type WritesWave struct {
	Wave    int        `json:"wave"`
	Batches [][]string `json:"batches"`
}

type writesInput struct {
	Target string `arg:"PHASE|PLAN" help:"the number of a phase, the ID of a plan (01-02), or its file"`
}

func (j *planIndexOps) writes() *planop.Operation {
	return planop.Spec[writesInput, *WritesAnswer]{
		Name: "writes", Summary: "what the plans of a phase are going to write, and which of a wave cannot run side by side",
		Run:  j.runWrites,
		Page: (*WritesAnswer).page,
	}.Operation()
}

func (j *planIndexOps) runWrites(ctx context.Context, c *planop.Call, in *writesInput) (*WritesAnswer, error) {
	text := in.Target
	only := ""
	phase, limits, err := wave.ReadPhase(c, text)
	if err != nil {
		p, planErr := findPlan(c, text)
		if planErr != nil && strings.Contains(text, "-") {
			return nil, planErr
		}
		if planErr != nil {
			return nil, err
		}
		if p.phase == nil {
			return j.writesAlone(ctx, c, p)
		}
		only = p.id
		if phase, limits, err = wave.ReadPhase(c, p.phase.Token()); err != nil {
			return nil, err
		}
	}
	q, err := query.New(c)
	if err != nil {
		return nil, err
	}
	a := &WritesAnswer{}
	err = j.withSource(ctx, c, func(ctx context.Context, s *source) error {
		sets, err := writeSets(ctx, s, phase.Written)
		if err != nil {
			return err
		}
		laid, err := wave.Read(q, phase.Token(), limits, func(a, b *wave.Plan) []string {
			var files []string
			for _, m := range writeset.Meet(sets[a.ID], sets[b.ID]) {
				if !slices.Contains(files, m.File) {
					files = append(files, m.File)
				}
			}
			return files
		})
		if err != nil {
			return wave.WithReason(err)
		}
		*a = writesAnswer(laid, sets, s.index, only)
		return nil
	})
	return a, err
}

// writesAlone answers for a plan that belongs to no phase, such as that of a quick task.
func (j *planIndexOps) writesAlone(ctx context.Context, c *planop.Call, p *plan) (*WritesAnswer, error) {
	a := &WritesAnswer{}
	err := j.withSource(ctx, c, func(ctx context.Context, s *source) error {
		sets, err := writeSets(ctx, s, map[string]*artefact.Plan{p.id: p.Plan})
		if err != nil {
			return err
		}
		*a = WritesAnswer{
			Index: s.index, Plans: []WritesOfPlan{rowOfSet(p.id, p.file, 0, sets[p.id])}, Apart: []SetApart{}, Waves: []WritesWave{}, Warnings: []string{},
		}
		return nil
	})
	return a, err
}

// writeSets returns the write sets of plans, by ID.
func writeSets(ctx context.Context, s *source, plans map[string]*artefact.Plan) (map[string]*writeset.Set, error) {
	sets := map[string]*writeset.Set{}
	for id, p := range plans {
		set, err := writeset.New(ctx, s.s, s.places, id, claim.Read(p))
		if err != nil {
			return nil, err
		}
		sets[id] = set
	}
	return sets, nil
}

func writesAnswer(phase *wave.Phase, sets map[string]*writeset.Set, index Index, only string) WritesAnswer {
	a := WritesAnswer{
		Phase: phase.Token(), Directory: phase.Dir, Index: index, Plans: []WritesOfPlan{}, Apart: []SetApart{}, Waves: []WritesWave{},
		Warnings: nonNilList(phase.Layout.Warnings),
	}
	files := map[string]string{}
	for _, p := range phase.Plans {
		files[p.ID] = phase.Dir + "/" + p.File
	}
	for _, p := range phase.Layout.Plans {
		if only == "" || p.ID == only {
			a.Plans = append(a.Plans, rowOfSet(p.ID, files[p.ID], p.Wave, sets[p.ID]))
		}
	}
	for _, w := range phase.Layout.Waves {
		a.Waves = append(a.Waves, WritesWave{w.Number, nonNilList(w.Batches)})
		for _, m := range w.Meetings {
			if only == "" || m.A == only || m.B == only {
				a.Apart = append(a.Apart, newSetApart(w.Number, sets[m.A], sets[m.B]))
			}
		}
	}
	return a
}

// newSetApart returns the reasons why two plans of a wave cannot run in parallel.
func newSetApart(number int, a, b *writeset.Set) SetApart {
	out := SetApart{Wave: number, Plans: []string{a.Plan, b.Plan}, Files: []MeetingFile{}}
	for _, m := range writeset.Meet(a, b) {
		out.Files = append(out.Files, MeetingFile{m.File, m.Sure, []writeset.Reason{m.A, m.B}})
	}
	return out
}

func rowOfSet(id, file string, number int, set *writeset.Set) WritesOfPlan {
	row := WritesOfPlan{ID: id, File: file, Wave: number, Writes: []WrittenFile{}, May: []WrittenFile{}, Outside: nonNilList(set.Outside)}
	for i := range set.Entries {
		e := &set.Entries[i]
		w := WrittenFile{e.Path, e.Exists, e.Reasons}
		if e.Sure() {
			row.Writes = append(row.Writes, w)
		} else {
			row.May = append(row.May, w)
		}
	}
	return row
}

func (a *WritesAnswer) page() string {
	var b strings.Builder
	if a.Phase != "" {
		fmt.Fprintf(&b, "phase %s (%s)\n", a.Phase, a.Directory)
	}
	if a.Index.Note != "" {
		fmt.Fprintf(&b, "%s\n", a.Index.Note)
	}
	for i := range a.Plans {
		p := &a.Plans[i]
		fmt.Fprintf(&b, "\n%s", p.ID)
		if p.Wave > 0 {
			fmt.Fprintf(&b, ", wave %d", p.Wave)
		}
		b.WriteString("\n")
		writeRows(&b, "writes", p.Writes)
		writeRows(&b, "may write", p.May)
		for _, o := range p.Outside {
			fmt.Fprintf(&b, "  outside the project: %s\n", o)
		}
	}
	for _, w := range a.Apart {
		fmt.Fprintf(&b, "\nwave %d: %s and %s cannot run side by side\n", w.Wave, w.Plans[0], w.Plans[1])
		for _, f := range w.Files {
			fmt.Fprintf(&b, "  %s  %s: %s, %s: %s\n", f.Path, w.Plans[0], reasonText(f.Reasons[0]), w.Plans[1], reasonText(f.Reasons[1]))
		}
	}
	if len(a.Apart) == 0 && len(a.Plans) > 1 {
		b.WriteString("\nno two plans of a wave write the same file, as far as can be seen\n")
	}
	for _, w := range a.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", w)
	}
	return strings.TrimLeft(b.String(), "\n")
}

// maxRows is the number of files of a list that a page shows; JSON has all.
const maxRows = 20

func writeRows(b *strings.Builder, title string, files []WrittenFile) {
	for i, f := range files {
		if i == maxRows {
			fmt.Fprintf(b, "  … and %d more\n", len(files)-i)
			return
		}
		isNew := ""
		if !f.Exists {
			isNew = " (not there yet)"
		}
		var why []string
		for _, r := range f.Reasons {
			why = append(why, reasonText(r))
		}
		fmt.Fprintf(b, "  %s %s%s  %s\n", title, f.Path, isNew, strings.Join(why, ", "))
	}
}

func reasonText(r writeset.Reason) string {
	if r.Detail == "" {
		return string(r.Kind)
	}
	return fmt.Sprintf("%s (%s)", r.Kind, r.Detail)
}
