package patterns

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"ken/internal/knowledge/convention"
)

func TestFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "patterns")
	here, there := New(dir, "/a"), New(dir, "/b")
	if got := here.Get(); got != nil {
		t.Errorf("%v before there were any", got)
	}
	for _, want := range [][]convention.Pattern{{{About: "file names, go", Pattern: "snake_case", Agree: 9, Samples: 10}}, {{Dir: "src", Pattern: "*.service.ts", Agree: 5, Samples: 5}}} {
		if err := here.Put(want); err != nil {
			t.Fatal(err)
		}
		if got := here.Get(); !reflect.DeepEqual(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if got := there.Get(); got != nil {
		t.Errorf("another project has %v", got)
	}
	for _, broken := range []string{"", "x", "{}", strings.Repeat("[", maxFile), strings.Repeat(" ", maxFile+1)} {
		if err := os.WriteFile(here.path, []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := here.Get(); got != nil {
			t.Errorf("%.20q gives %v", broken, got)
		}
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("%v %v are left", list, err)
	}
	if err := New("", "/a").Put(nil); err != nil || New("", "/a").Get() != nil {
		t.Error("without a directory nothing is kept")
	}
}
