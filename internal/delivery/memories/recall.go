package memories

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/knowledge/memory"
	"ken/internal/operation"
)

type recallInput struct {
	Words []string `arg:"TEXT…" text:"yes" help:"what it is about: a goal, a question, names of files"`
	Kind  string   `flag:"kind" value:"KINDS" help:"decision, note, outcome, edit or page, by commas (default all)"`
	File  string   `flag:"file" value:"FILES" help:"files it concerns besides, by commas"`
	Limit *int     `flag:"limit" value:"N" help:"items shown; 0: all that match (default 5)"`
}

type recallAnswer struct {
	Revision code.Rev  `json:"revision" doc:"state of the index the answer was computed from"`
	Items    []ItemRow `json:"items" doc:"what fits best first"`
}

// RecallTool is the operation ken recall.
func RecallTool() *project.Tool {
	return operation.Spec[*project.Project, recallInput, recallAnswer]{
		Name:  "recall",
		Topic: operation.Remember, Logged: true,
		MCP: operation.Offer{
			Set: "core", Place: 7,
			About: "What was decided or learned about a topic in earlier sessions.",
			Shown: "text=goal, question or file names",
		},
		Summary: "what is remembered of something: decisions, notes, written pages, tasks that ended well, what is edited together",
		Long: "Items are found by words, by trigrams of words, and by the files and symbols they are about. Of what fits, what evidence confirmed and what is\n" +
			"central among the others comes first. Each is shown with the reason, and with what has changed of the code since.",
		Example: []string{"recall retry of uploads", "recall \"why is the token cached\" --kind decision", "recall upload --file src/upload.ts"},
		Run:     runRecall,
		Text: func(t *operation.Text, in *recallInput, a *recallAnswer) error {
			for i := range a.Items {
				a.Items[i].text(t)
			}
			return nil
		},
	}.Tool()
}

func runRecall(ctx context.Context, e *env, in *recallInput, emit func(*recallAnswer) error) error {
	p, err := project.Open(e, operation.Existing)
	if err != nil {
		return err
	}
	q := memory.Query{Text: strings.TrimSpace(strings.Join(in.Words, " ")), Now: time.Now().UTC()}
	if q.Text == "" {
		return code.Usagef("say what it is about: ken recall TEXT")
	}
	if q.Kinds, err = parseKinds(in.Kind); err != nil {
		return err
	}
	for _, f := range strings.Split(in.File, ",") {
		if f = strings.TrimSpace(f); f == "" {
			continue
		}
		rel, err := p.Rel(f)
		if err != nil {
			return err
		}
		q.Files = append(q.Files, rel)
	}
	a := &recallAnswer{}
	var pages []memory.Hit
	err = p.Ask(ctx, engine.AsIndexed, func(_ context.Context, s *view.Snapshot) ([]string, error) {
		a.Revision = s.Rev()
		pages = pageHits(p.Pages(s), q)
		return nil, nil
	})
	if err != nil {
		return err
	}
	limit := limitOrDefault(in.Limit, 5)
	hits, err := searchItems(ctx, p, q, limit)
	if err != nil {
		return err
	}
	hits = memory.BestHits(append(hits, pages...), limit)
	var items []*memory.Item
	for _, h := range hits {
		items = append(items, h.Item)
	}
	if a.Items, err = itemRows(ctx, p, items, q.Now); err != nil {
		return err
	}
	for i := range a.Items {
		a.Items[i].Score, a.Items[i].Reason = roundThreeDigits(hits[i].Score), hits[i].Reason.String()
	}
	if len(hits) == 0 {
		err = operation.Nothingf("nothing is remembered of that; ken memory stats says what is")
	}
	return operation.Finish(a, err, emit)
}

// searchItems finds items of the memory and decisions that came with the repository.
func searchItems(ctx context.Context, p *project.Project, q memory.Query, limit int) (hits []memory.Hit, err error) {
	m, err := drainedMemory(ctx, p)
	if err != nil {
		return nil, err
	}
	if m != nil {
		if hits, err = m.Learned.Recall(ctx, q, limit); err != nil {
			return nil, err
		}
	}
	decisions, _, err := Decisions(ctx, p, 0)
	if err != nil {
		return nil, err
	}
	var others []memory.Item
	for i := range decisions {
		n := &decisions[i]
		if !n.Foreign {
			continue
		}
		it := memory.Item{Kind: memory.Decision, Topic: n.Topic, Text: n.Text, At: n.At, From: memory.ForeignPrefix + "the repository"}
		if n.Rationale != "" {
			it.Text += memory.Because + n.Rationale
		}
		for _, pin := range n.Pins {
			it.Pins = append(it.Pins, memory.Pin{Target: pin.Target})
		}
		others = append(others, it)
	}
	return memory.BestHits(append(hits, memory.MatchItems(others, q, limit)...), limit), nil
}

// pageHits returns the written pages that a query is about, as items. A page speaks for itself, so it counts as an item that one session
// confirmed.
func pageHits(pages *project.Pages, q memory.Query) (hits []memory.Hit) {
	if q.Kinds != nil && !slices.Contains(q.Kinds, memory.Page) {
		return nil
	}
	for _, h := range pages.Match(q.Text) {
		at, err := time.Parse(time.DateOnly, h.Updated)
		if err != nil {
			at = time.Time{}
		}
		it := &memory.Item{Kind: memory.Page, Subject: h.Path, Text: h.Text, Pins: []memory.Pin{{Target: h.Path}}, From: h.Author, At: at}
		it.For, it.Last = 1, at
		hits = append(hits, memory.Hit{Item: it, Score: h.Score, Reason: h.Reason})
	}
	return hits
}

// indexRevision returns the revision of the code that the index describes.
func indexRevision(ctx context.Context, p *project.Project) (rev code.Rev, err error) {
	err = p.Ask(ctx, engine.AsIndexed, func(_ context.Context, s *view.Snapshot) ([]string, error) {
		rev = s.Rev()
		return nil, nil
	})
	return rev, err
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
