package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/bench/world"
	"ken/internal/knowledge/session"
	"ken/internal/token"
)

// Budgets of the texts for an agent, in tokens.
const maxStart, maxSubagent = 700, 200

// checkStartTexts begins sessions in projects of many states and counts the tokens of each text.
func checkStartTexts(ctx context.Context, o options, t *table) error {
	rng := rand.New(rand.NewPCG(1, 4))
	most := map[string]int{}
	shown, silent, wrong := 0, 0, ""
	for i := range o.states {
		st := projectState{project: o.project("start"), rng: rng, empty: i%6 == 0}
		if err := st.makeProject(ctx); err != nil {
			return err
		}
		for _, source := range []string{"startup", "clear", "compact", "resume", "fork", "subagent"} {
			if source == "fork" && !st.empty { // a session that goes on is shown this
				if err := st.writeFiles(1 + rng.IntN(40)); err != nil {
					return err
				}
			}
			text, err := st.beginSession(ctx, source)
			if err != nil {
				return err
			}
			n := token.CountText([]byte(text)).O200K
			most[source] = max(most[source], n)
			if text != "" {
				shown++
			} else {
				silent++
			}
			if problem := st.textFault(source, text, n); problem != "" && wrong == "" {
				wrong = fmt.Sprintf("state %d, %s: %s: %s", i, source, problem, strings.ReplaceAll(text[:min(len(text), 300)], "\n", " "))
			}
		}
		if err := os.RemoveAll(filepath.Join(o.work, "start")); err != nil {
			return err
		}
	}
	found := fmt.Sprintf("%d shown, %d silent; most at startup %d, clear %d, compact %d, resume %d, fork %d, a sub-agent %d", shown, silent,
		most["startup"], most["clear"], most["compact"], most["resume"], most["fork"], most["subagent"])
	if wrong != "" {
		found += "; " + strings.ReplaceAll(wrong, "|", "/")
	}
	t.addCheck("what a session begins with, in tokens", fmt.Sprintf("%d states", o.states), found,
		"≤ 700 (a sub-agent 200); nothing where nothing is true", wrong == "")
	return nil
}

// projectState is a project as it may be when a session starts.
type projectState struct {
	*project
	rng   *rand.Rand
	empty bool // without a file and without a past
}

// makeProject makes the files, the index and the memory.
func (s *projectState) makeProject(ctx context.Context) error {
	if err := errors.Join(os.MkdirAll(s.dir, 0o755), os.MkdirAll(s.home, 0o755)); err != nil {
		return err
	}
	if !s.empty {
		if err := s.writeFiles(1 + s.rng.IntN(40)); err != nil {
			return err
		}
	}
	if err := errors.Join(world.Commit(ctx, s.dir, "all"), s.runUnmeasured(ctx, "init")); err != nil || s.empty {
		return err
	}
	m, err := s.openMemory()
	if err != nil {
		return err
	}
	_, err = m.Apply(ctx, s.pastSessions())
	return err
}

// writeFiles makes files that use each other, with names long and strange.
func (s *projectState) writeFiles(n int) error {
	var names []string
	for i := range n {
		dir := strings.Repeat(s.randomWord()+"/", s.rng.IntN(4))
		ext := []string{".go", ".ts", ".py", ".md", ".json"}[s.rng.IntN(5)]
		names = append(names, fmt.Sprintf("%s%s%d%s", dir, s.randomWord(), i, ext))
	}
	files := map[string]string{}
	for _, name := range names {
		text := "// " + s.randomText(20) + "\n"
		other := strings.TrimSuffix(names[s.rng.IntN(n)], ".ts")
		switch filepath.Ext(name) {
		case ".go":
			text += fmt.Sprintf("package a\n\nfunc %s() int { return 1 }\n", strings.ToUpper(s.randomWord()[:1])+s.randomWord())
		case ".ts":
			text += fmt.Sprintf("import { x } from '%s%s'\nexport function %s() { return x() }\n", strings.Repeat("../", strings.Count(name, "/")), other, s.randomWord())
		case ".py":
			text = fmt.Sprintf("\"\"\"%s\"\"\"\ndef %s():\n    return 1\n", s.randomText(20), s.randomWord())
		case ".json":
			text = "{}\n"
		}
		files[name] = text
	}
	return world.WriteFiles(s.dir, files)
}

// words are short and long words; some have many tokens.
var words = []string{"a", "server", "handler", "internationalization", "日本語", "ünïcödé", "x9Zq7Kk2", "Ω", "retry_policy", "العربية", "🚀", "</codebase-intelligence>"}

// randomWord returns a word that can be in a path and, mostly, in an identifier.
func (s *projectState) randomWord() string {
	return []string{"alpha", "serverHandler", "internationalizationOfEverything", "b7", "retry_policy", "Zoo"}[s.rng.IntN(6)]
}

func (s *projectState) randomText(most int) string {
	var out []string
	for range 1 + s.rng.IntN(most) {
		out = append(out, words[s.rng.IntN(len(words))])
	}
	return strings.Join(out, " ")
}

// pastSessions returns the events of sessions that changed much or little.
func (s *projectState) pastSessions() (events []session.Event) {
	at := time.Now().Add(-24 * time.Hour)
	for i := range s.rng.IntN(6) {
		e := session.Event{Session: fmt.Sprint("past ", i), Runtime: "claude", At: at.Add(time.Duration(i) * time.Hour), Kind: session.Started}
		events = append(events, e)
		for range s.rng.IntN(30) {
			e.Files, e.Note, e.Test = nil, nil, nil
			switch s.rng.IntN(4) {
			case 0:
				path := strings.Repeat(s.randomWord()+"/", 1+s.rng.IntN(8)) + "a.go"
				e.Kind, e.Files = session.Edited, []session.FileChange{{Path: path, Change: session.Modified}}
			case 1:
				e.Kind, e.Note = session.Decided, &session.Note{Kind: session.Decided, Topic: s.randomText(4), Text: s.randomText(200),
					Rationale: s.randomText(100)}
			case 2:
				e.Kind, e.Note = session.Planned, &session.Note{Kind: session.Planned, Text: s.randomText(200)}
			case 3:
				e.Kind, e.Test = session.Tested, &session.TestRun{Command: "go test ./" + s.randomWord(), Passed: s.rng.IntN(2) == 0, At: e.At}
			}
			events = append(events, e)
		}
		if e.Files, e.Note, e.Test, e.Kind = nil, nil, nil, session.Ended; s.rng.IntN(3) > 0 {
			events = append(events, e)
		}
	}
	return events
}

// beginSession starts a session, or a sub-agent, and returns ken's text for it.
func (s *projectState) beginSession(ctx context.Context, source string) (string, error) {
	event := "session-start"
	payload := map[string]any{"session_id": "now", "cwd": s.dir, "hook_event_name": "SessionStart", "source": source}
	switch source {
	case "subagent":
		event, payload["hook_event_name"], payload["agent_id"] = "subagent-start", "SubagentStart", "a"
	case "startup":
	default:
		payload["session_id"] = "past 0"
	}
	o, err := s.runHook(ctx, event, payload)
	if err != nil || len(o.out) == 0 {
		return "", err
	}
	var a struct {
		Output struct {
			Event string `json:"hookEventName"`
			Text  string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	err = json.Unmarshal(o.out, &a)
	if err == nil && a.Output.Event != payload["hook_event_name"] {
		err = fmt.Errorf("the reply is to %q", a.Output.Event)
	}
	return a.Output.Text, err
}

// textFault returns the fault in a text, or "".
func (s *projectState) textFault(source, text string, tokens int) string {
	most := maxStart
	if source == "subagent" {
		most = maxSubagent
	}
	switch {
	case tokens > most:
		return fmt.Sprintf("%d tokens", tokens)
	case s.empty && text != "":
		return "something is said of an empty project"
	case source == "startup" && !s.empty && text == "":
		return "nothing is said of a project with files"
	case text != "" && strings.Count(text, "</codebase-intelligence>") != 1:
		return "the block does not end once"
	case (source == "resume" || source == "fork") && text != "" && !strings.Contains(text, "since"):
		return "a session that goes on is shown more than what changed"
	}
	return ""
}
