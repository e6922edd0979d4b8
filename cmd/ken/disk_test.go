//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// diskEvents are events of a session, in an order in which they may come.
var diskEvents = []struct{ kind, name string }{
	{"session-start", "SessionStart"}, {"user-prompt-submit", "UserPromptSubmit"}, {"pre-tool-use", "PreToolUse"}, {"post-tool-use", "PostToolUse"},
	{"stop-async", "Stop"}, {"pre-compact", "PreCompact"}, {"session-end", "SessionEnd"},
}

// diskScript runs in a name space of its own, where it may mount: a project on a small disk is
// indexed, the disk is made full or read-only, and all events come.
const diskScript = `set -eu
cd "$1"
mount -t tmpfs -o size=4m tmpfs project
cd project
printf 'def upload():\n    pass\n' > a.py
ken init > /dev/null
fire() { # SESSION
  for e in %s; do
    kind=${e%%:*} name=${e#*:} code=0
    printf '{"session_id":"%%s","hook_event_name":"%%s","tool_name":"Edit","tool_use_id":"t-%%s","prompt":"upload it","tool_input":{"file_path":"%%s/a.py"}}' "$1" "$name" "$kind" "$PWD" |
      ken hook claude "$kind" > ../out 2> ../err || code=$?
    echo "$1 $kind $code $(head -c 1 ../out) $(cat ../err)"
  done
}
fire before
dd if=/dev/zero of=fill bs=4k 2> /dev/null || true
fire full
cp ../state/hooks.log ../full.log
ken doctor > ../doctor || true
rm fill
ken session list
fire after
rm ../state/hooks.log
printf '\n' >> a.py
mount -o remount,ro .
fire readonly
cp ../state/hooks.log ../readonly.log
ken doctor >> ../doctor || true
ken session list
cd ..
umount project
`

// TestFullDisk: on a full disk and on one that is read-only every hook ends with 0 and leaves
// one line in the log, which doctor counts. What was remembered before is still there, and once
// there is room again events are remembered.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"project", "home"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", filepath.Join(dir, "home")).CombinedOutput(); err != nil {
		t.Skipf("nothing can be mounted here: %v %s", err, out)
	}
	var events []string
	for _, e := range diskEvents {
		events = append(events, e.kind+":"+e.name)
	}
	cmd := exec.Command("unshare", "-rm", "sh", "-c", fmt.Sprintf(diskScript, strings.Join(events, " ")), "sh", dir)
	cmd.Env = append(os.Environ(), "HOME="+filepath.Join(dir, "home"), "KEN_STATE="+filepath.Join(dir, "state"), "XDG_CONFIG_HOME=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if bad := regexp.MustCompile(`(?m)^(before|full|after|readonly) \S+ (?:[^0].*|0 [^{ ].*|0 .? \S.*)$`).FindAllString(string(out), -1); len(bad) > 0 {
		t.Errorf("hooks that failed or said what is no answer: %q", bad)
	}
	for _, id := range []string{"before", "after"} {
		if n := strings.Count(string(out), "\n"+id+"  "); n != 1+strings.Count(map[string]string{"before": "x"}[id], "x") {
			t.Errorf("session %s is listed %d times:\n%s", id, n, out)
		}
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for log, reason := range map[string]string{"full.log": "no space left on device", "readonly.log": "read-only file system"} {
		lines := strings.Split(strings.TrimSpace(read(log)), "\n")
		seen := map[string]bool{}
		for _, l := range lines {
			kind := strings.Fields(l)[2]
			if seen[kind] {
				t.Errorf("%s has two lines of %s", log, kind)
			}
			seen[kind] = true
		}
		for _, kind := range []string{"session-start:", "user-prompt-submit:", "post-tool-use:", "stop-async:", "session-end:"} {
			if !seen[kind] {
				t.Errorf("%s has no line of %s", log, kind)
			}
		}
		if !strings.Contains(read(log), reason) {
			t.Errorf("%s does not say %q:\n%s", log, reason, read(log))
		}
	}
	doctor := read("doctor")
	for _, want := range []string{`log +full disk: \d+ times`, `log +read-only disk: \d+ times`} {
		if !regexp.MustCompile(want).MatchString(doctor) {
			t.Errorf("doctor does not say %q:\n%s", want, doctor)
		}
	}
	if t.Failed() {
		t.Logf("%s\n%s\n%s\n%s", out, read("full.log"), read("readonly.log"), doctor)
	}
}
