package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"ken/bench/loopback"
)

// The names of turns in a terminal.
const (
	turnTyped   = "typed"
	turnCleared = "cleared" // after /clear
)

// ownLine is the output of the user's own status line.
const ownLine = "own status line"

// fullContext is the number of input tokens after which less than 35 % of a context of a
// million is left.
const fullContext = 720_000

func (w *stage) typingSteps() []modelStep {
	return []modelStep{
		{tokens: fullContext, uses: []toolUse{w.bashUse("ken session todo 'polish words'; sleep 2")}, check: func(q *request) {
			w.checkContains(q.allText(), "in a terminal the first request holds what the project is", block, "Last Session", blockEnd)
		}},
		{text: "Typed.", tokens: fullContext, check: func(q *request) {
			w.checkContains(q.newText(), "the agent is warned that little of the context is left", "% of the context is left")
		}},
	}
}

func (w *stage) clearSteps() []modelStep {
	return []modelStep{{text: "Cleared.", check: func(q *request) {
		w.checkContains(q.allText(), "after /clear it is there again, with what was done before", block, "Last Session", "polish words", blockEnd)
	}}}
}

// runInteractive runs the client in a terminal, where it shows a status line.
func (w *stage) runInteractive(ctx context.Context) error {
	fmt.Println("in a terminal")
	settings, err := w.acceptDialogs()
	if err != nil {
		return err
	}
	if _, err := w.runCommand("ken", "install", "claude", "--yes"); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, loopback.MaxSession)
	defer cancel()
	cmd := exec.CommandContext(ctx, w.client.Program, append([]string{"--permission-mode", "default"}, w.client.Args...)...)
	cmd.Dir, cmd.Env = w.project, append(w.client.Env, "TERM=xterm-256color")
	w.sessions++
	t, err := startInTerminal(cmd)
	if err != nil {
		return err
	}
	if err := w.typeSession(t); err != nil {
		return err
	}
	w.checkDoctor()
	if _, err := w.runCommand("ken", "uninstall", "claude", "--yes"); err != nil {
		return err
	}
	now, err := os.ReadFile(filepath.Join(w.home, ".claude", "settings.json"))
	w.checkThat(err == nil && string(now) == settings, "the user's own settings are as before")
	return nil
}

// typeSession types the session in the terminal.
func (w *stage) typeSession(t *terminal) error {
	w.checkThat(t.waitForTexts(ownLine, "│ greet"), "the status line shows the user's own and ken's")
	if err := t.typeLine(turnMark(turnTyped) + " Do something."); err != nil {
		return err
	}
	w.checkThat(t.waitForTexts("Typed.", ownLine, "polish words │ greet", "%"), "and then what is left to do, and how full the context is")
	for _, line := range []string{"/clear", turnMark(turnCleared) + " And now?"} {
		time.Sleep(time.Second)
		if err := t.typeLine(line); err != nil {
			return err
		}
	}
	w.checkThat(t.waitForTexts("Cleared."), "the session goes on after /clear")
	if err := t.typeLine("/exit"); err != nil {
		return err
	}
	err := t.stop()
	if err != nil {
		fmt.Println(indent(t.screen()))
	}
	w.checkThat(w.lastSession().Ended, "the end of the session is remembered")
	return err
}

// checkDoctor compares the report of `ken doctor` with the sessions: all hooks were
// called, and none failed.
func (w *stage) checkDoctor() {
	out, err := w.runCommand("ken", "doctor", "--json")
	var answer struct {
		Problems int
		Hooks    []struct {
			Event, State, Answer string
			Last                 string `json:"last_event"`
		}
		Faults []struct{ What, Line string }
	}
	w.checkThat(err == nil && json.Unmarshal([]byte(out), &answer) == nil && answer.Problems == 0 && len(answer.Hooks) > len(recordedEvents),
		"ken doctor finds no problem in %d hooks", len(answer.Hooks))
	for _, h := range answer.Hooks {
		if h.State != "good" || h.Last == "" {
			w.checkThat(false, "%s is %s, last called %q: %s", h.Event, h.State, h.Last, h.Answer)
		}
	}
	for _, f := range answer.Faults {
		w.checkThat(false, "a hook noted a fault: %s: %s", f.What, f.Line)
	}
	if err != nil {
		fmt.Println(indent(out))
	}
}

// acceptDialogs writes the settings of a client whose user has answered its first questions. It
// also writes the user's own settings, and returns those.
func (w *stage) acceptDialogs() (string, error) {
	key := "not-a-key"
	state, err := json.Marshal(map[string]any{
		"hasCompletedOnboarding": true, "theme": "dark", "customApiKeyResponses": map[string]any{"approved": []string{key}, "rejected": []string{}},
		"projects": map[string]any{w.project: map[string]any{"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true}},
	})
	if err != nil {
		return "", err
	}
	user := filepath.Join(w.home, ".claude")
	if err := os.WriteFile(filepath.Join(user, ".claude.json"), state, 0o600); err != nil {
		return "", err
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	command := strings.Join([]string{self, statusRecorder, filepath.Join(w.keep, recorder)}, " ")
	settings, err := json.Marshal(map[string]any{"statusLine": map[string]any{"type": "command", "command": command}})
	if err != nil {
		return "", err
	}
	return string(settings), os.WriteFile(filepath.Join(user, "settings.json"), settings, 0o600)
}
