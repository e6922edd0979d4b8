package source

import (
	"ken/internal/code"
	"ken/internal/engine/source/scan"
	"ken/internal/engine/store"
)

// Described is the description that the index would have for a text that is in no file of the tree.
type Described struct {
	Lang  code.Lang
	Class code.FileClass
	Text  string // masked, with its lines unchanged
}

// Describe classifies a text as if it were the content of the file at path. It returns the description and the secrets in the text and in
// the path. It fails if the root is no directory.
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
