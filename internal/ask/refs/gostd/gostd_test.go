package gostd

import (
	"go/importer"
	"go/token"
	"go/types"
	"strconv"
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	methods := map[string]string{
		"Len": "func (s sorter) Len() int", "Less": "func (s sorter) Less(i, j int) bool", "Swap": "func (s sorter) Swap(i, j int)",
		"Read": "func (s sorter) Read(f func(a, b int)) error", "ServeHTTP": "func (s sorter) ServeHTTP(a, b, c int)",
	}
	for name, want := range map[string]string{
		"Len": "sort.Interface", "Swap": "sort.Interface", "Read": "io.Reader", "ServeHTTP": "", "String": "",
	} {
		if got := Of(methods, name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestTypesAreThoseOfGo compares the table with Go's own library, as the type checker reads it from its source: each listed method is
// there with as many parameters. Methods that a newer Go adds may be missing in the table.
func TestTypesAreThoseOfGo(t *testing.T) {
	std := importer.ForCompiler(token.NewFileSet(), "source", nil)
	for line := range strings.Lines(Types) {
		name, list, _ := strings.Cut(strings.TrimSpace(line), " ")
		at := strings.LastIndexByte(name, '.')
		pkg, err := std.Import(name[:at])
		if err != nil {
			t.Fatal(err)
		}
		have := types.NewMethodSet(types.NewPointer(pkg.Scope().Lookup(name[at+1:]).Type()))
		for want := range strings.FieldsSeq(list) {
			method, parameters, _ := strings.Cut(want, "/")
			found := have.Lookup(pkg, method)
			if found == nil {
				t.Errorf("%s has no method %s", name, method)
			} else if n := found.Type().(*types.Signature).Params().Len(); strconv.Itoa(n) != parameters {
				t.Errorf("%s.%s has %d parameters, not %s", name, method, n, parameters)
			}
		}
	}
}
