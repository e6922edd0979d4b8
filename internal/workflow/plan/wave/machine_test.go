package wave

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

// plansIn reads "01-01:1 01-03:2:01-01,01-02".
func plansIn(words []string) map[string]*RunPlan {
	plans := map[string]*RunPlan{}
	for _, w := range words {
		f := strings.Split(w, ":")
		p := &RunPlan{State: Waiting}
		p.Wave, _ = strconv.Atoi(f[1])
		if len(f) > 2 {
			p.Needs = strings.Split(f[2], ",")
		}
		plans[f[0]] = p
	}
	return plans
}

// eventIn reads "checkpoint 01-01 type=decision options=a,b".
func eventIn(line string, plans map[string]*RunPlan) Event {
	words := strings.Fields(line)
	e := Event{Name: words[0], Plans: plans}
	for _, w := range words[1:] {
		key, value, ok := strings.Cut(w, "=")
		value = strings.ReplaceAll(value, "_", " ")
		n, _ := strconv.Atoi(value)
		switch {
		case !ok:
			e.Plan = w
		case key == "task":
			e.Task = value
		case key == "type":
			e.Type = value
		case key == "kind":
			e.Kinds = strings.Split(value, ",")
		case key == "options":
			e.Options = strings.Split(value, ",")
		case key == "text":
			e.Text = value
		case key == "result":
			e.Result = strings.ReplaceAll(value, " ", "_")
		case key == "blockers":
			e.Blockers = n
		case key == "warnings":
			e.Warnings = n
		case key == "gaps":
			e.Gaps = n
		case key == "foreign":
			e.Foreign = true
		}
	}
	return e
}

// told is a run in a line, and what is next in further ones.
func told(r *Run, p *Policy) string {
	steps, err := ReadSteps()
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "  %s", r.Stage)
	if r.Why != "" {
		b.WriteString(" (" + r.Why + ")")
	}
	var ids []string
	for id := range r.Plans {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		if r.Stage == Executing || r.Stage == WaveGate || r.Stage == Deciding {
			b.WriteString(" " + id + "=" + string(r.Plans[id].State))
		}
	}
	b.WriteString("\n")
	for _, a := range NextActions(r, p, steps) {
		fmt.Fprintf(&b, "    %s: %s %s\n", a.Who, a.Plan, a.What)
	}
	for _, l := range r.Later {
		b.WriteString("    later: " + l + "\n")
	}
	return b.String()
}

// TestRuns leads through the scripts in testdata: a line of the policy, one of the plans, and events.
func TestRuns(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		script, want, _ := strings.Cut(string(text), "-- run --\n")
		p := &Policy{Check: true, Verify: true, Repair: true, RepairBudget: 2, Skips: map[string]string{}, TestCommand: "make test"}
		var plans []string
		var r *Run
		var b strings.Builder
		for line := range strings.Lines(script) {
			words := strings.Fields(line)
			switch {
			case len(words) == 0 || words[0] == "#":
			case words[0] == "policy":
				p.Auto = slices.Contains(words, "auto")
				p.Check = !slices.Contains(words, "nocheck")
				p.Verify = !slices.Contains(words, "noverify")
				p.Repair = !slices.Contains(words, "norepair")
				if slices.Contains(words, "noconfirm") {
					p.Skips["plans"], p.Skips["transition"] = "off", "off"
				}
			case words[0] == "plans":
				plans = words[1:]
			default:
				if r == nil {
					r = NewRun("01", nil, p)
					b.WriteString("begin\n" + told(r, p))
				}
				b.WriteString(strings.TrimSpace(line) + "\n")
				next, err := ApplyEvent(r, eventIn(line, plansIn(plans)), p)
				if err != nil {
					b.WriteString("  refused: " + err.Error() + "\n")
					continue
				}
				r = next
				b.WriteString(told(r, p))
			}
		}
		if *update {
			if err := os.WriteFile(file, []byte(script+"-- run --\n"+b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if diff := cmp.Diff(want, b.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}

// TestRandomRuns: no order of events breaks a run: it never has two stages at once, done plans stay done, loops end, and every run that
// has not ended says what is next.
func TestRandomRuns(t *testing.T) {
	steps, err := ReadSteps()
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 6))
	results := []string{"passed", "failed", "inconclusive", "refused", "proceed", "adjust", "stop", "retry", "gaps_found", "human_needed", ""}
	names := slices.DeleteFunc(Events(), func(e string) bool { return e == "stop" })
	for range 400 {
		plans := []string{"01-01:1", "01-02:1", "01-03:2:01-01", "01-04:2", "01-05:3:01-03,01-04"}
		p := &Policy{Auto: r.IntN(2) == 0, Check: r.IntN(3) > 0, Verify: r.IntN(3) > 0, Repair: true, RepairBudget: 2, Skips: map[string]string{}}
		run := NewRun("01", plansIn(plans), p)
		for range 300 {
			e := Event{
				Name: names[r.IntN(len(names))], Plan: fmt.Sprintf("01-0%d", 1+r.IntN(5)), Result: results[r.IntN(len(results))],
				Type: Checkpoints()[r.IntN(4)].Type, Kinds: []string{Deviations()[r.IntN(4)].Kind}, Options: []string{"a", "b"}, Text: "a",
				Blockers: r.IntN(4), Gaps: r.IntN(4), Plans: plansIn(plans),
			}
			before := fmt.Sprint(told(run, p), run.Step)
			next, err := ApplyEvent(run, e, p)
			if fmt.Sprint(told(run, p), run.Step) != before {
				t.Fatalf("%s changed the state before it", e.Name)
			}
			if err != nil {
				continue
			}
			for id, pl := range run.Plans {
				if pl.State == Done && next.Plans[id].State != Done {
					t.Fatalf("%s: %s is no longer done", e.Name, id)
				}
			}
			run = next
			ended := run.Stage == Stopped
			if n := len(NextActions(run, p, steps)); n == 0 != ended {
				t.Fatalf("%s: %d things are next", run.Stage, n)
			}
			if run.Tries > MaxRevisions || len(run.Gaps) > MaxRevisions+1 {
				t.Fatalf("%d revisions, %d rounds of gaps", run.Tries, len(run.Gaps))
			}
		}
	}
}
