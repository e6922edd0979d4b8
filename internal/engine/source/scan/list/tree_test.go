package list

import (
	"flag"
	"ken/internal/engine/source/scan/scantest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the expected listings")

// TestList lists the trees of testdata. The comment of each may begin with
// settings: git (yes, no), track, remove (paths), root, include, exclude.
func TestList(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no trees: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			isolate(t)
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			set := settings(string(ar.Comment))
			for _, f := range ar.Files {
				if f.Name != "want" {
					scantest.Write(t, dir, f.Name, string(f.Data))
				}
			}
			if len(set["git"]) == 1 && set["git"][0] == "yes" {
				needGit(t)
				runGit(t, dir, "init", "-q")
				if len(set["track"]) > 0 {
					runGit(t, dir, append([]string{"add", "-f", "--"}, set["track"]...)...)
				}
			}
			for _, p := range set["remove"] {
				os.Remove(filepath.Join(dir, p))
			}
			root := filepath.Join(append([]string{dir}, set["root"]...)...)
			opt := Options{Root: root, Include: set["include"], Exclude: set["exclude"]}
			first := mustList(t, mustNew(t, opt), nil)
			got := render(first)
			// ken's rules alone, a look and a look from the stored form agree.
			own := opt
			own.NoGit = true
			stored, err := Decode(first.Encode())
			if err != nil {
				t.Fatal(err)
			}
			for what, l := range map[string]*Listing{
				"own": mustList(t, mustNew(t, own), nil), "look": mustList(t, mustNew(t, opt), first), "stored": mustList(t, mustNew(t, opt), stored),
			} {
				if d := cmp.Diff(got, render(l)); d != "" {
					t.Errorf("%s differs:\n%s", what, d)
				}
			}
			checkLookup(t, mustNew(t, opt), first, root)
			want := &ar.Files[len(ar.Files)-1]
			if *update {
				want.Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if d := cmp.Diff(string(want.Data), got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func settings(comment string) map[string][]string {
	set := map[string][]string{}
	for line := range strings.Lines(comment) {
		if key, value, ok := strings.Cut(line, ":"); ok && !strings.Contains(key, " ") {
			set[key] = strings.Fields(value)
		}
	}
	return set
}

func render(l *Listing) string {
	var b strings.Builder
	for _, e := range l.Files {
		b.WriteString(e.Path)
		if e.Dir {
			b.WriteByte('/')
		}
		if e.Tracked {
			b.WriteString(" (tracked)")
		}
		if e.Problem != "" {
			b.WriteString(" (" + string(e.Problem) + ")")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// checkLookup asks about every path on disk and compares with the listing.
func checkLookup(t *testing.T, s *Lister, l *Listing, root string) {
	t.Helper()
	filepath.WalkDir(root, func(full string, d os.DirEntry, err error) error {
		if err != nil || full == root {
			return nil
		}
		path := full[len(root)+1:]
		want, listed := l.Find(path)
		if d.IsDir() && !listed {
			return nil // a directory that is entered is no entry
		}
		got, ok, err := s.Lookup(t.Context(), path)
		if err != nil {
			t.Errorf("Lookup(%q): %v", path, err)
			return nil
		}
		if ok != listed {
			t.Errorf("Lookup(%q) listed = %v, the listing says %v", path, ok, listed)
		}
		if ok && (got.Problem != want.Problem || got.Dir != want.Dir || got.Stat != want.Stat) {
			t.Errorf("Lookup(%q) = %+v, listing %+v", path, got, want)
		}
		return nil
	})
}
