package others

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"ken/bench/world"
)

// The clients made with the protocol's SDKs: each lists, calls and reads everything that the server declares, and its SDK checks the
// answers against their schemas.
var (
	//go:embed client.mjs
	typeScriptClient []byte
	//go:embed client.py
	pythonClient []byte
)

// pythonSDK is the package that pip installs.
const pythonSDK = "mcp==2.3.0"

// sdkWords are arguments that the small project has an answer to, by the names of the parameters.
const sdkWords = `{"name": "Add", "query": "add", "goal": "add numbers", "file": "go.mod", "path": "go.mod", "target": "Add", "pattern": "func"}`

// SDKs has clients made with the official TypeScript and Python SDKs use all features of a server on a small project, over standard
// input and over HTTP. npm and python3 have to be there; it fails if they install nothing.
func (t *Trial) SDKs(ctx context.Context) error {
	p, err := installPrograms(ctx)
	if err != nil {
		return err
	}
	clients, err := p.installClients(ctx)
	if err != nil {
		return err
	}
	return t.withHTTPServer(ctx, token, false, func(url, work string) error {
		project := filepath.Join(work, "project")
		if err := world.Commit(ctx, project, "Begin"); err != nil {
			return err
		}
		env := append(os.Environ(), "HOME="+work, "KEN_STATE="+filepath.Join(work, "state"), "KEN_MCP_TOKEN=", "WORDS="+sdkWords)
		fmt.Printf("| client | requests | failed | |\n|---|---|---|---|\n")
		for _, c := range clients {
			for _, args := range [][]string{
				{"stdio", t.Ken, "-C", project, "mcp", "--tools", "full"},
				{"http", url, token},
			} {
				cmd := exec.CommandContext(ctx, c.command[0], slices.Concat(c.command[1:], args)...)
				cmd.Env = env
				t.useSDK(cmd, c.name+", "+args[0])
			}
		}
		return nil
	})
}

// sdkClient is a client made with an SDK.
type sdkClient struct {
	name    string
	command []string
}

// installClients writes the clients beside the packages that they use and installs the Python one's. It fails if pip does.
func (p *npmPrograms) installClients(ctx context.Context) ([]sdkClient, error) {
	script, program := filepath.Join(p.folder, "client.mjs"), filepath.Join(p.folder, "client.py")
	if err := os.WriteFile(script, typeScriptClient, 0o644); err != nil {
		return nil, err
	}
	if err := os.WriteFile(program, pythonClient, 0o644); err != nil {
		return nil, err
	}
	venv := filepath.Join(p.folder, "python")
	python := filepath.Join(venv, "bin", "python")
	for _, args := range [][]string{{"python3", "-m", "venv", venv}, {python, "-m", "pip", "install", "--quiet", pythonSDK}} {
		if out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%v: %w: %s", args, err, out)
		}
	}
	return []sdkClient{
		{"TypeScript SDK", []string{p.node, script}},
		{"Python SDK", []string{python, "-W", "ignore", program}},
	}, nil
}

// useSDK runs a client and prints what failed.
func (t *Trial) useSDK(cmd *exec.Cmd, name string) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var result struct {
		Count int
		Fails []string
	}
	if err == nil {
		err = json.Unmarshal(out, &result)
	}
	mark := "✓"
	if err != nil || len(result.Fails) > 0 || result.Count == 0 {
		mark = "✗"
		t.Missed++
	}
	fmt.Printf("| %s | %d | %d | %s |\n", name, result.Count, len(result.Fails), mark)
	for _, f := range result.Fails {
		fmt.Println("   ", f)
	}
	if err != nil {
		fmt.Println("   ", err, stderr.String())
	}
}
