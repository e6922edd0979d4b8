package op

import (
	"cmp"
	"fmt"
	"slices"

	"ken/internal/code"
	"ken/internal/delivery/render"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

func textRefs(t *operation.Text, in *refsInput, a *refsAnswer) error {
	switch {
	case a.Total > 0 && in.Tier == tierDropped:
		t.Line("something else than %s is meant by %s of its name: %s", targetsText(a.Targets), t.Bold(operation.Plural(a.Total, "use")), byCount(a.Reasons))
	case a.Total > 0:
		t.Line("%s to %s: %s%s", t.Bold(operation.Plural(a.Total, "reference")), targetsText(a.Targets), byTier(a.Confidences),
			render.CompletenessRemark(a.Dropped, a.Settled))
	default:
		render.WriteUnused(t, a.Absence)
		return nil
	}
	list := slices.Clone(a.References)
	slices.SortFunc(list, func(x, y Reference) int { return cmp.Compare(x.rank, y.rank) })
	list = cutForText(list, in.Limit)
	if n := len(list) - a.ambiguous(list); in.Limit == nil && in.Tier == "" && n+maxAmbiguous < len(list) {
		list = list[:n+maxAmbiguous]
	}
	writeReferences(t, list, len(a.Targets) > 1, !in.NoLines)
	t.More("", a.Total-len(list))
	if len(a.Implementers) > 0 {
		t.Heading("implemented by")
		impls := cutForText(a.Implementers, in.Limit)
		for i := range impls {
			t.Line("%s  %s", pathLine(impls[i].Path, impls[i].Line), impls[i].Qualified)
		}
		t.More("", len(a.Implementers)-len(impls))
	}
	return nil
}

// maxAmbiguous is the number of ambiguous references that text lists: the others are counted.
const maxAmbiguous = 5

// ambiguous returns the number of references at the end of a list that are ambiguous.
func (a *refsAnswer) ambiguous(list []Reference) int {
	n := 0
	for n < len(list) && list[len(list)-1-n].Verdict == code.Ambiguous.String() {
		n++
	}
	return n
}

// writeReferences writes references grouped by target, if there are several, and
// by file. Groups come in the order of their first members, so that the surest
// come first; the lines of a file are in order.
func writeReferences(t *operation.Text, list []Reference, byTarget, lines bool) {
	type group struct {
		target string
		path   operation.Path
	}
	of := func(r *Reference) group {
		if byTarget && r.Reason == "" {
			return group{fmt.Sprintf("%s (%s)", r.Target, pathLine(r.TargetPath, r.TargetLine)), r.Path}
		}
		return group{path: r.Path}
	}
	targets, groups, place := map[string]int{}, map[group]int{}, 0
	for i := range list {
		g := of(&list[i])
		if _, ok := targets[g.target]; !ok {
			targets[g.target] = i
		}
		if _, ok := groups[g]; !ok {
			groups[g] = place
			place++
		}
	}
	slices.SortStableFunc(list, func(x, y Reference) int {
		gx, gy := of(&x), of(&y)
		return cmp.Or(targets[gx.target]-targets[gy.target], groups[gx]-groups[gy], cmp.Compare(x.Start, y.Start))
	})
	last := group{}
	for i := range list {
		g := of(&list[i])
		if g.target != last.target {
			t.Heading("to %s", g.target)
		}
		if g != last {
			t.Line("%s", g.path)
		}
		last = g
		writeReference(t, &list[i], lines)
	}
}

func writeReference(t *operation.Text, r *Reference, lines bool) {
	t.Printf("  %d  %s", r.Line, r.Kind)
	if r.In != "" {
		t.Printf("  in %s", r.In)
	}
	t.Printf("  %s", t.Dim("["+tierText(r)+"]"))
	if lines && r.line != "" {
		t.Printf("  %s", operation.Escape(r.line))
	}
	t.Line("")
}

// tierText returns the confidence of a reference and what confirmed it, or why it was dropped.
func tierText(r *Reference) string {
	switch {
	case r.Reason != "" && r.Target != "":
		return fmt.Sprintf("%s: %s (%s)", r.Reason, r.Target, pathLine(r.TargetPath, r.TargetLine))
	case r.Reason != "":
		return r.Reason
	case r.Through != "":
		return view.VerdictThrough + " " + r.Through
	case r.By == view.ByInterface:
		return r.Confidence + ", through an interface"
	case r.By != "":
		return r.Confidence + " by " + r.By
	}
	return r.Confidence
}

// targetsText names the definitions that are meant: the only one, or their number.
func targetsText(list []Symbol) string {
	switch len(list) {
	case 0:
		return "nothing"
	case 1:
		return fmt.Sprintf("%s %s (%s)", list[0].Kind, list[0].Qualified, pathLine(list[0].Path, list[0].Line))
	}
	return fmt.Sprintf("%s of %s", operation.Plural(len(list), "definition"), list[0].Name)
}
