package tool

import "strings"

// impactLimit is how many entries of each list text shows.
const impactLimit = 12

func textImpact(t *Text, in *impactInput, a *impactAnswer) error {
	if len(a.Targets) == 0 {
		return nil
	}
	limit := in.Limit
	if limit == nil {
		n := impactLimit
		limit = &n
	}
	t.line("%s %s: %s", t.bold("risk"), t.bold(a.Summary.Risk), a.Summary.Reason)
	t.impactOf(in, a)
	t.removed(a, limit)
	t.reasoned("must verify", a.Confirmation.Must, a.Confirmation.MustTotal, limit)
	t.behind(a.References.Behind, limit)
	t.reasoned("tests", a.Tests, a.Summary.Tests, limit)
	t.likely(a.Likely, limit)
	t.reasoned("should verify", rest(a), len(rest(a)), limit)
	t.mentioned(&a.Documents, limit)
	t.absent(a)
	if len(a.Cuts) > 0 {
		t.line("%s", t.dim("not looked at: "+strings.Join(a.Cuts, "; ")))
	}
	return nil
}

// impactOf says what is asked about and how far it reaches.
func (t *Text) impactOf(in *impactInput, a *impactAnswer) {
	what := string(a.Targets[0].Path)
	switch {
	case in.Diff:
		what = plural(len(a.Targets), "changed file") + ", " + plural(len(a.Symbols), "symbol")
	case len(a.Symbols) > 0 && len(a.Targets) == 1:
		what = where(a.Symbols)
	case len(a.Targets) > 1:
		what = plural(len(a.Targets), "file")
	}
	t.write("%s: %s in %s", what, plural(a.References.Total, "reference"), plural(a.References.Files, "file"))
	if a.Mode != "standard" {
		t.write("; pure markup, nothing must be verified")
	}
	if a.References.Total > 0 {
		t.write("; %s resolved", percent(a.Share))
	}
	t.line("")
}

// reasoned writes files and why they are listed.
func (t *Text) reasoned(head string, list []Reasoned, total int, limit *int) {
	if len(list) == 0 {
		return
	}
	t.heading("%s (%d)", head, total)
	for _, r := range cut(list, limit) {
		if r.Line > 0 {
			t.line("  %s  %s", at(r.Path, r.Line), t.dim(r.Reason))
		} else {
			t.line("  %s  %s", r.Path, t.dim(r.Reason))
		}
	}
	t.more("  ", total-len(cut(list, limit)))
}

func (t *Text) removed(a *impactAnswer, limit *int) {
	var used []ImpactRemoved
	for _, r := range a.References.Removed {
		if len(r.Users) > 0 {
			used = append(used, r)
		}
	}
	if len(used) == 0 {
		return
	}
	t.heading("removed and still used (%d)", len(used))
	for _, r := range cut(used, limit) {
		t.line("  %s %s of %s: %s", r.Kind, r.Name, r.Path, at(r.Users[0].Path, r.Users[0].Line))
	}
	t.more("  ", len(used)-len(cut(used, limit)))
}

func (t *Text) behind(list []ImpactBehind, limit *int) {
	if len(list) == 0 {
		return
	}
	t.heading("behind interfaces (%d)", len(list))
	for _, b := range cut(list, limit) {
		t.line("  %s  %s %s %s %s", at(b.Path, b.Line), b.Kind, b.Name, behindWords[b.Relation], b.Of)
	}
	t.more("  ", len(list)-len(cut(list, limit)))
}

// behindWords read between a declaration and what it is tied to.
var behindWords = map[string]string{"implements": "implements", "overrides": "stands in for", "interface": "is what is used for", "holds": "may hold it as"}

// likely writes the fused list; what changes together is part of its reasons.
func (t *Text) likely(list []LikelyFile, limit *int) {
	if len(list) == 0 {
		return
	}
	t.heading("likely to change with it (%d)", len(list))
	for _, f := range cut(list, limit) {
		t.line("  %s  %s", f.Path, t.dim(strings.Join(f.Why, ", ")))
	}
	t.more("  ", len(list)-len(cut(list, limit)))
}

// rest is what should be verified and stands in no other list of the text.
func rest(a *impactAnswer) []Reasoned {
	told := map[Path]bool{}
	for _, r := range a.Tests {
		told[r.Path] = true
	}
	for _, f := range a.Likely {
		told[f.Path] = true
	}
	for _, m := range a.Documents.Files {
		told[m.Path] = true
	}
	for _, b := range a.References.Behind {
		told[b.Path] = true
	}
	var out []Reasoned
	for _, r := range a.Confirmation.Should {
		if !told[r.Path] || strings.HasPrefix(r.Reason, "named alike") && !strings.HasSuffix(r.Reason, "tests") {
			out = append(out, r)
		}
	}
	return out
}

func (t *Text) mentioned(m *DocumentMentions, limit *int) {
	if len(m.Files) == 0 {
		return
	}
	t.heading("documents that mention it (%d)", m.Total)
	for _, f := range cut(m.Files, limit) {
		t.write("  %s", f.Path)
		if len(f.Samples) > 0 {
			t.write(":%d", f.Samples[0].Line)
		}
		t.line("  %s", t.dim(strings.Join(f.Keywords, ", ")+" ("+group(f.Matches)+")"))
	}
	t.more("  ", m.Total-len(cut(m.Files, limit)))
}

// absent says what "nothing refers to it" rests on.
func (t *Text) absent(a *impactAnswer) {
	if a.Absence != nil {
		t.heading("references")
		t.absence(a.Absence)
	}
}
