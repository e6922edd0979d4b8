package agentevent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/delivery/agenttext"
	"ken/internal/delivery/injection"
	"ken/internal/delivery/project"
	"ken/internal/delivery/render"
	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/knowledge/session"
	"ken/internal/workflow/agent"
)

// Bounds of one warning.
const (
	maxGone   = 5 // declarations that were removed
	maxPlaces = 5 // places of each
)

// onEdit updates the index with the files of an edit and remembers them. It returns warnings of proven problems: an import that no
// longer resolves, a new credential, a removed declaration that is still used.
func (h *Handler) onEdit(ctx context.Context, e *agent.Event) []string {
	paths := slices.DeleteFunc(h.projectPaths(e), func(p string) bool { return strings.HasPrefix(p, ".ken/") })
	if len(paths) == 0 {
		return nil
	}
	x := &edit{h: h, paths: paths}
	asking, cancel := context.WithTimeout(ctx, editTime)
	defer cancel()
	h.logError(h.Project.Engine.Answer(asking, engine.AsIndexed, x.updateIndex))
	what := session.Event{Kind: session.Edited}
	for _, p := range paths {
		what.Files = append(what.Files, session.FileChange{Path: p, Change: x.changeKind(p, e.Created)})
	}
	// Of two processes that report the same edit, only the one that updated the index has warnings. It replies, even if the other one
	// recorded the event.
	h.recordEvent(ctx, e, what)
	return x.warnings
}

// edit is one edit with its changes.
type edit struct {
	h        *Handler
	paths    []string
	changes  []code.Change
	warnings []string
}

// changeKind returns the kind of change that the index found; for a file that is not indexed, the kind that the runtime reported.
func (x *edit) changeKind(path string, created bool) session.Change {
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

// updateIndex updates the index while a view of its former state is open, because only there the users of a removed declaration can be
// found.
func (x *edit) updateIndex(ctx context.Context, before *view.Snapshot) ([]string, error) {
	u, err := x.h.Project.Engine.Update(ctx, engine.Request{Paths: x.paths, SkipMissing: true}) // a patch can name a file that was never there
	if err != nil {
		return nil, err
	}
	x.changes = u.Changes
	if len(u.Changes) == 0 {
		return nil, nil
	}
	return nil, x.h.Project.Engine.Answer(ctx, engine.AsIndexed, func(ctx context.Context, after *view.Snapshot) ([]string, error) {
		for i := range u.Changes {
			if slices.Contains(x.paths, u.Changes[i].Path) {
				if err := x.warnAboutFile(ctx, before, after, &u.Changes[i]); err != nil {
					return nil, err
				}
			}
		}
		return nil, nil
	})
}

// warnAboutFile adds the warnings about one file. It skips facts that the update reports unchanged, because most edits only change the
// body of a function.
func (x *edit) warnAboutFile(ctx context.Context, before, after *view.Snapshot, c *code.Change) error {
	if c.ImportsChanged && c.Type != code.Deleted {
		if err := x.warnBrokenImports(ctx, before, after, c.Path); err != nil {
			return err
		}
	}
	if err := x.warnCredential(ctx, before, after, c.Path); err != nil {
		return err
	}
	if !c.ExportsChanged && c.Type != code.Deleted {
		return nil
	}
	return x.warnRemoved(ctx, before, after, c.Path)
}

// warnBrokenImports warns of imports that resolved before the edit and do not any more.
func (x *edit) warnBrokenImports(ctx context.Context, before, after *view.Snapshot, path string) error {
	now, err := unresolvedImports(ctx, after, path)
	if err != nil || len(now) == 0 {
		return err
	}
	was, err := unresolvedImports(ctx, before, path)
	if err != nil {
		return err
	}
	for i := range now {
		spec := now[i].Spec
		if !slices.ContainsFunc(was, func(m view.ResolvedImport) bool { return m.Spec == spec }) {
			x.addWarning("%s:%d imports %s, which is not in the repository", x.displayPath(path), now[i].Line, agenttext.Code(spec))
		}
	}
	return nil
}

// unresolvedImports returns the imports of a file that should lead to a file of the repository but have no target.
func unresolvedImports(ctx context.Context, s *view.Snapshot, path string) ([]view.ResolvedImport, error) {
	list, err := s.Imports(ctx, path)
	if _, missing := project.AsNotFound(err); missing {
		return nil, nil
	}
	return slices.DeleteFunc(list, func(m view.ResolvedImport) bool {
		return len(m.Targets) > 0 || m.Dir != "" || m.Package != "" || m.External != ""
	}), err
}

// warnCredential warns of a credential that was not in the file before.
func (x *edit) warnCredential(ctx context.Context, before, after *view.Snapshot, path string) error {
	now, err := fileSecrets(ctx, after, path)
	if err != nil || len(now) == 0 {
		return err
	}
	was, err := fileSecrets(ctx, before, path)
	if err != nil {
		return err
	}
	for hash := range now {
		if !was[hash] {
			x.addWarning("%s holds a credential now (`ken secrets %s` says where)", x.displayPath(path), agenttext.Text(path))
			break
		}
	}
	return nil
}

// fileSecrets returns the hashes of the credentials in a file, without those noted as false alarms.
func fileSecrets(ctx context.Context, s *view.Snapshot, path string) (map[[16]byte]bool, error) {
	f, err := s.File(ctx, path)
	if _, missing := project.AsNotFound(err); missing {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	found, err := s.Index.FileSecrets(f.ID)
	out := map[[16]byte]bool{}
	for i := range found {
		if !found[i].Noted {
			out[found[i].Hash] = true
		}
	}
	return out, err
}

// exportedSymbols returns the exported declarations of a file, by qualified name.
func exportedSymbols(ctx context.Context, s *view.Snapshot, path string) (map[string]*view.Symbol, error) {
	list, err := s.Symbols(ctx, path)
	if _, missing := project.AsNotFound(err); missing {
		return nil, nil
	}
	out := map[string]*view.Symbol{}
	for i := range list {
		if list[i].Exported {
			out[list[i].Qualified] = &list[i]
		}
	}
	return out, err
}

func (x *edit) displayPath(path string) string {
	return agenttext.Code(x.h.Project.Engine.ShownPath(path))
}

func (x *edit) addWarning(format string, args ...any) {
	x.warnings = append(x.warnings, "- "+fmt.Sprintf(format, args...))
}

// warnRemoved warns of exported declarations that are gone and that are still used.
func (x *edit) warnRemoved(ctx context.Context, before, after *view.Snapshot, path string) error {
	was, err := exportedSymbols(ctx, before, path)
	if err != nil {
		return err
	}
	now, err := exportedSymbols(ctx, after, path)
	if err != nil {
		return err
	}
	var gone []view.Symbol
	for name, s := range was {
		if now[name] != nil {
			continue
		}
		// A use may refer to another declaration of the name, so nothing is proven.
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
			if r.Confidence >= code.ImportResolved && !slices.Contains(x.paths, r.Path) {
				places = append(places, fmt.Sprintf("%s:%d", agenttext.Text(r.Path), r.Line))
			}
		}
		if len(places) > 0 {
			x.addWarning("%s %s is gone from %s and still used: %s",
				gone[i].Kind, agenttext.Code(gone[i].Qualified), agenttext.Code(gone[i].Path), listFirst(places, maxPlaces))
		}
	}
	return nil
}

// onStopAsync compares the whole tree with the index, because commands change files without events, and remembers the files that the
// session changed this way. Work that does not fit into the time continues at the next stop, or with the next question that needs the
// whole tree.
func (h *Handler) onStopAsync(ctx context.Context, e *agent.Event) {
	left := maxReconcile - h.Now().Sub(h.Began) // reading a transcript takes part of it
	short, cancel := context.WithTimeout(ctx, left)
	defer cancel()
	what := session.Event{Kind: session.Stopped}
	what.Achieved, what.Sure = session.Achievement(e.Text)
	if len(injection.Scan(what.Achieved)) > 0 {
		what.Achieved = ""
	}
	u, done, err := h.Project.Engine.CatchUp(ctx, left)
	if err != nil { // without an index the session is remembered nevertheless
		h.logError(err)
		h.recordEvent(ctx, e, what)
		return
	}
	for i := range u.Changes[:min(len(u.Changes), maxChanges)] {
		c := &u.Changes[i]
		if !u.Full {
			one := edit{changes: u.Changes[i : i+1]}
			what.Files = append(what.Files, session.FileChange{Path: c.Path, Change: one.changeKind(c.Path, false)})
		}
	}
	h.recordEvent(ctx, e, what)
	if task, ok := h.boundTask(e); ok && !u.Full {
		h.recordUnpermittedChanges(short, task, u.Changes)
	}
	h.judgePastSessions(short, e)
	if !done {
		return
	}
	h.keepPages(short)
	if _, err := render.RefreshSummaryFile(short, h.Project); err != nil && short.Err() == nil {
		h.logError(err)
	}
	if short.Err() == nil {
		h.consolidateMemory(short)
	}
}
