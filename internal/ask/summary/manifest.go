package summary

import (
	"context"
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// manifests holds the manifests in the root of a project, by name.
type manifests struct {
	s     *view.Snapshot
	names []string // of the files in the root, sorted
	texts map[string]string
}

// maxManifest is the largest manifest that is read, in bytes.
const maxManifest = 1 << 20

// readManifests reads the manifests in the root. It fails if the index cannot be read.
func readManifests(ctx context.Context, s *view.Snapshot) (*manifests, error) {
	m := &manifests{s: s, texts: map[string]string{}}
	files, err := s.Index.FilesIn("")
	if err != nil {
		return nil, err
	}
	for i := range files {
		f := &files[i]
		m.names = append(m.names, f.Path)
		isManifest := slices.ContainsFunc(ecosystems, func(e ecosystem) bool { return e.matches(f.Path) })
		if !isManifest || f.Stat.Size > maxManifest {
			continue
		}
		text, err := s.Text(ctx, f.Path)
		if err != nil {
			return nil, err
		}
		m.texts[f.Path] = string(text)
	}
	return m, nil
}

// ecosystem is a kind of manifest: its file, the languages whose projects have one, the form of the part that declares what the program
// itself needs, and the way to what others use of the project.
type ecosystem struct {
	file    string // a pattern of path.Match
	langs   string
	depends func() *regexp.Regexp // the first group; nil if it declares none that files import by their names
	public  func(m *manifests, file string) []string
}

// ecosystems is the table of manifests.
var ecosystems = []ecosystem{
	{"package.json", "javascript typescript vue svelte", form(`(?s)"(?:peerD|d)ependencies"\s*:\s*\{([^}]*)\}`), (*manifests).publicModule},
	{"Cargo.toml", "rust", form(`(?ms)^\[dependencies\]([^\[]*)`), (*manifests).publicCrate},
	{"pyproject.toml", "python", form(`(?ms)^(?:dependencies\s*=\s*\[(.*?)^\]|\[tool\.poetry\.dependencies\]([^\[]*))`), (*manifests).publicPythonPackage},
	{"setup.cfg", "python", form(`(?m)^install_requires\s*=\s*((?:.*\n)(?:[ \t]+.*\n)*)`), (*manifests).publicPythonPackage},
	{"setup.py", "python", form(`(?s)install_requires\s*=\s*\[([^\]]*)\]`), (*manifests).publicPythonPackage},
	{"*.gemspec", "ruby", form(`add_(?:runtime_)?dependency[ (]+(["'][^"'\n]+["'])`), (*manifests).publicGem},
	{"go.mod", "go", form(`(?m)^(?:require[ (]*|\t)(\S+ v[^ \n]+)(?:\n|$)`), (*manifests).publicGoPackage},
	{"composer.json", "php", form(`(?s)"require"\s*:\s*\{([^}]*)\}`), (*manifests).publicNamespace},
	{"CMakeLists.txt", "c cpp", nil, (*manifests).publicHeaders},
	{"meson.build", "c cpp", nil, (*manifests).publicHeaders},
}

func form(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

func (e *ecosystem) matches(file string) bool {
	ok, err := path.Match(e.file, file)
	return ok && err == nil
}

// declares reports whether a manifest declares that the program needs a package.
func (m *manifests) declares(name string) bool {
	low := strings.ToLower(name)
	if slash := strings.IndexByte(low, '\\'); slash >= 0 {
		low = low[:slash] // the vendor of a namespace of PHP
	}
	low = strings.ReplaceAll(low, "_", "-")
	for file, text := range m.texts {
		for i := range ecosystems {
			e := &ecosystems[i]
			if e.depends == nil || !e.matches(file) {
				continue
			}
			for _, part := range e.depends().FindAllStringSubmatch(text, -1) {
				declared := strings.ReplaceAll(strings.ToLower(strings.Join(part[1:], " ")), "_", "-")
				if hasWord(declared, low) {
					return true
				}
			}
		}
	}
	return false
}

// hasWord reports whether a text has a name that is no part of a longer one. The path of a package may be longer.
func hasWord(text, name string) bool {
	const inName = "abcdefghijklmnopqrstuvwxyz0123456789-."
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		begin, end := at+i, at+i+len(name)
		before := begin > 0 && strings.IndexByte(inName, text[begin-1]) >= 0
		after := end < len(text) && strings.IndexByte(inName, text[end]) >= 0
		if !before && !after {
			return true
		}
		at = end
	}
}

// maxPublic is the number of public entries that are named.
const maxPublic = 2

// public returns what others use of the project, by the manifest of its most frequent language, with that manifest.
func (m *manifests) public(t *tally) (out []Quote, err error) {
	count := map[code.Lang]int{}
	for i := range t.files {
		if f := &t.files[i]; isSource(f.class, f.lang) {
			count[f.lang]++
		}
	}
	best, most := (*ecosystem)(nil), 0
	file := ""
	for i := range ecosystems {
		e := &ecosystems[i]
		at := slices.IndexFunc(m.names, e.matches)
		if at < 0 || m.texts[m.names[at]] == "" {
			continue
		}
		n := 0
		for _, l := range strings.Fields(e.langs) {
			n += count[code.Lang(l)]
		}
		if n > most {
			best, most, file = e, n, m.names[at]
		}
	}
	if best == nil {
		return nil, nil
	}
	for _, p := range best.public(m, file) {
		if len(out) < maxPublic {
			out = append(out, Quote{p, file})
		}
	}
	return out, nil
}

// existing returns the first of some paths that is a source file; nil if none is.
func (m *manifests) existing(paths ...string) []string {
	for _, p := range paths {
		f, ok, err := m.s.Index.FileByPath(path.Clean(p))
		if err == nil && ok && lang.Of(f.Lang).Sort == lang.Programming {
			return []string{f.Path}
		}
	}
	return nil
}

// publicModule returns the source of the module that a package.json offers. A built file leads to the source of the same name in src/.
func (m *manifests) publicModule(file string) []string {
	var pkg struct {
		Main, Module, Source string
		Exports              any
	}
	if json.Unmarshal([]byte(m.texts[file]), &pkg) != nil {
		return nil
	}
	list := append([]string{pkg.Source}, exportTargets(pkg.Exports, 0)...)
	list = append(list, pkg.Module, pkg.Main)
	list = slices.DeleteFunc(list, func(p string) bool { return p == "" })
	if len(list) == 0 {
		list = []string{"index.js"} // as node reads it
	}
	if found := m.existing(list...); found != nil {
		return found
	}
	for _, p := range list {
		base := strings.TrimSuffix(path.Base(p), path.Ext(p))
		base, _, _ = strings.Cut(base, ".")
		stem := path.Join("src", base)
		if found := m.existing(stem+".ts", stem+".tsx", stem+".js", stem+".mjs", p+".js", p+"/index.js"); found != nil {
			return found
		}
	}
	return nil
}

// maxExports is the depth of conditions in "exports" that is read.
const maxExports = 5

// exportTargets returns the files that "exports" of a package.json gives for the package itself.
func exportTargets(v any, depth int) (out []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case map[string]any:
		if depth == maxExports {
			return nil
		}
		if self, ok := v["."]; ok {
			return exportTargets(self, depth+1)
		}
		for _, condition := range [...]string{"source", "import", "module", "default", "require"} {
			out = append(out, exportTargets(v[condition], depth+1)...)
		}
	}
	return out
}

var crateLib = form(`(?ms)^\[lib\][^\[]*?^path\s*=\s*"([^"\n]+)"`)

func (m *manifests) publicCrate(file string) []string {
	if found := crateLib().FindStringSubmatch(m.texts[file]); found != nil {
		return m.existing(found[1])
	}
	return m.existing("src/lib.rs")
}

var pythonName = form(`(?m)^\s*name\s*=\s*["']?([\w.-]+)`)

func (m *manifests) publicPythonPackage(file string) []string {
	found := pythonName().FindStringSubmatch(m.texts[file])
	if found == nil {
		return nil
	}
	name := strings.ReplaceAll(strings.ToLower(found[1]), "-", "_")
	for _, n := range [...]string{name, strings.ReplaceAll(name, ".", "/"), strings.TrimPrefix(name, "py"), strings.TrimPrefix(name, "python_")} {
		if found := m.existing(n+"/__init__.py", "src/"+n+"/__init__.py", "lib/"+n+"/__init__.py", n+".py", "src/"+n+".py"); found != nil {
			return found
		}
	}
	return nil
}

func (m *manifests) publicGem(file string) []string {
	name := strings.TrimSuffix(file, ".gemspec")
	return m.existing("lib/"+name+".rb", "lib/"+strings.ReplaceAll(name, "-", "/")+".rb", "lib/"+strings.ReplaceAll(name, "-", "_")+".rb")
}

var goModule = form(`(?m)^module\s+"?([^\s"]+)`)

// publicGoPackage returns the import path of the package in the root, if it is no program.
func (m *manifests) publicGoPackage(file string) []string {
	found := goModule().FindStringSubmatch(m.texts[file])
	files, err := m.s.Index.FilesIn("")
	if found == nil || err != nil {
		return nil
	}
	offers := false
	for i := range files {
		f := &files[i]
		if path.Ext(f.Path) != ".go" || !isSource(f.Class, f.Lang) {
			continue
		}
		if f.Flags&code.FlagEntry != 0 {
			return nil
		}
		offers = offers || f.Symbols > 0
	}
	if !offers {
		return nil
	}
	return found[1:]
}

func (m *manifests) publicNamespace(file string) (out []string) {
	var pkg struct {
		Autoload struct {
			PSR4 map[string]any `json:"psr-4"`
		}
	}
	if json.Unmarshal([]byte(m.texts[file]), &pkg) != nil {
		return nil
	}
	for name, dir := range pkg.Autoload.PSR4 {
		if d, ok := dir.(string); ok {
			out = append(out, strings.TrimSuffix(name, `\`)+" in "+path.Clean(d)+"/")
		}
	}
	slices.Sort(out)
	return out
}

// publicHeaders returns the folder of the headers that a build of C or C++ hands out.
func (m *manifests) publicHeaders(file string) []string {
	if !strings.Contains(m.texts[file], "include") {
		return nil
	}
	below := map[string]int{}
	for f, err := range m.s.Index.Ranked() {
		if err != nil {
			return nil
		}
		if strings.HasPrefix(f.Path, "include/") && isSource(f.Class, f.Lang) {
			below[strings.Join(strings.SplitN(f.Path, "/", 3)[:2], "/")]++
		}
	}
	switch dirs := slices.Sorted(maps.Keys(below)); {
	case len(dirs) == 0:
		return nil
	case len(dirs) == 1 && path.Ext(dirs[0]) == "":
		return []string{dirs[0] + "/"}
	}
	return []string{"include/"}
}
