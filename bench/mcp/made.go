package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"ken/bench/world"
)

// The size of a made project: enough that each question has an answer, little
// enough that it is indexed in a moment.
const (
	madePackages = 6
	madeFiles    = 12 // of each package
)

// makeProject makes an indexed project in a folder, with the names that questions
// ask about, and returns its root.
func (b *bench) makeProject(ctx context.Context, home string) (string, error) {
	root := filepath.Join(home, "made")
	files := map[string]string{
		"go.mod":    "module made\n\ngo 1.26\n",
		"README.md": "# made\n\nThe kubelet runs each Pod.\n",
		"p0/pod.go": "// Package p0 has pods.\npackage p0\n\n// Pod is run by the kubelet.\ntype Pod struct{ Name string }\n\n// Start starts a Pod.\nfunc (p *Pod) Start() error { return nil }\n",
	}
	for i := range madePackages {
		for k := range madeFiles {
			text := fmt.Sprintf("package p%d\n\nimport \"made/p0\"\n\n// Run%d has the kubelet run a Pod.\nfunc Run%d(p *p0.Pod) error { return p.Start() }\n", i, k, k)
			if i == 0 {
				text = fmt.Sprintf("package p0\n\n// New%d makes a Pod for the kubelet.\nfunc New%d() *Pod { return &Pod{Name: \"%d\"} }\n", k, k, k)
			}
			files[fmt.Sprintf("p%d/file%d.go", i, k)] = text
		}
	}
	if err := world.WriteFiles(root, files); err != nil {
		return "", err
	}
	_, err := b.runKen(ctx, root, "init")
	return root, err
}

// runKen runs a command of ken in a directory and returns its output, which is in
// the error if it fails.
func (b *bench) runKen(ctx context.Context, dir string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, b.ken, append([]string{"-C", dir}, args...)...).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("ken %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out)), err
}
