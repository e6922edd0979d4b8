package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"

	"ken/bench/world"
)

// trees are the repositories that are measured.
type trees struct {
	list, mirror, work, only string
}

// record holds the fields of a line of ken surface that are measured.
type record struct {
	Type, Manager, Package, Module, Symbol, Tier, Language string
	Places                                                 []string
	Uses                                                   int
	External                                               int
	Attributed                                             int
	Members                                                int `json:"undecided_members"`
}

// share counts the uses of other packages in one language.
type share struct {
	trees, external, attributed, declared, members int
}

func (t *trees) attributed(ctx context.Context, ken string) error {
	pins, err := world.Corpus(t.list)
	if err != nil {
		return err
	}
	sums := map[string]*share{}
	add := func(language string, r *record, declared int) {
		s := sums[language]
		if s == nil {
			s = &share{}
			sums[language] = s
		}
		s.trees++
		s.external, s.attributed, s.members = s.external+r.External, s.attributed+r.Attributed, s.members+r.Members
		s.declared += declared
	}
	for _, pin := range pins {
		if !strings.Contains(pin.Repository, t.only) {
			continue
		}
		records, err := t.surface(ctx, ken, pin)
		if err != nil {
			return fmt.Errorf("%s: %w", pin.Repository, err)
		}
		declared := 0
		for i := range records {
			r := &records[i]
			if r.Type == "use" && r.Tier == "import-resolved" {
				declared += r.Uses
			}
			if r.Type == "coverage" && r.Language != "" && r.External > 0 {
				add(r.Language, r, 0)
			}
		}
		sum := &records[len(records)-1]
		add("all", sum, declared)
		fmt.Printf("%-32s %7d uses of other packages, %5.1f %% attributed, %5.1f %% by a manifest\n",
			pin.Repository, sum.External, percent(sum.Attributed, sum.External), percent(declared, sum.External))
	}
	fmt.Printf("\n%-12s %5s %9s %10s %18s\n", "language", "trees", "external", "attributed", "undecided members")
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		s := sums[name]
		fmt.Printf("%-12s %5d %9d %8.1f %% %18d\n", name, s.trees, s.external, percent(s.attributed, s.external), s.members)
	}
	fmt.Printf("declared by a manifest or lock file: %.1f %% of all\n", percent(sums["all"].declared, sums["all"].external))
	return nil
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// surface returns the surface of a repository at a commit.
func (t *trees) surface(ctx context.Context, ken string, pin world.Pin) ([]record, error) {
	if err := os.MkdirAll(t.work, 0o755); err != nil {
		return nil, err
	}
	tree, err := world.ShareClone(ctx, t.mirror, pin.Repository, t.work)
	if err != nil {
		return nil, err
	}
	if head, err := world.Git(ctx, tree, "rev-parse", "HEAD"); err != nil || strings.TrimSpace(head) != pin.Commit || isEmpty(tree) {
		if err := world.Checkout(ctx, tree, pin.Commit); err != nil {
			return nil, err
		}
	}
	return readSurface(ctx, ken, tree)
}

// isEmpty reports whether nothing is checked out in a tree.
func isEmpty(tree string) bool {
	list, err := os.ReadDir(tree)
	return err != nil || len(list) < 2
}

func readSurface(ctx context.Context, ken, tree string) ([]record, error) {
	if out, err := exec.CommandContext(ctx, ken, "-C", tree, "init").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("index: %w: %s", err, out)
	}
	out, err := exec.CommandContext(ctx, ken, "-C", tree, "surface").Output()
	if err != nil {
		return nil, err
	}
	var list []record
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("there is no surface")
	}
	return list, lines.Err()
}
