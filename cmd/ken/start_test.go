package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestStart bounds what ken's packages do before main: every command, every hook and every server pays for it.
func TestStart(t *testing.T) {
	cmd := exec.Command("ken", "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for lines := bufio.NewScanner(&said); lines.Scan(); {
		var (
			name              string
			at, clock         float64
			allocated, allocs int
		)
		_, rest, ok := strings.Cut(lines.Text(), "init ken/")
		if !ok {
			continue
		}
		if _, err := fmt.Sscanf(rest, "%s @%f ms, %f ms clock, %d bytes, %d allocs", &name, &at, &clock, &allocated, &allocs); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		seen++
		most := 32 << 10
		if name == "internal/lang" { // the table of languages
			most = 64 << 10
		}
		if allocated > most {
			t.Errorf("%s allocates %d bytes before main, %d are allowed: make it when it is first used", name, allocated, most)
		}
	}
	if seen < 10 {
		t.Errorf("only %d packages were seen", seen)
	}
}
