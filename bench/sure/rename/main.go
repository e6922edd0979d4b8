// Command rename tries renames on real repositories: symbols that ctags finds are drawn by a fixed seed, renamed in a copy, the sure
// patch is applied, and the messages of the language's own tool are compared with those before. A rename that breaks must have been
// flagged: with places that are not in the patch.
//
//	go run ./bench/sure/rename -repos DIR [-lang go,ruby] [-n 5] [-seed 1] [-left] [-reasons] [-unapplied]
//
// DIR holds the repositories of the table as OWNER+NAME. Where a language has no tool, and with -left, the lines are printed that still
// have the old name though no place is unsure, to be read.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ken/bench/world"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var r runner
	flag.StringVar(&r.repos, "repos", "", "folder of the repositories")
	flag.StringVar(&r.only, "lang", "", "languages, by commas (default: all)")
	flag.StringVar(&r.ken, "ken", "", "program to use instead of that of the source")
	flag.IntVar(&r.n, "n", 5, "symbols of each repository")
	flag.IntVar(&r.seed, "seed", 1, "by which symbols are drawn")
	flag.BoolVar(&r.left, "left", false, "print the lines that keep the old name")
	flag.BoolVar(&r.reasons, "reasons", false, "print each place that is unsure, with its line")
	flag.BoolVar(&r.unapplied, "unapplied", false, "ask only: apply no patch and run no tool")
	flag.Parse()
	if err := r.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "rename:", err)
		os.Exit(1)
	}
}

type runner struct {
	repos, only, ken string
	n, seed          int
	left, reasons    bool
	unapplied        bool
}

// The outcomes of a rename.
const (
	complete = "complete" // no place is unsure, and nothing new is reported
	flagged  = "flagged"  // some place is unsure; what breaks may be one of those
	refused  = "refused"  // no patch
	kept     = "kept"     // no patch, and rightly so: the language's tool complains where the name is changed
	broken   = "BROKEN"   // no place is unsure, and something new is reported
	missing  = "missing"  // ctags alone knows the symbol
)

func (r *runner) run(ctx context.Context) error {
	work, remove, err := world.Scratch("ken-rename")
	if err != nil {
		return err
	}
	defer remove()
	if r.ken == "" {
		if r.ken, err = world.Build(ctx, work); err != nil {
			return err
		}
	}
	table := world.Table{}
	for _, l := range languages {
		if r.only != "" && !slices.Contains(strings.Split(r.only, ","), l.name) {
			continue
		}
		counts := map[string]int{}
		for _, repo := range l.repos {
			if err := r.repository(ctx, &l, filepath.Join(work, repo), repo, counts); err != nil {
				return fmt.Errorf("%s: %w", repo, err)
			}
		}
		known := counts[complete] + counts[flagged] + counts[refused] + counts[kept] + counts[broken]
		share := 100 * counts[complete] / max(known, 1)
		table.Row("renames, "+l.name+": broken and not flagged", "0", fmt.Sprintf("%d of %d", counts[broken], known), counts[broken] == 0)
		reached := fmt.Sprintf("%d %% (%d flagged, %d refused, %d rightly refused)", share, counts[flagged], counts[refused], counts[kept])
		table.Row("renames, "+l.name+": complete", fmt.Sprintf("≥ %d %%", l.complete), reached, share >= l.complete)
		may := known - counts[kept] // what may have another name at all
		table.Row("renames, "+l.name+": complete, of those that are not rightly refused", fmt.Sprintf("≥ %d %%", l.complete),
			fmt.Sprintf("%d %% of %d", 100*counts[complete]/max(may, 1), may), 100*counts[complete] >= l.complete*may)
	}
	return table.Summary()
}

// repository renames symbols of one repository in a copy.
func (r *runner) repository(ctx context.Context, l *language, dir, repo string, counts map[string]int) error {
	if out, err := exec.CommandContext(ctx, "cp", "-R", filepath.Join(r.repos, repo), dir).CombinedOutput(); err != nil {
		return fmt.Errorf("cp: %w\n%s", err, out)
	}
	defer os.RemoveAll(dir)
	tags, err := drawTags(ctx, l, dir, 12*r.n, r.seed)
	if err != nil {
		return err
	}
	t := trial{Trial: world.Trial{Dir: dir, Check: l.check}, ken: r.ken, language: l, unapplied: r.unapplied}
	if r.unapplied {
		t.Check = ""
	}
	if l.prepare != "" && !r.unapplied {
		cmd := exec.CommandContext(ctx, "sh", "-c", l.prepare)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", l.prepare, err, out)
		}
	}
	if t.before, err = t.Messages(ctx, "", ""); err != nil {
		return err
	}
	if _, err := t.run(ctx, "init"); err != nil {
		return err
	}
	known := 0
	for _, tag := range tags {
		if known == r.n {
			break
		}
		outcome, detail, err := t.rename(ctx, &tag)
		if err != nil {
			return fmt.Errorf("%s: %w", tag.query(), err)
		}
		if outcome == missing { // a local of a function, most often
			continue
		}
		known++
		counts[outcome]++
		fmt.Printf("%s\t%s\t%s\t%s\t%s\n", outcome, repo, tag.query(), tag.Kind, detail)
		if outcome == complete && (r.left || l.check == "") {
			for _, line := range t.rest {
				fmt.Printf("\tstays\t%.200s\n", line)
			}
		}
		if r.reasons {
			for _, reason := range t.reasons {
				fmt.Printf("\tunsure\t%.240s\n", reason)
			}
		}
	}
	return nil
}

// tag is a declaration that ctags found.
type tag struct {
	Name, Path, Kind, Scope string
	Line                    int
}

// query names the declaration for ken.
func (t *tag) query() string {
	scope := strings.NewReplacer("::", ".", "\\", ".", "/", ".").Replace(t.Scope)
	return t.Path + ":" + strings.TrimPrefix(scope+"."+t.Name, ".")
}

// drawTags returns n declarations of a working tree, of different names, chosen by the seed.
func drawTags(ctx context.Context, l *language, dir string, n, seed int) ([]tag, error) {
	cmd := exec.CommandContext(ctx, "ctags", "-R", "--output-format=json", "--fields=+n", "--languages="+l.ctags, "--exclude=.git",
		"--exclude=node_modules", "-f", "-", ".")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("ctags: %w", err)
	}
	var list []tag
	for line := range bytes.Lines(out) {
		var t tag
		if err := json.Unmarshal(line, &t); err != nil {
			return nil, fmt.Errorf("ctags: %w", err)
		}
		t.Path = strings.TrimPrefix(t.Path, "./")
		isMade := strings.HasPrefix(t.Name, "__") || strings.HasPrefix(t.Name, "Anonymous") || slices.Contains(strings.Fields(l.fixed), t.Name)
		isPlain := !strings.ContainsAny(t.Name, " \"'`/.:~()=[]<>!?+-*&|^%\\") && !strings.ContainsAny(t.Name[:min(1, len(t.Name))], "0123456789")
		isName := !isMade && isPlain
		if isName && slices.Contains(strings.Fields(l.kinds), t.Kind) {
			list = append(list, t)
		}
	}
	order := func(t tag) string {
		h := sha256.Sum256(fmt.Appendf(nil, "%d %s %s %d", seed, t.Path, t.Name, t.Line))
		return string(h[:])
	}
	slices.SortFunc(list, func(a, b tag) int { return strings.Compare(order(a), order(b)) })
	seen := map[string]bool{}
	list = slices.DeleteFunc(list, func(t tag) bool {
		had := seen[t.Name]
		seen[t.Name] = true
		return had
	})
	return list[:min(n, len(list))], nil
}

// trial is a copy of a repository in which names are changed and changed back.
type trial struct {
	world.Trial
	*language
	ken    string
	before map[string]int
	rest   []string // lines that keep the old name

	unapplied bool
	reasons   []string // why the last answer is not sure
}

func (t *trial) run(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, t.ken, args...)
	cmd.Dir = t.Dir
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(complaint.Bytes()))
	}
	return out, err
}

// answer is the part of the answer of ken rename that is looked at.
type answer struct {
	Places []struct {
		Path, Unsure, Kind string
		Line               int
		Text               string `json:"line_text"`
	}
	Hatches []struct {
		Path, Kind string
		Line       int
		Text       string `json:"line_text"`
	}
	Patch string
}

// reasons returns why the answer is not sure: the places with their lines.
func (a *answer) reasons() (list []string) {
	for _, p := range a.Places {
		if p.Unsure != "" {
			list = append(list, fmt.Sprintf("%s:%d %s, %s\t%s", p.Path, p.Line, p.Kind, p.Unsure, strings.TrimSpace(p.Text)))
		}
	}
	for _, m := range a.Hatches {
		list = append(list, fmt.Sprintf("%s:%d %s\t%s", m.Path, m.Line, m.Kind, strings.TrimSpace(m.Text)))
	}
	return list
}

// rename tries one symbol and puts the tree back.
func (t *trial) rename(ctx context.Context, s *tag) (outcome, detail string, err error) {
	to := newName(s.Name)
	t.reasons = nil
	out, query, err := t.ask(ctx, s, to)
	var a answer
	switch {
	case err != nil && strings.Contains(err.Error(), "no symbol"):
		return missing, err.Error(), nil
	case len(out) == 0:
		return refused, err.Error(), nil
	}
	if err := json.Unmarshal(out, &a); err != nil {
		return "", "", err
	}
	t.reasons = a.reasons()
	why := ""
	if len(t.reasons) > 0 {
		why, _, _ = strings.Cut(t.reasons[0], "\t")
	}
	if t.unapplied {
		switch {
		case a.Patch == "":
			return refused, fmt.Sprintf("%d places: %s", len(a.Places), why), nil
		case why != "":
			return flagged, fmt.Sprintf("%d places: %s", len(a.Places), why), nil
		}
		return complete, fmt.Sprintf("%d places", len(a.Places)), nil
	}
	if a.Patch == "" {
		isRight, err := t.mustStay(ctx, s, query, to)
		if isRight {
			return kept, why, err
		}
		return refused, fmt.Sprintf("%d places: %s", len(a.Places), why), err
	}
	if said, err := t.Apply(ctx, a.Patch); err != nil {
		return broken, "git apply: " + said, nil
	}
	after, err := t.Messages(ctx, to, s.Name)
	t.remaining(ctx, s)
	if _, back := t.Apply(ctx, a.Patch, "-R"); back != nil {
		return "", "", back
	}
	if err != nil {
		return "", "", err
	}
	fresh := t.fresh(after)
	switch count := fmt.Sprintf("%d places", len(a.Places)); {
	case why != "":
		return flagged, count + ": " + why + "; " + fresh, nil
	case fresh != "":
		return broken, count + ": " + fresh, nil
	default:
		return complete, count, nil
	}
}

// newName returns another name of the same kind, as a user would choose one: in capitals if it is, and with the word at its end by which a
// test runner finds a class.
func newName(name string) string {
	for _, end := range []string{"Test", "Tests", "Spec"} {
		if stem := strings.TrimSuffix(name, end); stem != "" && stem != name {
			return stem + "Zq" + end
		}
	}
	if strings.ToUpper(name) == name && strings.ToLower(name) != name && len(name) > 1 {
		return name + "ZQ"
	}
	return name + "Zq"
}

// together matches two of the declarations that a name means, in a refusal.
var together = regexp.MustCompile(`(\S+) \((\S+):(\d+)\)`)

// ask asks for a rename of a symbol, narrowed as a user would narrow it: without the scope that ctags gives it, or to the declaration
// in its line. It returns the answer and the query.
func (t *trial) ask(ctx context.Context, s *tag, to string) (out []byte, query string, err error) {
	out, err = t.run(ctx, "rename", "--json", s.query(), to)
	if err != nil && strings.Contains(err.Error(), "no symbol") {
		s.Scope = ""
		out, err = t.run(ctx, "rename", "--json", s.query(), to)
	}
	query = s.query()
	if err == nil || !strings.Contains(err.Error(), "do not go together") {
		return out, query, err
	}
	for _, m := range together.FindAllStringSubmatch(err.Error(), -1) {
		if m[2] == s.Path && m[3] == strconv.Itoa(s.Line) {
			query = s.Path + ":" + m[1]
			out, err = t.run(ctx, "rename", "--json", query, to)
			break
		}
	}
	return out, query, err
}

// mustStay reports whether a refusal is right: a patch that changes the unsure places, too, breaks the code.
func (t *trial) mustStay(ctx context.Context, s *tag, query, to string) (bool, error) {
	out, err := t.run(ctx, "rename", "--json", "--unsure", query, to)
	var a answer
	if err != nil || json.Unmarshal(out, &a) != nil || a.Patch == "" {
		return false, nil
	}
	if _, err := t.Apply(ctx, a.Patch); err != nil {
		return false, nil
	}
	after, err := t.Messages(ctx, to, s.Name)
	if _, back := t.Apply(ctx, a.Patch, "-R"); back != nil {
		return false, back
	}
	return t.fresh(after) != "", err
}

// fresh returns a message that was not there before the change, "" if there is none.
func (t *trial) fresh(after map[string]int) string {
	for _, m := range slices.Sorted(maps.Keys(after)) {
		if after[m] > t.before[m] {
			return m
		}
	}
	return ""
}

// remaining keeps the lines that have the old name after the patch.
func (t *trial) remaining(ctx context.Context, s *tag) {
	args := append([]string{"grep", "-nwI", "-F", "-e", s.Name, "--"}, strings.Fields(t.globs)...)
	out, _ := world.Git(ctx, t.Dir, args...)
	t.rest = slices.DeleteFunc(strings.Split(out, "\n"), func(l string) bool { return l == "" })
}
