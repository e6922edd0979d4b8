package resolve

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCHeadersSorted(t *testing.T) {
	for _, list := range [][]string{cHeaders, cppHeaders} {
		if !slices.IsSorted(list) {
			sorted := slices.Sorted(slices.Values(list))
			t.Errorf("not sorted (-want +got):\n%s", cmp.Diff(sorted, list))
		}
	}
	for spec, want := range map[string]bool{"stdio.h": true, "vector": true, "cstdio": true, "sys/types.h": true, "dict.h": false, "map.h": false, "gtest/gtest.h": false, "": false, "c": false} {
		if got := isCStd(spec); got != want {
			t.Errorf("isCStd(%q) = %v", spec, got)
		}
	}
}

func TestShellWords(t *testing.T) {
	for command, want := range map[string][]string{
		`cc -I. "-Ia b" -DX='"y z"' a\ b.c`: {"cc", "-I.", "-Ia b", `-DX="y z"`, "a b.c"},
		"":                                  nil,
		` cc  ""`:                           {"cc", ""},
		`cc "open`:                          {"cc", "open"},
	} {
		if diff := cmp.Diff(want, shellWords(command)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", command, diff)
		}
	}
}

func TestPlaceCompileCommands(t *testing.T) {
	c := parseCompileCommands([]byte(`[
		{"directory": "/home/u/p/build", "file": "../src/a.c", "command": "cc -I../include -isystem /usr/include -iquote ../q -c ../src/a.c"},
		{"directory": "/home/u/p/build", "file": "/home/u/p/lib/b.c", "arguments": ["cc", "-I", "/home/u/p/lib", "-I."]}]`))
	for _, at := range []string{"compile_commands.json", "build/compile_commands.json"} {
		got := c.place(at)
		if diff := cmp.Diff(map[string]int{"src/a.c": 0, "lib/b.c": 1}, got.files); diff != "" {
			t.Errorf("%s: files (-want +got):\n%s", at, diff)
		}
		want := [][]searchDir{{{"q", true}, {"include", false}}, {{"lib", false}, {"build", false}}}
		if diff := cmp.Diff(want, got.lists); diff != "" {
			t.Errorf("%s: lists (-want +got):\n%s", at, diff)
		}
	}
}
