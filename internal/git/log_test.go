package git

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/code"
	"ken/internal/git/gittest"
)

// logLines is a log in a form to compare: times left out.
func logLines(t *testing.T, r *Repo, opt LogOptions) string {
	t.Helper()
	var b strings.Builder
	err := Git{}.Log(t.Context(), r, opt, func(c *code.LogCommit) error {
		fmt.Fprintf(&b, "%q parents=%d by %q files=%d", c.Message, len(c.Parents), c.Email, c.Files)
		for _, ch := range c.Changes {
			fmt.Fprintf(&b, " %c %q", ch.Status, ch.Path)
			if ch.From != "" {
				fmt.Fprintf(&b, " from %q", ch.From)
			}
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// rawCommit stores a commit object as it is given and puts HEAD there.
func rawCommit(t *testing.T, dir, object string) {
	t.Helper()
	cmd := exec.Command("git", "hash-object", "-t", "commit", "-w", "--stdin", "--literally")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(object)
	id, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	gittest.Run(t, dir, "update-ref", "HEAD", strings.TrimSpace(string(id)))
}

func TestLog(t *testing.T) {
	gittest.IsolateSettings(t)
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Write(t, dir, "a", strings.Repeat("some content\n", 20))
	gittest.Run(t, dir, "add", "-A")
	gittest.Run(t, dir, "commit", "-q", "-m", "root\n\nbody")
	gittest.Run(t, dir, "mv", "a", "b\nc")
	gittest.Write(t, dir, "\xff.txt", "")
	gittest.Run(t, dir, "add", "-A")
	gittest.Run(t, dir, "commit", "-q", "-m", "move")
	gittest.Run(t, dir, "commit", "-q", "--allow-empty", "--allow-empty-message", "-m", "")
	gittest.Run(t, dir, "checkout", "-q", "-b", "side", "HEAD~1")
	gittest.Write(t, dir, "s", "side\n")
	gittest.Run(t, dir, "add", "-A")
	gittest.Run(t, dir, "-c", "i18n.commitEncoding=latin1", "commit", "-q", "-m", "caf\xe9")
	gittest.Run(t, dir, "checkout", "-q", "main")
	gittest.Run(t, dir, "merge", "-q", "-m", "join", "side")
	tree := gittest.Run(t, dir, "rev-parse", "HEAD^{tree}")
	head := gittest.Run(t, dir, "rev-parse", "HEAD")
	rawCommit(t, dir, "tree "+tree+"\nparent "+head+"\nauthor nobody\ncommitter x <y> none\n\nbefore\x00after\n\x01\xff")
	for _, kv := range []string{"log.showRoot false", "diff.renames false", "log.follow true", "diff.orderFile /nowhere", "format.pretty oneline", "log.showSignature true", "diff.noprefix true", "log.diffMerges separate", "log.decorate full", "color.ui always"} {
		k, v, _ := strings.Cut(kv, " ")
		gittest.Run(t, dir, "config", k, v)
	}
	h, err := Git{}.Head(t.Context(), mustFind(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	got := logLines(t, mustFind(t, dir), LogOptions{From: h.Commit})
	want := []string{
		`"before" parents=1 by "" files=0`,
		`"join\n" parents=2 by "t@example.com" files=0`,
		`"café\n" parents=1 by "t@example.com" files=1 A "s"`,
		`"" parents=1 by "t@example.com" files=0`,
		`"move\n" parents=1 by "t@example.com" files=2 R "b\nc" from "a" A "\xff.txt"`,
		`"root\n\nbody\n" parents=0 by "t@example.com" files=1 A "a"`,
	}
	for _, line := range want {
		if strings.Count(got, line+"\n") != 1 {
			t.Errorf("no line %s in\n%s", line, got)
		}
	}
	if n := strings.Count(got, "\n"); n != len(want) {
		t.Errorf("%d commits, want %d:\n%s", n, len(want), got)
	}
	if got := logLines(t, mustFind(t, dir), LogOptions{Only: []string{head}}); got != want[1]+"\n" {
		t.Errorf("only %s: %s", head, got)
	}
	if got := logLines(t, mustFind(t, dir), LogOptions{From: head, Limit: 1}); got != want[1]+"\n" {
		t.Errorf("one: %s", got)
	}
}

func TestLogLongMessage(t *testing.T) {
	gittest.IsolateSettings(t)
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Write(t, dir, "message", strings.Repeat("word ", 1<<18))
	gittest.Run(t, dir, "add", "-A")
	gittest.Run(t, dir, "commit", "-q", "-F", "message")
	r := mustFind(t, dir)
	h, _ := Git{}.Head(t.Context(), r)
	n := 0
	err := Git{}.Log(t.Context(), r, LogOptions{From: h.Commit}, func(c *code.LogCommit) error {
		if n++; len(c.Message) != MaxMessage || !c.Cut || c.Files != 1 || c.Changes[0].Path != "message" {
			t.Errorf("%d bytes, cut %v, %v", len(c.Message), c.Cut, c.Changes)
		}
		return nil
	})
	if err != nil || n != 1 {
		t.Fatal(n, err)
	}
}

func TestLogWrong(t *testing.T) {
	gittest.IsolateSettings(t)
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	r := mustFind(t, dir)
	never := func(*code.LogCommit) error { t.Error("a commit"); return nil }
	for _, opt := range []LogOptions{{From: "HEAD"}, {From: "--output=x"}, {Only: []string{"--all"}}, {From: strings.Repeat("1", 40)}} {
		if err := (Git{}).Log(t.Context(), r, opt, never); !errors.Is(err, ErrNotFound) {
			t.Errorf("%+v: %v", opt, err)
		}
	}
	if _, err := (Git{}).Ancestors(t.Context(), r, "--all", 1); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if err := (Git{}).CommitsBetween(t.Context(), r, "HEAD", "HEAD", nil); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "x")); err == nil {
		t.Error("an option was followed")
	}
}

func TestReadLogDamaged(t *testing.T) {
	whole := "\x01aa\x00bb cc\x0012\x00m@x\x00text\n\x00\nM\x00p\x00R100\x00q\x00r\x00\x01bb\x00\x00x\x00\x00\x00"
	n := 0
	if err := ReadLog(strings.NewReader(whole), func(*code.LogCommit) error { n++; return nil }); err != nil || n != 2 {
		t.Fatal(n, err)
	}
	for i := range len(whole) {
		err := ReadLog(strings.NewReader(whole[:i]), func(*code.LogCommit) error { return nil })
		if err == nil && whole[:i] != "" && whole[i-1] != 0 {
			t.Errorf("cut at %d: no error", i)
		}
	}
	for _, bad := range []string{"x\x00", "\x01zz\x00", "\x01aa\x00\x00\x00\x00\x00bad\x00", "\x01aa\x00\x00\x00\x00\x00\nM\x00p\x00?\x00"} {
		if err := ReadLog(strings.NewReader(bad), func(*code.LogCommit) error { return nil }); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
	stop := errors.New("stop")
	if err := ReadLog(strings.NewReader(whole), func(*code.LogCommit) error { return stop }); !errors.Is(err, stop) {
		t.Error(err)
	}
}

func FuzzReadLog(f *testing.F) {
	f.Add([]byte("\x01aa\x00bb cc\x0012\x00m@x\x00text\n\x00\nM\x00p\x00R100\x00q\x00r\x00\x01bb\x00\x00x\x00\x00\x00"))
	f.Add([]byte("\x01aa\x00\x00\x00\x00\x00"))
	f.Add([]byte("\x01aa\x00\x00\x00\x00\x00\nA\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		err := ReadLog(bytes.NewReader(data), func(c *code.LogCommit) error {
			if !isHex(c.ID) || len(c.Message) > MaxMessage || c.Files < len(c.Changes) {
				t.Errorf("%+v", c)
			}
			for _, ch := range c.Changes {
				if strings.ContainsRune(ch.Path+ch.From, 0) || ch.Status < 'A' || ch.Status > 'Z' {
					t.Errorf("%+v", ch)
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, ErrUnsupported) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%v", err)
		}
	})
}
