package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"ken/bench/world"
)

// renameResult is the result of renaming one symbol.
type renameResult struct {
	symbol
	outcome string
	detail  string // the first new message, or the reason why it is not sure
}

// The outcomes of a rename.
const (
	asBefore  = "as before" // the check prints the same after the sure patch as before
	broken    = "broken"    // it prints something else
	unapplied = "not applied"
	unsure    = "unsure"  // some place is unsure
	refused   = "refused" // ken gives no patch
)

// measureRenames renames drawn symbols one by one in a copy of each tree, and compares
// the command's output in the copy before and after.
func measureRenames(ctx context.Context, o options, repos []repository) error {
	l, err := fileLanguage(o.lang)
	if err != nil {
		return err
	}
	fmt.Println("| language | repository | symbols | unsure | refused | sure: as before | broken | not applied | as before of the sure (≥ 98 %) | unsure or refused (≤ 1/3) |\n|---|---|---|---|---|---|---|---|---|---|")
	for _, r := range repos {
		list, err := renameRepo(ctx, o, l, r.dir)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		writeRenames(os.Stdout, o.lang, r.name, list)
		if o.list == "" {
			continue
		}
		for _, x := range list {
			if o.list == "all" || strings.HasPrefix(x.outcome, o.list) {
				fmt.Printf("%s\t%s:%s\t%s\t%s\n", x.outcome, x.Path, x.Qualified, x.Kind, x.detail)
			}
		}
	}
	return nil
}

func writeRenames(w io.Writer, lang, repo string, list []renameResult) {
	n := map[string]int{}
	for _, x := range list {
		n[x.outcome]++
	}
	open := n[unsure] + n[refused]
	percent := func(part, whole int) float64 { return 100 * float64(part) / float64(max(whole, 1)) }
	fmt.Fprintf(w, "| %s | %s | %d | %d | %d | %d | %d | %d | %.1f %% | %.1f %% |\n", lang, repo, len(list), n[unsure], n[refused],
		n[asBefore], n[broken], n[unapplied], percent(n[asBefore], len(list)-open), percent(open, len(list)))
}

func renameRepo(ctx context.Context, o options, l measuredLanguage, dir string) ([]renameResult, error) {
	tmp, remove, err := world.Scratch("ken-rename")
	if err != nil {
		return nil, err
	}
	defer remove()
	trial := filepath.Join(tmp, filepath.Base(dir)) // some builds go by the folder's name
	if out, err := exec.CommandContext(ctx, "cp", "-R", dir, trial).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("cp: %w\n%s", err, out)
	}
	if err := os.RemoveAll(filepath.Join(trial, ".ken")); err != nil {
		return nil, err
	}
	t, err := openTree(ctx, trial, l)
	if err != nil {
		return nil, err
	}
	k := &kenProgram{program: o.ken, dir: t.dir}
	declared, err := k.declaredSymbols(ctx, t.sources)
	if err != nil {
		return nil, err
	}
	x := trialRun{ken: k, Trial: world.Trial{Dir: t.dir, Check: o.rename}}
	if x.before, err = x.Messages(ctx, "", ""); err != nil {
		return nil, err
	}
	fmt.Fprintf(os.Stderr, "before: %d messages\n", len(x.before))
	var list []renameResult
	for _, s := range drawDeclarations(declared, o.seed, o.n) {
		r := renameResult{symbol: s}
		if r.outcome, r.detail, err = x.tryRename(ctx, &s); err != nil {
			return nil, fmt.Errorf("%s:%s: %w", s.Path, s.Qualified, err)
		}
		fmt.Fprintf(os.Stderr, "%s %s:%s %s\n", r.outcome, s.Path, s.Qualified, r.detail)
		list = append(list, r)
	}
	return list, nil
}

// trialRun is a tree in which names are changed and changed back.
type trialRun struct {
	world.Trial
	ken    *kenProgram
	before map[string]int
}

// tryRename tries one symbol and puts the tree back.
func (x *trialRun) tryRename(ctx context.Context, s *symbol) (outcome, detail string, err error) {
	to := s.Name + "Renamed"
	switch s.Name { // linters look at how names are written
	case strings.ToUpper(s.Name):
		to = s.Name + "_RENAMED"
	case strings.ToLower(s.Name):
		to = s.Name + "_renamed"
	}
	var a struct {
		Places []struct {
			Path, Unsure string
			Line         int
		}
		Patch string
	}
	out, err := x.ken.runKen(ctx, "rename", "--json", s.Path+":"+s.Qualified, to)
	if err != nil {
		return refused, strings.TrimSpace(lastLine(err.Error())), nil
	}
	if err := json.Unmarshal(out, &a); err != nil {
		return "", "", err
	}
	for _, p := range a.Places {
		if p.Unsure != "" {
			return unsure, fmt.Sprintf("%s:%d %s", p.Path, p.Line, p.Unsure), nil
		}
	}
	if said, err := x.Apply(ctx, a.Patch); err != nil {
		return unapplied, lastLine(said), nil
	}
	after, err := x.Messages(ctx, to, s.Name)
	if _, back := x.Apply(ctx, a.Patch, "-R"); back != nil {
		return "", "", back
	}
	if err != nil {
		return "", "", err
	}
	for _, m := range slices.Sorted(maps.Keys(after)) {
		if after[m] > x.before[m] {
			return broken, m, nil
		}
	}
	return asBefore, "", nil
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// repository is a working tree with a name for tables.
type repository struct{ name, dir string }

func repositories(list string) []repository {
	var out []repository
	for _, repo := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' }) {
		name, dir, ok := strings.Cut(repo, "=")
		if !ok {
			name, dir = filepath.Base(repo), repo
		}
		out = append(out, repository{cmp.Or(name, dir), dir})
	}
	return out
}
