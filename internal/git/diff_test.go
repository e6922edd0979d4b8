package git

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/git/gittest"
)

func TestCompare(t *testing.T) {
	gittest.IsolateSettings(t)
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	r := mustFind(t, dir)
	gittest.Write(t, dir, "a.txt", "one\ntwo\nthree\n")
	gittest.Write(t, dir, "b c\n\t.txt", "x\n")
	gittest.Run(t, dir, "add", "-A")
	if list, err := (Git{}).Compare(t.Context(), r, r.EmptyTree(), ""); err != nil || names(list) != `A "a.txt", A "b c\n\t.txt"` {
		t.Errorf("before the first commit: %s, %v", names(list), err)
	}
	gittest.Run(t, dir, "commit", "-q", "-m", "one")
	gittest.Run(t, dir, "mv", "a.txt", "z.txt")
	os.Remove(dir + "/b c\n\t.txt")
	os.Symlink("z.txt", dir+"/b c\n\t.txt")
	gittest.Run(t, dir, "add", "-A")
	gittest.Run(t, dir, "commit", "-q", "-m", "two")
	commit := func(rev string) string {
		id, err := Git{}.Commit(t.Context(), r, rev)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	list, err := Git{}.Compare(t.Context(), r, commit("HEAD~1"), commit("HEAD"))
	if err != nil || names(list) != `T "b c\n\t.txt", R "z.txt"` || list[1].Old != "a.txt" || list[0].NewMode != ModeLink {
		t.Errorf("two commits: %+v, %v", list, err)
	}
	for _, rev := range []string{"", "nosuch", "--all", "-h", "HEAD^{tree}", "HEAD:z.txt", "a\nb"} {
		if id, err := (Git{}).Commit(t.Context(), r, rev); !errors.Is(err, ErrNotFound) {
			t.Errorf("Commit(%q) = %q, %v", rev, id, err)
		}
	}
	if id, err := (Git{}).MergeBase(t.Context(), r, commit("HEAD~1"), commit("HEAD")); err != nil || id != commit("HEAD~1") {
		t.Errorf("MergeBase = %q, %v", id, err)
	}
}

func names(list []Compared) string {
	var out []string
	for _, c := range list {
		out = append(out, string(c.Status)+" "+quoted(c.Path))
	}
	return strings.Join(out, ", ")
}

func quoted(s string) string {
	return `"` + strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(s) + `"`
}

// TestEntries compares what is read from the index with what git lists.
func TestEntries(t *testing.T) {
	gittest.IsolateSettings(t)
	for _, version := range []string{"2", "3", "4"} {
		dir := t.TempDir()
		gittest.Run(t, dir, "init", "-q")
		gittest.Write(t, dir, "a/b.txt", "one\n")
		gittest.WriteScript(t, dir, "a/c.sh", "two\n")
		gittest.Run(t, dir, "add", "-A")
		gittest.Run(t, dir, "update-index", "--index-version", version)
		r := mustFind(t, dir)
		got, err := Git{}.Entries(t.Context(), r)
		if err != nil || len(got) != 2 {
			t.Fatalf("version %s: %+v, %v", version, got, err)
		}
		want, err := Git{}.listEntries(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if st, err := os.Stat(dir + "/" + got[i].Path); err != nil || got[i].Size != uint32(st.Size()) || got[i].MTime != 0 && got[i].MTime != st.ModTime().UnixNano() {
				t.Errorf("version %s: %+v of %v", version, got[i], st)
			}
			got[i].Size, got[i].MTime, got[i].CTime = 0, 0, 0
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("version %s (-git +read):\n%s", version, d)
		}
		if id, err := BlobID(strings.NewReader("one\n"), 4, got[0].ID); err != nil || id != got[0].ID {
			t.Errorf("BlobID = %s, %v; git has %s", id, err, got[0].ID)
		}
	}
}

func TestRacy(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 5, 500e6, time.UTC).UnixNano()
	for _, c := range []struct {
		mtime int64
		want  bool
	}{{at, true}, {at - 1e6, true}, {at - 1e9, false}, {at - 100e6, false}, {at + 1e9, true}, {at - 500e6, true}, {at - 1500e6, false}} {
		if got := isRacilyClean(c.mtime, at); got != c.want {
			t.Errorf("racy(%d, index) = %v", c.mtime-at, got)
		}
	}
}
