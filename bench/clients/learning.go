package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"ken/bench/world"
)

// pagesWanted is the number of files the agent writes pages for, those most worth it.
const pagesWanted = 10

// learner runs the sessions in which an agent learns a real repository: it writes pages and works, another person
// decides something, and the next session must get that decision.
type learner struct {
	stage
	number   int
	files    []string // that deserve a page most
	purposes map[string]string
	target   string // the file that it works on
	session1 string
	began    int // requests before it
}

// realRepositories returns folders with source that ken's authors did not write: the named ones, else two modules that ken
// itself is built with, because every machine that builds ken has them.
func realRepositories(named string) ([]string, error) {
	if named != "" {
		return strings.Split(named, ","), nil
	}
	var out []string
	for _, module := range []string{"github.com/spf13/cobra", "github.com/santhosh-tekuri/jsonschema/v6"} {
		dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
		if err != nil {
			return nil, fmt.Errorf("find %s: %w", module, err)
		}
		out = append(out, strings.TrimSpace(string(dir)))
	}
	return out, nil
}

// runLearning runs the sessions over each repository.
func (w *stage) runLearning(ctx context.Context, repositories string) error {
	dirs, err := realRepositories(repositories)
	if err != nil {
		return err
	}
	for i, dir := range dirs {
		l := &learner{stage: *w, number: i, purposes: map[string]string{}, began: len(w.model.requestsSoFar())}
		l.project = filepath.Join(w.home, fmt.Sprint("learned", i))
		l.client.Dir = l.project
		// The payloads of these sessions are not compared with the test data.
		l.client.Args = []string{"--allowedTools", "Bash,Edit,Write,Read,Grep,Glob"}
		began := time.Now()
		fmt.Println("a real repository:", filepath.Base(dir))
		err := l.learnRepository(ctx, dir)
		w.sessions, w.checks, w.faults = l.sessions, l.checks, l.faults
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(dir), err)
		}
		fmt.Printf("%s: %.1f s\n", filepath.Base(dir), time.Since(began).Seconds())
	}
	return nil
}

func (l *learner) turnName(name string) string { return fmt.Sprint(name, l.number) }

func (l *learner) learnRepository(ctx context.Context, dir string) error {
	if err := os.CopyFS(l.project, os.DirFS(dir)); err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(l.project, ".git")); err != nil { // its history
		return err
	}
	if err := world.Commit(ctx, l.project, "Begin"); err != nil {
		return err
	}
	for _, args := range [][]string{{"init"}, {"install", "claude", "--yes"}} {
		if _, err := l.runCommand("ken", args...); err != nil {
			return err
		}
	}
	l.model.addTurns(modelScript{
		l.turnName("pages"): l.pageSteps(), l.turnName("task"): l.taskSteps(), l.turnName("given"): l.checkGivenSteps(),
		l.turnName("complaint"): {{text: "I am sorry."}}, l.turnName("brief"): l.briefSteps(),
	})
	id, err := l.session(ctx, nil, turnMark(l.turnName("pages"))+" Write the pages of the files that deserve it most.",
		turnMark(l.turnName("task"))+" Work on it.", turnMark(l.turnName("given"))+" "+l.goalText(), turnMark(l.turnName("complaint"))+" That doesn't work.")
	if err != nil {
		return err
	}
	l.session1 = id
	l.checkOutcomes()
	_, err = l.session(ctx, nil, turnMark(l.turnName("brief"))+" The next task.")
	return err
}

// pageSteps returns the steps in which the agent writes pages: it asks which are missing, reads the derived page of each, and writes one.
func (l *learner) pageSteps() []modelStep {
	return []modelStep{
		{uses: []toolUse{l.bashUse(fmt.Sprintf("ken entity next --batch %d --json", pagesWanted))}},
		{then: func(q *request) []toolUse {
			l.takeWanted(q)
			var uses []toolUse
			for _, f := range l.files {
				uses = append(uses, l.bashUse("ken entity show '"+f+"'"))
			}
			return uses
		}},
		{then: func(q *request) []toolUse {
			var uses []toolUse
			for _, text := range q.Messages[len(q.Messages)-1].Texts {
				_, derived, ok := strings.Cut(text, "derived page:")
				if !ok {
					continue
				}
				path := frontMatterValue(derived, "path")
				uses = append(uses, l.bashUse("ken entity put '"+path+"' <<'END_OF_PAGE'\n"+l.writtenPage(path, derived)+"END_OF_PAGE"))
			}
			l.checkThat(len(uses) == pagesWanted, "what is known of %d files is shown, of %d", len(uses), pagesWanted)
			return uses
		}},
		{text: "The pages are written.", check: func(q *request) {
			l.checkWithout(q.newText(), "no page is refused", "is not written")
			active, others := l.checkWritten()
			l.checkThat(active == pagesWanted && others == 0, "%d pages are kept and true, %d are not", active, others)
		}},
	}
}

// takeWanted reads from an answer which files most deserve a page.
func (l *learner) takeWanted(q *request) {
	var next struct {
		Files []struct{ Path string }
		Queue struct {
			Pending    int
			InProgress []struct{ Path string } `json:"in_progress"`
		}
	}
	text := q.newText()
	_, body, _ := strings.Cut(text, "{")
	if end := strings.LastIndex(body, "}"); end < 0 || json.Unmarshal([]byte("{"+body[:end+1]), &next) != nil {
		l.checkThat(false, "the files that deserve a page are listed: %.300q", text)
		return
	}
	for _, f := range next.Files {
		l.files = append(l.files, f.Path)
	}
	n := len(next.Queue.InProgress)
	l.checkThat(len(l.files) == pagesWanted && n == pagesWanted, "%d files are handed out, %d more deserve a page", n, next.Queue.Pending)
	if len(l.files) > 0 {
		l.target = l.files[0]
	}
}

// frontMatterValue returns the value of a key in a page's front matter.
func frontMatterValue(page, key string) string {
	for line := range strings.Lines(page) {
		if value, ok := strings.CutPrefix(line, key+": "); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

var linked = regexp.MustCompile(`\[\[[^\[\]\n]+\]\]`)

// writtenPage returns the agent's page of a file: a purpose of its own, and the links of the derived page.
func (l *learner) writtenPage(path, derived string) string {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	l.purposes[path] = "Exists because other parts of this project need one place for what " + name + " decides"
	kind := frontMatterValue(derived, "type")
	own, _, _ := strings.Cut(derived, "## Dependents")
	var b strings.Builder
	fmt.Fprintf(&b, "---\ntype: %s\n---\n\n## Purpose\n\n%s.\nWithout it each of them would have to know it on its own.\n", kind, l.purposes[path])
	if links := linked.FindAllString(own, -1); len(links) > 0 {
		b.WriteString("\n## Dependencies\n\n**Internal:**\n")
		for _, link := range links[:min(len(links), 5)] {
			fmt.Fprintf(&b, "- %s\n", link)
		}
	}
	return b.String()
}

// checkWritten counts the pages that were written: those that still fit their file, and the others.
func (l *learner) checkWritten() (active, others int) {
	out, err := l.runCommand("ken", "entity", "list", "--json")
	var list struct {
		Pages []struct{ Status, Author string }
	}
	if err != nil || json.Unmarshal([]byte(out), &list) != nil {
		return 0, -1
	}
	for _, p := range list.Pages {
		if p.Status == "active" && p.Author == "agent" {
			active++
		} else {
			others++
		}
	}
	return active, others
}

// decisionText returns the decision that another person makes while the agent works. goalText is the agent's next task, about the same in
// other words.
func (l *learner) decisionText() string {
	return "Rejected arguments are reported together with the position of the argument and never dropped silently"
}

func (l *learner) goalText() string {
	return "Make sure that rejected arguments are reported with their position instead of being dropped."
}

// taskSteps returns the steps of the work: the agent reads a file and changes it. Meanwhile another person decides something.
func (l *learner) taskSteps() []modelStep {
	return []modelStep{
		{then: func(*request) []toolUse { return []toolUse{l.readUse(l.target)} }},
		{then: func(*request) []toolUse {
			text, err := os.ReadFile(l.absolutePath(l.target))
			l.checkThat(err == nil, "the file that most depend on is there: %s", l.target)
			comment := map[string]string{".py": "#", ".rb": "#"}[filepath.Ext(l.target)]
			if comment == "" {
				comment = "//"
			}
			changed := string(text) + "\n" + comment + " Arguments are looked at here.\n"
			return []toolUse{{"Write", map[string]any{"file_path": l.absolutePath(l.target), "content": changed}}}
		}},
		{text: "Changed.", check: func(*request) {
			l.checkThat(len(l.lastSession().Files) == 1 && l.lastSession().Files[0].Path == l.target, "the change is remembered")
			_, err := l.runCommand("ken", "session", "decide", l.decisionText(), "--topic", "rejected arguments", "--why", "users lost work",
				"--pin", l.target, "--session", "of a colleague")
			l.checkThat(err == nil, "another session decides something: %v", err)
		}},
	}
}

// checkGivenSteps returns the turn that checks that the agent gets the decision.
func (l *learner) checkGivenSteps() []modelStep {
	return []modelStep{{text: "I see.", check: func(q *request) {
		before := 0
		for _, other := range l.model.requestsSoFar()[l.began:] {
			if other != q && strings.Contains(string(other.Raw), l.decisionText()) {
				before++
			}
		}
		l.checkThat(before == 0, "the agent had not seen the decision before: it was in %d requests", before)
		l.checkContains(q.newText(), "a prompt that is about it brings the decision, with its reason", l.decisionText(), "users lost work")
	}}}
}

// checkOutcomes checks the recorded outcome of the first session.
func (l *learner) checkOutcomes() {
	out, err := l.runCommand("ken", "outcome", "insights", "--session", l.session1, "--json")
	var a struct {
		Session struct {
			Final      string `json:"final_outcome"`
			Point      string `json:"failure_point"`
			Operations []struct{ Name string }
			Shown      []string `json:"shown_files"`
		}
	}
	if err != nil || json.Unmarshal([]byte(out), &a) != nil {
		l.checkThat(false, "what the session asked and how it turned out is recorded: %v %s", err, out)
		return
	}
	s := &a.Session
	l.checkThat(s.Final == "failure" && s.Point == "the user: malfunction", "the complaint is recorded as an outcome: %s, %s", s.Final, s.Point)
	l.checkThat(len(s.Operations) > 0 && s.Operations[0].Name == "entity", "what the agent asked is noted: %v", s.Operations)
	l.checkThat(len(s.Shown) == 1 && s.Shown[0] == l.target, "the file that it changed had been shown to it: %v", s.Shown)
}

// briefSteps returns the next task, in a session of its own.
func (l *learner) briefSteps() []modelStep {
	return []modelStep{
		{then: func(*request) []toolUse {
			return []toolUse{l.bashUse("ken brief '" + l.goalText() + "'"), l.bashUse("ken show '" + l.target + "'")}
		}},
		{text: "I begin.", check: func(q *request) {
			l.checkContains(q.newText(), "the brief of the next task carries the decision and the reason", l.decisionText(), "users lost work")
			l.checkContains(q.newText(), "what is known of the file has the purpose that was written", l.purposes[l.target])
			l.checkWithout(q.newText(), "which is not called outdated, because the file is as it was then", "possibly outdated")
		}},
	}
}
