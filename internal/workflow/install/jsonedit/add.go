package jsonedit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Addition is an element for the end of the array at keys, or with a name a member for the end of that object; missing objects and arrays
// are made.
type Addition struct {
	Keys  []string
	Name  string
	Value json.RawMessage
}

// Setting is a member of the outermost object.
type Setting struct {
	Key   string
	Value json.RawMessage
}

// Record is the data that Remove needs to undo an Add exactly.
type Record struct {
	// Made are the new members, as keys from the outermost object.
	Made [][]string `json:"made,omitempty"`
	// Empty are the containers that were empty, with the text between their brackets.
	Empty []Empty `json:"empty,omitempty"`
	// Blank is the whole text if it was only white space.
	Blank *string `json:"blank,omitempty"`
	// Previous are the values that settings replaced, as they were written.
	Previous []Previous `json:"previous,omitempty"`
}

// Previous is the value that a setting had before it was replaced.
type Previous struct {
	Key  string `json:"key"`
	Text []byte `json:"text"` // with its comments, which may not be UTF-8
}

// Empty is a container that was empty before.
type Empty struct {
	Keys []string `json:"keys"`
	Text []byte   `json:"text"`
}

// Join adds the entries of another Record that r does not have.
func (r *Record) Join(other Record) {
	for _, m := range other.Made {
		if !r.wasMade(m) {
			r.Made = append(r.Made, m)
		}
	}
	for _, e := range other.Empty {
		if _, ok := r.empty(e.Keys); !ok {
			r.Empty = append(r.Empty, e)
		}
	}
	for _, p := range other.Previous {
		if r.previous(p.Key) == nil && !r.wasMade([]string{p.Key}) {
			r.Previous = append(r.Previous, p)
		}
	}
	if r.Blank == nil {
		r.Blank = other.Blank
	}
}

func (r *Record) wasMade(keys []string) bool {
	return slices.ContainsFunc(r.Made, func(m []string) bool { return slices.Equal(m, keys) })
}

func (r *Record) empty(keys []string) ([]byte, bool) {
	for _, e := range r.Empty {
		if slices.Equal(e.Keys, keys) {
			return e.Text, true
		}
	}
	return nil, false
}

func (r *Record) previous(key string) []byte {
	for _, p := range r.Previous {
		if p.Key == key {
			return p.Text
		}
	}
	return nil
}

// Add adds elements at the ends of arrays and sets members of the outermost object. It does not check whether something exists already;
// Entries does. It fails with a *SyntaxError if the text is not a JSON object or a container has another type.
func Add(text []byte, additions []Addition, settings []Setting) ([]byte, Record, error) {
	var keys []string // the outermost ones to parse
	for _, a := range additions {
		keys = append(keys, a.Keys[0])
	}
	for _, s := range settings {
		keys = append(keys, s.Key)
	}
	d, err := parseDocument(text, keys...)
	if err != nil {
		return nil, Record{}, err
	}
	e := &addEdit{document: d, textStyle: documentStyle(d)}
	if d.blank {
		s := string(text)
		e.record.Blank = &s
	}
	var set []member
	for _, s := range settings {
		if old := d.root.member(s.Key); old != nil {
			e.record.Previous = append(e.record.Previous, Previous{s.Key, slices.Clone(text[old.start:old.end])})
			e.edits = append(e.edits, edit{old.start, old.end, e.render(s.Value, e.lineIndent(old.at), e.compact)})
			continue
		}
		e.record.Made = append(e.record.Made, []string{s.Key})
		set = append(set, member{s.Key, s.Value})
	}
	if err := e.mergeObject(d.root, nil, additions, set); err != nil {
		return nil, Record{}, err
	}
	out := applyEdits(e.text, e.edits)
	if _, err := parseDocument(out); err != nil {
		return nil, Record{}, fmt.Errorf("%w: %w", errChanged, err)
	}
	return out, e.record, nil
}

// member is an item to add: a member of an object, or without a key an element of an array.
type member struct {
	key   string
	value json.RawMessage
}

// addEdit collects the edits of one Add.
type addEdit struct {
	*document
	textStyle
	record Record
	edits  []edit
}

// mergeObject adds to the object at keys all items below it.
func (e *addEdit) mergeObject(n *node, keys []string, additions []Addition, more []member) error {
	if n.kind != '{' {
		return e.wrongType(n, keys, "an object")
	}
	var fresh []member
	for len(additions) > 0 {
		key := additions[0].Keys[len(keys)]
		var group []Addition
		group, additions = splitByKey(additions, len(keys), key)
		below := append(slices.Clone(keys), key)
		child := n.member(key)
		var err error
		switch {
		case child == nil:
			fresh = append(fresh, member{key, e.newMemberValue(group, below)})
		case len(group[0].Keys) == len(below):
			err = e.extendArray(child, below, group)
		default:
			err = e.mergeObject(child, below, group, nil)
		}
		if err != nil {
			return err
		}
	}
	e.appendItems(n, keys, append(fresh, more...))
	return nil
}

// splitByKey separates the additions with a key at a depth from the others.
func splitByKey(additions []Addition, depth int, key string) (group, rest []Addition) {
	for _, a := range additions {
		if a.Keys[depth] == key {
			group = append(group, a)
		} else {
			rest = append(rest, a)
		}
	}
	return group, rest
}

func (e *addEdit) wrongType(n *node, keys []string, want string) error {
	return syntaxError(e.text, n.start, "%q is not %s, so nothing can be added to it", strings.Join(keys, "."), want)
}

// newMemberValue returns the value of a member that does not exist yet, with all additions that belong inside it.
func (e *addEdit) newMemberValue(group []Addition, keys []string) json.RawMessage {
	e.record.Made = append(e.record.Made, keys)
	var parts []string
	if len(group[0].Keys) == len(keys) && group[0].Name == "" {
		for _, a := range group {
			parts = append(parts, string(a.Value))
		}
		return json.RawMessage("[" + strings.Join(parts, ",") + "]")
	}
	if len(group[0].Keys) == len(keys) {
		for _, a := range group {
			parts = append(parts, quote(a.Name)+":"+string(a.Value))
		}
		return json.RawMessage("{" + strings.Join(parts, ",") + "}")
	}
	for len(group) > 0 {
		key := group[0].Keys[len(keys)]
		var same []Addition
		same, group = splitByKey(group, len(keys), key)
		parts = append(parts, quote(key)+":"+string(e.newMemberValue(same, append(slices.Clone(keys), key))))
	}
	return json.RawMessage("{" + strings.Join(parts, ",") + "}")
}

func (e *addEdit) extendArray(n *node, keys []string, group []Addition) error {
	kind, want := byte('['), "a list"
	if group[0].Name != "" {
		kind, want = '{', "an object"
	}
	if n.kind != kind {
		return e.wrongType(n, keys, want)
	}
	var items []member
	for _, a := range group {
		items = append(items, member{key: a.Name, value: a.Value})
	}
	e.appendItems(n, keys, items)
	return nil
}

// appendItems adds items after the last one of a container.
func (e *addEdit) appendItems(n *node, keys []string, items []member) {
	switch {
	case len(items) == 0:
	case e.blank:
		text := "{" + e.renderItems(items, e.newline+e.unit, e.unit, false) + e.newline + "}" + e.newline
		e.edits = append(e.edits, edit{len(e.text), len(e.text), text})
	case len(n.children) == 0:
		e.fillEmpty(n, keys, items)
	default:
		e.appendAfterLast(n, items)
	}
}

// renderItems renders items with commas between them and lead before each.
func (e *addEdit) renderItems(items []member, lead, indent string, compact bool) string {
	var parts []string
	for _, it := range items {
		text := e.render(it.value, indent, compact)
		if it.key != "" {
			colon := ": "
			if e.compact {
				colon = ":"
			}
			text = quote(it.key) + colon + text
		}
		parts = append(parts, lead+text)
	}
	return strings.Join(parts, ",")
}

// fillEmpty adds items to a container that has only blanks and comments, which stay in front.
func (e *addEdit) fillEmpty(n *node, keys []string, items []member) {
	inside := string(e.text[n.start+1 : n.end-1])
	e.record.Empty = append(e.record.Empty, Empty{keys, []byte(inside)})
	comments := strings.TrimRight(inside, " \t\r\n")
	tail := inside[len(comments):]
	indent := e.lineIndent(n.start)
	text := comments + e.renderItems(items, "", "", true)
	if !e.compact {
		text = comments + e.renderItems(items, e.newline+indent+e.unit, indent+e.unit, false)
		if !strings.Contains(tail, "\n") {
			tail = e.newline + indent
		}
	}
	e.edits = append(e.edits, edit{n.start + 1, n.end - 1, text + tail})
}

// appendAfterLast adds items after the last item and the comment on its line. A trailing comma of the list stays at its end.
func (e *addEdit) appendAfterLast(n *node, items []member) {
	last := n.children[len(n.children)-1]
	at, comma, comment := e.insertionPoint(last.end)
	lead, indent, compact := " ", e.lineIndent(last.at), false
	switch {
	case e.compact:
		lead, indent, compact = "", "", true
	case e.firstOnLine(last.at):
		lead = e.newline + indent
	case comment:
		indent += e.unit
		lead = e.newline + indent
	default: // as in [{…}, {…}]
		compact = !bytes.ContainsRune(e.text[last.start:last.end], '\n')
	}
	text := e.renderItems(items, lead, indent, compact)
	if comma {
		e.edits = append(e.edits, edit{at, at, text + ","})
		return
	}
	e.edits = append(e.edits, edit{last.end, last.end, ","}, edit{at, at, text})
}

// insertionPoint returns the offset at which to insert after an item that ends at end: after its comma, if it has one, and the
// comments on the line. comment reports whether the last comment ends with the line.
func (e *addEdit) insertionPoint(end int) (at int, comma, comment bool) {
	t := readTrivia(e.text, end)
	if t.comma >= 0 {
		end, comma = t.comma+1, true
	}
	at = end
	for i := end; i < len(e.text); {
		switch c := e.text[i]; {
		case c == ' ', c == '\t':
			i++
		case c == '/':
			comment = e.text[i+1] == '/'
			i = commentEnd(e.text, i)
			if bytes.IndexByte(e.text[at:i], '\n') >= 0 {
				return at, comma, false
			}
			at = i
		default:
			return at, comma, comment
		}
	}
	return at, comma, comment
}

// trivia is the text between two items.
type trivia struct {
	comma int // its offset, or -1
	blank int // the start of the blanks before the next token
	next  int // the start of that token
	// comment: the blanks begin with the line end of a comment.
	comment bool
}

func readTrivia(text []byte, at int) trivia {
	t := trivia{comma: -1, blank: at, next: at}
	for t.next < len(text) {
		switch c := text[t.next]; {
		case isBlank(c):
			t.next++
			continue
		case c == ',' && t.comma < 0:
			t.comma = t.next
			t.next++
			t.comment = false
		case c == '/':
			begin := t.next
			t.next = commentEnd(text, begin)
			t.comment = text[begin+1] == '/'
		default:
			return t
		}
		t.blank = t.next
	}
	return t
}

// edit replaces bytes of a text.
type edit struct {
	from, to int
	text     string
}

// applyEdits makes edits that do not overlap. Those at the same byte keep their order.
func applyEdits(text []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	var out bytes.Buffer
	at := 0
	for _, ed := range edits {
		out.Write(text[at:ed.from])
		out.WriteString(ed.text)
		at = ed.to
	}
	out.Write(text[at:])
	return out.Bytes()
}

func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}
