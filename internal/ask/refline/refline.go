// Package refline reads the source lines of references. Its neighbour below is engine/view, which reads the files; operations print
// the lines beside references.
package refline

import (
	"bytes"
	"context"

	"ken/internal/code"
	"ken/internal/engine/view"
)

// maxLine is the length in bytes of the longest source line that is returned whole.
const maxLine = 160

// Of returns the current source line of each reference, without surrounding blanks and with secrets masked. The line is "" if the
// file can no longer be read. Each file is read once. It returns an error if the index cannot be read or ctx ends.
func Of(ctx context.Context, s *view.Snapshot, list []view.Reference) ([]string, error) {
	out := make([]string, len(list))
	at := map[string][]int{}
	var files []code.File
	for i := range list {
		p := list[i].Path
		if at[p] == nil {
			f, err := s.File(ctx, p)
			if err != nil {
				return nil, err
			}
			files = append(files, f)
		}
		at[p] = append(at[p], i)
	}
	known, err := s.KnownSecrets()
	if err != nil {
		return nil, err
	}
	type fileLines struct {
		path  string
		lines []string
	}
	none := func() struct{} { return struct{}{} }
	edit := func(_ struct{}, f view.FileText) fileLines {
		got := fileLines{path: f.File.Path}
		if f.Copies {
			known.Mask(f.Text)
		}
		for _, i := range at[f.File.Path] {
			got.lines = append(got.lines, line(f.Text, &list[i]))
		}
		return got
	}
	for got, err := range view.Texts(ctx, s, files, none, edit) {
		if err != nil {
			return nil, err
		}
		for k, i := range at[got.path] {
			out[i] = got.lines[k]
		}
	}
	return out, nil
}

// line returns the line of a text that contains a reference, or the part around the reference if the line is long.
func line(text []byte, r *view.Reference) string {
	if int(r.End) > len(text) {
		return ""
	}
	start := bytes.LastIndexByte(text[:r.Start], '\n') + 1
	end := len(text)
	if n := bytes.IndexByte(text[r.Start:], '\n'); n >= 0 {
		end = int(r.Start) + n
	}
	if end-start > maxLine {
		from := max(start, min(int(r.Start)-maxLine/4, end-maxLine))
		start, end = from, from+maxLine
	}
	return string(bytes.ToValidUTF8(bytes.TrimSpace(text[start:end]), nil))
}
