package fleet

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"ken/internal/ask/surface"
)

const (
	first = `{"type":"surface","schema":1}` + "\n"
	last  = `{"type":"coverage"}` + "\n"
)

func TestReadRecords(t *testing.T) {
	list, err := ReadRecords(strings.NewReader(first + `{"type":"use","manager":"npm","package":"a","symbol":"b","unknown":[1],"uses":2}` + "\n" + last))
	if err != nil || len(list) != 3 || list[1].Symbol != "b" {
		t.Fatal(list, err)
	}
	for text, want := range map[string]string{
		"": ErrNoSurface.Error(), "{}\n": ErrNoSurface.Error(), "\x00\xff": ErrNoSurface.Error(), last: ErrNoSurface.Error(), "[1]\n": ErrNoSurface.Error(),
		first: "its end is missing", first + "nonsense\n" + last: "line 2 is no record", first + `{"type":5}` + "\n" + last: "line 2 is no record",
		`{"type":"surface","schema":2}` + "\n" + last: "it has format 2, this ken reads 1", `{"type":"surface"}` + "\n" + last: "it has format 0, this ken reads 1",
		first + `{"type":"use","uses":-1}` + "\n" + last:                                         "line 2 has a value that ken surface does not write",
		first + `{"type":"use","symbol":"` + strings.Repeat("x", maxText+1) + `"}` + "\n" + last: "line 2 has a value that ken surface does not write",
		first + strings.Repeat("x", maxLine+1):                                                   "line 2 is longer than 1048576 bytes",
		first + strings.Repeat("{}\n", maxRecords):                                               "it has more than 64 MB or 500000 lines",
		first + strings.Repeat(`{"module":"`+strings.Repeat("y", 10000)+`"}`+"\n", 7000):         "it has more than 64 MB or 500000 lines",
	} {
		if testing.Short() && len(text) > 2*maxLine {
			continue
		}
		if _, err := ReadRecords(strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%.60q: %v, want %s", text, err, want)
		}
	}
}

// FuzzReadRecords: whatever a file holds, it is read within its bounds or refused, and what was read can be joined and asked.
func FuzzReadRecords(f *testing.F) {
	f.Add(first + last)
	f.Add(first + `{"type":"package","manager":"maven","package":"a:b","modules":["a","a.b",""]}` + "\n" + `{"type":"use","manager":"maven","module":"a.b.C","symbol":"C"}` + "\n" + last)
	f.Add(first + `{"type":"reexport","manager":"npm","package":"a","from":"a","symbol":"*","from_symbol":"*"}` + "\n" + `{"type":"use","manager":"npm","package":"a","symbol":"x"}` + "\n" + last)
	f.Add(first + `{"type":"dependency","manager":"pypi","package":"x","declared":"==1.0","locked_versions":["1!2.0rc1","?"]}` + "\n" + last)
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ReadRecords(strings.NewReader(text))
		if err != nil {
			if errors.Is(err, ErrNoSurface) && len(list) > 0 {
				t.Error("refused, and read")
			}
			return
		}
		fleet := New([]Member{{"one", list}, {"two", list}})
		for i := range list {
			r := &list[i]
			fleet.SymbolUsers(r.Symbol, r.Package)
			fleet.PackageUsers(r.Package, "1.0")
			for _, v := range r.Locked {
				if c, ok := CompareVersions(r.Manager, v, v); ok && c != 0 {
					t.Errorf("%s: %q differs from itself", r.Manager, v)
				}
			}
			fleet.Impact([]Changed{{r.Manager, r.Package, "", r.Symbol}}, "one")
		}
		if _, err := json.Marshal(list); err != nil {
			t.Error(err)
		}
	})
}

// TestJoin: a cycle of packages that pass each other on ends, hops are bounded, and a module that two packages provide is attributed to none.
func TestJoin(t *testing.T) {
	pack := func(name string, modules ...string) surface.Record {
		return surface.Record{Type: surface.TypePackage, Manager: "npm", Package: name, Modules: modules}
	}
	passes := func(in, from, symbol, original string) surface.Record {
		return surface.Record{Type: surface.TypeReexport, Manager: "npm", Package: in, From: from, Module: from, Symbol: symbol, FromName: original}
	}
	uses := func(pkg, mod, symbol, tier string) surface.Record {
		return surface.Record{Type: surface.TypeUse, Manager: "npm", Package: pkg, Module: mod, Symbol: symbol, Tier: tier, Uses: 1}
	}
	f := New([]Member{
		{"a", []surface.Record{pack("a"), passes("a", "b", "*", "*")}},
		{"b", []surface.Record{pack("b"), passes("b", "a", "*", "*"), uses("a", "a", "y", "import-resolved")}},
		{"c", []surface.Record{pack("c"), uses("a", "a", "x", "import-resolved"), uses("", "shared/z", "Z", "")}},
		{"d", []surface.Record{pack("d", "shared"), uses("c", "c", "w", "import-resolved")}},
		{"e", []surface.Record{pack("e", "shared"), uses("d", "d", "v", "import-resolved")}},
		{"f", []surface.Record{pack("f"), uses("e", "e", "u", "import-resolved")}},
	})
	var got []string
	for _, u := range f.SymbolUsers("x", "b") {
		got = append(got, u.Repository+" "+u.Through)
	}
	if strings.Join(got, "; ") != "c a as a" {
		t.Errorf("x of b is used by %q", got)
	}
	if list := f.SymbolUsers("Z", ""); len(list) > 0 {
		t.Errorf("Z is attributed: %v", list)
	}
	got = nil
	for _, r := range f.Impact([]Changed{{"npm", "a", "", "x"}}, "a") {
		got = append(got, strings.Repeat(">", r.Hop)+r.Repository)
	}
	if strings.Join(got, " ") != ">c >>d >>>e" {
		t.Errorf("a change of x reaches %q", got)
	}
}
