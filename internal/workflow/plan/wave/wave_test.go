package wave_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/wave"
)

// plans reads plans of lines "ID wave needs,needs files,files flags".
func plans(text string) []wave.Plan {
	var list []wave.Plan
	split := func(s string) []string {
		if s == "-" {
			return nil
		}
		return strings.Split(s, ",")
	}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 4 {
			continue
		}
		p := wave.Plan{ID: f[0], DependsOn: split(f[2]), Files: split(f[3])}
		p.Written, _ = strconv.Atoi(f[1])
		for _, flag := range f[4:] {
			p.Done = p.Done || flag == "done"
			p.Halted = p.Halted || flag == "halted"
			p.Retired = p.Retired || flag == "retired"
		}
		list = append(list, p)
	}
	return list
}

// shown is a layout in lines.
func shown(l *wave.Layout) string {
	var b strings.Builder
	for _, w := range l.Waves {
		b.WriteString(strconv.Itoa(w.Number) + ":")
		for i, batch := range w.Batches {
			if i > 0 {
				b.WriteString(" |")
			}
			for _, id := range batch {
				b.WriteString(" " + id + "=" + string(l.Plan(id).State))
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("ready: " + strings.Join(l.Ready, " ") + "\n")
	for _, w := range l.Warnings {
		b.WriteString("warning: " + w + "\n")
	}
	return b.String()
}

func TestLayout(t *testing.T) {
	for _, test := range []struct{ name, plans, want string }{
		{"diamond", `
			01-01 1 - a
			01-02 1 - b
			01-03 2 01-01 c
			01-04 2 01-02-PLAN.md d
			01-05 3 03,04 e`,
			"1: 01-01=ready 01-02=ready\n2: 01-03=waiting 01-04=waiting\n3: 01-05=waiting\nready: 01-01 01-02\n"},
		{"the number that is written down is not believed", `
			01-01 1 - a done
			01-02 1 01-01 b
			01-03 5 - c`,
			"1: 01-01=done 01-03=ready\n2: 01-02=ready\nready: 01-03\n" +
				"warning: 01-02 is written for wave 1; by its dependencies it is in wave 2, which counts\n" +
				"warning: 01-03 is written for wave 5; by its dependencies it is in wave 1, which counts\n"},
		{"dependants of a halted plan halt", `
			01-01 1 - a halted
			01-02 2 01-01 b
			01-03 3 01-02 c
			01-04 1 - d`,
			"1: 01-01=halted 01-04=ready\n2: 01-02=halted\n3: 01-03=halted\nready: 01-04\n"},
		{"what does not depend on a halted plan goes on", `
			01-01 1 - a halted
			01-02 1 - b done
			01-03 2 01-01 c
			01-04 2 01-02 d`,
			"1: 01-01=halted 01-02=done\n2: 01-03=halted 01-04=ready\nready: 01-04\n"},
		{"plans that write the same are set apart, the one of the lower written wave first", `
			01-01 2 - src/a.go
			01-02 1 - src/
			01-03 1 - docs/x.md`,
			"1: 01-02=ready 01-03=ready | 01-01=ready\nready: 01-02 01-03\n" +
				"warning: 01-01 is written for wave 2; by its dependencies it is in wave 1, which counts\n"},
		{"a superseded plan is in no wave and holds nothing up", `
			01-01 1 - a retired
			01-02 1 01-01 b`,
			"1: 01-02=ready\nready: 01-02\nwarning: 01-02 depends on 01-01, which another plan has replaced; that dependency is ignored\n"},
		{"outside the phase", `
			02-01 1 01-01,01-02,09-09 a`,
			"1: 02-01=waiting\nready: \nwarning: 02-01 depends on 09-09, which does not exist; that dependency is ignored\n"},
		{"names with words", `
			01-01-models 1 - a
			01-02-views 2 01-01 b`,
			"1: 01-01-models=ready\n2: 01-02-views=waiting\nready: 01-01-models\n"},
		{"no more than three side by side", `
			01-01 1 - a
			01-02 1 - b
			01-03 1 - c
			01-04 1 - d`,
			"1: 01-01=ready 01-02=ready 01-03=ready | 01-04=ready\nready: 01-01 01-02 01-03\n"},
		{"nothing", ``, "ready: \n"},
	} {
		l, err := wave.Arrange(plans(test.plans), wave.Options{Limits: wave.Limits{Together: 3}, Elsewhere: func(id string) (bool, bool) {
			return strings.HasPrefix(id, "01-"), id == "01-01"
		}})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if diff := cmp.Diff(test.want, shown(l)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestCyclesAreNamed(t *testing.T) {
	_, err := wave.Arrange(plans("01-01 1 01-03 a\n01-02 1 01-01 b\n01-03 1 01-02 c\n01-04 1 01-04 d\n01-05 1 - e"), wave.Options{})
	cycle, ok := errors.AsType[*wave.CycleError](err)
	want := [][]string{{"01-01", "01-03", "01-02", "01-01"}, {"01-04", "01-04"}}
	if !ok || cmp.Diff(want, cycle.Cycles) != "" {
		t.Errorf("got %v, want %v", err, want)
	}
	if _, err := wave.Arrange(plans("01-01 1 - a\n01-01 1 - b"), wave.Options{}); err == nil {
		t.Error("two plans of one ID were laid out")
	}
}

func TestALowerWaveIncompleteRefusesAHigherOne(t *testing.T) {
	l, err := wave.Arrange(plans("01-01 1 - a done\n01-02 1 - b\n01-03 2 01-01 c"), wave.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const want = "wave 2 cannot begin: wave 1 is not complete, because of 01-02"
	if fault, ok := errors.AsType[*planop.Fault](l.CheckMayBegin(2)); !ok || fault.Reason != "wave_blocked" || fault.Message != want {
		t.Errorf("wave 2: %v", l.CheckMayBegin(2))
	}
	if err := l.CheckMayBegin(1); err != nil {
		t.Error(err)
	}
	// It has nothing to wait for, and still the wave below comes first.
	if !slices.Equal(l.Ready, []string{"01-02"}) {
		t.Errorf("ready: %v", l.Ready)
	}
}

func TestPaths(t *testing.T) {
	for text, want := range map[string]string{
		"./src/a.go": "src/a.go", `src\b.go`: "src/b.go", "`a`": "a", "src/a.go (new)": "src/a.go", "a/../b": "b", "src/": "src/",
		"src/a.go  # new": "src/a.go", "docs/x.md §4": "docs/x.md", "src/{{ label }}.py": "src/{{ label }}.py", "$HOME/x": "",
		"../x": "", "/etc/passwd": "", "a/../../x": "", "~/x": "", "C:/x": "", "": "", "a\nb": "",
	} {
		got, inside := wave.CleanPath(text)
		if !inside {
			got = ""
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for _, pair := range [][3]string{
		{"src/", "src/a/b.go", "src/a/b.go"}, {"src/**/*.go", "src/x/y.go", "src/x/y.go"},
		{"src/*.go", "src/y.go", "src/y.go"}, {"src/*.go", "src/x/y.go", ""},
		{"src/a.go", "./src/a.go", "src/a.go"}, {"src/a", "src/ab", ""}, {"../a", "../a", ""},
		{"src/[id]/p.ts", "src/[id]/p.ts", "src/[id]/p.ts"}, {"src/[id]/*.ts", "src/[id]/p.ts", "src/[id]/p.ts"}, {"src/[id]/p.ts", "src/i/p.ts", ""},
		{".planning/STATE.md", ".planning/STATE.md", ""}, {".planning/", ".planning/ROADMAP.md", ""},
	} {
		if got := strings.Join(wave.SharedPaths([]string{pair[0]}, []string{pair[1]}), " "); got != pair[2] {
			t.Errorf("%s and %s share %q, want %q", pair[0], pair[1], got, pair[2])
		}
	}
}

// TestRandomLayouts: no plan is in a wave before one that it needs, none is lost, and no batch has two plans that meet or more than fit.
func TestRandomLayouts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var list []wave.Plan
		for i := range 1 + r.IntN(20) {
			p := wave.Plan{ID: "01-" + strconv.Itoa(100+i), Written: r.IntN(4), Files: []string{strconv.Itoa(r.IntN(8))}}
			p.Done, p.Halted = r.IntN(4) == 0, r.IntN(9) == 0
			for j := range i {
				if r.IntN(6) == 0 {
					p.DependsOn = append(p.DependsOn, "01-"+strconv.Itoa(100+j))
				}
			}
			list = append(list, p)
		}
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		l, err := wave.Arrange(list, wave.Options{Limits: wave.Limits{Together: 3}})
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		for _, w := range l.Waves {
			for _, batch := range w.Batches {
				seen += len(batch)
				if len(batch) > 3 {
					t.Fatalf("%v run side by side", batch)
				}
				for i, a := range batch {
					for _, need := range l.Plan(a).Needs {
						if l.Plan(need).Wave >= w.Number {
							t.Fatalf("%s of wave %d needs %s", a, w.Number, need)
						}
					}
					for _, b := range batch[:i] {
						if both := wave.SharedPaths(l.Plan(a).Files, l.Plan(b).Files); len(both) > 0 {
							t.Fatalf("%s and %s both write %v", a, b, both)
						}
					}
				}
			}
		}
		if seen != len(list) {
			t.Fatalf("%d plans of %d are in a batch", seen, len(list))
		}
	}
}
