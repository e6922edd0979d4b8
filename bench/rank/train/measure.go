package train

import (
	"fmt"
	"math"
	"slices"
)

// Figures are how well samples are ranked, as sums.
type Figures struct {
	samples     int
	total       float64
	acc5, acc10 int     // samples with all that is right among the first
	recall10    float64 // share of the right candidates among the first 10
	reciprocal  float64 // 1/rank of the first that is right
}

// Measure ranks samples by some weights.
func Measure(samples []Sample, w []float64) Figures {
	var f Figures
	for i := range samples {
		f.add(&samples[i], w)
	}
	return f
}

// Add sums figures of other samples.
func (f *Figures) Add(o Figures) {
	f.samples, f.total = f.samples+o.samples, f.total+o.total
	f.acc5, f.acc10 = f.acc5+o.acc5, f.acc10+o.acc10
	f.recall10, f.reciprocal = f.recall10+o.recall10, f.reciprocal+o.reciprocal
}

func (f *Figures) add(s *Sample, w []float64) {
	f.samples++
	f.total += s.Total
	scores := make([]float64, len(s.Rows))
	for j := range s.Rows {
		scores[j] = dotProduct(w, s.Rows[j].Features)
	}
	best, worst := math.MaxInt, 0
	for j, r := range s.Rows {
		if r.Share == 0 {
			continue
		}
		place := 1
		for k, v := range scores {
			if v > scores[j] || v == scores[j] && k > j { // of a tie the worst is taken
				place++
			}
		}
		best, worst = min(best, place), max(worst, place)
		if place <= 10 {
			f.recall10 += r.Share
		}
	}
	if worst == 0 {
		return
	}
	f.reciprocal += 1 / float64(best)
	if s.isComplete() && worst <= 5 {
		f.acc5++
	}
	if s.isComplete() && worst <= 10 {
		f.acc10++
	}
}

// String gives the figures as means.
func (f Figures) String() string {
	n := float64(max(1, f.samples))
	return fmt.Sprintf("n %d  Acc@5 %.1f  Acc@10 %.1f  MRR %.3f  recall@10 %.3f",
		f.samples, 100*float64(f.acc5)/n, 100*float64(f.acc10)/n, f.reciprocal/n, f.recall10/max(f.total, 1e-9))
}

// maxGroups is the number of parts for cross-validation if there are more groups than that.
const maxGroups = 10

// MeasureLeftOut measures samples by cross-validation: the weights for a sample are fitted without its group.
func MeasureLeftOut(samples []Sample, o Options) Figures {
	var groups []string
	for i := range samples {
		groups = append(groups, samples[i].Group)
	}
	slices.Sort(groups)
	groups = slices.Compact(groups)
	var sum Figures
	for part := range min(maxGroups, len(groups)) {
		var rest, held []Sample
		for i := range samples {
			if g, _ := slices.BinarySearch(groups, samples[i].Group); g%maxGroups == part {
				held = append(held, samples[i])
			} else {
				rest = append(rest, samples[i])
			}
		}
		sum.Add(Measure(held, Fit(rest, o)))
	}
	return sum
}
