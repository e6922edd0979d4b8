package main

import (
	"bufio"
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

//go:embed oracle/Uses.java
var javaProgram []byte

// openJava has javac attribute all files of the tree.
func openJava(ctx context.Context, o options, t *sourceTree) (oracle, error) {
	if err := os.MkdirAll(o.cache, 0o755); err != nil {
		return nil, err
	}
	program := filepath.Join(o.cache, "Uses.java")
	if err := os.WriteFile(program, javaProgram, 0o644); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "java", "-Xmx4g", program, t.dir)
	cmd.Stdin = strings.NewReader(strings.Join(t.sources, "\n") + "\n")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	b := newBoundNames()
	if err := b.readUses(out); err != nil {
		return nil, err
	}
	return b, cmd.Wait()
}

// readUses takes the lines that oracle/Uses.java prints.
func (b *boundNames) readUses(r io.Reader) error {
	bases := map[place][]place{}
	b.bases = func(p place) []place { return bases[p] }
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		f := strings.Split(lines.Text(), "\t")
		switch {
		case f[0] == "D" && len(f) == 4:
			b.declared[javaPlace(f[1:])] = true
		case f[0] == "U" && len(f) == 8:
			b.addUse(javaPlace(f[1:]), javaPlace(f[4:]), mentionKind(f[7]))
		case f[0] == "B" && len(f) == 7:
			p := javaPlace(f[1:])
			bases[p] = append(bases[p], javaPlace(f[4:]))
		default:
			return fmt.Errorf("oracle: odd line %q", lines.Text())
		}
	}
	return lines.Err()
}

// javaPlace is the place that three fields give. A number that is none gives a
// place that no file has.
func javaPlace(f []string) place {
	line, _ := strconv.Atoi(f[1])
	column, _ := strconv.Atoi(f[2])
	return place{f[0], line, column}
}
