package refs

import (
	"bytes"
	"context"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/view"
)

// maxLine is how much of a source line is shown, in bytes.
const maxLine = 160

// Lines are the source lines of references as they are now, without the blanks
// around them, secrets masked; "" where a file cannot be read any more. Each file
// is read once.
func Lines(ctx context.Context, s *view.Snapshot, list []view.Reference) ([]string, error) {
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
	known, err := s.Known()
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
			got.lines = append(got.lines, lineOf(f.Text, &list[i]))
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

// lineOf is the line of a text that a reference is in; of a long one the part
// around the reference.
func lineOf(text []byte, r *view.Reference) string {
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

// BySurety orders references, the surest first, then by place; those through a
// member above come after those bound by a name that is unique.
func BySurety(list []view.Reference) {
	slices.SortStableFunc(list, func(a, b view.Reference) int { return rank(&b) - rank(&a) })
}

func rank(r *view.Reference) int {
	n := 2 * int(r.Confidence)
	if r.Through != "" {
		n--
	}
	return n
}
