package brief

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"ken/internal/ask/filename"
	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/lang"
)

// BriefTest is a test file that covers files to be changed.
type BriefTest struct {
	Path   string
	Covers []string // those files; if there are none, Why has the reason
	Why    string

	id      int64
	lang    code.Lang
	signals [testSignals]float64
	rating  float64
}

// The signals by which tests are rated, each between 0 and 1.
const (
	testUses     = iota // it uses a file to be changed
	testNames           // it uses declarations of the first of these files
	testName            // its name has words of the name of one
	testPath            // its path has words of the goal
	testBody            // it has words of the goal, as rare and often as no other test
	testNamed           // its path or its declarations have words of the goal
	testMatched         // share of the goal's words that it has
	testTogether        // past commits changed it together with files to be changed
	testMessages        // the messages of all commits that changed it have words of the goal
	testActive          // it changed often lately

	testSignals
)

// testWeights are the weights of the signals, fitted to the development draw of bench/firstwords/brief.
var testWeights = [testSignals]float64{
	testUses: 1, testNames: 0.4, testName: 1.4, testPath: 2.8, testBody: 1.9, testNamed: 0.8, testMatched: 0.4, testTogether: 0.8, testMessages: 1.6,
	testActive: 1.5,
}

// Limits of the search for tests.
const (
	maxTested    = 24  // tests of one file that are looked at
	maxWordDocs  = 400 // files of all sorts with words of the goal, among which are tests
	maxNameFiles = 150 // files that use a name: one that more use is not telling
	throughFiles = 3   // files to be changed of which the tests are searched that reach them through others
	nameFiles    = 4   // files to be changed whose declarations are looked for
)

// placeWeight returns the weight of what speaks for the i-th file to be changed.
func placeWeight(i int) float64 { return 1 / (1 + 0.5*float64(i)) }

// testList collects the tests of a brief.
type testList struct {
	*briefer
	list []*BriefTest
	at   map[int64]*BriefTest
}

// test returns the entry of a file, nil if it is no test.
func (l *testList) test(id int64) (*BriefTest, error) {
	if t, ok := l.at[id]; ok {
		return t, nil
	}
	l.at[id] = nil
	if _, ok := l.place[id]; ok {
		return nil, nil
	}
	f, err := l.s.FileByID(id)
	if err != nil || f.Lang == "" || !f.Class.Has(code.ClassTest) {
		return nil, err
	}
	if f.Class.Has(code.ClassData | code.ClassDocument | code.ClassFixture) {
		return nil, nil
	}
	if run, err := refs.RunAsTest(l.s, &f); err != nil || !run && refs.IsTestHelper(f.Path) {
		return nil, err
	}
	t := &BriefTest{Path: f.Path, id: f.ID, lang: f.Lang}
	l.at[id] = t
	l.list = append(l.list, t)
	return t, nil
}

// raise sets a signal of a file, if it is a test, to at least a value.
func (l *testList) raise(id int64, signal int, v float64) error {
	t, err := l.test(id)
	if t != nil {
		t.signals[signal] = max(t.signals[signal], v)
	}
	return err
}

// cover is raise for a signal that speaks for the i-th file to be changed, which the test covers.
func (l *testList) cover(id int64, i, signal int, v float64) error {
	if t, err := l.test(id); t == nil {
		return err
	} else {
		t.covers(l.out.Modify[i].Path)
	}
	return l.raise(id, signal, v*placeWeight(i))
}

// covers adds a file to those that the test covers.
func (t *BriefTest) covers(p string) {
	if !slices.Contains(t.Covers, p) {
		t.Covers = append(t.Covers, p)
	}
}

// tests finds the tests of the files to be changed and of the goal: those that use the files or their declarations, that have their
// names, that changed together with them, and that have words of the goal.
func (b *briefer) tests() error {
	l := &testList{briefer: b, at: map[int64]*BriefTest{}}
	for _, step := range []func() error{l.byUses, l.byThrough, l.byNames, l.byHistory, l.byWords, l.rate} {
		if err := step(); err != nil {
			return err
		}
	}
	for _, t := range l.list {
		b.out.Tests = append(b.out.Tests, *t)
	}
	for i := range b.out.Modify {
		if c := &b.out.Modify[i]; c.Declares["tests"] && lang.Of(c.Lang).InlineTests { // its own
			b.out.Tests = append(b.out.Tests, BriefTest{Path: c.Path, Covers: []string{c.Path}, rating: ownTests * placeWeight(i)})
		}
	}
	slices.SortFunc(b.out.Tests, func(x, y BriefTest) int {
		return cmp.Or(cmp.Compare(y.rating, x.rating), strings.Compare(x.Path, y.Path))
	})
	b.out.Tests = b.out.Tests[:min(len(b.out.Tests), briefTests)]
	for i := leastTests; i < len(b.out.Tests); i++ {
		if b.out.Tests[i].rating < b.out.Tests[0].rating-testDistance {
			b.out.Tests = b.out.Tests[:i]
			break
		}
	}
	return b.commands()
}

// testDistance is how much less than the best test's rating a test may have to be listed, once there are leastTests. Where the goal is
// vague all ratings are small and near each other, and more tests are listed.
const testDistance, leastTests = 3.7, 5

// ownTests is the rating of the tests inside of the first file to be changed.
const ownTests = 6

// byUses adds the tests that use a file to be changed.
func (l *testList) byUses() error {
	for i := range l.out.Modify {
		edges, err := l.s.Index.EdgesFromTests(l.out.Modify[i].ID, maxTested)
		if err != nil {
			return err
		}
		weight := 1 / (1 + math.Log1p(float64(len(edges)))/2) // one of many is less telling
		for _, e := range edges {
			if err := l.cover(e.Source, i, testUses, weight); err != nil {
				return err
			}
		}
	}
	return nil
}

// byThrough adds the tests that reach one of the first files to be changed through others, where none uses it itself.
func (l *testList) byThrough() error {
	for i := range l.out.Modify[:min(len(l.out.Modify), throughFiles)] {
		list, err := refs.Tests(l.ctx, l.s, l.out.Modify[i].Path)
		if err != nil {
			return err
		}
		for k := range list {
			if t := &list[k]; list[0].Steps > 1 {
				if err := l.cover(t.File.ID, i, testUses, 0.5/float64(t.Steps)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// byNames adds the tests that use declarations of the first files to be changed that fit the goal.
func (l *testList) byNames() error {
	sum := map[int64]float64{}
	best := 0.0
	seen := map[string]bool{}
	for i := range l.out.Modify[:min(len(l.out.Modify), nameFiles)] {
		c := &l.out.Modify[i]
		var names []string
		for _, s := range c.Spots {
			names = append(names, s.Name)
		}
		for _, name := range append(names, c.Exports[:min(len(c.Exports), 2)]...) {
			name = name[strings.LastIndexByte(name, '.')+1:]
			if len(name) < 3 || seen[name] {
				continue
			}
			seen[name] = true
			ids, err := l.s.Index.Referrers(name)
			if err != nil {
				return err
			}
			if len(ids) > maxNameFiles {
				continue
			}
			for _, id := range ids {
				sum[id] += placeWeight(i) / (1 + math.Log1p(float64(len(ids))))
				best = max(best, sum[id])
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(sum)) {
		if err := l.raise(id, testNames, sum[id]/best); err != nil {
			return err
		}
	}
	return nil
}

// byHistory adds the tests that past commits changed together with files to be changed.
func (l *testList) byHistory() error {
	for _, p := range l.past {
		if err := l.raise(p.id, testTogether, p.Score); err != nil {
			return err
		}
	}
	return nil
}

// byWords adds the tests that have words of the goal, and rates all by these.
func (l *testList) byWords() error {
	index, scores := l.found.Index, l.found.Scores
	for _, doc := range scores.Top(maxWordDocs, nil) {
		if _, err := l.test(index.File(int(doc))); err != nil {
			return err
		}
	}
	for _, t := range l.list {
		if doc, ok := index.Doc(t.id); ok {
			t.signals[testBody], t.signals[testNamed], t.signals[testMatched] =
				float64(scores.Body[doc]), float64(scores.Named[doc]), float64(scores.Matched[doc])
		}
	}
	l.relative(testBody)
	l.relative(testNamed)
	return nil
}

// relative divides a signal by the largest of all tests.
func (l *testList) relative(signal int) {
	best := 0.0
	for _, t := range l.list {
		best = max(best, t.signals[signal])
	}
	for _, t := range l.list {
		if best > 0 {
			t.signals[signal] /= best
		}
	}
}

// rate sets the signals that come from the names and the history of the tests themselves, and the ratings.
func (l *testList) rate() error {
	var paths []string
	for _, t := range l.list {
		paths = append(paths, t.Path)
	}
	messages, err := l.s.MessageScores(l.terms(), paths)
	if err != nil {
		return err
	}
	activities, err := l.s.Activities(paths)
	if err != nil {
		return err
	}
	for i := range messages {
		l.list[i].signals[testMessages] = messages[i]
	}
	for i := range activities {
		l.list[i].signals[testActive] = min(1, activities[i].Activity180)
	}
	l.relative(testMessages)
	subjects := make([][]string, len(l.out.Modify))
	for i := range subjects {
		subjects[i] = filename.Subject(l.out.Modify[i].Path)
	}
	for _, t := range l.list {
		own := filename.Subject(t.Path)
		for i, subject := range subjects {
			c := &l.out.Modify[i]
			same := sharedWords(own, subject) / float64(max(1, len(own), len(subject)))
			t.signals[testName] = max(t.signals[testName], same*placeWeight(i))
			sameLang := graph.Family(t.lang) == graph.Family(c.Lang)
			if same == 1 && sameLang && filename.Nearness(code.Dir(t.Path), code.Dir(c.Path)) >= 2 {
				t.covers(c.Path)
			}
		}
		said, _, _ := l.overlap(t.Path)
		t.signals[testPath] = said / max(l.total, 1)
		for i, w := range testWeights {
			t.rating += w * t.signals[i]
		}
		if len(t.Covers) == 0 {
			if t.Why = "fits the goal"; t.signals[testTogether] > t.signals[testMatched] {
				t.Why = "often changed with them"
			}
		}
	}
	return nil
}

// sharedWords returns the number of words that are in both lists.
func sharedWords(x, y []string) (n float64) {
	for i, w := range x {
		if slices.Contains(y, w) && !slices.Contains(x[:i], w) {
			n++
		}
	}
	return n
}
