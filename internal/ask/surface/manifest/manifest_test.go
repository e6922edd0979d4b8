package manifest_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"ken/internal/ask/surface/manifest"
)

var update = flag.Bool("update", false, "rewrite what is expected")

// TestRead reads manifests of every sort; the last file of the archive has the expected facts.
func TestRead(t *testing.T) {
	const file = "testdata/manifests.txtar"
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	last := len(ar.Files) - 1
	var b strings.Builder
	for _, f := range ar.Files[:last] {
		m := manifest.Read(f.Name, string(f.Data))
		if manager, list := manifest.ReadLock(f.Name, string(f.Data)); manager != "" {
			fmt.Fprintf(&b, "%s, %s\n", f.Name, manager)
			for _, l := range list {
				fmt.Fprintf(&b, "  locks %s %s %v\n", l.Name, l.Version, l.Namespaces)
			}
			continue
		}
		if m == nil {
			fmt.Fprintf(&b, "%s is no manifest\n", f.Name)
			continue
		}
		fmt.Fprintf(&b, "%s, %s %s\n", m.Path, m.Ecosystem, m.Problem)
		if m.Package.Name != "" {
			fmt.Fprintf(&b, "  is %s %s %q\n", m.Manager(), m.Package.Name, m.Package.Version)
		}
		for _, s := range m.Says {
			fmt.Fprintf(&b, "  says %s %s\n", s.Name, s.Value)
		}
		for _, d := range m.Dependencies {
			fmt.Fprintf(&b, "  needs %s %q dev=%v", d.Name, d.Version, d.Dev)
			if d.Indirect {
				b.WriteString(" indirect")
			}
			if d.Package != "" {
				b.WriteString(" called " + d.Package)
			}
			b.WriteByte('\n')
		}
		for _, s := range m.Scripts {
			fmt.Fprintf(&b, "  script %s: %s\n", s.Name, s.Value)
		}
	}
	if *update {
		ar.Files[last].Data = []byte(b.String())
		if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := string(ar.Files[last].Data); b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// TestBroken: any manifest is either read or reported as broken.
func TestBroken(t *testing.T) {
	for _, name := range []string{"go.mod", "package.json", "Cargo.toml", "pyproject.toml", "requirements.txt", "composer.json", "Gemfile", "pom.xml", "build.gradle", "a.csproj"} {
		for _, text := range []string{"", "\x00\xff", "{", "[[", "<a", strings.Repeat("(", 9000), `{"dependencies":[1],"scripts":3}`, "require (\n)\n)", "gem ", "gem", `api("`, "ruby "} {
			if m := manifest.Read(name, text); m == nil {
				t.Errorf("%s with %.20q is no manifest", name, text)
			}
		}
	}
}
