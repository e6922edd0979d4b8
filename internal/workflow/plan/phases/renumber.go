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

// renumbering computes the new numbers of phases after one was removed: each later number becomes one less. Removing a phase with a
// letter changes no number. A phase that depended on the removed one then depends on the phase before that, not on the one that
// gets its number.
type renumbering struct {
	removed, before phaseid.ID
	dirs            []string // names of renamed folders
}

// newID returns the new number of a phase, with as many leading zeros as before. It returns false if the number does not change.
func (n *renumbering) newID(id phaseid.ID) (phaseid.ID, bool) {
	gone := n.removed
	if id.Custom != "" || gone.Custom != "" || gone.Letter != "" || id.IsBacklog() {
		return id, false
	}
	if len(gone.Decimals) == 0 {
		if numberValue(id.Digits) <= numberValue(gone.Digits) {
			return id, false
		}
		id.Digits = decrement(id.Digits)
		return id, true
	}
	at := len(gone.Decimals) - 1
	if len(id.Decimals) <= at || !phaseid.Same(truncateDecimals(id, at), truncateDecimals(gone, at)) {
		return id, false
	}
	if numberValue(id.Decimals[at]) <= numberValue(gone.Decimals[at]) {
		return id, false
	}
	id.Decimals = slices.Clone(id.Decimals)
	id.Decimals[at] = decrement(id.Decimals[at])
	return id, true
}

// truncateDecimals returns a phase number with only the given number of its decimals.
func truncateDecimals(id phaseid.ID, decimals int) phaseid.ID {
	id.Decimals = id.Decimals[:decimals]
	return id
}

func numberValue(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

// decrement returns the digits of a number that is one less. It keeps leading zeros and adds none.
func decrement(digits string) string {
	if digits[0] != '0' {
		return strconv.Itoa(numberValue(digits) - 1)
	}
	return fmt.Sprintf("%0*d", len(digits), numberValue(digits)-1)
}

// editNumber returns the edit that changes the phase number text at an offset. It returns none if the number does not change.
func (n *renumbering) editNumber(text string, at int) []edit.Edit {
	id, ok := phaseid.Parse(text)
	if !ok {
		return nil
	}
	if id, ok = n.newID(id); !ok {
		return nil
	}
	return []edit.Edit{{Span: edit.Span{Start: at, End: at + len(text)}, New: id.Number()}}
}

// editDependency is like edit, for the number of a phase on which another phase depends.
func (n *renumbering) editDependency(text string, at int) []edit.Edit {
	if id, ok := phaseid.Parse(text); ok && phaseid.Same(id, n.removed) && !n.before.IsNone() {
		return []edit.Edit{{Span: edit.Span{Start: at, End: at + len(text)}, New: n.before.Number()}}
	}
	return n.editNumber(text, at)
}

// newName returns the name of a folder or file with the new number of the phase with which it begins.
func (n *renumbering) newName(old string) string {
	id, _, ok := phaseid.ParseFolder(old)
	if !ok {
		return old
	}
	token := id.Number()
	next, ok := n.newID(id)
	i := strings.Index(old, token)
	if !ok || i < 0 {
		return old
	}
	next.Digits = fmt.Sprintf("%0*s", len(id.Digits), next.Digits) // 10-ship becomes 09-ship
	return old[:i] + next.Number() + old[i+len(token):]
}

// editFront returns the text of a file with new numbers in its front matter (phase and dependencies), its title, and the paths in it.
func (n *renumbering) editFront(text string) (string, error) {
	d := document.Parse(text)
	front := d.FrontMatter()
	edits := n.editTitles(d)
	set := func(node *yamltree.Node) {
		if node != nil && node.Kind == yamltree.Scalar {
			if next := n.newName(node.Value); next != node.Value {
				edits = append(edits, front.SetScalar(node, next)...)
			}
		}
	}
	set(front.Get("phase"))
	needs := front.Get("depends_on")
	if needs == nil {
		return edit.Apply(text, append(edits, nonOverlapping(n.editPaths(text), edits)...))
	}
	kept := []string{}
	for _, it := range needs.Items {
		if id, _, ok := phaseid.ParseFolder(it.Value); !ok || !phaseid.Same(id, n.removed) {
			kept = append(kept, n.newName(it.Value))
		}
	}
	if len(kept) < len(needs.Items) {
		e, err := front.Set("depends_on", kept, d.Newline())
		if err != nil {
			return "", err
		}
		edits = append(edits, e...)
		return edit.Apply(text, append(edits, nonOverlapping(n.editPaths(text), edits)...))
	}
	set(needs)
	for _, it := range needs.Items {
		set(it)
	}
	return edit.Apply(text, append(edits, nonOverlapping(n.editPaths(text), edits)...))
}
