package document

import (
	"strings"

	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/yamltree"
)

// readFronts finds the front matter at the beginning of the text: one block, or several in succession.
func (d *Document) readFronts() {
	for first := true; ; first = false {
		open := d.body
		for !first && open < d.LineCount() && strings.TrimSpace(d.Line(open)) == "" {
			open++
		}
		if open >= d.LineCount() || !isRule(d.Line(open)) {
			return
		}
		end := d.frontEnd(open, first)
		if end < 0 {
			if first && d.looksLikeKey(open+1) {
				d.unclosed = open + 1
				d.addProblem(open, "the front matter has no end: a line --- is missing")
			}
			return
		}
		span := edit.Span{Start: d.starts[open+1], End: d.starts[end]}
		d.fronts = append(d.fronts, yamltree.Parse(d.text, span, open+1))
		for i := d.body; i <= end; i++ {
			d.kinds[i] = Front
		}
		d.body = end + 1
		if !first {
			d.addProblem(open, "a second block of front matter: the first is read")
		}
	}
}

// frontEnd returns the line that closes the block of front matter opened at line open, or -1. A block after the first must look
// like front matter in each of its lines, because two horizontal rules also enclose text.
func (d *Document) frontEnd(open int, first bool) int {
	keys := 0
	for i := open + 1; i < d.LineCount(); i++ {
		line := d.Line(i)
		if isRule(line) {
			if !first && keys == 0 {
				return -1
			}
			return i
		}
		if first {
			continue
		}
		if d.looksLikeKey(i) {
			keys++
		} else if line != "" && !strings.ContainsAny(line[:1], " \t#-") {
			return -1
		}
	}
	return -1
}

func (d *Document) looksLikeKey(line int) bool {
	if line >= d.LineCount() {
		return false
	}
	key, _, ok := strings.Cut(d.Line(line), ":")
	return ok && key != "" && !strings.ContainsAny(key, " \t*#<|")
}

func isRule(line string) bool { return strings.TrimRight(line, " \t") == "---" }

// fence is an open code fence: its character, and the number of these characters in a row.
type fence struct {
	char  byte
	count int
	line  int
}

// classifyLines determines the kind of each line of the body: text, code or comment.
func (d *Document) classifyLines() {
	for i := range d.body {
		d.checkConflict(i, d.Line(i))
	}
	// Each attempt to mend an unclosed code fence reads the rest of the text, so their number is limited for hostile texts.
	const most = 16
	from := d.body
	for range most {
		if from = d.classifyFrom(from); from == d.LineCount() {
			return
		}
	}
}

// classifyFrom determines the kinds of the lines from a line outside code on. It returns the line at which to continue: the number of
// lines if it is finished, or the end of a tagged block in which a code fence was not closed.
func (d *Document) classifyFrom(from int) int {
	var in fence
	comment := -1
	for i := from; i < d.LineCount(); i++ {
		line := d.Line(i)
		trimmed := strings.TrimLeft(line, " \t")
		switch {
		case in.count > 0:
			d.kinds[i] = Code
			if in.closedBy(trimmed) {
				d.kinds[i] = Fence
				in = fence{}
			}
		case comment >= 0:
			d.kinds[i] = Comment
			if strings.Contains(line, "-->") {
				comment = -1
			}
		case strings.HasPrefix(trimmed, "<!--"):
			d.kinds[i] = Comment
			if !strings.Contains(trimmed[len("<!--"):], "-->") {
				comment = i
			}
		default:
			d.kinds[i] = Text
			if in = openFence(trimmed); in.count > 0 {
				d.kinds[i] = Fence
				in.line = i
			} else {
				d.checkConflict(i, line)
			}
		}
	}
	if in.count > 0 {
		if end := d.blockEnd(in.line); end >= 0 {
			d.addProblem(in.line, "the code fence is not closed before the end of its block")
			return end
		}
		d.addProblem(in.line, "the code fence is not closed: all that follows is code")
	}
	if comment >= 0 {
		d.addProblem(comment, "the comment is not closed: all that follows is in it")
	}
	return d.LineCount()
}

// blockEnd returns the first line after an unclosed code fence that closes a tagged block opened before the fence, or -1. Nested fences
// of the same length leave one open; without this, all later blocks, such as the tasks of a plan, would be read as code.
func (d *Document) blockEnd(fenceLine int) int {
	open := map[string]int{}
	for i := d.body; i < fenceLine; i++ {
		if d.kinds[i] != Text {
			continue
		}
		name, closing := lineTag(d.Line(i))
		switch {
		case name == "":
		case closing:
			open[name] = max(0, open[name]-1)
		default:
			open[name]++
		}
	}
	for i := fenceLine + 1; i < d.LineCount() && len(open) > 0; i++ {
		if name, closing := lineTag(d.Line(i)); closing && open[name] > 0 {
			return i
		}
	}
	return -1
}

// lineTag returns the name of the tag with which a line begins, and whether it is a closing tag. It returns "" if the line contains both
// the opening and the closing tag.
func lineTag(line string) (name string, closing bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "<")
	if !ok {
		return "", false
	}
	rest, closing = strings.CutPrefix(rest, "/")
	end := 0
	for end < len(rest) && isTagByte(rest[end], end == 0) {
		end++
	}
	if !closing && strings.Contains(rest, "</") {
		return "", false
	}
	return strings.ToLower(rest[:end]), closing
}

func openFence(line string) fence {
	if line == "" || line[0] != '`' && line[0] != '~' {
		return fence{}
	}
	n := len(line) - len(strings.TrimLeft(line, line[:1]))
	if n < 3 || line[0] == '`' && strings.Contains(line[n:], "`") {
		return fence{}
	}
	return fence{char: line[0], count: n}
}

func (f fence) closedBy(line string) bool {
	rest := strings.TrimLeft(line, string(f.char))
	return len(line)-len(rest) >= f.count && strings.TrimSpace(rest) == ""
}

func (d *Document) checkConflict(i int, line string) {
	if !strings.HasPrefix(line, "<<<<<<< ") && !strings.HasPrefix(line, ">>>>>>> ") || d.conflict > 0 {
		return
	}
	d.conflict = i + 1
	d.addProblem(i, "a merge conflict is not resolved")
}
