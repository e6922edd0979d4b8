// Package install adds to files of other programs the entries with which they call ken, and removes them again. It knows no product: a
// Plan lists the files to make, the entries for settings, the blocks for texts and the lines for lists; package agent/claude, its
// neighbour, makes such a plan. jsonedit edits settings without touching another byte.
//
// Changes are recorded in a manifest in ken's state directory (manifest.go). It is written first as the intent, and again at the end, so
// that a process killed in between leaves whole files, old or new, and the next run finishes. A file is replaced by renaming one that was
// written beside it (place.go), after it was read again and found unchanged.
//
// Removing restores the old bytes if the file was not changed since; else only the additions are removed.
package install

// Plan is a list of additions to files. All paths are absolute.
type Plan struct {
	Name string // of the kind of installation; with Root it names the manifest
	Root string // folder that the installation is for
	// Version of ken, and Options with which the plan was made: they are recorded for whoever renews the installation.
	Version string
	Options []string
	// Within are the folders that links may lead to; if one leads out of them nothing is written.
	Within   []string
	Files    []File
	Lines    []Lines
	Blocks   []Block
	Tables   []Table
	Members  []Member
	Settings []Settings
}

// items lists the files of a plan in the order in which they are written: settings come last, because their commands should exist before.
func (p *Plan) items() []planItem {
	var out []planItem
	for i := range p.Files {
		out = append(out, &p.Files[i])
	}
	for i := range p.Lines {
		out = append(out, &p.Lines[i])
	}
	for i := range p.Blocks {
		out = append(out, &p.Blocks[i])
	}
	for i := range p.Tables {
		out = append(out, &p.Tables[i])
	}
	for i := range p.Members {
		out = append(out, &p.Members[i])
	}
	for i := range p.Settings {
		out = append(out, &p.Settings[i])
	}
	return out
}

// IsEmpty reports whether a plan adds nothing.
func (p *Plan) IsEmpty() bool { return len(p.items()) == 0 }
