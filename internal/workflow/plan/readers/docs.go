package readers

import (
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/yamltree"
)

// pageFound is a Markdown document of the project. A marked document was written by a program, which may write it again.
type pageFound struct {
	Path   string `json:"path"`
	Marked bool   `json:"has_gsd_marker"`
}

// Each list has the files that identify a kind of project or a tool; one of them is enough.
var (
	routeFiles   = [...]string{"src/app/api", "routes", "src/routes", "api", "server"}
	licenceFiles = [...]string{"LICENSE", "LICENSE.md"}
	deployFiles  = [...]string{
		"Dockerfile", "docker-compose.yml", "docker-compose.yaml", "fly.toml", "render.yaml", "vercel.json", "netlify.toml", "railway.json",
		".github/workflows/deploy.yml", ".github/workflows/deploy.yaml",
	}
	testFiles       = [...]string{"test", "tests", "__tests__", "spec"}
	docusaurusFiles = [...]string{"docusaurus.config.js", "docusaurus.config.ts"}
	vitePressFiles  = [...]string{".vitepress/config.js", ".vitepress/config.ts", ".vitepress/config.mts"}
)

// testPackages are the packages of Node with which tests are written.
var testPackages = [...]string{"vitest", "jest", "mocha", "jasmine", "ava"}

const (
	docMarker = "<!-- generated-by: gsd-doc-writer -->" // written near the beginning of a document by the program that wrote it
	markerIn  = 500
	docDepth  = 4
	maxConfig = 1 << 20
	noDocs    = skippedFolders + ".next .nuxt coverage .vscode .idea "
)

func initDocs(_ context.Context, a *source, _ *planop.NoInput) (payload, error) {
	root, err := os.OpenRoot(a.root()) // a link that leads out of the project is not followed
	if err != nil {
		return nil, err
	}
	defer root.Close()
	p := projectFiles{root.FS()}
	pkg := p.readPackageJSON()
	documents, cut := p.documents()
	// A document has the language and title of its project, not of its plans.
	return a.newPayload("doc_writer_model commit_docs existing_docs existing_docs_truncated? project_type doc_tooling monorepo_workspaces "+
		"planning_exists"+agentFields, values{
		"existing_docs": documents, "existing_docs_truncated": cut, "project_type": p.kind(&pkg), "doc_tooling": p.tooling(),
		"monorepo_workspaces": p.workspaces(&pkg),
	}), nil
}

// projectFiles is the files of a project.
type projectFiles struct{ files fs.FS }

func (p projectFiles) has(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { _, err := fs.Stat(p.files, name); return err == nil })
}

// firstBytes returns the first bytes of a file, or "" if it is not a regular one.
func (p projectFiles) firstBytes(name string, most int64) string {
	st, err := fs.Stat(p.files, name) // before opening, because opening a pipe waits for a writer
	if err != nil || !st.Mode().IsRegular() {
		return ""
	}
	f, err := p.files.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return ""
	}
	return string(b)
}

// nodePackage has the fields of a package.json from which the kind of project is known. The type any is for a field of several forms.
type nodePackage struct {
	Bin          any            `json:"bin"`
	Workspaces   any            `json:"workspaces"`
	Dependencies map[string]any `json:"devDependencies"`
}

func (p projectFiles) readPackageJSON() (pkg nodePackage) {
	if json.Unmarshal([]byte(p.firstBytes("package.json", maxConfig)), &pkg) != nil {
		return nodePackage{}
	}
	return pkg
}

func (p projectFiles) kind(pkg *nodePackage) payload {
	cli := false
	switch bin := pkg.Bin.(type) {
	case string:
		cli = bin != ""
	case map[string]any:
		cli = len(bin) > 0
	}
	tests := p.has(testFiles[:]...)
	for _, name := range testPackages {
		_, ok := pkg.Dependencies[name]
		tests = tests || ok
	}
	return planop.NewFields(
		"has_package_json", p.has("package.json"), "has_api_routes", p.has(routeFiles[:]...), "has_cli_bin", cli,
		"is_open_source", p.has(licenceFiles[:]...), "has_deploy_config", p.has(deployFiles[:]...),
		"is_monorepo", p.has("pnpm-workspace.yaml", "lerna.json") || len(workspaceNames(pkg.Workspaces)) > 0, "has_tests", tests,
	)
}

func (p projectFiles) tooling() payload {
	return planop.NewFields(
		"docusaurus", p.has(docusaurusFiles[:]...), "vitepress", p.has(vitePressFiles[:]...), "mkdocs", p.has("mkdocs.yml"),
		"storybook", p.has(".storybook"),
	)
}

// workspaces returns the patterns of the folders that contain the packages of a project, from the first file that has patterns.
func (p projectFiles) workspaces(pkg *nodePackage) []string {
	text := p.firstBytes("pnpm-workspace.yaml", maxConfig)
	tree := yamltree.Parse(text, edit.Span{End: len(text)}, 0)
	if list := tree.Texts(tree.Get("packages")); len(list) > 0 {
		return list
	}
	if list := workspaceNames(pkg.Workspaces); len(list) > 0 {
		return list
	}
	var lerna struct{ Packages any }
	if json.Unmarshal([]byte(p.firstBytes("lerna.json", maxConfig)), &lerna) != nil {
		return []string{}
	}
	return workspaceNames(lerna.Packages)
}

// workspaceNames returns the patterns in a value of a package.json: a list of patterns, or an object with such a list named "packages".
func workspaceNames(v any) []string {
	if o, ok := v.(map[string]any); ok {
		v = o["packages"]
	}
	return stringList(v)
}

// documents returns the Markdown files in the root of a project and below its folder of documents. It reports true if there are
// too many entries, so that the list is incomplete.
func (p projectFiles) documents() (list []pageFound, cut bool) {
	list = []pageFound{}
	looked := 0
	var walk func(dir string, depth int)
	walk = func(dir string, depth int) {
		entries, err := fs.ReadDir(p.files, dir)
		if err != nil {
			return
		}
		for _, e := range entries {
			if looked++; looked > maxLooked {
				cut = true
				return
			}
			name := path.Join(dir, e.Name())
			switch {
			case e.IsDir() && depth > 0 && depth < docDepth && !strings.Contains(noDocs, " "+e.Name()+" "):
				walk(name, depth+1)
			case e.Type().IsRegular() && strings.EqualFold(filepath.Ext(e.Name()), ".md"):
				list = append(list, pageFound{name, strings.Contains(p.firstBytes(name, markerIn), docMarker)})
			}
		}
	}
	walk(".", 0)
	for _, dir := range [...]string{"docs", "documentation", "doc"} {
		if st, err := fs.Stat(p.files, dir); err == nil && (dir == "docs" || st.IsDir()) {
			walk(dir, 1)
			break
		}
	}
	slices.SortFunc(list, func(a, b pageFound) int {
		if c := strings.Compare(strings.ToLower(a.Path), strings.ToLower(b.Path)); c != 0 {
			return c
		}
		return strings.Compare(a.Path, b.Path)
	})
	return list, cut
}
