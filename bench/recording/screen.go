package main

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strings"
)

// line is a line of the screen, in parts of one style each.
type line []part

// part is a text with a class of the picture: b is bold, d is dim, none is plain.
type part struct{ text, style string }

func (l line) text() string {
	var b strings.Builder
	for _, p := range l {
		b.WriteString(p.text)
	}
	return b.String()
}

// control matches the control sequences that ken writes to a terminal.
var control = regexp.MustCompile(`\x1b\[([0-9;]*)([A-Za-z])`)

// read returns the lines that a terminal shows of a program's output: a carriage return begins a line anew, K clears what follows in it.
func read(out []byte) (lines []line) {
	for raw := range bytes.Lines(out) {
		text := strings.TrimSuffix(strings.TrimRight(string(raw), "\n"), "\r")
		text = text[strings.LastIndexByte(text, '\r')+1:]
		lines = append(lines, parts(text))
	}
	return lines
}

func parts(text string) (l line) {
	style := ""
	add := func(s string) {
		if s != "" {
			l = append(l, part{s, style})
		}
	}
	for {
		m := control.FindStringSubmatchIndex(text)
		if m == nil {
			add(text)
			return l
		}
		add(text[:m[0]])
		if text[m[4]:m[5]] == "m" {
			style = map[string]string{"1": "b", "2": "d"}[text[m[2]:m[3]]]
		}
		text = text[m[1]:]
	}
}

// The measures of the picture, in pixels, and of its time, in seconds.
const (
	width, high, wide, edge = 1100, 18, 8.2, 16
	perLine, perCommand     = 0.06, 0.9
)

const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="ken in a terminal">
<style>
rect{fill:#0d1117}text{font:13.5px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#c9d1d9;white-space:pre}
.b{fill:#f0f6fc;font-weight:bold}.d{fill:#8b949e}
@media (prefers-reduced-motion:no-preference){text{animation:a .01s backwards}}
@keyframes a{from,to{opacity:0}}
</style>
<rect width="100%%" height="100%%" rx="8"/>
`

// draw returns the picture of the lines of a screen, each of which appears after those before it.
func draw(screen []line) []byte {
	var b bytes.Buffer
	height := 2*edge + high*len(screen)
	fmt.Fprintf(&b, head, width, height, width, height)
	at := 0.0
	for i, l := range screen {
		if at += perLine; strings.HasPrefix(l.text(), "$ ") {
			at += perCommand
		}
		fmt.Fprintf(&b, `<text x="%d" y="%d" xml:space="preserve" style="animation-delay:%.2fs">`, edge, edge+high*i+high*3/4, at)
		for _, p := range l {
			if p.style == "" {
				b.WriteString(html.EscapeString(p.text))
				continue
			}
			fmt.Fprintf(&b, `<tspan class="%s">%s</tspan>`, p.style, html.EscapeString(p.text))
		}
		b.WriteString("</text>\n")
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

var (
	drawnLine = regexp.MustCompile(`(?m)^<text [^>]*>(.*)</text>$`)
	tags      = regexp.MustCompile(`<[^>]*>`)
	elapsed   = regexp.MustCompile(`\d+(\.\d+)? m?s:`)
)

// texts returns the lines of a picture without what differs from run to run.
func texts(picture []byte) (list []string) {
	for _, m := range drawnLine.FindAllSubmatch(picture, -1) {
		list = append(list, elapsed.ReplaceAllString(html.UnescapeString(tags.ReplaceAllString(string(m[1]), "")), "T:"))
	}
	return list
}
