package session

import (
	"os"
	"path/filepath"
	"strings"

	"ken/internal/statefile"
)

// Plan is the position of the work on a project, as recorded in its file of state.
type Plan struct {
	Phase  string // "Phase 3: Authentication", or "Phase 3" if it has no name
	Status string // as it is written: "Executing", "planning"
}

// PlanFile is the file of state of a project that is planned, relative to its root.
const PlanFile = ".planning/STATE.md"

// maxPlan is the size of the largest file that is read, in bytes. Usual ones have a hundred lines.
const maxPlan = 256 << 10

// ReadPlan reads the file of state below root; the zero value if there is none or it has no phase. It opens only a regular
// file.
//
// Two forms are in use, often in one file: keys of a front matter (current_phase, current_phase_name, status), and lines of
// the text ("Phase: 3 of 5 (Authentication)" or "**Current Phase:** 3"). Of the text only the lines before the first section
// count and those of the section "Current Position", because older phases are archived in others.
func ReadPlan(root string) Plan {
	path := filepath.Join(root, PlanFile)
	dir, err := os.Lstat(filepath.Dir(path))
	if err != nil || !dir.IsDir() {
		return Plan{}
	}
	text, err := statefile.Read(path, maxPlan)
	if err != nil {
		return Plan{}
	}
	return parsePlan(string(text))
}

func parsePlan(text string) Plan {
	front, body := frontMatter(strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n"))
	body = positionText(body)
	number, name := parsePhase(front["current_phase"])
	if n, ok := front["current_phase_name"]; ok && number != "" && name == "" {
		name = n
	}
	for _, key := range []string{"phase", "current phase"} {
		n, title := parsePhase(fieldValue(body, key))
		if number == "" {
			number, name = n, title
		}
		if name == "" && sameNumber(n, number) {
			name = title
		}
	}
	if name == "" {
		name = fieldValue(body, "current phase name")
	}
	p := Plan{Status: front["status"]}
	if p.Status == "" {
		p.Status = fieldValue(body, "status")
	}
	if number != "" {
		p.Phase = "Phase " + number
		if name = strings.TrimSpace(name); name != "" {
			p.Phase += ": " + name
		}
	}
	return p
}

// frontMatter returns the top-level keys of a text's front matter, and the rest of the text.
func frontMatter(text string) (keys map[string]string, body string) {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return nil, text
	}
	head, body, ok := strings.Cut(rest, "\n---\n")
	if !ok {
		return nil, text
	}
	keys = map[string]string{}
	for line := range strings.Lines(head) {
		key, value, ok := strings.Cut(line, ":")
		if ok && key == strings.TrimSpace(key) {
			keys[key] = strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return keys, body
}

// positionText returns the part of a state file that has the current phase of the work.
func positionText(text string) string {
	var b strings.Builder
	in := true
	for line := range strings.Lines(text) {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			in = strings.EqualFold(strings.TrimSpace(title), "Current Position")
		}
		if in {
			b.WriteString(line)
		}
	}
	return b.String()
}

// fieldValue returns the value of the first line "Name: value" or "**Name:** value".
func fieldValue(text, name string) string {
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(line, ":")
		if ok && strings.EqualFold(strings.Trim(key, " *-"), name) {
			return strings.TrimSpace(strings.TrimLeft(value, "* "))
		}
	}
	return ""
}

// parsePhase parses "3 of 5 (Authentication)", "3 - Authentication" and "03": a number, and a name if it is in parentheses
// or after a dash.
func parsePhase(value string) (number, name string) {
	value = strings.TrimPrefix(value, "Phase ")
	end := strings.IndexFunc(value, func(r rune) bool { return !strings.ContainsRune("0123456789.", r) })
	if end < 0 {
		end = len(value)
	}
	number = strings.TrimSuffix(value[:end], ".")
	if number == "" || strings.Trim(number, ".") == "" {
		return "", ""
	}
	rest := strings.TrimSpace(value[end:])
	if _, inside, ok := strings.Cut(rest, "("); ok {
		name, _, _ = strings.Cut(inside, ")")
		return number, name
	}
	for _, dash := range []string{"- ", "— ", "– ", ": "} {
		if after, ok := strings.CutPrefix(rest, dash); ok {
			return number, after
		}
	}
	return number, ""
}

// sameNumber reports whether two numbers of phases are equal: 03 is 3.
func sameNumber(a, b string) bool {
	return a != "" && strings.TrimLeft(a, "0") == strings.TrimLeft(b, "0")
}

// IsExecuting reports whether a plan is being carried out.
func (p Plan) IsExecuting() bool {
	s := strings.ToLower(p.Status)
	return strings.Contains(s, "execut") || strings.Contains(s, "in progress") || strings.Contains(s, "in_progress")
}
