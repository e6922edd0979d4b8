package find

import (
	"ken/internal/engine/view"
)

// semantic adds the files that mean what the query does. What goes wrong with it
// is said and takes nothing from the answer.
func (f *finder) semantic() error {
	list, err := f.s.SemanticFiles(f.ctx, f.text, view.MaxSemantic+1)
	switch {
	case f.ctx.Err() != nil:
		return f.ctx.Err()
	case err != nil:
		note := "answered without embeddings: " + f.s.Tree.MaskString(err.Error())
		f.notes = append(f.notes, note)
		f.s.Opt.Semantic.WarnOnce(f.s.Opt.Log, note)
		return nil
	}
	// Cosines of one model lie close together: what tells is how far a file is
	// above the last of the list.
	floor := 0.0
	if len(list) > view.MaxSemantic {
		floor = list[view.MaxSemantic].Score
		list = list[:view.MaxSemantic]
	} else if len(list) > 0 {
		floor = list[len(list)-1].Score * 0.99
	}
	for _, x := range list {
		if d, ok := f.idx.Doc(x.FileID); ok && x.Score > 0 {
			f.add(int32(d)).semantic = float32(x.Score - floor)
		}
	}
	return nil
}
