package op

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/delivery/tool"

	"ken/internal/ask/refs"
	"ken/internal/engine/view"
)

type refsInput struct {
	Name       string `arg:"NAME" help:"name; Type.method, pkg.Name and path:Name narrow"`
	Kind       string `flag:"kind" value:"KIND" enum:"call,type,inherit,implement,decorate,use" help:"only references of this kind"`
	Tier       string `flag:"tier" value:"TIER" enum:"exact,likely,all" help:"exact: only what is certain; likely: also import-resolved and unique-name; all: also ambiguous (default all)"`
	Confidence string `flag:"confidence" value:"TIER" enum:"exact,import-resolved,unique-name,ambiguous" help:"only references at least this sure"`
	Limit      *int   `flag:"limit" value:"N" help:"references listed; 0: all (default 100 in text, all in JSON)"`
}

// Reference is one use of a symbol.
type Reference struct {
	Path       tool.Path `json:"path" doc:"file"`
	Line       uint32    `json:"line" doc:"line of the name"`
	Start      uint32    `json:"start" doc:"first byte of the name"`
	End        uint32    `json:"end" doc:"byte after the name"`
	Kind       string    `json:"kind" doc:"call, type, inherit, implement, decorate or use"`
	Confidence string    `json:"confidence" doc:"exact, import-resolved, unique-name or ambiguous"`
	Tier       string    `json:"tier" doc:"exact, likely (import-resolved, unique-name) or all (ambiguous)"`
	By         string    `json:"by,omitempty" doc:"what confirms it: types (go/types), scip (an imported index) or interface (a call of an interface's method that the target implements); left out for heuristics"`
	In         string    `json:"in,omitempty" doc:"qualified name of the innermost symbol around it"`
	InKind     string    `json:"in_kind,omitempty" doc:"kind of that symbol"`
	Target     string    `json:"target" doc:"qualified name of what is referred to"`
	TargetPath tool.Path `json:"target_path" doc:"file that declares it"`
	TargetLine uint32    `json:"target_line" doc:"line of that declaration"`
}

type refsAnswer struct {
	Revision
	References    []Reference     `json:"references" paths:"yes" doc:"uses of the name's definitions, by path and byte"`
	ResolvedShare float64         `json:"resolved_share" doc:"share (0 to 1) of all references with the name that could be decided, for or against, by more than the bare name"`
	ExactShare    float64         `json:"exact_share" doc:"share (0 to 1) of them that types or an imported index decided"`
	Total         int             `json:"total" doc:"number of references, also those --limit left out"`
	Confidences   map[string]int  `json:"confidences" doc:"number of references by confidence"`
	Targets       []Symbol        `json:"symbols" doc:"definitions of the name"`
	Absence       *UnusedEvidence `json:"absence,omitempty" doc:"how far finding nothing can be trusted; left out if something was found"`
	Implementers  []Symbol        `json:"implementers" doc:"of a method of an interface: the methods a call of it may reach, by path and line; known of packages bound by types"`
}

func refsTool() *Tool {
	return spec[refsInput, refsAnswer]{
		Name:    "refs",
		Summary: "references to a name and its callers, with confidence",
		Long: "A reference is exact (the file itself decides it), import-resolved (bound through an import or package),\n" +
			"unique-name (matched by name, which only one definition has) or ambiguous (one of several definitions).\n" +
			"References that certainly mean something else are left out. After \"index --exact\" a type checker confirms\n" +
			"what it bound (by); what changed since falls back to the tiers above. A call through an interface is listed for the\n" +
			"method of the interface and, as such, for every method that implements it.",
		Example: []string{"refs createApp", "refs createApp --tier likely", "refs Store.Read --kind call", "refs internal/app:New --confidence import-resolved"},
		Run:     runRefs,
		Text:    textRefs,
	}.Tool()
}

func runRefs(ctx context.Context, env *Env, in *refsInput, emit func(*refsAnswer) error) error {
	p, err := project.Open(env, tool.Existing)
	if err != nil {
		return err
	}
	var a refsAnswer
	err = p.AskChecked(ctx, func(ctx context.Context, s *view.Snapshot) error {
		a = refsAnswer{}
		a.Revision.Revision = s.Rev()
		targets, err := s.Definitions(ctx, p.Name(in.Name))
		if err != nil {
			return err
		}
		a.Targets = symbolRows(targets)
		refs_, err := refs.References(ctx, s, targets)
		if err != nil {
			return err
		}
		a.fill(in, refs_)
		for i := range targets {
			impls, err := s.Implementers(ctx, &targets[i])
			if err != nil {
				return err
			}
			a.Implementers = append(a.Implementers, symbolRows(impls)...)
		}
		if a.Total == 0 {
			absence, err := refs.AbsenceOf(ctx, s, targets, &refs_)
			a.Absence = unusedEvidence(absence)
			return err
		}
		return nil
	})
	if err == nil && a.Total == 0 {
		err = a.Absence.nothing("no references to %s, which is defined at %s", tool.Quote(in.Name), tool.Escape(targetsText(a.Targets)))
	}
	return tool.Finish(&a, project.NotFound(err), emit)
}

func (a *refsAnswer) fill(in *refsInput, refs view.References) {
	a.ResolvedShare, a.ExactShare = refs.ResolvedShare, refs.ExactShare
	a.Confidences = map[string]int{}
	for i := range refs.List {
		r := &refs.List[i]
		if in.Kind != "" && r.Kind.String() != in.Kind || r.Confidence < max(parseConfidence(in.Confidence), tierFloor(in.Tier)) {
			continue
		}
		a.Total++
		a.Confidences[r.Confidence.String()]++
		if in.Limit == nil || *in.Limit == 0 || len(a.References) < *in.Limit {
			a.References = append(a.References, referenceRow(r))
		}
	}
}

func referenceRow(r *view.Reference) Reference {
	row := Reference{
		Path: tool.Path(r.Path), Line: r.Line, Start: r.Start, End: r.End, Kind: r.Kind.String(), Confidence: r.Confidence.String(), Tier: tierName(r.Confidence), By: r.By,
		In: r.In, Target: r.Target.Qualified, TargetPath: tool.Path(r.Target.Path), TargetLine: r.Target.Span.Line,
	}
	if r.In != "" {
		row.InKind = r.InKind.String()
	}
	return row
}

// tiers lists the confidences, surest first.
var tiers = [...]code.Confidence{code.Exact, code.ImportResolved, code.UniqueName, code.Ambiguous}

func parseConfidence(s string) code.Confidence {
	i := slices.IndexFunc(tiers[:], func(c code.Confidence) bool { return c.String() == s })
	if i < 0 {
		return code.Ambiguous
	}
	return tiers[i]
}

// tierFloor is the least confidence of a tier.
func tierFloor(tier string) code.Confidence {
	switch tier {
	case "exact":
		return code.Exact
	case "likely":
		return code.UniqueName
	}
	return code.Ambiguous
}

// tierName is the narrowest tier a confidence belongs to.
func tierName(c code.Confidence) string {
	switch {
	case c >= code.Exact:
		return "exact"
	case c >= code.UniqueName:
		return "likely"
	}
	return "all"
}

// surest orders confidences, surest first.
func surest(a, b string) int { return int(parseConfidence(b)) - int(parseConfidence(a)) }

// byTier writes counts by confidence, surest first.
func byTier(counts map[string]int) string {
	var parts []string
	for _, c := range tiers {
		if n := counts[c.String()]; n > 0 {
			parts = append(parts, tool.Group(n)+" "+c.String())
		}
	}
	return strings.Join(parts, ", ")
}

func textRefs(t *tool.Text, in *refsInput, a *refsAnswer) error {
	if a.Total == 0 {
		writeUnused(t, a.Absence)
		return nil
	}
	t.Line("%s to %s: %s; %s of the uses of this name decided", t.Bold(tool.Plural(a.Total, "reference")), targetsText(a.Targets), byTier(a.Confidences), tool.Percent(a.ResolvedShare))
	list := slices.Clone(a.References)
	slices.SortStableFunc(list, func(x, y Reference) int { return surest(x.Confidence, y.Confidence) })
	list = shown(list, in.Limit)
	for i := range list {
		r := &list[i]
		t.Printf("%s:%d  %s", r.Path, r.Line, r.Kind)
		if r.In != "" {
			t.Printf("  in %s", r.In)
		}
		if len(a.Targets) > 1 {
			t.Printf("  to %s", pathLine(r.TargetPath, r.TargetLine))
		}
		t.Line("  %s", t.Dim("["+tierOf(r)+"]"))
	}
	t.More("", a.Total-len(list))
	if len(a.Implementers) > 0 {
		t.Heading("implemented by")
		impls := shown(a.Implementers, in.Limit)
		for i := range impls {
			t.Line("%s  %s", pathLine(impls[i].Path, impls[i].Line), impls[i].Qualified)
		}
		t.More("", len(a.Implementers)-len(impls))
	}
	return nil
}

// tierOf is a reference's confidence and what confirms it.
func tierOf(r *Reference) string {
	switch r.By {
	case "":
		return r.Confidence
	case view.ByInterface:
		return r.Confidence + ", through an interface"
	}
	return r.Confidence + " by " + r.By
}

// targetsText names the definitions that are meant: the only one, or how many.
func targetsText(list []Symbol) string {
	switch len(list) {
	case 0:
		return "nothing"
	case 1:
		return fmt.Sprintf("%s %s (%s)", list[0].Kind, list[0].Qualified, pathLine(list[0].Path, list[0].Line))
	}
	return fmt.Sprintf("%s of %s", tool.Plural(len(list), "definition"), list[0].Name)
}
