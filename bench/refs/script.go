package main

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"ken/bench/world"
)

//go:embed oracle/package.json
var npmPackages []byte

//go:embed oracle/script.js
var scriptProgram []byte

// installNPM installs the pinned packages of oracle/package.json and returns the
// folder they are in. It fails if npm does.
func installNPM(ctx context.Context, cache string) (string, error) {
	dir := filepath.Join(cache, "npm")
	return dir, world.InstallPackages(ctx, dir, npmPackages)
}

// scriptOracle is TypeScript's language service, in a process of node's that answers
// one line of JSON with another.
type scriptOracle struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func openScript(ctx context.Context, o options, t *sourceTree) (oracle, error) {
	packages, err := installNPM(ctx, o.cache)
	if err != nil {
		return nil, err
	}
	program := filepath.Join(packages, "script.js")
	if err := os.WriteFile(program, scriptProgram, 0o644); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "node", "--max-old-space-size=6000", program, t.dir)
	cmd.Stderr = os.Stderr
	s := &scriptOracle{cmd: cmd}
	if s.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReader(out)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if err := s.ask(map[string]any{"files": t.files}, &struct{}{}); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *scriptOracle) ask(question, answer any) error {
	b, err := json.Marshal(question)
	if err != nil {
		return err
	}
	if _, err := s.in.Write(append(b, '\n')); err != nil {
		return err
	}
	line, err := s.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("the language service ended: %w", err)
	}
	var failed struct{ Error string }
	if err := json.Unmarshal(line, &failed); err == nil && failed.Error != "" {
		return errors.New(failed.Error)
	}
	return json.Unmarshal(line, answer)
}

func (s *scriptOracle) references(_ context.Context, at []place) (knowledge, error) {
	var a struct {
		Declared []place
		Uses     []oracleUse
	}
	err := s.ask(map[string]any{"references": at}, &a)
	return knowledge{declared: a.Declared, uses: a.Uses}, err
}

func (s *scriptOracle) meanings(_ context.Context, at place) ([]place, error) {
	var a struct{ Declared []place }
	err := s.ask(map[string]any{"meaning": at}, &a)
	return a.Declared, err
}

func (s *scriptOracle) isLoose() bool { return false }

func (s *scriptOracle) close() {
	s.in.Close()
	_ = s.cmd.Wait()
}
