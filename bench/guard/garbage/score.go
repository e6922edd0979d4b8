package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/source/class"
	"ken/internal/engine/source/secret"
	"ken/internal/guard/garbage"
)

// tally counts one kind, or one language.
type tally struct {
	planted, found        int // pieces
	right, wrong, removed int // findings: on pieces, on lines that stayed, on lines that a later commit removed
}

// recall and precision; lines that a later commit removed are neither right nor wrong.
func (t *tally) recall() float64    { return share(t.found, t.planted) }
func (t *tally) precision() float64 { return share(t.right, t.right+t.wrong) }

// strict is the precision if those lines are wrong, too.
func (t *tally) strict() float64 { return share(t.right, t.right+t.wrong+t.removed) }

// plus adds another tally.
func (t *tally) plus(o *tally) {
	t.planted, t.found, t.right = t.planted+o.planted, t.found+o.found, t.right+o.right
	t.wrong, t.removed = t.wrong+o.wrong, t.removed+o.removed
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// score is the result of a half.
type score struct {
	kinds, langs map[string]*tally
	commits      int
	missing      int
	possible     int
	log          io.Writer
}

func newScore(log io.Writer) *score {
	return &score{kinds: map[string]*tally{}, langs: map[string]*tally{}, log: log}
}

// of is the tallies that a piece or a finding counts for.
func (s *score) of(kind string, l code.Lang) []*tally {
	var out []*tally
	for _, x := range []struct {
		in  map[string]*tally
		key string
	}{{s.kinds, kind}, {s.kinds, "all"}, {s.langs, string(l)}} {
		if x.in[x.key] == nil {
			x.in[x.key] = &tally{}
		}
		out = append(out, x.in[x.key])
	}
	return out
}

// measure judges the sample of one half, and more commits without pieces of each
// of its repositories, which show how often a review of real work is wrong.
func measure(w io.Writer, clones string, which half, more int, verbose bool) (*score, error) {
	f, err := os.Open("bench/guard/garbage/testdata/sample.txt")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := readSample(f)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(d *drawn) bool { return d.half != which })
	log := io.Discard
	if verbose {
		log = w
	}
	b := &builder{clones: clones, classes: class.New(), secrets: secret.New()}
	s := newScore(log)
	if err := s.judge(b, all); err != nil {
		return nil, err
	}
	s.print(w, string(which))
	if more == 0 {
		return s, nil
	}
	var names []string
	for _, h := range hosts() {
		if h.half == which {
			names = append(names, h.name)
		}
	}
	return s, measureOthers(w, clones, names, all, more, verbose)
}

// measureOthers judges n commits without pieces of each of some repositories.
func measureOthers(w io.Writer, clones string, names []string, but []*drawn, n int, verbose bool) error {
	all, err := moreCommits(clones, names, but, n)
	if err != nil {
		return err
	}
	log := io.Discard
	if verbose {
		log = w
	}
	s := newScore(log)
	if err := s.judge(&builder{clones: clones, classes: class.New(), secrets: secret.New()}, all); err != nil {
		return err
	}
	s.print(w, "without pieces")
	return nil
}

// plus adds what another half counted.
func (s *score) plus(o *score) {
	s.commits += o.commits
	s.missing += o.missing
	s.possible += o.possible
	for _, x := range [][2]map[string]*tally{{s.kinds, o.kinds}, {s.langs, o.langs}} {
		for key, t := range x[1] {
			if x[0][key] == nil {
				x[0][key] = &tally{}
			}
			x[0][key].plus(t)
		}
	}
}

// bound is what recall and precision must reach for each kind that is planted.
const bound = 0.8

// below is the kinds that do not reach the bound.
func (s *score) below() []string {
	var out []string
	for kind, t := range s.kinds {
		if t.planted > 0 && min(t.recall(), t.precision()) < bound {
			out = append(out, kind)
		}
	}
	slices.Sort(out)
	return out
}

// judge judges commits.
func (s *score) judge(b *builder, all []*drawn) error {
	finder := garbage.New()
	for _, d := range all {
		j, err := b.build(d)
		if err != nil {
			return fmt.Errorf("%s@%s: %w", d.repo, d.commit, err)
		}
		if err := s.add(gitDir(b.clones, d.repo), j, finder.Find(j.change)); err != nil {
			return err
		}
	}
	return nil
}

// moreCommits draws n commits of each repository that are not in the sample.
func moreCommits(clones string, names []string, sample []*drawn, n int) ([]*drawn, error) {
	seen := map[string]bool{}
	for _, d := range sample {
		seen[d.commit] = true
	}
	var out []*drawn
	for _, name := range names {
		dir := gitDir(clones, name)
		ids, err := git(dir, "rev-list", "--no-merges", "--min-parents=1", "HEAD")
		if err != nil {
			return nil, err
		}
		all := strings.Fields(string(ids))
		shuffled(all, func(id string) string { return "more" + id })
		left := n
		for _, id := range all {
			if left == 0 {
				break
			}
			c, err := show(dir, id)
			if err != nil || seen[id] || !eligible(c) {
				continue
			}
			out = append(out, &drawn{repo: name, commit: id})
			left--
		}
	}
	return out, nil
}

// add counts a commit.
func (s *score) add(dir string, j *judged, found []garbage.Finding) error {
	s.commits++
	s.missing += j.missing
	hit := make([]bool, len(j.planted))
	for i := range found {
		x := &found[i]
		on := piecesAt(j, x)
		switch {
		case x.Sure < garbage.Likely:
			s.possible++
			if len(on) == 0 {
				fmt.Fprintf(s.log, "possible\t%s\t%s@%.8s %s\t%s\n", x.Kind, j.repo, j.commit, placeOf(x), strings.Join(linesOf(j.change, x), "⏎"))
			}
			continue
		case len(on) > 0:
			for _, k := range on {
				hit[k] = true
			}
			for _, t := range s.of(string(x.Kind), j.planted[on[0]].lang) {
				t.right++
			}
			continue
		}
		if err := s.stray(dir, j, x); err != nil {
			return err
		}
	}
	for k, p := range j.planted {
		for _, t := range s.of(p.kind, p.lang) {
			t.planted++
			if hit[k] {
				t.found++
			}
		}
		if !hit[k] {
			fmt.Fprintf(s.log, "MISSED\t%s\t%s@%.8s %s:%d\t%s\n", p.kind, j.repo, j.commit, p.path, p.from, p.text)
		}
	}
	return nil
}

// piecesAt is the pieces that a finding covers a line of: two may be planted behind one line.
func piecesAt(j *judged, x *garbage.Finding) []int {
	var out []int
	for k, p := range j.planted {
		if p.path == x.Path && (p.from == 0 || x.From <= p.to && p.from <= x.To) {
			out = append(out, k)
		}
	}
	return out
}

// stray counts a finding on what was not planted.
func (s *score) stray(dir string, j *judged, x *garbage.Finding) error {
	text := linesOf(j.change, x)
	gone, err := later(dir, j.commit, x, text)
	if err != nil {
		return err
	}
	var l code.Lang
	for i := range j.change.Files {
		if j.change.Files[i].Path == x.Path {
			l = j.change.Files[i].Lang
		}
	}
	for _, t := range s.of(string(x.Kind), l) {
		if gone {
			t.removed++
		} else {
			t.wrong++
		}
	}
	what := "WRONG"
	if gone {
		what = "removed"
	}
	fmt.Fprintf(s.log, "%s\t%s\t%s@%.8s %s\t%s\n", what, x.Kind, j.repo, j.commit, placeOf(x), strings.Join(text, "⏎"))
	return nil
}

// print prints the table of a half.
func (s *score) print(w io.Writer, title string) {
	fmt.Fprintf(w, "%s: %d commits, %d pieces could not be planted, %d findings that are only possible\n", title, s.commits, s.missing, s.possible)
	fmt.Fprintf(w, "%-20s %8s %6s %6s %6s %6s %8s %10s %8s\n", "", "planted", "found", "right", "wrong", "later", "recall", "precision", "strict")
	for _, in := range []map[string]*tally{s.kinds, s.langs} {
		keys := make([]string, 0, len(in))
		for k := range in {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			t := in[k]
			fmt.Fprintf(w, "%-20s %8d %6d %6d %6d %6d", k, t.planted, t.found, t.right, t.wrong, t.removed)
			fmt.Fprintf(w, " %8.3f %10.3f %8.3f\n", t.recall(), t.precision(), t.strict())
		}
		fmt.Fprintln(w)
	}
}
