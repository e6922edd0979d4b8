// Package essentials declares the operation over a project's rules and design documents in short, which an agent has to know before it
// begins. They are kept by knowledge/essential; delivery/op lists the operation.
package essentials

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/delivery/injection"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
	"ken/internal/git"
	"ken/internal/knowledge/essential"
	"ken/internal/operation"
)

type input struct {
	Action string   `arg:"[ACTION]" enum:"show,put,sync" help:"show (default), put FILE (what matters of it on standard input) or sync"`
	Files  []string `arg:"[FILE…]" help:"documents"`
	Kind   string   `flag:"kind" value:"KIND" enum:"rules,design" help:"put: what a document is for, where its name does not say it"`
	Author string   `flag:"author" value:"WHO" enum:"agent,person" help:"put: who has written the summary (default agent)"`
	DryRun bool     `flag:"dry-run" help:"sync: say what would happen, and write nothing"`
}

type answer struct {
	Revision  code.Rev   `json:"revision" doc:"state of the index the answer was computed from"`
	Documents []document `json:"documents" paths:"yes" doc:"rules first, then design"`
	Include   []string   `json:"include_patterns,omitempty" doc:"documents that are looked through for mentions, if not all"`
	Exclude   []string   `json:"exclude_patterns,omitempty" doc:"documents that are not"`
	Synced    string     `json:"last_synced,omitempty" doc:"RFC 3339, UTC"`
	Done      []change   `json:"changes,omitempty" paths:"yes" doc:"of sync: what was kept anew"`
	Notes     []string   `json:"notes,omitempty" doc:"what is to be known"`
}

type document struct {
	Path    operation.Path `json:"path" doc:"document"`
	Kind    string         `json:"kind" doc:"rules or design"`
	Status  string         `json:"status" doc:"current, changed (since it was summed up), gone, unchecked (nothing says of which version the summary is) or new (nothing is kept of it)"`
	By      string         `json:"written_by,omitempty" doc:"who wrote the summary: extraction (taken from the document, without a model), agent or person"`
	Kept    operation.Path `json:"kept_in,omitempty" doc:"file that keeps it, if any"`
	Summary string         `json:"summary,omitempty" doc:"what matters of it"`
	Extra   string         `json:"extra_notes,omitempty" doc:"what somebody added and is in no document"`
	Problem []string       `json:"problems,omitempty" doc:"what is wrong with it"`
}

type change struct {
	Path   operation.Path `json:"path" doc:"document"`
	Action string         `json:"action" doc:"added or refreshed"`
}

// Tool is the operation.
func Tool() *project.Tool {
	return operation.Spec[*project.Project, input, answer]{
		Name:  "context",
		Topic: operation.Remember, Logged: true,
		MCP: operation.Offer{
			Set: "knowledge", Place: 6, Input: true,
			About: "Rules and design documents in short; put writes the summary of one, which is in input.",
		},
		Effect:  operation.Changes,
		Summary: "the rules and design documents of this project in short, and which have changed since",
		Long: "CLAUDE.md, AGENTS.md, CONTRIBUTING.md, docs/architecture and others are found by name. What matters of each is taken from it without a model: of rules\n" +
			"the lines that say what to do and what not, of design the headings with what is said first below each. \"sync\" keeps that in .ken/knowledge/context.yml;\n" +
			"an agent's or person's own words (put) take its place and are never overwritten: when the document has changed they are marked. extra_notes and all else\n" +
			"that is written into the file by hand stays. A .code-intel/context.yml is read where it is.",
		Example: []string{"context", "context show CLAUDE.md", "context sync", "context put docs/architecture.md < short.md"},
		Run:     run,
		Text:    text,
	}.Tool()
}

// documentCall is one call of the operation.
type documentCall struct {
	p   *project.Project
	s   *view.Snapshot
	in  *input
	a   *answer
	now time.Time
}

func run(ctx context.Context, e *project.Env, in *input, emit func(*answer) error) error {
	p, err := project.Open(e, operation.Existing)
	if err != nil {
		return err
	}
	if in.Action == "put" && len(in.Files) != 1 {
		return code.Usagef("name the document: ken context put FILE")
	}
	actions := map[string]func(*documentCall, context.Context) error{
		"": (*documentCall).show, "show": (*documentCall).show, "sync": (*documentCall).sync,
		"put": func(w *documentCall, ctx context.Context) error { return w.put(ctx, e.Stdin) },
	}
	ask := p.AskChecked
	if in.Action == "put" || in.Action == "sync" {
		ask = p.AskWhole // a run that writes must happen once
	}
	var a *answer
	err = ask(ctx, func(ctx context.Context, s *view.Snapshot) error {
		a = &answer{Revision: s.Rev()}
		w := &documentCall{p: p, s: s, in: in, a: a, now: time.Now().UTC()}
		return actions[in.Action](w, ctx)
	})
	if a == nil {
		a = &answer{}
	}
	return operation.Finish(a, err, emit)
}

// show answers with all kept documents, or with named ones.
func (w *documentCall) show(ctx context.Context) error {
	c, err := essential.AllDocuments(ctx, w.s, w.p.Root)
	if err != nil {
		return err
	}
	w.a.Include, w.a.Exclude, w.a.Synced, w.a.Notes = c.Search.Include, c.Search.Exclude, w.p.Engine.Hide(c.Synced), c.Broken
	var wanted []string
	for _, arg := range w.in.Files {
		rel, err := w.p.Rel(arg)
		if err != nil {
			return err
		}
		wanted = append(wanted, rel)
	}
	for i := range c.Documents {
		d := &c.Documents[i]
		if len(wanted) > 0 && !slices.Contains(wanted, d.Path) {
			continue
		}
		w.a.Documents = append(w.a.Documents, w.row(d))
	}
	if len(w.a.Documents) == 0 && len(w.a.Notes) == 0 {
		return operation.Nothingf("no document of rules or design is known; \"ken context put FILE\" makes one known")
	}
	return nil
}

// row returns a document as it is answered. Its texts came with the repository, so they are masked, and a passage worded as an order to
// an agent is named and not shown.
func (w *documentCall) row(d *essential.Document) document {
	row := document{
		Path: w.p.Path(d.Path), Kind: string(d.Kind), Status: string(d.Status), By: string(d.By), Kept: operation.Path(d.Kept),
		Summary: w.p.Engine.Hide(d.Summary), Extra: w.p.Engine.Hide(d.Notes),
	}
	if d.Kept != "" && d.By == "" {
		row.By = string(essential.Person)
	}
	if hits := injection.Scan(d.Summary + "\n" + d.Notes); len(hits) > 0 {
		row.Problem = append(row.Problem, injection.HitsText(hits, "the summary")+"; it is not shown: read it in "+operation.Quote(d.Kept))
		row.Summary, row.Extra = "", ""
	}
	return row
}

// withLock runs f on the kept documents, read again under the lock.
func (w *documentCall) withLock(ctx context.Context, f func(c *essential.Context) (write bool, err error)) error {
	release, err := w.p.Lock(ctx)
	if err != nil {
		return fmt.Errorf("wait for other processes that write knowledge: %w", err)
	}
	defer release()
	c := essential.Load(w.p.Root)
	if err := c.SetStatuses(w.s); err != nil {
		return err
	}
	write, err := f(c)
	if err != nil || !write {
		return err
	}
	return c.Write(w.p.Root, w.now.Format(time.RFC3339))
}

// put keeps a summary of a document that an agent or a person has written.
func (w *documentCall) put(ctx context.Context, in io.Reader) error {
	f, err := w.p.File(ctx, w.s, w.in.Files[0])
	if err != nil {
		return err
	}
	b, err := io.ReadAll(io.LimitReader(in, essential.MaxSummary+1))
	if err != nil {
		return fmt.Errorf("read the summary: %w", err)
	}
	summary := essential.Printable(w.p.Engine.Hide(string(b)))
	switch hits := injection.Scan(summary); {
	case len(b) > essential.MaxSummary:
		return code.Usagef("the summary has more than %d bytes: say what matters", essential.MaxSummary)
	case summary == "":
		return code.Usagef("there is nothing on standard input: pass what matters of %s", operation.Quote(f.Path))
	case len(hits) > 0:
		return code.Usagef("the summary of %s is not kept: %s", operation.Quote(f.Path), injection.HitsText(hits, "the summary"))
	}
	d := essential.Document{
		Kind: essential.DocumentKind(f.Path), Path: f.Path, Summary: summary, Hash: essential.FileHash(&f), By: essential.Agent, Status: essential.Current,
	}
	if w.in.Kind != "" {
		d.Kind = essential.Kind(w.in.Kind)
	}
	if w.in.Author != "" {
		d.By = essential.Origin(w.in.Author)
	}
	err = w.withLock(ctx, func(c *essential.Context) (bool, error) { return true, c.Put(d) })
	if err != nil {
		return err
	}
	d.Kept = essential.Path
	w.a.Documents = []document{w.row(&d)}
	return nil
}

// sync keeps the extracts of documents that are new or have changed. Texts that an agent or a person wrote stay, and are named if they
// belong to an older version.
func (w *documentCall) sync(ctx context.Context) error {
	if r, err := git.Find(w.p.Root); err == nil && r.IsMerging() {
		return errors.New("a merge or rebase is under way: nothing is kept before it has ended, because documents may hold both sides until then")
	}
	if len(w.in.Files) > 0 {
		return code.Usagef("sync takes no documents: it looks at all")
	}
	err := w.withLock(ctx, func(c *essential.Context) (bool, error) {
		steps, err := essential.RenewExtracts(ctx, w.s, c)
		if err != nil {
			return false, err
		}
		for i := range steps {
			d := &steps[i]
			if hits := injection.Scan(d.Summary); len(hits) > 0 {
				w.a.Notes = append(w.a.Notes, fmt.Sprintf("nothing is kept of %s: %s", operation.Quote(d.Path), injection.HitsText(hits, "it")))
				continue
			}
			action := "added"
			if d.Kept != "" {
				action = "refreshed"
			}
			d.Summary = essential.Printable(w.p.Engine.Hide(d.Summary))
			if err := c.Put(*d); err != nil {
				return false, err
			}
			w.a.Done = append(w.a.Done, change{w.p.Path(d.Path), action})
		}
		for i := range c.Documents {
			if d := &c.Documents[i]; d.Status == essential.Changed && d.By != essential.Extracted {
				w.a.Notes = append(w.a.Notes, fmt.Sprintf("%s has changed since it was summed up: renew it with \"ken context put\"", operation.Quote(d.Path)))
			} else if d.Status == essential.Gone {
				w.a.Notes = append(w.a.Notes, fmt.Sprintf("%s is gone: take it out of %s", operation.Quote(d.Path), d.Kept))
			}
		}
		w.a.Notes = append(w.a.Notes, c.Broken...)
		return len(w.a.Done) > 0 && !w.in.DryRun, nil
	})
	return err
}

// SummaryLine returns a line about the kept documents for the beginning of a session, "" if there are none. It asks for a row of each
// document and reads none. It returns an error if the index cannot be read.
func SummaryLine(p *project.Project, s *view.Snapshot) (string, error) {
	c := essential.Load(p.Root)
	if len(c.Files) == 0 || len(c.Documents) == 0 {
		return "", nil
	}
	if err := c.SetStatuses(s); err != nil {
		return "", err
	}
	var changed []string
	for i := range c.Documents {
		if c.Documents[i].Status == essential.Changed {
			changed = append(changed, c.Documents[i].Path)
		}
	}
	line := fmt.Sprintf("Rules and design in short: run ken context (%s", operation.Plural(len(c.Documents), "document"))
	if len(changed) > 0 {
		line += fmt.Sprintf("; changed since they were summed up: %s", strings.Join(changed[:min(len(changed), 2)], ", "))
		if more := len(changed) - 2; more > 0 {
			line += fmt.Sprintf(" and %d more", more)
		}
	}
	return line + ")", nil
}
