package resolve

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ken/internal/code"
	"ken/internal/lang"
)

// TestIncludeOracle counts the includes of a tree that point into it and how many
// of them are found. An include points inside if it names a file beside the one it
// stands in, or if some path ends in it and it is no header of the standard
// libraries: what a compiler could find at all.
//
//	KEN_ORACLE=1 KEN_CORPUS=/path/to/redis go test -run IncludeOracle
func TestIncludeOracle(t *testing.T) {
	root := os.Getenv("KEN_CORPUS")
	if os.Getenv("KEN_ORACLE") == "" || root == "" {
		t.Skip("KEN_ORACLE and KEN_CORPUS are not set")
	}
	files := cTree(t, root)
	tree := newMemTree(files)
	ends := map[string]bool{}
	for p := range files {
		for rest, ok := p, true; ok; _, rest, ok = strings.Cut(rest, "/") {
			ends[rest] = true
		}
	}
	r := New(tree)
	include := regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*(<[^>\n]+>|"[^"\n]+")`)
	inside, found, outside := 0, 0, 0
	for p := range files {
		l := lang.Detect(p, nil)
		if l != langC && l != langCPP {
			continue
		}
		src, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(p)))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range include.FindAllSubmatch(src, -1) {
			spec := strings.Trim(string(m[1]), `"`)
			bare := strings.Trim(spec, "<>")
			beside, ok := join(code.Dir(p), bare)
			if ok = ok && spec == bare && tree.Has(beside); !ok && (!ends[path.Clean(bare)] || isCStd(bare)) {
				outside++
				continue
			}
			inside++
			if res := r.Resolve(p, l, &code.Import{Spec: spec}); res.File != "" {
				found++
				if ok && res.File != beside {
					t.Errorf("%s: %s leads to %s, not beside it", p, spec, res.File)
				}
			} else if inside-found <= 30 {
				t.Logf("%s: %s is not found", p, spec)
			}
		}
	}
	if inside == 0 {
		t.Skipf("no include of %s points inside", root)
	}
	rate := float64(found) / float64(max(inside, 1))
	t.Logf("%d includes point inside, %d outside; found %.4f", inside, outside, rate)
	if rate < 0.97 {
		t.Errorf("found are to be 0.97 at least")
	}
}

func cTree(t *testing.T, root string) map[string][]byte {
	files := map[string][]byte{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		if d.Type().IsRegular() {
			rel, err := filepath.Rel(root, p)
			files[filepath.ToSlash(rel)] = nil
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("%s holds no files of its own", root)
	}
	return files
}
