package vector

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// random returns a vector around a centre.
func random(r *rand.Rand, centre []float32, spread float64) []float32 {
	out := make([]float32, len(centre))
	for i := range out {
		out[i] = centre[i] + float32(r.NormFloat64()*spread)
	}
	return Unit(out)
}

func exact(a, b []float32) float64 {
	s := 0.0
	for i := range a {
		s += float64(a[i]) * float64(b[i])
	}
	return s
}

func TestCosine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 7, 64, 384, 1536} {
		worst := 0.0
		for range 200 {
			a, b := random(r, make([]float32, n), 1), random(r, make([]float32, n), 1)
			worst = max(worst, math.Abs(float64(Cosine(a, Row(b, n)))-exact(a, b)))
		}
		if worst >= 0.01 {
			t.Errorf("%d dimensions: off by %f", n, worst)
		}
		if d := Distance(Code(Row(random(r, make([]float32, n), 1), n)), make([]byte, CodeLen(n))); d > n {
			t.Errorf("%d dimensions, %d signs differ", n, d)
		}
	}
	v := Unit([]float32{3, 0, -4})
	row := Row(v, 3)
	if got := Cosine(v, row); math.Abs(float64(got)-1) > 0.01 {
		t.Errorf("a vector and itself: %f", got)
	}
	if got := Code(row); got[0] != 1 || len(got) != 8 {
		t.Errorf("code %v", got)
	}
}

func TestNone(t *testing.T) {
	for _, v := range [][]float32{nil, {0, 0}, {float32(math.NaN()), 1}, {float32(math.Inf(1)), 1}} {
		if Unit(v) != nil {
			t.Errorf("%v has a direction", v)
		}
	}
	row := Row(nil, 3)
	if Dimensions(len(row)) != 3 || Cosine([]float32{1, 0, 0}, row) != 0 {
		t.Errorf("row of nothing: %v", row)
	}
	if Cosine([]float32{1, 0}, row) != 0 || Cosine([]float32{1}, nil) != 0 {
		t.Error("vectors of different lengths are near")
	}
}

// TestNearest looks for the ten nearest of 10,000 vectors by codes and rows: what
// numbers of full precision find must be found, but for one or two.
func TestNearest(t *testing.T) {
	const n, dims, want, keep = 10_000, 128, 10, 1000
	r := rand.New(rand.NewPCG(3, 4))
	centres := make([][]float32, 200)
	for i := range centres {
		centres[i] = random(r, make([]float32, dims), 1)
	}
	all, rows, codes := make([][]float32, n), make([][]byte, n), make([][]byte, n)
	for i := range all {
		all[i] = random(r, centres[r.IntN(len(centres))], 0.05)
		rows[i] = Row(all[i], dims)
		codes[i] = Code(rows[i])
	}
	found := 0
	for range 20 {
		q := random(r, centres[r.IntN(len(centres))], 0.05)
		qc := Code(Row(q, dims))
		var list []Near
		for i, c := range codes {
			list = append(list, Near{Content: int32(i), Distance: int32(Distance(qc, c))})
		}
		list = Nearest(list, keep)
		near := map[int32]float32{}
		for _, x := range list {
			near[x.Content] = Cosine(q, rows[x.Content])
		}
		slices.SortFunc(list, func(a, b Near) int { return cmp.Compare(near[b.Content], near[a.Content]) })
		best, by := make([]int, n), make([]float64, n)
		for i := range best {
			best[i], by[i] = i, exact(q, all[i])
		}
		slices.SortFunc(best, func(a, b int) int { return cmp.Compare(by[b], by[a]) })
		for _, b := range best[:want] {
			if slices.ContainsFunc(list[:want], func(x Near) bool { return int(x.Content) == b }) {
				found++
			}
		}
	}
	if found < 20*want*9/10 {
		t.Errorf("%d of %d found", found, 20*want)
	}
	t.Logf("%d of %d found", found, 20*want)
}

func TestNearestTies(t *testing.T) {
	var list []Near
	for i := range 1000 {
		list = append(list, Near{Content: int32(i), Distance: int32(i % 2)})
	}
	if got := Nearest(slices.Clone(list), 100); len(got) != 400 || slices.ContainsFunc(got, func(x Near) bool { return x.Distance != 0 }) {
		t.Errorf("%d kept", len(got))
	}
	if got := Nearest(slices.Clone(list), 600); len(got) != 1000 {
		t.Errorf("%d kept", len(got))
	}
	if got := Nearest(list[:5], 600); len(got) != 5 {
		t.Errorf("%d kept", len(got))
	}
	if got := Nearest(nil, 1); len(got) != 0 {
		t.Errorf("%d kept", len(got))
	}
}

func BenchmarkDistance(b *testing.B) { // 200,000 codes of 384 dimensions
	codes := make([]byte, 200_000*CodeLen(384))
	q := make([]byte, CodeLen(384))
	list := make([]Near, 0, 200_000)
	for b.Loop() {
		list = list[:0]
		for i := range 200_000 {
			list = append(list, Near{Content: int32(i), Distance: int32(Distance(q, codes[i*len(q):(i+1)*len(q)]))})
		}
		Nearest(list, 1000)
	}
}

func BenchmarkCosine(b *testing.B) { // 1,000 rows of 1,536 dimensions
	r := rand.New(rand.NewPCG(1, 2))
	q := random(r, make([]float32, 1536), 1)
	row := Row(random(r, make([]float32, 1536), 1), 1536)
	for b.Loop() {
		for range 1000 {
			Cosine(q, row)
		}
	}
}
