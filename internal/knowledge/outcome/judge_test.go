package outcome

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// repo is a repository with the files a.go and sub/b.go.
type repo struct {
	t    *testing.T
	root string
}

func newRepo(t *testing.T) *repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	r := &repo{t, t.TempDir()}
	r.git("init", "-q", "-b", "main")
	r.write("a.go", "package a\n")
	r.write("sub/b.go", "package b\n")
	r.commit()
	return r
}

func (r *repo) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", r.root, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %v: %v, %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r *repo) write(path, text string) {
	r.t.Helper()
	full := filepath.Join(r.root, path)
	os.MkdirAll(filepath.Dir(full), 0o755)
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) remove(path string) { os.Remove(filepath.Join(r.root, path)) }

func (r *repo) commit() {
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "x")
}

// TestJudge: what git shows of the edits of a session, and what it does not show.
func TestJudge(t *testing.T) {
	edited := []Change{{Path: "a.go"}}
	both := []Change{{Path: "a.go"}, {Path: "sub/b.go"}}
	for name, c := range map[string]struct {
		changes []Change
		after   func(r *repo) // what happens; the session has written "edited" into its files
		want    Result        // "" is not judged
		reason  string
	}{
		"committed":        {edited, func(r *repo) { r.commit() }, Success, "kept"},
		"not yet":          {edited, func(*repo) {}, "", ""},
		"staged":           {edited, func(r *repo) { r.git("add", "-A") }, "", ""},
		"checked out":      {edited, func(r *repo) { r.git("checkout", "-q", "--", "a.go") }, Failure, "reverted"},
		"reset":            {edited, func(r *repo) { r.git("reset", "-q", "--hard") }, Failure, "reverted"},
		"reverted":         {edited, func(r *repo) { r.commit(); r.git("revert", "--no-edit", "HEAD") }, Failure, "reverted"},
		"mixed":            {both, func(r *repo) { r.git("checkout", "-q", "--", "a.go"); r.commit() }, Partial, "mixed"},
		"one is open":      {both, func(r *repo) { r.git("checkout", "-q", "--", "a.go") }, "", ""},
		"in the stash":     {edited, func(r *repo) { r.git("stash") }, "", ""},
		"on a branch":      {edited, func(r *repo) { r.git("checkout", "-q", "-b", "x"); r.commit(); r.git("checkout", "-q", "main") }, "", ""},
		"merging":          {edited, func(r *repo) { r.commit(); r.write(".git/MERGE_HEAD", "x") }, "", ""},
		"created and gone": {[]Change{{Path: "new.go", Created: true}}, func(r *repo) { r.remove("new.go") }, Failure, "reverted"},
		"created and kept": {[]Change{{Path: "new.go", Created: true}}, func(r *repo) { r.commit() }, Success, "kept"},
		"deleted":          {[]Change{{Path: "a.go", Deleted: true}}, func(r *repo) { r.remove("a.go"); r.commit() }, Success, "kept"},
		"deleted and back": {[]Change{{Path: "a.go", Deleted: true}}, func(r *repo) { r.git("checkout", "-q", "--", "a.go") }, Failure, "reverted"},
		"moved":            {edited, func(r *repo) { r.git("mv", "a.go", "c.go"); r.commit() }, Success, "kept"},
		"no log of HEAD":   {edited, func(r *repo) { r.commit(); r.remove(".git/logs/HEAD") }, "", ""},
		"commit is gone":   {edited, func(r *repo) { r.commit(); r.git("update-ref", "-d", "refs/heads/main") }, "", ""},
		"nothing":          {nil, func(*repo) {}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			w := &Work{Session: "s", Commit: r.git("rev-parse", "HEAD"), Began: time.Now().Add(-time.Minute), Changes: c.changes}
			for _, f := range c.changes {
				r.write(f.Path, "edited\n")
			}
			c.after(r)
			o, ok, err := Judge(t.Context(), r.root, w, time.Now())
			if err != nil || ok != (c.want != "") || o.Result != c.want || o.Reason != c.reason {
				t.Errorf("%+v, %v, %v", o, ok, err)
			}
		})
	}
}

// TestJudgeBelow: a project may be a folder of its repository, or of none.
func TestJudgeBelow(t *testing.T) {
	r := newRepo(t)
	w := &Work{Session: "s", Commit: r.git("rev-parse", "HEAD"), Began: time.Now().Add(-time.Minute), Changes: []Change{{Path: "b.go"}}}
	r.write("sub/b.go", "edited\n")
	r.commit()
	if o, ok, err := Judge(t.Context(), filepath.Join(r.root, "sub"), w, time.Now()); !ok || o.Result != Success || err != nil {
		t.Errorf("%+v, %v, %v", o, ok, err)
	}
	if _, ok, err := Judge(t.Context(), t.TempDir(), w, time.Now()); ok || err != nil {
		t.Errorf("without a repository: %v, %v", ok, err)
	}
	w.Commit = strings.Repeat("1", 40)
	if _, ok, err := Judge(t.Context(), filepath.Join(r.root, "sub"), w, time.Now()); ok || err != nil {
		t.Errorf("a commit that is not there: %v, %v", ok, err)
	}
}
