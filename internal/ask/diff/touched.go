package diff

import (
	"bytes"
	"cmp"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/source"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// symbols finds the indexed declarations that contain a file's changed lines. Where the index has another content than the new side,
// its declarations are matched by name.
func (d *differ) symbols(f *diffFile) error {
	row, ok, err := d.s.Index.FileByPath(f.Path)
	if err != nil || !ok || f.Status == DiffDeleted {
		return err
	}
	rows, err := d.s.Index.Symbols(row.ID)
	if err != nil {
		return err
	}
	for i := range rows {
		rows[i].Path = f.Path
	}
	text := textLines(f.now.MaskedText(d.reader))
	if f.now.Hash() == row.Hash {
		plain := make([]code.Symbol, len(rows))
		for i := range rows {
			plain[i] = rows[i].Symbol
		}
		for _, i := range touchedSymbols(plain, f.Lines, text) {
			f.Symbols = append(f.Symbols, view.RowSymbol(&rows[i]))
		}
		return nil
	}
	syms := d.declarations(f.Path, f.now)
	for _, i := range touchedSymbols(syms, f.Lines, text) {
		at := slices.IndexFunc(rows, func(r store.SymbolRow) bool { return r.Qualified == syms[i].Qualified && r.Kind == syms[i].Kind })
		if at >= 0 && !slices.ContainsFunc(f.Symbols, func(had view.Symbol) bool { return had.ID == view.RowSymbol(&rows[at]).ID }) {
			f.Symbols = append(f.Symbols, view.RowSymbol(&rows[at]))
		}
	}
	return nil
}

// textLines returns the lines of a text without surrounding white space; line n is at n-1.
func textLines(text []byte) [][]byte {
	lines := bytes.Split(text, []byte{'\n'})
	for i := range lines {
		lines[i] = bytes.TrimSpace(lines[i])
	}
	return lines
}

// touchedSymbols returns the indexes of the symbols of a file that contain a changed line outside their inner symbols, or a place
// where lines were deleted. Empty lines change nothing; comments, decorators and attributes right above a declaration belong to it.
func touchedSymbols(syms []code.Symbol, lines []source.LineRange, text [][]byte) []int {
	c := changedPlaces(lines, text)
	inside, covered := make([]int, len(syms)), make([]uint32, len(syms)) // of each symbol, by its children so far
	first := make([]uint32, len(syms))
	top := uint32(0)
	for i := range syms {
		sp, p := syms[i].Span, syms[i].Parent
		above := &top
		if p >= 0 && int(p) < i {
			above = &covered[p]
			*above = max(*above, 2*syms[p].Span.Line)
		}
		first[i] = sp.Line
		for first[i] > 1 && 2*(first[i]-1) > *above && int(first[i])-2 < len(text) { // comments, decorators and attributes above
			line := text[first[i]-2]
			if !source.IsComment(line) && !bytes.HasPrefix(line, []byte("@")) && !bytes.HasPrefix(line, []byte("[")) {
				break
			}
			first[i]--
		}
		if p >= 0 && int(p) < i {
			inside[p] += c.within(max(2*first[i], covered[p]+1), 2*min(sp.EndLine, syms[p].Span.EndLine))
		}
		*above = max(*above, 2*sp.EndLine)
	}
	var out []int
	for i := range syms {
		if c.within(2*first[i], 2*syms[i].Span.EndLine) > inside[i] {
			out = append(out, i)
		}
	}
	return out
}

// places are ranges of changed places in a text. Line n is place 2n, and a
// deletion before line n is place 2n-1.
type places []placeRange

type placeRange struct {
	from, to uint32 // both even, or one odd place
	before   int    // number of places in earlier ranges
}

func (r *placeRange) upTo(place uint32) int { return int(min(place, r.to)/2-r.from/2) + 1 }

func changedPlaces(lines []source.LineRange, text [][]byte) places {
	var out places
	n := 0
	add := func(from, to uint32) {
		r := placeRange{from, to, n}
		n += r.upTo(to)
		out = append(out, r)
	}
	for _, r := range lines {
		if r.End < r.Start {
			add(2*r.Start-1, 2*r.Start-1)
		}
		from := r.Start
		for l := r.Start; l <= r.End; l++ {
			if int(l) <= len(text) && len(text[l-1]) == 0 {
				if from < l {
					add(2*from, 2*(l-1))
				}
				from = l + 1
			}
		}
		if from <= r.End {
			add(2*from, 2*r.End)
		}
	}
	return out
}

// within counts the changed places from and to, both included.
func (c places) within(from, to uint32) int {
	if from > to {
		return 0
	}
	return c.upTo(to) - c.upTo(from-1)
}

// upTo counts the changed places up to one.
func (c places) upTo(place uint32) int {
	i, _ := slices.BinarySearchFunc(c, place+1, func(r placeRange, want uint32) int { return cmp.Compare(r.from, want) })
	if i == 0 {
		return 0
	}
	return c[i-1].before + c[i-1].upTo(place)
}
