package pack

import (
	"fmt"
	"strconv"
	"strings"

	"ken/internal/delivery/agenttext"
)

// markdownWriter writes a document. Its fences of code are longer than any run of
// backticks inside them.
type markdownWriter struct{}

func (markdownWriter) plain() bool { return true }

func (markdownWriter) begin(b []byte, h *packHead) []byte {
	b = append(b, "# Source code\n\n"+agenttext.Notice+"\n\n"...)
	if h.budget {
		b = fmt.Appendf(b, "%d of %d tokens (%s), revision %d\n\n", h.used, h.total, h.tokenizer, h.revision)
	} else {
		b = fmt.Appendf(b, "%s of %d tokens (%s), revision %d\n\n", plural(h.files, "file"), h.tokens, h.tokenizer, h.revision)
	}
	return b
}

func (markdownWriter) entry(b []byte, f *shownFile, _ bool) []byte {
	b = append(b, "- "...)
	b = codeSpan(b, spellInvisible(f.path))
	if f.fileTokens > 0 { // else it was not counted
		b = fmt.Appendf(b, " (%d tokens)", f.fileTokens)
	}
	if f.parts != nil {
		b = append(append(b, ": "...), f.summary()...)
	}
	return append(b, '\n')
}

func (markdownWriter) enter(b []byte) []byte { return b }

func (markdownWriter) file(b []byte, f *shownFile, _ bool) []byte {
	b = codeSpan(append(b, "\n## "...), spellInvisible(f.path))
	b = append(b, '\n')
	for i := 0; i < len(f.parts); i++ {
		p := &f.parts[i]
		if p.source {
			if p.from == p.to {
				b = fmt.Appendf(b, "\nLine %d", p.from)
			} else {
				b = fmt.Appendf(b, "\nLines %d-%d", p.from, p.to)
			}
			if p.cut > 0 {
				b = fmt.Appendf(b, " (%d more cut)", p.cut)
			}
			b = codeBlock(append(b, ":\n"...), f, p.text)
			continue
		}
		n := runOfSignatures(f.parts[i:])
		var text strings.Builder
		for k, s := range f.parts[i : i+n] {
			if k > 0 {
				text.WriteByte('\n')
			}
			text.WriteString(strconv.Itoa(s.from) + s.gap() + s.text)
		}
		b = codeBlock(append(b, "\nSignatures:\n"...), f, text.String())
		i += n - 1
	}
	return b
}

func (markdownWriter) end(b []byte, h *packHead) []byte {
	if h.leftFiles == 0 {
		return b
	}
	b = append(append(b, "\nLeft out: "...), plural(h.leftFiles, "file")...)
	if h.leftTokens > 0 {
		b = fmt.Appendf(b, " of %d tokens", h.leftTokens)
	}
	b = append(b, '\n')
	if len(h.left) > 0 {
		b = append(b, '\n')
	}
	for _, l := range h.left {
		b = codeSpan(append(b, "- "...), spellInvisible(l.Path))
		if l.Tokens > 0 {
			b = fmt.Appendf(b, " (%d tokens)", l.Tokens)
		}
		b = append(append(append(b, ": "...), l.Why...), '\n')
	}
	return b
}

// codeBlock writes a fenced code block.
func codeBlock(b []byte, f *shownFile, text string) []byte {
	mark := strings.Repeat("`", max(3, longestTicks(text)+1))
	b = append(append(b, mark...), f.lang...)
	b = append(append(b, '\n'), text...)
	return append(append(append(b, '\n'), mark...), '\n')
}

// codeSpan writes a text in backticks, more of them than it has in a row.
func codeSpan(b []byte, text string) []byte {
	n := longestTicks(text)
	if n == 0 {
		return append(append(append(b, '`'), text...), '`')
	}
	mark := strings.Repeat("`", n+1)
	return append(append(append(append(append(b, mark...), ' '), text...), ' '), mark...)
}

func longestTicks(s string) int {
	longest := 0
	for {
		i := strings.IndexByte(s, '`')
		if i < 0 {
			return longest
		}
		s = s[i:]
		n := 1
		for n < len(s) && s[n] == '`' {
			n++
		}
		longest, s = max(longest, n), s[n:]
	}
}
