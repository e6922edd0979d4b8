package resolve

import (
	"bytes"
	"encoding/xml"
	"io"
	"slices"
	"strings"

	"ken/internal/code"
)

// msbuild holds the relevant parts of a project file (*.csproj) or of the properties that all projects below a folder
// share (Directory.Build.props and .targets): its references, as written, and the usings of every file of a project.
// Conditions are not evaluated: conditional elements count.
// https://learn.microsoft.com/visualstudio/msbuild/common-msbuild-project-items
type msbuild struct {
	Projects []string // ProjectReference
	Packages []string // PackageReference and Reference
	Usings   []msbuildUsing
	Unused   []string // names of usings that are taken out again
	Compiled []string // single source files that are named, usually of other directories
	Implicit string   // of the property ImplicitUsings, "" if it is not set
	Kits     []string // SDKs, whose names decide which usings are implicit
}

type msbuildUsing struct {
	Name, Alias string
	Static      bool
}

// maxMSBuild is the largest number of items that are read from one file.
const maxMSBuild = 4096

func parseMSBuild(content []byte) msbuild {
	var m msbuild
	d := xml.NewDecoder(bytes.NewReader(content))
	d.Strict = false
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	property := ""
	for range maxMSBuild {
		tok, err := d.RawToken()
		if err != nil {
			break
		}
		switch t := tok.(type) {
		case xml.StartElement:
			property = t.Name.Local
			m.item(t)
		case xml.EndElement:
			property = ""
		case xml.CharData:
			if property == "ImplicitUsings" {
				m.Implicit = strings.ToLower(strings.TrimSpace(string(t)))
			}
		}
	}
	return m
}

// add adds what another file of the same project or a directory above says. The property of the first counts.
func (m *msbuild) add(o *msbuild) {
	m.Projects, m.Packages = append(m.Projects, o.Projects...), append(m.Packages, o.Packages...)
	m.Usings, m.Unused = append(m.Usings, o.Usings...), append(m.Unused, o.Unused...)
	m.Compiled, m.Kits = append(m.Compiled, o.Compiled...), append(m.Kits, o.Kits...)
	if m.Implicit == "" {
		m.Implicit = o.Implicit
	}
}

// item records an XML element of a project file if it is a reference, a using or a source file.
func (m *msbuild) item(el xml.StartElement) {
	var include, remove, alias, static string
	for _, a := range el.Attr {
		switch a.Name.Local {
		case "Include":
			include = a.Value
		case "Remove":
			remove = a.Value
		case "Alias":
			alias = a.Value
		case "Static":
			static = a.Value
		case "Sdk":
			m.Kits = append(m.Kits, a.Value)
		case "Name":
			if el.Name.Local == "Sdk" {
				m.Kits = append(m.Kits, a.Value)
			}
		}
	}
	if el.Name.Local == "Using" {
		m.Unused = append(m.Unused, listedNames(remove)...)
	}
	for _, name := range listedNames(include) {
		switch el.Name.Local {
		case "ProjectReference":
			m.Projects = append(m.Projects, strings.ReplaceAll(name, `\`, "/"))
		case "PackageReference":
			m.Packages = append(m.Packages, name)
		case "Reference":
			name, _, _ = strings.Cut(name, ",")
			m.Packages = append(m.Packages, name)
		case "Using":
			m.Usings = append(m.Usings, msbuildUsing{name, alias, strings.EqualFold(static, "true")})
		case "Compile":
			if !strings.ContainsAny(name, "*?") {
				m.Compiled = append(m.Compiled, strings.ReplaceAll(name, `\`, "/"))
			}
		}
	}
}

// listedNames returns the names of a list, without those that properties complete.
func listedNames(list string) (names []string) {
	for name := range strings.SplitSeq(list, ";") {
		if name = strings.TrimSpace(name); name != "" && !strings.Contains(name, "$(") {
			names = append(names, name)
		}
	}
	return names
}

// implicitUsings are the namespaces that ImplicitUsings adds to all files of a project, by a part of the name of its SDK.
// https://learn.microsoft.com/dotnet/core/project-sdk/overview#implicit-using-directives
var implicitUsings = []struct {
	kit        string
	namespaces []string
}{
	{"", []string{"System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Net.Http", "System.Threading", "System.Threading.Tasks"}},
	{".Web", []string{"System.Net.Http.Json", "Microsoft.AspNetCore.Builder", "Microsoft.AspNetCore.Hosting", "Microsoft.AspNetCore.Http",
		"Microsoft.AspNetCore.Routing", "Microsoft.Extensions.Configuration", "Microsoft.Extensions.DependencyInjection", "Microsoft.Extensions.Hosting",
		"Microsoft.Extensions.Logging"}},
	{".Worker", []string{"Microsoft.Extensions.Configuration", "Microsoft.Extensions.DependencyInjection", "Microsoft.Extensions.Hosting",
		"Microsoft.Extensions.Logging"}},
}

// usingImports returns the usings that the project files add to all files of a project.
func (m *msbuild) usingImports() (imports []code.Import) {
	usings := m.Usings
	if m.Implicit == "enable" || m.Implicit == "true" {
		for _, row := range implicitUsings {
			isOf := func(kit string) bool { return strings.HasSuffix(kit, row.kit) }
			if row.kit != "" && !slices.ContainsFunc(m.Kits, isOf) {
				continue
			}
			for _, name := range row.namespaces {
				usings = append(usings, msbuildUsing{Name: name})
			}
		}
	}
	for _, u := range usings {
		if slices.Contains(m.Unused, u.Name) {
			continue
		}
		last := u.Name[strings.LastIndexByte(u.Name, '.')+1:]
		imp := code.Import{Spec: u.Name, Static: u.Static, Names: []code.ImportName{{Name: "*", Alias: "*"}}}
		if u.Alias != "" {
			imp.Names[0] = code.ImportName{Name: last, Alias: u.Alias}
		}
		imports = append(imports, imp)
	}
	return imports
}

// csProjects are the projects of a repository.
type csProjects struct {
	list   []csProject // by dir
	shared map[string]msbuild
	owners map[string]int // directory → nearest project, -1 if none
	// compiling holds the projects that name a source file as one of theirs, by its path.
	compiling map[string][]int
	reach     []map[int]bool // by project, nil until needed
}

// csProject is a directory with C# project files. Several files in one directory build the same sources in different
// ways, and count as one project.
type csProject struct {
	dir string
	msbuild
	refs []int
}

func loadProjects(t Tree) *csProjects {
	p := &csProjects{shared: map[string]msbuild{}, owners: map[string]int{}, compiling: map[string][]int{}}
	for _, path := range t.Configs("*.csproj") {
		content, _ := config(t, path)
		m := parseMSBuild(content)
		dir := code.Dir(path)
		i := slices.IndexFunc(p.list, func(q csProject) bool { return q.dir == dir })
		if n := len(p.list); i < 0 {
			p.list = append(p.list, csProject{dir: dir})
			i = n
		}
		p.list[i].add(&m)
	}
	slices.SortFunc(p.list, func(a, b csProject) int { return strings.Compare(a.dir, b.dir) })
	for _, base := range []string{"Directory.Build.props", "Directory.Build.targets"} {
		for _, path := range t.Configs(base) {
			content, _ := config(t, path)
			m, was := parseMSBuild(content), p.shared[code.Dir(path)]
			was.add(&m)
			p.shared[code.Dir(path)] = was
		}
	}
	p.connect()
	return p
}

// connect finds the projects to which each project refers, after it has added the properties that the directories above share.
func (p *csProjects) connect() {
	p.reach = make([]map[int]bool, len(p.list))
	for i := range p.list {
		q := &p.list[i]
		ancestors(q.dir, func(d string) bool {
			m := p.shared[d]
			m.Projects, m.Compiled = nil, nil // their paths begin elsewhere
			q.add(&m)
			return false
		})
		for _, file := range q.Compiled {
			if f, ok := join(q.dir, file); ok {
				p.compiling[f] = append(p.compiling[f], i)
			}
		}
		for _, ref := range q.Projects {
			target, ok := join(q.dir, ref)
			if j, found := p.at(code.Dir(target)); ok && found {
				q.refs = append(q.refs, j)
			}
		}
	}
}

// at returns the project whose project file is in this directory.
func (p *csProjects) at(dir string) (int, bool) {
	return slices.BinarySearchFunc(p.list, dir, func(q csProject, d string) int { return strings.Compare(q.dir, d) })
}

// owner returns the project whose directory contains dir, the innermost if there are several, or -1.
func (p *csProjects) owner(dir string) int {
	if i, ok := p.owners[dir]; ok {
		return i
	}
	i, found := p.at(dir)
	if !found {
		i = -1
		if dir != "" {
			i = p.owner(code.Dir(dir))
		}
	}
	p.owners[dir] = i
	return i
}

// visibleProjects returns the projects whose declarations the files of project i can use: itself and the projects to which it
// refers, directly and indirectly.
func (p *csProjects) visibleProjects(i int) map[int]bool {
	if p.reach[i] == nil {
		set := map[int]bool{i: true}
		for queue := []int{i}; len(queue) > 0; queue = queue[1:] {
			for _, j := range p.list[queue[0]].refs {
				if !set[j] {
					set[j] = true
					queue = append(queue, j)
				}
			}
		}
		p.reach[i] = set
	}
	return p.reach[i]
}
