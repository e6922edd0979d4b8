package phaseid_test

import (
	"slices"
	"strings"
	"testing"

	"ken/internal/workflow/plan/phaseid"
)

func id(t *testing.T, s string) phaseid.ID {
	t.Helper()
	id, ok := phaseid.Parse(s)
	if !ok {
		t.Fatalf("%q is not a phase number", s)
	}
	return id
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ in, text, padded, key string }{
		{"1", "1", "01", "1"}, {"01", "01", "01", "1"}, {"12", "12", "12", "12"}, {"002", "002", "002", "2"}, {"2.1", "2.1", "02.1", "2.1"}, {"02.01", "02.01", "02.01", "2.1"},
		{"3A", "3A", "03A", "3a"}, {"16c", "16c", "16c", "16c"}, {"12A.1.2", "12A.1.2", "12A.1.2", "12a.1.2"}, {"CK-01", "CK-01", "01", "1"}, {"999.6", "999.6", "999.6", "999.6"},
		{"PROJ-42", "PROJ-42", "42", "42"}, {"AUTH", "AUTH", "AUTH", "auth"}, {"LONGPROJECT-1", "LONGPROJECT-1", "LONGPROJECT-1", "longproject-1"}, {" 5 ", "5", "05", "5"}, {"0", "0", "00", "0"},
	} {
		got := id(t, c.in)
		if got.String() != c.text || got.PaddedNumber() != c.padded || got.Key() != c.key {
			t.Errorf("%q: %q %q %q", c.in, got.String(), got.PaddedNumber(), got.Key())
		}
	}
	for _, bad := range []string{"", "-1", "1.", "1..2", "one", "../1", "1\n2", "1 of 3", "A b", strings.Repeat("A", 41)} {
		if got, ok := phaseid.Parse(bad); ok {
			t.Errorf("%q is read as %q", bad, got)
		}
	}
}

func TestCompare(t *testing.T) {
	want := []string{"0", "1", "02", "2.1", "2.1.1", "2.2", "2.10", "3", "3A", "3A.1", "3B", "10", "999.1", "99999999999999999999", "AUTH", "ZED"}
	list := make([]phaseid.ID, len(want))
	for i, s := range want {
		list[i] = id(t, s)
	}
	slices.Reverse(list)
	slices.SortFunc(list, phaseid.Compare)
	for i := range list {
		if list[i].String() != want[i] {
			t.Errorf("at %d: %s, want %s", i, list[i], want[i])
		}
	}
	if !phaseid.Same(id(t, "CK-02.1"), id(t, "2.01")) || phaseid.Same(id(t, "1"), id(t, "10")) {
		t.Error("Same")
	}
}

func TestFolder(t *testing.T) {
	for _, c := range []struct {
		name, id, slug string
		ok             bool
	}{
		{"01-setup", "01", "setup", true}, {"02.1-quick-fix", "02.1", "quick-fix", true}, {"03A-x", "03A", "x", true}, {"CK-01-setup", "CK-01", "setup", true}, {"999.2-idea", "999.2", "idea", true},
		{"7", "7", "", true}, {"AUTHSYS-42-login", "AUTHSYS-42", "login", true}, {"1009A-name", "1009A", "name", true}, {"3d-view", "3d", "view", true}, {"01_setup", "01", "setup", true}, {"phase-05", "05", "", true}, {"phase-5-api", "5", "api", true},
		{"notes", "", "", false}, {".git", "", "", false}, {"3dview", "", "", false}, {"README", "", "", false}, {"", "", "", false},
	} {
		id, slug, ok := phaseid.ParseFolder(c.name)
		if ok != c.ok || id.String() != c.id || slug != c.slug {
			t.Errorf("%q: %q %q %v", c.name, id, slug, ok)
		}
	}
}

func TestSlug(t *testing.T) {
	for in, want := range map[string]string{"Set up: the API!": "set-up-the-api", "  --x--  ": "x", "Ünïcode 2": "n-code-2", "": "", strings.Repeat("ab ", 40): "ab-ab-ab-a"} {
		if got := phaseid.Slug(in, 10); in != "Set up: the API!" && got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
		if got := phaseid.Slug(in, 60); in == "Set up: the API!" && got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestNext(t *testing.T) {
	var list []phaseid.ID
	for _, s := range []string{"1", "02", "2.1", "2.4", "2.1.7", "999.3", "AUTH"} {
		list = append(list, id(t, s))
	}
	if got := phaseid.NextNumber(list); got.String() != "3" {
		t.Errorf("next is %s", got)
	}
	for base, want := range map[string]string{"2": "2.5", "1": "1.1", "2.1": "2.1.8"} {
		if got := phaseid.NextDecimal(id(t, base), list); got.String() != want {
			t.Errorf("after %s: %s, want %s", base, got, want)
		}
	}
}
