package main

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"
)

// manual returns the pages of the manual: ken.1, and one for each command, made of docs/commands.md, which a test keeps equal to the
// declarations of the commands.
func manual(page, version string, at time.Time) []entry {
	head := func(name string) string {
		return fmt.Sprintf(".TH %s 1 %q \"ken %s\"\n", strings.ToUpper(name), at.Format(time.DateOnly), version)
	}
	parts := strings.Split(page, "\n## ken ")
	var all strings.Builder
	var list []entry
	for _, part := range parts[1:] {
		title, text, _ := strings.Cut(part, "\n")
		name := "ken"
		for _, w := range strings.Fields(title) {
			if !commandWord().MatchString(w) {
				break
			}
			name += "-" + w
		}
		text = strings.TrimSpace(text)
		summary, _, _ := strings.Cut(text, "\n")
		fmt.Fprintf(&all, ".TP\n.B %s(1)\n%s\n", roff(name), roff(summary))
		list = append(list, entry{name: name + ".1", data: []byte(head(name) +
			".SH NAME\n" + roff(name) + " \\- " + roff(summary) + "\n.SH SYNOPSIS\n.B ken " + roff(title) + "\n.SH DESCRIPTION\n" + roffBody(text))})
	}
	_, preface, _ := strings.Cut(parts[0], "-->")
	text := head("ken") + ".SH NAME\nken \\- answers questions about a repository\n.SH SYNOPSIS\n.B ken COMMAND\n.SH DESCRIPTION\n" +
		roffBody(preface) + ".SH COMMANDS\n" + all.String()
	return append(list, entry{name: "ken.1", data: []byte(text)})
}

var commandWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9-]*$`) })

var inlineCode = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("`([^`]*)`|\\*\\*([^*]*)\\*\\*") })

// roffBody turns paragraphs, tables and code of Markdown into roff.
func roffBody(text string) string {
	var b strings.Builder
	code, table := false, false
	for _, line := range strings.Split(text, "\n") {
		row := strings.HasPrefix(line, "|") && !code
		switch {
		case strings.HasPrefix(line, "```"):
			code = !code
			b.WriteString(map[bool]string{true: ".PP\n.nf\n", false: ".fi\n"}[code])
		case code:
			b.WriteString(roff(line) + "\n")
		case strings.HasPrefix(line, "|--"):
		case row && !table: // its head
		case row:
			cells := strings.Split(strings.Trim(line, "| "), " | ")
			last := len(cells) - 1
			name := strings.Join(cells[:last], ", ")
			b.WriteString(".TP\n" + roffInline(name) + "\n" + roffInline(strings.ReplaceAll(cells[last], `\|`, "|")) + "\n")
		case strings.TrimSpace(line) == "":
			b.WriteString(".PP\n")
		default:
			b.WriteString(roffInline(line) + "\n")
		}
		table = row
	}
	return b.String()
}

// roff escapes a line.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		line = `\&` + line
	}
	return line
}

func roffInline(line string) string {
	return inlineCode().ReplaceAllString(roff(line), `\fB$1$2\fR`)
}
