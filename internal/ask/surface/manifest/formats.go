package manifest

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// unreadable is the problem of a manifest whose form is broken.
const unreadable = "it could not be read, because its form is broken"

// textValues holds the members of an object whose values are strings; other members are left out.
type textValues map[string]string

// UnmarshalJSON reads a JSON object and keeps only its members with string values. It fails if the JSON is no object.
func (t *textValues) UnmarshalJSON(b []byte) error {
	var all map[string]any
	if err := json.Unmarshal(b, &all); err != nil {
		return nil // a list in the place of an object
	}
	*t = textValues{}
	for name, v := range all {
		if s, ok := v.(string); ok {
			(*t)[name] = s
		}
	}
	return nil
}

// isAddress reports whether a version is a URL or similar address, which may hold credentials.
func isAddress(version string) bool {
	return strings.Contains(version, "://") || strings.Contains(version, "@") && strings.Contains(version, ":")
}

// addDependencies adds dependencies, sorted by name; dev marks them as needed for development only.
func (m *Manifest) addDependencies(list textValues, dev bool) {
	for _, name := range slices.Sorted(maps.Keys(list)) {
		d := Dependency{Name: name, Version: list[name], Dev: dev}
		if real, ok := strings.CutPrefix(d.Version, "npm:"); ok {
			if i := strings.LastIndexByte(real, '@'); i > 0 {
				d.Package, d.Version = real[:i], real[i+1:]
			}
		}
		if isAddress(d.Version) {
			d.Version = ""
		}
		m.add(d)
	}
}

func readPackageJSON(m *Manifest, text string) {
	var p struct {
		Name           string
		Version        any
		PackageManager string
		Engines        textValues
		Scripts        textValues
		Dependencies   textValues
		Dev            textValues `json:"devDependencies"`
		Peer           textValues `json:"peerDependencies"`
		Optional       textValues `json:"optionalDependencies"`
	}
	if json.Unmarshal([]byte(text), &p) != nil {
		m.Problem = unreadable
		return
	}
	m.addFact("name", p.Name)
	m.Package.Name = p.Name
	m.Package.Version, _ = p.Version.(string)
	m.addFact("package manager", p.PackageManager)
	for _, name := range slices.Sorted(maps.Keys(p.Engines)) {
		m.addFact(name, p.Engines[name])
	}
	for _, name := range slices.Sorted(maps.Keys(p.Scripts)) {
		m.Scripts = append(m.Scripts, Fact{name, strings.Join(strings.Fields(p.Scripts[name]), " ")})
	}
	m.addDependencies(p.Dependencies, false)
	m.addDependencies(p.Optional, false)
	m.addDependencies(p.Peer, false)
	m.addDependencies(p.Dev, true)
}

func readComposer(m *Manifest, text string) {
	var p struct {
		Name    string
		Version any
		Require textValues
		Dev     textValues `json:"require-dev"`
	}
	if json.Unmarshal([]byte(text), &p) != nil {
		m.Problem = unreadable
		return
	}
	m.addFact("name", p.Name)
	m.Package.Name = p.Name
	m.Package.Version, _ = p.Version.(string)
	m.addFact("php", p.Require["php"])
	for name := range p.Require {
		if !strings.Contains(name, "/") { // php itself and its extensions
			delete(p.Require, name)
		}
	}
	m.addDependencies(p.Require, false)
	m.addDependencies(p.Dev, true)
}

func readCargo(m *Manifest, text string) {
	var p struct {
		Package struct {
			Name, Version, Edition any
			Rust                   any `toml:"rust-version"`
		}
		Dependencies map[string]any
		Dev          map[string]any `toml:"dev-dependencies"`
		Build        map[string]any `toml:"build-dependencies"`
		Workspace    struct{ Dependencies map[string]any }
	}
	if toml.Unmarshal([]byte(text), &p) != nil {
		m.Problem = unreadable
		return
	}
	for _, f := range []struct {
		name  string
		value any
	}{{"name", p.Package.Name}, {"edition", p.Package.Edition}, {"rust", p.Package.Rust}} {
		if s, ok := f.value.(string); ok {
			m.addFact(f.name, s)
		}
	}
	m.Package.Name, _ = p.Package.Name.(string)
	m.Package.Version, _ = p.Package.Version.(string) // a table where the workspace has it
	m.addCrates(p.Dependencies, false)
	m.addCrates(p.Workspace.Dependencies, false)
	m.addCrates(p.Build, true)
	m.addCrates(p.Dev, true)
}

// addCrates adds the dependencies of a table, some of which have another name in the registry.
func (m *Manifest) addCrates(list map[string]any, dev bool) {
	versions := tableVersions(list)
	for _, name := range slices.Sorted(maps.Keys(list)) {
		d := Dependency{Name: name, Version: versions[name], Dev: dev}
		if t, ok := list[name].(map[string]any); ok {
			d.Package, _ = t["package"].(string)
		}
		m.add(d)
	}
}

// tableVersions returns the versions in a table whose entries are a version, or a table with a field version.
func tableVersions(list map[string]any) textValues {
	out := textValues{}
	for name, v := range list {
		out[name] = ""
		switch v := v.(type) {
		case string:
			out[name] = v
		case map[string]any:
			out[name], _ = v["version"].(string)
		}
	}
	return out
}

func readPyproject(m *Manifest, text string) {
	var p struct {
		Project struct {
			Name     string
			Version  any
			Python   string           `toml:"requires-python"`
			Needs    []any            `toml:"dependencies"`
			Optional map[string][]any `toml:"optional-dependencies"`
		}
		Groups map[string][]any `toml:"dependency-groups"`
		Tool   struct {
			Poetry struct {
				Name         string
				Version      any
				Dependencies map[string]any
				Dev          map[string]any `toml:"dev-dependencies"`
				Group        map[string]struct{ Dependencies map[string]any }
			}
		}
	}
	if toml.Unmarshal([]byte(text), &p) != nil {
		m.Problem = unreadable
		return
	}
	m.addFact("name", p.Project.Name+p.Tool.Poetry.Name)
	m.Package.Name = cmp.Or(p.Project.Name, p.Tool.Poetry.Name)
	for _, v := range []any{p.Tool.Poetry.Version, p.Project.Version} {
		if s, ok := v.(string); ok {
			m.Package.Version = s
		}
	}
	m.addFact("python", p.Project.Python)
	m.addList(p.Project.Needs, false)
	for _, name := range slices.Sorted(maps.Keys(p.Project.Optional)) {
		m.addList(p.Project.Optional[name], isDevelopmentGroup(name))
	}
	for _, name := range slices.Sorted(maps.Keys(p.Groups)) {
		m.addList(p.Groups[name], true)
	}
	poetry := tableVersions(p.Tool.Poetry.Dependencies)
	m.addFact("python", poetry["python"])
	delete(poetry, "python")
	m.addDependencies(poetry, false)
	m.addDependencies(tableVersions(p.Tool.Poetry.Dev), true)
	for _, name := range slices.Sorted(maps.Keys(p.Tool.Poetry.Group)) {
		m.addDependencies(tableVersions(p.Tool.Poetry.Group[name].Dependencies), true)
	}
}

// isDevelopmentGroup reports whether a group of dependencies has a name that means it is only needed for development.
func isDevelopmentGroup(group string) bool {
	return slices.Contains([]string{"dev", "test", "tests", "testing", "lint", "docs", "develop", "development"}, group)
}

// addList adds the requirements in a Python list.
func (m *Manifest) addList(list []any, dev bool) {
	for _, v := range list {
		if s, ok := v.(string); ok {
			name, version := parseRequirement(s)
			m.addDependency(name, version, dev)
		}
	}
}

func readPOM(m *Manifest, text string) {
	var p struct {
		Group   string `xml:"groupId"`
		Name    string `xml:"artifactId"`
		Version string `xml:"version"`
		Parent  struct {
			Group   string `xml:"groupId"`
			Version string `xml:"version"`
		} `xml:"parent"`
		Properties struct {
			Source  string `xml:"maven.compiler.source"`
			Release string `xml:"maven.compiler.release"`
			Java    string `xml:"java.version"`
			All     []struct {
				XMLName xml.Name
				Value   string `xml:",chardata"`
			} `xml:",any"`
		} `xml:"properties"`
		Dependencies []pomDependency `xml:"dependencies>dependency"`
		Managed      []pomDependency `xml:"dependencyManagement>dependencies>dependency"`
	}
	if xml.Unmarshal([]byte(text), &p) != nil {
		m.Problem = unreadable
		return
	}
	m.addFact("name", p.Name)
	for _, v := range []string{p.Properties.Release, p.Properties.Source, p.Properties.Java} {
		if v != "" && !strings.Contains(v, "${") {
			m.addFact("java", v)
			break
		}
	}
	group, version := cmp.Or(p.Group, p.Parent.Group), cmp.Or(p.Version, p.Parent.Version)
	values := map[string]string{"project.groupId": group, "project.version": version}
	for _, v := range p.Properties.All {
		values[v.XMLName.Local] = strings.TrimSpace(v.Value)
	}
	if group != "" {
		m.Package = Package{strings.TrimSpace(group) + ":" + strings.TrimSpace(p.Name), pomValue(version, values)}
	}
	managed := map[string]string{}
	for _, d := range p.Managed {
		managed[d.coordinates(values)] = pomValue(d.Version, values)
	}
	for _, d := range p.Dependencies {
		name := d.coordinates(values)
		m.addDependency(name, cmp.Or(pomValue(d.Version, values), managed[name]), strings.TrimSpace(d.Scope) == "test")
	}
}

// pomDependency is a dependency in a file of Maven.
type pomDependency struct {
	Group   string `xml:"groupId"`
	Name    string `xml:"artifactId"`
	Version string `xml:"version"`
	Scope   string `xml:"scope"`
}

func (d *pomDependency) coordinates(values map[string]string) string {
	return pomValue(d.Group, values) + ":" + pomValue(d.Name, values)
}

// pomValue replaces the properties in a value. One that the file does not define stays as it is written.
func pomValue(s string, values map[string]string) string {
	s = strings.TrimSpace(s)
	for range 4 { // a property may be made of others
		i := strings.Index(s, "${")
		if i < 0 {
			break
		}
		name, rest, ok := strings.Cut(s[i+2:], "}")
		v, known := values[name]
		if !ok || !known || len(s) > 1000 {
			break
		}
		s = s[:i] + v + rest
	}
	return s
}

func readProject(m *Manifest, text string) {
	var p struct {
		Groups []struct {
			Framework  string `xml:"TargetFramework"`
			Frameworks string `xml:"TargetFrameworks"`
			ID         string `xml:"PackageId"`
			Assembly   string `xml:"AssemblyName"`
			Version    string `xml:"Version"`
		} `xml:"PropertyGroup"`
		Packages []struct {
			Name    string `xml:"Include,attr"`
			Version string `xml:"Version,attr"`
		} `xml:"ItemGroup>PackageReference"`
	}
	if xml.Unmarshal([]byte(text), &p) != nil {
		m.Problem = unreadable
		return
	}
	for _, g := range p.Groups {
		m.addFact("target framework", g.Framework+g.Frameworks)
		m.Package.Name = cmp.Or(m.Package.Name, strings.TrimSpace(g.ID), strings.TrimSpace(g.Assembly))
		m.Package.Version = cmp.Or(m.Package.Version, strings.TrimSpace(g.Version))
	}
	m.Package.Name = cmp.Or(m.Package.Name, strings.TrimSuffix(path.Base(m.Path), ".csproj"))
	for _, d := range p.Packages {
		m.addDependency(d.Name, d.Version, false)
	}
}
