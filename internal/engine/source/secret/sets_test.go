package secret_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"ken/internal/engine/source/secret"
)

// example is a text whose author says whether it holds a credential.
type example struct {
	set, rule string
	text      string
	values    []string // the credential, or its parts; empty where the set does not say what it is
	positive  bool
	helper    bool // the set's rule serves another rule, and names no credential itself
	class     class
}

// isHeldBack reports that an example belongs to the third of its set that nobody reads: the bytes of the SHA-256 of its text, taken
// as one number, are divisible by three. (256 leaves 1 when divided by 3, so the sum of the bytes will do.)
func (x *example) isHeldBack() bool {
	sum := 0
	for _, b := range sha256.Sum256([]byte(x.text)) {
		sum += int(b)
	}
	return sum%3 == 0
}

// spans are the places of the credential in the text, the whole text where it is not known.
func (x *example) spans() (out [][2]int) {
	for _, v := range x.values {
		for from := 0; v != "" && from < len(x.text); {
			i := strings.Index(x.text[from:], v)
			if i < 0 {
				break
			}
			out = append(out, [2]int{from + i, from + i + len(v)})
			from += i + len(v)
		}
	}
	if len(out) == 0 {
		out = append(out, [2]int{0, len(x.text)})
	}
	return out
}

// isFound reports that a finding overlaps the credential.
func (x *example) isFound(found []secret.Finding) bool {
	for _, s := range x.spans() {
		if slices.ContainsFunc(found, func(f secret.Finding) bool { return int(f.Start) < s[1] && int(f.End) > s[0] }) {
			return true
		}
	}
	return false
}

// tally counts the examples of a set, or of all of them.
type tally struct {
	found, all     [classes]int // positives by class
	flagged, holds [classes]int // negatives by class
}

func (t *tally) add(x *example, found []secret.Finding) {
	switch {
	case x.positive:
		t.all[x.class]++
		if x.isFound(found) {
			t.found[x.class]++
		}
	default:
		t.holds[x.class]++
		if len(found) > 0 {
			t.flagged[x.class]++
		}
	}
}

// TestSets scores the rules on sets of examples that others have published with their scanners. testdata/sets.txt lists the sets and
// their versions; KEN_SETS names a folder of clones, each as owner+name/repo. A credential is found if a finding overlaps it. What
// class an example is of is decided by sets_class_test.go, which sees no finding.
//
// One third of each set is held back: rules are written with the other two in view. It is counted, as a whole, only with
// KEN_SETS_HELDBACK=1. KEN_SETS_LIST=misses lists the misses of the open thirds, KEN_SETS_LIST=flagged their flagged negatives.
func TestSets(t *testing.T) {
	root := os.Getenv("KEN_SETS")
	if root == "" {
		t.Skip("KEN_SETS names no folder of sets")
	}
	sets := readSets(t, root)
	heldBack, list := os.Getenv("KEN_SETS_HELDBACK") == "1", os.Getenv("KEN_SETS_LIST")
	e := secret.New()
	var pooled tally
	var rows []string
	seen := map[string]bool{}
	for _, s := range sets {
		var own tally
		for i := range s.examples {
			x := &s.examples[i]
			if x.isHeldBack() != heldBack {
				continue
			}
			found := e.Find(nil, []byte(x.text))
			own.add(x, found)
			if key := fmt.Sprint(x.positive, x.values, x.text); !seen[key] { // a fork has the examples of what it was forked from
				seen[key] = true
				pooled.add(x, found)
				if !heldBack {
					listExample(t, list, x, found)
				}
			}
		}
		rows = append(rows, own.row(s.name))
	}
	part := "two thirds, open"
	if heldBack {
		part = "one third, held back"
	}
	t.Logf("%s\n%s%s\n%s", part, tableHead, strings.Join(rows, "\n"), pooled.row("all, each once"))
	for _, s := range sets {
		t.Logf("%s: %d examples; %d files, values and expressions were not understood", s.source, len(s.examples), s.unread)
	}
}

// tableHead heads the table: after recall, the classes of positives that do not count, as found/all; then the negatives that hold no
// credential, and those that hold one of another kind, as flagged/all.
const tableHead = "| set | credentials | found | recall | made up | hash | bare | no credential | negatives | flagged | other kind |\n|---|---|---|---|---|---|---|---|---|---|---|\n"

func (t *tally) row(name string) string {
	of := func(a, b int) string { return fmt.Sprintf("%d/%d", a, b) }
	percent := func(a, b int) string {
		if b == 0 {
			return ""
		}
		return fmt.Sprintf("%.1f %%", 100*float64(a)/float64(b))
	}
	return fmt.Sprintf("| %s | %d | %d | %s | %s | %s | %s | %s | %d | %d, %s | %s |", name,
		t.all[credential], t.found[credential], percent(t.found[credential], t.all[credential]),
		of(t.found[madeUp], t.all[madeUp]), of(t.found[hash], t.all[hash]), of(t.found[bare], t.all[bare]), of(t.found[none], t.all[none]),
		t.holds[none], t.flagged[none], percent(t.flagged[none], t.holds[none]), of(t.flagged[credential], t.holds[credential]))
}

// listExample prints an example of the open thirds that the rules are wrong about.
func listExample(t *testing.T, list string, x *example, found []secret.Finding) {
	wrong := list == "misses" && x.positive && x.class == credential && !x.isFound(found) ||
		list == "flagged" && !x.positive && x.class == none && len(found) > 0
	if !wrong {
		return
	}
	by := ""
	for _, f := range found {
		by += fmt.Sprintf(" %s %q", f.Rule, x.text[f.Start:f.End])
	}
	t.Logf("%s %s value %q%s in\n%s", x.set, x.rule, x.values, by, x.text)
}
