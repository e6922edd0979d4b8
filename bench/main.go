// Command bench measures ken on a repository against its rivals in one run and
// prints a table in Markdown: name, figure, yardstick, ratio, and the bound it
// must keep. Ratios inside one run count; machines are noisy.
//
//	go run ./bench [-ken FILE] [-runs N] [-langs go] [-repomix FILE] [-find NAME,…] DIR
//
// DIR is a git working tree; it is worked on in place: ken writes .ken/, and one
// source file is edited and put back. repomix is optional: npm install --prefix
// bench, then -repomix bench/node_modules/.bin/repomix.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

type options struct {
	ken, repomix, dir string
	langs             []string
	names             []string
	runs              int
}

func main() {
	var o options
	var langs, names string
	flag.StringVar(&o.ken, "ken", "", "ken binary (default: built from this tree)")
	flag.StringVar(&o.repomix, "repomix", "", "repomix program to compare with")
	flag.StringVar(&langs, "langs", "go", "languages to parse for the yardstick, by commas")
	flag.StringVar(&names, "find", "", "symbol names to ask for, by commas (default: the hottest)")
	flag.IntVar(&o.runs, "runs", 5, "runs of the long rows; short ones run eight times as often")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	o.dir, o.langs = flag.Arg(0), strings.Split(langs, ",")
	if names != "" {
		o.names = strings.Split(names, ",")
	}
	if err := run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	tmp, err := os.MkdirTemp("", "ken-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if o.ken == "" {
		o.ken = filepath.Join(tmp, "ken")
		if err := build(ctx, o.ken, "./cmd/ken"); err != nil {
			return err
		}
	}
	parser := filepath.Join(tmp, "parse")
	if err := build(ctx, parser, "./bench/parse"); err != nil {
		return err
	}
	b := &bench{options: o, ctx: ctx, parser: parser}
	fmt.Println("| what | median | p95 | yardstick | median | ratio | must reach |")
	fmt.Println("|---|---|---|---|---|---|---|")
	for _, row := range []func() error{b.full, b.packRival, b.space, b.measureUnchanged, b.oneFile, b.lookups, b.whole, b.outlines} {
		if err := row(); err != nil {
			return err
		}
	}
	return nil
}

func build(ctx context.Context, out, pkg string) error {
	c := exec.CommandContext(ctx, "go", "build", "-o", out, pkg)
	c.Stderr = os.Stderr
	return c.Run()
}

// bench is shared by the rows.
type bench struct {
	options
	hottest  string // symbol most files use
	ctx      context.Context
	parser   string
	rss      int64 // of the full index, bytes
	fullTime time.Duration
}

// sample is the times of repeated runs, sorted.
type sample []time.Duration

func (s sample) median() time.Duration { return s[len(s)/2] }
func (s sample) p95() time.Duration    { return s[min(len(s)-1, len(s)*95/100)] }

// once runs a program and tells its wall time and peak memory in bytes. Exit
// code 1 is ken's "nothing found".
func (b *bench) once(name string, args ...string) (time.Duration, int64, error) {
	c := exec.CommandContext(b.ctx, name, args...)
	c.Dir = b.dir
	start := time.Now()
	out, err := c.CombinedOutput()
	wall := time.Since(start)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil
	}
	if err != nil {
		return 0, 0, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	rss := int64(0)
	if ru, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		rss = ru.Maxrss * 1024
	}
	return wall, rss, nil
}

// command is a program to measure.
type command struct {
	before func(i int) error
	args   []string
}

// versus runs commands in turns, so that a slow moment of the machine hits all.
func (b *bench) versus(runs int, cmds ...command) ([]sample, error) {
	out := make([]sample, len(cmds))
	for i := range runs {
		for k, c := range cmds {
			if c.before != nil {
				if err := c.before(i); err != nil {
					return nil, err
				}
			}
			d, rss, err := b.once(c.args[0], c.args[1:]...)
			if err != nil {
				return nil, err
			}
			if k == 0 {
				b.rss = max(b.rss, rss)
			}
			out[k] = append(out[k], d)
		}
	}
	for _, s := range out {
		slices.Sort(s)
	}
	return out, nil
}

func (b *bench) row(what string, s sample, against string, than time.Duration, bound string) {
	fmt.Printf("| %s | %s | %s | %s | %s | %.2f | %s |\n", what, ms(s.median()), ms(s.p95()), against, ms(than), float64(s.median())/float64(than), bound)
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }

func (b *bench) full() error {
	b.rss = 0
	s, err := b.versus(b.runs, command{args: []string{b.ken, "index", "--full", "--json"}}, command{args: append([]string{b.parser, "."}, b.langs...)})
	if err != nil {
		return err
	}
	b.fullTime = s[0].median()
	bound := "≤ 2.0"
	if slices.Equal(b.langs, []string{"go"}) {
		bound = "≤ 1.3"
	}
	b.row("full index", s[0], "tree-sitter, parse only ("+strings.Join(b.langs, ", ")+")", s[1].median(), bound)
	fmt.Printf("| peak memory of the full index | %.0f MB | | | | | ≤ 150 MB |\n", float64(b.rss)/1e6)
	return nil
}

func (b *bench) packRival() error {
	if b.repomix == "" {
		return nil
	}
	rival, err := filepath.Abs(b.repomix)
	if err != nil {
		return err
	}
	d, _, err := b.once(rival, "--compress", "--quiet", "--output", filepath.Join(os.TempDir(), "ken-bench-repomix.xml"), ".")
	os.Remove(filepath.Join(os.TempDir(), "ken-bench-repomix.xml"))
	if err != nil {
		return err
	}
	fmt.Printf("| full index | %s | | repomix --compress (one run) | %s | %.3f | ≤ 0.2 |\n", ms(b.fullTime), ms(d), float64(b.fullTime)/float64(d))
	return nil
}

// space compares the size of the index with the text it describes.
func (b *bench) space() error {
	c := exec.CommandContext(b.ctx, b.ken, "status", "--json")
	c.Dir = b.dir
	out, err := c.Output()
	if err != nil {
		return fmt.Errorf("ken status: %w", err)
	}
	var st map[string]any
	if err := json.Unmarshal(out, &st); err != nil {
		return err
	}
	size, text := number(st, "index_bytes"), number(st, "bytes")
	fmt.Printf("| index on disk | %.1f MB | | indexed text | %.1f MB | %.2f | ≤ 0.6 |\n", size/1e6, text/1e6, size/text)
	return nil
}

// number finds a number by its key, at any depth.
func number(v any, key string) float64 {
	m, ok := v.(map[string]any)
	if !ok {
		return 0
	}
	if n, ok := m[key].(float64); ok {
		return n
	}
	for _, sub := range m {
		if n := number(sub, key); n > 0 {
			return n
		}
	}
	return 0
}

func (b *bench) measureUnchanged() error {
	s, err := b.versus(8*b.runs, command{args: []string{b.ken, "index"}}, command{args: []string{"git", "status", "--porcelain"}})
	if err != nil {
		return err
	}

	b.row("ken index, nothing changed", s[0], "git status", s[1].median(), "≤ 2")
	return nil
}

// oneFile edits a file of about 500 lines before every run.
func (b *bench) oneFile() error {
	p, err := b.pick(500)
	if err != nil {
		return err
	}
	full := filepath.Join(b.dir, p)
	was, err := os.ReadFile(full)
	if err != nil {
		return err
	}
	defer os.WriteFile(full, was, 0o644)
	edit := func(i int) error {
		return os.WriteFile(full, append(slices.Clone(was), comment(p, i)...), 0o644)
	}
	s, err := b.versus(8*b.runs, command{before: edit, args: []string{b.ken, "index", p}}, command{args: []string{b.ken, "version"}})
	if err != nil {
		return err
	}
	b.row("ken index FILE after an edit ("+p+")", s[0], "ken version", s[1].median(), "≤ 5, p95 ≤ 25 ms")
	return nil
}

func comment(p string, i int) string {
	if strings.HasSuffix(p, ".py") {
		return fmt.Sprintf("\n# edit %d %d\n", i, time.Now().UnixNano())
	}
	return fmt.Sprintf("\n// edit %d %d\n", i, time.Now().UnixNano())
}

// pick finds the source file whose length comes nearest to a number of lines.
func (b *bench) pick(lines int) (string, error) {
	ext := map[string]string{"go": ".go", "typescript": ".ts", "python": ".py", "rust": ".rs", "java": ".java", "javascript": ".js"}[b.langs[0]]
	out, err := exec.CommandContext(b.ctx, "git", "-C", b.dir, "ls-files", "-z", "*"+ext).Output()
	if err != nil {
		return "", fmt.Errorf("git ls-files: %w", err)
	}
	best, off := "", 1<<30
	for _, p := range strings.Split(strings.Trim(string(out), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(b.dir, p))
		if err != nil || strings.Contains(p, "test") {
			continue
		}
		if d := strings.Count(string(text), "\n") - lines; max(d, -d) < off {
			best, off = p, max(d, -d)
		}
	}
	return best, nil
}

// lookups and whole ask for the hottest symbol and for symbols drawn from all
// exported ones, the same in every run: the hottest is the worst case.
func (b *bench) lookups() error {
	if err := b.sample(); err != nil {
		return err
	}
	for _, c := range [][]string{{"def", ""}, {"show", ""}, {"hotspots"}} {
		s, err := b.ask(c, []string{b.ken, "version"})
		if err != nil {
			return err
		}
		b.row("ken "+c[0]+", exported names drawn at random", s[0], "ken version", s[1].median(), "≤ 4")
	}
	return b.hot("show", "ken version", "≤ 4", b.ken, "version")
}

func (b *bench) whole() error {
	for _, c := range [][]string{{"refs", ""}, {"dependents", "", "--depth", "3"}} {
		s, err := b.ask(c, []string{"git", "status", "--porcelain"})
		if err != nil {
			return err
		}
		b.row("ken "+strings.Join(strings.Fields(strings.Join(c, " ")), " ")+", exported names drawn at random", s[0], "git status", s[1].median(), "≤ 1")
	}
	if err := b.hot("refs", "git status", "≤ 1", "git", "status", "--porcelain"); err != nil {
		return err
	}
	return b.hot("dependents --depth 3", "git status", "≤ 1", "git", "status", "--porcelain")
}

// ask runs a command once for every sampled name, in turns with a yardstick.
func (b *bench) ask(cmd, than []string) ([]sample, error) {
	out := make([]sample, 2)
	for _, name := range b.names {
		args := slices.Clone(cmd)
		if i := slices.Index(args, ""); i >= 0 {
			args[i] = name
		}
		for k, c := range [][]string{append([]string{b.ken}, args...), than} {
			d, _, err := b.once(c[0], c[1:]...)
			if err != nil {
				return nil, err
			}
			out[k] = append(out[k], d)
		}
	}
	for _, s := range out {
		slices.Sort(s)
	}
	return out, nil
}

// hot measures a command on the symbol most files use.
func (b *bench) hot(cmd, what, bound string, than ...string) error {
	first, rest, _ := strings.Cut(cmd, " ")
	args := append([]string{b.ken, first, b.hottest}, strings.Fields(rest)...)
	s, err := b.versus(4*b.runs, command{args: args}, command{args: than})
	if err != nil {
		return err
	}
	b.row("ken "+cmd+" of the hottest symbol ("+b.hottest+")", s[0], what, s[1].median(), bound)
	return nil
}

// sampleSize is the number of names drawn.
const sampleSize = 60

// sample finds the hottest symbol and draws names from the exports of all files.
func (b *bench) sample() error {
	out, err := exec.CommandContext(b.ctx, b.ken, "-C", b.dir, "hotspots", "--json").Output()
	if err != nil {
		return fmt.Errorf("ken hotspots: %w", err)
	}
	var h struct{ Symbols []struct{ Name string } }
	if err := json.Unmarshal(out, &h); err != nil {
		return err
	}
	if len(h.Symbols) == 0 {
		return errors.New("no symbol is used by another file")
	}
	b.hottest = h.Symbols[0].Name
	if len(b.names) > 0 {
		return nil
	}
	if out, err = exec.CommandContext(b.ctx, b.ken, "-C", b.dir, "export", "index").Output(); err != nil {
		return fmt.Errorf("ken export index: %w", err)
	}
	var index struct {
		Files map[string]struct{ Exports []string }
	}
	if err := json.Unmarshal(out, &index); err != nil {
		return err
	}
	var all []string
	for _, f := range index.Files {
		for _, name := range f.Exports {
			if name != "default" && name != "*" && !strings.ContainsAny(name, "./") {
				all = append(all, name)
			}
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	b.names = all[:min(sampleSize, len(all))]
	return nil
}

// outlines compares the tokens of all outlines with those of the files.
func (b *bench) outlines() error {
	out, err := exec.CommandContext(b.ctx, "git", "-C", b.dir, "ls-files", "-z").Output()
	if err != nil {
		return fmt.Errorf("git ls-files: %w", err)
	}
	var files []string
	for _, p := range strings.Split(strings.Trim(string(out), "\x00"), "\x00") {
		if slices.Contains([]string{".go", ".ts", ".tsx", ".js", ".py", ".rs", ".java"}, filepath.Ext(p)) {
			files = append(files, p)
		}
	}
	before, after := 0.0, 0.0
	for chunk := range slices.Chunk(files, 200) {
		outline, err := b.output(append([]string{"outline"}, chunk...))
		if err != nil {
			return err
		}
		counts, err := b.output(append([]string{"tokens", "--json"}, chunk...))
		if err != nil {
			return err
		}
		b1, err := sum(counts)
		if err != nil {
			return err
		}
		a1, err := b.count(outline)
		if err != nil {
			return err
		}
		before, after = before+b1, after+a1
	}
	fmt.Printf("| tokens of all outlines | %.0f | | of the files | %.0f | %.2f | ≤ 0.4 |\n", after, before, after/cmp.Or(before, 1))
	return nil
}

func (b *bench) output(args []string) ([]byte, error) {
	c := exec.CommandContext(b.ctx, b.ken, args...)
	c.Dir = b.dir
	out, err := c.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil
	}
	return out, err
}

// count counts a text by handing it to ken as a file of the tree.
func (b *bench) count(text []byte) (float64, error) {
	p := filepath.Join(b.dir, ".ken", "bench-outline.txt")
	if err := os.WriteFile(p, text, 0o600); err != nil {
		return 0, err
	}
	defer os.Remove(p)
	c := exec.CommandContext(b.ctx, b.ken, "tokens", "--json", ".ken/bench-outline.txt")
	c.Dir = b.dir
	out, err := c.Output()
	if err != nil {
		return 0, fmt.Errorf("ken tokens: %w", err)
	}
	return sum(out)
}

func sum(answer []byte) (float64, error) {
	var t struct {
		Files []struct {
			O200K float64 `json:"o200k_base"`
		}
	}
	if err := json.Unmarshal(answer, &t); err != nil {
		return 0, err
	}
	n := 0.0
	for _, f := range t.Files {
		n += f.O200K
	}
	return n, nil
}
