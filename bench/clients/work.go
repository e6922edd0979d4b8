package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The names of turns.
const (
	turnWork    = "work"    // reads, searches, edits, tests
	turnHelp    = "help"    // has a sub-agent work
	turnAgent   = "agent"   // of the sub-agent
	turnDecide  = "decide"  // writes a decision down
	turnLater   = "later"   // after the compaction
	turnNext    = "next"    // of the second session
	turnResumed = "resumed" // of the first session, that goes on
	turnForked  = "forked"  // of a copy of it
	turnAsked   = "asked"   // ends with a question to ken
	turnSecret  = "secret"  // has a credential in prompt, file and note
)

// block is the beginning of the text that ken adds to a session, and blockEnd its end.
const (
	block    = "<codebase-intelligence>"
	blockEnd = "</codebase-intelligence>"
)

const decision = "Greetings have a comma behind the first word"

func (w *stage) absolutePath(name string) string {
	return filepath.Join(w.project, filepath.FromSlash(name))
}

func (w *stage) bashUse(command string) toolUse {
	return toolUse{"Bash", map[string]any{"command": command, "description": "Run a command"}}
}

func (w *stage) editUse(name, old, new string) toolUse {
	return toolUse{"Edit", map[string]any{"file_path": w.absolutePath(name), "old_string": old, "new_string": new}}
}

func (w *stage) readUse(name string) toolUse {
	return toolUse{"Read", map[string]any{"file_path": w.absolutePath(name)}}
}

// newScript returns the steps of the model, with a check before each.
func (w *stage) newScript() modelScript {
	return modelScript{
		turnWork: w.workSteps(), turnHelp: w.helperSteps(), turnAgent: w.agentSteps(), turnDecide: w.decideSteps(), turnLater: w.laterSteps(),
		turnNext: w.nextSteps(), turnResumed: w.resumeSteps(), turnForked: {{text: "Forked."}}, turnScope: w.scopeSteps(), turnServer: w.serverSteps(), turnGuarded: w.guardedSteps(), turnFramed: w.frameSteps(), turnFree: w.freeSteps(), turnSecret: w.secretSteps(), turnAsked: w.askSteps(), turnAnswered: w.checkAnswerSteps(), turnTyped: w.typingSteps(), turnCleared: w.clearSteps(),
	}
}

// fixedHello is the source of Hello as the test requires it, with another declaration.
var fixedHello = strings.Replace(hello, "Hello \"", "Hello, \"", 1) + "\n// Greet greets nobody.\nfunc Greet() string { return Hello(\"\") }\n"

func (w *stage) workSteps() []modelStep {
	search := func(pattern string) toolUse { return toolUse{"Grep", map[string]any{"pattern": pattern}} }
	background := w.bashUse("go test -count=1 ./words")
	background.input["run_in_background"] = true
	return []modelStep{
		{text: "I read the file.", uses: []toolUse{w.readUse("words/words.go")}, check: func(q *request) {
			w.checkContains(q.newText(), "the first request holds what the project is", "SessionStart hook additional context: "+block, "`words/words.go`", blockEnd)
			w.checkThat(strings.Count(string(q.Raw), blockEnd) == 1, "it holds that once")
			w.checkContains(q.newText(), "and the rules", "This repository is indexed by ken.", "Answer briefly.")
			w.checkContains(q.newText(), "and the skill", "- ken-query: ")
			w.checkWithout(q.newText(), "and no last session, because there was none", "Last Session")
		}},
		{uses: []toolUse{search("Hello"), w.bashUse("grep -rn Bye words main.go")}},
		{uses: []toolUse{search("Hello")}, check: func(q *request) {
			w.checkContains(q.newText(), "a search is answered with where the names are", "function `Hello` is defined at words/words.go:4", "function `Bye` is defined at words/words.go:7")
		}},
		{uses: []toolUse{w.bashUse("go test ./words")}, check: func(q *request) {
			w.checkWithout(q.newText(), "the same search is not answered twice", "is defined at")
		}},
		{uses: []toolUse{w.editUse("words/words.go", hello, fixedHello)}, check: func(*request) {
			w.checkThat(w.testResult("go test ./words") == "failed", "a failed run of tests is remembered as failed")
			w.checkThat(!w.indexDeclares("Greet"), "a declaration is not in the index before it is written")
		}},
		{uses: []toolUse{w.bashUse("go test ./words")}, check: func(*request) {
			w.checkThat(w.indexDeclares("Greet"), "an edit is in the index before the next turn")
		}},
		{uses: []toolUse{{"Write", map[string]any{"file_path": w.absolutePath("words/later.go"), "content": "package words\n\n" + later}}}, check: func(*request) {
			w.checkThat(w.testResult("go test ./words") == "passed", "a run of tests that passed is remembered as passed")
		}},
		{uses: []toolUse{w.editUse("words/words.go", bye, "")}, check: func(*request) {
			w.checkThat(w.indexDeclares("Later"), "a new file is in the index before the next turn")
		}},
		{uses: []toolUse{w.editUse("words/words_test.go", "Hello, you", "Hello")}, check: func(q *request) {
			w.checkContains(q.newText(), "a removed declaration that is used is warned of", "PostToolUse:Edit hook additional context: ", "function `Bye` is gone from `words/words.go` and still used: main.go:7")
		}},
		{uses: []toolUse{background}},
		{uses: []toolUse{w.editUse("words/words_test.go", "\"Hello\"", "\"Hello, you\"")}, check: func(*request) {
			w.checkThat(w.testResult("go test -count=1 ./words") == "", "a run of tests in the background has no outcome yet")
		}},
		{text: "The greeting is right."},
	}
}

func (w *stage) helperSteps() []modelStep {
	return []modelStep{
		{uses: []toolUse{{"Agent", map[string]any{
			"description": "Look around", "prompt": turnMark(turnAgent) + " Look around.", "subagent_type": "general-purpose", "run_in_background": false,
		}}}},
		{text: "It looked around.", check: func(q *request) {
			w.checkContains(q.newText(), "the sub-agent answered", "There is a main function.")
			w.checkThat(w.indexDeclares("Farewell"), "an edit of the sub-agent is in the index")
		}},
	}
}

func (w *stage) agentSteps() []modelStep {
	return []modelStep{
		{uses: []toolUse{w.readUse("main.go")}, check: func(q *request) {
			text := textBetween(q.allText(), block, blockEnd)
			w.checkContains(q.allText(), "the sub-agent is shown what the project is", "SubagentStart hook additional context: "+block, blockEnd)
			w.checkThat(text != "" && len(text) < len(w.firstBlock()), "in less than the session")
		}},
		{uses: []toolUse{{"Write", map[string]any{"file_path": w.absolutePath("words/farewell.go"), "content": "package words\n\n// Farewell is another word.\nconst Farewell = 1\n"}}}},
		{text: "There is a main function."},
	}
}

// firstBlock returns ken's text at the start of the first session.
func (w *stage) firstBlock() string {
	for _, q := range w.model.requestsSoFar() {
		if q.Turn == turnWork {
			return textBetween(q.allText(), block, blockEnd)
		}
	}
	return ""
}

// textBetween returns the text between two others, or "" if they are not found.
func textBetween(text, begin, end string) string {
	_, text, _ = strings.Cut(text, begin)
	text, _, ok := strings.Cut(text, end)
	if !ok {
		return ""
	}
	return text
}

func (w *stage) decideSteps() []modelStep {
	return []modelStep{
		{uses: []toolUse{w.bashUse(fmt.Sprintf("ken session decide %q --topic greetings --pin words/words.go && ken session todo 'translate Hello'", decision))}, check: func(*request) {
			w.checkThat(w.lastSession().Subagents == 1, "one sub-agent is remembered")
		}},
		{text: "Decided.", check: func(*request) {
			notes := w.lastSession().Notes
			w.checkThat(len(notes) == 2 && notes[0].Text == decision, "the decision belongs to the session")
		}},
	}
}

func (w *stage) laterSteps() []modelStep {
	return []modelStep{{text: "I go on.", tokens: noContext, uses: []toolUse{w.bashUse("true")}, check: func(q *request) {
		w.checkContains(q.allText(), "after a compaction there is what the project is, and what the session did",
			"SessionStart hook additional context: "+block, "`words/words.go`", decision, "translate Hello", blockEnd)
		w.checkWithout(q.allText(), "which is not called the last session", "Last Session")
		w.checkThat(w.lastSession().Subagents == 1, "a compaction is no sub-agent")
	}}, {text: "There is room again.", check: func(q *request) {
		w.checkContains(q.allText(), "after a compaction that the client began it is there again", "SessionStart hook additional context: "+block, decision, blockEnd)
	}}}
}

// noContext is the number of input tokens at which the client begins a compaction.
const noContext = 985_000

func (w *stage) nextSteps() []modelStep {
	return []modelStep{{text: "Hello again.", check: func(q *request) {
		w.checkContains(q.newText(), "the second session is shown what the first did and decided", block, "Last Session",
			"modified words/words.go", "go test ./words passed", decision, "translate Hello", blockEnd)
		w.checkContains(q.newText(), "a question in a prompt is answered", "intel-query-result", "words/words.go")
	}}}
}

// token looks like a credential. It is in two parts so that this file holds none.
const token = "ghp" + "_Zk8vQ2mX9pLr4TnWb7Yc1Ds6Fg3Hj5Ka0Le9"

func (w *stage) secretSteps() []modelStep {
	return []modelStep{
		{uses: []toolUse{{"Write", map[string]any{"file_path": w.absolutePath("words/token.go"), "content": "package words\n\nconst apiToken = \"" + token + "\"\n"}}}},
		{uses: []toolUse{w.bashUse("ken session note 'the token is " + token + "'; rm words/token.go")}, check: func(q *request) {
			w.checkContains(q.newText(), "a credential in a file is warned of", "`words/token.go` holds a credential now")
		}},
		{text: "Written down."},
	}
}

// settings turn on the features that are off by default.
const settings = "read_guard: on\nstop_queries: on\n"

func (w *stage) askSteps() []modelStep {
	return []modelStep{
		{uses: []toolUse{w.editUse("words/later.go", "Later is", "Later is a word")}},
		{text: "Where is it? <intel_query>Greet</intel_query>", check: func(q *request) {
			w.checkContains(q.allText(), "the agent is advised of a change to what it has not read", "`words/later.go` was not read in this session before this change")
		}},
	}
}

func (w *stage) checkAnswerSteps() []modelStep {
	return []modelStep{{text: "In words. <intel_query>Greet</intel_query>", check: func(q *request) {
		w.checkContains(q.newText(), "a question in the last message is answered, and the agent goes on", "intel-query-result", "words/words.go")
	}}}
}

func (w *stage) resumeSteps() []modelStep {
	return []modelStep{{text: "I am back.", check: func(q *request) {
		w.checkContains(q.newText(), "a session that goes on is shown what changed while it was away", block, "main.go")
		w.checkWithout(q.newText(), "and nothing else", "Hotspots")
	}}}
}

// runMainSessions installs ken, runs the sessions and uninstalls ken.
func (w *stage) runMainSessions(ctx context.Context) error {
	before, err := snapshot(w.project)
	if err != nil {
		return err
	}
	for _, args := range [][]string{{"init"}, {"install", "claude", "--yes"}} {
		if _, err := w.runCommand("ken", args...); err != nil {
			return err
		}
	}
	installed, err := snapshot(w.project)
	if err != nil {
		return err
	}
	w.checkThat(len(differingPaths(before, installed)) > 0, "the installation put something in")

	fmt.Println("the first session")
	first, err := w.session(ctx, nil, turnMark(turnWork)+" Mend the greeting.", turnMark(turnHelp)+" Have somebody look around.",
		turnMark(turnDecide)+" Write it down.", "/compact", turnMark(turnLater)+" Go on.")
	if err != nil {
		return err
	}
	used := w.usedTokens()
	w.checkThat(w.lastSession().Tokens == used, "what the session and its sub-agent used is remembered: %d tokens of %d", w.lastSession().Tokens, used)
	fmt.Println("the second session")
	query := "<intel_query>\nHello\n</intel_query>"
	prompts := []string{turnMark(turnNext) + " Is Hello translated? " + query, turnMark(turnSecret) + " The token is " + token + "."}
	if _, err = w.session(ctx, nil, prompts...); err != nil {
		return err
	}
	w.checkThat(w.lastSession().Tokens > 0, "what it used is remembered: %d tokens", w.lastSession().Tokens)
	kept, err := w.filesHolding(token)
	if err != nil {
		return err
	}
	w.checkThat(len(kept) == 0, "the credential is in no file of ken: %v", kept)
	fmt.Println("with guards and questions turned on")
	w.writeFile(".ken/config.yml", settings)
	seen := len(w.model.requestsSoFar())
	if _, err = w.session(ctx, nil, turnMark(turnAsked)+" Change it."); err != nil {
		return err
	}
	os.Remove(w.absolutePath(".ken/config.yml"))
	w.checkThat(len(w.model.requestsSoFar()) == seen+3, "a second question in a row is not answered")
	fmt.Println("the first session goes on")
	w.writeFile("main.go", "package main\n\nfunc main() {}\n")
	if _, err = w.session(ctx, []string{"--resume", first}, turnMark(turnResumed)+" Are you there?"); err != nil {
		return err
	}
	if _, err = w.session(ctx, []string{"--resume", first, "--fork-session"}, turnMark(turnForked)+" Are you there?"); err != nil {
		return err
	}
	if err := w.uninstallAndCompare(before); err != nil {
		return err
	}
	for _, part := range []func(context.Context) error{w.tryScopes, w.runServerSession, w.guardedSession, w.runInteractive} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

// usedTokens returns the tokens of all requests but those for a compaction, of which the client keeps no record.
func (w *stage) usedTokens() (n int) {
	for _, q := range w.model.requestsSoFar() {
		if q.Turn != compaction {
			n += q.Tokens
		}
	}
	return n
}

// uninstallAndCompare uninstalls ken and compares the project with its state before: only the
// changes of the script remain.
func (w *stage) uninstallAndCompare(before map[string]string) error {
	fmt.Println("taken out")
	if _, err := w.runCommand("ken", "uninstall", "claude", "--yes"); err != nil {
		return err
	}
	after, err := snapshot(w.project)
	if err != nil {
		return err
	}
	// The line with which ken init hides .ken from git stays with .ken.
	after[".git/info/exclude"] = strings.TrimSuffix(after[".git/info/exclude"], "/.ken/\n")
	written := map[string]bool{"words/words.go": true, "words/words_test.go": true, "words/later.go": true, "words/farewell.go": true, "main.go": true}
	for _, path := range differingPaths(before, after) {
		if !written[filepath.ToSlash(path)] {
			w.checkThat(false, "%s is as it was before ken was put in", path)
		}
	}
	w.checkThat(before[".git/info/exclude"] == after[".git/info/exclude"] && before["CLAUDE.local.md"] == after["CLAUDE.local.md"],
		"what ken had written into is byte for byte as before")
	return nil
}

// session runs one session of the client.
func (w *stage) session(ctx context.Context, args []string, prompts ...string) (string, error) {
	w.sessions++
	id, err := w.client.RunSession(ctx, args, prompts...)
	if err == nil {
		last := w.lastSession()
		w.checkThat(last.ID == id && last.Ended, "the end of the session is remembered")
	}
	return id, err
}
