package op

import (
	"context"
	"fmt"
	"strings"

	"ken/internal/ask/unused"
	"ken/internal/ask/why"
	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

type whyInput struct {
	From string `arg:"FROM" help:"file, folder, or symbol as in def"`
	To   string `arg:"TO" help:"what it may depend on: file, folder or symbol"`
	Ways int    `flag:"ways" value:"N" default:"5" help:"ways listed at most, up to 400, all of the same length"`
}

type whyAnswer struct {
	Revision
	Ways   []dependencyWay `json:"ways" doc:"the shortest ones, all equally long, the surest first"`
	More   bool            `json:"more" doc:"there are other ways of that length"`
	Starts int             `json:"starts" doc:"files of FROM, or symbols, from which ways of that length go"`
	Doubt  string          `json:"doubt,omitempty" doc:"where no way was found: why there may be one; left out if it is proven that there is none"`
}

// dependencyWay is one way of dependencies.
type dependencyWay struct {
	Confidence string    `json:"confidence" doc:"of the weakest step: exact, import-resolved, unique-name or ambiguous"`
	Steps      []wayStep `json:"steps" doc:"from FROM to TO, each beginning where the one before ends"`
}

// wayStep is one dependency on a way.
type wayStep struct {
	Path       operation.Path `json:"path" doc:"file that depends on the next one"`
	Line       uint32         `json:"line,omitempty" doc:"line of the first use in it, or of the member; left out if that has no place in it"`
	Name       string         `json:"name,omitempty" doc:"symbol around the use, between symbols"`
	Kind       string         `json:"kind,omitempty" doc:"kind of that symbol"`
	To         operation.Path `json:"to" doc:"file that it depends on"`
	Used       string         `json:"used,omitempty" doc:"symbol that it uses or has; between files the one that it uses most"`
	Uses       int            `json:"uses,omitempty" doc:"between files: how often it uses declarations of that file"`
	Relation   string         `json:"relation" doc:"between files: imports, extends, implements, uses (same package, without import), tests or generated_from; between symbols: uses, or has (a member)"`
	Test       bool           `json:"test" doc:"the file at path holds tests"`
	Confidence string         `json:"confidence" doc:"exact, import-resolved, unique-name or ambiguous"`
}

func whyTool() *Tool {
	return spec[whyInput, whyAnswer]{
		Name:  "why",
		Topic: operation.Ask, Logged: true,
		MCP: operation.Offer{Variant: operation.Variant{
			Tool: "refs", Key: "by", About: "path or name: how that depends on name", Names: map[string]string{"by": "from", "name": "to"},
		}},
		Summary: "how one part depends on another: the shortest ways, step by step",
		Long: "Between two symbols each step is a use, or leads from a type to its member; else it is a dependency between files, and a symbol\n" +
			"stands for its file. Every step has the line of its first use. A folder stands for the files below it; \".\" is the whole project.",
		Example: []string{"why src/cart src/db.ts", "why . internal/legacy", "why Server.Start Store.Read"},
		Run:     runWhy,
		Text:    textWhy,
	}.Tool()
}

func runWhy(ctx context.Context, env *Env, in *whyInput, emit func(*whyAnswer) error) error {
	if in.Ways < 1 {
		return code.Usagef("--ways is at least 1")
	}
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	var a whyAnswer
	var names []string
	err = p.AskChecked(ctx, func(ctx context.Context, s *view.Snapshot) error {
		a, names = whyAnswer{Revision: Revision{s.Rev()}}, nil
		var ends [2]why.End
		for i, arg := range []string{in.From, in.To} {
			if ends[i], err = whyEnd(ctx, p, s, arg); err != nil {
				return err
			}
			names = append(names, whyName(&ends[i]))
		}
		found, err := why.Between(ctx, s, ends[0], ends[1], in.Ways)
		if err != nil {
			return err
		}
		a.More, a.Starts = found.More, found.Starts
		for _, w := range found.Ways {
			a.Ways = append(a.Ways, newDependencyWay(w))
		}
		a.Doubt = unused.Doubted(found.Doubt).Reason()
		return nil
	})
	switch {
	case err != nil || len(a.Ways) > 0:
	case a.Doubt == "":
		err = operation.Nothingf("%s does not depend on %s", operation.Escape(names[0]), operation.Escape(names[1]))
	default:
		message := fmt.Sprintf("could not tell: no way from %s to %s was found, but there may be one: %s", names[0], names[1], a.Doubt)
		err = &operation.UnprovenError{Message: operation.Escape(message)}
	}
	return operation.Finish(&a, project.NotFound(err), emit)
}

// whyEnd returns what an argument names: a folder, a file or symbols.
func whyEnd(ctx context.Context, p *project.Project, s *view.Snapshot, arg string) (why.End, error) {
	if rel, found, err := p.Locate(arg); err == nil && found && p.IsDir(rel) {
		return why.End{Folder: rel}, nil
	}
	t, err := p.Target(ctx, s, arg)
	return why.End{Target: t}, err
}

func whyName(e *why.End) string {
	switch {
	case e.Folder != "":
		return strings.TrimSuffix(e.Folder, "/") + "/"
	case e.File != "":
		return e.File
	}
	return targetsText(symbolRows(e.Symbols))
}

func newDependencyWay(w why.Way) (out dependencyWay) {
	for i := range w {
		st := &w[i]
		row := wayStep{
			Path: operation.Path(st.From.Path), Line: st.Line, Name: st.From.Name, To: operation.Path(st.To.Path), Used: st.Used, Uses: st.Uses,
			Test: st.Test, Confidence: st.Confidence.String(),
		}
		if row.Name != "" {
			row.Kind, row.Used, row.Relation = st.From.Kind.String(), st.To.Name, "uses"
			if st.Has {
				row.Relation = "has"
			}
		} else {
			row.Relation = st.Relation.String()
		}
		out.Steps = append(out.Steps, row)
	}
	out.Confidence = w.Confidence().String()
	return out
}

func textWhy(t *operation.Text, in *whyInput, a *whyAnswer) error {
	if len(a.Ways) == 0 {
		return nil
	}
	steps := len(a.Ways[0].Steps)
	more := ""
	if a.More {
		more = ", the first of more"
	}
	t.Line("%s of %s%s", t.Bold(operation.Plural(len(a.Ways), "way")), operation.Plural(steps, "step"), more)
	for i := range a.Ways {
		for depth, st := range a.Ways[i].Steps {
			t.Printf("%s%s", operation.Styled(strings.Repeat("  ", depth+1)), st.Path)
			if st.Line > 0 {
				t.Printf(":%d", st.Line)
			}
			if st.Name != "" {
				t.Line("  %s %s  %s %s%s", st.Kind, st.Name, st.Relation, st.Used, markUnsure(t, st.Confidence))
				continue
			}
			t.Printf("  %s %s", st.Relation, st.To)
			if st.Uses > 0 {
				t.Printf("  (%s, %s)", st.Used, operation.Plural(st.Uses, "use"))
			}
			if st.Test {
				t.Printf("  test")
			}
			t.Line("%s", markUnsure(t, st.Confidence))
		}
	}
	return nil
}
