// Package memory has what ken learns from the work on a project as items: frequent edits, decisions, notes, and the files
// that were right for a task. They are found by the words of a text. It is pure: values in, values out, no clock and no I/O.
// The confidence of an item follows from its evidence and its age alone, so that computing it again, or in another process,
// changes nothing.
//
// words.go splits texts, match.go finds items, confidence.go computes trust, graph.go and rank.go relate items to each
// other, keep.go bounds their number. Its neighbours are knowledge/session, whose events become items, and
// store/sqlite/memory, which stores them.
package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Kind is the kind of an item.
type Kind string

// The kinds of items.
const (
	Edit     Kind = "edit"     // drawn from edits: a file that is worked on again and again
	Decision Kind = "decision" // what was decided
	Outcome  Kind = "outcome"  // a successful task: its text, and its files
	Note     Kind = "note"     // written down by an agent or a person
	// Page is the written page of a file. The folder of pages keeps it, so no memory has items of this kind.
	Page Kind = "page"
)

// Kinds returns all kinds, in the order of lists.
func Kinds() []Kind { return []Kind{Decision, Note, Outcome, Edit} }

// Pin ties an item to a file or symbol, with the content that it had at that time.
type Pin struct {
	Target string `json:"target"`         // PATH or PATH:SYMBOL
	Hash   string `json:"hash,omitempty"` // of its text at that time; "" if unknown
}

// Path returns the file of a pin.
func (p Pin) Path() string { path, _, _ := strings.Cut(p.Target, ":"); return path }

// Symbol returns the qualified name of a pin's declaration, "" if the pin is on the whole file.
func (p Pin) Symbol() string { _, name, _ := strings.Cut(p.Target, ":"); return name }

// Evidence counts the sessions that showed an item to be right or wrong. A session counts once for or against.
type Evidence struct {
	For     int       `json:"for"`
	Against int       `json:"against"`
	Last    time.Time `json:"last,omitzero"`
}

// Item is one piece of knowledge about a project, such as a decision or a note. All texts in it are masked.
type Item struct {
	ID      int64
	Kind    Kind
	Subject string // if not "", there is one item of its kind about it; else the text identifies the item
	Topic   string
	Text    string
	Pins    []Pin
	From    string // its source: a person, an agent's runtime, another user's memory
	Session string
	At      time.Time
	Evidence
	Used      int       // how often it was shown
	LastUsed  time.Time // zero if it never was
	Rank      float64   // its centrality, 0 to 1, where 0.5 is the mean; 0 if not computed
	Community int64     // the id of the item whose topic it shares; 0 if not computed
	Gone      bool      // all its code was removed
}

// Key returns a text that is equal for items with the same content. Case, blanks and punctuation make no difference. For
// an item with a subject only the subject counts.
func (it *Item) Key() string {
	h := sha256.New()
	h.Write([]byte(it.Kind))
	if it.Subject != "" {
		h.Write([]byte("\x00subject\x00" + it.Subject))
	} else {
		h.Write([]byte("\x00"))
		h.Write([]byte(plainWords(it.Topic)))
		h.Write([]byte("\x00"))
		h.Write([]byte(plainWords(it.Text)))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// plainWords returns the words of a text, without case and punctuation.
func plainWords(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
	if len(words) == 0 {
		return strings.TrimSpace(s)
	}
	return strings.Join(words, " ")
}

// ForeignPrefix begins the From of items that were not made on this machine: they came with the repository or were imported.
const ForeignPrefix = "imported from "

// IsForeign reports whether an item was not made on this machine.
func (it *Item) IsForeign() bool { return strings.HasPrefix(it.From, ForeignPrefix) }

// Because separates a decision and its reason in the text of an item.
const Because = "\nbecause "

// MaxPins is the largest number of files and symbols of an item.
const MaxPins = 20

// MergeDuplicate adds the content of a duplicate to an item: further files, the present hashes, and the time. It adds no evidence,
// because a repetition proves nothing.
func (it *Item) MergeDuplicate(again *Item) {
	for _, p := range again.Pins {
		i := slices.IndexFunc(it.Pins, func(q Pin) bool { return q.Target == p.Target })
		switch {
		case i >= 0 && p.Hash != "":
			it.Pins[i].Hash = p.Hash
		case i < 0 && len(it.Pins) < MaxPins:
			it.Pins = append(it.Pins, p)
		}
	}
	if again.At.After(it.At) {
		it.At = again.At
		if it.Subject != "" { // the latest text about a subject counts
			it.Text, it.Topic = again.Text, again.Topic
		}
	}
	it.Gone = it.Gone && again.Gone
}
