package op

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/delivery/memories"
	"ken/internal/delivery/render"
	"ken/internal/operation"
)

// impactLimit is the number of entries of each list that text shows.
const impactLimit = 12

func textImpact(t *operation.Text, in *impactInput, a *impactAnswer) error {
	if len(a.Targets) == 0 {
		return nil
	}
	limit := in.Limit
	if limit == nil {
		n := impactLimit
		limit = &n
	}
	t.Line("%s %s: %s", t.Bold("risk"), t.Bold(a.Summary.Risk), a.Summary.Reason)
	writeImpactHead(t, in, a)
	writeRemoved(t, a, limit)
	writeReasoned(t, "must verify", a.Confirmation.Must, a.Confirmation.MustTotal, limit)
	writeRelatives(t, a.References.Behind, limit)
	writeReasoned(t, "tests", a.Tests, a.Summary.Tests, limit)
	writeLikely(t, a.Likely, limit)
	writeReasoned(t, "should verify", otherChecks(a), len(otherChecks(a)), limit)
	writeMentioned(t, &a.Documents, limit)
	writeNothingRefers(t, a)
	memories.WriteRows(t, a.Known)
	if len(a.Cuts) > 0 {
		t.Line("%s", t.Dim("not looked at: "+strings.Join(a.Cuts, "; ")))
	}
	return nil
}

// writeImpactHead writes the target and the extent of the effects of a change.
func writeImpactHead(t *operation.Text, in *impactInput, a *impactAnswer) {
	what := string(a.Targets[0].Path)
	switch {
	case in.Diff:
		what = operation.Plural(len(a.Targets), "changed file") + ", " + operation.Plural(len(a.Symbols), "symbol")
	case len(a.Symbols) > 0 && len(a.Targets) == 1:
		what = targetsText(a.Symbols)
	case len(a.Targets) > 1:
		what = operation.Plural(len(a.Targets), "file")
	}
	t.Printf("%s: %s in %s", what, operation.Plural(a.References.Total, "reference"), operation.Plural(a.References.Files, "file"))
	if a.Mode != "standard" {
		t.Printf("; pure markup, nothing must be verified")
	}
	if a.References.Total > 0 {
		t.Printf("; %s of what was looked at resolved", render.Resolved(a.Share, a.Settled))
	}
	t.Line("")
}

// writeReasoned writes files with the reasons why they are listed.
func writeReasoned(t *operation.Text, head string, list []ReasonedFile, total int, limit *int) {
	if len(list) == 0 {
		return
	}
	t.Heading("%s (%d)", head, total)
	for _, r := range firstN(list, limit) {
		if r.Line > 0 {
			t.Line("  %s  %s", pathLine(r.Path, r.Line), t.Dim(r.Reason))
		} else {
			t.Line("  %s  %s", r.Path, t.Dim(r.Reason))
		}
	}
	t.More("  ", total-len(firstN(list, limit)))
}

// writeRemoved writes the declarations that the diff removed and who still uses
// them. Uses that may be of another declaration with that name are only counted.
func writeRemoved(t *operation.Text, a *impactAnswer, limit *int) {
	var used []ImpactRemoved
	for _, r := range a.References.Removed {
		if len(r.Users) > 0 {
			used = append(used, r)
		}
	}
	if len(used) == 0 {
		return
	}
	t.Heading("removed or renamed and still used (%d)", len(used))
	for _, r := range firstN(used, limit) {
		t.Line("  %s %s of %s", r.Kind, r.Name, r.Path)
		sure := slices.IndexFunc(r.Users, func(u ImpactReference) bool { return parseConfidence(u.Confidence) == code.Ambiguous })
		if sure < 0 {
			sure = len(r.Users)
		}
		list := firstN(r.Users[:sure], limit)
		for i := range list {
			u := &list[i]
			t.Printf("    %s  %s", pathLine(u.Path, u.Line), u.How)
			if u.In != "" {
				t.Printf("  in %s", u.In)
			}
			t.Line("  %s", t.Dim("["+u.Confidence+"]"))
		}
		t.More("    ", sure-len(list))
		if n := len(r.Users) - sure; n > 0 {
			t.Line("    %s may mean it or another of that name (--json)", operation.Plural(n, "further use"))
		}
	}
	t.More("  ", len(used)-len(firstN(used, limit)))
}

func writeRelatives(t *operation.Text, list []ImpactRelative, limit *int) {
	if len(list) == 0 {
		return
	}
	t.Heading("behind interfaces (%d)", len(list))
	for _, b := range firstN(list, limit) {
		t.Line("  %s  %s %s %s %s", pathLine(b.Path, b.Line), b.Kind, b.Name, relationWords[b.Relation], b.Of)
	}
	t.More("  ", len(list)-len(firstN(list, limit)))
}

// relationWords are the words that text puts between two related declarations.
var relationWords = map[string]string{"implements": "implements", "overrides": "overrides", "interface": "is implemented by", "holds": "may hold it as"}

// writeLikely writes the list of files likely to change; files that change together are part of its reasons.
func writeLikely(t *operation.Text, list []LikelyFile, limit *int) {
	if len(list) == 0 {
		return
	}
	t.Heading("likely to change with it (%d)", len(list))
	for _, f := range firstN(list, limit) {
		t.Line("  %s  %s", f.Path, t.Dim(strings.Join(f.Why, ", ")))
	}
	t.More("  ", len(list)-len(firstN(list, limit)))
}

// otherChecks returns the files to verify that are in no other list of the text.
func otherChecks(a *impactAnswer) []ReasonedFile {
	listed := map[operation.Path]bool{}
	for _, r := range a.Tests {
		listed[r.Path] = true
	}
	for _, f := range a.Likely {
		listed[f.Path] = true
	}
	for _, m := range a.Documents.Files {
		listed[m.Path] = true
	}
	for _, b := range a.References.Behind {
		listed[b.Path] = true
	}
	var out []ReasonedFile
	for _, r := range a.Confirmation.Should {
		if !listed[r.Path] || strings.HasPrefix(r.Reason, "named alike") && !strings.HasSuffix(r.Reason, "tests") {
			out = append(out, r)
		}
	}
	return out
}

func writeMentioned(t *operation.Text, m *render.Mentions, limit *int) {
	if len(m.Files) == 0 {
		return
	}
	t.Heading("documents that mention it (%d)", m.Total)
	for _, f := range firstN(m.Files, limit) {
		t.Printf("  %s", f.Path)
		if len(f.Samples) > 0 {
			t.Printf(":%d", f.Samples[0].Line)
		}
		t.Line("  %s", t.Dim(strings.Join(f.Keywords, ", ")+" ("+operation.Group(f.Matches)+")"))
	}
	t.More("  ", m.Total-len(firstN(m.Files, limit)))
}

// writeNothingRefers writes the evidence for "nothing refers to it".
func writeNothingRefers(t *operation.Text, a *impactAnswer) {
	if a.Absence != nil {
		t.Heading("references")
		render.WriteUnused(t, a.Absence)
	}
}
