package app

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/engine/source/known"
)

// The test of what may be in the index and must not be printed: tokens in the names of files and directories, and copies of values,
// which are recognised in one file because of their name, in others where nothing says what they are. Every operation is run over
// them as over the planted secrets.

// named are the paths that tokens (%V) are planted in.
func named() []string {
	return []string{
		"logs/dump-%V.txt", "customers/d-%V/a.go", "customers/d-%V/sub/b.go", "customers/%V/readme.md", "bad/\xff-%V.py", "%V.ts", "test/%V_test.go",
		"cache/%V.bin", "docs/of %V (old).md", "k/api_%V.yaml",
	}
}

// copied are the texts that a copy of a value (%V) is planted in.
func copied() []place {
	return []place{
		{path: "bare/%N.log", text: "2024-05-01 GET /x 200 %V ok\n"},
		{path: "bare/%N.go", text: "package bare\n\n// Use%N sends %V to the service.\nfunc Use%N(key = \"%V\") {}\n\nconst N%N = \"%V\"\n"},
		{path: "bare/%N.md", text: "# About %V\n\nSee [this](https://example.net/%V/x?id=%V).\n\n%V\n"},
		{path: "bare/%N.json", text: "{\"%V\": {\"name\": \"%V\"}}\n"},
		{path: "bare/%N.py", text: "def f%N(x='%V'):\n    \"\"\"%V is the first word here.\"\"\"\n    return \"\\n%V\"\n"},
		{path: "bare/%N.yaml", text: "items:\n  - %V\n  - " + strings.Repeat("word ", 30) + "%V " + strings.Repeat("word ", 90) + "%V\n"},
	}
}

// copies writes files that hold a value and files that hold copies of it.
func (p *planted) copies() (files []string) {
	g := &generator{rand.New(rand.NewPCG(5, 7))}
	for i, of := range copied() {
		v := g.of(alnum, 24+i)
		for !known.IsCertain([]byte(v)) {
			v = g.of(alnum, 24+i)
		}
		fill := strings.NewReplacer("%N", fmt.Sprintf("c%d", i), "%V", v)
		p.printed.add(v)
		p.printed.add(v[:12])
		p.printed.add(v[len(v)-12:])
		origin := fmt.Sprintf("bare/%d.env", i)
		p.write(origin, "SERVICE_TOKEN="+v+"\n")
		p.write(fill.Replace(of.path), fill.Replace(of.text))
		files = append(files, origin, fill.Replace(of.path))
	}
	return files
}

// names writes files whose paths hold tokens.
func (p *planted) names() (files []string) {
	g := &generator{rand.New(rand.NewPCG(6, 7))}
	for i, path := range named() {
		v := "ghp_" + g.of(alnum, 36)
		if i%2 == 1 {
			v = "glpat-" + g.of(alnum, 20)
		}
		name := strings.ReplaceAll(path, "%V", v)
		text := "package pkg\n\n// In" + fmt.Sprint(i) + " opens a session.\nfunc In" + fmt.Sprint(i) + "() {}\n"
		if strings.HasSuffix(name, ".bin") {
			text = "\x00\x01\x02"
		}
		p.write(name, text)
		p.printed.add(v)
		p.printed.add(v[:14])
		p.printed.add(v[len(v)-14:])
		p.printed.add(strings.ToLower(strings.ReplaceAll(v, "_", "-")))
		p.printed.add(base64.StdEncoding.EncodeToString([]byte(name)))
		files = append(files, name)
	}
	return files
}

func TestCopiesAndNames(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &planted{t: t, dir: dir, root: filepath.Join(dir, "root"), control: "plainwordsthatarenosecret",
		needles: newNeedles(nil, "plainwordsthatarenosecret"), printed: newNeedles(nil, "")}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.net"}, args...)...)
		cmd.Dir = p.root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	files := p.copies()
	tokens := p.names()
	p.write("go/control.go", "package pkg\n\n// Control says "+p.control+".\nfunc Control() {}\n")
	git("init", "-q")
	git("add", "-A")
	git("commit", "-q", "-m", "one")
	for i, f := range files[:len(files)/2] {
		p.write(f+".more", fmt.Sprint(i))
		git("add", "-A")
		git("commit", "-q", "-m", "about "+filepath.Base(f)+" and "+secondWord(t, p.root, files[1])+" with "+p.control)
	}
	if status, _ := p.run("init"); status != Found {
		t.Fatal("init failed")
	}
	names := []string{"Control", "In1", "Usec1", "session", "service token"}
	p.all(append(slices.Clone(files), "go/control.go"), names)
	p.opened(tokens)

	// Files that are gone, moved, ignored or staged are named by their paths too.
	for i, f := range tokens {
		switch i % 3 {
		case 0:
			if err := os.Remove(filepath.Join(p.root, f)); err != nil {
				t.Fatal(err)
			}
		case 1:
			if err := os.Rename(filepath.Join(p.root, f), filepath.Join(p.root, f+".moved.go")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Symlink("nowhere", filepath.Join(p.root, "link-"+filepath.Base(tokens[0]))); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"pack", "--diff"}, {"impact", "--diff"}, {"index"}, {"index", "--json"}, {"status"}, {"status", "--json"}, {"secrets", "--history"},
		{"secrets", "--history", "--json"}, {"secrets", "--sarif"}, {"export", "scip"}, {"brief", "a session of pkg"},
	} {
		p.run(args...)
	}
	git("add", "-A")
	for _, args := range [][]string{{"secrets", "--staged"}, {"secrets", "--staged", "--json"}, {"secrets", "--staged", "--sarif"}, {"pack", "--diff", "--format", "json"}} {
		p.run(args...)
	}
	if p.seen == 0 {
		t.Error("the control text was never printed: the search proves nothing")
	}
}

// secondWord is a value that a file of copied begins to speak of: the fourth field of a log.
func secondWord(t *testing.T, root, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(text))[4]
}

// opened checks that a file whose name is masked can be named as it is shown, and that each token is listed.
func (p *planted) opened(tokens []string) {
	p.t.Helper()
	_, out := p.run("find", "path:customers session", "--format", "paths")
	shown := strings.Fields(string(out))
	if len(shown) == 0 {
		p.t.Fatalf("find lists nothing: %s", out)
	}
	for _, name := range shown {
		for _, args := range [][]string{{"show", name}, {"outline", name}, {"pack", name}, {"pack", name + ":1-2"}, {"grep", "session", name}, {"deps", name},
			{"index", name}, {"map", "--focus", name}, {"secrets", name}, {"tokens", name}, {"def", name + ":In1"}} {
			status, text := p.run(args...)
			isUnsure := args[0] == "deps" && strings.Contains(string(text), "could not tell")
			if status == Failed && !isUnsure || args[0] == "show" && (status != Found || !strings.Contains(string(text), name)) {
				p.t.Errorf("ken %v: exit %d: %s", args, status, text)
			}
		}
	}
	_, out = p.run("secrets")
	if n := strings.Count(string(out), "in the name"); n != len(tokens) {
		p.t.Errorf("%d names are listed, %d hold a token:\n%s", n, len(tokens), out)
	}
}
