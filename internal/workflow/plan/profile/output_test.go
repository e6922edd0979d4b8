package profile

import (
	"os"
	"path/filepath"
	"testing"

	"ken/internal/workflow/plan/planop"
)

// TestSectionTouchesOnlyItsBytes: what is between the marks is written, with the line ends of the file; all else stays.
func TestSectionTouchesOnlyItsBytes(t *testing.T) {
	s := section{name: "x", source: "X.md", body: "new\nbody"}
	own := "<!-- GSD:x-start source:X.md -->\nnew\nbody\n<!-- GSD:x-end -->"
	for in, want := range map[string]string{
		"":      own + "\n",
		"a":     "a\n\n" + own + "\n",
		"a\n":   "a\n\n" + own + "\n",
		"a\n\n": "a\n\n" + own + "\n",
		"  a \n\n\n<!-- GSD:x-start source:Y -->old<!-- GSD:x-end -->  z": "  a \n\n\n" + own + "  z",
		"a\r\n<!-- GSD:x-start -->\r\n<!-- GSD:x-end -->\r\nz\r\n":        "a\r\n<!-- GSD:x-start source:X.md -->\r\nnew\r\nbody\r\n<!-- GSD:x-end -->\r\nz\r\n",
		"<!-- GSD:x-end --><!-- GSD:x-start -->":                          "<!-- GSD:x-end --><!-- GSD:x-start -->\n\n" + own + "\n",
	} {
		if got := s.putInto(in); got != want {
			t.Errorf("%q:\n%q\nwant\n%q", in, got, want)
		}
	}
	if s.isEdited(own) || !s.isEdited("<!-- GSD:x-start -->\nother\n<!-- GSD:x-end -->") || s.isEdited("none") {
		t.Error("what somebody edited is not seen")
	}
}

func TestIsDump(t *testing.T) {
	for text, want := range map[string]bool{
		"This session is being continued from": true, "INFO a\nINFO b\n2026-01-02 c\n[ERROR] d\nwarn e": true, "fix it\nINFO a\nINFO b\nINFO c": false, "INFO a": false,
	} {
		if isDump(text) != want {
			t.Errorf("%q", text)
		}
	}
}

// TestFolderOfAgentsIsMade: the user's folder of agents need not be there, and nothing beside it is written.
func TestFolderOfAgentsIsMade(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(project, ".planning"), 0o755); err != nil {
		t.Fatal(err)
	}
	c := &planop.Call{Surroundings: planop.Surroundings{
		Dir: project, Home: home, StateDir: t.TempDir(), Getenv: func(string) string { return "" },
	}}
	at, err := inHome(c, "", "get-shit-done/USER-PROFILE.md")
	if err != nil {
		t.Fatal(err)
	}
	to, err := findTarget(c, "", at)
	if err != nil {
		t.Fatal(err)
	}
	if err := to.write(c, "x\n"); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(home, ".claude/get-shit-done/USER-PROFILE.md")); err != nil || string(text) != "x\n" {
		t.Errorf("%q, %v", text, err)
	}
	if err := os.RemoveAll(filepath.Join(home, ".claude")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".profile", ".claude/../.profile", ".claudes/x", ".claude"} {
		if _, err := findTarget(c, filepath.Join(home)+"/"+name, at); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
