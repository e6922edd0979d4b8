package tasks

import (
	"context"
	"path"

	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/guard"
)

// ties are the files and declarations that a reference or import ties to the targets of a task: they count as evidence for them.
type ties struct {
	files   map[string]bool
	beside  map[string]bool // files in the folders of the targets
	symbols map[string]bool // PATH:NAME
	entries map[string]bool // PATH:NAME of declarations that lead into a target
}

// maxTied bounds how many files around the targets are read.
const maxTied = 200

// findTies gathers the ties of targets. It returns an error if the index cannot be read.
func (w *taskCall) findTies(ctx context.Context, targets []guard.Target) (*ties, error) {
	t := &ties{files: map[string]bool{}, beside: map[string]bool{}, symbols: map[string]bool{}, entries: map[string]bool{}}
	for i := range targets {
		g := &targets[i]
		if len(g.Candidates) > 0 || g.Unindexed {
			continue
		}
		if err := w.tieFolder(ctx, t, g); err != nil {
			return nil, err
		}
		if g.New {
			continue
		}
		if err := w.tieFile(ctx, t, g); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// tieFolder adds the files in the folder of a target; a new file is judged by them.
func (w *taskCall) tieFolder(ctx context.Context, t *ties, g *guard.Target) error {
	near, err := w.newFinder().Siblings(g.Path)
	if err != nil {
		return err
	}
	for i, p := range near {
		t.beside[p] = true
		if !g.New || i >= maxTied {
			continue
		}
		t.files[p] = true
		if err := w.tieDeclared(ctx, t, p, ""); err != nil {
			return err
		}
	}
	return nil
}

// tieDeclared adds the declarations of a file, or those within one declaration. Exported ones count as entries.
func (w *taskCall) tieDeclared(ctx context.Context, t *ties, file, within string) error {
	list, err := w.s.Symbols(ctx, file)
	if err != nil {
		return err
	}
	for i := range list {
		y := &list[i]
		inside := within == "" || y.Qualified == within || len(y.Qualified) > len(within) && y.Qualified[:len(within)+1] == within+"."
		if y.Kind.IsText() || !inside {
			continue
		}
		t.symbols[file+":"+y.Qualified] = true
		if y.Exported {
			t.entries[file+":"+y.Qualified] = true
		}
	}
	return nil
}

// tieFile adds the references to and from a target.
func (w *taskCall) tieFile(ctx context.Context, t *ties, g *guard.Target) error {
	t.files[g.Path] = true
	if err := w.tieDeclared(ctx, t, g.Path, g.Symbol); err != nil {
		return err
	}
	out, err := refs.FileReferences(ctx, w.s, g.Path)
	if err != nil {
		return err
	}
	for i := range out {
		r := &out[i]
		if r.Target != nil && r.Confidence > code.Ambiguous {
			t.files[r.Target.Path], t.symbols[r.Target.Path+":"+r.Target.Qualified] = true, true
		}
	}
	ways := []func(context.Context, *view.Snapshot, view.Target, int) (view.Dependents, error){refs.Dependents, refs.Dependencies}
	for _, way := range ways {
		d, err := way(ctx, w.s, view.Target{File: g.Path}, 1)
		if err != nil {
			return err
		}
		for k := range d.List[:min(len(d.List), maxTied)] {
			if d.List[k].Relation.Depends() {
				t.files[d.List[k].Path] = true
			}
		}
	}
	users := append([]string{}, g.Tests...)
	for _, c := range g.Callers {
		users = append(users, c.Path)
	}
	for _, p := range users[:min(len(users), maxTied)] {
		t.files[p] = true
		list, err := refs.FileReferences(ctx, w.s, p)
		if err != nil {
			return err
		}
		for i := range list {
			r := &list[i]
			uses := r.Target != nil && r.Target.Path == g.Path && r.In != ""
			if uses && (g.Symbol == "" || r.Target.Qualified == g.Symbol) {
				t.symbols[p+":"+r.In], t.entries[p+":"+r.In] = true, true
			}
		}
	}
	return nil
}

// counts returns the number of ties of each kind.
func (t *ties) counts() guard.Counts {
	patterns := len(t.beside)
	for f := range t.files {
		if !t.beside[f] {
			patterns++
		}
	}
	return guard.Counts{Symbols: len(t.symbols), EntryPoints: len(t.entries), Files: len(t.files), Patterns: patterns}
}

// isTied reports whether a claim is about something that is tied to a target.
func (t *ties) isTied(c *guard.Claim) bool {
	switch c.Kind {
	case guard.Symbols, guard.EntryPoints:
		return t.symbols[c.Path+":"+c.Symbol]
	case guard.Patterns:
		return t.files[c.Path] || t.beside[c.Path]
	}
	return t.files[path.Clean(c.Path)]
}
