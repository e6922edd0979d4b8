package operation

import (
	"bufio"
	"io"
	"reflect"
	"slices"
)

// WritePaths writes the paths an answer lists, each once, in order of appearance: those
// of the rows of its lists tagged `paths:"yes"`. With nul they are raw bytes
// ended by NUL; else one escaped path a line. It returns the first error of w.
func WritePaths(w io.Writer, answer any, nul bool) error {
	p := &pathWriter{w: bufio.NewWriter(w), nul: nul, seen: map[string]bool{}}
	v := reflect.ValueOf(answer).Elem()
	for _, i := range pathLists(v.Type()) {
		if err := p.list(v.FieldByIndex(i)); err != nil {
			return err
		}
	}
	return p.w.Flush()
}

// TopPaths are the first paths that an answer lists, at most so many. Lists that are made while they are written
// are left out, because they would be made twice.
func TopPaths(answer any, most int) (out []string) {
	v := reflect.ValueOf(answer).Elem()
	for _, i := range pathLists(v.Type()) {
		list := v.FieldByIndex(i)
		if list.Kind() != reflect.Slice {
			continue
		}
		for k := 0; k < list.Len() && len(out) < most; k++ {
			if p := list.Index(k).FieldByName("Path").String(); !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// ListsPaths reports whether the operation's answer lists files.
func (t *Tool[P]) ListsPaths() bool { return len(pathLists(t.out)) > 0 }

// pathLists are the fields with the tag, also those of structs that are embedded.
func pathLists(t reflect.Type) [][]int {
	var out [][]int
	for _, f := range reflect.VisibleFields(t) {
		if f.Tag.Get("paths") != "" {
			out = append(out, f.Index)
		}
	}
	return out
}

type pathWriter struct {
	w    *bufio.Writer
	nul  bool
	seen map[string]bool
}

func (p *pathWriter) list(v reflect.Value) error {
	if s, ok := v.Interface().(Stream); ok {
		return s.each(func(_ string, row reflect.Value) error { return p.row(row) })
	}
	for i := range v.Len() {
		if err := p.row(v.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

func (p *pathWriter) row(v reflect.Value) error {
	path := v.FieldByName("Path").String()
	if p.seen[path] {
		return nil
	}
	p.seen[path] = true
	end := byte(0)
	if !p.nul {
		path, end = Escape(path), '\n'
	}
	p.w.WriteString(path)
	return p.w.WriteByte(end)
}
