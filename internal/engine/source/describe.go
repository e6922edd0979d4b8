package source

import (
	"ken/internal/code"
	"ken/internal/engine/source/scan"
	"ken/internal/engine/store"
)

// Described is what the index would hold of a text that is in no file of the tree.
type Described struct {
	Lang  code.Lang
	Class code.FileClass
	Text  string // masked; its lines are those that it had
}

// Describe reads a text as if it were the file at a path: what it is for, and its credentials, those of the path included.
func (t *Tree) Describe(path, text string) (Described, []store.Secret, error) {
	r, err := t.NewReader(t.ReadSalt())
	if err != nil {
		return Described{}, nil, err
	}
	b := []byte(text)
	l, flags := scan.FlagsOf(path, b)
	d := Described{Lang: l, Class: t.Class(path, l, flags)}
	found := r.Mask(b)
	d.Text = string(b)
	return d, append(found, r.PathSecrets(path)...), nil
}
