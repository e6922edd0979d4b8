// Package impact determines the impact of a change: uses of the changed code (references.go), files with a related name
// (ask/filename), documents that mention it (mentions.go), and files that are likely to change with it (likely.go, signals.go). Its
// facts come from ask/diff and ask/refs.
package impact

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"ken/internal/ask/diff"
	"ken/internal/ask/filename"
	"ken/internal/ask/impact/describe"
	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// ImpactQuery describes a change of files or symbols, and the parts of its impact to determine.
type ImpactQuery struct {
	Targets []view.Target
	Change  string // description of the change; may be empty
	Depth   int    // steps of static references that are listed; 0 means 1
	// Diff is an existing change. Its symbols and files are targets,
	// and its files are not among those to verify.
	Diff []diff.ChangedFile
	// Documents selects the documents that are searched for mentions; nil selects all.
	Documents func(path string) bool
	// Described asks for the documents that describe the targets, too.
	Described bool
}

// Impact is everything that a change of the targets may affect.
type Impact struct {
	Relaxed bool          // all targets are pure markup, so that nothing must be verified
	Files   []string      // that hold the targets, sorted
	Symbols []view.Symbol // targets, or the symbols that a diff changed, by path and line
	Removed []Removed

	Uses       view.References // of Symbols, as refs.References returns them
	Refs       []ImpactRef     // static references, those most likely to break first
	RefFiles   int             // files they are in
	Reached    []int           // number of files first reached at depth 1, 2, … over file edges; symbols count as their files
	Relatives  []refs.Relative
	Tests      []ImpactTest
	Companions []filename.Companion
	Mentions   Mentions
	Described  []Described // documents that describe the targets, if they were asked for, most lines first
	Together   []view.CoChange
	Likely     []ImpactFile // files likely to change with the targets, best first
	// ResolvedShare is the share (0–1) of the references looked at that could be resolved.
	ResolvedShare float64
	Cuts          []string // parts that were left out, with the reason
}

// ImpactRef is a use of a target.
type ImpactRef struct {
	Path       string
	Line       uint32 // 0 if not looked up
	In         string // qualified name of the symbol around it
	Target     string // qualified name of the symbol used; "" if the file is
	How        string // kind of the reference, or relation between files
	Uses       int    // references found in that file, 0 if not counted
	Depth      int
	Confidence code.Confidence
	By         string // as in view.Reference
	Test       bool
}

// ImpactTest is a test that covers a target.
type ImpactTest struct {
	Path   string
	Line   uint32 // of the first reference, 0 if there is none
	Reason string
	Steps  int // from the test to the target, 1 or 0 if it uses it directly
}

// Limits of the work for one impact.
const (
	maxImpactSymbols = 200 // symbols of a diff whose references are looked up
	maxImpactFiles   = 100 // files of a diff whose companions are looked up
	maxUsesFiles     = 40  // dependents in which uses are counted
	maxUsesNames     = 60  // declarations of a file whose uses are counted
)

// Of returns the impact of a change. It returns an error if the index, the history or a text cannot be read, or if ctx ends; the
// answer is incomplete then.
func Of(ctx context.Context, s *view.Snapshot, q ImpactQuery) (Impact, error) {
	x := &impactSearch{s: s, q: q, out: Impact{ResolvedShare: 1}, changed: map[string]bool{}}
	x.targets()
	defer func() {
		if x.found != nil {
			x.found.end()
		}
	}()
	for _, step := range []func(context.Context) error{
		x.references, x.deeper, x.findRemoved, x.searchMentions, x.hierarchy, x.reach,
		x.tests, x.companions, x.together, x.likely, x.mentions,
	} {
		if err := step(ctx); err != nil {
			return x.out, err
		}
	}
	return x.out, s.Lookup.Err
}

type impactSearch struct {
	s       *view.Snapshot
	q       ImpactQuery
	out     Impact
	files   []string        // targets as a whole
	changed map[string]bool // files of the diff
	found   *mentionSearch  // runs beside the other steps
}

func (x *impactSearch) cut(what string) {
	if !slices.Contains(x.out.Cuts, what) {
		x.out.Cuts = append(x.out.Cuts, what)
	}
}

// targets collects the files and symbols that the query names or its diff changed.
func (x *impactSearch) targets() {
	paths := map[string]bool{}
	for _, t := range x.q.Targets {
		if t.File != "" {
			x.files = append(x.files, t.File)
			paths[t.File] = true
		}
		for i := range t.Symbols {
			x.out.Symbols = append(x.out.Symbols, t.Symbols[i])
			if !x.isAnnouncement(&t.Symbols[i]) || len(t.Symbols) == 1 {
				paths[t.Symbols[i].Path] = true
			}
		}
	}
	for i := range x.q.Diff {
		f := &x.q.Diff[i]
		x.changed[f.Path], paths[f.Path] = true, true
		if f.Old != "" {
			x.changed[f.Old] = true
		}
		code := false
		for j := range f.Symbols {
			if !f.Symbols[j].Kind.IsText() {
				x.out.Symbols, code = append(x.out.Symbols, f.Symbols[j]), true
			}
		}
		if n, ok := x.s.Lookup.Node(f.Path); ok && !code && f.Status != diff.DiffAdded && !isCode(n.Lang) { // data, markup: who reads the file
			x.files = append(x.files, f.Path)
		}
	}
	for p := range paths {
		x.out.Files = append(x.out.Files, p)
	}
	slices.Sort(x.out.Files)
	x.out.Relaxed = len(x.out.Files) > 0 && !slices.ContainsFunc(x.out.Files, func(p string) bool { return !lang.IsMarkup(p) })
	slices.SortStableFunc(x.out.Symbols, func(a, b view.Symbol) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Span.Start, b.Span.Start))
	})
	if n := len(x.out.Symbols); n > maxImpactSymbols {
		x.out.Symbols = x.out.Symbols[:maxImpactSymbols]
		x.cut("references of the first 200 symbols only")
	}
}

// isAnnouncement reports whether a target only announces, outside of a header, what another file defines: that file uses it.
func (x *impactSearch) isAnnouncement(t *view.Symbol) bool {
	n, _ := x.s.Lookup.Node(t.Path)
	return lang.Of(n.Lang).Prototypes && strings.HasSuffix(t.Signature, ";") && !graph.IsHeader(t.Path)
}

// isCode reports whether declarations of a language are referred to by name.
func isCode(l code.Lang) bool {
	return l != "" && !lang.Of(l).WholeFiles
}

// tests collects the tests that cover the targets: tests that refer to them, tests that reach their files, perhaps through others,
// and tests that are named after them.
func (x *impactSearch) tests(ctx context.Context) error {
	at := map[string]int{}
	add := func(t ImpactTest) {
		if i, ok := at[t.Path]; ok {
			if x.out.Tests[i].Line == 0 {
				x.out.Tests[i].Line = t.Line
			}
			return
		}
		at[t.Path] = len(x.out.Tests)
		x.out.Tests = append(x.out.Tests, t)
	}
	for i := range x.out.Refs {
		r := &x.out.Refs[i]
		if !r.Test || r.Depth > 1 || r.Confidence == code.Ambiguous {
			continue
		}
		if f, err := x.s.File(ctx, r.Path); err != nil {
			return err
		} else if run, err := refs.RunAsTest(x.s, &f); err != nil {
			return err
		} else if run {
			add(ImpactTest{Path: r.Path, Line: r.Line, Reason: r.why()})
		}
	}
	var untested []string
	for _, p := range x.out.Files[:min(len(x.out.Files), maxImpactFiles)] {
		if n, ok := x.s.Lookup.Node(p); !ok {
			continue
		} else if n.Test {
			add(ImpactTest{Path: p, Reason: "is changed itself"})
			continue
		}
		untested = append(untested, p)
	}
	if len(x.out.Tests) > 0 && len(x.files) == 0 { // tests that use the symbols are more specific than those of their file
		return nil
	}
	list, err := refs.Tests(ctx, x.s, untested...)
	for i := range list {
		t := &list[i]
		reason := "tests " + t.Of
		if t.Steps > 1 {
			reason = fmt.Sprintf("reaches %s in %d steps, through %s", t.Of, t.Steps, t.Through)
		}
		add(ImpactTest{Path: t.File.Path, Reason: reason, Steps: t.Steps})
	}
	return err
}

func (x *impactSearch) companions(ctx context.Context) error {
	files := x.out.Files
	if len(files) > maxImpactFiles {
		files = files[:maxImpactFiles]
		x.cut("companions of the first 100 files only")
	}
	list, err := filename.Companions(ctx, x.s, files)
	seen := map[string]bool{}
	for _, c := range list {
		if !seen[c.Path] && !slices.Contains(x.out.Files, c.Path) {
			seen[c.Path] = true
			x.out.Companions = append(x.out.Companions, c)
		}
	}
	x.ownTests()
	return err
}

// ownTests puts the tests that are named after the targets before the others.
func (x *impactSearch) ownTests() {
	var own []ImpactTest
	for _, c := range x.out.Companions {
		if c.Kind != filename.CompanionTest {
			continue
		}
		t := ImpactTest{Path: c.Path, Reason: "is named for " + c.Of}
		if i := slices.IndexFunc(x.out.Tests, func(t ImpactTest) bool { return t.Path == c.Path }); i >= 0 {
			t = x.out.Tests[i]
			t.Reason = "is named for " + c.Of + ", " + t.Reason
			x.out.Tests = slices.Delete(x.out.Tests, i, i+1)
		}
		own = append(own, t)
	}
	x.out.Tests = append(own, x.out.Tests...)
}

// maxTogether is the number of files listed that changed together with the targets.
const maxTogether = 20

// together finds the files that changed together with the targets in the past. It ignores files with only one common commit.
func (x *impactSearch) together(ctx context.Context) error {
	list, err := x.s.CoChangedAll(ctx, x.out.Files[:min(len(x.out.Files), maxImpactFiles)], 2*maxTogether+len(x.out.Files))
	list = slices.DeleteFunc(list, func(c view.CoChange) bool { return c.Together < 2 || slices.Contains(x.out.Files, c.Path) })
	x.out.Together = list[:min(len(list), maxTogether)]
	return err
}

// Limits of the list of files that are likely to change.
const (
	maxLikely      = 20
	maxLikelySeeds = 3 // each is ranked by itself: 5–50 ms
	surelyLikely   = 10
	// leastLikely and leastLater are the least likelihoods, relative to the
	// first file, of the first surelyLikely files and of those after them.
	leastLikely, leastLater = 0.001, 0.05
)

// likely ranks the files that are likely to change with the targets. If there are many targets, it uses those with the most dependents.
func (x *impactSearch) likely(ctx context.Context) error {
	seeds := slices.Clone(x.out.Files)
	if len(seeds) > maxLikelySeeds {
		x.cut("likely files of the 3 targets most depended on only")
		by := map[string]uint32{}
		for _, p := range seeds[:min(len(seeds), maxImpactFiles)] {
			f, _, err := x.s.Index.FileByPath(p)
			if err != nil {
				return err
			}
			by[p] = f.Dependents
		}
		slices.SortStableFunc(seeds, func(a, b string) int { return cmp.Compare(by[b], by[a]) })
		seeds = seeds[:maxLikelySeeds]
	}
	list, err := ImpactFiles(ctx, x.s, seeds, maxLikely+len(x.out.Files))
	for _, f := range list {
		least := leastLikely
		if len(x.out.Likely) >= surelyLikely {
			least = leastLater
		}
		if f.Score >= least && !slices.Contains(x.out.Files, f.Path) && len(x.out.Likely) < maxLikely {
			x.out.Likely = append(x.out.Likely, f)
		}
	}
	return err
}

// searchMentions starts a search of the documents for the keywords of the change. It runs while other parts are computed.
func (x *impactSearch) searchMentions(ctx context.Context) (err error) {
	described, err := x.describedNames(ctx)
	if err == nil {
		x.found, err = searchMentions(ctx, x.s, Keywords(x.q.Change, x.keywords(), x.out.Files), described, x.out.Files, x.q.Documents)
	}
	return err
}

// mentions waits for the search of the documents and stores its results.
func (x *impactSearch) mentions(ctx context.Context) error {
	list, err := x.found.wait(ctx)
	list.Files = slices.DeleteFunc(list.Files, func(m Mentioning) bool { return slices.Contains(x.out.Files, m.Path) })
	if list.Left > 0 {
		x.cut(fmt.Sprintf("%s, beyond the bounds on text", plural(list.Left, "document")))
	}
	x.out.Mentions = list
	x.out.Described = slices.DeleteFunc(x.found.described, func(d Described) bool { return slices.Contains(x.out.Files, d.Path) })
	slices.SortFunc(x.out.Described, func(a, b Described) int { return cmp.Or(len(b.Lines)-len(a.Lines), cmp.Compare(a.Path, b.Path)) })
	return err
}

// keywords returns the names of the target symbols that are not too short or general, and of the removed declarations. For a target
// file it returns some names that it declares and that cannot be words of prose.
func (x *impactSearch) keywords() []string {
	var out []string
	for i := range x.out.Symbols {
		s := &x.out.Symbols[i]
		telling := len(s.Name) > describe.MaxCommon && !filename.IsGeneric(s.Name)
		if !s.Kind.IsText() && (telling || describe.IsTerm(s.Name)) {
			out = append(out, s.Name)
		}
	}
	for i := range x.out.Removed {
		out = append(out, x.out.Removed[i].Symbol.Name)
	}
	for _, p := range x.files {
		n, ok := x.s.Lookup.Node(p)
		if !ok {
			continue
		}
		names, err := x.topNames(n.ID)
		if err != nil {
			return out
		}
		k := 0
		for _, name := range names {
			if describe.IsTerm(name) && k < MaxKeywords/2 {
				out = append(out, name)
				k++
			}
		}
	}
	return out
}
