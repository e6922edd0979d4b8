package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// measuredTree is a tree to measure on.
type measuredTree struct {
	*project
	label string
	files []string // of about 500 lines, from the tree
	names []string // that are defined in them
}

func newMeasuredTree(ctx context.Context, o options, n int) (*measuredTree, error) {
	s := &measuredTree{project: o.project(fmt.Sprintf("tree-%d", n)), label: fmt.Sprintf("%d files", n)}
	if err := errors.Join(makeTree(ctx, s.dir, n, 1), os.MkdirAll(s.home, 0o755)); err != nil {
		return nil, err
	}
	if err := errors.Join(s.runUnmeasured(ctx, "init"), s.runUnmeasured(ctx, "index"), seedMemory(ctx, s.project)); err != nil {
		return nil, err
	}
	return s, s.chooseFiles(ctx)
}

// turnsTaken is the number of files and names that are used in turns.
const turnsTaken = 20

var exportedFunc = regexp.MustCompile(`(?m)^func ([A-Z][A-Za-z]{5,})\(`)

// chooseFiles finds files of about 500 lines, and names in them that something uses.
func (s *measuredTree) chooseFiles(ctx context.Context) error {
	files, err := s.goFiles(ctx)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(s.dir, f))
		if err != nil {
			return err
		}
		if lines := bytes.Count(text, []byte("\n")); lines >= 450 && lines <= 550 && len(s.files) < turnsTaken {
			s.files = append(s.files, f)
		}
		for _, m := range exportedFunc.FindAllSubmatch(text, 1) {
			name := string(m[1])
			if seen[name] || len(s.names) == turnsTaken {
				continue
			}
			seen[name] = true
			if s.runUnmeasured(ctx, "refs", name) == nil { // something uses it
				s.names = append(s.names, name)
			}
		}
		if len(s.files) == turnsTaken && len(s.names) == turnsTaken {
			break
		}
	}
	if len(s.files) == 0 || len(s.names) == 0 {
		return fmt.Errorf("%s: no file of 500 lines, or no function that is used", s.dir)
	}
	return nil
}

func (s *measuredTree) file(run int) string { return s.files[run%len(s.files)] }
func (s *measuredTree) name(run int) string { return s.names[run%len(s.names)] }

// payload returns the fields that all payloads have.
func (s *measuredTree) payload(session, event string, more map[string]any) map[string]any {
	p := map[string]any{
		"session_id": session, "transcript_path": filepath.Join(s.home, "transcript.jsonl"), "cwd": s.dir, "permission_mode": "default", "hook_event_name": event,
	}
	maps.Copy(p, more)
	return p
}

// editFile changes the file of a run as an agent does: the line of a declaration that it added before, every third time with
// another name. number makes each edit another.
func (s *measuredTree) editFile(run, number int) error {
	path := filepath.Join(s.dir, s.file(run))
	f, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	lines := bufio.NewScanner(bytes.NewReader(f))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if !strings.HasPrefix(lines.Text(), "func Added") {
			fmt.Fprintln(&out, lines.Text())
		}
	}
	fmt.Fprintf(&out, "func Added%d() int { return %d }\n", number/3, number)
	return errors.Join(lines.Err(), os.WriteFile(path, out.Bytes(), 0o644))
}
