package manifest

import (
	"regexp"
	"strings"
	"sync"

	"ken/internal/code"
	"ken/internal/lang"
)

// The managers of packages. Their names are part of the format of surfaces.
const (
	Go       = "go"
	NPM      = "npm"
	PyPI     = "pypi"
	Cargo    = "cargo"
	Maven    = "maven"
	NuGet    = "nuget"
	Composer = "composer"
	Gem      = "gem"
	CMake    = "cmake"
)

// managers maps ecosystems, as the table of languages names them, to managers. Gradle publishes to the registries of Maven.
var managers = map[string]string{
	"Go": Go, "npm": NPM, "Python": PyPI, "Cargo": Cargo, "Maven": Maven, "Gradle": Maven,
	".NET": NuGet, "Composer": Composer, "Ruby": Gem, "CMake": CMake,
}

// CodeManager returns the manager of the packages that code of a language imports, "" if ken knows none.
func CodeManager(l code.Lang) string { return managers[lang.Ecosystem(l)] }

// Manager returns the manager of the packages of a manifest, "" if ken knows none.
func (m *Manifest) Manager() string { return managers[m.Ecosystem] }

// readSetupCfg reads the sections of a setup.cfg that declare a package.
func readSetupCfg(m *Manifest, text string) {
	section, key := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || trimmed[0] == '#' || trimmed[0] == ';':
			continue
		case line[0] == '[':
			section, key = strings.Trim(trimmed, "[]"), ""
			continue
		}
		value := trimmed
		if line[0] != ' ' && line[0] != '\t' {
			before, after, _ := strings.Cut(trimmed, "=")
			key, value = strings.TrimSpace(before), strings.TrimSpace(after)
		}
		m.setupCfgValue(section, key, value)
	}
}

func (m *Manifest) setupCfgValue(section, key, value string) {
	if value == "" {
		return
	}
	switch section + " " + key {
	case "metadata name":
		m.Package.Name = value
	case "metadata version":
		if !strings.Contains(value, ":") { // attr: or file:
			m.Package.Version = value
		}
	case "options install_requires":
		name, version := parseRequirement(value)
		m.addDependency(name, version, false)
	default:
		if section == "options.extras_require" {
			name, version := parseRequirement(value)
			m.addDependency(name, version, isDevelopmentGroup(key))
		}
	}
}

// setupCall finds arguments of setup that are literals.
var setupCall = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(name|version)\s*=\s*["']([\w.+-]+)["']`) })

// setupList finds lists of requirements; requirement the literals in one.
var (
	setupList = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)\b(install_requires|tests_require)\s*=\s*\[(.*?)\]`)
	})
	requirement = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`["']([^"'\n]+)["']`) })
)

// readSetupPy reads the literals of a setup.py. What the program computes is not read.
func readSetupPy(m *Manifest, text string) {
	for _, a := range setupCall().FindAllStringSubmatch(text, -1) {
		switch {
		case a[1] == "name" && m.Package.Name == "":
			m.Package.Name = a[2]
		case a[1] == "version" && m.Package.Version == "":
			m.Package.Version = a[2]
		}
	}
	for _, list := range setupList().FindAllStringSubmatch(text, -1) {
		for _, r := range requirement().FindAllStringSubmatch(list[2], -1) {
			name, version := parseRequirement(r[1])
			m.addDependency(name, version, list[1] == "tests_require")
		}
	}
	m.Problem = "only literals are read"
}

// gemCall finds dependencies in a gemspec.
var gemCall = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\.add_(runtime_|development_)?dependency[ (]+["']([^"']+)["'](?:\s*,\s*["']([^"']+)["'])?`)
})

func readGemspec(m *Manifest, text string) {
	m.readAssignments(text)
	for _, d := range gemCall().FindAllStringSubmatch(text, -1) {
		m.addDependency(d[2], d[3], d[1] == "development_")
	}
}

// cmakeCall finds the calls that name a project or a package.
var cmakeCall = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?im)^\s*(project|find_package)\s*\(\s*([\w.+-]+)(?:\s+(?:VERSION\s+)?([0-9][\w.]*))?`)
})

func readCMake(m *Manifest, text string) {
	for _, c := range cmakeCall().FindAllStringSubmatch(text, -1) {
		switch {
		case !strings.EqualFold(c[1], "project"):
			m.addDependency(c[2], c[3], false)
		case m.Package.Name == "":
			m.Package = Package{c[2], c[3]}
		}
	}
}

// catalogueEntry finds the libraries in a version catalogue of Gradle: names of modules with versions or references to them.
var catalogueEntry = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\s*[\w.-]+\s*=\s*(?:\{.*?\bmodule\s*=\s*"([^":]+:[^":]+)"(.*)|` +
		`\{.*?\bgroup\s*=\s*"([^"]+)"\s*,\s*name\s*=\s*"([^"]+)"(.*)|"([^":]+:[^":]+):([^":]+)")`)
})

// catalogueVersion finds a version in an entry, and versionValue one in the table of versions.
var (
	catalogueVersion = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\bversion(\.ref)?\s*=\s*"([^"]+)"`)
	})
	versionValue = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*([\w.-]+)\s*=\s*"([^":]+)"`) })
)

// readCatalogue reads libs.versions.toml. It is read by lines, because inline tables make up most of it.
func readCatalogue(m *Manifest, text string) {
	versions := map[string]string{}
	for _, v := range versionValue().FindAllStringSubmatch(text, -1) {
		versions[v[1]] = v[2]
	}
	for _, e := range catalogueEntry().FindAllStringSubmatch(text, -1) {
		name, rest, version := e[1], e[2], e[7]
		switch {
		case e[3] != "":
			name, rest = e[3]+":"+e[4], e[5]
		case e[6] != "":
			name = e[6]
		}
		if v := catalogueVersion().FindStringSubmatch(rest); v != nil {
			if version = v[2]; v[1] != "" {
				version = versions[v[2]]
			}
		}
		m.addDependency(name, version, false)
	}
}
