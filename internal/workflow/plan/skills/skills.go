// Package skills declares the operations on the files that equip agents: the skills that config.json gives to a kind of agent, all
// skills of a project and its user, files that were added to an installation, and plans in the format of .gsd. The files are untrusted,
// so links out of their folder are not followed and sizes have limits.
package skills

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"ken/internal/statefile"
	"ken/internal/workflow/plan/argument"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
)

// The limits of reading a folder of skills.
const (
	maxSkill = 1 << 20
	maxDirs  = 5000
)

type agentInput struct {
	Agent string `arg:"[AGENT]" help:"the kind of agent"`
}

type skillManifestInput struct {
	SkillsDir string `flag:"skills-dir" help:"of this folder alone"`
	Write     bool   `flag:"write" terminal:"yes" help:"write the answer to .planning/skill-manifest.json, too"`
}

type configDirInput struct {
	ConfigDir string `flag:"config-dir" required:"yes" help:"the folder with gsd-file-manifest.json"`
}

type fromGsd2Input struct {
	Path  string `flag:"path" help:"the folder that holds .gsd"`
	Force bool   `flag:"force" help:"also where a planning folder is"`
}

// All returns the operations of this package.
func All() []*planop.Operation {
	return []*planop.Operation{
		planop.Spec[agentInput, SkillBlock]{
			Name: "agent-skills", Summary: "the skills that config.json gives to a kind of agent, as a block for its prompt",
			Run: agentSkills, Bare: true,
			Plain: func(a SkillBlock) string { return a.Block },
		}.Operation(),
		planop.Spec[skillManifestInput, Manifest]{
			Name: "skill-manifest", Summary: "all skills of the project and its user", Run: runManifest, Writes: true, Anywhere: true,
		}.Operation(),
		planop.Spec[configDirInput, CustomFiles]{
			Name: "detect-custom-files", Summary: "files in the folders of an installation that it did not put there", Run: listCustomFiles,
			Anywhere: true,
		}.Operation(),
		planop.Spec[fromGsd2Input, Imported]{
			Name: "from-gsd2", Summary: "make a planning folder out of a folder .gsd", Run: importGSD2, Writes: true, Anywhere: true,
		}.Operation(),
	}
}

// SkillBlock is a text for the prompt of an agent that lists the skills to read.
type SkillBlock struct {
	Agent      string   `json:"agent_type"`
	Block      string   `json:"block"`
	Count      int      `json:"skills_count"`
	Warnings   []string `json:"warnings"`
	Configured bool     `json:"configured"`
}

var globalName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z0-9_-]+$`) })

func agentSkills(_ context.Context, c *planop.Call, in *agentInput) (SkillBlock, error) {
	a := SkillBlock{Agent: in.Agent, Warnings: []string{}}
	if a.Agent == "" {
		return a, nil
	}
	set, err := c.Settings()
	if err != nil {
		return SkillBlock{}, err
	}
	all, _ := set.Section("agent_skills").(map[string]any)
	value, ok := all[a.Agent]
	a.Configured = ok
	list, isList := value.([]any)
	if !isList {
		list = []any{value}
	}
	project, err := c.Project()
	if err != nil {
		return SkillBlock{}, err
	}
	var lines []string
	for _, v := range list {
		name, ok := v.(string)
		if !ok || name == "" {
			continue
		}
		ref, err := skillReference(project, c.Home, name)
		if err != nil {
			a.Warnings = append(a.Warnings, fmt.Sprintf("%.120q is left out: %s", name, err))
			continue
		}
		lines = append(lines, "- @"+ref)
	}
	if a.Count = len(lines); a.Count > 0 {
		a.Block = "<agent_skills>\nRead these user-configured skills:\n" + strings.Join(lines, "\n") + "\n</agent_skills>"
	}
	return a, nil
}

// skillReference returns the path by which a prompt refers to the file of a skill. A name that begins with "global:" is a skill of the
// user, any other one of the project. It fails if there is no such file.
func skillReference(project, home, name string) (string, error) {
	if strings.IndexFunc(name, unicode.IsControl) >= 0 {
		return "", errors.New("it has a control character")
	}
	base, at := project, name
	own, isGlobal := strings.CutPrefix(name, "global:")
	if isGlobal {
		if !globalName().MatchString(own) {
			return "", errors.New("the name of a skill has letters, digits, - and _")
		}
		if home == "" {
			return "", errors.New("there is no home folder")
		}
		base, at = filepath.Join(home, ".claude", "skills"), own
	}
	if _, err := argument.CheckPath(base, filepath.Join(filepath.FromSlash(at), "SKILL.md")); err != nil {
		return "", err
	}
	full := filepath.Join(base, filepath.FromSlash(at), "SKILL.md")
	if st, err := os.Stat(full); err != nil || !st.Mode().IsRegular() {
		return "", errors.New("there is no SKILL.md in it")
	}
	if isGlobal {
		return filepath.ToSlash(full), nil
	}
	return at + "/SKILL.md", nil
}

// Manifest lists all skills.
type Manifest struct {
	Skills       []Skill `json:"skills"`
	Roots        []Root  `json:"roots"`
	Installation struct {
		Skills   bool `json:"gsd_skills_installed"`
		Commands bool `json:"legacy_claude_commands_installed"`
	} `json:"installation"`
	Counts struct {
		Skills int `json:"skills"`
		Roots  int `json:"roots"`
	} `json:"counts"`
}

// Skill is a skill in a Manifest.
type Skill struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Triggers    []string `json:"triggers"`
	Path        string   `json:"path"`
	File        string   `json:"file_path"`
	Root        string   `json:"root"`
	Scope       string   `json:"scope"`
	Installed   bool     `json:"installed"`
	Deprecated  bool     `json:"deprecated"`
}

// Root is a folder of skills.
type Root struct {
	Root       string `json:"root"`
	Path       string `json:"path"`
	Scope      string `json:"scope"`
	Present    bool   `json:"present"`
	Deprecated bool   `json:"deprecated"`
	Skills     *int   `json:"skill_count,omitempty"`
	Commands   *int   `json:"command_count,omitempty"`
}

// skillRoots returns the folders in which agent programs keep skills of a project and of its user.
func skillRoots(project, home string) []Root {
	var list []Root
	for _, name := range [...]string{".claude/skills", ".agents/skills", ".cursor/skills", ".github/skills", ".codex/skills"} {
		list = append(list, Root{Root: name, Path: filepath.Join(project, filepath.FromSlash(name)), Scope: "project"})
	}
	if home == "" {
		return list
	}
	in := func(name string) string { return filepath.Join(home, filepath.FromSlash(name)) }
	return append(list,
		Root{Root: "~/.claude/skills", Path: in(".claude/skills"), Scope: "global"},
		Root{Root: "~/.codex/skills", Path: in(".codex/skills"), Scope: "global"},
		Root{Root: ".claude/get-shit-done/skills", Path: in(".claude/get-shit-done/skills"), Scope: "import-only", Deprecated: true},
		Root{Root: ".claude/commands/gsd", Path: in(".claude/commands/gsd"), Scope: "legacy-commands", Deprecated: true},
	)
}

func runManifest(ctx context.Context, c *planop.Call, in *skillManifestInput) (Manifest, error) {
	project, err := c.Project()
	if err != nil {
		return Manifest{}, err
	}
	roots := skillRoots(project, c.Home)
	if dir := in.SkillsDir; dir != "" {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(c.Dir, dir)
		}
		roots = []Root{{Root: dir, Path: dir, Scope: "custom"}}
	}
	m := newManifest(roots)
	if !in.Write {
		return m, nil
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return Manifest{}, err
	}
	_, err = c.ChangeWhole(ctx, "list the skills", func(change.Read) ([]change.File, error) {
		return []change.File{{Name: "skill-manifest.json", Text: new(string(text) + "\n")}}, nil
	})
	return m, err
}

// List returns the skills of a project, and of its user if there is a home folder.
func List(project, home string) Manifest { return newManifest(skillRoots(project, home)) }

func newManifest(roots []Root) Manifest {
	m := Manifest{Skills: []Skill{}, Roots: []Root{}}
	for _, r := range roots {
		m.addRoot(r)
	}
	slices.SortStableFunc(m.Skills, func(a, b Skill) int {
		if n := strings.Compare(a.Root, b.Root); n != 0 {
			return n
		}
		return strings.Compare(a.Name, b.Name)
	})
	m.Installation.Skills = slices.ContainsFunc(m.Skills, func(s Skill) bool { return strings.HasPrefix(s.Name, "gsd-") })
	m.Counts.Skills, m.Counts.Roots = len(m.Skills), len(m.Roots)
	return m
}

// addRoot adds a folder and its skills to the manifest. A folder that cannot be read has no skills.
func (m *Manifest) addRoot(r Root) {
	defer func() { m.Roots = append(m.Roots, r) }()
	if st, err := os.Stat(r.Path); err != nil || !st.IsDir() {
		return
	}
	r.Present = true
	root, err := os.OpenRoot(r.Path)
	if err != nil {
		return
	}
	defer root.Close()
	entries := readEntries(root)
	n := 0
	if r.Scope == "legacy-commands" {
		for _, e := range entries {
			if e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".md") {
				n++
			}
		}
		r.Commands = &n
		m.Installation.Commands = n > 0
		return
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		text, err := readFileIn(root, path.Join(e.Name(), "SKILL.md"), maxSkill)
		if err != nil {
			continue
		}
		m.Skills = append(m.Skills, newSkill(text, e.Name(), r))
		n++
	}
	r.Skills = &n
}

func newSkill(text, dir string, r Root) Skill {
	d := document.Parse(text)
	s := Skill{
		Name: d.FrontMatter().Get("name").Text(), Description: d.FrontMatter().Get("description").Text(), Triggers: []string{}, Path: dir, File: dir + "/SKILL.md",
		Root: r.Root, Scope: r.Scope, Installed: r.Scope != "import-only", Deprecated: r.Deprecated,
	}
	if s.Name == "" {
		s.Name = dir
	}
	body := d.Body()
	for line := body.From; line < body.To; line++ {
		const mark = "trigger when:"
		if l := strings.TrimSpace(d.Line(line)); len(l) > len(mark) && strings.EqualFold(l[:len(mark)], mark) {
			s.Triggers = append(s.Triggers, strings.TrimSpace(l[len(mark):]))
		}
	}
	return s
}

// readEntries returns the entries of a folder, sorted by name. Names that contain a line break are left out.
func readEntries(root *os.Root) []fs.DirEntry {
	d, err := root.Open(".")
	if err != nil {
		return nil
	}
	defer d.Close()
	list, _ := d.ReadDir(maxDirs) // as far as it can be read
	list = slices.DeleteFunc(list, func(e fs.DirEntry) bool { return strings.IndexFunc(e.Name(), unicode.IsControl) >= 0 })
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list
}

// readFileIn reads a regular file below root, which must have at most the given number of bytes.
func readFileIn(root *os.Root, name string, most int64) (string, error) {
	text, err := statefile.ReadIn(root, filepath.FromSlash(name), most)
	if errors.Is(err, statefile.ErrNotRegular) || errors.As(err, new(*statefile.SizeError)) {
		err = &folder.Error{File: name, Err: err}
	}
	return string(text), err
}
