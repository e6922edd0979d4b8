package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	pathpkg "path"
	"slices"
	"strconv"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/source/class"
	"ken/internal/lang"
)

// hosts are the twelve repositories whose commits are judged.
func hosts() []struct {
	half half
	name string
} {
	return []struct {
		half half
		name string
	}{
		{development, "cli/cli"},
		{development, "wagtail/wagtail"},
		{development, "excalidraw/excalidraw"},
		{development, "composer/composer"},
		{development, "sharkdp/bat"},
		{development, "AutoMapper/AutoMapper"},
		{heldOut, "prometheus/prometheus"},
		{heldOut, "sqlfluff/sqlfluff"},
		{heldOut, "typeorm/typeorm"},
		{heldOut, "netty/netty"},
		{heldOut, "jekyll/jekyll"},
		{heldOut, "redis/redis"},
	}
}

// seed decides everything that is drawn.
const seed = "ken garbage 1"

// sampleSize is how many commits are drawn of all repositories together.
const sampleSize = 200

// order is a text's place in what the seed draws.
func order(parts ...string) [32]byte {
	return sha256.Sum256([]byte(seed + "\x00" + strings.Join(parts, "\x00")))
}

// shuffled sorts by what the seed draws of each element's key.
func shuffled[T any](all []T, key func(T) string) {
	slices.SortFunc(all, func(a, b T) int {
		x, y := order(key(a)), order(key(b))
		return bytes.Compare(x[:], y[:])
	})
}

// pool is the pieces of one half that are not planted yet, shuffled.
type pool map[half][]piece

// drawSample draws and prints the sample.
func drawSample(w io.Writer, clones string) error {
	p, err := gather(clones)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "# Drawn by `go run ./bench/guard/garbage -draw CLONES` with the seed %q, before the first rule was written.\n"+
		"# A commit whose message is a request; below it what is planted: kind, commit that removed the piece (that added the test), its\n"+
		"# place before that commit, and the file and line behind which it is put.\n", seed)
	classes := class.New()
	total := 0
	for i, h := range hosts() {
		n := sampleSize / len(hosts())
		if i < sampleSize%len(hosts()) {
			n++
		}
		d := &drawer{dir: gitDir(clones, h.name), repo: h.name, half: h.half, pool: p, classes: classes}
		if err := d.draw(w, total, n); err != nil {
			return fmt.Errorf("%s: %w", h.name, err)
		}
		total += n
	}
	return nil
}

// halfOf is which half plants pieces of a repository: every second repository, as
// shuffled, is held out, but a language that only one half has is all for that half.
func halfOf(i int, l code.Lang) half {
	only := map[code.Lang]half{"csharp": development, "php": development, "rust": development, "java": heldOut, "ruby": heldOut, "c": heldOut}
	return cmp.Or(only[l], []half{development, heldOut}[i%2])
}

// gather is the pieces of all repositories that are no hosts.
func gather(clones string) (pool, error) {
	names, err := clonesIn(clones)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		return slices.ContainsFunc(hosts(), func(h struct {
			half half
			name string
		}) bool {
			return h.name == name
		})
	})
	shuffled(names, func(s string) string { return s })
	p := pool{}
	for i, name := range names {
		got, err := pieces(gitDir(clones, name), name)
		if err != nil {
			return nil, err
		}
		for _, x := range got {
			to := halfOf(i, x.lang)
			p[to] = append(p[to], x)
		}
	}
	for h := range p {
		shuffled(p[h], func(x piece) string { return fmt.Sprint(x.kind, x.repo, x.commit, x.path, x.from) })
		count := map[string]int{}
		for _, x := range p[h] {
			count[x.kind+" "+string(x.lang)]++
		}
		fmt.Fprintln(os.Stderr, h, count)
	}
	return p, nil
}

// drawer draws the commits of one repository.
type drawer struct {
	dir, repo string
	half      half
	pool      pool
	classes   *class.Classifier
	tests     []piece // tests that commits added, shuffled
}

// draw prints n commits; of all repositories together, before which total are
// drawn, every second commit gets pieces.
func (d *drawer) draw(w io.Writer, total, n int) error {
	out, err := git(d.dir, "rev-list", "--no-merges", "--min-parents=1", "HEAD")
	if err != nil {
		return err
	}
	ids := strings.Fields(string(out))
	shuffled(ids, func(s string) string { return d.repo + s })
	d.findTests(ids)
	for i := 0; i < n; ids = ids[1:] {
		if len(ids) == 0 {
			return fmt.Errorf("too few commits: %d of %d", i, n)
		}
		c, err := show(d.dir, ids[0])
		if err != nil || !eligible(c) {
			continue
		}
		x := &drawn{half: d.half, repo: d.repo, commit: c.id}
		if planted := (total+i)%2 == 1; planted {
			if x.plants = d.plants(c, (total+i)/2%2 == 0); len(x.plants) == 0 {
				continue
			}
		}
		x.write(w)
		i++
	}
	return nil
}

// eligible reports whether a commit is of a size that somebody reviews and changes code.
func eligible(c *commit) bool {
	added, source := 0, false
	for _, f := range c.files {
		_, a := f.lines()
		added += a
		source = source || a > 0 && group(f.path) != ""
	}
	return len(c.files) <= 20 && added >= 3 && added <= 400 && source
}

// findTests keeps tests of 10 to 400 lines that commits added, some hundred of them.
func (d *drawer) findTests(ids []string) {
	for _, id := range ids[:min(len(ids), 1500)] {
		out, err := git(d.dir, "diff-tree", "--root", "-r", "--no-renames", "--diff-filter=A", "--numstat", "-z", id)
		if err != nil {
			continue
		}
		for _, row := range strings.Split(string(out), "\x00") {
			fields := strings.SplitN(row, "\t", 3)
			if len(fields) != 3 {
				continue
			}
			if n, _ := strconv.Atoi(fields[0]); n >= 10 && n <= 400 && d.isTest(fields[2]) {
				d.tests = append(d.tests, piece{kind: testPiece, repo: d.repo, commit: id, path: fields[2]})
				break
			}
		}
		if len(d.tests) >= 60 {
			return
		}
	}
}

// isTest reports whether a path is named as tests of its language are.
func (d *drawer) isTest(path string) bool {
	l := lang.Detect(path, nil)
	c := d.classes.Class(path, l, 0)
	row := lang.Of(l)
	return row.Known() && row.Sort == lang.Programming && row.Tests.Match(pathpkg.Base(path)) && !c.Has(code.ClassFixture)
}

// plants draws pieces for a commit: one of each kind that is planted by line, and a file or a test.
func (d *drawer) plants(c *commit, file bool) []plant {
	r := order(d.repo, c.id)
	random := rand.New(rand.NewChaCha8(r))
	spots := spotsOf(c)
	var out []plant
	for _, kind := range []string{debugPiece, deadPiece, todoPiece} {
		random.Shuffle(len(spots), func(i, j int) { spots[i], spots[j] = spots[j], spots[i] })
		for _, s := range spots {
			p, ok := d.take(kind, s.lang)
			if !ok {
				continue
			}
			out = append(out, plant{kind, p.repo, p.commit, p.path, p.from, p.to, s.path, s.line})
			break
		}
	}
	if p, ok := d.whole(c, file); ok {
		out = append(out, plant{kind: p.kind, repo: p.repo, commit: p.commit, path: p.path, at: p.path})
	}
	return out
}

// take draws a piece of a kind and language, which nobody gets again.
func (d *drawer) take(kind string, l code.Lang) (piece, bool) {
	all := d.pool[d.half]
	i := slices.IndexFunc(all, func(p piece) bool { return p.kind == kind && p.lang == l })
	if i < 0 {
		return piece{}, false
	}
	p := all[i]
	d.pool[d.half] = slices.Delete(all, i, i+1)
	return p, true
}

// whole draws a file, or a test, whose path the repository does not have at the commit.
func (d *drawer) whole(c *commit, file bool) (piece, bool) {
	all := &d.tests
	if file {
		x := d.pool[d.half]
		all = &x
	}
	for i, p := range *all {
		if file != (p.kind == filePiece) {
			continue
		}
		if _, err := git(d.dir, "cat-file", "-e", c.id+":"+p.path); err == nil {
			continue
		}
		*all = slices.Delete(*all, i, i+1)
		if file {
			d.pool[d.half] = *all
		}
		return p, true
	}
	return piece{}, false
}

// spot is an added line behind which a statement can come.
type spot struct {
	path string
	line int
	lang code.Lang
}

// spotsOf is the lines of a commit behind which something can be planted: where
// statements end with a mark, behind such a mark, and elsewhere behind any line
// that does not go on and is no comment.
func spotsOf(c *commit) []spot {
	var out []spot
	for _, f := range c.files {
		l := group(f.path)
		if l == "" {
			continue
		}
		for _, h := range f.hunks {
			for i, line := range h.added {
				if endsStatement(lang.Detect(f.path, nil), strings.TrimSpace(line)) {
					out = append(out, spot{f.path, h.newFrom + i, l})
				}
			}
		}
	}
	return out
}

// endsStatement reports whether a statement may begin behind a line.
func endsStatement(l code.Lang, line string) bool {
	if line == "" || allComments(l, []string{line}) {
		return false
	}
	last := line[len(line)-1:]
	marked := map[code.Lang]bool{"javascript": true, "c": true, "java": true, "csharp": true, "php": true, "rust": true}
	if marked[cmp.Or(groups()[l], l)] {
		return strings.Contains(";{}", last)
	}
	return !strings.Contains(`,([\|"'.+-*/=&`, last) && !strings.HasPrefix(line, "@")
}
