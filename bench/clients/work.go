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

// block is how the text that ken puts in begins, and blockEnd how it ends.
const (
	block    = "<codebase-intelligence>"
	blockEnd = "</codebase-intelligence>"
)

const decision = "Greetings have a comma behind the first word"

func (w *stage) path(name string) string { return filepath.Join(w.project, filepath.FromSlash(name)) }

func (w *stage) bash(command string) use {
	return use{"Bash", map[string]any{"command": command, "description": "Run a command"}}
}

func (w *stage) edit(name, old, new string) use {
	return use{"Edit", map[string]any{"file_path": w.path(name), "old_string": old, "new_string": new}}
}

func (w *stage) read(name string) use { return use{"Read", map[string]any{"file_path": w.path(name)}} }

// script returns the steps of the model, with a check before each.
func (w *stage) script() script {
	return script{
		turnWork: w.work(), turnHelp: w.help(), turnAgent: w.agent(), turnDecide: w.decide(), turnLater: w.later(),
		turnNext: w.next(), turnResumed: w.resumeSteps(), turnForked: {{text: "Forked."}}, turnScope: w.scope(), turnServer: w.server(), turnGuarded: w.guardedSteps(), turnFramed: w.frameSteps(), turnFree: w.free(), turnSecret: w.secret(), turnAsked: w.askSteps(), turnAnswered: w.checkAnswer(), turnTyped: w.typingSteps(), turnCleared: w.clearSteps(),
	}
}

// fixed is Hello as the test wants it, and another declaration.
var fixed = strings.Replace(hello, "Hello \"", "Hello, \"", 1) + "\n// Greet greets nobody.\nfunc Greet() string { return Hello(\"\") }\n"

func (w *stage) work() []step {
	search := func(pattern string) use { return use{"Grep", map[string]any{"pattern": pattern}} }
	background := w.bash("go test -count=1 ./words")
	background.input["run_in_background"] = true
	return []step{
		{text: "I read the file.", uses: []use{w.read("words/words.go")}, check: func(q *request) {
			w.contains(q.news(), "the first request holds what the project is", "SessionStart hook additional context: "+block, "`words/words.go`", blockEnd)
			w.expect(strings.Count(string(q.Raw), blockEnd) == 1, "it holds that once")
			w.contains(q.news(), "and the rules", "This repository is indexed by ken.", "Answer briefly.")
			w.contains(q.news(), "and the skill", "- ken-query: ")
			w.without(q.news(), "and no last session, because there was none", "Last Session")
		}},
		{uses: []use{search("Hello"), w.bash("grep -rn Bye words main.go")}},
		{uses: []use{search("Hello")}, check: func(q *request) {
			w.contains(q.news(), "a search is answered with where the names are", "function `Hello` is defined at words/words.go:4", "function `Bye` is defined at words/words.go:7")
		}},
		{uses: []use{w.bash("go test ./words")}, check: func(q *request) {
			w.without(q.news(), "the same search is not answered twice", "is defined at")
		}},
		{uses: []use{w.edit("words/words.go", hello, fixed)}, check: func(*request) {
			w.expect(w.testResult("go test ./words") == "failed", "a failed run of tests is remembered as failed")
			w.expect(!w.declares("Greet"), "a declaration is not in the index before it is written")
		}},
		{uses: []use{w.bash("go test ./words")}, check: func(*request) {
			w.expect(w.declares("Greet"), "an edit is in the index before the next turn")
		}},
		{uses: []use{{"Write", map[string]any{"file_path": w.path("words/later.go"), "content": "package words\n\n" + later}}}, check: func(*request) {
			w.expect(w.testResult("go test ./words") == "passed", "a run of tests that passed is remembered as passed")
		}},
		{uses: []use{w.edit("words/words.go", bye, "")}, check: func(*request) {
			w.expect(w.declares("Later"), "a new file is in the index before the next turn")
		}},
		{uses: []use{w.edit("words/words_test.go", "Hello, you", "Hello")}, check: func(q *request) {
			w.contains(q.news(), "a removed declaration that is used is warned of", "PostToolUse:Edit hook additional context: ", "function `Bye` is gone from `words/words.go` and still used: main.go:7")
		}},
		{uses: []use{background}},
		{uses: []use{w.edit("words/words_test.go", "\"Hello\"", "\"Hello, you\"")}, check: func(*request) {
			w.expect(w.testResult("go test -count=1 ./words") == "", "a run of tests in the background has no outcome yet")
		}},
		{text: "The greeting is right."},
	}
}

func (w *stage) help() []step {
	return []step{
		{uses: []use{{"Agent", map[string]any{
			"description": "Look around", "prompt": mark(turnAgent) + " Look around.", "subagent_type": "general-purpose", "run_in_background": false,
		}}}},
		{text: "It looked around.", check: func(q *request) {
			w.contains(q.news(), "the sub-agent answered", "There is a main function.")
			w.expect(w.declares("Farewell"), "an edit of the sub-agent is in the index")
		}},
	}
}

func (w *stage) agent() []step {
	return []step{
		{uses: []use{w.read("main.go")}, check: func(q *request) {
			text := between(q.texts(), block, blockEnd)
			w.contains(q.texts(), "the sub-agent is shown what the project is", "SubagentStart hook additional context: "+block, blockEnd)
			w.expect(text != "" && len(text) < len(w.firstBlock()), "in less than the session")
		}},
		{uses: []use{{"Write", map[string]any{"file_path": w.path("words/farewell.go"), "content": "package words\n\n// Farewell is another word.\nconst Farewell = 1\n"}}}},
		{text: "There is a main function."},
	}
}

// firstBlock returns ken's text at the start of the first session.
func (w *stage) firstBlock() string {
	for _, q := range w.model.received() {
		if q.Turn == turnWork {
			return between(q.texts(), block, blockEnd)
		}
	}
	return ""
}

// between returns the text between two others, or "" if they are not found.
func between(text, begin, end string) string {
	_, text, _ = strings.Cut(text, begin)
	text, _, ok := strings.Cut(text, end)
	if !ok {
		return ""
	}
	return text
}

func (w *stage) decide() []step {
	return []step{
		{uses: []use{w.bash(fmt.Sprintf("ken session decide %q --topic greetings --pin words/words.go && ken session todo 'translate Hello'", decision))}, check: func(*request) {
			w.expect(w.last().Subagents == 1, "one sub-agent is remembered")
		}},
		{text: "Decided.", check: func(*request) {
			notes := w.last().Notes
			w.expect(len(notes) == 2 && notes[0].Text == decision, "the decision belongs to the session")
		}},
	}
}

func (w *stage) later() []step {
	return []step{{text: "I go on.", tokens: noContext, uses: []use{w.bash("true")}, check: func(q *request) {
		w.contains(q.texts(), "after a compaction there is what the project is, and what the session did",
			"SessionStart hook additional context: "+block, "`words/words.go`", decision, "translate Hello", blockEnd)
		w.without(q.texts(), "which is not called the last session", "Last Session")
		w.expect(w.last().Subagents == 1, "a compaction is no sub-agent")
	}}, {text: "There is room again.", check: func(q *request) {
		w.contains(q.texts(), "after a compaction that the client began it is there again", "SessionStart hook additional context: "+block, decision, blockEnd)
	}}}
}

// noContext is the number of input tokens of a reply that makes the client begin a compaction.
const noContext = 985_000

func (w *stage) next() []step {
	return []step{{text: "Hello again.", check: func(q *request) {
		w.contains(q.news(), "the second session is shown what the first did and decided", block, "Last Session",
			"modified words/words.go", "go test ./words passed", decision, "translate Hello", blockEnd)
		w.contains(q.news(), "a question in a prompt is answered", "intel-query-result", "words/words.go")
	}}}
}

// token looks like a credential. It is in two parts so that this file holds none.
const token = "ghp" + "_Zk8vQ2mX9pLr4TnWb7Yc1Ds6Fg3Hj5Ka0Le9"

func (w *stage) secret() []step {
	return []step{
		{uses: []use{{"Write", map[string]any{"file_path": w.path("words/token.go"), "content": "package words\n\nconst apiToken = \"" + token + "\"\n"}}}},
		{uses: []use{w.bash("ken session note 'the token is " + token + "'; rm words/token.go")}, check: func(q *request) {
			w.contains(q.news(), "a credential in a file is warned of", "`words/token.go` holds a credential now")
		}},
		{text: "Written down."},
	}
}

// settings turn on the features that are off by default.
const settings = "read_guard: on\nstop_queries: on\n"

func (w *stage) askSteps() []step {
	return []step{
		{uses: []use{w.edit("words/later.go", "Later is", "Later is a word")}},
		{text: "Where is it? <intel_query>Greet</intel_query>", check: func(q *request) {
			w.contains(q.texts(), "the agent is advised of a change to what it has not read", "`words/later.go` was not read in this session before this change")
		}},
	}
}

func (w *stage) checkAnswer() []step {
	return []step{{text: "In words. <intel_query>Greet</intel_query>", check: func(q *request) {
		w.contains(q.news(), "a question in the last message is answered, and the agent goes on", "intel-query-result", "words/words.go")
	}}}
}

func (w *stage) resumeSteps() []step {
	return []step{{text: "I am back.", check: func(q *request) {
		w.contains(q.news(), "a session that goes on is shown what changed while it was away", block, "main.go")
		w.without(q.news(), "and nothing else", "Hotspots")
	}}}
}

// prove installs ken, has the sessions run and takes ken out.
func (w *stage) prove(ctx context.Context) error {
	before, err := snapshot(w.project)
	if err != nil {
		return err
	}
	for _, args := range [][]string{{"init"}, {"install", "claude", "--yes"}} {
		if _, err := w.command("ken", args...); err != nil {
			return err
		}
	}
	installed, err := snapshot(w.project)
	if err != nil {
		return err
	}
	w.expect(len(differences(before, installed)) > 0, "the installation put something in")

	fmt.Println("the first session")
	first, err := w.session(ctx, nil, mark(turnWork)+" Mend the greeting.", mark(turnHelp)+" Have somebody look around.",
		mark(turnDecide)+" Write it down.", "/compact", mark(turnLater)+" Go on.")
	if err != nil {
		return err
	}
	used := w.usedTokens()
	w.expect(w.last().Tokens == used, "what the session and its sub-agent used is remembered: %d tokens of %d", w.last().Tokens, used)
	fmt.Println("the second session")
	query := "<intel_query>\nHello\n</intel_query>"
	prompts := []string{mark(turnNext) + " Is Hello translated? " + query, mark(turnSecret) + " The token is " + token + "."}
	if _, err = w.session(ctx, nil, prompts...); err != nil {
		return err
	}
	w.expect(w.last().Tokens > 0, "what it used is remembered: %d tokens", w.last().Tokens)
	kept, err := w.holding(token)
	if err != nil {
		return err
	}
	w.expect(len(kept) == 0, "the credential is in no file of ken: %v", kept)
	fmt.Println("with guards and questions turned on")
	w.write(".ken/config.yml", settings)
	seen := len(w.model.received())
	if _, err = w.session(ctx, nil, mark(turnAsked)+" Change it."); err != nil {
		return err
	}
	os.Remove(w.path(".ken/config.yml"))
	w.expect(len(w.model.received()) == seen+3, "a second question in a row is not answered")
	fmt.Println("the first session goes on")
	w.write("main.go", "package main\n\nfunc main() {}\n")
	if _, err = w.session(ctx, []string{"--resume", first}, mark(turnResumed)+" Are you there?"); err != nil {
		return err
	}
	if _, err = w.session(ctx, []string{"--resume", first, "--fork-session"}, mark(turnForked)+" Are you there?"); err != nil {
		return err
	}
	if err := w.takeOut(before); err != nil {
		return err
	}
	for _, part := range []func(context.Context) error{w.scopes, w.serverSession, w.guardedSession, w.interactive} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

// usedTokens returns the tokens of all requests but those for a compaction, of which the client keeps no record.
func (w *stage) usedTokens() (n int) {
	for _, q := range w.model.received() {
		if q.Turn != compaction {
			n += q.Tokens
		}
	}
	return n
}

// takeOut uninstalls ken and compares the project with its state before: only the
// changes of the script remain.
func (w *stage) takeOut(before map[string]string) error {
	fmt.Println("taken out")
	if _, err := w.command("ken", "uninstall", "claude", "--yes"); err != nil {
		return err
	}
	after, err := snapshot(w.project)
	if err != nil {
		return err
	}
	written := map[string]bool{"words/words.go": true, "words/words_test.go": true, "words/later.go": true, "words/farewell.go": true, "main.go": true}
	for _, path := range differences(before, after) {
		if !written[filepath.ToSlash(path)] {
			w.expect(false, "%s is as it was before ken was put in", path)
		}
	}
	w.expect(before[".git/info/exclude"] == after[".git/info/exclude"] && before["CLAUDE.local.md"] == after["CLAUDE.local.md"],
		"what ken had written into is byte for byte as before")
	return nil
}

// session runs one session of the client.
func (w *stage) session(ctx context.Context, args []string, prompts ...string) (string, error) {
	w.sessions++
	id, err := w.client.session(ctx, args, prompts...)
	if err == nil {
		last := w.last()
		w.expect(last.ID == id && last.Ended, "the end of the session is remembered")
	}
	return id, err
}
