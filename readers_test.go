package ken

import (
	"go/ast"
	"os"
	"slices"
	"strings"
	"testing"
)

// opens are the functions that open or list files, by package.
var opens = map[string][]string{
	"os":        {"ReadFile", "Open", "OpenFile", "OpenRoot", "OpenInRoot", "ReadDir"},
	"statefile": {"Read", "ReadFollow", "ReadIn"},
	"textfile":  {"Read", "MarkdownFiles"},
}

// readers are the packages that open files, each with a text of docs/security.md that has the rule for what it reads. A package stands for
// those below it that have no row of their own.
var readers = []struct{ pkg, rule string }{
	{"internal/app", "| a file that you name in an argument"},
	{"internal/config", "| `.ken/config.yml`, `.kenignore` |"},
	{"internal/delivery/fleet", "| a folder of repositories that you or an agent names"},
	{"internal/delivery/memories", "a memory to import"},
	{"internal/delivery/op", "an index of SCIP"},
	{"internal/delivery/plancode", "| the files of the project |"},
	{"internal/delivery/project", "| `.ken/knowledge/`, `.planning/`, `.code-intel/` |"},
	{"internal/delivery/render", "a summary in `.ken/`"},
	{"internal/delivery/setup", "## Files of other programs"},
	{"internal/delivery/tasks", "| the files of the project |"},
	{"internal/engine/gotypes", "| Go's standard library and module cache |"},
	{"internal/engine/source", "| the files of the project |"},
	{"internal/engine/source/owner", "| your state directory: ids,"},
	{"internal/engine/watch", "| `.ken/index.db.watch`, files ending in `.lock` |"},
	{"internal/git", "| `.git` otherwise:"},
	{"internal/knowledge", "| `.ken/knowledge/`, `.planning/`, `.code-intel/` |"},
	{"internal/operation", "| a file that you name in an argument"},
	{"internal/statefile", "## Files under .ken"},
	{"internal/store/hookstate", "| your state directory: ids,"},
	{"internal/store/linelog", "| `.ken/logs/*` |"},
	{"internal/store/owned", "| `.ken/index.db`, `.ken/salt`, `.ken/vectors.db`, `.ken/memory.db` |"},
	{"internal/store/readings", "the cache of readings"},
	{"internal/store/spool", "| `.ken/spool`, `.ken/spool.taken` |"},
	{"internal/store/sqlite", "| `.ken/index.db`, `.ken/salt`, `.ken/vectors.db`, `.ken/memory.db` |"},
	{"internal/workflow/agent/claude", "| transcripts and settings of agents in your home directory |"},
	{"internal/workflow/content", "## Files of other programs"},
	{"internal/workflow/install", "## Files of other programs"},
	{"internal/workflow/plan", "## Planning folders"},
	{"internal/workflow/plan/change", "| `.git/ken/planning/N.json` |"},
	{"internal/worktree", "| `.git/worktrees/NAME/gitdir`, `.ken/worktrees/ID/.git` |"},
}

// TestReaders: docs/security.md has a rule for the files that each package opens.
func TestReaders(t *testing.T) {
	page, err := os.ReadFile("docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, f := range source(t).Files {
		if !strings.HasPrefix(f.Package, "internal/") || strings.HasSuffix(f.Path, "_test.go") || strings.HasSuffix(f.Package, "test") || !opensFiles(f.AST) {
			continue
		}
		rule := ""
		for _, r := range readers { // those below come behind
			if f.Package == r.pkg || strings.HasPrefix(f.Package, r.pkg+"/") {
				rule = r.pkg
			}
		}
		if rule == "" {
			t.Errorf("%s opens files: give the rule for them in docs/security.md, and its package a row of readers", f.Path)
		}
		used[rule] = true
	}
	for _, r := range readers {
		if !used[r.pkg] {
			t.Errorf("%s opens no files: take its row out", r.pkg)
		}
		if !strings.Contains(string(page), r.rule) {
			t.Errorf("docs/security.md has no %q, the rule for %s", r.rule, r.pkg)
		}
	}
}

// opensFiles reports whether a file calls one of opens.
func opensFiles(f *ast.File) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if pkg, ok := s.X.(*ast.Ident); ok && slices.Contains(opens[pkg.Name], s.Sel.Name) {
				found = true
			}
		}
		return !found
	})
	return found
}
