package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The size of a project that is made: enough that each question has an answer, little enough that it is indexed in a blink.
const (
	madePackages = 6
	madeFiles    = 12 // of each package
)

// make makes an indexed project in a folder, with the names that questions ask about, and returns its root.
func (b *bench) make(ctx context.Context, home string) (string, error) {
	root := filepath.Join(home, "made")
	files := map[string]string{
		"go.mod":    "module made\n\ngo 1.26\n",
		"README.md": "# made\n\nThe kubelet runs each Pod.\n",
		"p0/pod.go": "// Package p0 has pods.\npackage p0\n\n// Pod is what the kubelet runs.\ntype Pod struct{ Name string }\n\n// Start starts a Pod.\nfunc (p *Pod) Start() error { return nil }\n",
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
	for name, text := range files {
		if err := writeIn(root, name, text); err != nil {
			return "", err
		}
	}
	if out, err := b.kenIn(ctx, root, "init"); err != nil {
		return "", fmt.Errorf("ken init: %w: %s", err, out)
	}
	return root, nil
}

func writeIn(root, name, text string) error {
	path := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// kenIn runs a command of ken in a directory.
func (b *bench) kenIn(ctx context.Context, dir string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, b.ken, append([]string{"-C", dir}, args...)...).CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// ownProject makes a project with a state directory of its own, and returns the folder to remove afterwards and the root.
func (b *bench) ownProject(ctx context.Context) (home, root string, err error) {
	if home, err = os.MkdirTemp("", "ken-bench-made-"); err != nil {
		return "", "", err
	}
	os.Setenv("KEN_STATE", filepath.Join(home, "state"))
	root, err = b.make(ctx, home)
	return home, root, err
}
