package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/delivery/memories"
	"ken/internal/engine/source/owner"
	"ken/internal/knowledge/session"
	"ken/internal/store/sqlite/memory"
)

// notesKept is how many notes the project remembers whose prompts are measured.
const notesKept = 10_000

// openMemory is the memory of a project, as ken keeps it.
func (p *project) openMemory() (*memory.Store, error) {
	warned := ""
	place, err := owner.New(p.dir, owner.NewState(p.stateDir()), func(s string) { warned = s }).PlaceWithMemory()
	if err == nil && place.Memory == "" {
		err = fmt.Errorf("%s has no memory: %s", p.dir, warned)
	}
	return memory.NewSealed(place.Memory, place.Print, place.TaskKey), err
}

// seedMemory gives a project sessions of the past, so that a start has some to look through.
func seedMemory(ctx context.Context, p *project) error {
	m, err := p.openMemory()
	if err != nil {
		return err
	}
	var events []session.Event
	at := time.Now().Add(-48 * time.Hour)
	for i := range 40 {
		e := session.Event{Session: fmt.Sprint("past ", i), Runtime: "claude", At: at.Add(time.Duration(i) * time.Minute)}
		for _, kind := range []session.Kind{session.Started, session.Prompted, session.Edited, session.Decided, session.Ended} {
			e.Kind, e.Files, e.Note = kind, nil, nil
			switch kind {
			case session.Edited:
				for k := range 10 {
					e.Files = append(e.Files, session.FileChange{Path: fmt.Sprintf("part00/net/file%d.go", i*7+k), Change: session.Modified})
				}
			case session.Decided:
				e.Note = &session.Note{Kind: kind, Topic: "retries", Text: "the client tries again three times", Rationale: "the server restarts at night"}
			}
			events = append(events, e)
		}
	}
	_, err = m.Apply(ctx, events)
	return err
}

// countPending is how many files differ from the index.
func (p *project) countPending(ctx context.Context) (int, error) {
	o, err := p.runKen(ctx, p.dir, nil, "status", "--json")
	if err != nil {
		return 0, err
	}
	var a struct {
		Pending int `json:"pending"`
	}
	err = json.Unmarshal(o.out, &a)
	return a.Pending, err
}

// randomSentence returns a text of words that a project could be about; some words are in many texts, most in few.
func randomSentence(rng *rand.Rand, words int) string {
	var out []string
	for range words {
		w := strings.ToLower(vocabulary[rng.IntN(len(vocabulary))])
		if rng.IntN(3) > 0 {
			w = fmt.Sprintf("%s%c%c", w, 'a'+rune(rng.IntN(26)), 'a'+rune(rng.IntN(26)))
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

// measurePrompts measures a prompt in a project with many notes beside `ken version`.
func measurePrompts(ctx context.Context, o options, t *table, subjects []*measuredTree) error {
	s := subjects[0]
	m, err := s.openMemory()
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(1, 3))
	kept := notesKept
	if o.short {
		kept = 500
	}
	var texts []string
	var events []session.Event
	for i := range kept {
		text := randomSentence(rng, 12)
		texts = append(texts, text)
		kind := []session.Kind{session.Noted, session.Decided, session.Planned}[i%3]
		events = append(events, session.Event{Kind: kind, Session: "past 1", Runtime: "claude", At: time.Now().Add(-time.Hour),
			Note: &session.Note{Kind: kind, Text: text, Terms: memories.Terms(text)}})
	}
	if _, err := m.Apply(ctx, events); err != nil {
		return err
	}
	prompted := func(name, text string, says func(int, string) error, prompt func(run int) string) measuredCommand {
		return measuredCommand{name: name, p: s.project, args: []string{"hook", "claude", "user-prompt-submit"}, says: says,
			payload: func(run int) map[string]any {
				more := map[string]any{"prompt_id": fmt.Sprint(name, run), "prompt": text + prompt(run)}
				return s.payload(fmt.Sprint(name, run), "UserPromptSubmit", more)
			}}
	}
	long := strings.Repeat(randomSentence(rng, 40)+"\n", 50)
	measured, err := runInTurns(ctx, 6, o.runs, []measuredCommand{
		{name: "version", p: s.project, args: []string{"version"}},
		prompted("about a note", "please look at ", mustContain("[INTELLIGENCE]"), func(run int) string { return texts[run*37%len(texts)] }),
		prompted("about nothing known", "please look at the weather of ", mustBeEmpty, func(run int) string { return fmt.Sprint("zzzz", run) }),
		prompted("of 2,000 words", long, nil, func(run int) string { return fmt.Sprint(run) }),
	})
	if err != nil {
		return err
	}
	label := fmt.Sprintf("%s, %d notes", s.label, kept)
	for _, name := range []string{"about a note", "about nothing known", "of 2,000 words"} {
		t.addRatio("user-prompt-submit, "+name, label, "ken version", measured[name], measured["version"], ratioBound{p50: 3})
	}
	return nil
}

// measureOutside measures events where there is no project.
func measureOutside(ctx context.Context, o options, t *table, s *measuredTree) error {
	dir := filepath.Join(s.home, "elsewhere")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	payload := func(event string, more map[string]any) func(int) map[string]any {
		return func(run int) map[string]any {
			p := s.payload("outside", event, more)
			p["cwd"] = dir
			return p
		}
	}
	file := map[string]any{"tool_name": "Edit", "tool_use_id": "1", "tool_input": map[string]any{"file_path": filepath.Join(dir, "a.go"), "new_string": output}}
	things := []measuredCommand{
		{name: "version", p: s.project, dir: dir, args: []string{"version"}},
		{name: "post-tool-use", p: s.project, dir: dir, args: []string{"hook", "claude", "post-tool-use"}, says: mustBeEmpty, payload: payload("PostToolUse", file)},
		{name: "session-start", p: s.project, dir: dir, args: []string{"hook", "claude", "session-start"}, says: mustBeEmpty,
			payload: payload("SessionStart", map[string]any{"source": "startup"})},
		{name: "user-prompt-submit", p: s.project, dir: dir, args: []string{"hook", "claude", "user-prompt-submit"}, says: mustBeEmpty,
			payload: payload("UserPromptSubmit", map[string]any{"prompt": output})},
	}
	m, err := runInTurns(ctx, 7, o.runs, things)
	if err != nil {
		return err
	}
	for _, th := range things[1:] {
		t.addRatio(th.name+" without a project", "none", "ken version", m[th.name], m["version"], ratioBound{p50: 1.15})
	}
	return nil
}
