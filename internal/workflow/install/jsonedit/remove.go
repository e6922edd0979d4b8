package jsonedit

import (
	"fmt"
	"slices"
	"strings"
)

// Removal lists the items to remove.
type Removal struct {
	// Keys are the outermost members to search for commands, at any depth.
	Keys []string
	// Argvs are the commands: an object of a list with one as "command" and "args" is removed, and containers that become empty.
	Argvs [][]string
	// Names are members of objects that are removed like elements of lists, if they have such a command.
	Names []string
	// Settings are removed if they have the given value; the previous one is restored.
	Settings []Setting
	Record   Record
	// Unrecorded: the earlier content is unknown, so every container that becomes empty is removed.
	Unrecorded bool
}

// Remove removes the items added by Add, and leaves everything else. A text without such items is returned unchanged. It fails with a
// *SyntaxError if the text is not a JSON object.
func Remove(text []byte, r Removal) ([]byte, error) {
	keys := slices.Clone(r.Keys)
	for _, s := range r.Settings {
		keys = append(keys, s.Key)
	}
	d, err := parseDocument(text, keys...)
	if err != nil {
		return nil, err
	}
	e := &removeEdit{document: d, Removal: r}
	for _, key := range r.Keys {
		if member := d.root.member(key); member != nil {
			e.pruneContainer(member, []string{key})
			if e.isDroppedWhenEmpty(member, []string{key}) {
				e.markDropped(member)
			}
		}
	}
	for _, s := range r.Settings {
		e.restoreSetting(s)
	}
	if len(e.dropped) == 0 && len(e.edits) == 0 {
		return text, nil
	}
	if r.Record.Blank != nil && e.allDropped(d.root) && e.remainingText(d.root, nil) == "" {
		return []byte(*r.Record.Blank), nil
	}
	e.cutDropped(d.root, nil)
	out := applyEdits(text, e.edits)
	if _, err := parseDocument(out); err != nil {
		return nil, fmt.Errorf("%w: %w", errChanged, err)
	}
	return out, nil
}

// removeEdit collects the edits of one Remove.
type removeEdit struct {
	*document
	Removal
	dropped map[*node]bool // removed, with its comma
	emptied map[*node]bool // a container that has lost all its items
	edits   []edit
}

func (e *removeEdit) markDropped(n *node) {
	if e.dropped == nil {
		e.dropped = map[*node]bool{}
	}
	e.dropped[n] = true
}

// isDroppedWhenEmpty reports whether a member is removed because it became empty. A comment added to it prevents that.
func (e *removeEdit) isDroppedWhenEmpty(n *node, keys []string) bool {
	return e.emptied[n] && (e.Unrecorded || e.Record.wasMade(keys)) && e.remainingText(n, keys) == ""
}

// restoreSetting restores the previous value of a setting that still has the value given by the Setting.
func (e *removeEdit) restoreSetting(s Setting) {
	n := e.root.member(s.Key)
	if n == nil || !Equal(e.text[n.start:n.end], s.Value) {
		return
	}
	if old := e.Record.previous(s.Key); old != nil {
		e.edits = append(e.edits, edit{n.start, n.end, string(old)})
		return
	}
	e.markDropped(n)
}

// pruneContainer marks the commands to remove below a container, and containers that become empty. keys are nil below an array element,
// because elements have no name that a Record could hold.
func (e *removeEdit) pruneContainer(n *node, keys []string) {
	for _, c := range n.children {
		argv := e.argv(c)
		ours := argv != nil && slices.ContainsFunc(e.Argvs, func(a []string) bool { return slices.Equal(a, argv) })
		if ours && (n.kind == '[' || slices.Contains(e.Names, c.key)) {
			e.markDropped(c)
			continue
		}
		var below []string
		if n.kind == '{' && keys != nil {
			below = append(slices.Clone(keys), c.key)
		}
		e.pruneContainer(c, below)
		switch {
		case n.kind == '{' && below != nil && e.isDroppedWhenEmpty(c, below):
			e.markDropped(c)
		case n.kind == '[' && e.isHollow(c):
			e.markDropped(c)
		}
	}
	if e.allDropped(n) {
		if e.emptied == nil {
			e.emptied = map[*node]bool{}
		}
		e.emptied[n] = true
	}
}

// allDropped reports whether a container had items and all of them are removed.
func (e *removeEdit) allDropped(n *node) bool {
	for _, c := range n.children {
		if !e.dropped[c] {
			return false
		}
	}
	return len(n.children) > 0
}

// isHollow reports whether an array element existed only for a list that is now empty: its other members are only plain values.
func (e *removeEdit) isHollow(n *node) bool {
	hollow := false
	for _, c := range n.children {
		if e.emptied[c] {
			hollow = true
		} else if c.kind == '{' || c.kind == '[' {
			return false
		}
	}
	return n.kind == '{' && hollow
}

// cutDropped makes the edits that remove the marked items in a container and below.
func (e *removeEdit) cutDropped(n *node, keys []string) {
	if e.allDropped(n) {
		e.edits = append(e.edits, edit{n.start + 1, n.end - 1, e.remainingText(n, keys)})
		return
	}
	kept := -1 // the last one that stays
	for i, c := range n.children {
		if !e.dropped[c] {
			kept = i
			var below []string
			if n.kind == '{' && (keys != nil || n == e.root) {
				below = append(slices.Clone(keys), c.key)
			}
			e.cutDropped(c, below)
		}
	}
	for i, c := range n.children {
		if e.dropped[c] {
			e.cutItem(n, i)
		}
	}
	if last := len(n.children) - 1; kept >= 0 && kept < last && readTrivia(e.text, n.children[last].end).comma < 0 {
		comma := readTrivia(e.text, n.children[kept].end).comma
		e.edits = append(e.edits, edit{comma, comma + 1, ""})
	}
}

// cutItem makes the edits that remove one item: the blanks before it, itself, its comma.
func (e *removeEdit) cutItem(n *node, i int) {
	c := n.children[i]
	before := n.start + 1
	if i > 0 {
		before = n.children[i-1].end
	}
	lead := readTrivia(e.text, before)
	after := readTrivia(e.text, c.end)
	from, to := lead.blank, c.end
	keep := ""
	if lead.comment && !e.isLineEnd(after.comma, c.end) {
		keep = "\n" // else the next item would become part of the comment
	}
	if after.comma == to {
		to, after.comma = to+1, -1
	}
	e.edits = append(e.edits, edit{from, to, keep})
	if after.comma >= 0 {
		e.edits = append(e.edits, edit{after.comma, after.comma + 1, ""})
	}
}

// isLineEnd reports whether only blanks are on the line after an item.
func (e *removeEdit) isLineEnd(comma, end int) bool {
	if comma == end {
		end++
	}
	rest := strings.TrimLeft(string(e.text[end:min(end+200, len(e.text))]), " \t")
	return strings.HasPrefix(rest, "\n") || strings.HasPrefix(rest, "\r\n")
}

// remainingText returns the text left between the brackets of a container that lost all its items: the comments, or the text before
// it was filled.
func (e *removeEdit) remainingText(n *node, keys []string) string {
	var b strings.Builder
	at, lead := n.start+1, trivia{}
	for _, c := range append(slices.Clone(n.children), nil) {
		if lead.comment {
			b.WriteString("\n") // ends the comment before what follows
		}
		lead = readTrivia(e.text, at)
		b.Write(withoutComma(e.text[at:lead.blank], lead.comma-at))
		if c != nil {
			at = c.end
		}
	}
	comments := strings.TrimRight(b.String(), " \t\r\n")
	if before, ok := e.Record.empty(keys); ok && strings.TrimRight(string(before), " \t\r\n") == comments {
		return string(before)
	}
	if comments == "" {
		return ""
	}
	return comments + string(e.text[lead.blank:n.end-1])
}

func withoutComma(text []byte, comma int) []byte {
	if comma < 0 || comma >= len(text) {
		return text
	}
	return slices.Concat(text[:comma], text[comma+1:])
}
