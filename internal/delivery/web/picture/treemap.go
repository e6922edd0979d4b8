// Package picture lays out what pages draw: a treemap, a matrix, points. A layout has a bounded number of marks, however large
// the repository is, and needs no simulation. Its neighbour delivery/web fills in names and links.
package picture

import (
	"cmp"
	"slices"
)

// Tile is a rectangle of a treemap.
type Tile struct {
	Index      int // of its value
	X, Y, W, H float64
}

// Treemap divides a rectangle into tiles whose areas are as their values are, the largest first, and as close to squares as the method of
// Bruls, Huizing and van Wijk (2000) has them. Values that are not positive have no tile.
func Treemap(values []float64, x, y, w, h float64) []Tile {
	order := make([]int, 0, len(values))
	sum := 0.0
	for i, v := range values {
		if v > 0 {
			order = append(order, i)
			sum += v
		}
	}
	if sum == 0 || w <= 0 || h <= 0 {
		return nil
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	scale := w * h / sum
	var out []Tile
	for len(order) > 0 {
		short := min(w, h)
		n, area := 1, values[order[0]]*scale
		for n < len(order) {
			next := area + values[order[n]]*scale
			if worst(values, order[:n+1], scale, next, short) > worst(values, order[:n], scale, area, short) {
				break
			}
			n, area = n+1, next
		}
		thick := area / short
		along := 0.0
		for _, i := range order[:n] {
			length := values[i] * scale / thick
			if w >= h {
				out = append(out, Tile{i, x, y + along, thick, length})
			} else {
				out = append(out, Tile{i, x + along, y, length, thick})
			}
			along += length
		}
		if w >= h {
			x, w = x+thick, w-thick
		} else {
			y, h = y+thick, h-thick
		}
		order = order[n:]
	}
	return out
}

// worst returns the largest ratio of the sides of tiles that are laid in one row.
func worst(values []float64, row []int, scale, area, short float64) float64 {
	thick := area / short
	most := 0.0
	for _, i := range row {
		length := values[i] * scale / thick
		most = max(most, thick/length, length/thick)
	}
	return most
}
