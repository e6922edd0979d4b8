package profile

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/skills"
)

// Instructions is the result of writing the instruction file of agents, CLAUDE.md.
type Instructions struct {
	Path      string   `json:"claude_md_path"`
	Action    string   `json:"action"`
	Generated []string `json:"sections_generated"`
	Fallback  []string `json:"sections_fallback"`
	Skipped   []string `json:"sections_skipped"`
	Total     int      `json:"sections_total"`
	Profile   string   `json:"profile_status"` // placeholder_added, exists, already_present
	Message   string   `json:"message"`
}

// madeSection is a section for the instruction file, and whether the file from which it is made exists.
type madeSection struct {
	section
	known bool
}

func writeClaudeMD(_ context.Context, c *planop.Call, in *generateClaudeMdInput) (Instructions, error) {
	f, err := c.Folder()
	if err != nil {
		return Instructions{}, err
	}
	t, err := findTarget(c, in.Output, instructionsFile(c))
	if err != nil {
		return Instructions{}, err
	}
	a := Instructions{Path: t.path, Action: "created", Generated: []string{}, Fallback: []string{}, Skipped: []string{}, Profile: "exists"}
	text := ""
	if t.text != nil {
		text, a.Action = *t.text, "updated"
	}
	for _, m := range makeSections(c, f) {
		a.Total++
		switch {
		case in.Auto && m.isEdited(text):
			a.Skipped = append(a.Skipped, m.name)
			continue
		case m.known:
			a.Generated = append(a.Generated, m.name)
		default:
			a.Fallback = append(a.Fallback, m.name)
		}
		text = m.putInto(text)
	}
	placeholder := section{name: "profile", body: "## Developer Profile\n\n> Nothing is known yet; generate-claude-profile writes it here."}
	if _, _, _, ok := placeholder.findIn(text); !ok {
		if a.Profile = "already_present"; !in.Auto || a.Action == "created" {
			a.Profile, text = "placeholder_added", placeholder.putInto(text)
		}
	}
	a.Message = fmt.Sprintf("Generated %d/%d sections.", len(a.Generated), a.Total)
	if len(a.Fallback) > 0 {
		a.Message += " Fallback: " + strings.Join(a.Fallback, ", ") + "."
	}
	if len(a.Skipped) > 0 {
		a.Message += " Left as somebody edited them: " + strings.Join(a.Skipped, ", ") + "."
	}
	return a, t.write(c, text)
}

// makeSections returns the sections that are made from files of the planning folder.
func makeSections(c *planop.Call, f *folder.Folder) []madeSection {
	const commands = "Before files are changed, look at what is planned: `ken plan` shows where the work is and what comes next.\n\n" +
		"- small fixes: `/gsd-quick`\n- finding causes: `/gsd-debug`\n- planned work: `/gsd-execute-phase`\n\nWork outside of a plan only where the user asks for it."
	return []madeSection{
		projectSection(f),
		codebaseSection(f, "stack", "Technology Stack", "STACK.md", "codebase/STACK.md", "research/STACK.md"),
		codebaseSection(f, "conventions", "Conventions", "CONVENTIONS.md", "codebase/CONVENTIONS.md"),
		codebaseSection(f, "architecture", "Architecture", "ARCHITECTURE.md", "codebase/ARCHITECTURE.md"),
		skillsSection(c),
		{section{"workflow", "GSD defaults", "## GSD Workflow Enforcement\n\n" + commands}, true},
	}
}

func projectSection(f *folder.Folder) madeSection {
	m := madeSection{section: section{name: "project", source: "PROJECT.md"}}
	var parts []string
	if text, err := f.ReadRoot("PROJECT.md"); err == nil {
		d := document.Parse(text)
		for _, h := range d.Headings() {
			if h.Level == 1 {
				parts = append(parts, "**"+h.Text.Text(text)+"**")
				break
			}
		}
		for _, p := range [...]struct{ name, before string }{{"What This Is", ""}, {"Core Value", "**Core Value:** "}, {"Constraints", "### Constraints\n\n"}} {
			if h, ok := d.FindHeading(d.Body(), p.name); ok {
				if body := strings.TrimSpace(d.BytesOf(d.OwnLines(h)).Text(text)); body != "" {
					parts = append(parts, p.before+body)
				}
			}
		}
	}
	if m.known = len(parts) > 0; !m.known {
		parts = []string{"The project is not described yet, in .planning/PROJECT.md."}
	}
	m.body = "## Project\n\n" + withoutMarks(strings.Join(parts, "\n\n"))
	return m
}

// codebaseSection returns a section with the headings, lists and tables of documents about the code.
func codebaseSection(f *folder.Folder, name, heading, source string, files ...string) madeSection {
	m := madeSection{section: section{name: name, source: source, body: "## " + heading + "\n\nNothing is written down yet, in .planning/" + files[0] + "."}}
	for _, file := range files {
		text, err := f.ReadRoot(file)
		if err != nil || strings.TrimSpace(text) == "" {
			continue
		}
		if len(files) > 1 {
			m.source = file
		}
		var lines []string
		for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
			switch {
			case strings.HasPrefix(line, "# "), strings.HasPrefix(line, "---"):
			case strings.HasPrefix(line, "#"), strings.HasPrefix(line, "- "), strings.HasPrefix(line, "* "), strings.HasPrefix(line, "|"):
				lines = append(lines, line)
			}
		}
		body := strings.Join(lines, "\n")
		if body == "" {
			body = strings.TrimSpace(text)
		}
		m.body, m.known = "## "+heading+"\n\n"+withoutMarks(body), true
		break
	}
	return m
}

// withoutMarks removes the marks of sections from a text. A mark in the text would end the section that contains the text.
func withoutMarks(text string) string { return strings.ReplaceAll(text, "<!-- GSD:", "<!-- ") }

func skillsSection(c *planop.Call) madeSection {
	m := madeSection{section: section{name: "skills", source: "skills/"}}
	body := "No skill of the project was found. Each has a folder with a `SKILL.md` in `.claude/skills/` or `.agents/skills/`."
	if project, err := c.Project(); err == nil {
		var rows, seen []string
		for _, s := range skills.List(project, "").Skills {
			if strings.HasPrefix(s.Path, "gsd-") || slices.Contains(seen, s.Name) {
				continue
			}
			seen = append(seen, s.Name)
			rows = append(rows, fmt.Sprintf("| %s | %s | `%s/%s` |", tableCell(s.Name), tableCell(s.Description), s.Root, s.File))
		}
		if m.known = len(rows) > 0; m.known {
			body = "| Skill | Description | Path |\n|---|---|---|\n" + strings.Join(rows, "\n")
		}
	}
	m.body = "## Project Skills\n\n" + withoutMarks(body)
	return m
}

func tableCell(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", `\|`)
}
