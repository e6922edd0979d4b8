package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// listed is a repository of a list, with the first commits of its history.
type listed struct {
	file, name string
	roots      []string
}

var (
	pin   = regexp.MustCompile(`(?:^|\s)([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)[@ ][0-9a-f]{7,40}\b`)
	first = regexp.MustCompile(`\b[0-9a-f]{40}\b`)
)

// readList returns the repositories of a file of ours: a name, @ and a commit or not, and first commits.
func readList(t *testing.T, file string) (out []listed) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		name, _, _ := strings.Cut(words[0], "@")
		out = append(out, listed{file, strings.ToLower(name), words[1:]})
	}
	return out
}

// others are lists of repositories on which the ranking is not measured: its own, and those of the words of orders to agents and of uses
// between repositories.
var others = []string{filepath.Join("..", "find", "train.txt"), filepath.Join("..", "sound", "injection", "repositories.txt"), filepath.Join("..", "fleet", "trees.txt")}

// TestTrainingList: no repository from which the ranking is learned, nor a fork of one, is among those that ken is measured on.
func TestTrainingList(t *testing.T) {
	train := readList(t, "train.txt")
	if len(train) < 80 {
		t.Errorf("%d repositories", len(train))
	}
	byName, byRoot := map[string]string{}, map[string]string{}
	for _, r := range readList(t, "never.txt") {
		byName[r.name] = r.file
		for _, c := range r.roots {
			byRoot[c] = r.name
		}
	}
	pins := 0
	err := filepath.WalkDir("..", func(file string, e fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".txt" || slices.Contains(others, file) {
			return err
		}
		text, err := os.ReadFile(file)
		for _, m := range pin.FindAllStringSubmatch(string(text), -1) {
			byName[strings.ToLower(m[1])] = file
			pins++
		}
		return err
	})
	if err != nil || pins < 150 || len(byRoot) < 90 {
		t.Fatalf("%d pins and %d first commits are read: %v", pins, len(byRoot), err)
	}
	for _, r := range train {
		if len(r.roots) == 0 || !first.MatchString(r.roots[0]) {
			t.Errorf("%s: no first commit", r.name)
		}
		if file, ok := byName[r.name]; ok {
			t.Errorf("%s is in %s", r.name, file)
		}
		for _, c := range r.roots {
			if other, ok := byRoot[c]; ok {
				t.Errorf("%s is a fork of %s", r.name, other)
			}
		}
	}
}
