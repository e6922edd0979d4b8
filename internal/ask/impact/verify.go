package impact

import (
	"cmp"
	"fmt"
	"slices"
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
		if t.Steps <= 1 { // a test that gets there through other files tests those
			v.should(t.Path, "test: "+t.Reason)
		}
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

// Evidence is how far it can be trusted that nothing refers to the targets, or nothing but what was found; unused.Absence is one.
type Evidence interface {
	Conclusive() bool
	// Reason returns why it is not conclusive.
	Reason() string
	Exported() bool
	HasUnseenUses() bool
}

// Risk returns the risk of a change, "none found", "could not tell", "low",
// "moderate" or "high", with the reason. It counts files that must be verified (high
// from 16, moderate from 4), and is one step higher if no test covers used code. A
// removed declaration that is still used is the highest risk, because that code does
// not work any more. It is "none found" or "low" only if it is proven that nothing else
// refers to the targets. e may be nil, which proves nothing.
func (i *Impact) Risk(e Evidence) (level, why string) {
	if n, files := i.countBroken(); n > 0 {
		return "high", fmt.Sprintf("%s removed or renamed and still used in %s", plural(n, "declaration"), plural(files, "file"))
	}
	must, _ := i.Verify()
	direct, possible := 0, 0
	for n := range i.Refs {
		if i.Refs[n].Depth <= 1 {
			direct++
			possible += refs.BoolToInt(i.Refs[n].Confidence == code.Ambiguous)
		}
	}
	switch {
	case len(must) > 0:
		return i.riskOfUsers(e, len(must))
	case possible > 0 && !i.Relaxed:
		return couldNotTell, fmt.Sprintf("%s may mean it, and nothing decides which of them do", plural(possible, "use"))
	case direct > 0:
		why = "only its own file uses it"
		if slices.ContainsFunc(i.Refs, func(r ImpactRef) bool { return r.Test }) {
			why = "only tests and its own file use it"
		}
		return ifProven(e, "low", why+i.reached())
	case e == nil || !e.Conclusive():
		return couldNotTell, "nothing is seen to refer to it, but a use may be where it is not seen"
	case e.Exported():
		return "low", "nothing in the repository refers to it, but code outside can" + i.reached()
	case e.HasUnseenUses():
		return "low", "nothing refers to it, but it may be used in ways that leave no reference" + i.reached()
	case len(i.Reached) > 0:
		return "low", "nothing refers to it" + i.reached()
	}
	return "none found", "nothing depends on it"
}

const couldNotTell = "could not tell"

// riskOfUsers returns the risk if some files must be verified.
func (i *Impact) riskOfUsers(e Evidence, must int) (level, why string) {
	levels := [...]string{"low", "moderate", "high"}
	at := 0
	if must >= 4 {
		at = 1
	}
	if must >= 16 {
		at = 2
	}
	why = plural(must, "file") + " must be verified" + i.reached()
	if len(i.Tests) == 0 {
		at, why = min(at+1, 2), why+", no test found"
	}
	return ifProven(e, levels[at], why)
}

// reached returns how many files depend on the files of the targets, for a reason.
func (i *Impact) reached() string {
	all := 0
	for _, n := range i.Reached {
		all += n
	}
	if all == 0 {
		return ""
	}
	depend := "depend"
	if all == 1 {
		depend = "depends"
	}
	return fmt.Sprintf("; %s %s on the file of the target in up to %s", plural(all, "file"), depend, plural(len(i.Reached), "step"))
}

// ifProven returns a level and its reason, or that it could not be told if the level is
// lower than moderate and more may refer to the targets than was found.
func ifProven(e Evidence, level, why string) (string, string) {
	switch {
	case level == "moderate" || level == "high" || e != nil && e.Conclusive():
		return level, why
	case e == nil:
		return couldNotTell, why + ", but more may use it"
	}
	return couldNotTell, why + ", but more may use it: " + e.Reason()
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
