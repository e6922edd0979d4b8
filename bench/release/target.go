package main

import (
	"context"
	"debug/buildinfo"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// target is a system that the program is built for.
type target struct {
	Name, OS, Arch string
	Triple         string // as zig has it
	Libc           string // glibc, musl or ""
	Wheel          string // platform tag
	program        string // built
}

func targets() []target {
	return []target{
		{Name: "linux-amd64", OS: "linux", Arch: "amd64", Triple: "x86_64-linux-gnu.2.17", Libc: "glibc",
			Wheel: "manylinux_2_17_x86_64.manylinux2014_x86_64"},
		{Name: "linux-amd64-musl", OS: "linux", Arch: "amd64", Triple: "x86_64-linux-musl", Libc: "musl", Wheel: "musllinux_1_1_x86_64"},
		{Name: "linux-arm64", OS: "linux", Arch: "arm64", Triple: "aarch64-linux-gnu.2.17", Libc: "glibc",
			Wheel: "manylinux_2_17_aarch64.manylinux2014_aarch64"},
		{Name: "linux-arm64-musl", OS: "linux", Arch: "arm64", Triple: "aarch64-linux-musl", Libc: "musl", Wheel: "musllinux_1_1_aarch64"},
		{Name: "windows-amd64", OS: "windows", Arch: "amd64", Triple: "x86_64-windows-gnu", Wheel: "win_amd64"},
		{Name: "windows-arm64", OS: "windows", Arch: "arm64", Triple: "aarch64-windows-gnu", Wheel: "win_arm64"},
		{Name: "darwin-amd64", OS: "darwin", Arch: "amd64", Triple: "x86_64-macos.12.0", Wheel: "macosx_12_0_x86_64"},
		{Name: "darwin-arm64", OS: "darwin", Arch: "arm64", Triple: "aarch64-macos.12.0", Wheel: "macosx_12_0_arm64"},
	}
}

// chooseTargets returns the targets that are named, or all.
func chooseTargets(only string) ([]target, error) {
	var list []target
	for _, t := range targets() {
		if only == "" || strings.Contains(","+only+",", ","+t.Name+",") {
			list = append(list, t)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("there is no target %q", only)
	}
	return list, nil
}

// Program returns the name of the program's file.
func (t *target) Program() string {
	if t.OS == "windows" {
		return "ken.exe"
	}
	return "ken"
}

// npmSystem and npmProcessor are the names that npm has for systems and processors.
func (t *target) npmSystem() string    { return strings.ReplaceAll(t.OS, "windows", "win32") }
func (t *target) npmProcessor() string { return strings.ReplaceAll(t.Arch, "amd64", "x64") }

//go:embed stubs/*.tbd
var stubFiles embed.FS

// writeStubs writes the stubs of the libraries of macOS that zig lacks as its linker looks for them, and returns the options that have it
// look there. A stub has the names that Go takes from a library, so that no library and no Mac is needed.
func writeStubs(dir string) (options string, err error) {
	list, err := stubFiles.ReadDir("stubs")
	for _, f := range list {
		text, failed := stubFiles.ReadFile("stubs/" + f.Name())
		folder := dir
		if name := strings.TrimSuffix(f.Name(), ".tbd"); !strings.HasPrefix(name, "lib") {
			folder = filepath.Join(dir, name+".framework")
		}
		err = errors.Join(err, failed, os.MkdirAll(folder, 0o755), os.WriteFile(filepath.Join(folder, f.Name()), text, 0o644))
	}
	return "-F" + dir + " -L" + dir, err
}

// environment returns the variables of the go command that builds for the target with options of the C compiler.
func (t *target) environment(zig, options string) []string {
	env := []string{"CGO_ENABLED=1", "GOOS=" + t.OS, "GOARCH=" + t.Arch, "GOFLAGS=", "GOWORK=off", "GOAMD64=v1",
		"CGO_CFLAGS=-O2 -g0", "CGO_CXXFLAGS=-O2 -g0", "CGO_LDFLAGS=-O2 -g", "CGO_CPPFLAGS="}
	for _, compiler := range []string{"CC=%s cc", "CXX=%s c++"} {
		env = append(env, strings.TrimSpace(fmt.Sprintf(compiler+" -target %s %s", zig, t.Triple, options)))
	}
	return env
}

// linkScript drops an option that Go gives to linkers that it does not know: it exports all symbols, so that grammars which nothing uses
// would stay in the program, 2 MB of them.
const linkScript = `#!/bin/sh
for a; do
  shift
  [ "$a" = -rdynamic ] || set -- "$@" "$a"
done
exec %s cc -target %s "$@"
`

// build compiles the program into dir, and checks what it says of itself. It fails if the program was made of something else than the
// commit, or the version of a release is not the tag's.
func (r *release) build(ctx context.Context, t *target, dir string) error {
	if r.zig == "" {
		return errors.New("name the compiler by -zig")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	t.program = dir + "/" + t.Program()
	flags := "-s -w -buildid= -linkmode=external"
	switch {
	case t.Libc == "musl":
		flags += " '-extldflags=-static -Wl,-s'" // zig keeps the symbols that -s alone would drop
	case t.OS != "darwin":
		flags += " -extldflags=-Wl,-s"
	}
	options := ""
	if t.OS == "darwin" {
		var err error
		// One folder for all commits, because the options are a part of what Go's cache is asked for.
		if options, err = writeStubs(filepath.Join(filepath.Dir(r.zig), "stubs")); err != nil {
			return err
		}
	}
	if t.Libc == "glibc" {
		linker := filepath.Join(filepath.Dir(dir), t.Name+"-link")
		if err := os.WriteFile(linker, fmt.Appendf(nil, linkScript, r.zig, t.Triple), 0o755); err != nil {
			return err
		}
		flags += " -extld=" + linker
	}
	// One package at a time: a grammar takes a gigabyte of memory to compile.
	args := []string{"build", "-p", "1", "-trimpath", "-buildvcs=true", "-ldflags=" + flags, "-o", t.program, "./cmd/ken"}
	if _, err := output(ctx, r.source, t.environment(r.zig, options), "go", args...); err != nil {
		return err
	}
	info, err := buildinfo.ReadFile(t.program)
	if err != nil {
		return err
	}
	got := map[string]string{}
	for _, s := range info.Settings {
		got[s.Key] = s.Value
	}
	if !strings.HasPrefix(r.version, "v0.0.0-") && info.Main.Version != r.version {
		return fmt.Errorf("%s says version %s, not %s", t.Name, info.Main.Version, r.version)
	}
	if got["vcs.revision"] != r.commit || got["vcs.modified"] != "false" {
		return fmt.Errorf("%s says commit %s, modified %s", t.Name, got["vcs.revision"], got["vcs.modified"])
	}
	stat, err := os.Stat(t.program)
	if err == nil {
		fmt.Printf("%s: program %.1f MB\n", t.Name, float64(stat.Size())/1e6)
	}
	return err
}
