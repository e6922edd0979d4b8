package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ken/bench/world"
)

// turnScope is the only turn of a session that shows the effect of an installation.
const turnScope = "scope"

// installScope is one way to install ken, or several at once.
type installScope struct {
	name    string
	install [][]string // arguments of `ken install claude`
	args    []string   // of the client
	skill   string     // how the client lists ken's skill, "" if it should not be there
	dir     string     // of the project, in which the client starts
	silent  bool       // the client does not call ken
}

// tryScopes checks that each session begins with ken's text exactly once, however ken was
// installed, and without it where ken was not installed or is not called.
func (w *stage) tryScopes(ctx context.Context) error {
	plugin := filepath.Join(w.home, "plugin")
	for _, s := range []installScope{
		{name: "not installed"},
		{name: "for the project", install: [][]string{{"--project"}}, skill: "- ken-query: "},
		{name: "for the user", install: [][]string{{"--user"}}, skill: "- ken-query: "},
		{name: "for the project by its name and for the user by its path", install: [][]string{{"--project"}, {"--user"}}, skill: "- ken-query: "},
		{name: "for oneself, begun in a folder of the project", install: [][]string{{"--local"}}, skill: "- ken-query: ", dir: "words"},
		// The client looks for a project's settings only where it is started.
		{name: "for the project, begun in a folder of it", install: [][]string{{"--project"}}, skill: "- ken-query: ", dir: "words", silent: true},
		{name: "as a plugin", install: [][]string{{"--plugin", plugin}}, args: []string{"--plugin-dir", plugin}, skill: "- ken:query: "},
	} {
		if err := w.tryScope(ctx, &s); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

func (w *stage) tryScope(ctx context.Context, s *installScope) error {
	fmt.Println(s.name)
	before, err := w.settingsFiles()
	if err != nil {
		return err
	}
	for _, args := range s.install {
		if _, err := w.runCommand("ken", append([]string{"install", "claude", "--yes"}, args...)...); err != nil {
			return err
		}
	}
	if err := w.scopeSession(ctx, s); err != nil {
		return err
	}
	for _, args := range s.install {
		if _, err := w.runCommand("ken", append([]string{"uninstall", "claude", "--yes"}, args...)...); err != nil {
			return err
		}
	}
	after, err := w.settingsFiles()
	if err != nil {
		return err
	}
	w.checkThat(len(differingPaths(before, after)) == 0, "taken out, nothing is left: %v", differingPaths(before, after))
	return nil
}

// scopeSession runs a session and checks its only request.
func (w *stage) scopeSession(ctx context.Context, s *installScope) error {
	seen := len(w.model.requestsSoFar())
	w.sessions++
	c := w.client
	c.Dir = w.absolutePath(s.dir)
	id, err := c.RunSession(ctx, s.args, turnMark(turnScope)+" Edit the word.")
	if err != nil {
		return err
	}
	requests := w.model.requestsSoFar()[seen:]
	if len(requests) == 0 {
		return fmt.Errorf("no request")
	}
	first, all := string(requests[0].Raw), string(requests[len(requests)-1].Raw)
	want := 1
	if len(s.install) == 0 || s.silent {
		want = 0
	}
	w.checkThat(strings.Count(first, blockEnd) == want, "what the project is comes %d times, is to come %d times", strings.Count(first, blockEnd), want)
	gone := strings.Count(all, "`Later` is gone from")
	w.checkThat(gone == want, "the removed declaration is warned of %d times, is to be %d times", gone, want)
	if s.skill != "" {
		w.checkContains(requests[0].allText(), "the skill is listed", s.skill)
	} else {
		w.checkWithout(requests[0].allText(), "no skill is listed", "ken-query")
	}
	if want == 0 {
		w.checkThat(w.lastSession().ID != id, "the session is not remembered")
		return nil
	}
	r := w.lastSession()
	w.checkThat(r.ID == id && r.Ended && r.Prompts == 1, "the session is remembered with one prompt, and its end")
	return nil
}

// scopeSteps returns the steps of such a session: the model removes a declaration that is used.
func (w *stage) scopeSteps() []modelStep {
	return []modelStep{
		{uses: []toolUse{w.readUse("words/later.go")}, check: func(*request) {
			w.writeFile("words/use.go", "package words\n\n// Soon is Later.\nconst Soon = Later\n")
		}},
		{uses: []toolUse{w.bashUse("ken index")}},
		{uses: []toolUse{w.editUse("words/later.go", later, "")}},
		{text: "Removed."},
	}
}

// settingsFiles returns the files of the project and of the client's settings folder, but for those
// that the client itself keeps there.
func (w *stage) settingsFiles() (map[string]string, error) {
	w.writeFile("words/later.go", "package words\n\n"+later)
	os.Remove(w.absolutePath("words/use.go"))
	out, err := snapshot(w.project)
	if err != nil {
		return nil, err
	}
	user := filepath.Join(w.home, ".claude")
	for _, name := range []string{"settings.json", "CLAUDE.md"} {
		data, err := os.ReadFile(filepath.Join(user, name))
		out["user "+name] = fmt.Sprint(string(data), err)
	}
	skills, err := os.ReadDir(filepath.Join(user, "skills"))
	out["user skills"] = fmt.Sprint(skills, err)
	entries, err := os.ReadDir(filepath.Join(w.home, "plugin"))
	out["plugin"] = fmt.Sprint(entries, err)
	return out, nil
}

// writeFile writes a file of the project.
func (w *stage) writeFile(name, text string) {
	if err := world.WriteFiles(w.project, map[string]string{name: text}); err != nil {
		w.checkThat(false, "%v", err)
	}
}
