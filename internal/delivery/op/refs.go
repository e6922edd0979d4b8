package op

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"ken/internal/ask/calls"
	"ken/internal/ask/imported"
	"ken/internal/ask/refline"
	"ken/internal/ask/refs"
	"ken/internal/ask/unused"
	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/delivery/render"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

type refsInput struct {
	Name       string `arg:"NAME" help:"name; Type.method, pkg.Name and path:Name narrow"`
	Kind       string `flag:"kind" value:"KIND" enum:"call,type,inherit,implement,decorate,use,import,export,template" help:"only references of this kind"`
	Tier       string `flag:"tier" value:"TIER" enum:"exact,likely,all,dropped" help:"exact: only what is certain; likely: also import-resolved, unique-name and through; all: also ambiguous (default all); dropped: only uses of the name that mean something else, and why"`
	Confidence string `flag:"confidence" value:"TIER" enum:"exact,import-resolved,unique-name,ambiguous" help:"only references at least this sure"`
	Limit      *int   `flag:"limit" value:"N" help:"references listed, the surest first; 0: all (default 100 in text, all in JSON)"`
	Lines      bool   `flag:"lines" help:"in JSON: the source line of each (line_text)"`
	NoLines    bool   `flag:"no-lines" help:"in text: without source lines"`
}

// Reference is one use of a symbol.
type Reference struct {
	Path       operation.Path `json:"path" doc:"file"`
	Line       uint32         `json:"line" doc:"line of the name"`
	Start      uint32         `json:"start" doc:"first byte of the name"`
	End        uint32         `json:"end" doc:"byte after the name"`
	Kind       string         `json:"kind" doc:"call, type, inherit, implement, decorate or use; import, export: a file takes the name from another, or passes it on; template: MDX or Markdown uses a component"`
	Verdict    string         `json:"verdict" doc:"the confidence; through: bound to the member that this one overrides or implements; dropped: it means something else"`
	Confidence string         `json:"confidence" doc:"exact, import-resolved, unique-name or ambiguous"`
	Tier       string         `json:"tier" doc:"exact, likely (import-resolved, unique-name, through), all (ambiguous) or dropped"`
	Through    string         `json:"through,omitempty" doc:"qualified name of the member it is bound to, which the target overrides or implements"`
	Reason     string         `json:"reason,omitempty" doc:"why it is dropped: other type, other package, other definition, other language, shadowed, arity, not visible, no member, checked (by types or an imported index), or likelier (other definitions fit better, which proves nothing)"`
	By         string         `json:"by,omitempty" doc:"what confirms it: types (go/types), scip (an imported index) or interface (a call of an interface's method that the target implements); left out for heuristics"`
	In         string         `json:"in,omitempty" doc:"qualified name of the innermost symbol around it"`
	InKind     string         `json:"in_kind,omitempty" doc:"kind of that symbol"`
	Target     string         `json:"target" doc:"qualified name of what is referred to; of a dropped one what it means instead, empty if that is nothing of the repository or one of several"`
	TargetPath operation.Path `json:"target_path" doc:"file that declares it"`
	TargetLine uint32         `json:"target_line" doc:"line of that declaration"`
	LineText   string         `json:"line_text,omitempty" doc:"with --lines: the source line, at most 160 bytes around the name, secrets masked"`

	line string // LineText, also without --lines
	rank int    // place among all, the surest first
}

type refsAnswer struct {
	Revision
	References    []Reference    `json:"references" paths:"yes" doc:"uses of the name's definitions, by path and byte; with --limit the surest"`
	ResolvedShare float64        `json:"resolved_share" doc:"share (0 to 1) of all references with the name that could be decided, for or against, by more than the bare name"`
	ExactShare    float64        `json:"exact_share" doc:"share (0 to 1) of them that types or an imported index decided"`
	Total         int            `json:"total" doc:"number of references, also those --limit left out"`
	Confidences   map[string]int `json:"confidences" doc:"number of references by verdict"`
	Dropped       int            `json:"dropped" doc:"uses of the name that mean something else; --tier dropped lists them"`
	Reasons       map[string]int `json:"reasons" doc:"number of those by reason"`
	Settled       bool           `json:"settled" doc:"it is proven of every use of the name in the repository which definition it means: the list is complete. Left false with --tier dropped"`
	Targets       []Symbol       `json:"symbols" doc:"definitions of the name"`
	Absence       *render.Unused `json:"absence,omitempty" doc:"how far finding nothing can be trusted; left out if something was found"`
	Implementers  []Symbol       `json:"implementers" doc:"of a method of an interface: the methods a call of it may reach, by path and line; known of packages bound by types"`

	doubt *unused.UnseenUse // why it is not settled
}

func refsTool() *Tool {
	return spec[refsInput, refsAnswer]{
		Name:  "refs",
		Topic: operation.Ask, Logged: true,
		MCP: operation.Offer{
			Set: "core", Place: 4,
			About: "Who uses or calls a symbol, with confidence and lines. Use instead of text search for names.",
			Shown: "name=Name, Type.method, pkg.Name or path:Name; kind; tier=dropped: uses that mean something else; limit",
		},
		Summary: "references to a name and its callers, with confidence",
		Long: "A reference is exact (the file itself decides it), import-resolved (bound through an import or package),\n" +
			"unique-name (matched by name, which only one definition has), through (bound to the member that this one overrides\n" +
			"or implements) or ambiguous (one of several definitions, or only possible). Uses of the name that mean something\n" +
			"else are counted, and --tier dropped lists them with the reason. After \"index --exact\" a type checker confirms\n" +
			"what it bound (by); what changed since falls back to the tiers above. Of a constructor the places that make an object\n" +
			"of its class are listed, each only possible if the class has several.",
		Example: []string{"refs createApp", "refs createApp --tier likely", "refs Store.Read --kind call", "refs Store.Read --tier dropped", "refs internal/app:New --confidence import-resolved"},
		Run:     runRefs,
		Text:    textRefs,
	}.Tool()
}

func runRefs(ctx context.Context, env *Env, in *refsInput, emit func(*refsAnswer) error) error {
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	var a refsAnswer
	err = p.AskChecked(ctx, func(ctx context.Context, s *view.Snapshot) error {
		a = refsAnswer{}
		a.Revision.Revision = s.Rev()
		targets, err := s.Definitions(ctx, p.SymbolName(in.Name))
		if err != nil {
			return err
		}
		a.Targets = symbolRows(targets)
		if in.Tier == tierDropped {
			return a.fillDropped(ctx, s, in, targets)
		}
		refs_, err := refs.References(ctx, s, targets)
		if err == nil {
			err = refs.AddConstructions(ctx, s, targets, &refs_)
		}
		if err != nil {
			return err
		}
		naming, err := imported.Naming(ctx, s, in.Kind, targets)
		if err != nil {
			return err
		}
		refs_.List = append(refs_.List, naming...)
		if err := a.fill(ctx, s, in, &refs_); err != nil {
			return err
		}
		for i := range targets {
			impls, err := s.Implementers(ctx, &targets[i])
			if err != nil {
				return err
			}
			a.Implementers = append(a.Implementers, symbolRows(impls)...)
		}
		if a.Total == 0 {
			absence, err := unused.Symbols(ctx, s, targets, &refs_, answering(in.Kind, targets))
			a.Absence = render.NewUnused(absence)
			return err
		}
		a.doubt, err = unused.FirstDoubt(ctx, s, targets, &refs_)
		// super(…), new(…) and derived classes run a constructor, too, and name neither it nor its class.
		isMore := func(t view.Symbol) bool { return t.Kind != code.KindConstructor }
		a.Settled = err == nil && a.doubt == nil && slices.ContainsFunc(targets, isMore)
		return err
	})
	switch {
	case err != nil || a.Total > 0:
	case in.Tier == tierDropped:
		err = operation.Nothingf("no use of %s means something else", operation.Quote(in.Name))
	default:
		what := "references"
		if in.Kind != "" {
			what += " of kind " + in.Kind
		}
		if in.Tier != "" || in.Confidence != "" {
			what = "such " + what
		}
		err = a.Absence.Nothing("no %s to %s, which is defined at %s", what, operation.Quote(in.Name), operation.Escape(targetsText(a.Targets)))
	}
	return operation.Finish(&a, project.NotFound(err), emit)
}

// answering returns a function that reports whether a kind of reference to targets is one that --kind asks for, nil if all are.
func answering(kind string, targets []view.Symbol) func(code.RefKind) bool {
	if kind == "" {
		return nil
	}
	return func(k code.RefKind) bool {
		isCall := kind == code.RefCall.String() && calls.MayCall(k, &targets[0])
		return k.String() == kind || isCall
	}
}

// tierDropped is the tier of uses of the name that refer to something else.
const tierDropped = "dropped"

func (a *refsAnswer) fill(ctx context.Context, s *view.Snapshot, in *refsInput, all *view.References) error {
	a.ResolvedShare, a.ExactShare = all.ResolvedShare, all.ExactShare
	a.countDropped(all)
	var list []view.Reference
	for i := range all.List {
		r := &all.List[i]
		if in.Kind != "" && r.Kind.String() != in.Kind || r.Confidence < max(parseConfidence(in.Confidence), lowestConfidence(in.Tier)) {
			continue
		}
		a.Confidences[r.Verdict()]++
		list = append(list, *r)
	}
	return a.addRows(ctx, s, in, list)
}

// fillDropped lists the uses of the name that refer to something else.
func (a *refsAnswer) fillDropped(ctx context.Context, s *view.Snapshot, in *refsInput, targets []view.Symbol) error {
	all, err := refs.ReferencesAndDropped(ctx, s, targets)
	if err == nil {
		err = refs.AddConstructions(ctx, s, targets, &all)
	}
	if err != nil {
		return err
	}
	a.ResolvedShare, a.ExactShare = all.ResolvedShare, all.ExactShare
	a.countDropped(&all)
	list := slices.DeleteFunc(all.Dropped, func(r view.Reference) bool { return in.Kind != "" && r.Kind.String() != in.Kind })
	a.Confidences[view.VerdictDropped] = len(list)
	return a.addRows(ctx, s, in, list)
}

func (a *refsAnswer) countDropped(all *view.References) {
	a.Confidences, a.Reasons = map[string]int{}, map[string]int{}
	a.Dropped = all.DroppedCount()
	for why, n := range all.DroppedBy {
		a.Reasons[why.String()] += n
	}
}

// addRows adds the rows of references: the surest ones up to the limit,
// sorted by place.
func (a *refsAnswer) addRows(ctx context.Context, s *view.Snapshot, in *refsInput, list []view.Reference) error {
	a.Total = len(list)
	refs.BySurety(list)
	list = firstN(list, in.Limit)
	lined := cutForText(list, in.Limit)
	if in.Lines {
		lined = list
	}
	var lines []string
	if in.Lines || !in.NoLines {
		var err error
		if lines, err = refline.Of(ctx, s, lined); err != nil {
			return err
		}
	}
	for i := range list {
		row := referenceRow(&list[i])
		if row.rank = i; i < len(lines) {
			row.line = lines[i]
		}
		if in.Lines {
			row.LineText = row.line
		}
		a.References = append(a.References, row)
	}
	slices.SortStableFunc(a.References, func(x, y Reference) int {
		return cmp.Or(cmp.Compare(x.Path, y.Path), cmp.Compare(x.Start, y.Start))
	})
	return nil
}

func referenceRow(r *view.Reference) Reference {
	row := Reference{
		Path: operation.Path(r.Path), Line: r.Line, Start: r.Start, End: r.End, Kind: r.Kind.String(), Confidence: r.Confidence.String(), Tier: tierName(r.Confidence), By: r.By,
		In: r.In, Verdict: r.Verdict(), Through: r.Through, Reason: r.Dropped.String(),
	}
	if r.Target != nil {
		row.Target, row.TargetPath, row.TargetLine = r.Target.Qualified, operation.Path(r.Target.Path), r.Target.Span.Line
	}
	if row.Reason != "" {
		row.Tier = tierDropped
	}
	if r.In != "" {
		row.InKind = r.InKind.String()
	}
	return row
}

// tiers lists the confidences, the surest first.
var tiers = [...]code.Confidence{code.Exact, code.ImportResolved, code.UniqueName, code.Ambiguous}

func parseConfidence(s string) code.Confidence {
	i := slices.IndexFunc(tiers[:], func(c code.Confidence) bool { return c.String() == s })
	if i < 0 {
		return code.Ambiguous
	}
	return tiers[i]
}

// lowestConfidence returns the lowest confidence in a tier.
func lowestConfidence(tier string) code.Confidence {
	switch tier {
	case "exact":
		return code.Exact
	case "likely":
		return code.UniqueName
	}
	return code.Ambiguous
}

// tierName returns the narrowest tier that a confidence belongs to.
func tierName(c code.Confidence) string {
	switch {
	case c >= code.Exact:
		return "exact"
	case c >= code.UniqueName:
		return "likely"
	}
	return "all"
}

// compareConfidence orders confidences, the surest first.
func compareConfidence(a, b string) int { return int(parseConfidence(b)) - int(parseConfidence(a)) }

// byTier writes counts by confidence, the surest first.
func byTier(counts map[string]int) string {
	var parts []string
	for _, v := range [...]string{"exact", "import-resolved", "unique-name", view.VerdictThrough, "ambiguous"} {
		if n := counts[v]; n > 0 {
			parts = append(parts, operation.Group(n)+" "+v)
		}
	}
	return strings.Join(parts, ", ")
}
