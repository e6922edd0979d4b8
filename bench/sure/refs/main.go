// Command refs compares `ken refs` with what compilers, language servers and readers know about symbols of repositories that ken was not
// tuned on. The truth is in bench/sure/truth: a row has a symbol, drawn by Universal Ctags and a seed, and the lines that use it.
//
//	go run ./bench/sure/refs -trees FOLDER [-lang LANG] [-list CLASS]
//
// FOLDER has a working tree of each repository of truth/repositories.txt at its commit, named OWNER+NAME; ken writes .ken/ into it. What
// counts is the line: those of declarations, imports and exports, of uses without the name, of uses of a member that the symbol
// overrides or that overrides it, and those that the oracle cannot resolve are neither right nor wrong. Sure are the tiers exact,
// import-resolved and unique-name without "through". -list prints the disagreements of a class: wrong, ambiguous, through, other, dropped,
// nowhere, unknown, none, decided, or all.
//
// `go run ./bench/refs -lang LANG -trees FOLDER -truth bench/sure/truth` writes the rows of a language anew.
package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ken/bench/world"
)

// bounds are the least recall of each language; the least precision is the same for all.
var bounds = []struct {
	lang   string
	recall float64
}{
	{"go", 0.97}, {"typescript", 0.97}, {chooses, 0.97}, {"rust", 0.97}, {"php", 0.97}, {"csharp", 0.97}, {"python", 0.95}, {"kotlin", 0.95},
	{"c", 0.95}, {"cpp", 0.95}, {"javascript", 0.90}, {"ruby", 0.85},
}

// chooses is the language in which ken chooses among overloads; in others a call counts for each overload that it could mean.
const chooses = "java"

const precision = 0.99

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var c checker
	only := flag.String("lang", "", "one language")
	flag.StringVar(&c.trees, "trees", "", "folder of working trees")
	flag.StringVar(&c.list, "list", "", "print the disagreements of a class, or all")
	flag.StringVar(&c.program, "program", "", "ken to ask, instead of that of this tree")
	flag.Parse()
	if err := c.checkAll(ctx, *only); err != nil {
		fmt.Fprintln(os.Stderr, "refs:", err)
		os.Exit(1)
	}
}

// row is a line of a file of truth.
type row struct {
	Repository, Commit, Symbol, Kind, File, By string
	Line                                       int
	Uses, Also, Neither                        []string
	overloads                                  bool // a call means one of them
}

type checker struct {
	trees, list, program string
	outlines             map[string][]symbol // by tree and path
}

// tally is what was counted in a language, by line.
type tally struct {
	symbols, read, truth, found, listed, right int
	missed                                     map[string]int // by ken's answer
	falseNone, falseDecided                    int
}

func (c *checker) checkAll(ctx context.Context, only string) error {
	if c.trees == "" {
		return errors.New("-trees is missing")
	}
	if c.program == "" {
		work, remove, err := world.Scratch("ken-sure")
		if err != nil {
			return err
		}
		defer remove()
		if c.program, err = world.Build(ctx, work); err != nil {
			return err
		}
	}
	c.outlines = map[string][]symbol{}
	var table [][]string
	missed := false
	for _, b := range bounds {
		if only != "" && only != b.lang {
			continue
		}
		t := tally{missed: map[string]int{}}
		if err := c.checkLanguage(ctx, b.lang, &t); err != nil {
			return err
		}
		cells, below := t.cells(b.lang, b.recall)
		table = append(table, cells)
		missed = missed || below
	}
	fmt.Println("| language | symbols (read) | precision, ≥ 0.99 | recall | bound | uses that are not sure | false none / decided |\n|---|---|---|---|---|---|---|")
	for _, cells := range table {
		fmt.Println("| " + strings.Join(cells, " | ") + " |")
	}
	if missed {
		return errors.New("a bound was missed")
	}
	return nil
}

// cells returns the row of the table, and whether a bound was missed.
func (t *tally) cells(lang string, recall float64) ([]string, bool) {
	ratio := func(a, b int) (float64, string) {
		r := 1.0
		if b > 0 {
			r = float64(a) / float64(b)
		}
		return r, fmt.Sprintf("%d/%d = %.4f", a, b, r)
	}
	p, precise := ratio(t.right, t.listed)
	r, complete := ratio(t.found, t.truth)
	var why []string
	for _, k := range []string{"ambiguous", "through", "other", "dropped", "nowhere", "unknown"} {
		if n := t.missed[k]; n > 0 {
			why = append(why, fmt.Sprintf("%d %s", n, k))
		}
	}
	below := t.symbols == 0 || p < precision || r < recall || t.falseNone+t.falseDecided > 0
	if below {
		lang += " ✗"
	}
	return []string{lang, fmt.Sprintf("%d (%d)", t.symbols, t.read), precise, complete, fmt.Sprintf("≥ %.2f", recall), cmp.Or(strings.Join(why, ", "), "0"),
		fmt.Sprintf("%d / %d", t.falseNone, t.falseDecided)}, below
}

func (c *checker) checkLanguage(ctx context.Context, lang string, t *tally) error {
	f, err := os.Open(filepath.Join("bench/sure/truth", lang+".jsonl"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return err
		}
		r.overloads = lang == chooses
		if err := c.checkRow(ctx, &r, t); err != nil {
			return fmt.Errorf("%s %s:%d %s: %w", r.Repository, r.File, r.Line, r.Symbol, err)
		}
	}
	return lines.Err()
}

// symbol is a declaration, and reference a use, as ken writes them.
type symbol struct {
	Path, Name, Qualified, Kind string
	Line, Start, End            int
}

type reference struct {
	Path, Kind, Confidence, Through, Reason string
	Line                                    int
	TargetPath                              string `json:"target_path"`
	TargetLine                              int    `json:"target_line"`
}

// kenAnswer is that of `ken refs --json`.
type kenAnswer struct {
	References []reference
	Settled    *bool
	Symbols    []symbol
	Absence    *struct{ Verdict string }
}

// ask runs ken in a tree and decodes its answer. The exit codes of "nothing found" and "could not tell" are no errors.
func (c *checker) ask(ctx context.Context, tree string, answer any, args ...string) error {
	cmd := exec.CommandContext(ctx, c.program, args...)
	cmd.Dir = tree
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() <= 2 && json.Valid(out) {
		err = nil
	}
	if err != nil {
		return fmt.Errorf("ken %s: %w", strings.Join(args, " "), err)
	}
	return json.Unmarshal(out, answer)
}

// declared returns ken's symbol for a row: the smallest one of the name that has the line of the name.
func (c *checker) declared(ctx context.Context, tree string, r *row) (*symbol, error) {
	key := tree + "\x00" + r.File
	list, ok := c.outlines[key]
	if !ok {
		var a struct{ Files []struct{ Symbols []symbol } }
		if err := c.ask(ctx, tree, &a, "outline", "--json", "--", r.File); err != nil {
			return nil, err
		}
		for _, f := range a.Files {
			list = append(list, f.Symbols...)
		}
		c.outlines[key] = list
	}
	text, err := os.ReadFile(filepath.Join(tree, r.File))
	if err != nil {
		return nil, err
	}
	lines := strings.SplitAfter(string(text), "\n")
	if r.Line > len(lines) || !strings.Contains(lines[r.Line-1], r.Symbol) {
		return nil, errors.New("the tree is of another commit")
	}
	start := len(strings.Join(lines[:r.Line-1], ""))
	var found *symbol
	for i, s := range list {
		onLine := s.Name == r.Symbol && s.Start < start+len(lines[r.Line-1]) && s.End > start
		if onLine && (found == nil || s.End-s.Start < found.End-found.Start) {
			found = &list[i]
		}
	}
	return found, nil
}

// checkRow asks ken about the symbol of a row and compares its lines.
func (c *checker) checkRow(ctx context.Context, r *row, t *tally) error {
	if r.By == "" {
		return errors.New("nobody has read this row")
	}
	tree := filepath.Join(c.trees, strings.ReplaceAll(r.Repository, "/", "+"))
	t.symbols++
	if r.By == "read" {
		t.read++
	}
	t.truth += len(r.Uses)
	s, err := c.declared(ctx, tree, r)
	if err != nil {
		return err
	}
	if s == nil {
		for _, u := range r.Uses {
			t.missed["unknown"]++
			c.note("unknown", r, u)
		}
		return nil
	}
	name := r.File + ":" + s.Qualified
	var a, dropped kenAnswer
	if err := c.ask(ctx, tree, &a, "refs", "--json", "--limit", "0", "--", name); err != nil {
		return err
	}
	if err := c.ask(ctx, tree, &dropped, "refs", "--json", "--limit", "0", "--tier", "dropped", "--", name); err != nil {
		return err
	}
	tiers := r.tiers(s, &a, &dropped)
	lost := false
	for _, u := range r.Uses {
		switch tier := cmp.Or(tiers[u], "nowhere"); tier {
		case "sure", "import", "overload":
			t.found++
		default:
			t.missed[tier]++
			lost = lost || tier != "ambiguous" && tier != "through"
			c.note(tier, r, u)
		}
	}
	for _, line := range sortedKeys(tiers) {
		switch {
		case tiers[line] != "sure" || r.isNeither(line) || !strings.Contains(c.lineText(r, line), r.Symbol):
			continue
		case slices.Contains(r.Uses, line):
			t.right++
		default:
			c.note("wrong", r, line)
		}
		t.listed++
	}
	switch {
	case a.Absence != nil && a.Absence.Verdict == "none" && len(r.Uses) > 0:
		t.falseNone++
		c.note("none", r, name)
	case a.Absence == nil && a.Settled != nil && *a.Settled && lost:
		t.falseDecided++
		c.note("decided", r, name)
	}
	return nil
}

func sortedKeys(m map[string]string) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// order has the tiers of a line, from the least sure.
var order = []string{"", "dropped", "other", "ambiguous", "through", "import", "overload", "sure"}

// tiers returns the surest tier of each line in ken's answer.
func (r *row) tiers(s *symbol, a, dropped *kenAnswer) map[string]string {
	self := fmt.Sprintf("%s:%d", r.File, s.Line)
	same := append(slices.Clone(r.Also), self, fmt.Sprintf("%s:%d", r.File, r.Line))
	var overloads []string
	for _, c := range a.Symbols {
		at := fmt.Sprintf("%s:%d", c.Path, c.Line)
		switch {
		case c.Path != r.File || r.overloads && c.Kind != "constructor":
		case c.Kind == "constructor" && c.Start >= s.Start && c.End <= s.End:
			same = append(same, at) // what makes one uses the class
		case c.Qualified == s.Qualified && c.Kind == s.Kind && slices.Contains([]string{"function", "method", "macro"}, c.Kind):
			overloads = append(overloads, at) // or the macro of another #if
		}
	}
	var asked []string
	for _, c := range a.Symbols {
		asked = append(asked, fmt.Sprintf("%s:%d", c.Path, c.Line))
	}
	tiers := map[string]string{}
	put := func(ref *reference, tier string) {
		line := fmt.Sprintf("%s:%d", ref.Path, ref.Line)
		if slices.Index(order, tier) > slices.Index(order, tiers[line]) {
			tiers[line] = tier
		}
	}
	for i := range a.References {
		ref := &a.References[i]
		target := fmt.Sprintf("%s:%d", ref.TargetPath, ref.TargetLine)
		switch isSame := slices.Contains(same, target); {
		case !isSame && ref.Confidence != "ambiguous" && slices.Contains(overloads, target):
			put(ref, "overload")
		case !isSame && ref.Confidence == "ambiguous" && slices.Contains(asked, target):
			put(ref, "ambiguous") // the first of the overloads that it may mean is named
		case !isSame:
			put(ref, "other")
		case ref.Through != "":
			put(ref, "through")
		case ref.Kind == "import" || ref.Kind == "export" || ref.Kind == "definition":
			put(ref, "import")
		case ref.Confidence == "ambiguous":
			put(ref, "ambiguous")
		default:
			put(ref, "sure")
		}
	}
	for i := range dropped.References {
		put(&dropped.References[i], "dropped")
	}
	return tiers
}

// isNeither reports whether a line is neither right nor wrong. Neither has elements "file:line,line".
func (r *row) isNeither(line string) bool {
	file, number, _ := cutLast(line, ":")
	if file == r.File && number == strconv.Itoa(r.Line) || slices.Contains(r.Also, line) {
		return true
	}
	for _, n := range r.Neither {
		if f, numbers, _ := cutLast(n, ":"); f == file && slices.Contains(strings.Split(numbers, ","), number) {
			return true
		}
	}
	// A file in a language that the oracle does not read.
	return r.By != "read" && !strings.HasSuffix(file, filepath.Ext(r.File)) && !slices.ContainsFunc(r.Uses, func(u string) bool {
		f, _, _ := cutLast(u, ":")
		return filepath.Ext(f) == filepath.Ext(file)
	})
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// note prints a disagreement if its class is asked for.
func (c *checker) note(class string, r *row, at string) {
	if c.list != class && c.list != "all" {
		return
	}
	fmt.Printf("%s\t%s\t%s:%d %s %s\t%s\t%s\n", class, r.Repository, r.File, r.Line, r.Kind, r.Symbol, at, c.lineText(r, at))
}

// lineText returns the text of a "file:line", without space around it.
func (c *checker) lineText(r *row, at string) string {
	file, number, _ := cutLast(at, ":")
	n, err := strconv.Atoi(number)
	b, readErr := os.ReadFile(filepath.Join(c.trees, strings.ReplaceAll(r.Repository, "/", "+"), file))
	if lines := strings.Split(string(b), "\n"); err == nil && readErr == nil && n <= len(lines) {
		return strings.TrimSpace(lines[n-1])
	}
	return ""
}
