package entities

import (
	"context"
	"time"

	"ken/internal/knowledge/entity"
	"ken/internal/operation"
)

// defaultBatch is how many pages an agent is asked to write at once.
const defaultBatch = 5

// nextPages takes the files whose page most deserves to be written.
func (w *pageCall) nextPages(ctx context.Context) error {
	created, err := w.p.CreatedFiles(ctx)
	if err != nil {
		return err
	}
	wanted, err := entity.NextWanted(ctx, w.s, w.pages, created)
	if err != nil {
		return err
	}
	m, err := w.p.Memory(true)
	if err != nil {
		return err
	}
	paths := make([]string, len(wanted))
	by := map[string]*entity.Wanted{}
	for i := range wanted {
		paths[i] = wanted[i].Path
		by[paths[i]] = &wanted[i]
	}
	batch := defaultBatch
	if w.in.Batch != nil && *w.in.Batch > 0 {
		batch = *w.in.Batch
	}
	taken, err := m.Pages.Take(ctx, paths, batch, w.now, w.now.Add(lease))
	if err != nil {
		return err
	}
	var files []entity.PromptFile
	for _, p := range taken {
		f, err := w.s.File(ctx, p)
		if err != nil {
			return err
		}
		w.a.Next = append(w.a.Next, next{operation.Path(p), f.Slug, string(by[p].Reason), f.Dependents})
		files = append(files, entity.PromptFile{Path: p, ID: f.Slug, Reason: by[p].Reason})
	}
	if err := w.queuePages(ctx, len(wanted)); err != nil {
		return err
	}
	if len(taken) == 0 {
		if len(w.a.Queue.InProgress) > 0 {
			return operation.Nothingf("no page is left to write: others write the last %d", len(w.a.Queue.InProgress))
		}
		return operation.Nothingf("no page is left to write: every file that deserves one has one")
	}
	w.a.Prompt = entity.PagesPrompt(files)
	return nil
}

// queuePages counts the pages by state; wanted is the number of files that deserve a page.
func (w *pageCall) queuePages(ctx context.Context, wanted int) error {
	q := &queue{}
	w.a.Queue = q
	m, err := w.p.Memory(false)
	if err != nil {
		return err
	}
	if m != nil {
		k, err := m.Pages.Work(ctx, w.now)
		if err != nil {
			return err
		}
		for _, t := range k.InProgress {
			q.InProgress = append(q.InProgress, inProgress{operation.Path(t.Path), t.Until.Format(time.RFC3339)})
		}
		for _, f := range k.Failed {
			q.Failed = append(q.Failed, failed{operation.Path(f.Path), f.Why})
		}
		q.Processed, q.BatchSize, q.BatchMS = k.Processed, k.BatchSize, k.BatchTime.Milliseconds()
	}
	q.Pending = max(0, wanted-len(q.InProgress))
	return nil
}

// listPages lists the written pages.
func (w *pageCall) listPages(ctx context.Context) error {
	if err := w.emitPages(ctx, false, func(*page) bool { return true }); err != nil {
		return err
	}
	wanted, err := entity.NextWanted(ctx, w.s, w.pages, nil)
	if err != nil {
		return err
	}
	if err := w.queuePages(ctx, len(wanted)); err != nil {
		return err
	}
	if len(w.a.Pages) == 0 {
		return operation.Nothingf("no page is written yet; \"ken entity next\" says which are worth it")
	}
	return nil
}

// listStale lists the written pages that cannot be believed as they are.
func (w *pageCall) listStale(ctx context.Context) error {
	err := w.emitPages(ctx, false, func(p *page) bool { return p.Status == "stale" || p.Status == "gone" || p.Status == "broken" })
	if err == nil && len(w.a.Pages) == 0 {
		err = operation.Nothingf("none of the %d written pages is stale", len(w.pages))
	}
	return err
}

// checkPages lists the pages with which something is wrong: of some files, or of all.
func (w *pageCall) checkPages(ctx context.Context) error {
	of := map[string]bool{}
	for _, arg := range w.in.Files {
		f, err := w.p.File(ctx, w.s, arg)
		if err != nil {
			return err
		}
		of[f.Path] = true
	}
	asked := func(p *page) bool { return len(of) == 0 || of[string(p.Path)] }
	looked := 0
	err := w.emitPages(ctx, true, func(p *page) bool {
		if asked(p) {
			looked++
		}
		return asked(p) && len(p.Problem) > 0
	})
	switch {
	case err != nil:
		return err
	case len(w.a.Pages) > 0:
		return &operation.AlarmError{Message: "pages have problems"}
	case looked == 0:
		return operation.Nothingf("no page is written that could be checked")
	}
	w.a.Notes = append(w.a.Notes, "nothing is wrong with the written pages")
	return nil
}

// emitPages adds the written pages that are wanted to the answer.
func (w *pageCall) emitPages(ctx context.Context, problems bool, wanted func(*page) bool) error {
	for _, k := range w.pages {
		row, err := w.readPage(ctx, k, problems)
		if err != nil {
			return err
		}
		if wanted(&row) {
			w.a.Pages = append(w.a.Pages, row)
		}
	}
	return nil
}
