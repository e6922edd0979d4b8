// Package manifest reads the files in which a project declares its runtime, its dependencies with their versions, and its commands. It
// reads texts without looking at the project; problems are part of the result.
//
// Neighbour: package codebase writes the facts into the documents of the codebase.
package manifest

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"ken/internal/lang"
)

// Manifest holds the facts of one file that declares dependencies, such as go.mod or package.json.
type Manifest struct {
	Path         string
	Ecosystem    string // "Go", "npm", "Cargo", …
	Package      Package
	Says         []Fact // of the runtime and of itself, in the order of the file
	Dependencies []Dependency
	Scripts      []Fact // commands by name
	Problem      string // why it was not read, or not wholly; "" if it was
}

// Fact is a named value, such as the version of the runtime.
type Fact struct{ Name, Value string }

// Dependency is an external package that the project declares.
type Dependency struct {
	Name    string
	Version string // as it is written, "" if none is
	Dev     bool   // for development and tests alone
	Package string // name of the package in its registry, if it is used under another name
	// Indirect: only other packages need it.
	Indirect bool
}

// Package is the name and version that a project gives itself, "" where it gives none.
type Package struct {
	Name, Version string
}

// readers maps file name patterns to functions that read such manifests. Other manifests are known by their names only.
var readers = map[string]func(m *Manifest, text string){
	"go.mod": readGoMod, "package.json": readPackageJSON, "Cargo.toml": readCargo, "pyproject.toml": readPyproject,
	"requirements*.txt": readRequirements, "composer.json": readComposer, "Gemfile": readGemfile, "pom.xml": readPOM,
	"build.gradle": readGradle, "build.gradle.kts": readGradle, "*.csproj": readProject, "setup.cfg": readSetupCfg, "setup.py": readSetupPy,
	"*.gemspec": readGemspec, "libs.versions.toml": readCatalogue, "CMakeLists.txt": readCMake,
}

// IsManifest reports whether a file name is that of a manifest.
func IsManifest(file string) bool {
	_, ok := findManifest(file)
	return ok
}

func findManifest(file string) (lang.Manifest, bool) {
	base := path.Base(file)
	for _, m := range lang.Manifests() {
		if ok, err := path.Match(m.Pattern, base); ok && err == nil {
			return m, true
		}
	}
	if path.Base(path.Dir(file)) == "requirements" && path.Ext(base) == ".txt" {
		return lang.Manifest{Pattern: "requirements*.txt", Ecosystem: "Python"}, true
	}
	if base == "libs.versions.toml" {
		return lang.Manifest{Pattern: base, Ecosystem: "Gradle"}, true
	}
	return lang.Manifest{}, false
}

// Read reads a manifest. It returns nil if the file is none.
func Read(file, text string) *Manifest {
	k, ok := findManifest(file)
	if !ok {
		return nil
	}
	m := &Manifest{Path: file, Ecosystem: k.Ecosystem}
	read := readers[k.Pattern]
	if read == nil {
		m.Problem = "ken does not read manifests of this sort"
		return m
	}
	read(m, text)
	slices.SortStableFunc(m.Dependencies, func(a, b Dependency) int {
		if a.Indirect != b.Indirect {
			if a.Indirect {
				return 1
			}
			return -1
		}
		if a.Dev != b.Dev {
			if a.Dev {
				return 1
			}
			return -1
		}
		return strings.Compare(a.Name, b.Name)
	})
	return m
}

// addFact adds a fact, unless its value is empty.
func (m *Manifest) addFact(name, value string) {
	if value = strings.Join(strings.Fields(value), " "); value != "" {
		m.Says = append(m.Says, Fact{name, value})
	}
}

// addDependency adds a dependency, unless it is there already.
func (m *Manifest) addDependency(name, version string, dev bool) {
	m.add(Dependency{Name: name, Version: version, Dev: dev})
}

func (m *Manifest) add(d Dependency) {
	d.Name, d.Version = strings.TrimSpace(d.Name), strings.Join(strings.Fields(d.Version), " ")
	if d.Name != "" && !slices.Contains(m.Dependencies, d) {
		m.Dependencies = append(m.Dependencies, d)
	}
}

// readGoMod reads requirements. Those marked "// indirect" are only needed by other packages.
func readGoMod(m *Manifest, text string) {
	block := ""
	for line := range strings.Lines(text) {
		line, comment, _ := strings.Cut(strings.TrimSpace(line), "//")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
			continue
		case words[0] == ")":
			block = ""
			continue
		case len(words) == 2 && words[1] == "(":
			block = words[0]
			continue
		case block != "":
			words = append([]string{block}, words...)
		}
		if len(words) < 2 {
			continue
		}
		switch words[0] {
		case "module", "go", "toolchain":
			m.addFact(words[0], words[1])
			if words[0] == "module" {
				m.Package.Name = strings.Trim(words[1], `"`)
			}
		case "require":
			if len(words) >= 3 {
				m.add(Dependency{Name: words[1], Version: words[2], Indirect: strings.TrimSpace(comment) == "indirect"})
			}
		}
	}
}

// readRequirements reads a requirements file of pip, without options and references to other files.
func readRequirements(m *Manifest, text string) {
	base := path.Base(m.Path)
	dev := strings.Contains(base, "dev") || strings.Contains(base, "test") || strings.Contains(base, "doc")
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, " #")
		line = strings.TrimSpace(line)
		if line == "" || strings.ContainsRune("#-", rune(line[0])) || strings.Contains(line, "://") {
			continue
		}
		name, version := parseRequirement(line)
		m.addDependency(name, version, dev)
	}
}

// parseRequirement splits an entry of a Python list: "requests[socks] >=2,<3; python_version > '3'".
func parseRequirement(s string) (name, version string) {
	s, _, _ = strings.Cut(s, ";")
	at := strings.IndexAny(s, "<>=!~ [(@")
	if at < 0 {
		return strings.TrimSpace(s), ""
	}
	name, version = s[:at], strings.TrimSpace(s[at:])
	if strings.HasPrefix(version, "[") {
		_, version, _ = strings.Cut(version, "]")
	}
	if strings.Contains(version, "://") {
		version = "" // an address, which may hold more than a version
	}
	return name, strings.Trim(strings.TrimSpace(version), "()")
}

// readGemfile reads calls of gem, and the group they are in.
func readGemfile(m *Manifest, text string) {
	dev := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "group"):
			dev = strings.Contains(line, ":test") || strings.Contains(line, ":development")
		case line == "end":
			dev = false
		case strings.HasPrefix(line, "ruby "):
			m.addFact("ruby", strings.Trim(strings.TrimPrefix(line, "ruby "), `"'`))
		case strings.HasPrefix(line, "gem "):
			parts := strings.Split(strings.TrimPrefix(line, "gem "), ",")
			version := ""
			if len(parts) > 1 {
				if v := strings.TrimSpace(parts[1]); strings.HasPrefix(v, `"`) || strings.HasPrefix(v, "'") {
					version = strings.Trim(v, `"'`)
				}
			}
			m.addDependency(strings.Trim(strings.TrimSpace(parts[0]), `"'`), version, dev)
		}
	}
}

// readGradle reads dependencies that are written as one string: implementation("group:name:version").
func readGradle(m *Manifest, text string) {
	if group := m.readAssignments(text); group != "" {
		m.Package.Name = group + ":" + cmp.Or(m.Package.Name, path.Base(path.Dir(m.Path)))
	} else {
		m.Package = Package{} // without a group it is not published
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		word := line
		if at := strings.IndexAny(line, " (\"'"); at >= 0 {
			word = line[:at]
		}
		lower := strings.ToLower(word)
		if !strings.HasSuffix(lower, "implementation") && !strings.HasSuffix(lower, "api") && !strings.HasSuffix(lower, "only") {
			continue
		}
		rest := strings.TrimLeft(line[len(word):], " (")
		if rest == "" || rest[0] != '"' && rest[0] != '\'' {
			continue // a project of the same build, or a catalogue's name
		}
		value, _, ok := strings.Cut(rest[1:], rest[:1])
		parts := strings.Split(value, ":")
		if !ok || len(parts) < 2 {
			continue
		}
		version := ""
		if len(parts) > 2 {
			version = parts[2]
		}
		m.addDependency(parts[0]+":"+parts[1], version, strings.HasPrefix(lower, "test"))
	}
	m.Problem = "only dependencies that are written as one text are read"
}
