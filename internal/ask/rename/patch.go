package rename

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/source"
	"ken/internal/lang"
)

// fileText is the masked text of a file.
type fileText struct {
	text, shown []byte   // shown: copies of secrets masked, too
	hidden      [][2]int // bytes of masked values
}

// textReader reads the files with places, each once.
type textReader struct {
	*source.Reader
	known *source.Known
	files map[string]fileText
}

func (x *search) newTexts() (err error) {
	x.texts.files = map[string]fileText{}
	if x.texts.known, err = x.s.KnownSecrets(); err == nil {
		x.texts.Reader, err = x.s.Tree.NewReader(nil)
	}
	return err
}

// file returns the text of a file, an empty one if it cannot be read.
func (r *textReader) file(ctx context.Context, path string) fileText {
	f, ok := r.files[path]
	if ok {
		return f
	}
	if o, err := r.Open(ctx, path); err == nil {
		text, secrets := o.MaskedText()
		f.text = bytes.Clone(text)
		for _, s := range secrets {
			f.hidden = append(f.hidden, [2]int{int(s.Start), int(s.End)})
		}
		f.shown = bytes.Clone(f.text)
		r.known.Mask(f.shown)
	}
	r.files[path] = f
	return f
}

// readLines reads the lines of the places, and marks those that cannot be patched because a value in their line is masked or the file has
// changed.
func (x *search) readLines() error {
	if err := x.newTexts(); err != nil {
		return err
	}
	name := x.out.Targets[0].Name
	target := &x.out.Targets[0]
	// A variant of an enum is a member, too, but is in braces only in imports.
	field := target.Symbol.Container() != "" && !target.Kind.IsType() && target.Kind != code.KindEnumMember
	var kept []Place
	for _, p := range x.out.Places {
		f := x.texts.file(x.ctx, p.Path)
		if !p.read(&f, name) {
			continue
		}
		n, _ := x.s.Lookup.Node(p.Path)
		traits := &lang.Of(n.Lang).Traits
		var again *Place
		switch {
		case p.Unsure != "":
		case p.Kind == kindDefinition && traits.NamedTypes:
			again = p.again(ownName(), f.text, name)
		case p.Kind == code.RefImport.String(), p.Kind == code.RefExport.String():
			again = p.again(sameAlias(), f.text, name)
		}
		if again != nil && again.read(&f, name) {
			kept = append(kept, *again)
		}
		if field && p.Kind != kindDefinition && traits.ShortFields {
			p.short = shortForm(f.text, int(p.Start), int(p.End)) + 1
		}
		kept = append(kept, p)
	}
	x.out.Places = kept
	x.out.sort()
	return x.ctx.Err()
}

// read fills in the line of a place. It reports false for a place with another name, which an import gave it.
func (p *Place) read(f *fileText, name string) bool {
	text := f.text
	if int(p.End) > len(text) {
		p.Unsure = changed
		return true
	}
	p.at = bytes.LastIndexByte(text[:p.Start], '\n') + 1
	end := len(text)
	if i := bytes.IndexByte(text[p.at:], '\n'); i >= 0 {
		end = p.at + i
	} else {
		p.last = true
	}
	p.line = text[p.at:end]
	p.Line = uint32(bytes.Count(text[:p.at], []byte("\n"))) + 1
	isMasked := !bytes.Equal(p.line, f.shown[p.at:end])
	for _, h := range f.hidden {
		isMasked = isMasked || h[0] < end && p.at < h[1]
	}
	switch {
	case isMasked:
		p.line, p.Unsure = f.shown[p.at:end], masked
	case !p.other && string(text[p.Start:p.End]) != name:
		return false
	}
	return true
}

// Patchable reports whether a patch can change a place: its line is known and has no masked value, and the name is in it.
func (p *Place) Patchable() bool {
	return p.line != nil && !p.other && p.Unsure != masked && p.Unsure != changed
}

// LineText returns the line of a place, secrets masked.
func (p *Place) LineText() string { return string(p.line) }

// WritePatch writes a patch without context lines that gives places their new name, as "git apply --unidiff-zero" takes it. Places
// that cannot be patched are left out. files are renamed, if a place in them is. It returns an error if w does.
func WritePatch(w io.Writer, places []Place, to string, files map[string]string) error {
	var b bytes.Buffer
	path := ""
	for from := 0; from < len(places); {
		until := from + 1
		for until < len(places) && places[until].Path == places[from].Path && places[until].at == places[from].at {
			until++
		}
		same := slices.DeleteFunc(slices.Clone(places[from:until]), func(p Place) bool { return !p.Patchable() })
		if len(same) > 0 {
			if p := &same[0]; p.Path != path {
				path = p.Path
				head(&b, path, cmp.Or(files[path], path))
			}
			hunk(&b, same, to)
		}
		from = until
	}
	_, err := w.Write(b.Bytes())
	return err
}

// head writes the lines of a patch with which the changes of a file begin.
func head(b *bytes.Buffer, from, to string) {
	fmt.Fprintf(b, "diff --git %s %s\n", quotePath("a/"+from), quotePath("b/"+to))
	if from != to {
		fmt.Fprintf(b, "rename from %s\nrename to %s\n", quotePath(from), quotePath(to))
	}
	fmt.Fprintf(b, "--- %s\n+++ %s\n", quotePath("a/"+from), quotePath("b/"+to))
}

// hunk writes the change of one line. same holds the places in that line.
func hunk(b *bytes.Buffer, same []Place, to string) {
	p := &same[0]
	fmt.Fprintf(b, "@@ -%d +%d @@\n", p.Line, p.Line)
	ending := "\n"
	if p.last {
		ending = "\n\\ No newline at end of file\n"
	}
	b.WriteByte('-')
	b.Write(p.line)
	b.WriteString(ending + "+")
	done := 0
	for i := range same {
		start, end := int(same[i].Start)-p.at, int(same[i].End)-p.at
		if short := same[i].short - 1 - p.at; short >= done { // in this line
			b.Write(p.line[done:short])
			b.WriteString(to + ": ")
			done = short
			continue // the variable keeps its name
		}
		b.Write(p.line[done:start])
		b.WriteString(to)
		done = end
	}
	b.Write(p.line[done:])
	b.WriteString(ending)
}

// quotePath writes a path as git does: in quotes with escapes where it has bytes that a line of a patch cannot contain.
func quotePath(path string) string {
	plain := true
	for i := range len(path) {
		if c := path[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			plain = false
		}
	}
	if plain {
		return path
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(path) {
		switch c := path[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + `"`
}
