package main

import (
	"context"
	"fmt"
	"slices"

	"ken/internal/engine/graph"
	"ken/internal/engine/history"
	"ken/internal/engine/store"
	"ken/internal/store/sqlite"
)

// digest is what an index holds, without ids and times: a line a fact, sorted.
// Every answer is computed from these.
func digest(ctx context.Context, s *sqlite.Store) ([]string, error) {
	defer s.Close()
	r, err := s.Read(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	d := digester{r: r, paths: map[int64]string{}}
	for _, step := range []func() error{d.files, d.edges, d.names, d.findings, d.history} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	slices.Sort(d.lines)
	return d.lines, nil
}

type digester struct {
	r     store.Reader
	paths map[int64]string
	lines []string
}

func (d *digester) add(format string, args ...any) {
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

func (d *digester) files() error {
	for f, err := range d.r.Files() {
		if err != nil {
			return err
		}
		d.paths[f.ID] = f.Path
	}
	for f, err := range d.r.Files() {
		if err != nil {
			return err
		}
		id := f.ID
		d.add("file %s %s %x %s flags %d class %d problem %q lines %d tokens %d %d package %q doc %q dependents %d rank %.7f",
			f.Path, f.Slug, f.Hash, f.Lang, f.Flags, f.Class, f.Problem, f.Lines, f.CL100K, f.O200K, f.Package, f.Doc, f.Dependents, f.Rank)
		if err := d.content(id, f.Path); err != nil {
			return err
		}
	}
	return nil
}

// content adds what the index holds of one file.
func (d *digester) content(id int64, path string) error {
	symbols, err := d.r.Symbols(id)
	if err != nil {
		return err
	}
	for i := range symbols {
		s := &symbols[i].Symbol
		d.add("symbol %s %s %s %v %q %v", path, s.Qualified, s.Kind, s.Span, s.Signature, s.Exported)
	}
	facts, err := d.r.Facts(id)
	if err != nil {
		return err
	}
	d.add("facts %s %x", path, facts)
	blob, err := d.r.Links(id)
	if err != nil || len(blob) == 0 {
		return err
	}
	l, err := graph.DecodeLinks(blob)
	if err != nil {
		return err
	}
	d.add("probes %s %x", path, l.Probes)
	for i := range l.Imports {
		k := &l.Imports[i]
		subs := make([]string, len(k.Subs))
		for n, s := range k.Subs {
			subs[n] = s.Name + " " + d.paths[s.File]
		}
		d.add("link %s %d → %s %v %v %q %v %q %v", path, i, d.paths[k.File], k.Dirs, subs, k.External, k.Std, k.Package, k.IsPackage)
	}
	return nil
}

func (d *digester) edges() error {
	for e, err := range d.r.Edges() {
		if err != nil {
			return err
		}
		d.add("edge %s → %s %s %s", d.paths[e.Source], d.paths[e.Target], e.Relation, e.Confidence)
	}
	return nil
}

func (d *digester) names() error {
	for name, err := range d.r.Names() {
		if err != nil {
			return err
		}
		ids, err := d.r.Referrers(name)
		if err != nil {
			return err
		}
		users := make([]string, len(ids))
		for i, id := range ids {
			users[i] = d.paths[id]
		}
		slices.Sort(users)
		count, err := d.r.NameCount(name)
		if err != nil {
			return err
		}
		d.add("name %s defined %d used in %v", name, count.Defs, users)
	}
	return nil
}

func (d *digester) findings() error {
	for f, err := range d.r.Secrets() {
		if err != nil {
			return err
		}
		d.add("finding %s %s %v", f.Path, f.Rule, f.Start)
	}
	return nil
}

// history adds the commits.
func (d *digester) history() error {
	s, err := history.Unpack(d.r.History)
	if err != nil || s == nil {
		return err
	}
	d.add("history of %s, %d commits, problem %q", s.Head, len(s.Commits), s.Problem)
	for i := range s.Commits {
		c := &s.Commits[i]
		paths := make([]string, len(c.Touched))
		for n, p := range c.Touched {
			paths[n] = s.Paths[p]
		}
		slices.Sort(paths)
		d.add("commit %x %d %q of %d files %q", c.ID, c.Order, c.Subject, c.Files, paths)
	}
	return nil
}

// unlike words a few of the lines that only one side has, "" if there are none.
func unlike(updated, fresh []string) string {
	const few = 6
	out, n := "", 0
	note := func(side, line string) {
		if n++; n <= few {
			out += fmt.Sprintf("  only %s: %.200s\n", side, line)
		}
	}
	i, j := 0, 0
	for i < len(updated) || j < len(fresh) {
		switch {
		case j == len(fresh) || i < len(updated) && updated[i] < fresh[j]:
			note("updated", updated[i])
			i++
		case i == len(updated) || fresh[j] < updated[i]:
			note("new", fresh[j])
			j++
		default:
			i++
			j++
		}
	}
	if n > few {
		out += fmt.Sprintf("  … %d lines in all\n", n)
	}
	return out
}
