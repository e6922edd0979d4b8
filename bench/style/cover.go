package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ken/bench/style/count"
)

// leastCovered is the share of statements that the tests of a package run.
const leastCovered = 75

// coveredPlaces are the packages whose own tests are held to leastCovered;
// scriptedPackage is the one that the scripts of the command line test.
var coveredPlaces = []string{"internal/engine", "internal/engine/", "internal/ask/", "internal/store/", "internal/code", "internal/lang",
	"internal/operation", "internal/delivery/agenttext", "internal/delivery/pack"}

const (
	scriptedPackage = "internal/delivery/op"
	scripts         = "./cmd/ken"
)

var coverageLine = regexp.MustCompile(`coverage: ([0-9.]+)% of statements`)

// packageCoverage is the share of a package that its tests run.
type packageCoverage struct {
	folder string
	share  float64 // percent
	note   string
}

// printCoverage prints the share of statements that the tests of each package run.
func printCoverage(ctx context.Context, dir string, places []string, verbose bool) error {
	own, err := goList(ctx, dir, "-json=ImportPath", "./...")
	if err != nil {
		return err
	}
	if len(places) == 0 {
		places = append(slices.Clone(coveredPlaces), scriptedPackage)
	}
	for i, p := range places {
		places[i] = strings.TrimPrefix(strings.TrimPrefix(p, "./"), count.Module+"/")
	}
	var all []packageCoverage
	for _, p := range own {
		folder := packageFolder(p.ImportPath)
		if !count.IsInPlaces(folder, places...) {
			continue
		}
		c, err := coverPackage(ctx, dir, folder, verbose)
		if err != nil {
			return err
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b packageCoverage) int { return cmp.Compare(a.share, b.share) })
	fmt.Printf("| package | statements run by its own tests | must | |\n|---|---|---|---|\n")
	for _, c := range all {
		mark := "✓"
		if c.share < leastCovered {
			mark = "✗"
		}
		fmt.Printf("| %s | %.1f %%%s | ≥ %d %% | %s |\n", shortPackage(c.folder), c.share, c.note, leastCovered, mark)
	}
	return nil
}

func coverPackage(ctx context.Context, dir, folder string, verbose bool) (packageCoverage, error) {
	args := []string{"test", "-cover", "./" + folder}
	if folder == scriptedPackage {
		args = []string{"test", "-cover", "-coverpkg=./" + folder, scripts}
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return packageCoverage{}, ctx.Err()
	}
	if verbose {
		fmt.Printf("%s", out)
	}
	c := packageCoverage{folder: folder}
	var failed *exec.ExitError
	switch m := coverageLine.FindSubmatch(out); {
	case errors.As(err, &failed):
		c.note = " (its tests fail)"
	case err != nil:
		return c, err
	case m != nil:
		c.share, err = strconv.ParseFloat(string(m[1]), 64)
	case strings.Contains(string(out), "no statements"):
		c.share, c.note = 100, " (it has no statements)"
	default:
		c.note = " (it has no tests)"
	}
	return c, err
}
