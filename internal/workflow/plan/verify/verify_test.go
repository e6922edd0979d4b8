package verify_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/verify"
)

const plan = `---
phase: 01-base
plan: 01
type: execute
wave: 1
depends_on: []
files_modified: [prisma/schema.prisma, src/a.ts]
autonomous: true
must_haves:
  truths:
    - "It works"
  artifacts:
    - path: src/a.ts
      provides: "a"
      contains: "export"
      min_lines: 2
      exports: ["A", "B"]
    - path: "src/b.ts (the rest)"
    - path: ../outside.ts
    - path: src
      contains: "x"
  key_links:
    - from: src/a.ts
      to: src/b.ts
      via: import
      pattern: "from '\\./b'"
    - from: src/b.ts
      to: src/a.ts
      pattern: "(("
    - from: src/b.ts
      to: nothing
---
<objective>x</objective>
@src/none.ts
@src/a.ts @src/none.ts @/etc/passwd @user ` + "`src/b.ts` `src/none.go` `http://x/y.html`" + `
`

// TestVerify holds plans and summaries against a project.
func TestVerify(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"src/a.ts": "import { b } from './b'\nexport const A = b\n", "src/b.ts": "export const b = 1\n", ".planning/ROADMAP.md": "# Roadmap\n\n### Phase 1: Base\n",
		".planning/phases/01-base/01-01-PLAN.md":    plan,
		".planning/phases/01-base/01-01-SUMMARY.md": "---\nphase: 01-base\n---\n# S\n\n`src/a.ts` and `src/gone.ts`, commit 1234567.\n\n## Self-Check: PASSED\n",
	} {
		at := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(root, "src", "link.ts")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first", "--allow-empty"}} {
		if out, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput(); err != nil {
			t.Fatal(err, string(out))
		}
	}
	const file = ".planning/phases/01-base/01-01-PLAN.md"
	for _, row := range []struct{ line, want string }{
		{"verify references " + file, `{"valid":false,"found":2,"missing":["src/none.ts","/etc/passwd","src/none.go"],"total":5}`},
		{"verify references " + filepath.Join(root, file), `{"valid":false,"found":2,`},
		{"verify references /etc/passwd", "is not in the project"},
		{"verify references .planning/none.md", "File not found: .planning/none.md"},
		{"verify commits HEAD 1234567 --all", "there is no flag --all"},
		{"verify commits HEAD 1234567", `{"all_valid":false,"valid":["HEAD"],"invalid":["1234567"],"total":2}`},
		{"verify artifacts " + file, `{"all_passed":false,"passed":1,"total":4,"artifacts":[{"path":"src/a.ts","exists":true,"issues":["Missing export: B"],"passed":false},` +
			`{"path":"src/b.ts","exists":true,"issues":[],"passed":true},{"path":"../outside.ts","exists":false,"issues":["File not found"],"passed":false},` +
			`{"path":"src","exists":true,"issues":["Missing pattern: x"],"passed":false}]}`},
		{"verify key-links " + file, `{"all_verified":false,"verified":1,"total":3,"links":[{"from":"src/a.ts","to":"src/b.ts","via":"import","verified":true,"detail":"Pattern found in source"},` +
			`{"from":"src/b.ts","to":"src/a.ts","via":"","verified":false,"detail":"Invalid regex pattern: (("},{"from":"src/b.ts","to":"nothing","via":"","verified":false,"detail":"Target not referenced in source"}]}`},
		{"verify-summary .planning/phases/01-base/01-01-SUMMARY.md", `{"passed":false,"checks":{"summary_exists":true,"files_created":{"checked":2,"found":1,"missing":["src/gone.ts"]},` +
			`"commits_exist":false,"self_check":"passed"},"errors":["Missing files: src/gone.ts","Referenced commit hashes not found in git history"]}`},
		{"verify summary .planning/none.md", `{"passed":false,"checks":{"summary_exists":false`},
		{"verify plan-structure " + file, `{"valid":`},
		{"verify phase-completeness 1", `{"complete":true`},
		{"verify phase-completeness 9", `there is no phase: 9; near: 1`},
		{"verify schema-drift 1", `{"drift_detected":true,"blocking":true,"schema_files":["prisma/schema.prisma"],"orms":["prisma"],"unpushed_orms":["prisma"],"message":"Schemas were changed`},
		{"verify schema-drift 1 --skip", `{"drift_detected":true,"blocking":false,`},
		{"verify schema-drift 9", "Phase directory not found: 9; near: 1"},
	} {
		if got := asked(root, row.line); !strings.Contains(got, row.want) {
			t.Errorf("%s\n got %s\nwant %s", row.line, got, row.want)
		}
	}
}

// TestSchemaDrift: the files of a plan are a list in brackets, or one a line.
func TestSchemaDrift(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"ROADMAP.md": "# Roadmap\n\n### Phase 1: Base\n", "phases/01-base/01-01-PLAN.md": "---\nplan: 01\nfiles_modified:\n  - src/db/schema.ts\n---\n",
	} {
		at := filepath.Join(root, ".planning", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := asked(root, "verify schema-drift 1"); !strings.Contains(got, `"schema_files":["src/db/schema.ts"],"orms":["drizzle"]`) {
		t.Error(got)
	}
	if got := asked(root, "verify key-links .planning/phases/01-base/01-01-PLAN.md"); !strings.Contains(got, "No must_haves.key_links found in frontmatter: .planning/phases") {
		t.Error(got)
	}
}

func asked(root, line string) string {
	a, err := planop.RunWords(context.Background(), verify.All(), planop.Surroundings{Dir: root, Getenv: func(string) string { return "" }, Now: time.Now}, strings.Fields(line))
	if err != nil {
		return err.Error()
	}
	b, err := json.Marshal(a.Value)
	if err != nil {
		return err.Error()
	}
	return string(b)
}
