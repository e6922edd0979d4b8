package impact

import (
	"context"

	"ken/internal/ask/filename"
	"ken/internal/ask/impact/describe"
	"ken/internal/code"
)

// Described is a document that describes targets, as reference documentation does, with the lines that describe them.
type Described struct {
	Path  string
	Lines []describe.Line
}

// maxDescribed is the number of lines of a document that are listed.
const maxDescribed = 20

// describedNames returns the names whose descriptions documents are searched for: those of the targets, of the declarations in
// whole files, and strings that the description of the change quotes and the targets contain, such as settings. It returns none for
// markup.
func (x *impactSearch) describedNames(ctx context.Context) (describe.Names, error) {
	if !x.q.Described || x.out.Relaxed {
		return nil, nil
	}
	names := describe.Names{}
	add := func(name string) { names[name] = describe.Certainty(name, filename.IsGeneric(name)) }
	for i := range x.out.Symbols {
		if s := &x.out.Symbols[i]; !s.Kind.IsText() || s.Kind == code.KindKey {
			add(s.Name)
		}
	}
	for _, p := range x.files {
		n, ok := x.s.Lookup.Node(p)
		if !ok {
			continue
		}
		declared, err := x.topNames(n.ID)
		if err != nil {
			return nil, err
		}
		for _, name := range declared {
			add(name)
		}
	}
	return names, x.quotedNames(ctx, add)
}

// quotedNames adds the strings that the description of the change quotes and a target contains as a word.
func (x *impactSearch) quotedNames(ctx context.Context, add func(string)) error {
	quoted := quotedIn(x.q.Change)
	if len(quoted) == 0 {
		return nil
	}
	for _, p := range x.out.Files[:min(len(x.out.Files), maxImpactFiles)] {
		text, err := x.s.Text(ctx, p)
		if err != nil {
			return err
		}
		for _, q := range quoted {
			if countWord(text, q) > 0 {
				add(q)
			}
		}
	}
	return nil
}
