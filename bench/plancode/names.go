package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ken/bench/world"
	"ken/internal/delivery/plancode"
	"ken/internal/delivery/plancode/check"
)

// row is a line of names.txt or invented.txt.
type row struct {
	held                      bool
	repository, commit        string
	plan, kind, verdict, name string
	replaced                  string // of an invented name: the name that it takes the place of, or a sentence
}

func readRows(file string, invented bool) (list []row, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) != 6 {
			continue
		}
		repository, commit, _ := strings.Cut(f[1], "@")
		r := row{held: f[0] == "held", repository: repository, commit: commit, plan: f[2], kind: f[3], verdict: f[4], name: f[5]}
		if invented {
			r.replaced = f[4]
		}
		list = append(list, r)
	}
	return list, nil
}

// namesTally counts the rows of one half. Invented names are found alone, each in the plan as people wrote it, and together with the others
// of their plan, where one may hide another: of a declaration in a file that is invented, too, only the file can be found missing.
type namesTally struct {
	claims, right, trueClaims, falseAbsent, invented int
	found, together                                  int
	missed                                           map[string]int // alone, by kind
}

// runNames compares the verdicts of `plan check` with the tables.
func runNames(ctx context.Context, o *options) (missed int, err error) {
	rows, err := readRows("bench/plancode/names.txt", false)
	if err != nil {
		return 0, err
	}
	invented, err := readRows("bench/plancode/invented.txt", true)
	if err != nil {
		return 0, err
	}
	ken, err := world.Build(ctx, o.work)
	if err != nil {
		return 0, err
	}
	byPlan := map[[3]string][]row{}
	var order [][3]string
	for _, r := range append(slices.Clone(rows), invented...) {
		k := [3]string{r.repository, r.commit, r.plan}
		if byPlan[k] == nil {
			order = append(order, k)
		}
		byPlan[k] = append(byPlan[k], r)
	}
	var halves [2]namesTally
	for _, k := range order {
		if err := checkPlan(ctx, o, ken, k, byPlan[k], &halves); err != nil {
			return 0, fmt.Errorf("%s %s: %w", k[0], k[2], err)
		}
	}
	var all namesTally
	for i, title := range []string{"looked at", "held out"} {
		t := halves[i]
		t.print(title)
		all.claims, all.right, all.trueClaims = all.claims+t.claims, all.right+t.right, all.trueClaims+t.trueClaims
		all.falseAbsent, all.invented, all.found = all.falseAbsent+t.falseAbsent, all.invented+t.invented, all.found+t.found
		all.together += t.together
	}
	all.print("all")
	for _, bad := range []bool{100*all.right < 85*all.claims, 100*all.falseAbsent > all.trueClaims, 100*all.together < 85*all.invented} {
		if bad {
			missed++
		}
	}
	return missed, nil
}

func (t *namesTally) print(title string) {
	share := func(a, b int) float64 { return float64(a) / float64(max(1, b)) }
	fmt.Printf("%-10s %d of %d claims right (%.3f, at least 0.85), %d of %d true ones called absent (at most 1 %%), ",
		title, t.right, t.claims, share(t.right, t.claims), t.falseAbsent, t.trueClaims)
	fmt.Printf("%d of %d invented ones found each alone (%.3f), %d where all of a plan are set into it at once (%.3f, at least 0.85)\n",
		t.found, t.invented, share(t.found, t.invented), t.together, share(t.together, t.invented))
	for _, kind := range slices.Sorted(maps.Keys(t.missed)) {
		fmt.Printf("  not found: %d of kind %s\n", t.missed[kind], kind)
	}
}

// checkPlan checks a plan at its commit, as it is and with the invented names.
func checkPlan(ctx context.Context, o *options, ken string, key [3]string, rows []row, halves *[2]namesTally) error {
	tree, err := world.ShareClone(ctx, o.mirror, key[0], o.work)
	if err != nil {
		return err
	}
	if err := world.Checkout(ctx, tree, key[1]); err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(tree, ".ken")); err != nil {
		return err
	}
	if out, err := exec.CommandContext(ctx, ken, "index", "-C", tree).CombinedOutput(); err != nil {
		return fmt.Errorf("ken index: %w: %s", err, out)
	}
	ask := func() (*plancode.CheckAnswer, error) {
		out, err := exec.CommandContext(ctx, ken, "plan", "check", key[2], "--json", "-C", tree).Output()
		if err != nil {
			return nil, err
		}
		var a plancode.CheckAnswer
		return &a, json.Unmarshal(out, &a)
	}
	a, err := ask()
	if err != nil {
		return err
	}
	file := filepath.Join(tree, filepath.FromSlash(key[2]))
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	askWith := func(rows []row) (*plancode.CheckAnswer, error) {
		if err := os.WriteFile(file, []byte(insertNames(string(text), rows)), 0o644); err != nil {
			return nil, err
		}
		return ask()
	}
	spoiled, err := askWith(rows)
	if err != nil {
		return err
	}
	isFound := func(a *plancode.CheckAnswer, r *row) bool {
		got := verdicts(a, r)
		return slices.Contains(got, check.Absent) || slices.Contains(got, check.Near)
	}
	for i := range rows {
		r := &rows[i]
		t := &halves[0]
		if r.held {
			t = &halves[1]
		}
		if r.replaced == "" {
			t.add(r, verdicts(a, r))
			continue
		}
		t.invented++
		if isFound(spoiled, r) {
			t.together++
		}
		alone, err := askWith(rows[i : i+1])
		if err != nil {
			return err
		}
		switch {
		case isFound(alone, r):
			t.found++
			if !isFound(spoiled, r) && !r.held {
				fmt.Printf("  hidden: %s %s %s %q (%s): %v\n", r.repository, filepath.Base(r.plan), r.kind, r.name, r.replaced, verdicts(spoiled, r))
			}
			continue
		case !r.held: // of the half that may be looked at
			fmt.Printf("  not found: %s %s %s %q (%s): %v\n", r.repository, filepath.Base(r.plan), r.kind, r.name, r.replaced, verdicts(alone, r))
		}
		if t.missed == nil {
			t.missed = map[string]int{}
		}
		t.missed[r.kind]++
	}
	return nil
}

// add counts a claim. A name of a library that nothing uses yet may have any verdict but absent.
func (t *namesTally) add(r *row, got []check.Verdict) {
	isAbsent := len(got) > 0 && got[0] == check.Absent
	if r.verdict != string(check.Absent) {
		t.trueClaims++
		if isAbsent {
			t.falseAbsent++
			fmt.Printf("  called absent: %s %s %s\n", r.repository, r.plan, r.name)
		}
	}
	if r.verdict == "outside" {
		return
	}
	t.claims++
	if len(got) > 0 && slices.Contains(strings.Split(r.verdict, "|"), string(got[0])) {
		t.right++
	}
}

// verdicts returns those on a name, by its whole name or by its last part.
func verdicts(a *plancode.CheckAnswer, r *row) (out []check.Verdict) {
	list := slices.Concat(a.Names, a.Signatures)
	if r.kind == "path" {
		list = a.Files
	}
	last := func(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }
	for _, same := range []func(c *check.Claim) bool{
		func(c *check.Claim) bool { return c.Name == r.name },
		func(c *check.Claim) bool {
			return r.kind != "path" && r.kind != "command" && last(c.Name) == last(r.name)
		},
	} {
		for i := range list {
			if same(&list[i]) {
				out = append(out, list[i].Verdict)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// firstAction matches the place at which sentences are put into a plan.
var firstAction = regexp.MustCompile(`<action>|<implementation>|<behavior>|<tasks>|(?m:^#+ Task .*$)`)

// insertNames sets invented names into a plan.
func insertNames(text string, rows []row) string {
	for i := range rows {
		r := &rows[i]
		if isSentence := strings.HasSuffix(r.replaced, "."); r.replaced != "" && !isSentence {
			text = regexp.MustCompile(`(^|\W)`+regexp.QuoteMeta(r.replaced)+`(\W|$)`).ReplaceAllStringFunc(text, func(m string) string {
				return strings.Replace(m, r.replaced, r.name, 1)
			})
		}
	}
	at := strings.Index(text, "<action>")
	if at >= 0 {
		at += len("<action>")
	} else if loc := firstAction.FindStringIndex(text); loc != nil {
		at = loc[1]
	}
	for i := range rows {
		if r := &rows[i]; at >= 0 && strings.HasSuffix(r.replaced, ".") {
			text = text[:at] + "\n" + r.replaced + "\n" + text[at:]
		}
	}
	return text
}
