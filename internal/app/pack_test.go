package app

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// packed is a pack of whole files as JSON and as XML.
type packed struct {
	Contents []struct{ Path string }
	Files    []struct {
		Path    string
		Sources []struct {
			From int `json:"line_start"`
			To   int `json:"line_end"`
			Text string
		}
	}
}

// TestPackStream packs a tree of odd files in every format: each file is there
// once, in the order of paths, with its text.
func TestPackStream(t *testing.T) {
	root := t.TempDir()
	r := rand.New(rand.NewPCG(3, 4))
	pieces := []string{"func main() {}", "<a href=\"x\">", "]]>", "```", "&amp;", "größer 你好", "\t", "\x1b[0m", "\xff", "\u202e", "end\r", ""}
	want := map[string]string{}
	for i := range 120 {
		var b strings.Builder
		for range r.IntN(400) {
			b.WriteString(pieces[r.IntN(len(pieces))])
			if r.IntN(3) > 0 {
				b.WriteByte('\n')
			}
		}
		name := fmt.Sprintf("d%d/f%d.%s", i%7, i, []string{"go", "py", "md", "weird"}[i%4])
		want[name] = b.String()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	getenv := environ(t)
	run := func(args ...string) []byte {
		t.Helper()
		var out, errs bytes.Buffer
		p := Program{Args: args, Dir: root, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: getenv}
		if status := p.Run(t.Context()); status != Found {
			t.Fatalf("ken %v: exit %d, %s", args, status, &errs)
		}
		return out.Bytes()
	}
	run("init")
	var d packed
	if err := json.Unmarshal(run("pack", "--all", "--json"), &d); err != nil {
		t.Fatal(err)
	}
	got, last := map[string]string{}, ""
	for _, f := range d.Files {
		if f.Path <= last {
			t.Errorf("%s comes after %s", f.Path, last)
		}
		last = f.Path
		got[f.Path] = ""
		for _, s := range f.Sources {
			if n := strings.Count(s.Text, "\n") + 1; s.From != 1 || s.To != n {
				t.Errorf("%s: %d lines are said to be %d to %d", f.Path, n, s.From, s.To)
			}
			got[f.Path] += s.Text
		}
	}
	for name, text := range want { // as it is, but for what JSON cannot hold and the ends of lines
		text = strings.TrimSuffix(text, "\n")
		lines := strings.Split(text, "\n")
		for i := range lines {
			lines[i] = string([]rune(strings.TrimSuffix(lines[i], "\r")))
		}
		want[name] = strings.Join(lines, "\n")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("texts differ:\n%s", diff)
	}
	if len(d.Contents) != len(d.Files) {
		t.Errorf("%d files in the contents, %d files", len(d.Contents), len(d.Files))
	}
	var x struct {
		Files []struct {
			Path   string `xml:"path,attr"`
			Source string `xml:"full_source"`
		} `xml:"locked_file"`
	}
	doc := run("pack", "--all")
	if err := xml.Unmarshal(doc, &x); err != nil || !utf8.Valid(doc) {
		t.Fatalf("the XML is not well-formed: %v", err)
	}
	for _, f := range x.Files {
		wide := strings.NewReplacer("\u202e", `\u202e`, "\x1b", `\x1b`, "\r", `\x0d`).Replace(want[f.Path])
		if source := strings.TrimSuffix(strings.TrimPrefix(f.Source, "\n"), "\n"); source != wide {
			t.Fatalf("%s differs:\n%s", f.Path, cmp.Diff(wide, source))
		}
	}
	if n := bytes.Count(run("pack", "--all", "--format", "markdown"), []byte("\n## `")); n != len(want) || len(x.Files) != n {
		t.Errorf("%d files in Markdown, %d in XML, %d in all", n, len(x.Files), len(want))
	}
}
