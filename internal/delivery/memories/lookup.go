package memories

import (
	"context"
	"slices"
	"strings"
	"time"

	"ken/internal/ask/find"
	"ken/internal/code"
	"ken/internal/delivery/injection"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
	"ken/internal/knowledge/agreement"
	"ken/internal/knowledge/memory"
	"ken/internal/knowledge/session"
)

// Bounds of a lookup and of its rows.
const (
	maxHits   = 64
	maxRows   = 5
	maxOfFile = 20 // items of one file, the latest
	maxShown  = 300
	// leastShown is the least relevance of an item to a question at which it is shown with the
	// answer: irrelevant lines would teach readers to skip them all.
	leastShown = 0.35
	// maxAgreements is the number of pages of agreements that are read. It is bounded because every search waits for them.
	maxAgreements = 500
)

// Found holds the memory relevant to a question, gathered before the question is answered.
type Found struct {
	text    string
	find    find.Known
	shown   []memory.Item
	agreed  []*agreement.Agreement
	problem string
}

// Lookup gathers the items, pages and agreements relevant to a text, which must be masked already. A memory that cannot be read becomes
// a row of the result.
func Lookup(ctx context.Context, p *project.Project, text string) *Found {
	k := &Found{}
	hits, err := recallItems(ctx, p, text)
	if err != nil {
		k.problem = err.Error()
	}
	hits = memory.BestHits(append(hits, fileDecisionHits(p, text, hits)...), maxHits)
	for i := range hits {
		h := &hits[i]
		if h.Item.Kind != memory.Outcome && h.Reason.Relevance >= leastShown && len(k.shown) < maxRows {
			k.shown = append(k.shown, *h.Item)
		}
		h.Item = safeItem(p, h.Item)
	}
	k.find = find.FromMemory(hits)
	k.text = text
	// A folder that cannot be read counts as none, because a repository could otherwise put a
	// line into every answer; ken agreement list names it.
	list, _ := agreement.Folder{Root: p.Root}.First(maxAgreements)
	for _, a := range agreement.MentionedIn(list, text) {
		if len(k.agreed) < maxRows && len(injection.Scan(a.String())) == 0 {
			k.agreed = append(k.agreed, a)
		}
	}
	return k
}

// Resolve looks the memory up in a snapshot and returns the values that ask/find ranks by and the rows that are shown. It fails if the
// index cannot be read.
func (k *Found) Resolve(ctx context.Context, p *project.Project, s *view.Snapshot) (find.Known, []Row, error) {
	ranked, err := k.rankingValues(ctx, p, s)
	if err != nil {
		return ranked, nil, err
	}
	list, err := k.relevantRows(ctx, p, s)
	return ranked, list, err
}

// rankingValues returns the values that files are ranked by, without agreements whose declaration is gone.
func (k *Found) rankingValues(ctx context.Context, p *project.Project, s *view.Snapshot) (find.Known, error) {
	pages := p.Pages(s).Known(k.text)
	pages.Said = append(pages.Said, k.find.Said...)
	out := k.find
	out.Said, out.About, out.WrittenType = pages.Said, pages.About, pages.WrittenType
	for _, a := range k.agreed {
		file, err := meantFile(ctx, s, a)
		if err != nil {
			return out, err
		}
		if file != "" {
			text := quote(code.Cut(a.Term, maxShown)) + " means " + code.Cut(a.Meaning(), maxShown)
			out.Agreed = append(out.Agreed, find.Agreed{Path: file, Text: p.Engine.Hide(text)})
		}
	}
	return out, nil
}

// meantFile returns the file that an agreement's meaning is in, "" if it is gone or not in a single file.
func meantFile(ctx context.Context, s *view.Snapshot, a *agreement.Agreement) (string, error) {
	found, err := agreement.FindMeaning(ctx, s, a)
	switch {
	case err != nil || found.Status != agreement.Valid:
		return "", err
	case found.File != "":
		return found.File, nil
	}
	return a.File, nil
}

func recallItems(ctx context.Context, p *project.Project, text string) ([]memory.Hit, error) {
	m, err := p.Memory(false)
	if err != nil || m == nil || m.Learned == nil {
		return nil, err
	}
	return m.Learned.Recall(ctx, memory.Query{Text: text, Now: time.Now()}, maxHits)
}

// fromRepository is the source of items that came with the repository and were not written on this machine.
const fromRepository = memory.ForeignPrefix + "the repository"

// maxDecisions is the number of decisions read from the project's file, the latest ones.
const maxDecisions = 200

// fileDecisions returns the decisions in the project's decisions file as items.
func fileDecisions(p *project.Project) (out []memory.Item) {
	list, _, err := session.Decisions(p.Root)
	if err != nil {
		return nil // ken session show names it
	}
	for _, n := range list[max(0, len(list)-maxDecisions):] {
		it := memory.Item{Kind: memory.Decision, Topic: n.Topic, Text: n.Text, From: fromRepository, At: n.At}
		if n.Rationale != "" {
			it.Text += memory.Because + n.Rationale
		}
		for _, pin := range n.Pins {
			it.Pins = append(it.Pins, memory.Pin{Target: pin.Target})
		}
		out = append(out, it)
	}
	return out
}

// fileDecisionHits returns the relevant decisions of the project's file that the memory does not have.
func fileDecisionHits(p *project.Project, text string, remembered []memory.Hit) []memory.Hit {
	list := fileDecisions(p)
	if len(list) == 0 {
		return nil
	}
	have := map[string]bool{}
	for _, h := range remembered {
		have[h.Item.Key()] = true
	}
	hits := memory.MatchItems(list, memory.Query{Text: text, Now: time.Now()}, maxHits)
	return slices.DeleteFunc(hits, func(h memory.Hit) bool { return have[h.Item.Key()] })
}

// safeItem returns a copy of an item that may be quoted as the reason for a file: with secrets
// masked, and without the text if it comes from others and is worded as an order to an agent.
func safeItem(p *project.Project, it *memory.Item) *memory.Item {
	out := *it
	out.Topic, out.Text = p.Engine.Hide(code.Cut(it.Topic, maxShown)), p.Engine.Hide(code.Cut(strings.TrimSpace(it.Text), maxShown))
	if it.IsForeign() && len(injection.Scan(out.Topic+"\n"+out.Text)) > 0 {
		out.Topic, out.Text = "", ""
	}
	return &out
}

// quote returns a text in double quotes, which the text itself cannot end.
func quote(s string) string { return `"` + strings.ReplaceAll(s, `"`, "'") + `"` }

// relevantRows returns the relevant items and agreements as rows, the best first.
func (k *Found) relevantRows(ctx context.Context, p *project.Project, s *view.Snapshot) ([]Row, error) {
	out, err := rememberedRows(ctx, p, s, k.shown)
	for _, a := range k.agreed {
		row := Row{Kind: "agreement", Date: dateOnly(a.Learned), From: p.Engine.Hide(code.Cut(a.Author, maxShown)),
			Text: p.Engine.Hide(code.Cut(a.Term, maxShown) + " means " + code.Cut(a.Meaning(), maxShown)), Pins: []string{a.Meaning()}}
		file, err := meantFile(ctx, s, a)
		if err != nil {
			return nil, err
		}
		if file == "" {
			row.Outdated = row.Pins
		}
		out = append(out, row)
	}
	if k.problem != "" {
		out = append(out, Row{Kind: "problem", Text: "what is remembered could not be read: " + p.Engine.Hide(k.problem)})
	}
	return out, err
}

// ForFiles returns the decisions, notes and edits of files, decisions first. It returns an error if the index cannot be read; a memory
// that cannot be read becomes a row.
func ForFiles(ctx context.Context, p *project.Project, s *view.Snapshot, files []string) ([]Row, error) {
	var items []memory.Item
	list, err := pinnedItems(ctx, p, files)
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return (&Found{problem: err.Error()}).relevantRows(ctx, p, s)
	}
	for _, it := range fileDecisions(p) {
		if slices.ContainsFunc(it.Pins, func(pin memory.Pin) bool { return slices.Contains(files, pin.Path()) }) {
			list = append(list, it)
		}
	}
	for i := range list {
		same := func(it memory.Item) bool { return it.Key() == list[i].Key() }
		if list[i].Kind != memory.Outcome && !slices.ContainsFunc(items, same) {
			items = append(items, list[i])
		}
	}
	rank := map[memory.Kind]int{memory.Decision: 0, memory.Note: 1, memory.Edit: 2}
	slices.SortStableFunc(items, func(a, b memory.Item) int { return rank[a.Kind] - rank[b.Kind] })
	return rememberedRows(ctx, p, s, items[:min(len(items), maxRows)])
}

// maxFiles is the number of files whose items ForFiles reads.
const maxFiles = 20

func pinnedItems(ctx context.Context, p *project.Project, files []string) (out []memory.Item, err error) {
	m, err := p.Memory(false)
	if err != nil || m == nil || m.Learned == nil {
		return nil, err
	}
	for _, f := range files[:min(len(files), maxFiles)] {
		list, err := m.Learned.Items(ctx, memory.Filter{Path: f, Limit: maxOfFile})
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

func rememberedRows(ctx context.Context, p *project.Project, s *view.Snapshot, items []memory.Item) (out []Row, err error) {
	for i := range items {
		it := &items[i]
		text := strings.Join(strings.Fields(it.Text), " ")
		if it.Topic != "" {
			text = strings.Join(strings.Fields(it.Topic), " ") + ": " + text
		}
		row := Row{Kind: string(it.Kind), Date: it.At.UTC().Format(time.DateOnly), Text: p.Engine.Hide(code.Cut(text, maxShown))}
		if row.Foreign = it.IsForeign(); it.From != fromRepository {
			row.From = p.Engine.Hide(code.Cut(it.From, maxShown))
		}
		n := session.Note{}
		for _, pin := range it.Pins {
			row.Pins = append(row.Pins, pin.Target)
			n.Pins = append(n.Pins, session.Pin(pin))
		}
		if row.Foreign {
			for _, h := range injection.Scan(it.Topic + "\n" + it.Text) {
				row.Orders = append(row.Orders, h.Family)
			}
		}
		if row.Outdated, err = ChangedPins(ctx, s, &n); err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, nil
}

// dateOnly returns the date in a time stamp, in the form of agreements; "" if at is not a time.
func dateOnly(at string) string {
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}
