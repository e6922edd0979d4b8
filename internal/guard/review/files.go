package review

import (
	"ken/internal/code"
	"ken/internal/guard/garbage"
)

// Files returns the changed files in the form that package garbage judges. It leaves out deleted files and changes that have no text,
// such as links. class classifies a file by its path and its text, as the index does.
func (r *Review) Files(class func(path, text string) (code.Lang, code.FileClass)) []garbage.File {
	var out []garbage.File
	for i := range r.Changes {
		c := &r.Changes[i]
		if c.Kind == Deleted || c.Opaque == Link || c.Opaque == Nested || c.Opaque == Mode {
			continue
		}
		f := garbage.File{Path: c.Path, Created: c.Kind == Added && c.MovedFrom == "", Binary: c.Opaque == Binary, Old: c.Old, New: c.New}
		f.Lang, f.Class = class(c.Path, c.New)
		for _, h := range c.Hunks {
			if h.NewLines > 0 {
				f.Added = append(f.Added, garbage.Span{From: h.NewFrom, To: h.NewFrom + h.NewLines - 1})
			}
		}
		out = append(out, f)
	}
	return out
}
