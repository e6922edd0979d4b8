package engine

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"ken/internal/code"
)

// ImpactSignal is something that speaks for a file to change with another.
type ImpactSignal int

// The signals. Each is between 0 and 1.
const (
	SignalTogether ImpactSignal = iota // changed together, by the history's score
	SignalFirst                        // changed together, against the most that anything did
	SignalImports                      // the seed imports it; hubs count less
	SignalImported                     // it imports the seed; less, the more others do
	SignalUses                         // uses or inherits without import, either way
	SignalTests                        // one tests the other
	SignalNamed                        // goes with the seed by name
	SignalBeside                       // in the same directory; small ones count more
	SignalWords                        // names share words, rare ones count more
	SignalCommon                       // imports, and is imported by, the same files
	SignalRare                         // uses the same rarely used names
	SignalShared                       // uses the same names, however common
	SignalStrength                     // how many names of the seed it uses
	SignalLively                       // changed often
	SignalFresh                        // changed lately
	SignalMade                         // generated or vendored: hardly ever changed by hand
	impactSignals
)

// impactSignalNames say in a word what a signal is.
var impactSignalNames = [impactSignals]string{"changes together", "changes together most", "imported by it", "imports it", "uses", "tests", "named alike", "same directory", "similar name",
	"common imports", "same rare names", "same names", "uses its names", "often changed", "changed lately", "generated"}

// String is the signal in words.
func (s ImpactSignal) String() string { return impactSignalNames[s] }

// ImpactSignals are the strengths of all signals.
type ImpactSignals [impactSignals]float64

// impactWeights fuse the signals. They were tuned by `go run ./bench/impact
// -tune` on the histories named in docs/measurements.md, where the figures of
// leaving each repository out stand.
var impactWeights = ImpactSignals{
	SignalTogether: 0.8, SignalFirst: 1, SignalImports: 0.5, SignalImported: 1, SignalUses: 0.5, SignalTests: 0.5, SignalNamed: 0.5, SignalBeside: 0.5, SignalWords: 0.5,
	SignalCommon: 0.5, SignalRare: 1.1, SignalShared: 0.5, SignalStrength: 0.5, SignalLively: 0.25, SignalFresh: 0.2, SignalMade: -1,
}

// ImpactFile is a file that is likely to change with others.
type ImpactFile struct {
	Path  string
	Score float64 // compares within one answer
	// Why are the signals that speak for it, strongest first.
	Why     []string
	Signals ImpactSignals
}

// ImpactFiles ranks the files that are likely to change with the seeds, best
// first: one list fused from the history, the graph of imports, tests and uses,
// names and places. limit 0 is all that any signal speaks for.
func (s *Snapshot) ImpactFiles(ctx context.Context, seeds []string, limit int) ([]ImpactFile, error) {
	return s.RankImpact(ctx, seeds, limit, impactWeights)
}

// RankImpact is ImpactFiles with weights of one's own, for measurements.
func (s *Snapshot) RankImpact(ctx context.Context, seeds []string, limit int, weights ImpactSignals) ([]ImpactFile, error) {
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
	for i := range out {
		out[i].Why = whyImpact(&out[i].Signals, &weights)
	}
	return out, s.world.err
}

// whyImpact lists the signals that give at least a tenth of a score.
func whyImpact(sig, weights *ImpactSignals) []string {
	type part struct {
		of  ImpactSignal
		val float64
	}
	var parts []part
	total := 0.0
	for i := range sig {
		if v := sig[i] * weights[i]; v > 0 {
			parts = append(parts, part{ImpactSignal(i), v})
			total += v
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.val, a.val) })
	var out []string
	for _, p := range parts {
		if p.val < total/10 || len(out) == 4 {
			break
		}
		out = append(out, p.of.String())
	}
	return out
}

// Bounds of a ranking's work, for each seed.
const (
	maxRankPartners = 400 // files of the history
	maxRankEdges    = 400 // files at the other end of edges, each way
	maxRankBeside   = 200 // files of the directory
	maxRankCommon   = 60  // neighbours whose neighbours are looked at
	maxRankRare     = 400 // names of the seed that are looked up
	maxRankShared   = 80  // files that share names
	sharedFiles     = 80  // files that use a shared name at most
	rareFiles       = 12  // files that use a rare name at most
	maxRankWords    = 40  // files that bear a word, for the word to bring candidates
	maxRankStrength = 60  // files whose uses of the seed's names are counted
)

// impactRanker gathers the signals of one seed.
type impactRanker struct {
	s     *Snapshot
	ctx   context.Context
	seed  string
	file  code.File
	now   time.Time // of HEAD
	found map[string]*ImpactSignals
}

func (r *impactRanker) run() error {
	f, ok, err := r.s.r.FileByPath(r.seed)
	if err != nil {
		return err
	}
	r.file = f
	steps := []func() error{r.history}
	if ok {
		steps = append(steps, r.edges, r.common, r.rare, r.companions, r.beside, r.strength, r.words)
	}
	for _, step := range append(steps, r.places) {
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

func (r *impactRanker) history() error {
	info, err := r.s.HistoryInfo()
	if err != nil {
		return err
	}
	r.now = info.Time
	list, err := r.s.CoChanged(r.ctx, r.seed, maxRankPartners)
	if err != nil || len(list) == 0 {
		return err
	}
	for _, c := range list {
		r.note(c.Path, SignalTogether, c.Score)
		r.note(c.Path, SignalFirst, c.Score/list[0].Score)
	}
	return nil
}

// lately is 1 for what happened at HEAD's time, and half for every so many days before.
func (r *impactRanker) lately(at time.Time, days float64) float64 {
	age := r.now.Sub(at).Hours() / 24
	return math.Exp2(-max(age, 0) / days)
}

// damped is what one of n edges is worth.
func damped(n int) float64 { return 1 / (1 + math.Log2(1+float64(n)/4)) }

func (r *impactRanker) edges() error {
	out, err := r.s.r.EdgesFrom(r.file.ID)
	if err != nil {
		return err
	}
	in, err := r.s.r.EdgesTo(r.file.ID)
	if err != nil {
		return err
	}
	for _, e := range out[:min(len(out), maxRankEdges)] {
		f, err := r.s.fileByID(e.Target)
		if err != nil {
			return err
		}
		r.edge(f.Path, e, damped(int(f.Dependents)), SignalImports)
	}
	for _, e := range in[:min(len(in), maxRankEdges)] {
		n, _ := r.s.world.NodeByID(e.Source)
		r.edge(n.Path, e, damped(len(in)), SignalImported)
	}
	return nil
}

func (r *impactRanker) edge(p string, e EdgeRow, worth float64, way ImpactSignal) {
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

// common compares neighbours: files that import the same, or that the same
// files import, weighted against those everybody imports (Adamic and Adar 2003).
func (r *impactRanker) common() error {
	score := map[int64]float64{}
	for _, way := range [...]struct {
		from, back func(int64) ([]EdgeRow, error)
	}{{r.s.r.EdgesFrom, r.s.r.EdgesTo}, {r.s.r.EdgesTo, r.s.r.EdgesFrom}} {
		list, err := way.from(r.file.ID)
		if err != nil {
			return err
		}
		for _, e := range list[:min(len(list), maxRankCommon)] {
			mid := e.Source + e.Target - r.file.ID
			back, err := way.back(mid)
			if err != nil {
				return err
			}
			if len(back) > maxRankEdges {
				continue
			}
			for _, b := range back {
				if o := b.Source + b.Target - mid; o != r.file.ID && b.Relation.Depends() {
					score[o] += 1 / math.Log(2+float64(len(back)))
				}
			}
		}
	}
	for id, v := range score {
		n, _ := r.s.world.NodeByID(id)
		r.note(n.Path, SignalCommon, v/(v+3))
	}
	return nil
}

// rare finds the files that use names few files use, the seed among them.
func (r *impactRanker) rare() error {
	home, err := r.s.site(r.file.ID)
	if err != nil || home.packed == nil {
		return err
	}
	refs, err := home.packed.AllRefs()
	if err != nil {
		return err
	}
	names := map[string]bool{}
	for i := range refs {
		names[refs[i].Name] = true
	}
	rows, err := r.s.r.Symbols(r.file.ID)
	if err != nil {
		return err
	}
	for i := range rows {
		if !rows[i].Kind.IsText() {
			names[rows[i].Name] = true
		}
	}
	looked, score, shared := 0, map[int64]float64{}, map[int64]float64{}
	for _, name := range sortedByLength(names) {
		if looked++; looked > maxRankRare {
			break
		}
		count, err := r.s.r.NameCount(name)
		if err != nil {
			return err
		}
		if count.Files == 0 || count.Files > sharedFiles {
			continue
		}
		ids, err := r.s.r.Referrers(name)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if len(ids) <= rareFiles {
				score[id] += 1 / float64(1+len(ids))
			}
			shared[id] += 1 / math.Sqrt(float64(1+len(ids)))
		}
	}
	for id, v := range score {
		n, _ := r.s.world.NodeByID(id)
		r.note(n.Path, SignalRare, v/(v+1))
	}
	return r.share(shared)
}

// share notes the files that share most names with the seed, against their size.
func (r *impactRanker) share(shared map[int64]float64) error {
	type file struct {
		id  int64
		val float64
	}
	var list []file
	for id, v := range shared {
		list = append(list, file{id, v})
	}
	slices.SortFunc(list, func(a, b file) int { return cmp.Or(cmp.Compare(b.val, a.val), cmp.Compare(a.id, b.id)) })
	most := 0.0
	for i := range list[:min(len(list), maxRankShared)] {
		f, err := r.s.fileByID(list[i].id)
		if err != nil {
			return err
		}
		list[i].val /= math.Sqrt(50 + float64(f.Lines))
		if f.Path != r.seed {
			most = max(most, list[i].val)
		}
	}
	for _, x := range list[:min(len(list), maxRankShared)] {
		n, _ := r.s.world.NodeByID(x.id)
		r.note(n.Path, SignalShared, x.val/most)
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
	list, err := r.s.Companions(r.ctx, []string{r.seed})
	for _, c := range list {
		r.note(c.Path, SignalNamed, cmp.Or(namedWeights[c.Kind], 0.3)*float64(1+c.Near)/4)
	}
	return err
}

func (r *impactRanker) beside() error {
	list, err := r.s.r.FilesIn(dirOf(r.seed))
	if err != nil {
		return err
	}
	for _, f := range list[:min(len(list), maxRankBeside)] {
		r.note(f.Path, SignalBeside, 2/(1+math.Sqrt(float64(len(list)))))
	}
	return nil
}

// strength counts how many of the seed's names the files that import it use, and
// how many of theirs it uses.
func (r *impactRanker) strength() error {
	rows, err := r.s.r.Symbols(r.file.ID)
	if err != nil {
		return err
	}
	own := map[string]bool{}
	for i := range rows {
		if !rows[i].Kind.IsText() && len(own) < maxUsesNames {
			own[rows[i].Name] = true
		}
	}
	names := sortedByLength(own)
	var paths []string
	for p, sig := range r.found {
		if sig[SignalImported]+sig[SignalUses]+sig[SignalTests] > 0 {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	for _, p := range paths[:min(len(paths), maxRankStrength)] {
		n, ok := r.s.world.Node(p)
		if !ok {
			continue
		}
		t, err := r.s.site(n.ID)
		if err != nil {
			return err
		}
		if t.packed == nil {
			continue
		}
		used := 0
		for _, name := range names {
			if t.packed.Refers(name) {
				used++
			}
		}
		r.note(p, SignalStrength, float64(used)/float64(used+5))
	}
	return nil
}

// places fills what the rows of all candidates tell.
func (r *impactRanker) places() error {
	for p, sig := range r.found {
		f, ok, err := r.s.r.FileByPath(p)
		if err != nil {
			return err
		}
		if !ok {
			delete(r.found, p)
			continue
		}
		if f.Flags&(code.FlagGenerated|code.FlagVendored) != 0 {
			sig[SignalMade] = 1
		}
		if a, ok, err := r.s.Activity(f.ID); err != nil {
			return err
		} else if ok {
			sig[SignalLively] = a.Churn / (a.Churn + 10)
			sig[SignalFresh] = r.lately(a.Last, 60)
		}
	}
	return nil
}

// words finds files whose names, or folders' names, share words with the seed's
// name. A word counts by how few files bear it.
func (r *impactRanker) words() error {
	name := partsOf(r.seed)
	words := slices.Compact(slices.Sorted(slices.Values(name.root)))
	if len(words) == 0 {
		return nil
	}
	type hit struct {
		path string
		has  []bool
		more int // words of its name that are none of the seed's
	}
	var hits []hit
	count := make([]int, len(words))
	var folded []byte
	for row, err := range r.s.r.Paths() {
		if err != nil {
			return err
		}
		folded = foldName(folded[:0], row.Path)
		if !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(string(folded), w) }) {
			continue
		}
		own := nameWords(strings.TrimSuffix(path.Base(row.Path), path.Ext(row.Path)))
		own = append(own, nameWords(path.Base(dirOf(row.Path)))...)
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
