package phases

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/yamltree"
)

// renumbering maps the numbers of phases after one was removed: the later ones move up by one. A letter moves nothing. A phase that
// depended on the removed one then depends on the one before it, not on the phase that now has its number.
type renumbering struct {
	removed, before phaseid.ID
	dirs            []string // names of renamed folders
}

// of returns the new number of a phase, with leading zeros; ok is false if it stays.
func (n *renumbering) of(id phaseid.ID) (phaseid.ID, bool) {
	gone := n.removed
	if id.Custom != "" || gone.Custom != "" || gone.Letter != "" || id.Backlog() {
		return id, false
	}
	if len(gone.Decimals) == 0 {
		if value(id.Digits) <= value(gone.Digits) {
			return id, false
		}
		id.Digits = less(id.Digits)
		return id, true
	}
	at := len(gone.Decimals) - 1
	if len(id.Decimals) <= at || !phaseid.Same(upTo(id, at), upTo(gone, at)) {
		return id, false
	}
	if value(id.Decimals[at]) <= value(gone.Decimals[at]) {
		return id, false
	}
	id.Decimals = slices.Clone(id.Decimals)
	id.Decimals[at] = less(id.Decimals[at])
	return id, true
}

// upTo returns a number with so many of its decimals.
func upTo(id phaseid.ID, decimals int) phaseid.ID {
	id.Decimals = id.Decimals[:decimals]
	return id
}

func value(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

// less returns a number reduced by one. Leading zeros stay, and none are added.
func less(digits string) string {
	if digits[0] != '0' {
		return strconv.Itoa(value(digits) - 1)
	}
	return fmt.Sprintf("%0*d", len(digits), value(digits)-1)
}

// edit returns the edit of a number at an offset, or none if it stays.
func (n *renumbering) edit(text string, at int) []edit.Edit {
	id, ok := phaseid.Parse(text)
	if !ok {
		return nil
	}
	if id, ok = n.of(id); !ok {
		return nil
	}
	return []edit.Edit{{Span: edit.Span{Start: at, End: at + len(text)}, New: id.Number()}}
}

// need returns the edit of the number of a phase that another depends on.
func (n *renumbering) need(text string, at int) []edit.Edit {
	if id, ok := phaseid.Parse(text); ok && phaseid.Same(id, n.removed) && !n.before.None() {
		return []edit.Edit{{Span: edit.Span{Start: at, End: at + len(text)}, New: n.before.Number()}}
	}
	return n.edit(text, at)
}

// name returns the name of a folder or file that begins with the number of a phase, with the new number.
func (n *renumbering) name(old string) string {
	id, _, ok := phaseid.Folder(old)
	if !ok {
		return old
	}
	token := id.Number()
	next, ok := n.of(id)
	i := strings.Index(old, token)
	if !ok || i < 0 {
		return old
	}
	next.Digits = fmt.Sprintf("%0*s", len(id.Digits), next.Digits) // 10-ship becomes 09-ship
	return old[:i] + next.Number() + old[i+len(token):]
}

// front changes phase and dependencies in the front matter of a file, its title, and the paths in it.
func (n *renumbering) front(text string) (string, error) {
	d := document.Parse(text)
	front := d.Front()
	edits := n.titles(d)
	set := func(node *yamltree.Node) {
		if node != nil && node.Kind == yamltree.Scalar {
			if next := n.name(node.Value); next != node.Value {
				edits = append(edits, front.SetScalar(node, next)...)
			}
		}
	}
	set(front.Get("phase"))
	needs := front.Get("depends_on")
	if needs == nil {
		return edit.Apply(text, append(edits, without(n.paths(text), edits)...))
	}
	kept := []string{}
	for _, it := range needs.Items {
		if id, _, ok := phaseid.Folder(it.Value); !ok || !phaseid.Same(id, n.removed) {
			kept = append(kept, n.name(it.Value))
		}
	}
	if len(kept) < len(needs.Items) {
		e, err := front.Set("depends_on", kept, d.Newline())
		if err != nil {
			return "", err
		}
		edits = append(edits, e...)
		return edit.Apply(text, append(edits, without(n.paths(text), edits)...))
	}
	set(needs)
	for _, it := range needs.Items {
		set(it)
	}
	return edit.Apply(text, append(edits, without(n.paths(text), edits)...))
}
