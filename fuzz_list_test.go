package ken

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFuzzList: .ci/fuzz runs every fuzz target of the module.
func TestFuzzList(t *testing.T) {
	script, err := os.ReadFile(".ci/fuzz")
	if err != nil {
		t.Fatal(err)
	}
	var listed, found []string
	for _, m := range regexp.MustCompile(`(?m)^(\S+:Fuzz\w+) [1-9]\d*$`).FindAllStringSubmatch(string(script), -1) {
		listed = append(listed, m[1])
	}
	target := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)
	err = fs.WalkDir(os.DirFS("."), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, "_test.go") {
			return err
		}
		text, err := os.ReadFile(p)
		for _, m := range target.FindAllStringSubmatch(string(text), -1) {
			found = append(found, path.Dir(p)+":"+m[1])
		}
		return err
	})
	if err != nil || len(found) == 0 {
		t.Fatalf("%d targets found: %v", len(found), err)
	}
	slices.Sort(listed)
	slices.Sort(found)
	if diff := cmp.Diff(listed, found); diff != "" {
		t.Errorf(".ci/fuzz (-listed +found):\n%s", diff)
	}
}
