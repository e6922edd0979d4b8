package rank

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// tableWriter builds a table of trees by the format that ReadTrees documents.
type tableWriter []byte

func (w *tableWriter) names(list ...string) {
	*w = append(*w, byte(len(list)))
	for _, n := range list {
		*w = append(append(*w, byte(len(n))), n...)
	}
}

func (w *tableWriter) words(list ...int16) {
	for _, v := range list {
		*w = binary.LittleEndian.AppendUint16(*w, uint16(v))
	}
}

func (w *tableWriter) node(input byte, threshold int16, low, high int8) {
	*w = append(*w, input)
	w.words(threshold)
	*w = append(*w, byte(low), byte(high))
}

// twoTrees has one tree with two nodes and one with one.
func twoTrees() []byte {
	var w tableWriter
	w.names("title", "sum gap")
	w.words(2)
	w = append(w, 2)
	w.node(0, 500, ^0, 1)
	w.node(1, -10, ^1, ^2)
	w.words(7, -20, 300)
	w = append(w, 1)
	w.node(1, 0, ^0, ^1)
	w.words(-1, 1000)
	return w
}

func TestTrees(t *testing.T) {
	trees, err := ReadTrees(twoTrees())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		inputs []int32
		want   int32
	}{
		{[]int32{500, 1}, 7 + 1000}, // a value equal to the threshold goes to the first child
		{[]int32{501, -10}, -20 - 1},
		{[]int32{501, -9}, 300 - 1},
		{[]int32{maxInput, maxInput}, 300 + 1000},
		{[]int32{-maxInput, -maxInput}, 7 - 1},
	} {
		if got := trees.Score(c.inputs); got != c.want {
			t.Errorf("%v: %d, want %d", c.inputs, got, c.want)
		}
	}
	// The first tree has the leaves 7, -20, 300 and goes by the title, then by the gap; the second -1 and 1,000 and goes by the gap.
	mean, second, other := float32(7-20+300)/3, float32(-20+300)/2, float32(-1+1000)/2
	if got := trees.Moves([]int32{501, -10}); got[0] != second-mean || got[1] != -20-second+(-1-other) {
		t.Errorf("moved by %v", got)
	}
}

// TestMoves: what the inputs add and the means of the trees make the sum of the trees.
func TestMoves(t *testing.T) {
	trees, err := ByTrees()
	if err != nil {
		t.Fatal(err)
	}
	means := 0.0
	for _, root := range trees.roots {
		means += float64(trees.nodes[root].mean)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var inputs []int32
		for range trees.Inputs {
			inputs = append(inputs, int32(r.IntN(3000)))
		}
		sum := means
		for _, v := range trees.Moves(inputs) {
			sum += float64(v)
		}
		if want := float64(trees.Score(inputs)); math.Abs(sum-want) > 0.1 {
			t.Fatalf("%v, want %v of %v", sum, want, inputs)
		}
	}
}

func TestQuantize(t *testing.T) {
	for v, want := range map[float64]int32{0: 0, 0.0004: 0, 0.0005: 1, -0.0005: -1, 1.2346: 1235, 1e9: maxInput, -1e9: -maxInput} {
		if got := Quantize(v); got != want {
			t.Errorf("%v: %d, want %d", v, got, want)
		}
	}
}

// FuzzReadTrees: a damaged table is an error, and what is read ends for all inputs.
func FuzzReadTrees(f *testing.F) {
	whole := twoTrees()
	f.Add(whole)
	for n := range whole {
		f.Add(whole[:n])
		broken := append([]byte{}, whole...)
		broken[n] ^= 0x81
		f.Add(broken)
	}
	f.Fuzz(func(t *testing.T, table []byte) {
		trees, err := ReadTrees(table)
		if err != nil {
			return
		}
		inputs := make([]int32, len(trees.Inputs))
		for _, v := range []int32{-maxInput, 0, maxInput} {
			for i := range inputs {
				inputs[i] = v
			}
			trees.Score(inputs)
		}
	})
}

// TestTrained: the table in the program gives what its trainer computes, for the inputs of candidates of many tasks
// (bench/rank/trees/train.py -check). Leaves are rounded to thousandths.
func TestTrained(t *testing.T) {
	trees, err := ByTrees()
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("testdata/trained.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	n := 0
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		var want float64
		if _, err := fmt.Sscan(fields[0], &want); err != nil {
			t.Fatal(err)
		}
		inputs := make([]int32, len(trees.Inputs))
		if len(fields) != 1+len(inputs) {
			t.Fatalf("line %d has %d inputs, not %d", n+1, len(fields)-1, len(inputs))
		}
		for i, s := range fields[1:] {
			if _, err := fmt.Sscan(s, &inputs[i]); err != nil {
				t.Fatal(err)
			}
		}
		if got := float64(trees.Score(inputs)) / leafUnit; got < want-0.03 || got > want+0.03 {
			t.Errorf("line %d: %v, its trainer has %v", n+1, got, want)
		}
		n++
	}
	if n < 100 {
		t.Errorf("%d candidates", n)
	}
	if len(findTrees) > 300<<10 {
		t.Errorf("the table has %d bytes", len(findTrees))
	}
}

// TestRefine: trees see the features, the sums and their places, and the order follows them.
func TestRefine(t *testing.T) {
	s := NewSet(NewModel(Find))
	for _, p := range []string{"a", "b", "c"} {
		s.Add(p)
	}
	s.At(0)[Title], s.At(1)[Title], s.At(2)[Title] = 1, 0.5, 0.6
	if err := s.Run(t.Context(), &Query{}, nil); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]int32{
		"title": {1000, 500, 600}, "place of title": {1000, 714, 833}, "sum place": {1000, 667, 800}, "sum gap": {0, 830, 664},
		"sum lead": {664, 664, 664}, "count": {1386, 1386, 1386},
	} {
		got, err := s.inputs(&Trees{Inputs: []string{name}})
		if err != nil || got[0][0] != want[0] || got[1][0] != want[1] || got[2][0] != want[2] {
			t.Errorf("%s: %v, want %v (%v)", name, got, want, err)
		}
	}
	if _, err := s.inputs(&Trees{Inputs: []string{"no such thing"}}); err == nil {
		t.Error("an unknown input is no error")
	}
	trees, err := ReadTrees(twoTrees())
	if err != nil {
		t.Fatal(err)
	}
	before := s.Score(1)
	if moved := s.Moved(1); *moved != (Vector{}) {
		t.Errorf("before trees a candidate is moved by %v", *moved)
	}
	if err := s.Refine(trees); err != nil {
		t.Fatal(err)
	}
	if got := s.Score(1) - before; got < 1.006 || got > 1.008 || s.Top(3)[0] != 2 {
		t.Errorf("b gained %v, the order is %v", got, s.Top(3))
	}
	if got, want := s.Moved(1)[Title], (7-287.0/3)/1000; math.Abs(got-want) > 1e-6 {
		t.Errorf("the title moves b by %v, want %v", got, want)
	}
}

// BenchmarkTrees evaluates the table in the program for 1,000 candidates.
func BenchmarkTrees(b *testing.B) {
	trees, err := ByTrees()
	if err != nil {
		b.Fatal(err)
	}
	list := make([][]int32, 1000)
	x := uint32(1)
	for i := range list {
		for range trees.Inputs {
			x = x*1664525 + 1013904223
			list[i] = append(list[i], int32(x>>22))
		}
	}
	for b.Loop() {
		for _, inputs := range list {
			trees.Score(inputs)
		}
	}
}
