package matrix

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestOrder draws graphs: the order keeps all cells, and only those of cycles lead back.
func TestOrder(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, seed))
	back, cycles := 0, 0
	for range 300 {
		n := 1 + r.IntN(12)
		m := Matrix{}
		for i := range n {
			m.Parts = append(m.Parts, Part{Folder: fmt.Sprint("p", i)})
		}
		want := map[[2]string]int{}
		for range r.IntN(2 * n) {
			c := Cell{From: r.IntN(n), To: r.IntN(n), Uses: 1 + r.IntN(9)}
			key := [2]string{m.Parts[c.From].Folder, m.Parts[c.To].Folder}
			if c.From != c.To && want[key] == 0 {
				want[key] = c.Uses
				m.Cells = append(m.Cells, c)
			}
		}
		m.order()
		for _, c := range m.Cells {
			key := [2]string{m.Parts[c.From].Folder, m.Parts[c.To].Folder}
			if want[key] != c.Uses {
				t.Errorf("a cell from %s to %s with %d uses, want %d", key[0], key[1], c.Uses, want[key])
			}
			delete(want, key)
			inCycle := slices.ContainsFunc(m.Cycles, func(l []int) bool { return slices.Contains(l, c.From) && slices.Contains(l, c.To) })
			if c.To < c.From {
				back++
				if !inCycle {
					t.Errorf("%v leads back from %d to %d and is in no cycle of %v", key, c.From, c.To, m.Cycles)
				}
			}
		}
		if len(want) > 0 {
			t.Errorf("cells that are gone: %v", want)
		}
		for _, list := range m.Cycles {
			cycles++
			isBack := func(c Cell) bool {
				return c.To < c.From && slices.Contains(list, c.From) && slices.Contains(list, c.To)
			}
			if !slices.IsSorted(list) || !slices.ContainsFunc(m.Cells, isBack) {
				t.Errorf("cycle %v without a cell that leads back: %v", list, m.Cells)
			}
		}
	}
	if back < 50 || cycles < 50 {
		t.Errorf("only %d cells led back, in %d cycles", back, cycles)
	}
}

// TestOrderOfCycle: in a cycle the part comes first on which the others depend least.
func TestOrderOfCycle(t *testing.T) {
	m := Matrix{Parts: []Part{{Folder: "base"}, {Folder: "top"}, {Folder: "outside"}}, Cells: []Cell{
		{From: 1, To: 0, Files: 5, Uses: 9}, {From: 0, To: 1, Files: 1, Uses: 1}, {From: 2, To: 0, Files: 1, Uses: 1},
	}}
	m.order()
	var got []string
	for _, p := range m.Parts {
		got = append(got, p.Folder)
	}
	if strings.Join(got, " ") != "outside top base" {
		t.Errorf("the order is %v", got)
	}
}

// TestDivide draws trees: each file is in the deepest part that holds it, and there are no more parts than wanted.
func TestDivide(t *testing.T) {
	const seed = 2
	r := rand.New(rand.NewPCG(seed, seed))
	rest := 0
	for range 300 {
		var files []string
		for range r.IntN(60) {
			p := ""
			for range r.IntN(4) {
				p += fmt.Sprint("d", r.IntN(4), "/")
			}
			if files = append(files, p+fmt.Sprint("f", len(files))); r.IntN(8) == 0 {
				files[len(files)-1] = ""
			}
		}
		most := 2 + r.IntN(12)
		parts, of := divide(files, "", most)
		if len(parts) > most || len(of) != len(files) {
			t.Fatalf("%d parts of at most %d, %d of %d files", len(parts), most, len(of), len(files))
		}
		for i, p := range files {
			if p == "" || of[i] < 0 {
				if p != "" || of[i] >= 0 {
					t.Errorf("%q is of part %d", p, of[i])
				}
				continue
			}
			best := ""
			for _, x := range parts {
				if (x.Folder == "" || strings.HasPrefix(p, x.Folder+"/")) && x.Folder != Rest && len(x.Folder) > len(best) {
					best = x.Folder
				}
			}
			switch got := parts[of[i]].Folder; {
			case got == Rest:
				rest++
			case got == "" && len(parts) > 1 && strings.Contains(p, "/"):
				t.Errorf("%q is of the root's own files: %v", p, parts)
			case got != best:
				t.Errorf("%q is of %q, want %q of %v", p, got, best, parts)
			}
		}
	}
	if rest == 0 {
		t.Error("no file was in the rest")
	}
}

func TestDivideFolder(t *testing.T) {
	parts, of := divide([]string{"a/x/1", "a/x/2", "a/y/z/3", "a/4", ""}, "a", 4)
	if fmt.Sprint(parts) != "[{a 0} {a/x 0} {a/y/z 0}]" || of[3] != 0 || of[4] != -1 {
		t.Errorf("%v %v", parts, of)
	}
	if parts, of := divide([]string{"", ""}, "", 4); len(parts) != 0 || of[0] != -1 {
		t.Errorf("nothing gives %v %v", parts, of)
	}
}
