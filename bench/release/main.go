// Command release builds what a release of ken consists of: archives for each
// system, an npm package and a Python wheel that carry the program, a Debian
// package, checksums, a list of components (CycloneDX), licences, and the files
// of packaging with version and checksums filled in.
//
//	.ci/release VERSION                 the tag at HEAD, as v1.2.0
//	.ci/release -snapshot               HEAD without a tag
//	.ci/release -sizes                  what each grammar and table takes, and no more
//
// The sources are those of the commit, in a clone that is made for it, so a
// modified working tree changes nothing. Two runs on one commit write the same
// bytes: times are that of the commit, owners are root, orders are fixed.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	r := release{}
	snapshot := flag.Bool("snapshot", false, "build HEAD, whether it has a tag or not")
	only := flag.String("targets", "", "targets to build, by commas; default: all that this machine can build")
	flag.StringVar(&r.out, "out", "dist", "folder for the files; emptied first")
	flag.StringVar(&r.zig, "zig", "", "zig program that compiles C for other systems")
	sizes := flag.Bool("sizes", false, "print the parts of the program and stop")
	flag.Parse()
	if err := r.run(context.Background(), flag.Args(), *snapshot, *only, *sizes); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release is one run.
type release struct {
	out, zig string
	source   string // clone of the commit
	commit   string
	version  string // with its v
	time     time.Time
	project  project
	files    []string // written, relative to out
}

func (r *release) run(ctx context.Context, args []string, snapshot bool, only string, sizes bool) error {
	list, err := chooseTargets(only)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "ken-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := r.checkOut(ctx, filepath.Join(tmp, "source")); err != nil {
		return err
	}
	if r.project, err = readProject(r.source); err != nil {
		return err
	}
	if err := r.checkTag(ctx, args, snapshot); err != nil {
		return err
	}
	if sizes {
		return r.printSizes(ctx, &list[0])
	}
	if err := os.RemoveAll(r.out); err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	for i := range list {
		if err := r.build(ctx, &list[i], filepath.Join(tmp, list[i].Name)); err != nil {
			return err
		}
	}
	extras, err := r.extras(ctx, list)
	if err != nil {
		return err
	}
	for i := range list {
		if err := r.pack(ctx, &list[i], extras); err != nil {
			return err
		}
	}
	if err := r.writeNpmMain(list); err != nil {
		return err
	}
	if err := r.render(); err != nil {
		return err
	}
	return r.writeSums()
}

// checkOut clones HEAD without what is not committed.
func (r *release) checkOut(ctx context.Context, dir string) error {
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	if r.commit, err = output(ctx, here, nil, "git", "rev-parse", "HEAD"); err != nil {
		return err
	}
	if _, err := output(ctx, here, nil, "git", "clone", "-q", "--shared", "--no-checkout", here, dir); err != nil {
		return err
	}
	if _, err := output(ctx, dir, nil, "git", "checkout", "-q", "--detach", r.commit); err != nil {
		return err
	}
	at, err := output(ctx, dir, nil, "git", "show", "-s", "--format=%cI", r.commit)
	if err != nil {
		return err
	}
	r.source = dir
	r.time, err = time.Parse(time.RFC3339, at)
	r.time = r.time.UTC()
	return err
}

// checkTag compares the version asked for with the tags at HEAD. A release needs an address that its packages can name.
func (r *release) checkTag(ctx context.Context, args []string, snapshot bool) error {
	if snapshot {
		r.version = "v0.0.0-" + r.time.Format("20060102150405") + "-" + r.commit[:12]
		return nil
	}
	if len(args) != 1 {
		return errors.New("name the version, as v1.2.0, or -snapshot")
	}
	r.version = args[0]
	tags, err := output(ctx, r.source, nil, "git", "tag", "--points-at", "HEAD")
	if err != nil {
		return err
	}
	if !slices.Contains(strings.Fields(tags), r.version) {
		return fmt.Errorf("HEAD has no tag %s", r.version)
	}
	if strings.Contains(r.project.Repository, "OWNER") {
		return errors.New("packaging/project.json has no address of the repository yet")
	}
	return nil
}

// number returns the version without its v, as npm and file names have it.
func (r *release) number() string { return strings.TrimPrefix(r.version, "v") }

func output(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	if env != nil {
		cmd.Env = append(os.Environ(), env...)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, stderr.String())
	}
	return strings.TrimSpace(string(out)), nil
}
