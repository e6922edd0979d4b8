package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/delivery/op"
)

// TestWatch runs "ken watch" as a program does that reads its events: they come
// while it runs, each a documented object, and an interrupt ends it.
func TestWatch(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("KEN_STATE", t.TempDir())
	if err := os.CopyFS(dir, os.DirFS("testdata/project")); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("ken", "-C", dir, "init").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command("ken", "-C", dir, "watch", "--debounce", "20")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	lines := bufio.NewScanner(pipe)
	if e := nextEvent(t, lines); e["event"] != "watch:started" || e["directories"].(float64) < 2 {
		t.Fatalf("first event %v", e)
	}
	if out, _ := exec.Command("ken", "-C", dir, "status", "--json").Output(); !bytes.Contains(out, []byte(`"watch":{"isWatching":true,"filesWatched":`)) {
		t.Errorf("status: %s", out)
	}
	second := exec.Command("ken", "-C", dir, "watch")
	if out, _ := second.CombinedOutput(); second.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), "another process watches") {
		t.Errorf("a second watcher: exit %d: %s", second.ProcessState.ExitCode(), out)
	}
	if err := os.WriteFile(filepath.Join(dir, "web", "new.ts"), []byte("export function fresh() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	e := nextEvent(t, lines)
	if e["event"] != "codemap:updated" || e["path"] != "web/new.ts" || e["changeType"] != "created" || e["signatureDelta"] != 1.0 || e["tokenDelta"] != 5.0 {
		t.Errorf("of a new file: %v", e)
	}
	if e := nextEvent(t, lines); e["event"] != "codemap:compressed" || e["files"] != 1.0 {
		t.Errorf("after a new file: %v", e)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if lines.Scan() {
		t.Errorf("at the end: %s", lines.Bytes())
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 130 {
		t.Errorf("ended with %v: %s", err, stderr.Bytes())
	}
	if out, _ := exec.Command("ken", "-C", dir, "status", "--json").Output(); !bytes.Contains(out, []byte(`"isWatching":false,"filesWatched":0,"lastUpdate":null`)) {
		t.Errorf("status afterwards: %s", out)
	}
}

// nextEvent reads one line and checks its keys against what is documented.
func nextEvent(t *testing.T, lines *bufio.Scanner) map[string]any {
	t.Helper()
	if !lines.Scan() {
		t.Fatalf("no event: %v", lines.Err())
	}
	var e map[string]any
	if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
		t.Fatalf("%v: %s", err, lines.Bytes())
	}
	all := op.All()
	watch := all[slices.IndexFunc(all, func(t *op.Tool) bool { return t.Name == "watch" })]
	dec := json.NewDecoder(bytes.NewReader(lines.Bytes()))
	dec.UseNumber()
	if err := checkObject(dec, watch.Answer()[0].Fields, "event"); err != nil {
		t.Errorf("%v: %s", err, lines.Bytes())
	}
	return e
}
