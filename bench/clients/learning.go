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

// pagesWanted is how many files the agent writes pages for: those that deserve it most.
const pagesWanted = 10

// learner has an agent learn a real repository: it writes pages, works, is given a decision that it has not seen, and
// the brief of the next task carries that.
type learner struct {
	stage
	number   int
	files    []string // that deserve a page most
	purposes map[string]string
	target   string // the file that it works on
	session1 string
	began    int // requests before it
}

// realRepositories are folders with the source of repositories that ken's authors did not write: those that are named, else
// two modules that ken itself is built with, so that every machine that builds ken has them.
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

// learning runs the sessions over each repository.
func (w *stage) learning(ctx context.Context, repositories string) error {
	dirs, err := realRepositories(repositories)
	if err != nil {
		return err
	}
	for i, dir := range dirs {
		l := &learner{stage: *w, number: i, purposes: map[string]string{}, began: len(w.model.received())}
		l.project = filepath.Join(w.home, fmt.Sprint("learned", i))
		l.client.dir = l.project
		// The payloads of these sessions are not compared with the test data.
		l.client.args = []string{"--allowedTools", "Bash,Edit,Write,Read,Grep,Glob"}
		began := time.Now()
		fmt.Println("a real repository:", filepath.Base(dir))
		err := l.learn(ctx, dir)
		w.sessions, w.checks, w.faults = l.sessions, l.checks, l.faults
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(dir), err)
		}
		fmt.Printf("%s: %.1f s\n", filepath.Base(dir), time.Since(began).Seconds())
	}
	return nil
}

func (l *learner) turn(name string) string { return fmt.Sprint(name, l.number) }

func (l *learner) learn(ctx context.Context, dir string) error {
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
		if _, err := l.command("ken", args...); err != nil {
			return err
		}
	}
	l.model.add(script{
		l.turn("pages"): l.pages(), l.turn("task"): l.task(), l.turn("given"): l.checkGiven(),
		l.turn("complaint"): {{text: "I am sorry."}}, l.turn("brief"): l.brief(),
	})
	id, err := l.session(ctx, nil, mark(l.turn("pages"))+" Write the pages of the files that deserve it most.",
		mark(l.turn("task"))+" Work on it.", mark(l.turn("given"))+" "+l.goal(), mark(l.turn("complaint"))+" That doesn't work.")
	if err != nil {
		return err
	}
	l.session1 = id
	l.outcomes()
	_, err = l.session(ctx, nil, mark(l.turn("brief"))+" The next task.")
	return err
}

// pages returns the steps in which the agent writes pages: it asks which are missing, reads the derived page of each, and writes one.
func (l *learner) pages() []step {
	return []step{
		{uses: []use{l.bash(fmt.Sprintf("ken entity next --batch %d --json", pagesWanted))}},
		{then: func(q *request) []use {
			l.take(q)
			var uses []use
			for _, f := range l.files {
				uses = append(uses, l.bash("ken entity show '"+f+"'"))
			}
			return uses
		}},
		{then: func(q *request) []use {
			var uses []use
			for _, text := range q.Messages[len(q.Messages)-1].Texts {
				_, derived, ok := strings.Cut(text, "derived page:")
				if !ok {
					continue
				}
				path := field(derived, "path")
				uses = append(uses, l.bash("ken entity put '"+path+"' <<'END_OF_PAGE'\n"+l.page(path, derived)+"END_OF_PAGE"))
			}
			l.expect(len(uses) == pagesWanted, "what is known of %d files is shown, of %d", len(uses), pagesWanted)
			return uses
		}},
		{text: "The pages are written.", check: func(q *request) {
			l.without(q.news(), "no page is refused", "is not written")
			active, others := l.checkWritten()
			l.expect(active == pagesWanted && others == 0, "%d pages are kept and true, %d are not", active, others)
		}},
	}
}

// take reads which files deserve a page most.
func (l *learner) take(q *request) {
	var next struct {
		Files []struct{ Path string }
		Queue struct {
			Pending    int
			InProgress []struct{ Path string } `json:"in_progress"`
		}
	}
	text := q.news()
	_, body, _ := strings.Cut(text, "{")
	if end := strings.LastIndex(body, "}"); end < 0 || json.Unmarshal([]byte("{"+body[:end+1]), &next) != nil {
		l.expect(false, "the files that deserve a page are listed: %.300q", text)
		return
	}
	for _, f := range next.Files {
		l.files = append(l.files, f.Path)
	}
	n := len(next.Queue.InProgress)
	l.expect(len(l.files) == pagesWanted && n == pagesWanted, "%d files are handed out, %d more deserve a page", n, next.Queue.Pending)
	if len(l.files) > 0 {
		l.target = l.files[0]
	}
}

// field is the value of a key of a page's front matter.
func field(page, key string) string {
	for line := range strings.Lines(page) {
		if value, ok := strings.CutPrefix(line, key+": "); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

var linked = regexp.MustCompile(`\[\[[^\[\]\n]+\]\]`)

// page returns the agent's page of a file: a purpose of its own, and the links of the derived page.
func (l *learner) page(path, derived string) string {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	l.purposes[path] = "Exists because other parts of this project need one place for what " + name + " decides"
	kind := field(derived, "type")
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

// checkWritten counts the pages that are kept: those that are true of their file, and the others.
func (l *learner) checkWritten() (active, others int) {
	out, err := l.command("ken", "entity", "list", "--json")
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

// decisionText is a decision of another person while the agent works; goal is the agent's next task, about the same in other words.
func (l *learner) decisionText() string {
	return "Rejected arguments are reported together with the position of the argument and never dropped silently"
}

func (l *learner) goal() string {
	return "Make sure that rejected arguments are reported with their position instead of being dropped."
}

// task returns the steps of the work: the agent reads a file and changes it. Meanwhile another person decides something.
func (l *learner) task() []step {
	return []step{
		{then: func(*request) []use { return []use{l.read(l.target)} }},
		{then: func(*request) []use {
			text, err := os.ReadFile(l.path(l.target))
			l.expect(err == nil, "the file that most depend on is there: %s", l.target)
			comment := map[string]string{".py": "#", ".rb": "#"}[filepath.Ext(l.target)]
			if comment == "" {
				comment = "//"
			}
			changed := string(text) + "\n" + comment + " Arguments are looked at here.\n"
			return []use{{"Write", map[string]any{"file_path": l.path(l.target), "content": changed}}}
		}},
		{text: "Changed.", check: func(*request) {
			l.expect(len(l.last().Files) == 1 && l.last().Files[0].Path == l.target, "the change is remembered")
			_, err := l.command("ken", "session", "decide", l.decisionText(), "--topic", "rejected arguments", "--why", "users lost work",
				"--pin", l.target, "--session", "of a colleague")
			l.expect(err == nil, "another session decides something: %v", err)
		}},
	}
}

// checkGiven checks the turn in which the agent is given the decision.
func (l *learner) checkGiven() []step {
	return []step{{text: "I see.", check: func(q *request) {
		before := 0
		for _, other := range l.model.received()[l.began:] {
			if other != q && strings.Contains(string(other.Raw), l.decisionText()) {
				before++
			}
		}
		l.expect(before == 0, "the agent had not seen the decision before: it was in %d requests", before)
		l.contains(q.news(), "a prompt that is about it brings the decision, with its reason", l.decisionText(), "users lost work")
	}}}
}

// outcomes checks the recorded outcome of the first session.
func (l *learner) outcomes() {
	out, err := l.command("ken", "outcome", "insights", "--session", l.session1, "--json")
	var a struct {
		Session struct {
			Final      string `json:"final_outcome"`
			Point      string `json:"failure_point"`
			Operations []struct{ Name string }
			Shown      []string `json:"shown_files"`
		}
	}
	if err != nil || json.Unmarshal([]byte(out), &a) != nil {
		l.expect(false, "what the session asked and how it turned out is recorded: %v %s", err, out)
		return
	}
	s := &a.Session
	l.expect(s.Final == "failure" && s.Point == "the user: malfunction", "the complaint is recorded as an outcome: %s, %s", s.Final, s.Point)
	l.expect(len(s.Operations) > 0 && s.Operations[0].Name == "entity", "what the agent asked is noted: %v", s.Operations)
	l.expect(len(s.Shown) == 1 && s.Shown[0] == l.target, "the file that it changed had been shown to it: %v", s.Shown)
}

// brief is the next task, in a session of its own.
func (l *learner) brief() []step {
	return []step{
		{then: func(*request) []use {
			return []use{l.bash("ken brief '" + l.goal() + "'"), l.bash("ken show '" + l.target + "'")}
		}},
		{text: "I begin.", check: func(q *request) {
			l.contains(q.news(), "the brief of the next task carries the decision and the reason", l.decisionText(), "users lost work")
			l.contains(q.news(), "what is known of the file has the purpose that was written", l.purposes[l.target])
			l.without(q.news(), "which is not called outdated, because the file is as it was then", "possibly outdated")
		}},
	}
}
