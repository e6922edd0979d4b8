package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// The ways in which an answer can be false.
const (
	falseNone   = "none"   // "nothing uses it" of a declaration that is used
	falseFull   = "full"   // "100% decided" while a use is missing in the sure tiers
	falseRename = "rename" // "0 unsure" while a place is left out
	wrongSure   = "wrong"  // a sure reference or place that means something else
)

// result is the outcome of one case.
type result struct {
	c       *testCase
	subject *subject // the one that is used
	faults  []string // a word of the above, and the reason
	// Of the used declaration with all ways followed: decided reports that all was said to be decided. Of unused ones that are
	// wholly parsed: none reports that nothing was said to use it.
	used, decided, unused, none int
	notes                       []string // why it is not decided, or not none
}

// judge asks about the declarations of a case and compares the answers with its construction.
func judge(ctx context.Context, t *tree, c *testCase, b *built) (*result, error) {
	r := &result{c: c}
	r.subject = b.subjects[0]
	for _, s := range b.subjects {
		a, err := t.refs(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("%s: refs: %w", c.id(), err)
		}
		r.judgeRefs(s, &a)
		n, err := t.rename(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("%s: rename: %w", c.id(), err)
		}
		r.judgeRename(s, &n)
		if s.used {
			i, err := t.impact(ctx, s)
			if err != nil {
				return nil, fmt.Errorf("%s: impact: %w", c.id(), err)
			}
			r.judgeImpact(s, &i)
		}
	}
	return r, nil
}

func (r *result) fault(kind, format string, args ...any) {
	r.faults = append(r.faults, kind+": "+fmt.Sprintf(format, args...))
}

func (r *result) judgeRefs(s *subject, a *refsAnswer) {
	var missing []string
	for i := range s.marks {
		m := &s.marks[i]
		if m.isUse && !a.lists(m) {
			missing = append(missing, fmt.Sprintf("%s:%d", m.path, m.line))
		}
		at := func(p place) bool { return p.Path == m.path && p.Start == m.start && p.isSure() }
		if m.isDecoy && slices.ContainsFunc(a.References, at) {
			r.fault(wrongSure, "refs %s lists %s:%d", s.name, m.path, m.line)
		}
	}
	if s.used && a.isNone() {
		r.fault(falseNone, "refs %s", s.name)
	}
	if a.Settled && len(missing) > 0 {
		r.fault(falseFull, "refs %s lacks %s", s.name, strings.Join(missing, " "))
	}
	if r.c.loss != nil || r.c.twin != nil {
		return
	}
	switch {
	case s.used && !r.c.way.is("doubt"):
		r.used++
		if a.Settled && len(missing) == 0 {
			r.decided++
		} else {
			r.note("not decided", s, a, missing)
		}
	case !s.used && !r.c.way.is("murky") && !(r.c.isBeside() && s == r.subject):
		r.unused++
		isUse := func(p place) bool { return !s.exports(p) }
		if a.isNone() || a.Settled && !slices.ContainsFunc(a.References, isUse) {
			r.none++
		} else {
			r.note("not none", s, a, nil)
		}
	}
}

// exports reports whether a reference is a place of the construction that is no use, as in an export.
func (s *subject) exports(p place) bool {
	return slices.ContainsFunc(s.marks, func(m mark) bool {
		return !m.isUse && m.isPlace && m.path == p.Path && m.line == p.Line
	})
}

func (r *result) note(what string, s *subject, a *refsAnswer, missing []string) {
	switch {
	case a.isUnknown():
		what += ", no symbol"
	case len(missing) > 0:
		what += ", lacks " + strings.Join(missing, " ")
	case a.Absence != nil:
		what += ", could not tell"
	}
	r.notes = append(r.notes, what+": "+s.name)
}

func (r *result) judgeRename(s *subject, a *renameAnswer) {
	if a.code != 0 {
		return
	}
	var missing, linked []string
	links := 0
	for i := range s.marks {
		m := &s.marks[i]
		changed := a.changes(m)
		if m.isLinked {
			if links++; !changed {
				linked = append(linked, fmt.Sprintf("%s:%d", m.path, m.line))
			}
		}
		if m.isPlace && !changed {
			missing = append(missing, fmt.Sprintf("%s:%d", m.path, m.line))
		}
		if m.isDecoy && changed {
			r.fault(wrongSure, "rename %s changes %s:%d", s.name, m.path, m.line)
		}
	}
	if len(linked) < links {
		missing = append(missing, linked...)
	}
	if a.Sure == len(a.Places) && len(a.Hatches) == 0 && len(missing) > 0 {
		r.fault(falseRename, "rename %s lacks %s", s.name, strings.Join(missing, " "))
	}
}

func (r *result) judgeImpact(s *subject, a *impactAnswer) {
	if a.code != 0 || a.Summary.Risk != "none found" && a.Summary.Risk != "low" {
		return
	}
	for i := range s.marks {
		m := &s.marks[i]
		if !m.isUse || m.path == s.path {
			continue
		}
		listed := false
		for _, f := range append(slices.Clone(a.Confirmation.Must), a.Confirmation.Should...) {
			listed = listed || f.Path == m.path
		}
		if !listed {
			r.fault(falseNone, "impact %s: risk %s without %s", s.name, a.Summary.Risk, m.path)
			return
		}
	}
}
