package unused

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestBlockMarks compares the search from one name to the next with one from the beginning, which passes marks behind an open quote.
func TestBlockMarks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, marks := range [][2]string{{"/*", "*/"}, {"<!--", "-->"}, {"--[[", "]]"}, {"'''", "'''"}} {
		parts := []string{marks[0], marks[1], "/", "*", "-", "<!", "]", "'", "x", "\n"}
		for range 300 {
			var text []byte
			for range r.IntN(40) {
				text = append(text, parts[r.IntN(len(parts))]...)
			}
			var b blockMarks
			for i := 0; i < len(text); i += r.IntN(5) - 1 {
				i = max(i, 0)
				open, quotes := -1, 0
				for k := range i {
					switch {
					case text[k] == '\n':
						quotes = 0
					case quotes%2 == 0 && bytes.HasPrefix(text[k:i], []byte(marks[0])):
						open = k
					}
					if text[k] == '\'' {
						quotes++
					}
				}
				want := open >= 0 && !bytes.Contains(text[open:i], []byte(marks[1]))
				if got := b.isOpen(text, marks, i); got != want {
					t.Fatalf("%q at %d: %t", text, i, got)
				}
				if r.IntN(4) == 0 {
					i++
				}
			}
		}
	}
}
