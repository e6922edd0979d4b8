package fleet

import (
	"strings"

	"ken/internal/operation"
)

// textLimit is the number of rows that text shows without --limit.
const textLimit = 100

func text(t *operation.Text, in *input, a *answer) error {
	left := textLimit
	if in.Limit != nil {
		left = *in.Limit
	}
	if left == 0 {
		left = a.Total
	}
	if in.Diff != "" {
		t.Line("%s of packages changed", operation.Plural(len(a.Changed), "exported symbol"))
	}
	for i := 0; i < min(left, len(a.Users)); i++ {
		writeUser(t, "", &a.Users[i])
	}
	for i := 0; i < min(left, len(a.Needs)); i++ {
		writeNeed(t, &a.Needs[i])
	}
	for i := 0; i < min(left, len(a.Reached)); i++ {
		r := &a.Reached[i]
		t.Printf("hop %d  ", r.Hop)
		writeUser(t, r.Via, &r.userRow)
	}
	if a.Total > left {
		t.Line("%d more; --limit 0 lists all", a.Total-left)
	}
	writeCoverage(t, in, a)
	return nil
}

func writeUser(t *operation.Text, via string, u *userRow) {
	t.Printf("%s  %s:%s", t.Bold(u.Repository), u.Manager, u.Package)
	if len(u.Versions) > 0 {
		t.Printf(" %s", strings.Join(u.Versions, ", "))
	}
	if u.Symbol != "" {
		t.Printf("  %s", u.Symbol)
	}
	if u.Module != "" && u.Module != u.Package {
		t.Printf(" from %s", u.Module)
	}
	t.Printf("  %s", operation.Plural(u.Uses, "use"))
	if u.Files > 1 {
		t.Printf(" in %s", operation.Plural(u.Files, "file"))
	}
	if u.Tier != "" {
		t.Printf("  %s", u.Tier)
	}
	if u.Through != "" {
		t.Printf("  passed on by %s", u.Through)
	}
	if via != "" {
		t.Printf("  via %s", via)
	}
	t.Line("")
	if len(u.Places) > 0 {
		t.Line("    %s", strings.Join(u.Places, " "))
	}
}

func writeNeed(t *operation.Text, n *needRow) {
	t.Printf("%s  %s:%s", t.Bold(n.Repository), n.Manager, n.Package)
	switch {
	case len(n.Locked) > 0:
		t.Printf("  locked %s", strings.Join(n.Locked, ", "))
	case n.Declared != "":
		t.Printf("  declared %s", n.Declared)
	default:
		t.Printf("  no version")
	}
	for _, w := range []struct {
		is   bool
		word string
	}{{n.Indirect, "indirect"}, {n.Dev, "for development"}, {n.Below == "unknown", "may be below"}} {
		if w.is {
			t.Printf("  %s", w.word)
		}
	}
	t.Line("  %s", n.Manifest)
}

// writeCoverage ends an answer with what it looked at and what it did not.
func writeCoverage(t *operation.Text, in *input, a *answer) {
	var read, other []*repositoryRow
	for i := range a.Repositories {
		r := &a.Repositories[i]
		if r.State == stateRead {
			read = append(read, r)
		} else {
			other = append(other, r)
		}
	}
	if len(a.Repositories) == 0 {
		t.Line("coverage: there is no repository in the folder")
		return
	}
	share := "no use of other packages"
	if a.External > 0 {
		share = operation.Group(a.Attributed) + " of " + operation.Group(a.External) + " uses of other packages attributed; " + operation.Group(a.Members) + " uses of members undecided"
	}
	t.Line("coverage: %d of %s read; %s", len(read), plural(len(a.Repositories)), share)
	lists := in.Name == "" && in.Package == "" && in.Diff == ""
	for _, r := range read {
		if !lists && r.Stale == "" && len(read) > 10 {
			continue // only what is wrong is told of each in a large folder
		}
		t.Printf("  %s  at %s", r.Name, short(r.Commit))
		if r.Stale != "" {
			t.Printf("  %s", r.Stale)
		}
		if lists && len(r.Packages) > 0 {
			t.Printf("  %s", strings.Join(r.Packages, " "))
		}
		t.Line("")
	}
	for _, r := range other {
		t.Line("  %s  not read: %s", r.Name, r.State)
	}
}

func plural(n int) string {
	if n == 1 {
		return "1 repository"
	}
	return operation.Group(n) + " repositories"
}

// short returns the first characters of the id of a commit.
func short(commit string) string {
	if commit == "" {
		return "no commit"
	}
	return commit[:min(len(commit), 12)]
}
