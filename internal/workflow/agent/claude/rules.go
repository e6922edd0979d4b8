package claude

import "strings"

// The lines around ken's part of a rules file. Claude Code removes comments before the model sees the file.
const (
	rulesBegin = "<!-- ken:begin -->"
	rulesEnd   = "<!-- ken:end -->"
)

// rulesText describes ken in statements of fact, because instructions in a file that a tool wrote look like an injected prompt. It is
// read in every session, so it is short.
const rulesText = `This repository is indexed by ken. Its answers are of the files as they are now:
- ` + "`ken brief GOAL`" + `: what to know before work on a goal
- ` + "`ken find QUERY`" + `: code by words, ranked
- ` + "`ken def NAME`, `ken refs NAME`" + `: where a name is defined, who uses it
- ` + "`ken impact FILE`" + `: what a change concerns
- ` + "`ken outline FILE`" + `: declarations of a file
The skill ` + queryName + ` lists the rest.`

func (o *Options) rulesText() string {
	text := rulesText
	if o.Scope == User {
		text = strings.Replace(text, "This repository is indexed by ken.", "A repository with a folder .ken is indexed by ken.", 1)
	}
	if where := o.programHint(); where != "" {
		text += "\n" + where
	}
	return text
}

// programHint returns a sentence on how to call ken if its name is not enough. A committed file names only "ken", because other users
// have it in another place.
func (o *Options) programHint() string {
	if o.Scope == Project || o.Shell == "" || o.Shell == "ken" {
		return ""
	}
	return "ken is not in PATH: its commands begin with `" + o.Shell + "` instead of `ken`."
}
