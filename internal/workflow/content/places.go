package content

import (
	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/yamltree"
)

// PlaceKind is a kind of thing for which there are places.
type PlaceKind string

// The kinds of places, which are also the names of their files.
const (
	Purposes PlaceKind = "purposes"   // for which a workflow has commands
	Subjects PlaceKind = "references" // on which it needs knowledge
)

// Place is where a purpose or subject is provided for. Exactly one field beside Name is not empty.
type Place struct {
	Name    string
	Guide   string // the guide that leads through it
	Call    string // the call of ken that does or answers it
	File    string // the text that has it
	Dropped string // the reason why there is none
}

// Places returns the places of a kind, in the order of their file.
func Places(k PlaceKind) (list []Place) {
	text, err := files.ReadFile("files/places/" + string(k) + ".yml")
	if err != nil {
		return nil // a file that is embedded can be read
	}
	t := yamltree.Parse(string(text), edit.Span{Start: 0, End: len(text)}, 0)
	for _, n := range t.Get("rows").Items {
		get := func(key string) string { return n.Get(key).Text() }
		list = append(list, Place{get("name"), get("guide"), get("call"), get("file"), get("dropped")})
	}
	return list
}
