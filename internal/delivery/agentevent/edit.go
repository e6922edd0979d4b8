package agentevent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/delivery/block"
	"ken/internal/delivery/project"
	"ken/internal/delivery/summaryfile"
	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/knowledge/session"
	"ken/internal/workflow/agent"
)

// What one warning names.
const (
	maxGone   = 5 // declarations that were removed
	maxPlaces = 5 // places of each
)

// edited takes the files of an edit into the index and remembers them. It warns of what is
// proven: an import that leads nowhere now, a credential, a removed declaration in use.
func (h *Handler) edited(ctx context.Context, e *agent.Event) []string {
	paths := slices.DeleteFunc(h.inProject(e), func(p string) bool { return strings.HasPrefix(p, ".ken/") })
	if len(paths) == 0 {
		return nil
	}
	x := &edit{h: h, paths: paths}
	asking, cancel := context.WithTimeout(ctx, editTime)
	defer cancel()
	h.quietly(h.Project.Engine.Answer(asking, engine.AsIndexed, x.run))
	what := session.Event{Kind: session.Edited}
	for _, p := range paths {
		what.Files = append(what.Files, session.FileChange{Path: p, Change: x.changeOf(p, e.Created)})
	}
	// Of two processes that report the edit, the one that took it into the index has warnings,
	// and the other may be the one that has the event: so the index says which of them speaks.
	h.record(ctx, e, what)
	return x.warnings
}

// edit is one edit: what files held before and after.
type edit struct {
	h        *Handler
	paths    []string
	before   map[string]*held
	changes  []code.Change
	warnings []string
}

// held is what the index holds of a file, as far as warnings need it.
type held struct {
	exported map[string]*view.Symbol // by qualified name
	broken   map[string]bool         // imports that lead nowhere
	secrets  map[[16]byte]bool
}

// changeOf is what the index says happened to a file; of one that is not indexed, what the
// runtime says.
func (x *edit) changeOf(path string, created bool) session.Change {
	for _, c := range x.changes {
		if c.Path == path {
			return [...]session.Change{code.Added: session.Created, code.Modified: session.Modified, code.Deleted: session.Deleted}[c.Type]
		}
	}
	if created {
		return session.Created
	}
	return session.Modified
}

// run brings the index up to date within a view of what it was, because whoever used a
// declaration that is gone can only be found there.
func (x *edit) run(ctx context.Context, before *view.Snapshot) ([]string, error) {
	x.before = map[string]*held{}
	for _, p := range x.paths {
		b, err := holds(ctx, before, p)
		if err != nil {
			return nil, err
		}
		x.before[p] = b
	}
	u, err := x.h.Project.Engine.Update(ctx, engine.Request{Paths: x.paths})
	if err != nil {
		return nil, err
	}
	x.changes = u.Changes
	if len(u.Changes) == 0 {
		return nil, nil
	}
	return nil, x.h.Project.Engine.Answer(ctx, engine.AsIndexed, func(ctx context.Context, after *view.Snapshot) ([]string, error) {
		for i := range u.Changes {
			if err := x.compare(ctx, before, after, &u.Changes[i]); err != nil {
				return nil, err
			}
		}
		return nil, nil
	})
}

// holds is what the index holds of a file; nothing if it does not know it.
func holds(ctx context.Context, s *view.Snapshot, path string) (*held, error) {
	b := &held{exported: map[string]*view.Symbol{}, broken: map[string]bool{}, secrets: map[[16]byte]bool{}}
	f, err := s.File(ctx, path)
	if _, missing := project.Missing(err); missing {
		return b, nil
	}
	if err != nil {
		return nil, err
	}
	symbols, err := s.Symbols(ctx, path)
	if err != nil {
		return nil, err
	}
	for i := range symbols {
		if symbols[i].Exported {
			b.exported[symbols[i].Qualified] = &symbols[i]
		}
	}
	imports, err := s.Imports(ctx, path)
	if err != nil {
		return nil, err
	}
	for i := range imports {
		if leadsNowhere(&imports[i]) {
			b.broken[imports[i].Spec] = true
		}
	}
	found, err := s.Index.FileSecrets(f.ID)
	for i := range found {
		if !found[i].Noted {
			b.secrets[found[i].Hash] = true
		}
	}
	return b, err
}

// leadsNowhere reports whether an import is of something in the repository that is not there.
func leadsNowhere(m *view.ResolvedImport) bool {
	return len(m.Targets) == 0 && m.Dir == "" && m.Package == "" && m.External == ""
}

// compare adds warnings of one file.
func (x *edit) compare(ctx context.Context, before, after *view.Snapshot, c *code.Change) error {
	was := x.before[c.Path]
	if was == nil {
		return nil
	}
	now, err := holds(ctx, after, c.Path)
	if err != nil {
		return err
	}
	shown := block.Code(x.h.Project.Engine.ShownPath(c.Path))
	if c.Type != code.Deleted {
		imports, err := after.Imports(ctx, c.Path)
		if err != nil {
			return err
		}
		for i := range imports {
			m := &imports[i]
			if leadsNowhere(m) && !was.broken[m.Spec] {
				x.warn("%s:%d imports %s, which is not in the repository", shown, m.Line, block.Code(m.Spec))
			}
		}
	}
	for hash := range now.secrets {
		if !was.secrets[hash] {
			x.warn("%s holds a credential now (`ken secrets %s` says where)", shown, block.Text(c.Path))
			break
		}
	}
	if !c.ExportsChanged && c.Type != code.Deleted {
		return nil
	}
	return x.gone(ctx, before, after, was, now)
}

func (x *edit) warn(format string, args ...any) {
	x.warnings = append(x.warnings, "- "+fmt.Sprintf(format, args...))
}

// gone warns of exported declarations that are gone and that are still used.
func (x *edit) gone(ctx context.Context, before, after *view.Snapshot, was, now *held) error {
	var gone []view.Symbol
	for name, s := range was.exported {
		if now.exported[name] != nil {
			continue
		}
		// Another declaration of the name may be what is meant now, so nothing is proven.
		rows, err := after.SymbolsNamed(s.Name)
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			gone = append(gone, *s)
		}
	}
	sortSymbols(gone)
	for i := range gone[:min(len(gone), maxGone)] {
		all, err := refs.References(ctx, before, gone[i:i+1])
		if err != nil {
			return err
		}
		var places []string
		for k := range all.List {
			r := &all.List[k]
			if r.Confidence >= code.ImportResolved && x.before[r.Path] == nil {
				places = append(places, fmt.Sprintf("%s:%d", block.Text(r.Path), r.Line))
			}
		}
		if len(places) > 0 {
			x.warn("%s %s is gone from %s and still used: %s",
				gone[i].Kind, block.Code(gone[i].Qualified), block.Code(gone[i].Path), list(places, maxPlaces))
		}
	}
	return nil
}

// reconcile compares the whole tree with the index, because commands change files without
// an event of each, and remembers what a session changed so. What does not fit into the time goes on
// at the next stop, or with the next question that needs the whole tree.
func (h *Handler) reconcile(ctx context.Context, e *agent.Event) {
	short, cancel := context.WithTimeout(ctx, maxReconcile)
	defer cancel()
	u, done, err := h.Project.Engine.CatchUp(ctx, maxReconcile)
	if err != nil {
		h.quietly(err)
		return
	}
	what := session.Event{Kind: session.Stopped}
	for i := range u.Changes[:min(len(u.Changes), maxChanges)] {
		c := &u.Changes[i]
		if !u.Full {
			one := edit{changes: u.Changes[i : i+1]}
			what.Files = append(what.Files, session.FileChange{Path: c.Path, Change: one.changeOf(c.Path, false)})
		}
	}
	h.record(ctx, e, what)
	if !done {
		return
	}
	if _, err := summaryfile.Refresh(short, h.Project); err != nil && short.Err() == nil {
		h.quietly(err)
	}
}
