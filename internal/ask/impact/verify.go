package impact

import (
	"cmp"
	"fmt"
	"strings"

	"ken/internal/ask/refs"
	"ken/internal/code"
)

// Verify is a file to look at before a change is finished, with the reason.
type Verify struct {
	Path   string
	Reason string
}

// togetherEnough is the least score for changing together at which a file is worth a look.
const togetherEnough = 0.25

// Verify returns the files that must be looked at, which surely or very likely use
// the targets, and those that should be: tests, companions, files that usually
// change with the targets, and documents that mention them. Each file is listed once,
// and files that are changed anyway are left out. For pure markup must is empty.
func (i *Impact) Verify() (must, should []Verify) {
	v := verifier{taken: map[string]bool{}}
	for _, p := range i.Files {
		v.taken[p] = true
	}
	for k := range i.Removed {
		r := &i.Removed[k]
		for n := range r.Users {
			if r.Users[n].Confidence > code.Ambiguous {
				v.must(r.Users[n].Path, "uses "+r.Symbol.Qualified+", which "+r.describe())
			}
		}
	}
	for n := range i.Refs {
		if r := &i.Refs[n]; r.Depth == 1 && !r.Test && r.Confidence > code.Ambiguous && r.How != code.RelMentions.String() {
			v.must(r.Path, r.why())
		}
	}
	for n := range i.Relatives {
		if b := &i.Relatives[n]; b.Relation != refs.RelativeHolds {
			v.must(b.Path, why(b))
		}
	}
	for _, t := range i.Tests {
		v.should(t.Path, "test: "+t.Reason)
	}
	for n := range i.Companions {
		v.should(i.Companions[n].Path, "named alike: "+i.Companions[n].Kind)
	}
	for n := range i.Relatives {
		v.should(i.Relatives[n].Path, why(&i.Relatives[n]))
	}
	for _, c := range i.Together {
		if c.Score >= togetherEnough {
			v.should(c.Path, fmt.Sprintf("changed together in %d of its %s", c.Together, plural(c.Commits, "commit")))
		}
	}
	for _, m := range i.Mentions.Files {
		v.should(m.Path, "document that mentions "+strings.Join(m.Keywords, ", "))
	}
	for n := range i.Refs {
		v.should(i.Refs[n].Path, i.Refs[n].why())
	}
	for k := range i.Removed {
		r := &i.Removed[k]
		for n := range r.Users {
			v.should(r.Users[n].Path, "may use "+r.Symbol.Qualified+", which "+r.describe())
		}
	}
	if i.Relaxed {
		return nil, append(v.musts, v.shoulds...)
	}
	return v.musts, v.shoulds
}

type verifier struct {
	taken          map[string]bool
	musts, shoulds []Verify
}

func (v *verifier) must(p, why string) {
	if !v.taken[p] {
		v.taken[p] = true
		v.musts = append(v.musts, Verify{p, why})
	}
}

func (v *verifier) should(p, why string) {
	if !v.taken[p] {
		v.taken[p] = true
		v.shoulds = append(v.shoulds, Verify{p, why})
	}
}

// why describes how a reference connects its file to the target.
func (r *ImpactRef) why() string {
	what := cmp.Or(r.Target, "it")
	switch {
	case r.Depth > 1:
		return fmt.Sprintf("reached in %d steps", r.Depth)
	case r.How == "call":
		what = "calls " + what
	case r.How == "inherit", r.How == "extends":
		what = "inherits from " + what
	case r.How == "implement", r.How == "implements":
		what = "implements " + what
	case r.How == "decorate":
		what = "is decorated with " + what
	case r.How == "generated_from":
		what = "is generated from it"
	case r.Target == "":
		what = r.How + " it"
	default:
		what = "uses " + what
	}
	if r.Uses > 1 {
		what += fmt.Sprintf(" (%d uses)", r.Uses)
	}
	if r.Confidence == code.Ambiguous {
		what += " (one of several of that name)"
	}
	return what
}

func why(b *refs.Relative) string {
	switch b.Relation {
	case refs.RelativeImplements:
		return b.Qualified + " implements " + b.Of
	case refs.RelativeOverrides:
		return b.Qualified + " overrides " + b.Of
	case refs.RelativeInterface:
		return b.Of + " is used as " + b.Qualified
	}
	return b.Qualified + " may hold it as " + b.Of
}

// Evidence is how far "nothing refers to it" can be trusted; unused.Absence is one.
type Evidence interface {
	Conclusive() bool
	HasUnseenUses() bool
}

// Risk returns the risk of a change, "none found", "could not tell", "low",
// "moderate" or "high", with the reason. It counts files that must be verified (high
// from 16, moderate from 4), and is one step higher if no test covers used code. A
// removed declaration that is still used is the highest risk, because that code does
// not work any more. e is nil if something refers to the targets.
func (i *Impact) Risk(e Evidence) (level, why string) {
	if n, files := i.countBroken(); n > 0 {
		return "high", fmt.Sprintf("%s removed or renamed and still used in %s", plural(n, "declaration"), plural(files, "file"))
	}
	must, _ := i.Verify()
	all := 0
	for _, n := range i.Reached {
		all += n
	}
	possible := 0
	for n := range i.Refs {
		if i.Refs[n].Confidence == code.Ambiguous && i.Refs[n].Depth <= 1 {
			possible++
		}
	}
	if len(must) == 0 && possible > 0 && !i.Relaxed {
		return "could not tell", fmt.Sprintf("%s may mean it, and nothing decides which of them do", plural(possible, "use"))
	}
	if len(must) == 0 && all == 0 {
		switch {
		case e != nil && !e.Conclusive():
			return "could not tell", "nothing is seen to refer to it, but a use may be where it is not seen"
		case e != nil && e.HasUnseenUses():
			return "low", "nothing refers to it, but it may be used in ways that leave no reference"
		}
		return "none found", "nothing depends on it"
	}
	levels := [...]string{"low", "moderate", "high"}
	at := 0
	if len(must) >= 4 {
		at = 1
	}
	if len(must) >= 16 {
		at = 2
	}
	why = fmt.Sprintf("%s must be verified", plural(len(must), "file"))
	if all > len(must) {
		why += fmt.Sprintf(", %s reached in up to %s", plural(all, "file"), plural(len(i.Reached), "step"))
	}
	if len(i.Tests) == 0 && len(must) > 0 {
		at, why = min(at+1, 2), why+", no test found"
	}
	return levels[at], why
}

// countBroken counts the removed declarations that are surely still used, and the files of those uses.
func (i *Impact) countBroken() (n, files int) {
	in := map[string]bool{}
	for k := range i.Removed {
		r := &i.Removed[k]
		if !r.IsUsed() {
			continue
		}
		n++
		for u := range r.Users {
			if r.Users[u].Confidence > code.Ambiguous {
				in[r.Users[u].Path] = true
			}
		}
	}
	return n, len(in)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
