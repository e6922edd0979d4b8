package history

import "math"

// Bounds of Lift: commits of more than liftFiles files do not count, because they are no evidence about any two of them,
// and a commit followed by liftMemory others weighs 1/e.
const (
	liftFiles  = 25
	liftMemory = 1500
)

// Lift returns how much likelier a commit changes a file if it changes a seed than otherwise: the logarithm of the
// quotient of the two chances, never below 0, by index of seed and of path. A file that changes all the time changes
// with every seed, too, but has no lift. seeds are indexes in paths. It returns an error if the history cannot be read.
func (v *View) Lift(paths []string, seeds []int) ([][]float64, error) {
	if err := v.open(); err != nil {
		return nil, err
	}
	place, err := v.places(paths)
	if err != nil {
		return nil, err
	}
	t := lifts{alone: make([]float64, len(paths)), with: make([][]float64, len(seeds)), seed: make([]int, len(paths))}
	for k, s := range seeds {
		t.with[k], t.seed[s] = make([]float64, len(paths)), k+1
	}
	weight := 1.0
	for i := len(v.when) - 1; i >= 0; i-- {
		if files := v.changedFiles(i); len(files) > 0 && len(files) <= liftFiles {
			t.add(files, place, weight)
		}
		weight *= 1 - 1.0/liftMemory
	}
	return t.rate(seeds), nil
}

// lifts are sums of the weights of commits: of all, of those that changed a file, and of those that changed it together
// with a seed.
type lifts struct {
	total float64
	alone []float64   // by path
	with  [][]float64 // by seed and path
	seed  []int       // by path: index of the seed it is, plus 1
	here  []int32     // paths of the current commit
}

func (t *lifts) add(files []uint32, place []int32, weight float64) {
	t.total += weight
	t.here = t.here[:0]
	for _, f := range files {
		if p := place[f]; p > 0 {
			t.here = append(t.here, p-1)
			t.alone[p-1] += weight
		}
	}
	for _, a := range t.here {
		if k := t.seed[a]; k > 0 {
			for _, p := range t.here {
				t.with[k-1][p] += weight
			}
		}
	}
}

// rate turns sums into lifts. The chances are computed with two imaginary commits more, in which the seed changed and
// the others as often as usual, so that few commits of a seed prove little.
func (t *lifts) rate(seeds []int) [][]float64 {
	const least = 1e-3
	for k, s := range seeds {
		for p := range t.with[k] {
			ever := t.alone[p] / (t.total + 1)
			chance := (t.with[k][p] + 2*ever) / (t.alone[s] + 2)
			t.with[k][p] = max(0, math.Log((chance+least)/(ever+least)))
		}
		t.with[k][s] = 0
	}
	return t.with
}
