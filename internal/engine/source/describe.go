package source

import (
	"ken/internal/code"
	"ken/internal/engine/source/scan"
	"ken/internal/engine/store"
)

// Described is the entry that the index would have for a text that is in no file of the tree.
type Described struct {
	Lang  code.Lang
	Class code.FileClass
	Text  string // masked, with its lines unchanged
}

// Describe classifies a text as if it were the file at a path. It returns the entry and the secrets of the text and of the path. It fails
// if the root is no directory.
func (t *Tree) Describe(path, text string) (Described, []store.Secret, error) {
	r, err := t.NewReader(t.ReadSalt())
	if err != nil {
		return Described{}, nil, err
	}
	b := []byte(text)
	l, flags := scan.TextFlags(path, b)
	d := Described{Lang: l, Class: t.Class(path, l, flags)}
	found := r.Mask(b)
	d.Text = string(b)
	return d, append(found, r.PathSecrets(path)...), nil
}
