// Package install puts what an agent product needs in order to call ken into files
// that belong to others, and takes it out again. It knows no product: a Plan says
// which files are made, which entries go into which settings, which block into which
// text and which lines into which list; package agent/claude, its neighbour, writes
// such a plan. jsonedit edits settings without touching another byte.
//
// What was done is kept in a manifest in ken's state directory (manifest.go). It is
// written before anything else as the intent, and again when all is done, so that a
// process that is killed in between leaves whole files, old or new, and the next run
// finishes. A file is replaced by renaming one that was written beside it
// (place.go), after it was read again and found to be as it was.
//
// Taking out gives the bytes of before if nobody has changed the file since; else only
// what was put in goes.
package install

import (
	"encoding/json"

	"ken/internal/workflow/install/jsonedit"
)

// Plan is what one installation puts where. All paths are absolute.
type Plan struct {
	Name string // of the kind of installation; with Root it names the manifest
	Root string // folder that the installation is for
	// Within are the folders that links may lead to; where one leads out of them
	// nothing is written.
	Within   []string
	Files    []File
	Lines    []Lines
	Blocks   []Block
	Settings []Settings
}

// items lists the files of a plan in the order they are written: settings come last,
// because what they call should be there.
func (p *Plan) items() []item {
	var out []item
	for i := range p.Files {
		out = append(out, &p.Files[i])
	}
	for i := range p.Lines {
		out = append(out, &p.Lines[i])
	}
	for i := range p.Blocks {
		out = append(out, &p.Blocks[i])
	}
	for i := range p.Settings {
		out = append(out, &p.Settings[i])
	}
	return out
}

// item is one file of a plan.
type item interface {
	// base is the record of a file that nothing is known of but what the plan says.
	base() record
	// add is the content with what the plan wants. old is what the manifest knows, nil
	// if nothing.
	add(cur content, old *record) (edited, error)
}

// content is what a file holds, if it is there.
type content struct {
	data   []byte
	exists bool
}

func (c content) equal(o content) bool {
	return c.exists == o.exists && string(c.data) == string(o.data)
}

// edited is what add made.
type edited struct {
	content
	record record // what is to be known to take it out
	note   string // for the user, "" if there is nothing to say
}

// File is a file that is ken's alone.
type File struct {
	Path string
	Data []byte
	What string // for the user: "skill"
}

// Settings are entries of a JSON file.
type Settings struct {
	Path    string
	What    string
	Entries []Entry // all below one outermost key
	Values  []Value
}

// Entry is an element of a list in a JSON file that runs a command. It is known again
// by its command alone, so that a user can change the rest of it.
type Entry struct {
	Keys  []string        `json:"keys"` // from the outermost object to the list
	Argv  []string        `json:"argv"` // "command" and "args"
	Value json.RawMessage `json:"value"`
}

// Value is a member of the outermost object of a JSON file.
type Value struct {
	Key   string
	Value json.RawMessage
	// Yield leaves a value that is there.
	Yield bool
}

func (v Value) setting() jsonedit.Setting { return jsonedit.Setting{Key: v.Key, Value: v.Value} }

// Block is a stretch of a text file between two lines that mark it.
type Block struct {
	Path       string
	What       string
	Begin, End string // the lines
	Text       string // between them, without a line end at its end
}

// Lines are lines of a list.
type Lines struct {
	Path   string
	What   string
	Within string // folder that links may lead to, instead of the plan's
	Lines  []string
}
