package essential

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// parseLines parses the lines again after a change.
func (f *contextFile) parseLines() (err error) {
	f.root, err = parseYAML(f.lines)
	return err
}

// findEntry returns the node of a document, nil if there is none.
func (f *contextFile) findEntry(d *Document) *node {
	for _, k := range []Kind{Design, Rules} {
		for _, n := range documentNodes(f.root, k) {
			if newDocument(n, f.root.child(sectionName(k)), k).Path == d.Path {
				return n
			}
		}
	}
	return nil
}

// replaceEntry replaces the entry of a document in the file. It keeps the keys that were added by hand.
func (f *contextFile) replaceEntry(d *Document) error {
	for _, kv := range [...][2]string{{keySummary, d.Summary}, {keyHash, d.Hash}, {keyBy, string(d.By)}} {
		if err := f.setValue(f.findEntry(d), kv[0], kv[1]); err != nil {
			return err
		}
	}
	return nil
}

// setValue sets the value of a key in a mapping: it replaces the lines of the value, or adds lines after the last key.
func (f *contextFile) setValue(n *node, key, value string) error {
	if n == nil || n.kind != mapping {
		return fmt.Errorf("line of %s: no keys and values that could be changed", key)
	}
	column := n.indent
	if len(n.children) > 0 {
		column = n.children[0].indent
	}
	at, end, lines := 0, 0, []string(nil)
	switch e := n.child(key); {
	case e != nil:
		lines = formatEntry(column, key, value, e.comment)
		lines[0] = f.lines[e.line][:column] + lines[0][column:] // a dash may be before the key
		at, end = e.line, e.end
	case len(n.children) > 0:
		at = n.children[len(n.children)-1].end
		end, lines = at, formatEntry(column, key, value, "")
	default:
		at = len(f.lines)
		end, lines = at, formatEntry(0, key, value, "")
	}
	f.lines = slices.Replace(f.lines, at, end, lines...)
	return f.parseLines()
}

// insertDocument adds a document to the list of its section.
func (f *contextFile) insertDocument(d *Document) error {
	section := f.root.child(sectionName(d.Kind))
	at, column, head := len(f.lines), 2, []string(nil)
	switch {
	case section == nil:
		head = []string{sectionName(d.Kind) + ":", "  " + keySummaries + ":"}
		column = 4
	case section.kind == list && len(section.children) > 0 && section.children[0].line > section.line:
		at, column = section.end, indentation(f.lines[section.children[0].line])
	case section.kind == scalar && section.value == "":
		at, head, column = section.line+1, []string{"  " + keySummaries + ":"}, 4
	case section.kind == mapping:
		at, column = section.end, section.children[0].indent
		items := section.child(keySummaries)
		switch {
		case items == nil:
			head = []string{strings.Repeat(" ", column) + keySummaries + ":"}
		case items.kind == list && len(items.children) > 0 && items.children[0].line > items.line:
			at, column = items.end, indentation(f.lines[items.children[0].line])
		case items.kind == scalar && items.value == "":
			at = items.line + 1
		default:
			return fmt.Errorf("line %d: a list in brackets is not added to: write it as lines that begin with a dash", items.line+1)
		}
		if items == nil || items.kind == scalar {
			column += 2
		}
	default:
		return fmt.Errorf("line %d: %s is neither keys nor a list", section.line+1, sectionName(d.Kind))
	}
	lines := head
	for i, kv := range [...][2]string{
		{"file", path.Base(d.Path)}, {keyPath, d.Path}, {keySummary, d.Summary}, {keyHash, d.Hash}, {keyBy, string(d.By)}, {keyNotes, d.Notes},
	} {
		next := formatEntry(column+2, kv[0], kv[1], "")
		if i == 0 {
			next[0] = strings.Repeat(" ", column) + "- " + next[0][column+2:]
		}
		lines = append(lines, next...)
	}
	f.lines = slices.Insert(f.lines, at, lines...)
	return f.parseLines()
}

// checkHas checks that the changed file, parsed again, contains the document. This protects a form of YAML that the parser
// misreads from being overwritten.
func (f *contextFile) checkHas(d *Document) error {
	n := f.findEntry(d)
	if n == nil || n.text(keyHash) != d.Hash || n.text(keySummary) != d.Summary {
		return fmt.Errorf("%s is of a form that cannot be changed: write %s as lines of keys and values", Path, sectionName(d.Kind))
	}
	return nil
}
