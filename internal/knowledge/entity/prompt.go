package entity

import (
	"fmt"
	"strings"
)

// PromptFile is a file about which an agent is asked to write a page.
type PromptFile struct {
	Path, ID string
	Reason   Reason
}

// PagesPrompt returns the text that asks an agent to write the pages of a batch.
func PagesPrompt(files []PromptFile) string {
	if len(files) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Write the page of each of these %d files, one after the other:\n\n", len(files))
	for i, f := range files {
		fmt.Fprintf(&b, "%d. %s (%s)\n", i+1, f.Path, f.Reason)
	}
	b.WriteString(`
For each file: run "ken entity show FILE" for what is known, read the file, find out why it exists: which problem of this project it solves, and what would be
missing without it. Then pass the page to "ken entity put FILE" on standard input:

---
type: ` + strings.Join(Types(), "|") + `
---

## Purpose

Why the file exists, in two or three sentences; not a list of what is in it.

## Key Exports

| Export | Type | Description |
|--------|------|-------------|

## Dependencies

**Internal:**
- [[id-of-the-page]] - what it is needed for

**External:**
- ` + "`package`" + ` - what it is needed for

## Patterns & Notes

- what somebody who changes the file has to know and cannot see in it

At most 3 KB a page. ken fills in the rest of the front matter and who depends on the file. A page that is refused says what is wrong: correct it and put it
again. When all are written, report only how many were written and refused.
`)
	return b.String()
}
