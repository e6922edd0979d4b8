package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestSample reads the sample and writes it again: nothing of it is lost, half of
// its commits have pieces, and no piece comes from a repository that is judged,
// except tests, which come from the repository they are planted in.
func TestSample(t *testing.T) {
	text, err := os.ReadFile("testdata/sample.txt")
	if err != nil {
		t.Fatal(err)
	}
	all, err := readSample(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	planted := 0
	judged := map[string]bool{}
	for _, h := range hosts() {
		judged[h.name] = true
	}
	for _, d := range all {
		d.write(&out)
		if len(d.plants) > 0 {
			planted++
		}
		for _, p := range d.plants {
			if judged[p.repo] != (p.kind == testPiece) || p.kind == testPiece && p.repo != d.repo {
				t.Errorf("%s@%s: a piece of kind %s from %s", d.repo, d.commit, p.kind, p.repo)
			}
		}
	}
	var kept strings.Builder
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") {
			kept.WriteString(line)
		}
	}
	if out.String() != kept.String() {
		t.Error("the sample is not what is written again")
	}
	if len(all) != sampleSize || planted != sampleSize/2 {
		t.Errorf("%d commits, %d of them with pieces", len(all), planted)
	}
}

// TestPatches reads a patch with a new file, a hunk that only removes and lines that look like heads.
func TestPatches(t *testing.T) {
	got := patches([]byte("\x01abc\x01remove debug print\n\ndiff --git a/a b.go b/a b.go\nindex 1..2 100644\n--- a/a b.go\n+++ b/a b.go\n@@ -3,2 +2,0 @@ func f() {\n--- x\n-\tprint(1)\n" +
		"@@ -9 +7 @@\n-old\n+++ new\ndiff --git a/n.txt b/n.txt\nnew file mode 100644\n@@ -0,0 +1 @@\n+one\n"))
	if len(got) != 1 || len(got[0].files) != 2 {
		t.Fatalf("%+v", got)
	}
	f := got[0].files[0]
	from, to, ok := trimmed(f.hunks[0])
	if f.path != "a b.go" || from != 3 || to != 4 || !ok || f.hunks[1].added[0] != "++ new" || !got[0].files[1].created {
		t.Errorf("%+v %d %d %v", f, from, to, ok)
	}
}
