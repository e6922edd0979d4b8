// Package memory is what ken learns from the work on a project: items (what edits show, what was decided, noted,
// and which files were right for a task), found again by what a text is about. It is pure: values in, values out, no
// clock and no I/O. An item's confidence follows from its evidence and its age alone, so that computing it again, or in
// another process, changes nothing.
//
// words.go cuts texts, match.go finds items, confidence.go says how far one can be trusted, graph.go and rank.go relate
// items to each other, keep.go bounds how many are kept. Its neighbours are knowledge/session, whose events items are
// made of, and store/sqlite/memory, which keeps them.
package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Kind is what an item says.
type Kind string

// The kinds of items.
const (
	Edit     Kind = "edit"     // drawn from edits: a file that is worked on again and again
	Decision Kind = "decision" // what was decided
	Outcome  Kind = "outcome"  // a task that ended well: its text, and the files that were right for it
	Note     Kind = "note"     // what somebody wrote down
)

// Kinds are all kinds, in the order in which they are listed.
func Kinds() []Kind { return []Kind{Decision, Note, Outcome, Edit} }

// Pin ties an item to a file or symbol as it was then.
type Pin struct {
	Target string `json:"target"`         // PATH or PATH:SYMBOL
	Hash   string `json:"hash,omitempty"` // of its text then; "" if that is not known
}

// Path is the file of a pin, and Symbol the declaration in it, "" if it is the whole file.
func (p Pin) Path() string { path, _, _ := strings.Cut(p.Target, ":"); return path }

// Symbol is the qualified name of a pin's declaration; see Path.
func (p Pin) Symbol() string { _, name, _ := strings.Cut(p.Target, ":"); return name }

// Evidence is what has shown an item to be right or wrong. One session counts once for or against.
type Evidence struct {
	For     int       `json:"for"`
	Against int       `json:"against"`
	Last    time.Time `json:"last,omitzero"`
}

// Item is one thing that is known. All texts in it are masked.
type Item struct {
	ID      int64
	Kind    Kind
	Subject string // what it is the only item of its kind about; "" lets its text decide
	Topic   string
	Text    string
	Pins    []Pin
	From    string // who it is from: a person, an agent's runtime, another user's memory
	Session string
	At      time.Time
	Evidence
	Used      int       // how often it was shown
	LastUsed  time.Time // zero if it never was
	Rank      float64   // how central it is among the others, 0 to 1, where 0.5 is the mean; 0 if that was not computed
	Community int64     // the id of the item whose topic it shares; 0 if that was not computed
	Gone      bool      // all code that it is about was removed
}

// Key is the same for items that say the same. Case, blanks and punctuation make no difference; where an item has a
// subject, its words do not either.
func (it *Item) Key() string {
	h := sha256.New()
	h.Write([]byte(it.Kind))
	if it.Subject != "" {
		h.Write([]byte("\x00subject\x00" + it.Subject))
	} else {
		h.Write([]byte("\x00"))
		h.Write([]byte(plain(it.Topic)))
		h.Write([]byte("\x00"))
		h.Write([]byte(plain(it.Text)))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// plain is a text of which only words are left.
func plain(s string) string {
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

// Foreign reports whether an item was not made on this machine.
func (it *Item) Foreign() bool { return strings.HasPrefix(it.From, ForeignPrefix) }

// Because is between what was decided and its reason in the text of an item.
const Because = "\nbecause "

// MaxPins is how many files and symbols an item may be about.
const MaxPins = 20

// Merge adds what a duplicate brings to an item: files that it had not named, how the code is now, and the time.
// It is no evidence, because who repeats a thing has not shown it.
func (it *Item) Merge(again *Item) {
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
		if it.Subject != "" { // what is said of a subject is the latest
			it.Text, it.Topic = again.Text, again.Topic
		}
	}
	it.Gone = it.Gone && again.Gone
}
