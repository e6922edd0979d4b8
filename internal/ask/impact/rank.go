package impact

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// ImpactSignal is something that speaks for a file to change with another.
type ImpactSignal int

// The signals. Each is between 0 and 1. Of some there are two: how strong it is,
// and which place the file has by it among all that have it (1, 5/6, 5/7, …), since
// strengths compare badly from one file to the next.
const (
	SignalTogether      ImpactSignal = iota // changed together, by the history's score
	SignalTogetherPlace                     //
	SignalNeeds                             // was seldom changed without the seed
	SignalNeedsPlace                        //
	SignalSecond                            // changed together with what changed together with the seed
	SignalDirectory                         // changed with the directory of the seed
	SignalFolder                            // its directory changed with the seed
	SignalSaid                              // was changed by commits with messages like those of the seed's
	SignalText                              // shares words few files hold
	SignalTextPlace                         //
	SignalTextMost                          // the same, against the file that shares most
	SignalImports                           // the seed imports it; hubs count less
	SignalImported                          // it imports the seed; less, the more others do
	SignalUses                              // uses or inherits without import, either way
	SignalTests                             // one tests the other
	SignalNamed                             // goes with the seed by name
	SignalBeside                            // in the same directory; small ones count more
	SignalWords                             // names share words, rare ones count more
	SignalRare                              // uses the same rarely used names
	SignalFresh                             // changed in the last tens of commits
	SignalAcross                            // one is a test and the other is none
	SignalLarge                             // has many lines
	SignalCrowd                             // has many files beside it
	SignalNear                              // few steps from directory to directory
	SignalMade                              // generated or vendored: hardly ever changed by hand
	impactSignals
)

// impactSignalNames say in a word what a signal is. Those of one name are told as one.
// Without a name are those that tell nothing of a tie between two files.
var impactSignalNames = [impactSignals]string{SignalTogether: "changes together", SignalTogetherPlace: "changes together", SignalNeeds: "changes together", SignalNeedsPlace: "changes together",
	SignalSecond: "changes with what changes together with it", SignalDirectory: "changes with its directory", SignalFolder: "in a directory that changes with it", SignalSaid: "commits with like messages",
	SignalText: "words in common", SignalTextPlace: "words in common", SignalTextMost: "words in common", SignalImports: "imported by it", SignalImported: "imports it", SignalUses: "uses",
	SignalTests: "tests", SignalNamed: "named alike", SignalBeside: "same directory", SignalWords: "similar name", SignalRare: "same rare names",
	SignalFresh: "changed lately", SignalMade: "generated"}

// String is the signal in words.
func (s ImpactSignal) String() string { return impactSignalNames[s] }

// ImpactSignals are the strengths of all signals.
type ImpactSignals [impactSignals]float64

// impactWeights fuse the signals: a softmax over the scores of all files is the
// share of future changes each is expected to have. They were fitted by
// `go run ./bench/impact -tune` to the histories named in docs/measurements.md.
// Signals that got nothing are kept for what they are measured by alone.
var impactWeights = ImpactSignals{
	SignalTogether: 0.29, SignalTogetherPlace: 0.86, SignalNeeds: 0.45, SignalNeedsPlace: 0.37, SignalSecond: 0.2, SignalDirectory: 0.53, SignalFolder: 1.11, SignalSaid: 0.61,
	SignalText: 0.96, SignalTextPlace: 1.37, SignalTextMost: 0.17, SignalImported: 0.12, SignalTests: 0.59, SignalNamed: 0.05, SignalWords: 0.96, SignalRare: 0.18,
	SignalFresh: 0.28, SignalAcross: 0.33, SignalLarge: 0.93, SignalCrowd: -1.46, SignalNear: 0.2,
}

// ImpactFile is a file that is likely to change with others.
type ImpactFile struct {
	Path  string
	Score float64 // how likely it is against the first, which has 1
	// Why are the signals that speak for it, strongest first.
	Why     []string
	Signals ImpactSignals
}

// ImpactFiles ranks the files that are likely to change with the seeds, best
// first: one list fused from the history, the graph of imports, tests and uses,
// names and places. limit 0 is all that any signal speaks for.
func ImpactFiles(ctx context.Context, s *view.Snapshot, seeds []string, limit int) ([]ImpactFile, error) {
	return RankImpact(ctx, s, seeds, limit, impactWeights)
}

// RankImpact is ImpactFiles with weights of one's own, for measurements.
func RankImpact(ctx context.Context, s *view.Snapshot, seeds []string, limit int, weights ImpactSignals) ([]ImpactFile, error) {
	sum := map[string]*ImpactFile{}
	for _, seed := range seeds {
		r := &impactRanker{s: s, ctx: ctx, seed: seed, found: map[string]*ImpactSignals{}}
		if err := r.run(); err != nil {
			return nil, err
		}
		for p, sig := range r.found {
			if slices.Contains(seeds, p) {
				continue
			}
			f := sum[p]
			if f == nil {
				f = &ImpactFile{Path: p}
				sum[p] = f
			}
			for i, v := range sig { // of several seeds the one that speaks loudest, and a little of the others
				f.Signals[i] = max(f.Signals[i], v) + min(f.Signals[i], v)/float64(2*len(seeds))
			}
		}
	}
	out := make([]ImpactFile, 0, len(sum))
	for _, f := range sum {
		for i, v := range f.Signals {
			f.Score += weights[i] * v
		}
		out = append(out, *f)
	}
	slices.SortFunc(out, func(a, b ImpactFile) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path)) })
	if limit > 0 {
		out = out[:min(len(out), limit)]
	}
	best := 0.0
	if len(out) > 0 {
		best = out[0].Score
	}
	for i := range out {
		out[i].Score = math.Exp(out[i].Score - best)
		out[i].Why = whyImpact(&out[i].Signals, &weights)
	}
	return out, s.Lookup.Err
}

// whyImpact lists the signals that give at least a tenth of a score.
func whyImpact(sig, weights *ImpactSignals) []string {
	parts := map[string]float64{}
	total := 0.0
	for i := range sig {
		if v, name := sig[i]*weights[i], impactSignalNames[i]; name != "" {
			parts[name] += v
			total += max(v, 0)
		}
	}
	names := slices.Sorted(maps.Keys(parts))
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(parts[b], parts[a]) })
	var out []string
	for _, n := range names {
		if parts[n] <= 0 || parts[n] < total/10 || len(out) == 4 {
			break
		}
		out = append(out, n)
	}
	return out
}

// Bounds of a ranking's work, for each seed.
const (
	maxRankEdges  = 400 // files at the other end of edges, each way
	maxRankBeside = 200 // files of the directory
	maxRankRare   = 400 // names of the seed that are looked up
	rareFiles     = 12  // files that use a rare name at most
	maxRankWords  = 40  // files that bear a word, for the word to bring candidates
)

// impactRanker gathers the signals of one seed.
type impactRanker struct {
	s       *view.Snapshot
	ctx     context.Context
	seed    string
	file    code.File
	folders map[string]float64 // directories that changed with the seed
	crowd   map[string]int     // files by directory
	found   map[string]*ImpactSignals
}

func (r *impactRanker) run() error {
	f, ok, err := r.s.Index.FileByPath(r.seed)
	if err != nil {
		return err
	}
	r.file = f
	steps := []func() error{r.kin}
	if ok {
		steps = append(steps, r.text, r.edges, r.rare, r.companions, r.beside, r.words)
	}
	for _, step := range append(steps, r.rows, r.places) {
		if err := step(); err != nil {
			return fmt.Errorf("rank what changes with %s: %w", r.seed, err)
		}
	}
	return r.ctx.Err()
}

// note raises a signal of a file.
func (r *impactRanker) note(p string, s ImpactSignal, v float64) {
	if p == r.seed || p == "" || v <= 0 {
		return
	}
	sig := r.found[p]
	if sig == nil {
		sig = &ImpactSignals{}
		r.found[p] = sig
	}
	sig[s] = max(sig[s], min(v, 1))
}

// damped is what one of n edges is worth.
func damped(n int) float64 { return 1 / (1 + math.Log2(1+float64(n)/4)) }

func (r *impactRanker) edges() error {
	out, err := r.s.Index.EdgesFrom(r.file.ID)
	if err != nil {
		return err
	}
	in, err := r.s.Index.EdgesTo(r.file.ID)
	if err != nil {
		return err
	}
	for _, e := range out[:min(len(out), maxRankEdges)] {
		f, err := r.s.FileByID(e.Target)
		if err != nil {
			return err
		}
		r.edge(f.Path, e, damped(int(f.Dependents)), SignalImports)
	}
	for _, e := range in[:min(len(in), maxRankEdges)] {
		n, _ := r.s.Lookup.NodeByID(e.Source)
		r.edge(n.Path, e, damped(len(in)), SignalImported)
	}
	return nil
}

func (r *impactRanker) edge(p string, e store.EdgeRow, worth float64, way ImpactSignal) {
	if e.Confidence == code.Ambiguous {
		worth /= 2
	}
	switch e.Relation {
	case code.RelImports:
		r.note(p, way, worth)
	case code.RelTests:
		r.note(p, SignalTests, worth)
	case code.RelMentions:
		r.note(p, way, worth/4)
	default:
		r.note(p, SignalUses, worth)
	}
}

// rare finds the files that use names few files use, the seed among them.
func (r *impactRanker) rare() error {
	home, err := r.s.Site(r.file.ID)
	if err != nil || home.Packed == nil {
		return err
	}
	refs, err := home.Packed.AllRefs()
	if err != nil {
		return err
	}
	names := map[string]bool{}
	for i := range refs {
		names[refs[i].Name] = true
	}
	rows, err := r.s.Index.Symbols(r.file.ID)
	if err != nil {
		return err
	}
	for i := range rows {
		if !rows[i].Kind.IsText() {
			names[rows[i].Name] = true
		}
	}
	looked, score := 0, map[int64]float64{}
	for _, name := range sortedByLength(names) {
		if looked++; looked > maxRankRare {
			break
		}
		count, err := r.s.Index.NameCount(name)
		if err != nil {
			return err
		}
		if count.Files == 0 || count.Files > rareFiles {
			continue
		}
		ids, err := r.s.Index.Referrers(name)
		if err != nil {
			return err
		}
		for _, id := range ids {
			score[id] += 1 / float64(1+len(ids))
		}
	}
	for id, v := range score {
		n, _ := r.s.Lookup.NodeByID(id)
		r.note(n.Path, SignalRare, v/(v+1))
	}
	return nil
}

// sortedByLength puts long names first: they are rare.
func sortedByLength(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for s := range set {
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return out
}

// namedWeights say how much the kinds of companions change together.
var namedWeights = map[string]float64{CompanionTest: 1, CompanionSubject: 1, CompanionHeader: 1, CompanionTypes: 1, CompanionGenerated: 0.8, CompanionSnapshot: 0.8, CompanionFixture: 0.6, CompanionStyle: 0.6,
	CompanionTemplate: 0.6, CompanionLayer: 0.6, CompanionVariant: 0.6, CompanionFactory: 0.5, CompanionMock: 0.6, CompanionSame: 0.6, CompanionStory: 0.5}

func (r *impactRanker) companions() error {
	list, err := Companions(r.ctx, r.s, []string{r.seed})
	for _, c := range list {
		r.note(c.Path, SignalNamed, cmp.Or(namedWeights[c.Kind], 0.3)*float64(1+c.Near)/4)
	}
	return err
}

func (r *impactRanker) beside() error {
	list, err := r.s.Index.FilesIn(code.Dir(r.seed))
	if err != nil {
		return err
	}
	for _, f := range list[:min(len(list), maxRankBeside)] {
		r.note(f.Path, SignalBeside, 2/(1+math.Sqrt(float64(len(list)))))
	}
	return nil
}

// words finds files whose names, or folders' names, share words with the seed's
// name. A word counts by how few files bear it.
func (r *impactRanker) words() error {
	name := partsOf(r.seed)
	r.crowd = map[string]int{}
	words := slices.Compact(slices.Sorted(slices.Values(name.root)))
	type hit struct {
		path string
		has  []bool
		more int // words of its name that are none of the seed's
	}
	var hits []hit
	count := make([]int, len(words))
	var folded []byte
	for row, err := range r.s.Index.Paths() {
		if err != nil {
			return err
		}
		r.crowd[code.Dir(row.Path)]++
		folded = foldName(folded[:0], row.Path)
		if !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(string(folded), w) }) {
			continue
		}
		own := nameWords(strings.TrimSuffix(path.Base(row.Path), path.Ext(row.Path)))
		own = append(own, nameWords(path.Base(code.Dir(row.Path)))...)
		h := hit{path: row.Path, has: make([]bool, len(words))}
		any := false
		for _, o := range partsOf(row.Path).root {
			if !slices.Contains(words, o) {
				h.more++
			}
		}
		for i, w := range words {
			if slices.ContainsFunc(own, func(o string) bool { return o == w || singular(o) == singular(w) }) {
				h.has[i], any = true, true
				count[i]++
			}
		}
		if any {
			hits = append(hits, h)
		}
	}
	whole := 0.0
	for _, n := range count {
		whole += 1 / math.Log2(2+float64(n))
	}
	for _, h := range hits {
		v, rarest := 0.0, math.MaxInt
		for i, n := range count {
			if h.has[i] {
				v += 1 / math.Log2(2+float64(n))
				rarest = min(rarest, n)
			}
		}
		if r.found[h.path] != nil || rarest <= maxRankWords {
			r.note(h.path, SignalWords, v/(whole+0.2*float64(h.more))*min(1, 4/math.Log2(4+float64(rarest))))
		}
	}
	return nil
}

// ImpactWeights are the weights ImpactFiles fuses signals with.
func ImpactWeights() ImpactSignals { return impactWeights }
