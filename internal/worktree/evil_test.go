package worktree

import (
	"os"
	"path/filepath"
	"testing"

	"ken/internal/git/gittest"
)

// TestNothingRuns: a repository whose configuration names a program wherever one can be named, and an agent that chooses attributes in
// the work tree, make ken run none of them. What needs one fails or is a conflict, so that nothing is taken for done that is not.
func TestNothingRuns(t *testing.T) {
	p := newProject(t)
	canaries := t.TempDir()
	script := filepath.Join(p.dir, ".git", "evil")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ntouch \"$0.$PPID\" '"+canaries+"'/ran\ncat\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		"core.fsmonitor", "core.pager", "core.editor", "diff.external", "diff.evil.command", "diff.evil.textconv", "merge.evil.driver", "filter.evil.clean",
		"filter.evil.smudge", "filter.evil.process", "filter.a=b.clean", "gpg.program", "hook.evil.command", "core.sshCommand",
	} {
		gittest.Run(t, p.dir, "config", key, script)
	}
	gittest.Run(t, p.dir, "config", "commit.gpgSign", "true")
	gittest.Run(t, p.dir, "config", "hook.evil.event", "post-checkout")
	hooks := []string{"post-checkout", "pre-commit", "commit-msg", "post-commit", "reference-transaction", "post-merge", "pre-merge-commit", "post-index-change", "update"}
	for _, h := range hooks {
		gittest.Write(t, p.dir, ".git/hooks/"+h, "#!/bin/sh\ntouch '"+canaries+"'/hook-"+h+"\n")
		os.Chmod(filepath.Join(p.dir, ".git/hooks", h), 0o755)
	}
	quiet := func(when string) {
		t.Helper()
		if entries, _ := os.ReadDir(canaries); len(entries) > 0 {
			t.Fatalf("%s ran %v", when, entries)
		}
	}
	tree := p.create("t1")
	quiet("Create")
	gittest.Write(t, tree.Dir, "a.txt", "changed\n")
	gittest.Write(t, tree.Dir, ".gitattributes", "*.new filter=evil\n")
	gittest.Write(t, tree.Dir, "x.new", "new\n")
	if _, err := tree.Look(t.Context()); err == nil {
		t.Error("a file that a filter has to change was looked at without it")
	}
	quiet("Look")
	gittest.Write(t, tree.Dir, ".gitattributes", "*.txt merge=evil diff=evil\n*.eq filter=a=b\n")
	done := p.finalize(tree)
	if len(done.NotRun) != 4 && len(done.NotRun) != 3 || !done.Unsigned {
		t.Errorf("not run: %v, unsigned %v", done.NotRun, done.Unsigned)
	}
	quiet("Commit")
	gittest.Write(t, p.dir, "old.txt", "on main\n")
	gittest.Run(t, p.dir, "-c", "core.hooksPath="+os.DevNull, "-c", "commit.gpgSign=false", "-c", "core.fsmonitor=false", "commit", "-qam", "main goes on")
	quiet("setting up")
	r, err := p.Merge(t.Context(), "t1", MergeOptions{NoFastForward: true})
	if err != nil || len(r.NotRun) != 2 || !r.Unsigned {
		t.Errorf("merge = %+v, %v", r, err)
	}
	quiet("Merge")
	if _, err := p.Clean(t.Context(), CleanOptions{}); err != nil {
		t.Fatal(err)
	}
	quiet("Clean")
	p.nothingLeft()
}

// TestMergeDriver: a driver of the user's decides how files are merged. Without it both sides are a conflict, even where git could merge
// them.
func TestMergeDriver(t *testing.T) {
	p := newProject(t)
	gittest.Run(t, p.dir, "config", "merge.mine.driver", "touch "+p.dir+"/ran; true")
	gittest.Write(t, p.dir, ".gitattributes", "a.txt merge=mine\n")
	gittest.Run(t, p.dir, "add", "-A")
	gittest.Run(t, p.dir, "commit", "-qm", "attributes")
	tree := p.create("t1")
	text := gittest.Read(t, tree.Dir, "a.txt")
	gittest.Write(t, tree.Dir, "a.txt", "above\n"+text)
	p.finalize(tree)
	gittest.Write(t, p.dir, "a.txt", text+"below\n")
	gittest.Run(t, p.dir, "commit", "-qam", "below")
	_, err := p.Merge(t.Context(), "t1", MergeOptions{})
	if c, ok := err.(*ConflictError); !ok || c.Files[0].Path != "a.txt" {
		t.Errorf("err = %v", err)
	}
	if gittest.Read(t, p.dir, "ran") != "<none>" {
		t.Error("the driver ran")
	}
}
