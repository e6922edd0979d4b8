package guide

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ken/internal/operation"
	"ken/internal/workflow/agent/runtimes"
	"ken/internal/workflow/content"
	"ken/internal/workflow/plan/planop"
)

type guideInput struct {
	Name    string   `arg:"[NAME]" help:"a guide, a role or a reference; the guide of the next step unless given"`
	Args    []string `arg:"[ARG…]" help:"what it is about, such as a phase and a plan"`
	Runtime string   `flag:"runtime" help:"where the agents work; found out from the environment unless given"`
	List    bool     `flag:"list" help:"the names of all guides, roles and references"`
}

// All returns the operations of this package.
func All(facts Facts) []*planop.Operation {
	names := []string{runtimes.Other}
	for _, r := range runtimes.All() {
		names = append(names, r.Name)
	}
	return []*planop.Operation{planop.Spec[guideInput, *Answer]{
		Name: "guide", Summary: "how something is done, in steps for agents; what a role does; a reference", Everyday: true, Anywhere: true,
		Enums: map[string][]string{"runtime": names},
		Run: func(ctx context.Context, c *planop.Call, in *guideInput) (*Answer, error) {
			if in.List {
				return listTexts()
			}
			p, err := newPrinter(c, facts, in.Runtime)
			if err != nil {
				return nil, err
			}
			name := strings.TrimPrefix(strings.TrimPrefix(in.Name, "/"), "gsd-")
			if name == "" {
				if name, err = p.nextGuide(ctx); err != nil {
					return nil, err
				}
			}
			return p.a, p.printText(name, in.Args)
		},
		Page: (*Answer).page,
	}.Operation()}
}

// newProject is the guide from an idea to a roadmap.
const newProject = "new-project"

// nextGuide returns the name of the guide for the next step, and notes the reason for it. It fails as Facts.Kept does.
func (p *printer) nextGuide(ctx context.Context) (string, error) {
	if p.inv == nil {
		return newProject, nil
	}
	why, err := p.openBeginning(ctx)
	if err != nil {
		return "", err
	}
	if why != "" {
		p.a.Facts = append(p.a.Facts, "next: "+newProject+" ("+why+")")
		return newProject, nil
	}
	step := p.inv.NextStep()
	p.a.Facts = append(p.a.Facts, "next: "+step.String())
	if kind, ok := content.Find(step.Command); ok && kind == content.GuideKind {
		return step.Command, nil
	}
	if step.Command == "complete-phase" {
		return "execute-phase", nil // whose run goes on until the phase is closed
	}
	return "do", nil
}

// openBeginning returns the reason why the beginning of a plan is not at its end, or "": none of its phases has begun, and the roadmap has
// no requirements or was not kept, as the last step of the guide does. It fails as Facts.Kept does.
func (p *printer) openBeginning(ctx context.Context) (string, error) {
	switch {
	case !p.inv.IsUntouched():
		return "", nil
	case !p.hasDocument("REQUIREMENTS"):
		return "the roadmap is there, its requirements are not", nil
	}
	kept, err := p.facts.Kept(ctx, p.call)
	if err != nil || kept {
		return "", err
	}
	return "the roadmap was not committed, so it may not be agreed", nil
}

// listTexts lists all texts. It fails as content.ReadGuide does.
func listTexts() (*Answer, error) {
	a := &Answer{Name: "list", Args: []string{}, Facts: []string{}}
	for _, name := range content.Names(content.GuideKind) {
		g, err := content.ReadGuide(name)
		if err != nil {
			return nil, err
		}
		a.Facts = append(a.Facts, strings.Join(append([]string{name}, g.Takes...), " ")+": "+g.Purpose)
	}
	for _, k := range []content.Kind{content.RoleKind, content.ReferenceKind} {
		a.Facts = append(a.Facts, string(k)+": "+strings.Join(content.Names(k), ", "))
	}
	return a, nil
}

func unknownName(name string) error {
	var all []string
	for _, k := range []content.Kind{content.GuideKind, content.RoleKind, content.ReferenceKind} {
		all = append(all, content.Names(k)...)
	}
	var near []string
	for _, n := range all {
		if strings.Contains(n, name) || strings.Contains(name, n) {
			near = append(near, n)
		}
	}
	if n := operation.Nearest(name, all); n != "" && !slices.Contains(near, n) {
		near = append(near, n)
	}
	message := fmt.Sprintf("there is no guide, role or reference %.60q; ken plan guide --list names all", name)
	return &planop.Fault{Reason: "guide_not_found", Message: message, Near: near}
}

// page returns the answer as agents read it.
func (a *Answer) page() string {
	var b strings.Builder
	if a.Kind != "" {
		fmt.Fprintf(&b, "%s %s: %s\n", strings.TrimSuffix(string(a.Kind), "s"), strings.Join(append([]string{a.Name}, a.Args...), " "), a.Purpose)
	}
	for _, fact := range a.Facts {
		b.WriteString(fact + "\n")
	}
	for _, call := range a.First {
		fmt.Fprintf(&b, "first: `%s`\n", call)
	}
	if len(a.Writes) > 0 {
		fmt.Fprintf(&b, "writes: %s\n", strings.Join(a.Writes, ", "))
	}
	a.writeSteps(&b)
	if a.Text != "" {
		b.WriteString("\n" + a.Text)
	}
	if len(a.LeftOut) > 0 {
		fmt.Fprintf(&b, "left out: %s\n", strings.Join(a.LeftOut, "; "))
	}
	for _, call := range a.Next {
		fmt.Fprintf(&b, "then: `%s`\n", call)
	}
	return b.String()
}

// writeSteps writes the steps of a guide, before them how agents are started and persons asked, if that is needed.
func (a *Answer) writeSteps(b *strings.Builder) {
	if slices.ContainsFunc(a.Steps, func(s Step) bool { return s.Agent != nil }) {
		start := a.runs.Start
		if start == "" {
			start = "Take each role yourself, one after the other."
		}
		b.WriteString(start + "\n")
	}
	if slices.ContainsFunc(a.Steps, func(s Step) bool { return s.Gate != "" }) {
		b.WriteString(a.runs.Ask + "\n")
	}
	for i, s := range a.Steps {
		fmt.Fprintf(b, "%d. %s: %s\n", i+1, s.Name, s.Do)
		for _, call := range s.Run {
			fmt.Fprintf(b, "   `%s`\n", call)
		}
		if s.Agent != nil {
			fmt.Fprintf(b, "   %s\n", s.Agent.Line())
		}
		if len(s.Writes) > 0 {
			fmt.Fprintf(b, "   writes: %s\n", strings.Join(s.Writes, ", "))
		}
		if s.Gate != "" {
			fmt.Fprintf(b, "   ask: %s", s.Gate)
			if len(s.Options) > 0 {
				fmt.Fprintf(b, " (%s)", strings.Join(s.Options, ", "))
			}
			b.WriteString("\n")
		}
	}
}
