package op

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"ken/internal/ask/refs"
	"ken/internal/ask/summary"
	"ken/internal/delivery/project"
	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

type statusInput struct {
	Limit *int `flag:"limit" value:"N" help:"skipped files listed of each reason; 0: all (default 10 in text, all in JSON)"`
}

type statusAnswer struct {
	Revision
	Root     string            `json:"root" doc:"absolute path of the project"`
	Commit   string            `json:"commit,omitempty" doc:"commit HEAD was at when the index was last brought up to date"`
	Head     string            `json:"head,omitempty" doc:"commit HEAD is at now"`
	Looked   string            `json:"looked_at" doc:"when a look at the tree last found something to take over, RFC 3339, UTC"`
	Pending  int               `json:"pending" doc:"number of files changed since"`
	Schema   int               `json:"schema" doc:"number of the index's layout"`
	Disk     int64             `json:"index_bytes" doc:"size of the index on disk"`
	Cache    *cacheStatus      `json:"cache,omitempty" doc:"readings kept for other branches and working trees, if there are any"`
	Counts   Counts            `json:"counts" doc:"sums over the index"`
	Watch    watchStatus       `json:"watch" doc:"whether a ken watch keeps the index up to date"`
	Exact    *Exactness        `json:"exact,omitempty" doc:"how much is bound by types or an imported index"`
	History  historyStatus     `json:"history" doc:"what is kept of the history of git"`
	Reasons  map[string]int    `json:"reasons" doc:"number of skipped files by reason"`
	Unparsed *lostStatus       `json:"unparsed,omitempty" doc:"what syntax errors took; left out if nothing"`
	Doubtful []quarantinedFile `json:"quarantined_files" doc:"files whose facts are incomplete, by path: no \"none\" counts for them"`
	Skipped  []Skip            `json:"skipped" paths:"yes" doc:"files that were not read whole, and why, by path"`
}

// historyStatus is the state of the indexed git history.
type historyStatus struct {
	Commits int    `json:"commits" doc:"commits kept, merges included"`
	Merges  int    `json:"merges" doc:"of them merges"`
	Head    string `json:"head,omitempty" doc:"commit it was read at"`
	Shallow bool   `json:"shallow" doc:"the clone is shallow: older commits are not there"`
	Limit   int    `json:"limit" doc:"commits kept at most"`
	Problem string `json:"problem,omitempty" doc:"why there is none"`
}

// lostStatus counts what syntax errors took.
type lostStatus struct {
	Files        int `json:"files" doc:"files with names in code that could not be parsed"`
	Declarations int `json:"declarations" doc:"functions, types and other declarations around these names, which may use more than is seen"`
}

// quarantinedFile is a file in quarantine: its facts are incomplete.
type quarantinedFile struct {
	Path       operation.Path `json:"path" doc:"file"`
	Reason     string         `json:"reason" doc:"parse_limit or too_large: read in part; errors_no_symbols: errors and nothing found; errors: more than half of it in error"`
	ErrorShare float64        `json:"error_share" doc:"share of its bytes no rule of the language covers, 0 to 1"`
}

// cacheStatus describes the cached parts of a repository's index in the
// user's cache directory.
type cacheStatus struct {
	Dir   string `json:"dir" doc:"where; it may be deleted at any time"`
	Bytes int64  `json:"bytes" doc:"size on disk"`
}

// watchStatus reports whether a ken watch process runs. Its keys are in
// camel case, unlike others, because the format was not defined here.
type watchStatus struct {
	IsWatching     bool    `json:"isWatching" doc:"a ken watch runs"`
	FilesWatched   int     `json:"filesWatched" doc:"files it watches, 0 if none runs"`
	LastUpdate     *string `json:"lastUpdate" doc:"as looked_at; null if none runs"`
	PendingChanges int     `json:"pendingChanges" doc:"as pending"`
}

func newWatchStatus(info view.Info, looked string, pending int) watchStatus {
	w := watchStatus{IsWatching: info.Watched, PendingChanges: pending}
	if info.Watched {
		w.FilesWatched, w.LastUpdate = info.Files, &looked
	}
	return w
}

func statusTool() *Tool {
	return spec[statusInput, statusAnswer]{
		Name:    "status",
		Topic:   operation.SetUp,
		MCP:     operation.Offer{Set: "full", Place: 16},
		Summary: "state of the index: revision, commit, counts, what changed since, what was skipped",
		Long:    "Nothing is brought up to date: status says how far the index is behind.",
		Run:     runStatus,
		Text:    textStatus,
	}.Tool()
}

func runStatus(ctx context.Context, env *Env, in *statusInput, emit func(*statusAnswer) error) error {
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	var a statusAnswer
	err = p.Ask(ctx, engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		info, err := s.Info(ctx)
		if err != nil {
			return nil, err
		}
		skipped, err := s.Skipped(ctx)
		if err != nil {
			return nil, err
		}
		pending, err := s.Pending(ctx)
		if err != nil {
			return nil, err
		}
		looked := info.Looked.UTC().Format(time.RFC3339)
		a = statusAnswer{
			Revision: Revision{info.Rev}, Root: info.Root, Commit: info.Commit, Head: info.Head, Looked: looked,
			Watch: newWatchStatus(info, looked, pending), Pending: pending, Schema: info.Schema, Disk: info.DiskUse, Counts: newCounts(info),
		}
		if dir, n := p.Engine.CacheSize(); dir != "" {
			a.Cache = &cacheStatus{dir, n}
		}
		exact, err := s.ExactInfo(ctx)
		if err != nil {
			return nil, err
		}
		a.Exact = newExactness(&exact)
		past, err := s.HistoryInfo()
		if err != nil {
			return nil, err
		}
		a.History = historyStatus{past.Commits, past.Merges, past.Head, past.Shallow, past.Limit, past.Problem}
		all := skipRows(p, skipped)
		a.Reasons = countReasons(all)
		a.Skipped = firstPerReason(all, in.Limit)
		lost, err := refs.CountLost(ctx, s)
		if err != nil {
			return nil, err
		}
		if lost.Files > 0 {
			a.Unparsed = &lostStatus{lost.Files, lost.Declarations}
		}
		list, err := summary.Quarantine(ctx, s)
		if err != nil {
			return nil, err
		}
		a.Doubtful = quarantineRows(list)
		return nil, nil
	})
	return operation.Finish(&a, err, emit)
}

func countReasons(list []Skip) map[string]int {
	out := map[string]int{}
	for _, s := range list {
		out[s.Reason]++
	}
	return out
}

// skippedLimit is the number of skipped files of each reason that text lists.
const skippedLimit = 10

// firstPerReason returns the first n files of each reason, so that a reason
// many files share does not hide the others; 0 or nil keeps all.
func firstPerReason(list []Skip, n *int) []Skip {
	if n == nil || *n == 0 {
		return list
	}
	seen := map[string]int{}
	var out []Skip
	for _, s := range list {
		if seen[s.Reason]++; seen[s.Reason] <= *n {
			out = append(out, s)
		}
	}
	return out
}

// byReason writes counts by reason, the most frequent first.
func byReason(list []Skip) string { return byCount(countReasons(list)) }

func byCount(counts map[string]int) string {
	keys := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(keys, func(a, b string) int { return counts[b] - counts[a] })
	for i, k := range keys {
		keys[i] = fmt.Sprintf("%s %s", operation.Group(counts[k]), k)
	}
	return strings.Join(keys, ", ")
}

func textStatus(t *operation.Text, in *statusInput, a *statusAnswer) error {
	c := a.Counts
	t.Line("%s  revision %d, schema %d, %s on disk", t.Bold(a.Root), a.Revision.Revision, a.Schema, operation.Size(a.Disk))
	t.Line("indexed    %s, as of %s", commitName(a.Commit), a.Looked)
	if a.Head != a.Commit {
		t.Line("head       %s", commitName(a.Head))
	}
	if a.Pending == 0 {
		t.Line("changed    nothing since")
	} else {
		t.Line("changed    %s since; the next question or \"ken index\" reads them", operation.Plural(a.Pending, "file"))
	}
	if a.Watch.IsWatching {
		t.Line("watched    %s, by a running ken watch", operation.Plural(a.Watch.FilesWatched, "file"))
	}
	if a.Cache != nil {
		t.Line("cache      %s for branches and working trees, in %s", operation.Size(a.Cache.Bytes), a.Cache.Dir)
	}
	t.Line("files      %s, %s parsed, %s lines, %s", operation.Group(c.Files), operation.Group(c.Parsed), operation.Group(c.Lines), operation.Size(c.Bytes))
	t.Line("tokens     %s o200k_base, %s cl100k_base", operation.Group(c.O200K), operation.Group(c.CL100K))
	t.Line("graph      %s, %s, %s", operation.Plural(c.Symbols, "symbol"), operation.Plural(c.References, "reference"), operation.Plural(c.Edges, "edge"))
	writeHistory(t, &a.History)
	writeExactness(t, a.Exact)
	if u := a.Unparsed; u != nil {
		t.Line("not parsed parts of %s in %s", operation.Plural(u.Declarations, "declaration"), operation.Plural(u.Files, "file"))
	}
	writeQuarantine(t, a.Doubtful, in.Limit)
	if len(a.Reasons) == 0 {
		return nil
	}
	t.Line("skipped    %s", byCount(a.Reasons))
	total := 0
	for _, n := range a.Reasons {
		total += n
	}
	list := a.Skipped
	if in.Limit == nil {
		n := skippedLimit
		list = firstPerReason(list, &n)
	}
	rows := make([][]string, len(list))
	for i, s := range list {
		rows[i] = []string{s.Reason, string(s.Path)}
	}
	slices.SortStableFunc(rows, func(x, y []string) int { return strings.Compare(x[0], y[0]) })
	t.Table("  ", 0, rows)
	t.More("  ", total-len(list))
	return nil
}

// writeHistory writes the state of the history.
func writeHistory(t *operation.Text, h *historyStatus) {
	if h.Problem != "" {
		t.Line("history    none: %s", h.Problem)
		return
	}
	more := ""
	switch {
	case h.Shallow:
		more = "; the clone is shallow"
	case h.Commits >= h.Limit:
		more = "; older ones are left out"
	}
	t.Line("history    %s up to %s, %s%s", operation.Plural(h.Commits, "commit"), commitName(h.Head), operation.Plural(h.Merges, "merge"), more)
}

func quarantineRows(list []summary.Quarantined) []quarantinedFile {
	out := make([]quarantinedFile, len(list))
	for i, q := range list {
		out[i] = quarantinedFile{operation.Path(q.Path), q.Reason, q.ErrorShare}
	}
	return out
}

// writeQuarantine writes the files in quarantine, by reason.
func writeQuarantine(t *operation.Text, list []quarantinedFile, limit *int) {
	if len(list) == 0 {
		return
	}
	counts := map[string]int{}
	rows := make([][]string, len(list))
	for i, d := range list {
		counts[d.Reason]++
		rows[i] = []string{d.Reason, string(d.Path), fmt.Sprintf("%.0f%% in error", 100*d.ErrorShare)}
	}
	t.Line("quarantine %s (facts incomplete)", byCount(counts))
	if limit == nil {
		n := skippedLimit
		limit = &n
	}
	slices.SortStableFunc(rows, func(x, y []string) int { return strings.Compare(x[0], y[0]) })
	kept := firstN(rows, limit)
	t.Table("  ", 0, kept)
	t.More("  ", len(rows)-len(kept))
}

func commitName(hash string) string {
	if hash == "" {
		return "no commit"
	}
	return "commit " + hash[:min(12, len(hash))]
}
