package operation

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"ken/internal/code"
)

// Text writes answers for people and agents. Every string and Path handed to
// its methods is escaped; only formats are trusted.
type Text struct {
	w     *bufio.Writer
	color bool
	begun bool // something was written
	words func(string) string
}

// NewText makes a Text that writes to w, with colours if asked.
func NewText(w io.Writer, color bool) *Text {
	return &Text{w: bufio.NewWriterSize(w, 32<<10), color: color}
}

// Speak has words translate what ken itself writes, the formats, before arguments are put in. Arguments stay as they are.
func (t *Text) Speak(words func(format string) string) *Text {
	t.words = words
	return t
}

// Translate returns a text of ken's own as Speak has it written.
func (t *Text) Translate(s string) string {
	if t.words == nil {
		return s
	}
	return t.words(s)
}

// Flush writes out the buffer. It returns the first error of any write since the Text was made.
func (t *Text) Flush() error { return t.w.Flush() }

// Raw is where an answer in a format of its own is written as it is, unescaped.
func (t *Text) Raw() io.Writer { return t.w }

// Styled is text that is already escaped.
type Styled string

// Bold marks the subject of a line.
func (t *Text) Bold(s string) Styled { return t.style("\x1b[1m", s) }

// Dim marks less important text.
func (t *Text) Dim(s string) Styled { return t.style("\x1b[2m", s) }

func (t *Text) style(on, s string) Styled {
	if !t.color || s == "" {
		return Styled(Escape(s))
	}
	return Styled(on + Escape(s) + "\x1b[0m")
}

// Line writes one line. Arguments of type string and Path are escaped.
func (t *Text) Line(format string, args ...any) {
	t.Printf(format, args...)
	t.w.WriteByte('\n')
}

// Printf writes without ending the line. Arguments of type string and Path are
// escaped.
func (t *Text) Printf(format string, args ...any) {
	t.begun = true
	if t.words != nil {
		format = t.words(format)
	}
	for i, a := range args {
		switch v := a.(type) {
		case string:
			args[i] = Escape(v)
		case Path:
			args[i] = Escape(string(v))
		case []string:
			args[i] = Escape(strings.Join(v, ", "))
		}
	}
	fmt.Fprintf(t.w, format, args...)
}

// Paragraph writes text of several lines, each indented.
func (t *Text) Paragraph(indent, s string) {
	for l := range strings.Lines(s) {
		t.Line("%s%s", Styled(indent), Styled(EscapeLine(strings.TrimRight(l, " \t\r\n"))))
	}
}

// Heading begins a section, after an empty line unless it is the first.
func (t *Text) Heading(format string, args ...any) {
	if t.begun {
		t.w.WriteByte('\n')
	}
	t.Line("%s", t.Bold(fmt.Sprintf(format, args...)))
}

// maxClip is how much of a signature a card shows, in bytes.
const maxClip = 200

// Clip shortens a signature where many are listed.
func Clip(s string) string {
	if len(s) <= maxClip {
		return s
	}
	return strings.ToValidUTF8(s[:code.CutLength(s, maxClip-3)], "") + "…"
}

// More writes that a list was cut.
func (t *Text) More(indent string, left int) {
	if left > 0 {
		t.Line("%s… and %s more (--limit 0 for all)", Styled(indent), Group(left))
	}
}

// Table writes rows in columns, two spaces apart; the first numeric columns are
// aligned to the right. The last column is not padded.
func (t *Text) Table(indent string, numeric int, rows [][]string) {
	var widths []int
	for _, r := range rows {
		for i, c := range r {
			r[i] = Escape(c)
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], len([]rune(r[i])))
		}
	}
	var b strings.Builder
	for _, r := range rows {
		b.Reset()
		b.WriteString(indent)
		for i, c := range r {
			pad := strings.Repeat(" ", widths[i]-len([]rune(c)))
			if i < numeric {
				b.WriteString(pad + c)
			} else {
				b.WriteString(c + pad)
			}
			b.WriteString("  ")
		}
		t.w.WriteString(strings.TrimRight(b.String(), " "))
		t.w.WriteByte('\n')
	}
}

// Group writes a number with separators: 12,345.
func Group[N int | int64 | uint32](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural writes a number and a noun: "1 file", "2 files".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	switch {
	case strings.HasSuffix(noun, "y") && !strings.HasSuffix(noun, "ay"):
		noun = strings.TrimSuffix(noun, "y") + "ies"
	case strings.HasSuffix(noun, "ch"):
		noun += "es"
	default:
		noun += "s"
	}
	return Group(n) + " " + noun
}

// Percent writes a share of 1 as a whole percentage; only all is 100.
func Percent(share float64) string {
	n := int(share*100 + 0.5)
	if n == 100 && share < 1 {
		n = 99
	}
	return strconv.Itoa(n) + "%"
}

// Size writes a number of bytes: 1.2 MB.
func Size(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d bytes", n)
}

// Duration writes a time with as many digits as are of use.
func Duration(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}
