package main

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"ken/bench/world"
	"ken/internal/delivery/plancode/claim"
	"ken/internal/delivery/plancode/place"
	"ken/internal/delivery/plancode/writeset"
	"ken/internal/engine"
	"ken/internal/engine/update"
	"ken/internal/engine/view"
	"ken/internal/store/sqlite"
	"ken/internal/workflow/plan/artefact"
)

// pairTally counts the pairs of plans of one wave.
type pairTally struct {
	repositories             map[string]bool // with a true pair
	pairs, actual            int
	found, wrong             int // by the sets
	declared, declaredWrong  int // by files_modified alone
	lines                    []string
	alone, aloneWrong, waves int // without an index
}

func (t *pairTally) add(o *pairTally) {
	if t.repositories == nil {
		t.repositories = map[string]bool{}
	}
	maps.Copy(t.repositories, o.repositories)
	t.pairs += o.pairs
	t.actual += o.actual
	t.found += o.found
	t.wrong += o.wrong
	t.declared += o.declared
	t.declaredWrong += o.declaredWrong
	t.alone += o.alone
	t.aloneWrong += o.aloneWrong
	t.waves += o.waves
}

// shareOf returns a part of a whole, or 0 of nothing.
func shareOf(part, whole int) float64 { return float64(part) / float64(max(whole, 1)) }

func (t *pairTally) printReport(what string) (missed int) {
	fmt.Printf("\nwrite sets, %s: %d waves, %d pairs, %d true ones of %d repositories\n", what, t.waves, t.pairs, t.actual, len(t.repositories))
	line := func(name string, found, wrong int) {
		fmt.Printf("  %-28s recall %.3f (%d of %d)  precision %.3f (%d wrong)\n", name, shareOf(found, t.actual), found, t.actual, shareOf(found, found+wrong), wrong)
	}
	line("files_modified alone", t.declared, t.declaredWrong)
	line("set, without an index", t.alone, t.aloneWrong)
	line("set, with an index", t.found, t.wrong)
	must := (1 + shareOf(t.declared, t.actual)) / 2
	fmt.Printf("  must: recall %.3f, precision 0.600\n", must)
	for _, l := range t.lines {
		fmt.Println("  " + l)
	}
	if shareOf(t.found, t.actual) < must || shareOf(t.found, t.found+t.wrong) < 0.6 {
		missed++
	}
	return missed
}

// measureRepository measures one.
func (t *pairTally) measureRepository(ctx context.Context, o *options, row world.Pin) error {
	r, log, phases, err := openPlans(ctx, o, row)
	if err != nil {
		return err
	}
	if t.repositories == nil {
		t.repositories = map[string]bool{}
	}
	for _, phase := range slices.Sorted(maps.Keys(phases)) {
		waves := map[int][]*executedPlan{}
		for _, p := range phases[phase] {
			p.wave = artefact.ParsePlan(p.text).Wave
			waves[p.wave] = append(waves[p.wave], p)
		}
		for _, w := range slices.Sorted(maps.Keys(waves)) {
			if len(waves[w]) < 2 {
				continue
			}
			if err := t.measureWave(ctx, r, log, waves[w]); err != nil {
				return fmt.Errorf("%s, wave %d: %w", phase, w, err)
			}
		}
	}
	return nil
}

// measuredPlan is a plan of a wave with its sets.
type measuredPlan struct {
	*executedPlan
	plan        *artefact.Plan
	with, alone *writeset.Set
}

// measureWave measures the pairs of one wave, at the commit before the first of them was carried out.
func (t *pairTally) measureWave(ctx context.Context, r *repo, log []commit, plans []*executedPlan) error {
	first := plans[0].own[0]
	for _, p := range plans {
		first = min(first, p.own[0])
	}
	base := log[first].parent
	if base == "" {
		base = log[first].id
	}
	if err := world.Checkout(ctx, r.tree, base); err != nil {
		return err
	}
	list := make([]measuredPlan, len(plans))
	e := engine.New(engine.Options{Root: r.tree, Store: sqlite.New(filepath.Join(r.tree, ".ken", "index.db"))})
	defer e.Close()
	if _, err := e.Update(ctx, update.Request{Create: true}); err != nil {
		return err
	}
	err := e.Answer(ctx, engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		rows, err := s.AllPaths()
		if err != nil {
			return nil, err
		}
		at, none := place.New(rows, nil), place.New(nil, nil)
		for i, p := range plans {
			m := measuredPlan{executedPlan: p, plan: artefact.ParsePlan(p.text)}
			c := claim.Read(m.plan)
			if m.with, err = writeset.New(ctx, s, at, p.number, c); err != nil {
				return nil, err
			}
			if m.alone, err = writeset.New(ctx, nil, none, p.number, c); err != nil {
				return nil, err
			}
			list[i] = m
		}
		return nil, nil
	})
	if err != nil {
		return err
	}
	t.waves++
	for i := range list {
		for j := range i {
			t.measurePair(r, &list[j], &list[i])
		}
	}
	return nil
}

func (t *pairTally) measurePair(r *repo, a, b *measuredPlan) {
	var common []string
	for _, f := range a.files {
		if slices.Contains(b.files, f) {
			common = append(common, f)
		}
	}
	declared := slices.ContainsFunc(a.plan.Files, func(f string) bool { return slices.Contains(b.plan.Files, f) })
	meetings, alone := writeset.Meet(a.with, b.with), writeset.Meet(a.alone, b.alone)
	t.pairs++
	count := func(said bool, right, wrong *int) {
		switch {
		case said && len(common) > 0:
			*right++
		case said:
			*wrong++
		}
	}
	count(declared, &t.declared, &t.declaredWrong)
	count(len(alone) > 0, &t.alone, &t.aloneWrong)
	count(len(meetings) > 0, &t.found, &t.wrong)
	if len(common) > 0 {
		t.actual++
		t.repositories[r.name] = true
	}
	if len(common) == 0 && len(meetings) > 0 {
		m := meetings[0]
		t.lines = append(t.lines, fmt.Sprintf("wrong: %s %s wave %d: %s and %s: %s (%s/%s)", r.name, a.dir, a.wave, a.number, b.number, m.File, m.A.Kind, m.B.Kind))
	}
	if len(common) > 0 && len(meetings) == 0 {
		where := fmt.Sprintf("%s %s wave %d: %s and %s", r.name, a.dir, a.wave, a.number, b.number)
		t.lines = append(t.lines, "missed: "+where+": "+strings.Join(common[:min(3, len(common))], ", ")+reasonsText(a.with, b.with, common))
	}
}

// reasonsText returns how each plan's write set holds the files that both changed.
func reasonsText(a, b *writeset.Set, common []string) string {
	kind := func(s *writeset.Set, f string) string {
		for i := range s.Entries {
			if s.Entries[i].Path == f {
				return string(s.Entries[i].Kind())
			}
		}
		return "not named"
	}
	var out []string
	for _, f := range common[:min(3, len(common))] {
		out = append(out, kind(a, f)+"/"+kind(b, f))
	}
	return " (" + strings.Join(out, ", ") + ")"
}
