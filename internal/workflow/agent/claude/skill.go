package claude

import "strings"

// skill is a skill to install. Every command in its text exists: a test runs them with --help.
type skill struct{ name, text string }

// queryName is the skill named in the rules.
const queryName = "ken-query"

// skills are the skills to install. These are all names of ken that a client lists in each session.
var skills = []skill{
	{"ken-plan", planText}, {"ken-do", doText}, {"ken-code", codeText}, {queryName, queryText}, {"ken-remember", rememberText}, {"ken-sync", syncText},
}

// queryText is the text of the skill for questions about the code.
const queryText = `---
name: ken-query
description: Answers questions about this codebase from ken's index - where a name is defined, who uses or calls it, what a change concerns, what a file is for, where to begin on a goal. For use before searching with grep or reading whole files.
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

// pluginForm returns the form that a skill has in a plugin named ken, which puts its own name before those of its skills: /ken:code.
func (k *skill) pluginForm() skill {
	text := k.text
	for i := range skills {
		name := skills[i].name
		short := strings.TrimPrefix(name, "ken-")
		text = strings.Replace(text, "\nname: "+name+"\n", "\nname: "+short+"\n", 1)
		text = strings.ReplaceAll(text, "skill "+name, "skill ken:"+short)
	}
	return skill{strings.TrimPrefix(k.name, "ken-"), text}
}

// skillText returns the text of a skill as it is installed.
func (o *Options) skillText(k *skill) string {
	if where := o.programHint(); where != "" {
		return k.text + "- " + where + "\n"
	}
	return k.text
}
