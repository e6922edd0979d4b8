package folder_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/workflow/plan/folder"
)

// TestPointerOfSession: sessions choose for themselves, before the file that chooses for all; what they may not name is left alone.
func TestPointerOfSession(t *testing.T) {
	temp := t.TempDir()
	root := tree(t, map[string]string{
		".planning/active-workstream": "beta\n", ".planning/workstreams/alpha/STATE.md": "a", ".planning/workstreams/beta/STATE.md": "b", ".planning/STATE.md": "flat",
	})
	env := func(pairs ...string) func(string) string {
		return func(name string) string {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i] == name {
					return pairs[i+1]
				}
			}
			if name == "TMPDIR" {
				return temp
			}
			return ""
		}
	}
	for _, c := range []struct{ name, value, base string }{
		{"CLAUDE_SESSION_ID", " a/b//c_ ", "claude-session-id-a_b_c"}, {"TMUX_PANE", "%3", "tmux-pane-3"}, {"TTY", "/dev/pts/4", "tty-pts_4"},
		{"GSD_SESSION_KEY", "../../x", "gsd-session-key-.._.._x"}, {"GSD_SESSION_KEY", strings.Repeat("y", 500), "gsd-session-key-" + strings.Repeat("y", 160)},
		{"GSD_SESSION_KEY", "///", "."}, {"NONE", "x", "."},
	} {
		if got := filepath.Base(folder.SessionPointer(root, env(c.name, c.value))); got != c.base {
			t.Errorf("%s=%.40q: %s, want %s", c.name, c.value, got, c.base)
		}
	}
	one, two := folder.SessionPointer(root, env("GSD_SESSION_KEY", "1")), folder.SessionPointer(root, env("GSD_SESSION_KEY", "2"))
	chosen := func(pointer string) string { return open(t, root, folder.Options{Pointer: pointer}).Workstream }
	if got := chosen(one); got != "beta" {
		t.Errorf("without a choice: %q", got)
	}
	for _, c := range []struct{ set, want string }{{"alpha", "alpha"}, {"", ""}, {"gone", "beta"}, {"../x", "beta"}, {"beta", "beta"}} {
		if err := folder.WritePointer(one, c.set); err != nil {
			t.Fatal(err)
		}
		if got := chosen(one); got != c.want {
			t.Errorf("chosen %q: %q", c.set, got)
		}
	}
	if got := chosen(two); got != "beta" {
		t.Errorf("another session: %q", got)
	}
	// A link in the folder of temporary files leads nowhere.
	other := filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(other, []byte("alpha"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, two); err != nil {
		t.Skip(err)
	}
	if got := chosen(two); got != "beta" {
		t.Errorf("a link was read: %q", got)
	}
	if err := folder.WritePointer(two, "beta"); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(other); string(b) != "alpha" {
		t.Errorf("a link was written through: %q", b)
	}
}
