package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"ken/bench/world"
)

//go:embed package.json
var npmPackages []byte

//go:embed chatmap.py
var chatMap []byte

// Versions of what is not in package.json.
const (
	aiderVersion   = "0.86.2"
	serenaVersion  = "2.1.0"
	uvVersion      = "0.9.7"
	semgrepVersion = "1.185.0"
	goplsVersion   = "v0.20.0"
)

// installed are the folders in which the programs are.
type installed struct {
	programs
	cache string
}

func (i *installed) npm(name string) string {
	return filepath.Join(i.cache, "npm", "node_modules", name)
}

func (i *installed) python(name, program string) string {
	return filepath.Join(i.cache, name, "bin", program)
}

// fromNPM installs the packages of npm and returns the reason if they cannot be had.
func (i *installed) fromNPM(ctx context.Context) string {
	return reason(world.InstallPackages(ctx, filepath.Join(i.cache, "npm"), npmPackages))
}

// fromPyPI installs packages into an environment of their own and returns the reason if they cannot be had.
func (i *installed) fromPyPI(ctx context.Context, name string, packages ...string) string {
	dir := filepath.Join(i.cache, name)
	done := filepath.Join(dir, "installed.txt")
	if was, err := os.ReadFile(done); err == nil && string(was) == strings.Join(packages, " ") {
		return ""
	}
	python := ""
	for _, p := range []string{"python3.12", "python3.11", "python3"} {
		if exec.CommandContext(ctx, p, "--version").Run() == nil {
			python = p
			break
		}
	}
	if python == "" {
		return "there is no Python"
	}
	for _, args := range [][]string{{python, "-m", "venv", dir}, append([]string{filepath.Join(dir, "bin", "pip"), "install", "-q"}, packages...)} {
		if out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput(); err != nil {
			return fmt.Sprintf("%s: %v: %s", filepath.Base(args[0]), err, lastLine(string(out)))
		}
	}
	return reason(os.WriteFile(done, []byte(strings.Join(packages, " ")), 0o644))
}

// fromGo installs a command and returns the reason if it cannot be had.
func (i *installed) fromGo(ctx context.Context, command, version string) string {
	bin := filepath.Join(i.cache, "go")
	if _, err := os.Stat(filepath.Join(bin, filepath.Base(command))); err == nil {
		return ""
	}
	cmd := exec.CommandContext(ctx, "go", "install", command+"@"+version)
	cmd.Dir, cmd.Env = i.home, append(os.Environ(), "GOBIN="+bin, "GOFLAGS=-mod=mod")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Sprintf("go install: %v: %s", err, lastLine(string(out)))
	}
	return ""
}

func reason(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// codebaseMemory is a program whose packages of npm and PyPI fetch it from another place when they are installed or first run.
func (i *installed) codebaseMemory(ctx context.Context) *rival {
	r := &rival{name: "codebase-memory-mcp", version: "0.12.1 of PyPI"}
	if r.broken = i.fromPyPI(ctx, "codebase-memory", "codebase-memory-mcp==0.12.1"); r.broken == "" {
		if _, err := i.output(ctx, i.home, "", i.python("codebase-memory", "codebase-memory-mcp"), "--version"); err != nil {
			r.broken = "not measured: the packages of npm and PyPI hold a downloader only, and this machine reaches registries and no other place"
		} else {
			r.broken = "not measured: it runs here, but this program does not know how to ask it"
		}
	}
	return r
}

func (i *installed) sense(ctx context.Context) *rival {
	r := &rival{name: "sense", version: "v1"}
	if r.broken = i.fromGo(ctx, "github.com/luuuc/sense/cmd/sense", "latest"); r.broken != "" {
		r.broken = "not measured: the Go proxy that this machine reaches does not have the module"
	} else {
		r.broken = "not measured: it is installed, but this program does not know how to ask it"
	}
	return r
}
