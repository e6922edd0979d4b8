package manifest

import (
	"encoding/json"
	"encoding/xml"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Locked is a package in the version that a lock file chose.
type Locked struct {
	Name, Version string
	// Namespaces are the beginnings of the names of its declarations, where the file has them (Composer).
	Namespaces []string
}

// lockReaders maps names of lock files to the manager whose packages they hold and the function that reads them.
var lockReaders = map[string]struct {
	manager string
	read    func(text string) []Locked
}{
	"package-lock.json": {NPM, readPackageLock}, "npm-shrinkwrap.json": {NPM, readPackageLock}, "yarn.lock": {NPM, readYarnLock}, "pnpm-lock.yaml": {NPM, readPNPMLock},
	"Cargo.lock": {Cargo, readTableLock}, "poetry.lock": {PyPI, readTableLock}, "uv.lock": {PyPI, readTableLock}, "pdm.lock": {PyPI, readTableLock},
	"Pipfile.lock": {PyPI, readPipfileLock}, "composer.lock": {Composer, readComposerLock}, "Gemfile.lock": {Gem, readGemfileLock},
	"packages.lock.json": {NuGet, readNuGetLock}, "Directory.Packages.props": {NuGet, readCentralVersions}, "gradle.lockfile": {Maven, readGradleLock},
}

// IsLock reports whether a file name is that of a lock file that ReadLock reads.
func IsLock(file string) bool { return lockReaders[path.Base(file)].read != nil }

// ReadLock returns the manager of a lock file and the packages in it, sorted by name and version, each once. It returns "" if the file
// is none.
func ReadLock(file, text string) (manager string, list []Locked) {
	r := lockReaders[path.Base(file)]
	if r.read == nil {
		return "", nil
	}
	list = slices.DeleteFunc(r.read(text), func(l Locked) bool { return l.Name == "" || l.Version == "" || isAddress(l.Version) })
	slices.SortFunc(list, func(a, b Locked) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return strings.Compare(a.Version, b.Version)
	})
	return r.manager, slices.CompactFunc(list, func(a, b Locked) bool { return a.Name == b.Name && a.Version == b.Version })
}

func readPackageLock(text string) (out []Locked) {
	type entry struct {
		Name    string
		Version string
		Link    bool
	}
	var p struct {
		Packages     map[string]entry
		Dependencies map[string]entry
	}
	if json.Unmarshal([]byte(text), &p) != nil {
		return nil
	}
	for at, e := range p.Packages {
		i := strings.LastIndex(at, "node_modules/")
		if i < 0 || e.Link {
			continue
		}
		name := e.Name // set where the package has another name than its folder
		if name == "" {
			name = at[i+len("node_modules/"):]
		}
		out = append(out, Locked{Name: name, Version: e.Version})
	}
	if len(p.Packages) == 0 {
		for name, e := range p.Dependencies {
			out = append(out, Locked{Name: name, Version: e.Version})
		}
	}
	return out
}

// readYarnLock reads the blocks of both forms of a yarn.lock: `"a@^1", "a@^2":` and, in it, `version "2.0.1"` or `version: 2.0.1`.
func readYarnLock(text string) (out []Locked) {
	name := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case line == "" || line[0] == '#':
		case line[0] != ' ':
			first, _, _ := strings.Cut(strings.TrimSuffix(line, ":"), ", ")
			first = strings.Trim(first, `"`)
			name = ""
			if i := strings.LastIndexByte(first, '@'); i > 0 && !strings.Contains(first, "@workspace:") {
				name = first[:i]
				if j := strings.Index(name, "@npm:"); j > 0 {
					name = name[:j]
				}
				if j := strings.Index(first, "@npm:"); j > 0 && strings.LastIndexByte(first[j+5:], '@') > 0 { // another name in the registry
					name = first[j+5 : i]
				}
			}
		case strings.HasPrefix(line, "  version"):
			version := strings.Trim(strings.TrimLeft(line[len("  version"):], ": "), `"`)
			out, name = append(out, Locked{Name: name, Version: version}), ""
		}
	}
	return out
}

// readPNPMLock reads the keys of the packages: `/a@1.0.0(peer@2):`, `'@s/a@1.0.0':` or `/a/1.0.0:`.
func readPNPMLock(text string) (out []Locked) {
	within := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if line != "" && line[0] != ' ' {
			within = line == "packages:"
			continue
		}
		if isKey := len(line) > 3 && strings.HasPrefix(line, "  ") && line[2] != ' ' && strings.HasSuffix(line, ":"); !within || !isKey {
			continue
		}
		key := strings.TrimPrefix(strings.Trim(line[2:len(line)-1], `'"`), "/")
		key, _, _ = strings.Cut(key, "(")
		i := strings.LastIndexByte(key, '@')
		if last := strings.LastIndexByte(key, '/'); last > 0 && last+1 < len(key) && '0' <= key[last+1] && key[last+1] <= '9' {
			key, _, _ = strings.Cut(key, "_") // the older form, with the versions of peers
			i = last
		}
		if i > 0 && i < len(key) {
			out = append(out, Locked{Name: key[:i], Version: key[i+1:]})
		}
	}
	return out
}

// readTableLock reads the tables [[package]] with name and version, as Cargo and the managers of Python write them.
func readTableLock(text string) (out []Locked) {
	var l Locked
	within := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			if within {
				out = append(out, l)
			}
			within, l = line == "[[package]]", Locked{}
			continue
		}
		key, value, _ := strings.Cut(line, " = ")
		switch key {
		case "name":
			l.Name = strings.Trim(value, `"`)
		case "version":
			l.Version = strings.Trim(value, `"`)
		}
	}
	if within {
		out = append(out, l)
	}
	return out
}

func readPipfileLock(text string) (out []Locked) {
	type entries map[string]struct{ Version string }
	var p struct{ Default, Develop entries }
	if json.Unmarshal([]byte(text), &p) != nil {
		return nil
	}
	for _, list := range []entries{p.Default, p.Develop} {
		for name, e := range list {
			out = append(out, Locked{Name: name, Version: strings.TrimPrefix(e.Version, "==")})
		}
	}
	return out
}

func readComposerLock(text string) (out []Locked) {
	type entry struct {
		Name, Version string
		Autoload      struct {
			PSR4 map[string]any `json:"psr-4"`
			PSR0 any            `json:"psr-0"`
		}
	}
	var p struct {
		Packages []entry
		Dev      []entry `json:"packages-dev"`
	}
	if json.Unmarshal([]byte(text), &p) != nil {
		return nil
	}
	for _, e := range append(p.Packages, p.Dev...) {
		l := Locked{Name: e.Name, Version: e.Version, Namespaces: slices.Sorted(maps.Keys(e.Autoload.PSR4))}
		if old, ok := e.Autoload.PSR0.(map[string]any); ok {
			l.Namespaces = append(l.Namespaces, slices.Sorted(maps.Keys(old))...)
		}
		out = append(out, l)
	}
	return out
}

// readGemfileLock reads the packages that are indented by four blanks; their own dependencies are indented further.
func readGemfileLock(text string) (out []Locked) {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, "    "); ok && rest[0] != ' ' {
			if name, version, ok := strings.Cut(strings.TrimSpace(rest), " ("); ok {
				version, _, _ = strings.Cut(strings.TrimSuffix(version, ")"), "-") // of another platform
				out = append(out, Locked{Name: name, Version: version})
			}
		}
	}
	return out
}

func readNuGetLock(text string) (out []Locked) {
	var p struct {
		Dependencies map[string]map[string]struct{ Resolved string }
	}
	if json.Unmarshal([]byte(text), &p) != nil {
		return nil
	}
	for _, framework := range p.Dependencies {
		for name, e := range framework {
			out = append(out, Locked{Name: name, Version: e.Resolved})
		}
	}
	return out
}

// readCentralVersions reads the versions that the projects of a solution share.
func readCentralVersions(text string) (out []Locked) {
	var p struct {
		Packages []struct {
			Name    string `xml:"Include,attr"`
			Version string `xml:"Version,attr"`
		} `xml:"ItemGroup>PackageVersion"`
	}
	if xml.Unmarshal([]byte(text), &p) != nil {
		return nil
	}
	for _, l := range p.Packages {
		out = append(out, Locked{Name: l.Name, Version: l.Version})
	}
	return out
}

// readGradleLock reads lines as "group:name:1.0=compileClasspath".
func readGradleLock(text string) (out []Locked) {
	for line := range strings.Lines(text) {
		at, _, ok := strings.Cut(line, "=")
		if parts := strings.Split(at, ":"); ok && len(parts) == 3 && !strings.HasPrefix(line, "#") {
			out = append(out, Locked{Name: parts[0] + ":" + parts[1], Version: parts[2]})
		}
	}
	return out
}

// literalAssignment finds assignments of a literal in programs that describe a package: name = "x", spec.version = 'x', name="x".
var literalAssignment = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\s*(?:\w+\.)?(name|version|group|rootProject\.name)\s*=\s*["']([^"'$#{}\\]+)["']`)
})

// readAssignments takes name and version of a package from the first assignments of literals.
func (m *Manifest) readAssignments(text string) (group string) {
	for _, a := range literalAssignment().FindAllStringSubmatch(text, -1) {
		switch {
		case a[1] == "group":
			group = a[2]
		case a[1] == "version" && m.Package.Version == "":
			m.Package.Version = a[2]
		case a[1] != "version" && m.Package.Name == "":
			m.Package.Name = a[2]
		}
	}
	return group
}
