package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"strings"
)

// pair is two commits to switch between.
type pair struct {
	kind     string // how far apart
	from, to string
}

// distances are the kinds of pairs; 0 is at random.
var distances = [...]int{1, 10, 100, 1000, 0}

// draw draws pairs of commits of a first-parent line, newest first, one of each
// kind in turn. The same seed gives the same pairs, and more of them begin with the same.
func draw(line []string, n int, seed uint64) []pair {
	r := rand.New(rand.NewPCG(seed, 0))
	var out []pair
	for i := range n {
		d := distances[i%len(distances)]
		p := pair{kind: fmt.Sprint(d)}
		var x, y int
		if d == 0 {
			p.kind = "random"
			x, y = r.IntN(len(line)), r.IntN(len(line))
		} else {
			d = min(d, len(line)-1)
			x = r.IntN(len(line) - d)
			y = x + d
		}
		if r.IntN(2) == 0 {
			x, y = y, x
		}
		p.from, p.to = line[x], line[y]
		out = append(out, p)
	}
	return out
}

// git runs git without hooks and without what the user's settings say.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, errs.String())
	}
	return out.String(), nil
}

// firstParents are the commits of the first-parent line, newest first.
func firstParents(ctx context.Context, dir string) ([]string, error) {
	out, err := git(ctx, dir, "rev-list", "--first-parent", "HEAD")
	return strings.Fields(out), err
}

// difference is how much two commits differ.
type difference struct {
	paths int
	share float64 // of all paths of both
	bytes float64 // share of the second commit's bytes that are in files that differ
}

// differing compares two commits.
func differing(ctx context.Context, dir, from, to string) (d difference, err error) {
	out, err := git(ctx, dir, "diff-tree", "-r", "--no-renames", "--name-status", "-z", from, to)
	if err != nil {
		return d, err
	}
	fields := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	differ, gone := map[string]bool{}, 0
	for i := 0; i+1 < len(fields); i += 2 {
		differ[fields[i+1]] = true
		if fields[i] == "D" {
			gone++
		}
	}
	out, err = git(ctx, dir, "ls-tree", "-r", "-l", "-z", to)
	if err != nil {
		return d, err
	}
	all, bytes, fresh := gone, 0, 0
	for line := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		about, path, _ := strings.Cut(line, "\t")
		size, _ := strconv.Atoi(about[strings.LastIndexByte(about, ' ')+1:]) // "-" of a submodule is 0
		all++
		if bytes += size; differ[path] {
			fresh += size
		}
	}
	return difference{len(differ), float64(len(differ)) / float64(max(1, all)), float64(fresh) / float64(max(1, bytes))}, nil
}
