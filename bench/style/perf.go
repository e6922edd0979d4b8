package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"time"
)

// Performance of two programs on corpora. Each program has its own copy of each
// corpus and its own index, caches and settings in a temporary folder. A row
// is one command or a few of a kind; the programs run it in turns, and the first
// one changes from round to round, because the load of the machine comes and goes.
// The smallest processor time counts, user and system, of a program and all it
// starts; wall time depends more on the machine. Peak memory is the resident set of
// the full index, its size that of index.db. A row also compares the answers of both
// programs.
//
// A corpus is a folder, or a bare git repository, which is cloned.

// The bounds, as shares of the old program's figures; that of memory leaves room
// for when the garbage collector happens to run.
const (
	timeBound   = 1.05
	memoryBound = 1.02
	sizeBound   = 1.01
)

// Rows that take less than repeatUpTo are repeated in each round.
const (
	repeatUpTo = 300 * time.Millisecond
	maxRepeats = 8
)

// perfProgram is one program with its copy of a corpus.
type perfProgram struct {
	program string
	home    string
	corpus  string
}

// bestMeasure is the best measurement of a program in a row, with the last answer.
type bestMeasure struct {
	time   time.Duration
	memory int64 // KiB
	answer []byte
}

// perfRow is one row: the commands it runs, after a step that is not measured.
type perfRow struct {
	name     string
	prepare  func(c perfProgram, round int) error
	commands [][]string
}

func comparePerformance(ctx context.Context, old, now string, corpora []string, rounds int, only string) error {
	filter, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "style-perf")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	fmt.Printf("| corpus | row | old | new | new / old | must | | answers |\n|---|---|---|---|---|---|---|---|\n")
	for i, corpus := range corpora {
		dir := filepath.Join(tmp, fmt.Sprint(i))
		two, err := newPerfPrograms(ctx, dir, corpus, old, now)
		if err != nil {
			return err
		}
		if err := measureRows(ctx, corpusName(corpus), two, rounds, filter); err != nil {
			return err
		}
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	return nil
}

var atVersion = regexp.MustCompile(`@.*|\.git$`)

func corpusName(corpus string) string {
	name := filepath.Base(filepath.Clean(corpus))
	if name == "repo" {
		name = filepath.Base(filepath.Dir(filepath.Clean(corpus)))
	}
	return atVersion.ReplaceAllString(name, "")
}

// newPerfPrograms copies a corpus for each program. The paths are equally
// long, so that none has more to write.
func newPerfPrograms(ctx context.Context, dir, corpus string, programs ...string) ([]perfProgram, error) {
	var out []perfProgram
	for i, p := range programs {
		p, err := filepath.Abs(p)
		if err != nil {
			return nil, err
		}
		home := filepath.Join(dir, fmt.Sprint(i))
		c := perfProgram{program: p, home: filepath.Join(home, "home"), corpus: filepath.Join(home, "corpus")}
		if err := os.MkdirAll(c.home, 0o755); err != nil {
			return nil, err
		}
		if err := copyCorpus(ctx, corpus, c.corpus); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

func copyCorpus(ctx context.Context, from, to string) error {
	if _, err := os.Stat(filepath.Join(from, "objects")); err == nil {
		return runQuietly(ctx, "git", "clone", "--quiet", from, to)
	}
	if err := runQuietly(ctx, "cp", "-R", from, to); err != nil {
		return err
	}
	return runQuietly(ctx, "chmod", "-R", "u+w", to) // the module cache is read-only
}

func runQuietly(ctx context.Context, name string, args ...string) error {
	if out, err := exec.CommandContext(ctx, name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

// measureRows measures all rows of one corpus.
func measureRows(ctx context.Context, corpus string, two []perfProgram, rounds int, filter *regexp.Regexp) error {
	full := perfRow{"full index", func(c perfProgram, _ int) error { return os.RemoveAll(filepath.Join(c.corpus, ".ken")) }, [][]string{{"index"}}}
	best, err := full.runInTurns(ctx, two, rounds)
	if err != nil {
		return err
	}
	printRow(corpus, full.name, best)
	printNumbers(corpus, "peak memory of a full index, MiB", memoryBound, float64(best[0].memory)/1024, float64(best[1].memory)/1024)
	sizes := make([]float64, len(two))
	for i, c := range two {
		info, err := os.Stat(filepath.Join(c.corpus, ".ken", "index.db"))
		if err != nil {
			return err
		}
		sizes[i] = float64(info.Size()) / (1 << 20)
	}
	printNumbers(corpus, "index size, MiB", sizeBound, sizes[0], sizes[1])
	rows, err := questionRows(ctx, two[0])
	if err != nil {
		return err
	}
	for _, r := range rows {
		if !filter.MatchString(r.name) {
			continue
		}
		best, err := r.runInTurns(ctx, two, rounds)
		if err != nil {
			return err
		}
		printRow(corpus, r.name, best)
	}
	return nil
}

// questionRows are the rows that need an index, about the files and symbols that
// most others depend on: they cost the most.
func questionRows(ctx context.Context, c perfProgram) ([]perfRow, error) {
	answer, err := c.runMeasured(ctx, "hotspots", "--json")
	if err != nil {
		return nil, err
	}
	var spots struct {
		Files   []struct{ Path string }
		Symbols []struct{ Name, Qualified string }
	}
	if err := json.Unmarshal(answer.answer, &spots); err != nil {
		return nil, err
	}
	const few = 3
	if len(spots.Files) < few || len(spots.Symbols) < few {
		return nil, errors.New("the corpus has too few files and symbols that others depend on")
	}
	var files, names []string
	for i := range few {
		files = append(files, spots.Files[i].Path)
		names = append(names, spots.Symbols[i].Name)
	}
	goals := []string{"retry with backoff", "parse the configuration file", "cancel work when its caller gives up"}
	each := func(command string, of []string, more ...string) perfRow {
		r := perfRow{name: command}
		for _, x := range of {
			r.commands = append(r.commands, append([]string{command, x}, more...))
		}
		return r
	}
	edited := files[0]
	edit := func(c perfProgram, round int) error { return appendDeclaration(filepath.Join(c.corpus, edited), round) }
	return []perfRow{
		{name: "nothing changed", commands: [][]string{{"index"}}},
		{name: "one edit", prepare: edit, commands: [][]string{{"index", edited}}},
		each("def", names), each("show", files), each("refs", names), each("dependents", files), each("find", goals), each("brief", goals[:1]),
		each("impact", files[:1]), {name: "map", commands: [][]string{{"map"}}}, each("pack", files[:2], "--budget", "4000"),
	}, nil
}

// appendDeclaration appends a declaration that the file does not have yet.
func appendDeclaration(file string, round int) error {
	text := map[string]string{".go": "\nfunc kenEdit%d() {}\n", ".py": "\ndef ken_edit_%d():\n    pass\n"}[filepath.Ext(file)]
	if text == "" {
		text = "\n"
	} else {
		text = fmt.Sprintf(text, round)
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// runInTurns runs a row in turns and returns each program's best.
func (r perfRow) runInTurns(ctx context.Context, two []perfProgram, rounds int) ([]bestMeasure, error) {
	best := make([]bestMeasure, len(two))
	for i := range best {
		best[i] = bestMeasure{time: math.MaxInt64, memory: math.MaxInt64}
	}
	wanted := rounds
	for round := 0; round < wanted; round++ {
		if round == 1 { // short rows run more often, because disturbances are as large as their times
			wanted *= max(1, min(maxRepeats, int(repeatUpTo/max(1, best[0].time))))
		}
		for turn := range two {
			i := (turn + round) % len(two)
			if r.prepare != nil {
				if err := r.prepare(two[i], round); err != nil {
					return nil, err
				}
			}
			total := bestMeasure{}
			for _, c := range r.commands {
				m, err := two[i].runMeasured(ctx, c...)
				if err != nil {
					return nil, err
				}
				total.time += m.time
				total.memory = max(total.memory, m.memory)
				total.answer = append(total.answer, m.answer...)
			}
			best[i] = bestMeasure{min(best[i].time, total.time), min(best[i].memory, total.memory), total.answer}
		}
	}
	return best, nil
}

// runMeasured runs one command. "Nothing found" is an answer like any other.
func (c perfProgram) runMeasured(ctx context.Context, args ...string) (bestMeasure, error) {
	cmd := exec.CommandContext(ctx, c.program, args...)
	cmd.Dir = c.corpus
	for _, v := range []string{"PATH", "TMPDIR"} {
		cmd.Env = append(cmd.Env, v+"="+os.Getenv(v))
	}
	cmd.Env = append(cmd.Env, "HOME="+c.home, "XDG_CACHE_HOME="+filepath.Join(c.home, ".cache"), "XDG_CONFIG_HOME="+filepath.Join(c.home, ".config"))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		return bestMeasure{}, ctx.Err()
	}
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() < 0 || cmd.ProcessState.ExitCode() > 1 {
		return bestMeasure{}, fmt.Errorf("%s %q: %w\n%s", c.program, args, err, stderr.Bytes())
	}
	m := bestMeasure{time: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), answer: stdout.Bytes()}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		m.memory = int64(usage.Maxrss)
	}
	return m, nil
}

// varyingParts matches the parts of an answer that depend on the time.
var varyingParts = regexp.MustCompile(`\d+(\.\d+)? m?s\b|revision\D{0,3}\d+`)

func printRow(corpus, name string, best []bestMeasure) {
	answers := "differ"
	if bytes.Equal(varyingParts.ReplaceAll(best[0].answer, nil), varyingParts.ReplaceAll(best[1].answer, nil)) {
		answers = "same"
	}
	old, now := best[0].time.Seconds(), best[1].time.Seconds()
	fmt.Printf("| %s | %s | %.3f s | %.3f s | %.3f | ≤ %.2f | %s | %s |\n", corpus, name, old, now, now/old, timeBound, boundMark(old, now, timeBound), answers)
}

func printNumbers(corpus, name string, bound, old, now float64) {
	fmt.Printf("| %s | %s | %.1f | %.1f | %.3f | ≤ %.2f | %s | |\n", corpus, name, old, now, now/old, bound, boundMark(old, now, bound))
}

func boundMark(old, now, bound float64) string {
	if now <= old*bound {
		return "✓"
	}
	return "✗"
}
