// Package entities declares the operation over the pages of meaning of a project's files:
// which there are, which should be written, and the ways to write, check and refresh them.
// The pages are knowledge/entity's; delivery/op lists the operation.
package entities

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/delivery/injection"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
	"ken/internal/git"
	"ken/internal/knowledge/entity"
	"ken/internal/knowledge/purpose"
	"ken/internal/operation"
)

type (
	env  = project.Env
	spec = operation.Spec[*project.Project, input, answer]
)

type input struct {
	Action  string   `arg:"ACTION" enum:"show,list,next,put,check,stale,sync" help:"show FILE…, list, next, put FILE (page on standard input), check [FILE…], stale or sync"`
	Files   []string `arg:"[FILE…]" help:"files the pages are about"`
	Batch   *int     `flag:"batch" value:"N" help:"next: how many files to take (default 5)"`
	Author  string   `flag:"author" value:"NAME" help:"put: who has written it: agent (default) or person"`
	Replace bool     `flag:"replace" help:"put: also replace a page that is not stale"`
	DryRun  bool     `flag:"dry-run" help:"sync: say what would happen, and write nothing"`
	Limit   *int     `flag:"limit" value:"N" help:"rows shown; 0: all (default 20 in text, all in JSON)"`
}

type answer struct {
	Revision code.Rev `json:"revision" doc:"state of the index the answer was computed from"`
	Pages    []page   `json:"pages,omitempty" paths:"yes" doc:"of show, list, check, stale, put: pages"`
	Next     []next   `json:"files,omitempty" paths:"yes" doc:"of next: files whose page is now yours to write"`
	Prompt   string   `json:"prompt,omitempty" doc:"of next: how to write the pages"`
	Queue    *queue   `json:"queue,omitempty" doc:"of next and list: the work that is left"`
	Done     []change `json:"changes,omitempty" paths:"yes" doc:"of sync: what happened to written pages"`
	Notes    []string `json:"notes,omitempty" doc:"what is to be known"`
}

type page struct {
	Path    operation.Path `json:"path" doc:"file the page is about; of a page that cannot be read that of the page"`
	ID      string         `json:"id,omitempty" doc:"by which [[links]] name it"`
	Origin  string         `json:"origin,omitempty" doc:"written or derived"`
	Author  string         `json:"author,omitempty" doc:"of a written one: agent or person"`
	Type    string         `json:"type,omitempty" doc:"type of the file"`
	Status  string         `json:"status,omitempty" doc:"active, deprecated, stale (what the file offers has changed since), gone (there is no such file) or broken"`
	Updated string         `json:"updated,omitempty" doc:"day the text was written"`
	Purpose string         `json:"purpose,omitempty" doc:"first sentence of why the file exists"`
	From    string         `json:"purpose_from,omitempty" doc:"of a derived one: doc, declaration, folder or place; missing if it is unknown"`
	Problem []string       `json:"problems,omitempty" doc:"what is wrong with it"`
	Text    string         `json:"text,omitempty" doc:"of show: the page as Markdown"`
}

type next struct {
	Path       operation.Path `json:"path" doc:"file"`
	ID         string         `json:"id" doc:"id of its page"`
	Reason     string         `json:"reason" doc:"missing or stale"`
	Dependents uint32         `json:"dependents" doc:"files that depend on it"`
}

type queue struct {
	Pending    int          `json:"pending" doc:"files that deserve a page and have no true one"`
	InProgress []inProgress `json:"in_progress" paths:"yes" doc:"files whose page somebody writes"`
	Failed     []failed     `json:"refusals" paths:"yes" doc:"files whose page was refused, and why"`
	Processed  int          `json:"total_processed" doc:"pages written, ever"`
	BatchSize  int          `json:"last_batch_size" doc:"files of the last batch"`
	BatchMS    int64        `json:"last_batch_duration_ms" doc:"from the beginning of the last batch to its last page"`
}

type inProgress struct {
	Path  operation.Path `json:"path" doc:"file"`
	Until string         `json:"until" doc:"RFC 3339, UTC: then somebody else can have it"`
}

type failed struct {
	Path operation.Path `json:"path" doc:"file"`
	Why  string         `json:"why" doc:"what was wrong with its page"`
}

type change struct {
	Path   operation.Path `json:"path" doc:"file the page is about"`
	Action string         `json:"action" doc:"refreshed, moved or archived"`
	From   operation.Path `json:"from,omitempty" doc:"of moved: the former path of the file"`
}

// Tool is the operation.
func Tool() *project.Tool {
	return spec{
		Name:  "entity",
		Topic: operation.Remember, Logged: true,
		MCP: operation.Offer{
			Set: "knowledge", Place: 4, Input: true,
			About: "Pages that say why files exist: show, next (which lack one), put (the page is in input), check.",
		},
		Effect:  operation.Changes,
		Summary: "pages that say why files exist: read them, write those that are missing",
		Long: "A page is derived unless somebody has written one: derived pages are made of doc comments, READMEs, names and the graph, without a model, and say\n" +
			"\"unknown\" where nothing says why a file exists. Written pages are Markdown files in .ken/knowledge/entities. Their text is never changed; ken refreshes\n" +
			"their front matter and dependents, marks them stale when what the file offers has changed, and moves them with their file (sync).",
		Example: []string{"entity show src/db.ts", "entity next --batch 5", "entity put src/db.ts < page.md", "entity stale", "entity sync"},
		Run:     run,
		Text:    text,
	}.Tool()
}

// lease is how long a page that was taken is kept from others.
const lease = 30 * time.Minute

// pageCall is one call of the operation.
type pageCall struct {
	p      *project.Project
	s      *view.Snapshot
	in     *input
	a      *answer
	folder entity.Folder
	pages  []entity.KeptPage
	now    time.Time
}

func run(ctx context.Context, e *env, in *input, emit func(*answer) error) error {
	p, err := project.Open(e, operation.Existing)
	if err != nil {
		return err
	}
	actions := map[string]func(*pageCall, context.Context) error{
		"show": (*pageCall).showPage, "list": (*pageCall).listPages, "next": (*pageCall).nextPages, "check": (*pageCall).checkPages, "stale": (*pageCall).listStale, "sync": (*pageCall).syncPages,
		"put": func(w *pageCall, ctx context.Context) error { return w.putPage(ctx, e.Stdin) },
	}
	if len(in.Files) == 0 && (in.Action == "show" || in.Action == "put") {
		return code.Usagef("name the file: ken entity %s FILE", in.Action)
	}
	ask := p.AskChecked
	if slices.Contains([]string{"put", "next", "sync"}, in.Action) {
		ask = p.AskWhole // a run that writes must happen once
	}
	var a *answer
	err = ask(ctx, func(ctx context.Context, s *view.Snapshot) error {
		a = &answer{Revision: s.Rev()}
		w := &pageCall{p: p, s: s, in: in, a: a, folder: entity.Folder{Root: p.Root}, now: time.Now().UTC()}
		var err error
		if w.pages, err = w.folder.List(); err != nil {
			return err
		}
		return actions[in.Action](w, ctx)
	})
	if a == nil {
		a = &answer{}
	}
	if err == nil && !in.DryRun && (in.Action == "put" || in.Action == "sync") {
		if failed := p.KeepPages(ctx); failed != nil {
			a.Notes = append(a.Notes, "the view nodes of the index does not show it yet: "+failed.Error())
		}
	}
	return operation.Finish(a, err, emit)
}

// showPage gives the pages of files, written ones with their computed parts as they are now.
func (w *pageCall) showPage(ctx context.Context) error {
	for _, arg := range w.in.Files {
		f, err := w.p.File(ctx, w.s, arg)
		if err != nil {
			return err
		}
		d, err := entity.Derive(ctx, w.s, &f)
		if err != nil {
			return err
		}
		kept, err := w.folder.Find(d.ID, d.Path)
		if err != nil {
			return err
		}
		var row page
		switch {
		case kept.Page != nil:
			kept.Page.Refresh(d)
			row = w.writtenRow(kept.Page)
			row.Text = w.p.Engine.Hide(kept.Page.String())
		case kept.Broken == "" && w.folder.OtherPage(d.ID, d.Path) != nil:
			p := w.folder.OtherPage(d.ID, d.Path)
			row = w.writtenRow(p)
			row.Text = w.p.Engine.Hide(p.String())
			row.Problem = append(row.Problem, "another program keeps it, in .planning/intel/entities: of which version of the file it is, is not known")
		default:
			if row, err = w.derivedRow(ctx, &f, d); err != nil {
				return err
			}
			if kept.Broken != "" {
				row.Problem = []string{fmt.Sprintf("the written page %s/%s cannot be read and is left alone: %s", entity.Dir, kept.Name, kept.Broken)}
			}
		}
		w.a.Pages = append(w.a.Pages, row)
	}
	return nil
}

// derivedRow returns the page that ken computes of a file as a row.
func (w *pageCall) derivedRow(ctx context.Context, f *code.File, d *entity.Derived) (page, error) {
	found, err := purpose.FilePurpose(ctx, w.s, f)
	if err != nil {
		return page{}, err
	}
	text := found.Text
	if found.Of != "" {
		text += " (from " + found.Of + ")"
	}
	return page{
		Path: operation.Path(d.Path), ID: d.ID, Origin: "derived", Type: d.Type, Status: string(d.Status), Purpose: found.Text, From: string(found.From),
		Text: d.Page(text).String(),
	}, nil
}

// writtenRow returns a written page as a row. Its text may have come with the repository, so it is masked, and passages worded as
// orders to an agent are named.
func (w *pageCall) writtenRow(p *entity.Page) page {
	h := &p.Head
	row := page{
		Path: operation.Path(h.Path), ID: h.ID, Origin: "written", Author: h.Author, Type: h.Type, Status: string(h.Status), Updated: h.Updated,
		Purpose: w.p.Engine.Hide(entity.FirstSentence(p)),
	}
	if hits := injection.Scan(p.String()); len(hits) > 0 {
		row.Problem = append(row.Problem, injection.HitsText(hits, "the page"))
	}
	return row
}

// readPage returns one written page as a row with its present status. problems lists everything that is wrong with it.
func (w *pageCall) readPage(ctx context.Context, k entity.KeptPage, problems bool) (page, error) {
	if k.Page == nil {
		return page{Path: operation.Path(entity.Dir + "/" + k.Name), Status: "broken", Problem: []string{k.Broken}}, nil
	}
	f, ok, err := w.s.Index.FileByPath(k.Page.Head.Path)
	if err != nil {
		return page{}, err
	}
	if !ok {
		row := w.writtenRow(k.Page)
		row.Status = "gone"
		return row, nil
	}
	d, err := entity.Derive(ctx, w.s, &f)
	if err != nil {
		return page{}, err
	}
	k.Page.Refresh(d)
	row := w.writtenRow(k.Page)
	if problems {
		row.Problem = append(row.Problem, k.Page.Mistakes(len(d.Internal) > 0)...)
		lost, err := w.brokenLinks(k.Page)
		if err != nil {
			return page{}, err
		}
		row.Problem = append(row.Problem, lost...)
	}
	return row, nil
}

// brokenLinks returns the links of a page that lead to no file.
func (w *pageCall) brokenLinks(p *entity.Page) (out []string, err error) {
	ids, err := w.pageIDs()
	if err != nil {
		return nil, err
	}
	for _, id := range p.Links() {
		if !ids[id] {
			out = append(out, "no file has the id "+id)
		}
	}
	return out, nil
}

// pageIDs returns the ids of all files.
func (w *pageCall) pageIDs() (map[string]bool, error) {
	ids := map[string]bool{}
	for f, err := range w.s.Index.Files() {
		if err != nil {
			return nil, err
		}
		ids[f.Slug] = true
	}
	return ids, nil
}

// putPage writes the page of a file, which comes on standard input.
func (w *pageCall) putPage(ctx context.Context, in io.Reader) error {
	if len(w.in.Files) != 1 {
		return code.Usagef("put takes one file")
	}
	f, err := w.p.File(ctx, w.s, w.in.Files[0])
	if err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(in, maxPut))
	if err != nil {
		return fmt.Errorf("read the page: %w", err)
	}
	d, err := entity.Derive(ctx, w.s, &f)
	if err != nil {
		return err
	}
	former, err := w.folder.Find(d.ID, d.Path)
	if err != nil {
		return err
	}
	p, wrong := w.parsePage(string(text), d)
	if len(wrong) == 0 {
		wrong = w.putProblems(former, d)
	}
	if len(wrong) > 0 {
		why := strings.Join(wrong, "; ")
		if err := w.finishPage(ctx, d.Path, why); err != nil {
			return err
		}
		return code.Usagef("the page of %s is not written: %s", operation.Quote(d.Path), why)
	}
	if former.Page != nil && p.Section(entity.Notes) == "" {
		p.Set(entity.Notes, former.Page.Section(entity.Notes))
	}
	if err := w.folder.Write(p, former.Name); err != nil {
		return err
	}
	w.a.Pages = []page{w.writtenRow(p)}
	return w.finishPage(ctx, d.Path, "")
}

// maxPut is how much of standard input is read of a page, in bytes.
const maxPut = 1 << 20

// parsePage reads a submitted page of a file and returns it with its problems. All of the front matter but the type is optional.
func (w *pageCall) parsePage(text string, d *entity.Derived) (*entity.Page, []string) {
	p, err := entity.Parse(text)
	if err != nil {
		return nil, []string{err.Error()}
	}
	if h := &p.Head; h.Path != "" && h.Path != d.Path {
		return nil, []string{fmt.Sprintf("the front matter names another file: %s", h.Path)}
	}
	masked := w.p.Engine.Hide(p.String())
	if p, err = entity.Parse(masked); err != nil {
		return nil, []string{err.Error()}
	}
	p.Head.Author, p.Head.API = "agent", d.API
	if w.in.Author != "" {
		p.Head.Author = w.in.Author
	}
	p.Head.Updated = w.now.Format(time.DateOnly)
	if p.Head.Status != entity.Deprecated {
		p.Head.Status = entity.Active
	}
	if p.Title == "" {
		p.Title = path.Base(d.Path)
	}
	p.Refresh(d)
	wrong := p.Mistakes(len(d.Internal) > 0)
	if hits := injection.Scan(text); len(hits) > 0 {
		wrong = append(wrong, injection.HitsText(hits, "the page"))
	}
	return p, wrong
}

// putProblems returns the reasons why the existing page must not be replaced.
func (w *pageCall) putProblems(former entity.KeptPage, d *entity.Derived) []string {
	switch {
	case former.Name != "" && former.Page == nil:
		return []string{fmt.Sprintf("%s/%s is there and cannot be read (%s): mend or remove it first", entity.Dir, former.Name, former.Broken)}
	case former.Page != nil && former.Page.Head.API == d.API && !w.in.Replace:
		return []string{fmt.Sprintf("there is one of %s already, and it is not stale; --replace replaces its text", former.Page.Head.Updated)}
	}
	return nil
}

// finishPage ends the work on a page in the queue, where there is one.
func (w *pageCall) finishPage(ctx context.Context, path, failed string) error {
	m, err := w.p.Memory(false)
	if err != nil || m == nil {
		return err
	}
	return m.Pages.Finish(ctx, path, failed, w.now)
}

// syncPages refreshes written pages, moves those whose file was renamed and archives those whose
// file is gone.
func (w *pageCall) syncPages(ctx context.Context) error {
	if r, err := git.Find(w.p.Root); err == nil && r.IsMerging() {
		return errors.New("a merge or rebase is under way: nothing is refreshed before it has ended, because files may be gone until then")
	}
	steps, err := entity.PlanSync(ctx, w.s, w.pages)
	if err != nil {
		return err
	}
	for _, st := range steps {
		if !w.in.DryRun {
			if err := st.Do(w.folder); err != nil {
				return err
			}
		}
		w.a.Done = append(w.a.Done, change{operation.Path(st.Path), string(st.Action), operation.Path(st.From)})
	}
	for _, k := range w.pages {
		if k.Page == nil {
			w.a.Notes = append(w.a.Notes, fmt.Sprintf("%s/%s cannot be read and is left alone: %s", entity.Dir, k.Name, k.Broken))
		}
	}
	return nil
}
