package look

import (
	"bytes"
	"strings"
	"testing"

	"ken/internal/engine/source/secret/sample"
)

// readValues reads a file of samples whose groups have a kind and a name, and calls f with each value.
func readValues(t *testing.T, path string, f func(group sample.Group, s sample.Sample, v Value)) {
	t.Helper()
	groups, err := sample.Read(path, 99)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range groups {
		f(g, sample.Sample{}, Value{})
		for _, s := range g.Samples {
			quoted := bytes.HasPrefix(s.Text, []byte(`"`))
			f(g, s, New(s.Text[1:len(s.Text)-1], quoted))
		}
	}
}

// TestProperties finds each property in its samples, and not in those that differ from them in little.
func TestProperties(t *testing.T) {
	number := map[string]Property{}
	for i, p := range properties {
		number[p.name] = Property(i)
	}
	yes, no := map[string]int{}, map[string]int{}
	readValues(t, "testdata/properties.txt", func(g sample.Group, s sample.Sample, v Value) {
		name := strings.Join(g.Words[1:], " ")
		p, ok := number[name]
		if !ok {
			t.Fatalf("properties.txt:%d: no property %q", g.Line, name)
		}
		if s.Raw == "" {
			return
		}
		if s.Must {
			yes[name]++
		} else {
			no[name]++
		}
		for range 2 { // the second time what was measured is remembered
			if v.Has(p) != s.Must {
				t.Errorf("properties.txt:%d: %s of %q is %v", s.Line, name, v.Text, !s.Must)
			}
		}
	})
	for _, p := range properties {
		name := p.name
		if yes[name] == 0 || no[name] == 0 {
			t.Errorf("property %s has %d samples that have it and %d that have it not; each needs one", name, yes[name], no[name])
		}
	}
}

// decider is the row of a shape that decides a value, nil if the common demand refuses it or no row meets it; and the shape's
// verdict.
func decider(s *shape, v Value) (*row, bool) {
	if s.trim {
		v = New(bytes.TrimRight(v.Text, "="), v.quoted)
	}
	if !v.Meets(&s.common) {
		return nil, false
	}
	for i := range s.rows {
		if v.Meets(&s.rows[i].Demand) {
			return &s.rows[i], s.rows[i].verdict == accept
		}
	}
	return nil, len(s.rows) == 0
}

// TestShapes finds in the samples of each row that it decides them, and in the others that none does.
func TestShapes(t *testing.T) {
	number := map[string]int{}
	for i := range shapes {
		number[shapes[i].name] = i
	}
	var shape int
	var row string
	yes, no := map[string]int{}, map[string]int{}
	readValues(t, "testdata/shapes.txt", func(g sample.Group, s sample.Sample, v Value) {
		name := strings.Join(g.Words[1:], " ")
		if s.Raw == "" {
			if row = name; g.Words[0] == "shape" {
				var ok bool
				if shape, ok = number[name]; !ok {
					t.Fatalf("shapes.txt:%d: no shape %q", g.Line, name)
				}
				row = ""
			}
			return
		}
		sh := &shapes[shape]
		by, want := decider(sh, v)
		got := ""
		if by != nil {
			got = by.name
		}
		if got != row {
			t.Errorf("shapes.txt:%d: %s: row %q decides %q, not %q", s.Line, sh.name, got, v.Text, row)
		}
		if v.Has(firstShape+Property(shape)) != want || row == "" && s.Must != want {
			t.Errorf("shapes.txt:%d: %s of %q is %v", s.Line, sh.name, v.Text, !want)
		}
		if s.Must {
			yes[sh.name+"/"+row]++
		} else {
			no[sh.name]++
		}
	})
	for _, s := range shapes {
		if no[s.name] == 0 {
			t.Errorf("shape %s has no sample that is not one", s.name)
		}
		if len(s.rows) == 0 && yes[s.name+"/"] == 0 {
			t.Errorf("shape %s has no sample", s.name)
		}
		for _, r := range s.rows {
			if r.name == "" || r.why == "" || yes[s.name+"/"+r.name] == 0 {
				t.Errorf("row %q of shape %s needs a name, a reason (%q) and a sample", r.name, s.name, r.why)
			}
		}
	}
}
