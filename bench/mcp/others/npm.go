// Package others has programs of others try ken's server of the Model Context Protocol: the protocol's own tests, its
// inspector, and clients of its SDKs, which npm and pip install. Its neighbour bench/mcp measures the server.
package others

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"ken/bench/world"
)

// Trial has programs of others try a server.
type Trial struct {
	Ken    string // binary
	Dir    string // an indexed project to ask; "" makes a small one
	Short  bool   // little of everything
	Missed int    // promises that were not kept
}

//go:embed package.json
var manifest []byte

// npmPrograms are those of others that try ken, in a folder that npm installs into.
type npmPrograms struct {
	folder, node string
}

// installPrograms has npm install the packages of package.json, and the node of bench/loopback, into the user's cache. It fails if npm
// does.
func installPrograms(ctx context.Context) (*npmPrograms, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	node, version, err := nodePackage()
	if err != nil {
		return nil, err
	}
	var wanted map[string]any
	if err := json.Unmarshal(manifest, &wanted); err != nil {
		return nil, err
	}
	wanted["dependencies"].(map[string]any)[node] = version
	all, err := json.MarshalIndent(wanted, "", "  ")
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(cache, "ken-mcp")
	if err := world.InstallPackages(ctx, folder, all); err != nil {
		return nil, err
	}
	p := &npmPrograms{folder: folder, node: filepath.Join(folder, "node_modules", node, "bin", "node")}
	if out, err := exec.CommandContext(ctx, p.node, "--version").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("node of npm: %w: %s", err, out)
	}
	return p, nil
}

// Install only installs the packages of the other parts. It fails if npm does.
func (t *Trial) Install(ctx context.Context) error {
	_, err := installPrograms(ctx)
	return err
}

// nodePackage is the package that holds node for this machine, at the version that bench/loopback pins. The package node itself
// only fetches that one, in a script, and scripts of packages are not run.
func nodePackage() (name, version string, err error) {
	b, err := os.ReadFile(filepath.Join("bench", "loopback", "package.json"))
	if err != nil {
		return "", "", fmt.Errorf("start it in the repository: %w", err)
	}
	var m struct{ Dependencies map[string]string }
	if err := json.Unmarshal(b, &m); err != nil {
		return "", "", err
	}
	arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	prefix := "node"
	if runtime.GOOS == "darwin" && arch == "arm64" {
		prefix = "node-bin"
	}
	return prefix + "-" + runtime.GOOS + "-" + arch, m.Dependencies["node"], nil
}

// command is a program of a package.
func (p *npmPrograms) command(ctx context.Context, script []string, args ...string) *exec.Cmd {
	at := filepath.Join(append([]string{p.folder, "node_modules"}, script...)...)
	return exec.CommandContext(ctx, p.node, append([]string{at}, args...)...)
}

// withHTTPServer starts a server over HTTP on a copy of a small project and has do ask it, with a token if there is one. If fixture is set,
// it is the server of bench/mcp/fixture.
func (t *Trial) withHTTPServer(ctx context.Context, token string, fixture bool, do func(url, work string) error) error {
	work, remove, err := world.Scratch("ken-bench-mcp-")
	if err != nil {
		return err
	}
	defer remove()
	dir := filepath.Join(work, "project")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("cmd", "ken", "testdata", "project"))); err != nil {
		return err
	}
	env := append(os.Environ(), "KEN_STATE="+filepath.Join(work, "state"), "KEN_MCP_TOKEN="+token)
	index := exec.CommandContext(ctx, t.Ken, "-C", dir, "init")
	index.Env = env
	if out, err := index.CombinedOutput(); err != nil {
		return fmt.Errorf("ken init: %w: %s", err, out)
	}
	cmd := exec.CommandContext(ctx, t.Ken, "-C", dir, "mcp", "--tools", "full", "--http", "127.0.0.1:0")
	if fixture {
		program, err := world.BuildPackage(ctx, work, "ken/bench/mcp/fixture")
		if err != nil {
			return err
		}
		cmd = exec.CommandContext(ctx, program, "127.0.0.1:0")
	}
	cmd.Env = env
	said, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	line, err := bufio.NewReader(said).ReadString('\n')
	_, url, ok := strings.Cut(strings.TrimSpace(line), "listening on ")
	url, _, _ = strings.Cut(url, ",")
	if err != nil || !ok {
		return fmt.Errorf("%s: %q: %w", cmd, line, err)
	}
	return do(url, work)
}
