package export

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"ken/internal/knowledge/memory"
	"ken/internal/operation"
)

// GraphState is the memory as graph-state.json of older tools had it.
type GraphState struct {
	Version   int                          `json:"version" doc:"1"`
	Updated   int64                        `json:"updatedAt" doc:"time of the last thing that changed it, in milliseconds since 1970; 0 if it is empty"`
	NodeCount int                          `json:"nodeCount" doc:"number of nodes"`
	Nodes     operation.Entries[graphNode] `json:"nodes" doc:"items by id"`
	Edges     operation.Rows[graphEdge]    `json:"edges" doc:"by sourceId and targetId"`
	PageRanks operation.Entries[float64]   `json:"pageRanks" doc:"share of each node, by id; those of all together are about 1"`
}

type graphNode struct {
	ID         string  `json:"id" doc:"number of the item"`
	Category   string  `json:"category" doc:"decision, note, outcome or edit"`
	Confidence float64 `json:"confidence" doc:"how far it could be trusted at updatedAt, 0 to 1"`
	Used       int     `json:"accessCount" doc:"how often it was shown"`
	Created    int64   `json:"createdAt" doc:"milliseconds since 1970"`
}

type graphEdge struct {
	Source string  `json:"sourceId" doc:"id of a node"`
	Target string  `json:"targetId" doc:"id of another"`
	Type   string  `json:"type" doc:"temporal (the target came next about the same file) or similar"`
	Weight float64 `json:"weight" doc:"of temporal 0.5, of similar how alike they are, from 0.3 to 1"`
}

// RankedContext is the memory as ranked-context.json of older tools had it.
type RankedContext struct {
	Version  int                         `json:"version" doc:"1"`
	Computed int64                       `json:"computedAt" doc:"as updatedAt of graph-state"`
	Entries  operation.Rows[rankedEntry] `json:"entries" doc:"items, the highest score first: 0.6 × rank, where 0.5 is the mean, + 0.4 × confidence"`
}

type rankedEntry struct {
	ID         string   `json:"id" doc:"number of the item"`
	Content    string   `json:"content" doc:"its text"`
	Summary    string   `json:"summary" doc:"what it is about, else the beginning of its text"`
	Category   string   `json:"category" doc:"decision, note, outcome or edit"`
	Confidence float64  `json:"confidence" doc:"how far it could be trusted at computedAt"`
	PageRank   float64  `json:"pageRank" doc:"as in graph-state"`
	Used       int      `json:"accessCount" doc:"how often it was shown"`
	Words      []string `json:"words" doc:"words of content and summary, in lower case, each once"`
}

// lastChange returns the time of a memory's last change. Exports are dated with it, so that the same memory gives the same bytes.
func lastChange(items []memory.Item) (at time.Time) {
	for i := range items {
		for _, t := range []time.Time{items[i].At, items[i].Last, items[i].LastUsed} {
			if t.After(at) {
				at = t
			}
		}
	}
	return at
}

// rankShare returns an item's part of the rank of all items; see memory.Rank, which gives share/(share+mean).
func rankShare(it *memory.Item, of int) float64 {
	if it.Rank <= 0 || it.Rank >= 1 || of == 0 {
		return 0
	}
	return it.Rank / (1 - it.Rank) / float64(of)
}

func milliseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func formatID(id int64) string { return strconv.FormatInt(id, 10) }

// NewGraphState converts a memory to graph-state.json.
func NewGraphState(g *memory.Graph) *GraphState {
	now := lastChange(g.Items)
	n := len(g.Items)
	return &GraphState{
		Version: 1, Updated: milliseconds(now), NodeCount: n,
		Nodes: func(yield func(operation.Entry[graphNode], error) bool) {
			for i := range g.Items {
				it := &g.Items[i]
				row := graphNode{formatID(it.ID), string(it.Kind), it.Confidence(now), it.Used, milliseconds(it.At)}
				if !yield(operation.Entry[graphNode]{Key: row.ID, Value: row}, nil) {
					return
				}
			}
		},
		Edges: func(yield func(graphEdge, error) bool) {
			for _, l := range g.Links {
				if !yield(graphEdge{formatID(l.From), formatID(l.To), l.Relation.String(), l.Weight}, nil) {
					return
				}
			}
		},
		PageRanks: func(yield func(operation.Entry[float64], error) bool) {
			for i := range g.Items {
				if !yield(operation.Entry[float64]{Key: formatID(g.Items[i].ID), Value: rankShare(&g.Items[i], n)}, nil) {
					return
				}
			}
		},
	}
}

// NewRankedContext converts a memory to ranked-context.json.
func NewRankedContext(g *memory.Graph) *RankedContext {
	now := lastChange(g.Items)
	items := slices.Clone(g.Items)
	score := func(it *memory.Item) float64 { return 0.6*it.Rank + 0.4*it.Confidence(now) }
	slices.SortFunc(items, func(a, b memory.Item) int { return cmp.Or(cmp.Compare(score(&b), score(&a)), cmp.Compare(a.ID, b.ID)) })
	return &RankedContext{Version: 1, Computed: milliseconds(now), Entries: func(yield func(rankedEntry, error) bool) {
		for i := range items {
			it := &items[i]
			summary := it.Topic
			if summary == "" {
				summary = beginning(it.Text)
			}
			row := rankedEntry{
				formatID(it.ID), it.Text, summary, string(it.Kind), it.Confidence(now), rankShare(it, len(items)), it.Used, distinctWords(it.Text + " " + it.Topic),
			}
			if !yield(row, nil) {
				return
			}
		}
	}}
}

// beginning returns the first line of a text, shortened to the length of a summary.
func beginning(text string) string {
	const most = 80
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if r := []rune(line); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return line
}

// distinctWords returns the words of a text by which entries are compared: those of more than two characters.
func distinctWords(text string) []string {
	out := []string{}
	seen := map[string]bool{}
	between := func(r rune) bool { return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for _, w := range strings.FieldsFunc(strings.ToLower(text), between) {
		if len([]rune(w)) > 2 && !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}
