package git

import (
	"fmt"
	"strings"
	"testing"

	"ken/internal/git/gittest"
)

// TestLineChanges: lines of texts that look like the heads of a patch are lines of texts.
func TestLineChanges(t *testing.T) {
	gittest.IsolateSettings(t)
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	tricky := "index 0000000000000000000000000000000000000000..1111111111111111111111111111111111111111\n@@ -1,9 +1,9 @@\ndiff --git a/x b/x\n"
	long := strings.Repeat("x", 100000)
	gittest.Write(t, dir, "tricky", "a\n"+tricky)
	gittest.Write(t, dir, "end", "a\nb")
	gittest.Write(t, dir, "long", long+"\n"+long+"1\n")
	gittest.Write(t, dir, "gone", tricky)
	gittest.Write(t, dir, "one\ntwo é", "a\n")
	gittest.Write(t, dir, ".gitattributes", "* -diff\n")
	gittest.Run(t, dir, "add", "-A")
	from := gittest.Run(t, dir, "write-tree")
	gittest.Write(t, dir, "tricky", tricky+tricky+"b\n")
	gittest.Write(t, dir, "end", "a\nc")
	gittest.Write(t, dir, "long", long+"\n"+long+"2\n")
	gittest.Write(t, dir, "one\ntwo é", "b\n")
	gittest.Run(t, dir, "rm", "-q", "--cached", "gone")
	gittest.Run(t, dir, "add", "-u")
	gittest.Write(t, dir, "new", tricky)
	gittest.Run(t, dir, "add", "new")
	to := gittest.Run(t, dir, "write-tree")
	r := mustFind(t, dir)
	list, err := Git{}.Differences(t.Context(), r, from, to)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, c := range list {
		paths = append(paths, c.Path)
	}
	lines, err := Git{}.LineChanges(t.Context(), r, from, to, paths)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, c := range list {
		fmt.Fprintf(&got, "%q %v\n", c.Path, lines[IDPair{c.OldID, c.NewID}])
	}
	want := `"end" [{1 1 1 1}]
"gone" [{0 3 0 0}]
"long" [{1 1 1 1}]
"new" [{0 0 0 3}]
"one\ntwo é" [{0 1 0 1}]
"tricky" [{0 1 0 0} {4 0 3 4}]
`
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
	if _, err := (Git{}).LineChanges(t.Context(), r, "HEAD", to, paths); err == nil {
		t.Error("a name was taken for an id")
	}
}

// FuzzLineChanges: whatever is printed is read to its end, or an error.
func FuzzLineChanges(f *testing.F) {
	f.Add("index aa..bb 100644\n@@ -1,2 +1 @@\n-a\n-b\n+c\n")
	f.Add("@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n")
	f.Add("@@ -1,99999999999 +1 @@\n")
	f.Fuzz(func(t *testing.T, patch string) {
		all := map[IDPair][]LineChange{}
		if err := readLineChanges(strings.NewReader(patch), all); err != nil {
			return
		}
		for _, list := range all {
			for _, c := range list {
				if c.From < 0 || c.To < 0 || c.Drop < 0 || c.Add < 0 {
					t.Errorf("%+v", c)
				}
			}
		}
	})
}
