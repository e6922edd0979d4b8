package claim_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"ken/internal/delivery/plancode/claim"
	"ken/internal/workflow/plan/artefact"
)

var update = flag.Bool("update", false, "rewrite what is expected")

// TestRead reads plans and compares their claims with the expected ones.
func TestRead(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p := artefact.ParsePlan(string(ar.Files[0].Data))
			got := show(claim.Read(p), claim.ReadNames(p))
			if *update {
				ar.Files = append(ar.Files[:1], txtar.File{Name: "claims", Data: []byte(got)})
				if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want := string(ar.Files[1].Data); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func show(c *claim.Claims, names []claim.Name) string {
	var b strings.Builder
	mark := func(isNew, changes bool) string {
		switch {
		case isNew:
			return " new"
		case changes:
			return " changes"
		}
		return ""
	}
	for _, f := range c.Files {
		fmt.Fprintf(&b, "file %s %s %d%s\n", f.Path, f.Role, f.Line, mark(f.New, f.Changes))
	}
	for _, y := range c.Symbols {
		fmt.Fprintf(&b, "symbol %s %s %d%s %s\n", y.Name, y.Role, y.Line, mark(y.New, y.Changes), y.File)
	}
	for _, y := range names {
		fmt.Fprintf(&b, "name %s %s %s %d %d %s\n", y.Name, y.Kind, y.Role, y.Line, y.State, y.Module)
	}
	for _, g := range c.Signatures {
		fmt.Fprintf(&b, "signature %s %s %d %v type=%v list=%v\n", g.File, g.Name, g.Line, g.Params, g.Type, g.HasList)
	}
	for _, s := range c.Installs {
		fmt.Fprintf(&b, "installs %s\n", s)
	}
	for _, s := range c.Outside {
		fmt.Fprintf(&b, "outside %s\n", s)
	}
	return b.String()
}

// TestHostile reads hostile plans.
func TestHostile(t *testing.T) {
	for _, text := range []string{
		"", "---\n", strings.Repeat("`", 100000), strings.Repeat("src/a.ts ", 20000), strings.Repeat("{a,", 20000), strings.Repeat("(", 50000) + ".ts",
		"<task><files>" + strings.Repeat("../", 3000) + "etc/passwd</files></task>", "\x00/\xff.go `\xfe()`", "<interfaces>\n```go\n" + strings.Repeat("func a(", 5000),
	} {
		p := artefact.ParsePlan(text)
		claim.ReadNames(p)
		c := claim.Read(p)
		for _, f := range c.Files {
			if strings.HasPrefix(f.Path, "..") || strings.HasPrefix(f.Path, "/") {
				t.Errorf("%q leads out of the project", f.Path)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		if ar, err := txtar.ParseFile(file); err == nil {
			f.Add(string(ar.Files[0].Data))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := artefact.ParsePlan(text)
		for _, y := range claim.ReadNames(p) {
			if !strings.Contains(text, y.Name) {
				t.Errorf("%q is not in the plan", y.Name)
			}
		}
		for _, n := range claim.Read(p).Files {
			if strings.HasPrefix(n.Path, "../") || strings.HasPrefix(n.Path, "/") {
				t.Errorf("%q leads out of the project", n.Path)
			}
		}
	})
}
