package extract

import (
	"path"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestFolder: what is read of a file depends on its name and content and not on the
// folder it is in, so that what is known of a file that moved is taken over, unless
// ReadsFolder says so.
func TestFolder(t *testing.T) {
	archives, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	e := testExtractor(t)
	files, differ := 0, 0
	for _, archive := range archives {
		a, err := txtar.ParseFile(archive)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			l, base := languageOf(f.Name), path.Base(f.Name)
			if l == "" {
				continue
			}
			files++
			one := e.Extract("src/main/"+base, l, f.Data)
			other := e.Extract("Tests/x.ml/python/test/Sources/deep/"+base, l, f.Data)
			if reflect.DeepEqual(one, other) {
				continue
			}
			if differ++; !ReadsFolder(l) {
				t.Errorf("%s: %s reads otherwise in another folder", archive, f.Name)
			}
		}
	}
	if files < 100 || differ == 0 {
		t.Errorf("%d files were read, %d otherwise in another folder", files, differ)
	}
}
