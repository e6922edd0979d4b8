package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestBuild builds the site of this repository, in which every link leads somewhere, and looks words up in it.
func TestBuild(t *testing.T) {
	out := t.TempDir()
	s, err := build("../../..", out)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.pages) < 25 || s.links < 500 {
		t.Errorf("only %d pages and %d links", len(s.pages), s.links)
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node")
	}
	for query, want := range map[string]string{
		"embeddings":        "docs/settings.html#embeddings",
		"ken refs":          "docs/commands.html#ken-refs",
		"npm publ":          "docs/releasing.html",
		"Hostile INPUT":     "ARCHITECTURE.html#everywhere",
		"storage reader":    "CONTRIBUTING.html#how-to-add-a-storage-reader",
		"constructor quuux": "",
		"":                  "",
	} {
		const program = `const {find} = require(process.argv[1] + "/search.js");
			const index = new Function(require("fs").readFileSync(process.argv[1] + "/index.js", "utf8") + "return KEN_INDEX")();
			console.log(JSON.stringify(find(index, process.argv[2]).slice(0, 3).map((s) => s[2])));`
		text, err := exec.Command(node, "-e", program, out, query).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		var got []string
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if found := strings.Join(got, " "); want == "" && found != "" || !strings.Contains(found, want) {
			t.Errorf("%q: %s, want %s", query, found, want)
		}
	}
}

// TestRefused: a link that leads nowhere, a page that the map lacks and a picture from elsewhere are errors.
func TestRefused(t *testing.T) {
	for name, c := range map[string]struct{ readme, want string }{
		"good":     {"# A\n\n[b](docs/README.md#two-words) [c](docs/c.md) [d](LICENSE) [e](#a) [f](https://example.com/x.md)\n", ""},
		"page":     {"# A\n\n[b](docs/b.md)\n", "no such file"},
		"file":     {"# A\n\n[b](bench/nothing.go)\n", "no such file"},
		"anchor":   {"# A\n\n[b](docs/README.md#words)\n", "nothing is at docs/README.html#words"},
		"own":      {"# A\n\n[b](#b)\n", "nothing is at #b"},
		"loads":    {"# A\n\n![b](https://example.com/a.png)\n", "loads"},
		"no title": {"A\n", "does not begin with a heading"},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			for file, text := range map[string]string{
				"README.md": c.readme, "docs/README.md": "# B\n\n## Two `words`\n\n[c](c.md)\n", "docs/c.md": "# C\n\n<script>alert(1)</script>\n", "LICENSE": "free",
			} {
				if err := os.MkdirAll(filepath.Join(root, "docs"), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(root, file), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			out := t.TempDir()
			_, err := build(root, out)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if text, err := os.ReadFile(filepath.Join(out, "docs", "c.html")); err == nil && strings.Contains(string(text), "alert") {
				t.Errorf("markup of a page is in the site: %s", text)
			}
		})
	}
}
