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
