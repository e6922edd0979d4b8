package memories

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
	"ken/internal/knowledge/memory"
	"ken/internal/operation"
)

type memoryInput struct {
	Action string   `arg:"ACTION" enum:"stats,list,consolidate,adopt,import" help:"stats, list, consolidate, adopt PATH (another user's memory.db) or import FILE (auto-memory-store.json)"`
	Words  []string `arg:"[PATH]" help:"file or folder to take over"`
	Kind   string   `flag:"kind" value:"KINDS" help:"list: decision, note, outcome or edit, by commas (default all)"`
	From   string   `flag:"from" value:"NAME" help:"adopt, import: who it is from, shown with each item (default the name of the file's folder)"`
	Limit  *int     `flag:"limit" value:"N" help:"rows of each list; 0: all (default 20)"`
}

type memoryAnswer struct {
	Revision code.Rev       `json:"revision" doc:"state of the index the answer was computed from"`
	Stats    *stats         `json:"stats,omitempty" doc:"of stats: figures"`
	Items    []ItemRow      `json:"items,omitempty" doc:"of list: the latest first; of stats those of the highest worth"`
	Report   *memory.Report `json:"consolidated,omitempty" doc:"of consolidate: what was done"`
	Taken    *importResult  `json:"taken,omitempty" doc:"of adopt and import: what was taken over"`
}

type stats struct {
	Items      int            `json:"item_count" doc:"items"`
	Kinds      map[string]int `json:"kinds" doc:"items of each kind"`
	Gone       int            `json:"gone" doc:"items about code that was removed"`
	Bytes      int64          `json:"bytes" doc:"size of the database, all that is remembered"`
	Edges      int            `json:"edges" doc:"relations between items"`
	Temporal   int            `json:"temporal" doc:"edges from an item about a file to the next about it"`
	Similar    int            `json:"similar" doc:"edges between items whose words are alike"`
	Density    float64        `json:"density" doc:"edges an item"`
	Min        float64        `json:"confidence_min" doc:"least confidence"`
	Max        float64        `json:"confidence_max" doc:"greatest confidence"`
	Mean       float64        `json:"confidence_mean" doc:"mean confidence"`
	Median     float64        `json:"confidence_median" doc:"median confidence"`
	Used       int64          `json:"shown" doc:"how often items were shown to agents"`
	NeverUsed  int            `json:"never_shown" doc:"items that never were"`
	Confirmed  int64          `json:"confirmed" doc:"evidence for items, a session counts once for each"`
	Contra     int64          `json:"contradicted" doc:"evidence against items"`
	Waiting    int            `json:"waiting" doc:"items that no consolidation has related to others yet"`
	Topics     []topic        `json:"topics" doc:"groups of related items, the largest first"`
	Points     []point        `json:"points" doc:"figures after each consolidation, the last 400"`
	Trend      string         `json:"trend" doc:"of the share of evidence that confirms, of the later half of the points beside the earlier: improving, declining, stable; unknown without enough evidence"`
	LastChange *point         `json:"last_change,omitempty" doc:"by how much the last consolidation changed the figures"`
}

type topic struct {
	Items int    `json:"item_count" doc:"items"`
	Title string `json:"title" doc:"text of the most central one"`
}

type point struct {
	At         string  `json:"at" doc:"RFC 3339, UTC"`
	Items      int     `json:"item_count" doc:"items"`
	Edges      int     `json:"edges" doc:"relations"`
	For        int64   `json:"confirmed" doc:"evidence for items, so far"`
	Against    int64   `json:"contradicted" doc:"evidence against items, so far"`
	Confidence float64 `json:"confidence_mean" doc:"mean confidence"`
}

type importResult struct {
	From    string   `json:"from" doc:"as each item says it"`
	New     int      `json:"new" doc:"items that were not known"`
	Known   int      `json:"known" doc:"items that say what was known"`
	Left    int      `json:"left_out" doc:"items about files that are not in this project, and entries that are none"`
	Reasons []string `json:"reasons,omitempty" doc:"why they were left out, at most ten"`
}

// MemoryTool is the operation ken memory.
func MemoryTool() *project.Tool {
	return operation.Spec[*project.Project, memoryInput, memoryAnswer]{
		Name:    "memory",
		Topic:   operation.Remember,
		Summary: "what is remembered in figures; bring in what another user or program remembers",
		Long: "consolidate makes items of what sessions edited again and again, relates items to each other and marks those whose code is gone; hooks do a part\n" +
			"of it at the end of each session. adopt takes the items of another user's memory of this project, import those of an auto-memory-store.json.\n" +
			"What is brought in keeps no confidence, is shown with its source, and items about files that this project does not have are left out.",
		Example: []string{"memory stats", "memory list --kind decision", "memory import .claude-flow/data/auto-memory-store.json", "memory adopt /home/ann/project/.ken/memory.db --from ann"},
		Run:     runMemory,
		Text:    textMemory,
	}.Tool()
}

func runMemory(ctx context.Context, e *env, in *memoryInput, emit func(*memoryAnswer) error) error {
	p, err := project.Open(e, operation.Existing)
	if err != nil {
		return err
	}
	takes := in.Action == "adopt" || in.Action == "import"
	switch {
	case takes && len(in.Words) != 1:
		return code.Usagef("name one file: ken memory %s PATH", in.Action)
	case !takes && len(in.Words)+len(in.From) > 0:
		return code.Usagef("ken memory %s takes no path and no --from", in.Action)
	}
	a, now := &memoryAnswer{}, time.Now().UTC()
	if a.Revision, err = indexRevision(ctx, p); err != nil {
		return err
	}
	if takes {
		a.Taken, err = importItems(ctx, p, in, now)
		return operation.Finish(a, err, emit)
	}
	m, err := drainedMemory(ctx, p)
	if err == nil && m == nil {
		err = operation.Nothingf("nothing is remembered yet; ken install claude has an agent's sessions remembered, ken remember writes something down")
	}
	if err != nil {
		return err
	}
	switch in.Action {
	case "list":
		err = a.list(ctx, p, m, in, now)
	case "consolidate":
		err = a.consolidate(ctx, p, m, now)
	default:
		err = a.addStats(ctx, m, now)
	}
	return operation.Finish(a, err, emit)
}

func (a *memoryAnswer) list(ctx context.Context, p *project.Project, m *project.Memory, in *memoryInput, now time.Time) error {
	only, err := parseKinds(in.Kind)
	if err != nil {
		return err
	}
	items, err := m.Learned.Items(ctx, memory.Filter{Kinds: only, Limit: limitOrDefault(in.Limit, 20)})
	if err != nil {
		return err
	}
	if len(items) == 0 {
		return operation.Nothingf("nothing of that kind is remembered")
	}
	var list []*memory.Item
	for i := range items {
		list = append(list, &items[i])
	}
	a.Items, err = itemRows(ctx, p, list, now)
	return err
}

// consolidate relates, merges and ages all items that are due.
func (a *memoryAnswer) consolidate(ctx context.Context, p *project.Project, m *project.Memory, now time.Time) error {
	there, with := map[string]bool{}, map[string]string{}
	err := p.AskWhole(ctx, func(ctx context.Context, s *view.Snapshot) error {
		a.Revision = s.Rev()
		for f, err := range s.Files(ctx) {
			if err != nil {
				return err
			}
			there[f.Path] = true
			hash := FileHash(&f)
			if _, twice := with[hash]; twice {
				with[hash] = ""
			} else {
				with[hash] = f.Path
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	a.Report = &memory.Report{}
	for {
		r, err := m.Learned.Consolidate(ctx, memory.Work{Now: now, Exists: func(path string) bool { return there[path] },
			Moved: func(hash string) string { return with[hash] }})
		if err != nil {
			return err
		}
		a.Report.Insights += r.Insights
		a.Report.Related += r.Related
		a.Report.Removed += r.Removed
		a.Report.Moved += r.Moved
		a.Report.Marked += r.Marked
		if a.Report.Waiting = r.Waiting; r.Waiting == 0 || r.Related == 0 {
			return nil
		}
	}
}

func (a *memoryAnswer) addStats(ctx context.Context, m *project.Memory, now time.Time) error {
	s, err := m.Learned.Stats(ctx, now)
	if err != nil {
		return err
	}
	out := &stats{
		Items: s.Items, Kinds: map[string]int{}, Gone: s.Gone, Bytes: s.Bytes, Edges: s.Temporal + s.Similar, Temporal: s.Temporal, Similar: s.Similar,
		Min: roundThreeDigits(s.Levels.Min), Max: roundThreeDigits(s.Levels.Max), Mean: roundThreeDigits(s.Levels.Mean), Median: roundThreeDigits(s.Levels.Median), Used: s.Used,
		NeverUsed: s.NeverUsed, Confirmed: s.For, Contra: s.Against, Waiting: s.Waiting, Trend: evidenceTrend(s.History),
	}
	if s.Items > 0 {
		out.Density = roundThreeDigits(float64(out.Edges) / float64(s.Items))
	}
	for k, n := range s.Kinds {
		out.Kinds[string(k)] = n
	}
	for _, t := range s.Topics {
		out.Topics = append(out.Topics, topic{t.Items, strings.Join(strings.Fields(t.Title), " ")})
	}
	for _, h := range s.History {
		out.Points = append(out.Points, point{h.At.Format(time.RFC3339), h.Items, h.Edges, h.For, h.Against, roundThreeDigits(h.Confidence)})
	}
	if n := len(out.Points); n > 1 {
		x, y := s.History[n-2], s.History[n-1]
		out.LastChange = &point{
			y.At.Format(time.RFC3339), y.Items - x.Items, y.Edges - x.Edges, y.For - x.For, y.Against - x.Against, y.Confidence - x.Confidence,
		}
	}
	a.Stats = out
	for i := range s.Best {
		a.Items = append(a.Items, itemRow(&s.Best[i], now))
	}
	return nil
}

// Bounds of a trend.
const (
	leastEvidence = 5    // in each half
	leastMove     = 0.05 // of the share
)

// evidenceTrend compares the evidence of the later half of a history with that of the earlier. It does not use the confidence, which
// decays by itself.
func evidenceTrend(list []memory.Point) string {
	if len(list) < 3 {
		return "unknown"
	}
	first, middle, last := list[0], list[len(list)/2], list[len(list)-1]
	share := func(from, to memory.Point) (float64, bool) {
		good, bad := to.For-from.For, to.Against-from.Against
		return float64(good) / float64(max(good+bad, 1)), good+bad >= leastEvidence
	}
	before, enough := share(first, middle)
	after, still := share(middle, last)
	switch {
	case !enough || !still:
		return "unknown"
	case after > before+leastMove:
		return "improving"
	case after < before-leastMove:
		return "declining"
	}
	return "stable"
}

// absolutePath returns a path given by the user as an absolute one, relative to the user's working directory.
func absolutePath(p *project.Project, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(p.Dir, path)
}

func textMemory(t *operation.Text, in *memoryInput, a *memoryAnswer) error {
	switch {
	case a.Taken != nil:
		t.Line("%s from %s, %s known before, %d left out", operation.Plural(a.Taken.New, "new item"), operation.Quote(a.Taken.From), operation.Group(a.Taken.Known), a.Taken.Left)
		for _, r := range a.Taken.Reasons {
			t.Line("  %s", r)
		}
	case a.Report != nil:
		r := a.Report
		t.Line("%s from edits, %d related to others, %d moved with their files, %d marked as gone or back, %d given up",
			operation.Plural(r.Insights, "item"), r.Related, r.Moved, r.Marked, r.Removed)
	case a.Stats != nil:
		textStats(t, a.Stats)
	}
	limit := limitOrDefault(in.Limit, 20)
	if a.Stats != nil && len(a.Items) > 0 {
		t.Heading("worth most")
	}
	for i := range a.Items {
		if limit > 0 && i == limit {
			t.More("", len(a.Items)-i)
			break
		}
		a.Items[i].text(t)
	}
	return nil
}

func textStats(t *operation.Text, s *stats) {
	t.Line("%s (%d decisions, %d notes, %d outcomes, %d from edits), %.1f MB, %d about code that is gone", operation.Plural(s.Items, "item"),
		s.Kinds["decision"], s.Kinds["note"], s.Kinds["outcome"], s.Kinds["edit"], float64(s.Bytes)/1e6, s.Gone)
	t.Line("relations: %d temporal, %d similar; %d not related yet", s.Temporal, s.Similar, s.Waiting)
	t.Line("confidence: %.2f to %.2f, mean %.2f, median %.2f", s.Min, s.Max, s.Mean, s.Median)
	t.Line("shown %s, %d never; confirmed by %d, contradicted by %d; trend %s", countTimes(s.Used), s.NeverUsed, s.Confirmed, s.Contra, s.Trend)
	if len(s.Topics) > 0 {
		t.Heading("topics")
		for _, topic := range s.Topics {
			t.Line("  %4d  %s", topic.Items, topic.Title)
		}
	}
}

func countTimes(n int64) string {
	if n == 1 {
		return "once"
	}
	return itoa(n) + " times"
}
