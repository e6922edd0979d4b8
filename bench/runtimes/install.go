package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"ken/bench/world"
)

//go:embed package.json
var manifest []byte

//go:embed others.json
var others []byte

// programs are the folders into which npm installs clients.
type programs struct{ cache string }

// shared returns the folder of the clients that are installed together, and of node.
func (p programs) shared() string { return filepath.Join(p.cache, "ken-runtimes") }

// bin returns the folder of the programs of an installation.
func bin(folder string) string { return filepath.Join(folder, "node_modules", ".bin") }

// installShared has npm install the clients that are installed together. Scripts of packages do not run, but for that of node, which brings
// the program: the machine's own may be too old. It fails if npm does.
func (p programs) installShared(ctx context.Context) error {
	if err := world.InstallPackages(ctx, p.shared(), manifest); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(bin(p.shared()), "node")); err == nil {
		return nil
	}
	cmd := exec.CommandContext(ctx, "npm", "rebuild", "node")
	cmd.Dir = p.shared()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm rebuild node: %w: %s", err, out)
	}
	return nil
}

// installOther has npm install one package of others.json and returns its folder. It fails if npm does, or the package is none of them.
func (p programs) installOther(ctx context.Context, name string) (folder string, err error) {
	var all struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	if err := json.Unmarshal(others, &all); err != nil {
		return "", err
	}
	version, ok := all.Dependencies[name]
	if !ok {
		return "", fmt.Errorf("others.json has no package %s", name)
	}
	one, err := json.Marshal(map[string]any{"private": true, "dependencies": map[string]string{name: version}})
	if err != nil {
		return "", err
	}
	folder = filepath.Join(p.cache, "ken-runtimes-"+filepath.Base(name))
	return folder, world.InstallPackages(ctx, folder, one)
}
