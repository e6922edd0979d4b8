package resolve

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"ken/internal/code"
)

// pyConfig holds the parts of a pyproject.toml, setup.cfg or setup.py that resolution needs.
type pyConfig struct {
	Name  string
	Roots []string // directories that hold top-level packages, as written
}

// pyProject is a directory with configuration files of Python, and its source roots as paths of the repository.
type pyProject struct {
	dir   string
	names []string
	roots []string
}

func (p *pyProject) add(c pyConfig) {
	if c.Name != "" {
		p.names = append(p.names, pyNormal(c.Name))
	}
	for _, root := range c.Roots {
		p.addRoot(root)
	}
}

func (p *pyProject) addRoot(rel string) {
	if strings.HasPrefix(rel, "/") || len(p.roots) >= maxSegments {
		return
	}
	if root, ok := join(p.dir, rel); ok && !slices.Contains(p.roots, root) {
		p.roots = append(p.roots, root)
	}
}

func parsePyConfig(base string, content []byte) pyConfig {
	switch base {
	case "pyproject.toml":
		return parsePyproject(content)
	case "setup.cfg":
		return parseSetupCfg(content)
	}
	return parseSetupPy(content)
}

// table is a decoded TOML table.
type table map[string]any

// parseTOML decodes a TOML file. It returns nil if the file does not parse. The nesting is checked first, because
// the parser is recursive and would overflow the stack.
func parseTOML(content []byte) table {
	defer ignorePanic()
	content = bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	var t map[string]any
	if nesting(content) > 500 || toml.Unmarshal(content, &t) != nil {
		return nil
	}
	return t
}

// ignorePanic recovers from a panic of a third-party parser, so that its bug affects one file only. It must be deferred. The values read
// before the panic count.
func ignorePanic() { _ = recover() }

// nesting returns the depth of nested brackets, including those in strings and comments.
func nesting(content []byte) int {
	depth, deepest := 0, 0
	for _, c := range content {
		switch c {
		case '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ']', '}':
			depth--
		}
	}
	return deepest
}

// at returns the value under nested keys, nil if one is missing.
func (t table) at(keys ...string) any {
	var v any = map[string]any(t)
	for _, k := range keys {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[k]
	}
	return v
}

func (t table) str(keys ...string) string {
	s, _ := t.at(keys...).(string)
	return s
}

// list returns the strings under nested keys. A single string counts as a list.
func (t table) list(keys ...string) []string {
	var out []string
	switch v := t.at(keys...).(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, item := range v {
			if s, ok := item.(string); ok {
				out = append(out, s)
			}
		}
	}
	return out
}

// table returns the table under nested keys, and the keys of that table in order.
func (t table) table(keys ...string) (table, []string) {
	m, _ := t.at(keys...).(map[string]any)
	names := make([]string, 0, len(m))
	for k := range m {
		names = append(names, k)
	}
	slices.Sort(names)
	return m, names
}

// parsePyproject reads the source roots from the tables of setuptools, Poetry, Hatch, PDM, uv, Maturin, pytest, pyright and mypy.
func parsePyproject(content []byte) pyConfig {
	t := parseTOML(content)
	c := pyConfig{Name: t.str("project", "name")}
	if c.Name == "" {
		c.Name = t.str("tool", "poetry", "name")
	}
	dirs, names := t.table("tool", "setuptools", "package-dir")
	for _, pkg := range names {
		c.packageDir(pkg, dirs.str(pkg))
	}
	for _, keys := range [][]string{
		{"tool", "setuptools", "packages", "find", "where"},
		{"tool", "hatch", "build", "sources"},
		{"tool", "hatch", "build", "targets", "wheel", "sources"},
		{"tool", "pdm", "build", "package-dir"},
		{"tool", "uv", "build-backend", "module-root"},
		{"tool", "maturin", "python-source"},
		{"tool", "pytest", "ini_options", "pythonpath"},
		{"tool", "pyright", "extraPaths"},
		{"tool", "mypy", "mypy_path"},
	} {
		c.Roots = append(c.Roots, t.list(keys...)...)
	}
	for _, keys := range [][]string{{"tool", "hatch", "build", "packages"}, {"tool", "hatch", "build", "targets", "wheel", "packages"}} {
		for _, pkg := range t.list(keys...) {
			c.Roots = append(c.Roots, code.Dir(path.Clean(pkg)))
		}
	}
	packages, _ := t.at("tool", "poetry", "packages").([]any)
	for _, item := range packages {
		if m, ok := item.(map[string]any); ok {
			if from := table(m).str("from"); from != "" {
				c.Roots = append(c.Roots, from)
			}
		}
	}
	return c
}

// packageDir adds one entry of setuptools' package_dir: dir holds the package pkg.
func (c *pyConfig) packageDir(pkg, dir string) {
	switch {
	case dir == "":
	case pkg == "":
		c.Roots = append(c.Roots, dir)
	case path.Base(dir) == pkg:
		c.Roots = append(c.Roots, code.Dir(path.Clean(dir)))
	}
}

// parseSetupCfg reads the relevant keys of setup.cfg. A value continues over indented lines.
func parseSetupCfg(content []byte) pyConfig {
	var c pyConfig
	section, key := "", ""
	for line := range strings.Lines(string(content)) {
		text := strings.TrimSpace(line)
		switch {
		case text == "" || text[0] == '#' || text[0] == ';':
		case text[0] == '[':
			section, key = strings.Trim(text, "[]"), ""
		case line[0] == ' ' || line[0] == '\t':
			c.setting(section, key, text)
		default:
			name, val, _ := strings.Cut(text, "=")
			key = strings.ReplaceAll(strings.TrimSpace(name), "-", "_")
			c.setting(section, key, strings.TrimSpace(val))
		}
	}
	return c
}

func (c *pyConfig) setting(section, key, val string) {
	if val == "" {
		return
	}
	switch section + "." + key {
	case "metadata.name":
		c.Name = val
	case "options.package_dir":
		if pkg, dir, ok := strings.Cut(val, "="); ok {
			c.packageDir(strings.TrimSpace(pkg), strings.TrimSpace(dir))
		}
	case "options.packages.find.where", "tool:pytest.pythonpath", "mypy.mypy_path":
		c.Roots = append(c.Roots, strings.Fields(val)...)
	}
}

// parseSetupPy finds the source root in setup.py if it is a literal. Because the file is a program, computed values are not known.
func parseSetupPy(content []byte) pyConfig {
	var c pyConfig
	const quoted = `["']([^"'\n]{0,200})["']`
	find := func(re string) []string {
		var out []string
		for _, m := range regexp.MustCompile(re).FindAllSubmatch(content, maxSegments) {
			out = append(out, string(m[1]))
		}
		return out
	}
	if names := find(`\bname\s*=\s*` + quoted); len(names) > 0 {
		c.Name = names[0]
	}
	c.Roots = append(c.Roots, find(`package_dir\s*=\s*(?:dict\(|\{)\s*(?:""|'')\s*:\s*`+quoted)...)
	c.Roots = append(c.Roots, find(`\bfind(?:_namespace)?_packages\(\s*(?:where\s*=\s*)?`+quoted)...)
	return c
}
