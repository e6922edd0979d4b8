package main

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

var callText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("\\bken (?:[a-z][^`\n]*)|`ken`") })

// readCalls returns the calls of ken in a text, in their order.
func readCalls(text string) (list []string) {
	for _, c := range callText().FindAllString(text, -1) {
		list = append(list, strings.TrimRight(c, " .,;:"))
	}
	return list
}

var shellWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:'[^']*'|"(?:[^"\\]|\\.)*"|[^\s'"])+`) })

// shellWords returns the words of a command, with their quotes.
func shellWords(command string) []string { return shellWord().FindAllString(command, -1) }

// simpleCommands returns the commands that a line of a shell joins.
func simpleCommands(line string) (list [][]string) {
	var now []string
	for _, w := range shellWords(strings.ReplaceAll(line, "\n", " ; ")) {
		bare := strings.TrimSuffix(w, ";")
		if w == "&&" || w == "||" || w == "|" || bare == "" {
			list, now = append(list, now), nil
			continue
		}
		now = append(now, bare)
		if bare != w {
			list, now = append(list, now), nil
		}
	}
	return append(list, now)
}

// parsedCall is a call of ken in parts.
type parsedCall struct {
	words []string          // without flags and their values
	flags map[string]string // with their values, "" for none
}

func parseCall(words []string) parsedCall {
	p := parsedCall{flags: map[string]string{}}
	for i := 0; i < len(words); i++ {
		w := strings.Trim(words[i], "[]")
		if !strings.HasPrefix(w, "--") {
			p.words = append(p.words, words[i])
			continue
		}
		value := ""
		if i+1 < len(words) && !strings.HasPrefix(strings.Trim(words[i+1], "["), "--") {
			i++
			value = strings.Trim(words[i], "[]")
		}
		if name, v, ok := strings.Cut(w, "="); ok {
			w, value = name, v
		}
		p.flags[w] = value
	}
	return p
}

var literal = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z_-]*$`) })

// allows reports whether a call that was read allows one that is sent: all words but values are the same, and values of a choice are among
// it. A placeholder at the end takes any number of words.
func (p parsedCall) allows(sent parsedCall) bool {
	for i, w := range sent.words {
		switch {
		case i >= len(p.words):
			if last := p.words[len(p.words)-1]; literal().MatchString(last) {
				return false
			}
		case literal().MatchString(p.words[i]) && p.words[i] != w:
			return false
		case strings.Contains(p.words[i], "|") && !slices.Contains(strings.Split(p.words[i], "|"), w):
			return false
		}
	}
	return len(sent.words) >= len(p.words) || !literal().MatchString(p.words[len(sent.words)])
}

// allowsFlag reports whether the flag with its value may be sent.
func (p parsedCall) allowsFlag(name, value string) bool {
	was, ok := p.flags[name]
	choice := strings.Split(was, "|")
	return ok && (len(choice) == 1 || slices.Contains(choice, value))
}

// checkUse holds a use of a tool against what its agent has read: each call of ken, but for its arguments, each path and each script.
func (t *trial) checkUse(a *agent, u use) {
	text := func(key string) string { s, _ := u.input[key].(string); return s }
	switch u.tool {
	case "Bash":
		for _, words := range simpleCommands(text("command")) {
			t.checkCommand(a, words)
		}
		t.note(a, text("command"))
	case "Write", "Edit", "Read":
		t.checkPath(a, text("file_path"))
		t.note(a, u.tool+" "+t.relative(text("file_path")))
	case "Agent":
		line, _, _ := strings.Cut(text("prompt"), "\n")
		if !strings.Contains(a.reads.String(), "agent: "+line) {
			t.notRead("%s: the prompt of an agent was in no text: %s", a.name, line)
		}
		t.note(a, "agent "+text("description"))
	case "Skill":
		if !strings.Contains(a.reads.String(), text("skill")) {
			t.notRead("%s: no text names the skill %s", a.name, text("skill"))
		}
		t.note(a, "skill "+text("skill"))
	default:
		t.fault("%s: tool %s", a.name, u.tool)
	}
}

// notRead is a fault of the model that sent what it had not read.
func (t *trial) notRead(format string, args ...any) {
	t.mu.Lock()
	t.unread++
	t.mu.Unlock()
	t.fault(format, args...)
}

func (t *trial) checkCommand(a *agent, words []string) {
	if len(words) == 0 || words[0] == "echo" && len(words) == 2 {
		return
	}
	t.mu.Lock()
	t.checked++
	t.mu.Unlock()
	if words[0] == "ken" {
		t.checkCall(a, words)
		return
	}
	message := false
	for _, w := range words {
		quoted := strings.ContainsAny(w, `'"`)
		if !message && !quoted && looksLikePath(w) {
			t.checkPath(a, w)
		}
		message = w == "-m"
	}
}

// checkCall finds a call that was read for one that is sent.
func (t *trial) checkCall(a *agent, words []string) {
	sent := parseCall(words)
	missing := map[string]bool{}
	found := false
	for name := range sent.flags {
		missing[name] = true
	}
	for _, c := range readCalls(a.reads.String()) {
		p := parseCall(shellWords(c))
		if !p.allows(sent) {
			continue
		}
		found = true
		for name, value := range sent.flags {
			if p.allowsFlag(name, value) {
				delete(missing, name)
			}
		}
	}
	for name := range missing {
		t.notRead("%s: no text names %s of %s", a.name, name, strings.Join(words, " "))
	}
	if !found {
		t.notRead("%s: no text names the call %s", a.name, strings.Join(words, " "))
	}
}

var fileName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\w./-]*\w\.[a-z]{1,4}$`) })

var planNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`-\d\d-PLAN\.md$`) })

func looksLikePath(w string) bool {
	return !strings.HasPrefix(w, "-") && (strings.Contains(w, "/") || fileName().MatchString(w))
}

// checkPath expects a path in a text that was read: whole, from the root of the project, from that of a work tree, or by its folder and its
// name.
func (t *trial) checkPath(a *agent, name string) {
	t.mu.Lock()
	t.checked++
	t.mu.Unlock()
	all := a.reads.String()
	for _, form := range t.pathForms(name) {
		dir, base := path.Split(form)
		pattern := planNumber().ReplaceAllString(form, "-NN-PLAN.md") // as ken names the plans of a phase together
		parts := dir != "" && strings.Contains(all, strings.TrimSuffix(dir, "/")) && strings.Contains(all, base)
		if parts || strings.Contains(all, form) || strings.Contains(all, pattern) {
			return
		}
	}
	t.notRead("%s: no text names the path %s", a.name, name)
}

// relative returns a path from the root of the project or of a work tree.
func (t *trial) relative(name string) string {
	forms := t.pathForms(name)
	return forms[len(forms)-1]
}

// pathForms returns a path as it is, from the root of the project, and from that of the work tree that it is in.
func (t *trial) pathForms(name string) []string {
	list := []string{name}
	if rel, err := filepath.Rel(t.root, name); filepath.IsAbs(name) && err == nil {
		rel = filepath.ToSlash(rel)
		list = append(list, rel)
		if below, ok := strings.CutPrefix(rel, ".ken/worktrees/"); ok {
			if _, in, ok := strings.Cut(below, "/"); ok {
				list = append(list, in)
			}
		}
	}
	return list
}
