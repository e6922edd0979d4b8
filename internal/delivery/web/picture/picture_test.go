package picture

import (
	"math"
	"testing"
)

// TestTreemap has tiles that fill the rectangle, do not overlap and have the areas of their values.
func TestTreemap(t *testing.T) {
	values := []float64{6, 0, 3, 1, 6, 2, 2, 4, 0.001}
	tiles := Treemap(values, 10, 20, 600, 400)
	if len(tiles) != 8 {
		t.Fatalf("%d tiles", len(tiles))
	}
	sum, all := 0.0, 0.0
	for _, v := range values {
		all += v
	}
	for i, a := range tiles {
		area := a.W * a.H
		sum += area
		if want := values[a.Index] / all * 600 * 400; math.Abs(area-want) > 1e-6*600*400 {
			t.Errorf("tile %d has %g, want %g", a.Index, area, want)
		}
		if a.X < 10-1e-9 || a.Y < 20-1e-9 || a.X+a.W > 610+1e-6 || a.Y+a.H > 420+1e-6 {
			t.Errorf("tile %d is outside: %+v", a.Index, a)
		}
		for _, b := range tiles[:i] {
			if min(a.X+a.W, b.X+b.W)-max(a.X, b.X) > 1e-6 && min(a.Y+a.H, b.Y+b.H)-max(a.Y, b.Y) > 1e-6 {
				t.Errorf("tiles %d and %d overlap", a.Index, b.Index)
			}
		}
	}
	if math.Abs(sum-600*400) > 1e-3 {
		t.Errorf("the tiles have %g of %d", sum, 600*400)
	}
	for _, none := range [][]float64{nil, {0, 0}, {-1}} {
		if got := Treemap(none, 0, 0, 10, 10); got != nil {
			t.Errorf("%v: %v", none, got)
		}
	}
}
