package profile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/statefile"
	"ken/internal/workflow/plan/argument"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
)

// target is a file written outside the planning folder.
type target struct {
	path string
	text *string // the present text, or nil
	mode fs.FileMode
}

// findTarget returns the file that the flag --output names, or without the flag the file otherwise. It fails unless the file, and the
// target of a link, is in the project or in the user's folder of agents, because the name may come from a file of the repository.
func findTarget(c *planop.Call, output, otherwise string) (*target, error) {
	project, err := c.Project()
	if err != nil {
		return nil, err
	}
	name := otherwise
	if output != "" {
		name = output
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(project, filepath.FromSlash(name))
	}
	at, err := argument.CheckPath(project, name)
	if err != nil && c.Home != "" {
		at, err = checkAgentPath(c.Home, name)
	}
	if err != nil {
		return nil, planop.Faultf("path_outside", "it is written only in the project or in ~/.claude: %s", err)
	}
	if strings.Contains(filepath.ToSlash(at)+"/", "/.git/") {
		return nil, planop.Faultf("path_outside", "nothing is written into .git")
	}
	t := &target{path: at, mode: 0o644}
	st, err := os.Stat(at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return t, nil
	case err != nil:
		return nil, err
	}
	text, err := statefile.ReadFollow(at, folder.MaxBytes)
	if err != nil {
		return nil, err
	}
	t.text, t.mode = new(string(text)), st.Mode().Perm()
	return t, nil
}

// checkAgentPath returns the path of a file below the user's folder of agents, which need not be there. It fails as argument.CheckPath
// does.
func checkAgentPath(home, name string) (string, error) {
	agents := filepath.Join(home, ".claude")
	at, err := argument.CheckPath(agents, name)
	if !errors.Is(err, fs.ErrNotExist) {
		return at, err
	}
	if at, err = argument.CheckPath(home, name); err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(home)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(filepath.Join(real, ".claude"), at)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("the path %.80q leads out of %s", name, agents)
	}
	return at, nil
}

// write replaces the file as a whole. It does nothing if the file has the text already, or if the call is a dry run.
func (t *target) write(c *planop.Call, text string) error {
	if c.DryRun || t.text != nil && *t.text == text {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(t.path), 0o755); err != nil {
		return err
	}
	if err := statefile.Replace(t.path, []byte(text), statefile.Options{Perm: t.mode, Sync: true}); err != nil {
		return fmt.Errorf("write %s: %w", t.path, err)
	}
	return nil
}

// section is a part of a text between two marks.
type section struct{ name, source, body string }

func (s *section) start() string { return "<!-- GSD:" + s.name + "-start" }
func (s *section) end() string   { return "<!-- GSD:" + s.name + "-end -->" }

func (s *section) text() string {
	source := ""
	if s.source != "" {
		source = " source:" + s.source
	}
	return s.start() + source + " -->\n" + s.body + "\n" + s.end()
}

// findIn returns the position of a section in a text, with the text between its marks. One mark without the other is not a section.
func (s *section) findIn(text string) (from, to int, inner string, ok bool) {
	from = strings.Index(text, s.start())
	if from < 0 {
		return 0, 0, "", false
	}
	open := strings.Index(text[from:], "-->")
	to = strings.Index(text[from:], s.end())
	if open < 0 || to < open {
		return 0, 0, "", false
	}
	return from, from + to + len(s.end()), text[from+open+len("-->") : from+to], true
}

// putInto returns text with the section: in the place of the present one, or at the end. All other bytes stay.
func (s *section) putInto(text string) string {
	newline := "\n"
	if strings.Contains(text, "\r\n") {
		newline = "\r\n"
	}
	own := strings.ReplaceAll(s.text(), "\n", newline)
	if from, to, _, ok := s.findIn(text); ok {
		return text[:from] + own + text[to:]
	}
	switch {
	case text == "":
	case strings.HasSuffix(text, newline+newline):
	case strings.HasSuffix(text, newline):
		text += newline
	default:
		text += newline + newline
	}
	return text + own + newline
}

// isEdited reports whether a person changed the section of a text.
func (s *section) isEdited(text string) bool {
	_, _, inner, ok := s.findIn(text)
	return ok && strings.Join(strings.Fields(inner), " ") != strings.Join(strings.Fields(s.body), " ")
}
