package pack

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"unsafe"

	"ken/internal/code"

	"ken/internal/engine/view"
)

// Stream writes a pack of whole files, of their signatures if Compress is set, without a budget. It holds a few files at a time: the
// facts of the head, such as the numbers of tokens, come from the index. It fails if a file cannot be read or w fails.
func Stream(ctx context.Context, w io.Writer, s *view.Snapshot, files []code.File, opt Options) error {
	st := &streamer{w: w, write: newWriter(opt.Format, opt.Compress), opt: opt}
	if err := st.begin(files); err != nil {
		return err
	}
	var err error
	if opt.Compress {
		err = st.writeSignatures(ctx, s, files)
	} else {
		err = st.writeSources(ctx, s, files)
	}
	if err != nil {
		return err
	}
	return st.end()
}

type streamer struct {
	w       io.Writer
	write   writer
	opt     Options
	head    packHead
	skipped []Left
	written int
	buf     []byte
}

// streamBuffer is the size of the write buffer, in bytes.
const streamBuffer = 64 << 10

// mask masks the secrets in a piece of the output.
func (st *streamer) mask(b []byte) {
	if st.opt.Mask != nil {
		st.opt.Mask(b)
	}
}

func (st *streamer) flush(at int) error {
	if len(st.buf) < at || len(st.buf) == 0 {
		return nil
	}
	if st.opt.Compress || st.opt.MaskPaths {
		st.mask(st.buf)
	}
	_, err := st.w.Write(st.buf)
	st.buf = st.buf[:0]
	return err
}

func (st *streamer) begin(files []code.File) error {
	st.head = packHead{revision: st.opt.Revision, tokenizer: st.opt.Tokenizer.Name(), files: len(files)}
	for i := range files {
		st.head.tokens += st.opt.Tokenizer.OfFile(files[i])
	}
	st.skipped = st.opt.Skipped
	st.buf = st.write.begin(st.buf, &st.head)
	for i := range files {
		st.buf = st.write.entry(st.buf, &shownFile{path: files[i].Path, fileTokens: st.opt.Tokenizer.OfFile(files[i])}, i == 0)
		if err := st.flush(streamBuffer); err != nil {
			return err
		}
	}
	st.buf = st.write.enter(st.buf)
	return nil
}

// writeSources writes whole files, which are read and rendered on all cores.
func (st *streamer) writeSources(ctx context.Context, s *view.Snapshot, files []code.File) error {
	pool := sync.Pool{New: func() any { return new([]byte) }}
	first := ""
	if len(files) > 0 {
		first = files[0].Path
	}
	render := func(_ struct{}, f view.FileText) *[]byte {
		text, lines := wholeText(f.Text, st.write.plain())
		doc := &shownFile{path: f.File.Path, lang: f.File.Lang, lines: lines, fileTokens: st.opt.Tokenizer.OfFile(f.File)}
		doc.tokens = doc.fileTokens
		if lines > 0 {
			doc.parts = []filePart{{source: true, from: 1, to: lines, text: text}}
		}
		b := pool.Get().(*[]byte)
		*b = st.write.file((*b)[:0], doc, f.File.Path == first)
		if f.Copies || st.opt.MaskPaths {
			st.mask(*b)
		}
		return b
	}
	for b, err := range view.Texts(ctx, s, files, func() struct{} { return struct{}{} }, render) {
		if err != nil {
			return fmt.Errorf("read the files: %w", err)
		}
		if len(*b) < streamBuffer {
			st.buf = append(st.buf, *b...)
			err = st.flush(streamBuffer)
		} else {
			if err = st.flush(0); err == nil {
				_, err = st.w.Write(*b)
			}
		}
		pool.Put(b)
		if err != nil {
			return err
		}
	}
	return nil
}

// writeSignatures writes the signatures of files. Files without any are left out.
func (st *streamer) writeSignatures(ctx context.Context, s *view.Snapshot, files []code.File) error {
	plain := st.write.plain()
	var text []byte
	var parts []filePart
	for i := range files {
		f := &files[i]
		list, err := s.Signatures(ctx, *f)
		if err != nil {
			return err
		}
		parts, text = parts[:0], text[:0]
		for k := range list {
			if list[k].Signature == "" {
				continue
			}
			p := signaturePart(&list[k], plain)
			p.depth = symbolDepth(list, k)
			parts = append(parts, p)
			text = append(append(text, p.text...), '\n')
		}
		if len(parts) == 0 {
			st.skipped = append(st.skipped, Left{Path: f.Path, Tokens: st.opt.Tokenizer.OfFile(*f), Why: "no signatures"})
			continue
		}
		doc := &shownFile{path: f.Path, lang: f.Lang, lines: int(f.Lines), fileTokens: st.opt.Tokenizer.OfFile(*f), parts: parts}
		doc.tokens = st.opt.Tokenizer.Count(bytes.TrimSuffix(text, []byte{'\n'}))
		st.buf = st.write.file(st.buf, doc, st.written == 0)
		st.written++
		if err := st.flush(streamBuffer); err != nil {
			return err
		}
	}
	return nil
}

// maxStreamLeft is the number of omitted files that a stream lists one by one.
const maxStreamLeft = 200

func (st *streamer) end() error {
	st.head.leftFiles = len(st.skipped)
	for _, l := range st.skipped {
		st.head.leftTokens += l.Tokens
	}
	st.head.left = st.skipped[:min(len(st.skipped), maxStreamLeft)]
	st.buf = st.write.end(st.buf, &st.head)
	return st.flush(0)
}

// symbolDepth returns the number of declarations around a symbol of a list.
func symbolDepth(list []view.Symbol, at int) int {
	depth := 0
	for up := list[at].Parent; up >= 0 && int(up) < len(list) && depth < maxDepth; up = list[up].Parent {
		depth++
	}
	return depth
}

// wholeText does the same as newLines for a text that is shown whole: it returns the
// joined lines and their number. If all characters are visible, as in most texts,
// nothing is copied, and the result shares memory with text.
func wholeText(text []byte, plain bool) (string, int) {
	if !isPlainText(text) {
		l := newLines(text, plain)
		return strings.Join(l, "\n"), len(l)
	}
	if len(text) == 0 {
		return "", 0
	}
	text = bytes.TrimSuffix(text, []byte{'\n'})
	return unsafe.String(unsafe.SliceData(text), len(text)), bytes.Count(text, []byte{'\n'}) + 1
}

// isPlainText reports whether a text certainly needs no change to be shown; false may be wrong.
func isPlainText(text []byte) bool {
	for _, c := range text {
		switch {
		case c == '\n', c == '\t':
		case c < ' ', c >= 0x7f:
			return false
		}
	}
	return true
}
