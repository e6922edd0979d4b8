package extract

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/code"
)

// TestMarkdownOracle compares the headings of documents (line and level) with
// those of markdown-it-py:
//
//	pip install markdown-it-py
//	KEN_ORACLE=1 KEN_CORPUS=/path/to/repositories go test -run MarkdownOracle
func TestMarkdownOracle(t *testing.T) {
	if os.Getenv("KEN_ORACLE") == "" {
		t.Skip("KEN_ORACLE is not set")
	}
	dir := t.TempDir()
	sources := map[string][]byte{}
	var list strings.Builder
	for i, f := range dataFiles(t, "markdown") {
		p := filepath.Join(dir, fmt.Sprintf("%d.md", i))
		if err := os.WriteFile(p, f.data, 0o600); err != nil {
			t.Fatal(err)
		}
		sources[p] = f.data
		fmt.Fprintln(&list, p)
	}
	cmd := exec.Command("python3", "testdata/oracle/markdown/headings.py")
	cmd.Stdin, cmd.Stderr = strings.NewReader(list.String()), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	files, headings, differ := 0, 0, 0
	for line := range strings.Lines(string(out)) {
		p, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		want := strings.FieldsFunc(rest, func(r rune) bool { return r == '\t' })
		got := markdownHeadings(sources[p])
		files, headings = files+1, headings+len(want)
		if !slices.Equal(got, want) {
			differ++
			i := 0
			for i < len(got) && i < len(want) && got[i] == want[i] {
				i++
			}
			t.Errorf("%s: heading %d: got %q, want %q", p, i, got[i:min(len(got), i+3)], want[i:min(len(want), i+3)])
			if i < len(want) || i < len(got) {
				at := 0
				fmt.Sscanf(append(slices.Clone(got[min(i, len(got)):]), want[min(i, len(want)):]...)[0], "%d", &at)
				lines := strings.Split(string(sources[p]), "\n")
				t.Logf("%q", lines[max(0, at-4):min(len(lines), at+2)])
			}
		}
	}
	t.Logf("%d files, %d headings, %d files differ", files, headings, differ)
}

// markdownHeadings are the headings of a document as LINE:LEVEL, including empty ones.
func markdownHeadings(src []byte) []string {
	f := &file{path: "x.md", facts: &code.Facts{}, owner: -1}
	f.text = strings.TrimPrefix(string(src), "\ufeff")
	m := markdown{file: f, s: f.text, para: -1}
	var out []string
	m.trace = func(level, at int) { out = append(out, fmt.Sprintf("%d:%d", f.lineAt(uint32(at)), level)) }
	m.scan()
	return out
}
