// Package skills has the texts that ken adds to a runtime of agents: its skills, and the rules that are read in each session. They are the
// same for all runtimes. Its neighbours agent/claude and agent/integration put them where a runtime looks for them.
package skills

import (
	"slices"
	"strings"
)

// Skill is a skill to install. Every command in its text exists: a test runs them with --help.
type Skill struct{ Name, Text string }

// queryName is the name of the skill in the rules.
const queryName = "ken-query"

// All returns the skills. These are all names of ken that a client lists in each session.
func All() []Skill {
	return []Skill{
		{"ken-plan", planText}, {"ken-do", doText}, {"ken-code", codeText}, {queryName, queryText}, {"ken-remember", rememberText}, {"ken-sync", syncText},
	}
}

// queryText is the text of the skill for questions about the code.
const queryText = `---
name: ken-query
description: Answers questions about this codebase - where a name is defined, who uses it, what a change concerns, what a file is for, where to begin. For use before searching with grep or reading whole files.
---

# Questions and the commands that answer them

ken is a command line. Its index is checked against the working tree before each answer, so answers are of the files as they are now.

| question | command |
|---|---|
| what is there to know before work on a goal | ` + "`ken brief GOAL`" + ` |
| which code is about something | ` + "`ken find QUERY`" + ` |
| how is the repository built up | ` + "`ken overview`, `ken map`" + ` |
| what does a file declare | ` + "`ken outline FILE`" + ` |
| what is a file or symbol, in short | ` + "`ken show FILE`, `ken show SYMBOL`" + ` |
| where is a name defined | ` + "`ken def NAME`" + ` |
| who uses it | ` + "`ken refs NAME`" + ` |
| who calls it, and what it calls | ` + "`ken callers NAME`, `ken callees NAME`" + ` |
| what implements or overrides it | ` + "`ken implementers NAME`" + ` |
| what does a file import, and what depends on it | ` + "`ken deps FILE`, `ken dependents FILE`" + ` |
| what does a change concern, and which tests | ` + "`ken impact FILE`, `ken impact --diff`" + ` |
| lines that match an expression | ` + "`ken grep REGEX`" + ` |
| declarations of a certain shape | ` + "`ken pattern --signature REGEX`" + ` |
| every place that a rename touches, as a patch | ` + "`ken rename OLD NEW`" + ` |
| source of chosen files within a budget of tokens | ` + "`ken pack --budget 8000 FILE`" + ` |
| which rules and which design hold here | ` + "`ken context`" + ` |
| how is a new file written here | ` + "`ken conventions FILE`" + ` |
| what does a word of the team mean | ` + "`ken agreement list TEXT`" + ` |
| what was decided, noted and learned of something before | ` + "`ken recall TEXT`" + ` |
| what most of the code depends on | ` + "`ken hotspots`" + ` |

- Names are narrowed by what they belong to: ` + "`Type.method`, `pkg.Name`, `path/file.go:Name`" + `.
- ` + "`--json`" + ` gives one JSON object; ` + "`--help`" + ` of each command lists what it takes.
- Exit status: 0 found, 1 nothing found, 2 could not be done. "Not found" and "not indexed" are different answers, and the message says which it is.
- The confidence of a reference is part of its row: what is bound by its name alone is marked.
`

// Chosen returns all skills, or for core the one for questions alone.
func Chosen(core bool) []Skill {
	all := All()
	if core {
		return slices.DeleteFunc(all, func(k Skill) bool { return k.Name != queryName })
	}
	return all
}

// PluginForm returns the form that a skill has in a plugin named ken, which puts its own name before those of its skills: /ken:code.
func (k Skill) PluginForm() Skill {
	text := k.Text
	for _, other := range All() {
		short := strings.TrimPrefix(other.Name, "ken-")
		text = strings.Replace(text, "\nname: "+other.Name+"\n", "\nname: "+short+"\n", 1)
		text = strings.ReplaceAll(text, "skill "+other.Name, "skill ken:"+short)
	}
	return Skill{strings.TrimPrefix(k.Name, "ken-"), text}
}

// Called returns the text of a skill for a shell that calls ken by another name.
func (k Skill) Called(shell string) string {
	if hint := programHint(shell); hint != "" {
		return k.Text + "- " + hint + "\n"
	}
	return k.Text
}

// The lines around ken's part of a file of rules. Runtimes that read Markdown take them for comments.
const (
	RulesBegin = "<!-- ken:begin -->"
	RulesEnd   = "<!-- ken:end -->"
)

// rulesText describes ken in statements of fact, because instructions in a file that a tool wrote look like an injected prompt. It is
// read in every session, so it is short.
const rulesText = `This repository is indexed by ken. Its answers are of the files as they are now:
- ` + "`ken brief GOAL`" + `: what to know before work on a goal
- ` + "`ken find QUERY`" + `: code by words, ranked
- ` + "`ken def NAME`, `ken refs NAME`" + `: where a name is defined, who uses it
- ` + "`ken impact FILE`" + `: what a change concerns
The skill ` + queryName + ` lists the rest.`

// Rules returns the rules for a project, or for all projects of a user, for a shell that calls ken by a name.
func Rules(everywhere bool, shell string) string {
	text := rulesText
	if everywhere {
		text = strings.Replace(text, "This repository is indexed by ken.", "A repository with a folder .ken is indexed by ken.", 1)
	}
	if hint := programHint(shell); hint != "" {
		text += "\n" + hint
	}
	return text
}

// programHint returns a sentence on how to call ken if its name is not enough.
func programHint(shell string) string {
	if shell == "" || shell == "ken" {
		return ""
	}
	return "ken is not in PATH: its commands begin with `" + shell + "` instead of `ken`."
}
