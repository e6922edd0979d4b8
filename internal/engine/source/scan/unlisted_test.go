package scan

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/engine/source/scan/scantest"
)

// TestUnlisted: of what git's rules leave out, the files are found that may use the project's code.
func TestUnlisted(t *testing.T) {
	dir := t.TempDir()
	for p, text := range map[string]string{
		".gitignore": "gen/\n*_pb2.py\nnode_modules/\ntarget/\n", "gen/use.py": "x", "gen/deep/use.go": "x", "gen/data.bin": "x", "gen/.cache/a.py": "x",
		"a/b_pb2.py": "x", "node_modules/x/index.js": "x", "target/CACHEDIR.TAG": "x", "target/a.rs": "x", "gen/other/.git/HEAD": "x", "gen/other/a.py": "x", "kept.py": "x",
	} {
		scantest.Write(t, dir, p, text)
	}
	s, err := New(Options{Root: dir, NoGit: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	look := func(prev *Listing) (*Listing, []string) {
		l, err := s.List(ctx, prev)
		if err != nil {
			t.Fatal(err)
		}
		ignored, err := DecodeIgnored(l.Encode())
		if d := cmp.Diff(l.Ignored, ignored); d != "" || err != nil {
			t.Errorf("stored: %s %v", d, err)
		}
		back, err := DecodeListing(l.Encode())
		if err != nil || cmp.Diff(l.Ignored, back.Ignored) != "" {
			t.Errorf("stored whole: %v", err)
		}
		files, more, err := s.Below(ctx, ignored)
		if more || err != nil {
			t.Errorf("more %v, %v", more, err)
		}
		return l, files
	}
	l, files := look(nil)
	if d := cmp.Diff([]string{"a/b_pb2.py", "gen/use.py", "gen/deep/use.go"}, files); d != "" {
		t.Error(d)
	}
	scantest.Write(t, dir, "a/c_pb2.py", "x")
	if _, files = look(l); !cmp.Equal([]string{"a/b_pb2.py", "a/c_pb2.py", "gen/use.py", "gen/deep/use.go"}, files) {
		t.Errorf("after a change: %v", files)
	}
}
