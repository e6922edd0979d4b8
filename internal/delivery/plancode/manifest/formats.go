package manifest

import (
	"encoding/json"
	"encoding/xml"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// unreadable is the problem of a manifest whose form is broken.
const unreadable = "it could not be read, because its form is broken"

// texts are named values; values that are no texts are left out.
type texts map[string]string

// UnmarshalJSON reads an object with values of any type. It fails if the JSON is no object.
func (t *texts) UnmarshalJSON(b []byte) error {
	var all map[string]any
	if err := json.Unmarshal(b, &all); err != nil {
		return nil // a list in the place of an object
	}
	*t = texts{}
	for name, v := range all {
		if s, ok := v.(string); ok {
			(*t)[name] = s
		}
	}
	return nil
}

// address reports whether a version is an address, which may hold credentials.
func address(version string) bool {
	return strings.Contains(version, "://") || strings.Contains(version, "@") && strings.Contains(version, ":")
}

// all adds dependencies by name.
func (m *Manifest) all(list texts, dev bool) {
	for _, name := range slices.Sorted(maps.Keys(list)) {
		version := list[name]
		if address(version) {
			version = ""
		}
		m.addDependency(name, version, dev)
	}
}

func readPackageJSON(m *Manifest, text string) {
	var p struct {
		Name           string
		PackageManager string
		Engines        texts
		Scripts        texts
		Dependencies   texts
		Dev            texts `json:"devDependencies"`
		Peer           texts `json:"peerDependencies"`
		Optional       texts `json:"optionalDependencies"`
	}
	if json.Unmarshal([]byte(text), &p) != nil {
		m.Problem = unreadable
		return
	}
	m.say("name", p.Name)
	m.say("package manager", p.PackageManager)
	for _, name := range slices.Sorted(maps.Keys(p.Engines)) {
		m.say(name, p.Engines[name])
	}
	for _, name := range slices.Sorted(maps.Keys(p.Scripts)) {
		m.Scripts = append(m.Scripts, Fact{name, strings.Join(strings.Fields(p.Scripts[name]), " ")})
	}
	m.all(p.Dependencies, false)
	m.all(p.Optional, false)
	m.all(p.Peer, false)
	m.all(p.Dev, true)
}

func readComposer(m *Manifest, text string) {
	var p struct {
		Name    string
		Require texts
		Dev     texts `json:"require-dev"`
	}
	if json.Unmarshal([]byte(text), &p) != nil {
		m.Problem = unreadable
		return
	}
	m.say("name", p.Name)
	m.say("php", p.Require["php"])
	for name := range p.Require {
		if !strings.Contains(name, "/") { // php itself and its extensions
			delete(p.Require, name)
		}
	}
	m.all(p.Require, false)
	m.all(p.Dev, true)
}

func readCargo(m *Manifest, text string) {
	var p struct {
		Package struct {
			Name, Edition any
			Rust          any `toml:"rust-version"`
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
			m.say(f.name, s)
		}
	}
	m.all(versions(p.Dependencies), false)
	m.all(versions(p.Workspace.Dependencies), false)
	m.all(versions(p.Build), true)
	m.all(versions(p.Dev), true)
}

// versions returns the versions in a table in which a dependency is a text, or a table with a version.
func versions(list map[string]any) texts {
	out := texts{}
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
			Python   string           `toml:"requires-python"`
			Needs    []any            `toml:"dependencies"`
			Optional map[string][]any `toml:"optional-dependencies"`
		}
		Groups map[string][]any `toml:"dependency-groups"`
		Tool   struct {
			Poetry struct {
				Name         string
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
	m.say("name", p.Project.Name+p.Tool.Poetry.Name)
	m.say("python", p.Project.Python)
	m.addList(p.Project.Needs, false)
	for _, name := range slices.Sorted(maps.Keys(p.Project.Optional)) {
		m.addList(p.Project.Optional[name], development(name))
	}
	for _, name := range slices.Sorted(maps.Keys(p.Groups)) {
		m.addList(p.Groups[name], true)
	}
	poetry := versions(p.Tool.Poetry.Dependencies)
	m.say("python", poetry["python"])
	delete(poetry, "python")
	m.all(poetry, false)
	m.all(versions(p.Tool.Poetry.Dev), true)
	for _, name := range slices.Sorted(maps.Keys(p.Tool.Poetry.Group)) {
		m.all(versions(p.Tool.Poetry.Group[name].Dependencies), true)
	}
}

// development reports whether a group of dependencies is by its name for those who work on the project.
func development(group string) bool {
	return slices.Contains([]string{"dev", "test", "tests", "testing", "lint", "docs", "develop", "development"}, group)
}

// addList adds the requirements of a Python list.
func (m *Manifest) addList(list []any, dev bool) {
	for _, v := range list {
		if s, ok := v.(string); ok {
			name, version := requirement(s)
			m.addDependency(name, version, dev)
		}
	}
}

func readPOM(m *Manifest, text string) {
	var p struct {
		Name       string `xml:"artifactId"`
		Properties struct {
			Source  string `xml:"maven.compiler.source"`
			Release string `xml:"maven.compiler.release"`
			Java    string `xml:"java.version"`
		} `xml:"properties"`
		Dependencies []struct {
			Group   string `xml:"groupId"`
			Name    string `xml:"artifactId"`
			Version string `xml:"version"`
			Scope   string `xml:"scope"`
		} `xml:"dependencies>dependency"`
	}
	if xml.Unmarshal([]byte(text), &p) != nil {
		m.Problem = unreadable
		return
	}
	m.say("name", p.Name)
	for _, v := range []string{p.Properties.Release, p.Properties.Source, p.Properties.Java} {
		if v != "" && !strings.Contains(v, "${") {
			m.say("java", v)
			break
		}
	}
	for _, d := range p.Dependencies {
		m.addDependency(strings.TrimSpace(d.Group)+":"+strings.TrimSpace(d.Name), d.Version, strings.TrimSpace(d.Scope) == "test")
	}
}

func readProject(m *Manifest, text string) {
	var p struct {
		Groups []struct {
			Framework  string `xml:"TargetFramework"`
			Frameworks string `xml:"TargetFrameworks"`
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
		m.say("target framework", g.Framework+g.Frameworks)
	}
	for _, d := range p.Packages {
		m.addDependency(d.Name, d.Version, false)
	}
}
