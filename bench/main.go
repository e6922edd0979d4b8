// Command bench measures ken on a repository against its rivals in one run and
// prints a table in Markdown: name, figure, yardstick, ratio, and the bound it
// must keep. Ratios inside one run count; machines are noisy.
//
//	go run ./bench [-runs N] [-langs go] [-repomix FILE] DIR
//
// DIR is a git working tree; it is worked on in place: ken writes .ken/, and one
// source file is edited and put back. repomix is optional: npm install --prefix
// bench, then -repomix bench/node_modules/.bin/repomix.
package main

import (
	"bytes"
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

	"ken/bench/world"
)

func main() {
	b := bench{ctx: context.Background()}
	flag.StringVar(&b.repomix, "repomix", "", "repomix program to compare with")
	langs := flag.String("langs", "go", "languages to parse for the yardstick, by commas")
	flag.IntVar(&b.runs, "runs", 5, "runs of the long rows; short ones run eight times as often")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	b.dir, b.langs = flag.Arg(0), strings.Split(*langs, ",")
	if err := b.run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// bench holds the state that all rows of the table share.
type bench struct {
	ctx          context.Context
	repomix, dir string
	langs        []string
	runs         int
	ken, parser  string
	scratch      string
	names        []string // of symbols, drawn at random
	hottest      string   // symbol most files use
	rss          int64    // of the full index, bytes
	fullTime     time.Duration
}

func (b *bench) run() error {
	scratch, remove, err := world.Scratch("ken-bench")
	if err != nil {
		return err
	}
	defer remove()
	b.scratch = scratch
	if b.ken, err = world.Build(b.ctx, scratch); err != nil {
		return err
	}
	if b.parser, err = world.BuildPackage(b.ctx, scratch, "ken/bench/parse"); err != nil {
		return err
	}
	fmt.Println("| what | median | p95 | yardstick | median | ratio | must reach |\n|---|---|---|---|---|---|---|")
	for _, row := range []func() error{b.measureFullIndex, b.comparePack, b.compareSpace, b.measureUnchanged, b.measureOneFile,
		b.measureLookups, b.measureWholeQueries, b.compareOutlines} {
		if err := row(); err != nil {
			return err
		}
	}
	return nil
}

// runOutput runs a program in the project and returns its output. Exit code 1
// is ken's "nothing found".
func (b *bench) runOutput(args ...string) ([]byte, error) {
	out, _, err := b.runMeasured(args...)
	return out, err
}

// runMeasured runs a program as runOutput does, and also returns its peak memory in bytes.
func (b *bench) runMeasured(args ...string) (out []byte, rss int64, err error) {
	cmd := exec.CommandContext(b.ctx, args[0], args[1:]...)
	cmd.Dir = b.dir
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err = cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w\n%s%s", strings.Join(args, " "), err, out, errs.Bytes())
	}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		rss = usage.Maxrss * 1024
	}
	return out, rss, nil
}

// command is a program to measure.
type command struct {
	before func(i int) error
	args   []string
}

// runInTurns runs commands alternately, so that a slow moment of the machine affects all of them.
func (b *bench) runInTurns(runs int, cmds ...command) ([][]time.Duration, error) {
	out := make([][]time.Duration, len(cmds))
	for i := range runs {
		for k, c := range cmds {
			if c.before != nil {
				if err := c.before(i); err != nil {
					return nil, err
				}
			}
			start := time.Now()
			_, rss, err := b.runMeasured(c.args...)
			if err != nil {
				return nil, err
			}
			out[k] = append(out[k], time.Since(start))
			if k == 0 {
				b.rss = max(b.rss, rss)
			}
		}
	}
	return out, nil
}

// printRow prints the times of a command next to those of the command it is compared with.
func (b *bench) printRow(what string, times [][]time.Duration, against, bound string) {
	p50, p95, than := world.Percentile(times[0], 50), world.Percentile(times[0], 95), world.Percentile(times[1], 50)
	fmt.Printf("| %s | %s | %s | %s | %s | %.2f | %s |\n", what, world.Millis(p50), world.Millis(p95), against, world.Millis(than),
		float64(p50)/float64(than), bound)
}

func (b *bench) measureFullIndex() error {
	b.rss = 0
	s, err := b.runInTurns(b.runs, command{args: []string{b.ken, "index", "--full", "--json"}}, command{args: append([]string{b.parser, "."}, b.langs...)})
	if err != nil {
		return err
	}
	b.fullTime = world.Percentile(s[0], 50)
	bound := "≤ 2.0"
	if slices.Equal(b.langs, []string{"go"}) {
		bound = "≤ 1.3"
	}
	b.printRow("full index", s, "tree-sitter, parse only ("+strings.Join(b.langs, ", ")+")", bound)
	fmt.Printf("| peak memory of the full index | %.0f MB | | | | | ≤ 150 MB |\n", float64(b.rss)/1e6)
	return nil
}

func (b *bench) comparePack() error {
	if b.repomix == "" {
		return nil
	}
	rival, err := filepath.Abs(b.repomix)
	if err != nil {
		return err
	}
	start := time.Now()
	if _, err := b.runOutput(rival, "--compress", "--quiet", "--output", filepath.Join(b.scratch, "repomix.xml"), "."); err != nil {
		return err
	}
	took := time.Since(start)
	fmt.Printf("| full index | %s | | repomix --compress (one run) | %s | %.3f | ≤ 0.2 |\n", world.Millis(b.fullTime), world.Millis(took),
		float64(b.fullTime)/float64(took))
	return nil
}

// compareSpace compares the size of the index with the text that it describes.
func (b *bench) compareSpace() error {
	out, err := b.runOutput(b.ken, "status", "--json")
	if err != nil {
		return err
	}
	var st map[string]any
	if err := json.Unmarshal(out, &st); err != nil {
		return err
	}
	size, text := findNumber(st, "index_bytes"), findNumber(st, "bytes")
	fmt.Printf("| index on disk | %.1f MB | | indexed text | %.1f MB | %.2f | ≤ 0.6 |\n", size/1e6, text/1e6, size/text)
	return nil
}

// findNumber finds a number by its key, at any depth.
func findNumber(v any, key string) float64 {
	m, ok := v.(map[string]any)
	if !ok {
		return 0
	}
	if n, ok := m[key].(float64); ok {
		return n
	}
	for _, sub := range m {
		if n := findNumber(sub, key); n > 0 {
			return n
		}
	}
	return 0
}

func (b *bench) measureUnchanged() error {
	s, err := b.runInTurns(8*b.runs, command{args: []string{b.ken, "index"}}, command{args: []string{"git", "status", "--porcelain"}})
	if err != nil {
		return err
	}
	b.printRow("ken index, nothing changed", s, "git status", "≤ 2")
	return nil
}

// measureOneFile edits a file of about 500 lines before every run.
func (b *bench) measureOneFile() error {
	p, err := b.pickFile(500)
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
		mark := "//"
		if strings.HasSuffix(p, ".py") {
			mark = "#"
		}
		return os.WriteFile(full, fmt.Appendf(slices.Clone(was), "\n%s edit %d %d\n", mark, i, time.Now().UnixNano()), 0o644)
	}
	s, err := b.runInTurns(8*b.runs, command{before: edit, args: []string{b.ken, "index", p}}, command{args: []string{b.ken, "version"}})
	if err != nil {
		return err
	}
	b.printRow("ken index FILE after an edit ("+p+")", s, "ken version", "≤ 5, p95 ≤ 25 ms")
	return nil
}

// pickFile returns the source file whose number of lines is nearest to lines.
func (b *bench) pickFile(lines int) (string, error) {
	ext := map[string]string{"go": ".go", "typescript": ".ts", "python": ".py", "rust": ".rs", "java": ".java", "javascript": ".js"}[b.langs[0]]
	files, err := b.files("*" + ext)
	if err != nil {
		return "", err
	}
	best, off := "", 1<<30
	for _, p := range files {
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

// files returns the files under version control that match some patterns.
func (b *bench) files(patterns ...string) ([]string, error) {
	out, err := world.Git(b.ctx, b.dir, append([]string{"ls-files", "-z", "--"}, patterns...)...)
	return strings.FieldsFunc(out, func(r rune) bool { return r == 0 }), err
}

// measureLookups and measureWholeQueries query the most used symbol and
// symbols drawn from all exported ones, the same in every run: the most used
// symbol is the worst case.
func (b *bench) measureLookups() error {
	if err := b.drawSample(); err != nil {
		return err
	}
	for _, c := range [][]string{{"def", ""}, {"show", ""}, {"hotspots"}} {
		s, err := b.askSampled(c, []string{b.ken, "version"})
		if err != nil {
			return err
		}
		b.printRow("ken "+c[0]+", exported names drawn at random", s, "ken version", "≤ 4")
	}
	return b.measureHottest("show", "ken version", "≤ 4", b.ken, "version")
}

func (b *bench) measureWholeQueries() error {
	for _, c := range [][]string{{"refs", ""}, {"dependents", "", "--depth", "3"}} {
		s, err := b.askSampled(c, []string{"git", "status", "--porcelain"})
		if err != nil {
			return err
		}
		b.printRow("ken "+strings.Join(strings.Fields(strings.Join(c, " ")), " ")+", exported names drawn at random", s, "git status", "≤ 1")
	}
	if err := b.measureHottest("refs", "git status", "≤ 1", "git", "status", "--porcelain"); err != nil {
		return err
	}
	return b.measureHottest("dependents --depth 3", "git status", "≤ 1", "git", "status", "--porcelain")
}

// askSampled runs a command once for every sampled name, alternating with the command than.
func (b *bench) askSampled(cmd, than []string) ([][]time.Duration, error) {
	out := make([][]time.Duration, 2)
	for _, name := range b.names {
		args := append([]string{b.ken}, cmd...)
		if i := slices.Index(args, ""); i >= 0 {
			args[i] = name
		}
		s, err := b.runInTurns(1, command{args: args}, command{args: than})
		if err != nil {
			return nil, err
		}
		out[0], out[1] = append(out[0], s[0]...), append(out[1], s[1]...)
	}
	return out, nil
}

// measureHottest measures a command on the symbol most files use.
func (b *bench) measureHottest(cmd, what, bound string, than ...string) error {
	first, rest, _ := strings.Cut(cmd, " ")
	args := append([]string{b.ken, first, b.hottest}, strings.Fields(rest)...)
	s, err := b.runInTurns(4*b.runs, command{args: args}, command{args: than})
	if err != nil {
		return err
	}
	b.printRow("ken "+cmd+" of the hottest symbol ("+b.hottest+")", s, what, bound)
	return nil
}

// sampleSize is the number of names drawn.
const sampleSize = 60

// drawSample finds the most used symbol and draws names from the exports of all files.
func (b *bench) drawSample() error {
	out, err := b.runOutput(b.ken, "hotspots", "--json")
	if err != nil {
		return err
	}
	var h struct{ Symbols []struct{ Name string } }
	if err := json.Unmarshal(out, &h); err != nil {
		return err
	}
	if len(h.Symbols) == 0 {
		return errors.New("no symbol is used by another file")
	}
	b.hottest = h.Symbols[0].Name
	if out, err = b.runOutput(b.ken, "export", "index"); err != nil {
		return err
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

// compareOutlines compares the tokens of all outlines with those of the files.
func (b *bench) compareOutlines() error {
	files, err := b.files("*.go", "*.ts", "*.tsx", "*.js", "*.py", "*.rs", "*.java")
	if err != nil {
		return err
	}
	const outlined = ".ken/bench-outline.txt" // of the tree, so that ken counts it
	defer os.Remove(filepath.Join(b.dir, outlined))
	before, after := 0.0, 0.0
	for chunk := range slices.Chunk(files, 200) {
		outline, err := b.runOutput(append([]string{b.ken, "outline"}, chunk...)...)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(b.dir, outlined), outline, 0o600); err != nil {
			return err
		}
		whole, err := b.countTokens(chunk)
		if err != nil {
			return err
		}
		short, err := b.countTokens([]string{outlined})
		if err != nil {
			return err
		}
		before, after = before+whole, after+short
	}
	fmt.Printf("| tokens of all outlines | %.0f | | of the files | %.0f | %.2f | ≤ 0.4 |\n", after, before, after/cmp.Or(before, 1))
	return nil
}

// countTokens returns the number of tokens of some files.
func (b *bench) countTokens(files []string) (n float64, err error) {
	out, err := b.runOutput(append([]string{b.ken, "tokens", "--json"}, files...)...)
	if err != nil {
		return 0, err
	}
	var t struct {
		Files []struct {
			O200K float64 `json:"o200k_base"`
		}
	}
	err = json.Unmarshal(out, &t)
	for _, f := range t.Files {
		n += f.O200K
	}
	return n, err
}
