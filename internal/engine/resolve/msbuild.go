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
	for range maxMSBuild {
		tok, err := d.RawToken()
		if err != nil {
			break
		}
		if el, ok := tok.(xml.StartElement); ok {
			m.item(el)
		}
	}
	return m
}

// item records an XML element of a project file if it is a reference or a using.
func (m *msbuild) item(el xml.StartElement) {
	var include, alias, static string
	for _, a := range el.Attr {
		switch a.Name.Local {
		case "Include":
			include = a.Value
		case "Alias":
			alias = a.Value
		case "Static":
			static = a.Value
		}
	}
	for name := range strings.SplitSeq(include, ";") {
		name = strings.TrimSpace(name)
		if name == "" || strings.Contains(name, "$(") {
			continue
		}
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
		}
	}
}

// csProjects are the projects of a repository.
type csProjects struct {
	list   []csProject // by dir
	shared map[string]msbuild
	owners map[string]int // directory → nearest project, -1 if none
	reach  []map[int]bool // by project, nil until needed
}

// csProject is a directory with C# project files. Several files in one directory build the same sources in different
// ways, and count as one project.
type csProject struct {
	dir string
	msbuild
	refs []int
}

func loadProjects(t Tree) *csProjects {
	p := &csProjects{shared: map[string]msbuild{}, owners: map[string]int{}}
	for _, path := range t.Configs("*.csproj") {
		content, _ := config(t, path)
		m := parseMSBuild(content)
		dir := code.Dir(path)
		i := slices.IndexFunc(p.list, func(q csProject) bool { return q.dir == dir })
		if n := len(p.list); i < 0 {
			p.list = append(p.list, csProject{dir: dir})
			i = n
		}
		q := &p.list[i]
		q.Projects, q.Packages, q.Usings = append(q.Projects, m.Projects...), append(q.Packages, m.Packages...), append(q.Usings, m.Usings...)
	}
	slices.SortFunc(p.list, func(a, b csProject) int { return strings.Compare(a.dir, b.dir) })
	for _, base := range []string{"Directory.Build.props", "Directory.Build.targets"} {
		for _, path := range t.Configs(base) {
			content, _ := config(t, path)
			m, was := parseMSBuild(content), p.shared[code.Dir(path)]
			p.shared[code.Dir(path)] = msbuild{
				append(was.Projects, m.Projects...), append(was.Packages, m.Packages...), append(was.Usings, m.Usings...),
			}
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
			q.Packages, q.Usings = append(q.Packages, m.Packages...), append(q.Usings, m.Usings...)
			return false
		})
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
