package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"ken/bench/world"
	"ken/internal/delivery/plancode"
	"ken/internal/delivery/plancode/check"
)

// claimsTally counts git's judgements of the verdicts of `plan check`: right, wrong, or undecided.
type claimsTally struct {
	plans             int
	right, wrong, ask map[check.Verdict]int
	// names of plans are those of declarations that are there; judged are those of them that have a verdict.
	names, judged int
}

// checkClaims checks a number of plans of a repository, each at the commit that wrote it, spread evenly. The answer and the plan are kept
// for people to read, because only they can find omissions.
func (t *claimsTally) checkClaims(ctx context.Context, o *options, row world.Pin) error {
	r, log, byPhase, err := openPlans(ctx, o, row)
	if err != nil {
		return err
	}
	var all []*executedPlan
	for _, dir := range slices.Sorted(maps.Keys(byPhase)) {
		all = append(all, byPhase[dir]...)
	}
	for i := range min(o.claims, len(all)) {
		p := all[i*len(all)/min(o.claims, len(all))]
		if err := world.Checkout(ctx, r.tree, log[p.written].id); err != nil {
			return err
		}
		if err := os.RemoveAll(filepath.Join(r.tree, ".ken")); err != nil {
			return err
		}
		if out, err := exec.CommandContext(ctx, o.ken, "index").CombinedOutput(); err != nil {
			return fmt.Errorf("ken index: %w: %s", err, out)
		}
		out, err := exec.CommandContext(ctx, o.ken, "plan", "check", p.file, "--json", "-C", r.tree).Output()
		if err != nil {
			fmt.Printf("  %s %s: %v\n", r.name, p.file, err)
			continue
		}
		var a plancode.CheckAnswer
		if err := json.Unmarshal(out, &a); err != nil {
			return err
		}
		t.plans++
		head := fmt.Sprintf("%s %s at %s\n\n", r.name, p.file, log[p.written].id)
		judged := t.judgeVerdicts(r, log[p.written].id, p, &a)
		judged += "WITHOUT A VERDICT " + strings.Join(t.declaredNames(r, log[p.written].id, p, &a), " ") + "\n"
		if err := world.WriteFiles(o.work, map[string]string{fmt.Sprintf("claims/%02d.txt", t.plans): head + judged + "\n" + p.text}); err != nil {
			return err
		}
	}
	return nil
}

// judgeVerdicts compares verdicts with git, and gives a line for each.
func (t *claimsTally) judgeVerdicts(r *repo, commit string, p *executedPlan, a *plancode.CheckAnswer) string {
	var b strings.Builder
	line := func(c *check.Claim, holds, known bool) {
		word := "RIGHT"
		switch {
		case !known:
			word = "ASK"
			t.ask[c.Verdict]++
		case holds:
			t.right[c.Verdict]++
		default:
			word = "WRONG"
			t.wrong[c.Verdict]++
		}
		fmt.Fprintf(&b, "%s %s %s (line %d, %s) is: %s near: %s says: %s\n", word, c.Verdict, c.Name, c.Line, c.Part, c.Is, strings.Join(c.Near, ", "), c.Says)
	}
	there := func(f string) bool {
		_, err := r.git("cat-file", "-e", commit+":"+strings.TrimSuffix(f, "/"))
		return err == nil
	}
	for i := range a.Files {
		c := &a.Files[i]
		switch c.Verdict {
		case check.Exists:
			line(c, there(c.Name) || c.Is != "" && there(c.Is), true)
		case check.Missing:
			line(c, !there(c.Name) && !slices.Contains(p.files, c.Name), !slices.Contains(p.files, c.Name))
		case check.New:
			line(c, !there(c.Name), there(c.Name) || slices.Contains(p.files, c.Name))
		default:
			line(c, !there(c.Name), there(c.Name))
		}
	}
	for i := range a.Symbols {
		c := &a.Symbols[i]
		name := c.Name[strings.LastIndexByte(c.Name, '.')+1:]
		in := func(files ...string) bool {
			out, _ := r.git(append([]string{"grep", "-l", "-w", "-F", "-e", name, commit, "--"}, files...)...)
			return out != ""
		}
		switch c.Verdict {
		case check.Exists: // a component is declared by the name of its file
			where := c.Near
			if c.Is != "" {
				where = []string{c.Is}
			}
			line(c, strings.HasPrefix(filepath.Base(c.Is), name+".") || in(where...), true)
		case check.Missing:
			line(c, !in(".", ":!.planning"), true)
		default:
			line(c, true, !in(".", ":!.planning"))
		}
	}
	for i := range a.Signatures {
		line(&a.Signatures[i], false, false)
	}
	for _, i := range a.Issues {
		fmt.Fprintf(&b, "ISSUE %s %s: %s (%s)\n", i.Severity, i.Dimension, i.Description, i.Hint)
	}
	return b.String()
}

// printReport prints the table.
func (t *claimsTally) printReport(dir string) int {
	fmt.Printf("claims of %d plans, each at the commit that wrote it; answers and plans are in %s\n", t.plans, dir)
	wrong := 0
	for _, v := range []check.Verdict{check.Exists, check.New, check.Planned, check.Missing, check.Differs, check.Unclear} {
		fmt.Printf("  %-8s  %4d as git has it, %3d not, %3d that git cannot tell\n", v, t.right[v], t.wrong[v], t.ask[v])
		wrong += t.wrong[v]
	}
	fmt.Printf("  names in the plans that a declaration has: %d, of which %d have a verdict\n", t.names, t.judged)
	return wrong
}
