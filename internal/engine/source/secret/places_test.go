package secret

import (
	"strings"
	"testing"

	"ken/internal/engine/source/secret/sample"
)

// tables are the tables of places, and the rules whose keywords lead to them.
var tables = []struct {
	name  string
	rows  []placeRow
	rules string
}{
	{"token", tokenRows[:], "generic-api-key generic-private-key generic-token generic-secret generic-credential"},
	{"password", passwordRows[:], "generic-password generic-password-short"},
	{"key", keyRows[:], "generic-key generic-auth"},
	{"setting", settingRows[:], "generic-api-key generic-private-key generic-token generic-secret generic-credential generic-password generic-password-short generic-key generic-auth"},
	{"code", codeRows[:], "generic-api-key generic-private-key generic-token generic-secret generic-credential generic-password generic-password-short generic-key generic-auth"},
}

// deciders are the names of the rows that decide on a value of a text, at each keyword that leads to it; "" if none does.
func deciders(e *Engine, text []byte, span [2]int, rows []placeRow, rules string) map[string]bool {
	out := map[string]bool{}
	for i := range e.rules {
		if !strings.Contains(" "+rules+" ", " "+e.rules[i].ID+" ") {
			continue
		}
		for _, key := range e.rules[i].Keys {
			low := strings.ToLower(string(text))
			for hi := 0; strings.Contains(low[hi:], key); {
				lo := hi + strings.Index(low[hi:], key)
				hi = lo + len(key)
				p := readPlace(text, lo, hi)
				if p == nil || [2]int{p.start, p.start + p.size} != span {
					continue
				}
				name := ""
				if r := p.matchingRow(rows); r != nil {
					name = r.name
				}
				out[name] = true
			}
		}
	}
	return out
}

// TestPlaces finds in the samples of each row that it decides them, and in the others that no row does.
func TestPlaces(t *testing.T) {
	groups, err := sample.Read("testdata/places.txt", 99)
	if err != nil {
		t.Fatal(err)
	}
	e := New()
	table, row := -1, ""
	seen := map[string]int{}
	for _, g := range groups {
		if row = strings.Join(g.Words[1:], " "); g.Words[0] == "table" {
			for table = len(tables) - 1; table >= 0 && tables[table].name != row; table-- {
			}
			if row = ""; table < 0 {
				t.Fatalf("places.txt:%d: no table %q", g.Line, g.Words[1])
			}
		}
		tb := tables[table]
		for _, s := range g.Samples {
			seen[tb.name+"/"+row]++
			if len(s.Spans) != 1 || s.Must == (row == "") {
				t.Fatalf("places.txt:%d: one value is to be marked, and + is for rows", s.Line)
			}
			if got := deciders(e, s.Text, s.Spans[0], tb.rows, tb.rules); !got[row] {
				t.Errorf("places.txt:%d: table %s: %q is decided by %v, not by %q", s.Line, tb.name, s.Text, got, row)
			}
		}
	}
	for _, tb := range tables {
		names := map[string]bool{"": true}
		for _, r := range tb.rows {
			if names[r.name] || r.why == "" {
				t.Errorf("table %s: row %q needs a name of its own and a reason", tb.name, r.name)
			}
			names[r.name] = true
		}
		for name := range names {
			if seen[tb.name+"/"+name] == 0 {
				t.Errorf("table %s: row %q has no sample", tb.name, name)
			}
		}
	}
}

// TestPlaceProperties checks that each property of a place has a meaning and a function.
func TestPlaceProperties(t *testing.T) {
	for i, p := range placeProperties {
		if p.meaning == "" || p.has == nil {
			t.Errorf("property %d has no row", i)
		}
	}
}
