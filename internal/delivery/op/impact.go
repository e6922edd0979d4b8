package op

import (
	"context"
	"math"
	"slices"

	"ken/internal/ask/diff"
	"ken/internal/ask/impact"
	"ken/internal/ask/unused"
	"ken/internal/code"
	"ken/internal/delivery/memories"
	"ken/internal/delivery/project"
	"ken/internal/delivery/render"
	"ken/internal/engine/view"
	"ken/internal/knowledge/essential"
	"ken/internal/operation"
)

type impactInput struct {
	Targets []string `arg:"[TARGET…]" help:"files, or symbols as in def; with --diff a revision: REV is compared with the working tree, A..B are two commits, A...B is what B changed since A"`
	Change  string   `flag:"change" value:"TEXT" help:"what is to be changed, in words: what it quotes and names is looked for in documents"`
	Diff    bool     `flag:"diff" help:"what a change made already concerns: the symbols that differ from HEAD, or from a revision"`
	Depth   int      `flag:"depth" value:"N" default:"1" help:"steps of static references that are listed"`
	Limit   *int     `flag:"limit" value:"N" help:"entries of each list; 0: all (default 12 in text, all in JSON)"`
}

// ImpactReference is a use of a target.
type ImpactReference struct {
	Path       operation.Path `json:"file" doc:"file"`
	Line       uint32         `json:"line,omitempty" doc:"line of the reference, of a file's dependents the first; left out where it was not looked up"`
	In         string         `json:"in,omitempty" doc:"qualified name of the symbol around it"`
	Target     string         `json:"target,omitempty" doc:"name that is used"`
	How        string         `json:"how" doc:"kind of the reference as in refs, or relation of the file as in dependents"`
	Uses       int            `json:"uses,omitempty" doc:"references in that file to what the target file declares"`
	Depth      int            `json:"depth" doc:"steps from the target"`
	Confidence string         `json:"confidence" doc:"as in refs"`
	By         string         `json:"by,omitempty" doc:"as in refs"`
	Test       bool           `json:"test" doc:"the file holds tests"`
}

// ImpactRelative is a declaration tied to a target through an interface, base class or trait.
type ImpactRelative struct {
	Path       operation.Path `json:"file" doc:"file"`
	Line       uint32         `json:"line" doc:"line of the declaration"`
	Name       string         `json:"name" doc:"qualified name"`
	Kind       string         `json:"kind" doc:"as in def"`
	Relation   string         `json:"relation" doc:"implements, overrides, interface (what the target is used as) or holds (a field or variable of such a type)"`
	Of         string         `json:"of" doc:"the target, or the interface that is held"`
	Confidence string         `json:"confidence" doc:"as in refs; unique-name: by the names and numbers of parameters of all methods"`
}

// ImpactRemoved is a declaration that a diff removed.
type ImpactRemoved struct {
	Path  operation.Path    `json:"file" doc:"file that had it"`
	Name  string            `json:"name" doc:"qualified name"`
	Kind  string            `json:"kind" doc:"as in def"`
	Users []ImpactReference `json:"users" doc:"uses that meant it and mean nothing else now, surest first; ambiguous: they may mean another of that name"`
}

// StaticReferences are the uses of the targets that are found in the code, as opposed to likely ones.
type StaticReferences struct {
	Callers []ImpactReference `json:"callers" doc:"uses of the targets: nearest, code before tests, surest first"`
	Behind  []ImpactRelative  `json:"behind_interfaces" doc:"what is tied to them through interfaces, base classes and traits"`
	Removed []ImpactRemoved   `json:"removals" doc:"of a diff: declarations it removed or renamed, and those of a file with another path whose old one is still imported"`
	Total   int               `json:"total" doc:"number of callers, also those --limit left out"`
	Files   int               `json:"files" doc:"files of the callers"`
}

// ReasonedFile is a file and the reason why it is listed.
type ReasonedFile struct {
	Path   operation.Path `json:"file" doc:"file"`
	Line   uint32         `json:"line,omitempty" doc:"where to look first"`
	Reason string         `json:"reason" doc:"why"`
}

// Confirmation lists the places to check before the change is done.
type Confirmation struct {
	Must        []ReasonedFile `json:"must_verify" doc:"surely or very likely concerned; empty for pure markup"`
	Should      []ReasonedFile `json:"should_verify" doc:"may be concerned"`
	MustTotal   int            `json:"must_total" doc:"number of both, also those --limit left out"`
	ShouldTotal int            `json:"should_total" doc:"see must_total"`
}

// DepthCount is the number of files first reached at a depth.
type DepthCount struct {
	Depth int `json:"depth" doc:"steps"`
	Files int `json:"files" doc:"files first reached there"`
}

// LikelyFile is a file that is likely to change with the targets.
type LikelyFile struct {
	Path  operation.Path `json:"file" doc:"file"`
	Score float64        `json:"score" doc:"compares within one answer"`
	Why   []string       `json:"why" doc:"reasons why it is listed, strongest first"`
}

// ImpactSummary is the answer in a few numbers and words.
type ImpactSummary struct {
	Risk       string       `json:"risk" doc:"none found, could not tell, low, moderate (4 files or more must be verified) or high (16 or more); one level higher without tests; high if something is removed or renamed and still used"`
	Reason     string       `json:"reason" doc:"why"`
	Direct     int          `json:"direct_files" doc:"files that use the targets in one step, at whatever --depth; documents are counted apart"`
	Reached    int          `json:"reached_files" doc:"files that depend on the targets' files, over any number of steps"`
	ByDepth    []DepthCount `json:"reached_by_depths" doc:"the same by steps"`
	Tests      int          `json:"tests" doc:"test files that cover them"`
	Companions int          `json:"named_alike" doc:"files that go with them by name"`
	Documents  int          `json:"documents" doc:"documents that mention them"`
}

type impactAnswer struct {
	Revision
	Mode         string                   `json:"mode" doc:"standard, or relaxed_markup: all targets are .html, .htm, .css, .scss or .md"`
	Depth        int                      `json:"depth" doc:"steps of static references listed"`
	Targets      []FileName               `json:"targets" doc:"files of the targets"`
	Symbols      []Symbol                 `json:"symbols" doc:"symbols asked about, or touched by the diff"`
	References   StaticReferences         `json:"static_references" doc:"uses of the targets that the code shows"`
	Naming       render.Companions        `json:"naming_convention_matches" doc:"what goes with them by name"`
	Documents    render.Mentions          `json:"document_mentions" doc:"documents that mention them or --change"`
	Together     []render.ChangedTogether `json:"co_change" doc:"what usually changes with them, by score"`
	Tests        []ReasonedFile           `json:"tests" doc:"tests that cover them"`
	Confirmation Confirmation             `json:"confirmation_required" doc:"what to look at"`
	Likely       []LikelyFile             `json:"files" paths:"yes" doc:"files likely to change with the targets, best first: one list fused from history, imports, tests, uses, names and places; at most 20"`
	Summary      ImpactSummary            `json:"summary" doc:"counts, and the risk in words"`
	Share        float64                  `json:"resolved_share" doc:"share (0 to 1) of the references looked at that could be resolved"`
	Settled      bool                     `json:"settled" doc:"it is proven that the references are all there are"`
	Absence      *render.Unused           `json:"absence,omitempty" doc:"how far \"nothing refers to it\" can be trusted; left out if something does"`
	Cuts         []string                 `json:"cuts" doc:"what was left out to bound the work"`
	Known        []memories.Row           `json:"memories,omitempty" doc:"what was decided and noted about the files of the targets"`
}

func impactTool() *Tool {
	return spec[impactInput, impactAnswer]{
		Name:  "impact",
		Topic: operation.ChangeSafely, Logged: true,
		MCP: operation.Offer{
			Set: "core", Place: 5,
			About: "What a change concerns: dependents, tests, documents. Use before editing; with diff: of the edits made.",
			Shown: "target=paths or names, with diff a revision; change=what is to be changed, in words; diff; depth",
		},
		Summary: "what a change of files or symbols concerns, and what to verify",
		Long: "References, what is tied to the targets through interfaces, tests, files that go with them by name or usually change\n" +
			"with them, and documents that mention them. What must and what should be verified is listed with reasons.\n" +
			"With --diff the targets are the symbols that a diff touched: of the working tree against HEAD (staged, unstaged and\n" +
			"untracked) or a revision, or of two commits.",
		Example: []string{"impact app/Models/Product.php --change 'price becomes \"decimal\"'", "impact Store.Read", "impact --diff", "impact --diff main...HEAD"},
		Run:     runImpact,
		Text:    textImpact,
	}.Tool()
}

func runImpact(ctx context.Context, env *Env, in *impactInput, emit func(*impactAnswer) error) error {
	switch {
	case in.Diff && len(in.Targets) > 1:
		return code.Usagef("--diff takes one revision; got %d arguments", len(in.Targets))
	case !in.Diff && len(in.Targets) == 0:
		return code.Usagef("name files or symbols, or give --diff")
	}
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	var a impactAnswer
	err = p.AskChecked(ctx, func(ctx context.Context, s *view.Snapshot) error {
		a = impactAnswer{Revision: Revision{s.Rev()}}
		q, err := impactQuery(ctx, p, s, in)
		if err != nil {
			return err
		}
		found, err := impact.Of(ctx, s, q)
		if err != nil {
			return err
		}
		evidence, err := a.absence(ctx, s, &q, &found)
		if err != nil {
			return err
		}
		a.fill(in, &found, evidence)
		a.Known, err = memories.ForFiles(ctx, p, s, found.Files)
		return err
	})
	if err == nil && in.Diff && len(a.Targets) == 0 {
		err = operation.Nothingf("nothing differs")
	}
	return operation.Finish(&a, project.NotFound(err), emit)
}

// impactQuery resolves the arguments to targets or a diff.
func impactQuery(ctx context.Context, p *project.Project, s *view.Snapshot, in *impactInput) (impact.ImpactQuery, error) {
	q := impact.ImpactQuery{Change: in.Change, Depth: max(1, in.Depth), Documents: essential.Load(p.Root).Search.Matcher()}
	var err error
	if in.Diff {
		rev := ""
		if len(in.Targets) > 0 {
			rev = in.Targets[0]
		}
		q.Diff, err = diff.ChangedFiles(ctx, s, rev)
		return q, err
	}
	for _, arg := range in.Targets {
		t, err := p.Target(ctx, s, arg)
		if err != nil {
			return q, err
		}
		q.Targets = append(q.Targets, t)
	}
	return q, nil
}

// absence gathers the evidence that nothing uses the targets, or nothing but the references that were found.
func (a *impactAnswer) absence(ctx context.Context, s *view.Snapshot, q *impact.ImpactQuery, x *impact.Impact) (impact.Evidence, error) {
	if len(x.Files) == 0 || len(x.Refs) > 0 || len(q.Diff) > 0 {
		doubt, err := firstDoubt(ctx, s, q, x)
		a.Settled = err == nil && doubt == nil
		return unused.Doubted(doubt), err
	}
	var found unused.Absence
	var err error
	if i := slices.IndexFunc(q.Targets, func(t view.Target) bool { return t.File != "" }); i >= 0 {
		found, err = unused.File(ctx, s, q.Targets[i].File)
	} else {
		own := func(r view.Reference) bool {
			return slices.ContainsFunc(x.Symbols, func(t view.Symbol) bool { return t.ID == r.Scope.Pack() })
		}
		uses := x.Uses
		uses.List = slices.DeleteFunc(slices.Clone(uses.List), own)
		found, err = unused.Symbols(ctx, s, x.Symbols, &uses, nil)
	}
	a.Absence, a.Settled = render.NewUnused(found), found.Conclusive()
	return &found, err
}

// firstDoubt returns a reason why more may refer to the targets than was found, nil if it is proven that nothing does.
func firstDoubt(ctx context.Context, s *view.Snapshot, q *impact.ImpactQuery, x *impact.Impact) (*unused.UnseenUse, error) {
	for _, t := range q.Targets {
		if t.File != "" {
			if doubt, err := unused.FirstFileDoubt(ctx, s, t.File); doubt != nil || err != nil {
				return doubt, err
			}
		}
	}
	if len(x.Symbols) == 0 {
		return nil, nil
	}
	return unused.FirstDoubt(ctx, s, x.Symbols, &x.Uses)
}

func (a *impactAnswer) fill(in *impactInput, x *impact.Impact, e impact.Evidence) {
	a.Mode, a.Depth = "standard", max(1, in.Depth)
	if x.Relaxed {
		a.Mode = "relaxed_markup"
	}
	a.Targets, a.Symbols, a.Share, a.Cuts = fileNames(x.Files), firstN(symbolRows(x.Symbols), in.Limit), x.ResolvedShare, x.Cuts
	a.References = StaticReferences{Callers: impactRefs(firstN(x.Refs, in.Limit)), Total: len(x.Refs), Files: x.RefFiles}
	for i := range firstN(x.Relatives, in.Limit) {
		b := &x.Relatives[i]
		a.References.Behind = append(a.References.Behind, ImpactRelative{
			Path: operation.Path(b.Path), Line: b.Span.Line, Name: b.Qualified, Kind: b.Kind.String(),
			Relation: string(b.Relation), Of: b.Of, Confidence: b.Confidence.String(),
		})
	}
	for i := range firstN(x.Removed, in.Limit) {
		r := &x.Removed[i]
		a.References.Removed = append(a.References.Removed, ImpactRemoved{
			Path: operation.Path(r.Path), Name: r.Symbol.Qualified, Kind: r.Symbol.Kind.String(), Users: impactRefs(r.Users),
		})
	}
	a.Naming = render.CompanionRows(x.Companions)
	a.Documents = render.MentionRows(&x.Mentions)
	a.Documents.Files = firstN(a.Documents.Files, in.Limit)
	a.Together = render.ChangedTogetherRows(firstN(x.Together, in.Limit))
	for _, t := range firstN(x.Tests, in.Limit) {
		a.Tests = append(a.Tests, ReasonedFile{Path: operation.Path(t.Path), Line: t.Line, Reason: t.Reason})
	}
	for _, f := range firstN(x.Likely, in.Limit) {
		a.Likely = append(a.Likely, LikelyFile{Path: operation.Path(f.Path), Score: math.Round(f.Score*100) / 100, Why: f.Why})
	}
	a.fillConfirmation(in, x, e)
}

// directFiles returns the number of files of code that use targets in one step.
func directFiles(list []impact.ImpactRef) int {
	files := map[string]bool{}
	for i := range list {
		if r := &list[i]; r.Depth == 1 && r.How != code.RelMentions.String() {
			files[r.Path] = true
		}
	}
	return len(files)
}

func impactRefs(list []impact.ImpactRef) []ImpactReference {
	var out []ImpactReference
	for i := range list {
		r := &list[i]
		out = append(out, ImpactReference{
			Path: operation.Path(r.Path), Line: r.Line, In: r.In, Target: r.Target, How: r.How, Uses: r.Uses,
			Depth: r.Depth, Confidence: r.Confidence.String(), By: r.By, Test: r.Test,
		})
	}
	return out
}

// fillConfirmation fills the list of places to verify, and the summary.
func (a *impactAnswer) fillConfirmation(in *impactInput, x *impact.Impact, e impact.Evidence) {
	must, should := x.Verify()
	lines := map[string]uint32{}
	for i := range x.Refs {
		if r := &x.Refs[i]; lines[r.Path] == 0 || r.Line > 0 && r.Line < lines[r.Path] {
			lines[r.Path] = r.Line
		}
	}
	for i := range x.Removed {
		for _, u := range x.Removed[i].Users {
			if lines[u.Path] == 0 {
				lines[u.Path] = u.Line
			}
		}
	}
	rows := func(list []impact.Verify) []ReasonedFile {
		var out []ReasonedFile
		for _, v := range firstN(list, in.Limit) {
			out = append(out, ReasonedFile{Path: operation.Path(v.Path), Line: lines[v.Path], Reason: v.Reason})
		}
		return out
	}
	a.Confirmation = Confirmation{Must: rows(must), Should: rows(should), MustTotal: len(must), ShouldTotal: len(should)}
	a.Summary = ImpactSummary{Direct: directFiles(x.Refs), Tests: len(x.Tests), Companions: len(x.Companions), Documents: x.Mentions.Total}
	for i, n := range x.Reached {
		a.Summary.Reached += n
		a.Summary.ByDepth = append(a.Summary.ByDepth, DepthCount{i + 1, n})
	}
	a.Summary.Risk, a.Summary.Reason = x.Risk(e)
}
