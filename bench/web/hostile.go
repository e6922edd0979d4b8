package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// hostileNames are names and texts that would be markup, addresses or controls.
func hostileNames() []string {
	base := []string{
		`<script>window.hurt=1</script>`, `"><img src=x onerror=window.hurt=1>`, `' onmouseover='window.hurt=1`, `</title><script>window.hurt=1</script>`,
		`javascript:window.hurt=1`, `{{.Title}}`, "${window.hurt=1}", "a\u202eb\u2066c", "tab\tin", "new\nline", "\u200bzero", `back\slash`,
		`data:text/html,<script>window.hurt=1</script>`, `//evil.example`, `&lt;b&gt;`, `%3Cscript%3E`, `<!--`, `]]>`, `<svg onload=window.hurt=1>`,
		`x' style='color:red`, `-->`, `<a href=javascript:window.hurt=1>`, `<iframe src=//evil.example>`, `<form action=//evil.example><input>`,
		`<meta http-equiv=refresh content=0;url=//evil.example>`,
	}
	var out []string
	for _, shape := range []string{"%s", "f_%s", "%s_x", "a %s b", "=%s", "%s.", "#%s", "?%s"} {
		for _, b := range base {
			out = append(out, fmt.Sprintf(shape, b))
		}
	}
	return out
}

// makeHostile makes a project with hostile names, documents and a plan, and indexes it.
func makeHostile(ctx context.Context, ken, scratch string) (string, error) {
	root := filepath.Join(scratch, "hostile")
	files := map[string]string{
		"src/store.ts":                           "// The store keeps users.\nexport function getUser(id: string) { return id }\n",
		"src/api.ts":                             "import { getUser } from \"./store\"\nexport function users() { return getUser(\"1\") }\n",
		"web/page.ts":                            "import { users } from \"../src/api\"\nexport function show() { return users() }\n",
		"README.md":                              "# Users\n\nThe *store* keeps them; see [the store](src/store.ts).\n",
		".planning/ROADMAP.md":                   "# Roadmap\n\n- [ ] **Phase 1: <b>Base</b>**\n\n### Phase 1: <b>Base</b>\n**Goal**: <script>window.hurt=1</script>\n",
		".planning/phases/01-base/01-01-PLAN.md": "---\nphase: 01-base\nplan: 01\nwave: 1\ndepends_on: []\nfiles_modified: [\"src/<b>store.ts\"]\n---\n",
	}
	doc := "# <script>window.hurt=1</script>\n\n"
	for i, n := range hostileNames() {
		doc += "- " + n + " [l](" + n + ") ![p](" + n + ")\n"
		name := strings.ReplaceAll(n, "/", "_")
		files[fmt.Sprintf("dir %s/%d%s.ts", name, i, name)] = fmt.Sprintf("// %s\nimport { getUser } from \"../src/store\"\nexport const text%d = %q + getUser(\"1\")\n",
			strings.ReplaceAll(n, "\n", " "), i, n)
	}
	files["docs/hostile.md"] = doc
	for name, text := range files {
		at := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	commit := func(message string) []string {
		return []string{"git", "-c", "user.name=<b>a", "-c", "user.email=a@b", "commit", "-qm", message}
	}
	for _, args := range [][]string{
		{"git", "init", "-q"}, {"git", "add", "src"}, commit("one"), {"git", "add", "web"}, commit("two"),
		{"git", "add", "-A"}, commit("<script>window.hurt=1</script>"), {ken, "init"},
	} {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w\n%s", strings.Join(args[:2], " "), err, out)
		}
	}
	return root, nil
}
