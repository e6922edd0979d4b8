package scip

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/encoding/protowire"
)

// maxMessage bounds one document of an index, in bytes.
const maxMessage = 256 << 20

// Read calls meta and document for the messages of an index as they come; either may be nil. Unknown messages are
// skipped. It holds one document in memory at a time. It fails with ErrInvalid if the bytes are not a SCIP index, or
// with the error of a callback.
func Read(r io.Reader, meta func(*Metadata) error, document func(*Document) error) error {
	in := bufio.NewReaderSize(r, 1<<20)
	var buf bytes.Buffer
	for {
		tag, err := binary.ReadUvarint(in)
		if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		}
		if err != nil {
			return invalid(err)
		}
		num, typ := protowire.DecodeTag(tag)
		if num < 1 {
			return ErrInvalid
		}
		if typ != protowire.BytesType {
			if err := skipField(in, typ); err != nil {
				return err
			}
			continue
		}
		size, err := binary.ReadUvarint(in)
		if err != nil {
			return invalid(err)
		}
		if size > maxMessage {
			return fmt.Errorf("%w: a message of %d bytes", ErrInvalid, size)
		}
		buf.Reset() // it grows with the bytes that come, not by the size that is claimed
		if n, err := io.CopyN(&buf, in, int64(size)); err != nil || n != int64(size) {
			return invalid(io.ErrUnexpectedEOF)
		}
		if err := dispatch(num, buf.Bytes(), meta, document); err != nil {
			return err
		}
	}
}

// invalid wraps the cause of a failed read in ErrInvalid.
func invalid(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: it ends too early", ErrInvalid)
	}
	return fmt.Errorf("%w: %v", ErrInvalid, err)
}

func skipField(in *bufio.Reader, typ protowire.Type) error {
	n := 0
	switch typ {
	case protowire.VarintType:
		_, err := binary.ReadUvarint(in)
		if err != nil {
			return invalid(err)
		}
		return nil
	case protowire.Fixed32Type:
		n = 4
	case protowire.Fixed64Type:
		n = 8
	default:
		return ErrInvalid
	}
	if _, err := in.Discard(n); err != nil {
		return invalid(err)
	}
	return nil
}

func dispatch(num protowire.Number, b []byte, meta func(*Metadata) error, document func(*Document) error) error {
	switch {
	case num == 1 && meta != nil:
		m := &Metadata{}
		if err := m.decode(b); err != nil {
			return err
		}
		return meta(m)
	case num == 2 && document != nil:
		d := &Document{}
		if err := d.decode(b); err != nil {
			return err
		}
		return document(d)
	}
	return nil
}

// field is one field of a message: bytes, or a number.
type field struct {
	num  protowire.Number
	data []byte
	n    uint64
	typ  protowire.Type
}

// fields calls f for every field of a message that is a number or bytes.
func fields(b []byte, f func(field) error) error {
	for len(b) > 0 {
		num, typ, n := protowire.ConsumeTag(b)
		if n < 0 {
			return ErrInvalid
		}
		b = b[n:]
		x := field{num: num, typ: typ}
		switch typ {
		case protowire.VarintType:
			x.n, n = protowire.ConsumeVarint(b)
		case protowire.BytesType:
			x.data, n = protowire.ConsumeBytes(b)
		default:
			n = protowire.ConsumeFieldValue(num, typ, b)
		}
		if n < 0 {
			return ErrInvalid
		}
		b = b[n:]
		if typ != protowire.VarintType && typ != protowire.BytesType {
			continue
		}
		if err := f(x); err != nil {
			return err
		}
	}
	return nil
}

func (m *Metadata) decode(b []byte) error {
	return fields(b, func(f field) error {
		switch f.num {
		case 2:
			return fields(f.data, func(f field) error {
				switch f.num {
				case 1:
					m.Tool = string(f.data)
				case 2:
					m.Version = string(f.data)
				}
				return nil
			})
		case 3:
			m.ProjectRoot = string(f.data)
		}
		return nil
	})
}

func (d *Document) decode(b []byte) error {
	return fields(b, func(f field) error {
		switch f.num {
		case 1:
			d.Path = string(f.data)
		case 2:
			var o Occurrence
			ok, err := o.decode(f.data)
			if ok {
				d.Occurrences = append(d.Occurrences, o)
			}
			return err
		case 3:
			var s Symbol
			err := s.decode(f.data)
			d.Symbols = append(d.Symbols, s)
			return err
		case 4:
			d.Language = string(f.data)
		case 5:
			d.Text, d.HasText = string(f.data), len(f.data) > 0
		case 6:
			d.Encoding = Encoding(f.n)
		}
		return nil
	})
}

// decode reads an occurrence. It reports false for one without a usable range.
func (o *Occurrence) decode(b []byte) (bool, error) {
	var at, around []int32
	err := fields(b, func(f field) (err error) {
		switch f.num {
		case 1:
			at, err = numbers(at, f)
		case 2:
			o.Symbol = string(f.data)
		case 3:
			o.Roles = int32(f.n)
		case 7:
			around, err = numbers(around, f)
		}
		return err
	})
	if r, ok := newRange(around); ok {
		o.Enclosing = &r
	}
	r, ok := newRange(at)
	o.Range = r
	return ok, err
}

// numbers adds the numbers of a repeated field, packed or not; a range has four.
func numbers(list []int32, f field) ([]int32, error) {
	if len(list) > 4 {
		return nil, ErrInvalid
	}
	if f.typ == protowire.VarintType {
		return append(list, int32(f.n)), nil
	}
	for b := f.data; len(b) > 0; {
		v, n := protowire.ConsumeVarint(b)
		if n < 0 || len(list) > 4 {
			return nil, ErrInvalid
		}
		list, b = append(list, int32(v)), b[n:]
	}
	return list, nil
}

// newRange makes a range of three or four numbers that go forward.
func newRange(n []int32) (Range, bool) {
	var r Range
	switch len(n) {
	case 3:
		r = Range{Position{n[0], n[1]}, Position{n[0], n[2]}}
	case 4:
		r = Range{Position{n[0], n[1]}, Position{n[2], n[3]}}
	default:
		return r, false
	}
	if r.Start.Line < 0 || r.Start.Char < 0 || r.End.Char < 0 {
		return r, false
	}
	forward := r.Start.Line < r.End.Line || r.Start.Line == r.End.Line && r.Start.Char <= r.End.Char
	return r, forward
}

func (s *Symbol) decode(b []byte) error {
	return fields(b, func(f field) error {
		switch f.num {
		case 1:
			s.Symbol = string(f.data)
		case 3:
			if s.Documentation != "" {
				s.Documentation += "\n"
			}
			s.Documentation += string(f.data)
		case 4:
			return s.relationship(f.data)
		case 5:
			s.Kind = int32(f.n)
		case 6:
			s.Name = string(f.data)
		case 7:
			var d Document
			err := d.decode(f.data)
			s.Signature, s.Language = d.Text, d.Language
			return err
		}
		return nil
	})
}

func (s *Symbol) relationship(b []byte) error {
	other, implements := "", false
	err := fields(b, func(f field) error {
		switch f.num {
		case 1:
			other = string(f.data)
		case 3:
			implements = f.n != 0
		}
		return nil
	})
	if implements {
		s.Implements = append(s.Implements, other)
	}
	return err
}

// Writer writes an index, message by message.
type Writer struct {
	w   io.Writer
	buf []byte
	sub []byte
}

// NewWriter returns a writer. Metadata must be written first.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

func (w *Writer) message(num protowire.Number, body []byte) error {
	w.buf = protowire.AppendTag(w.buf[:0], num, protowire.BytesType)
	w.buf = protowire.AppendVarint(w.buf, uint64(len(body)))
	if _, err := w.w.Write(w.buf); err != nil {
		return err
	}
	_, err := w.w.Write(body)
	return err
}

// Metadata writes the description of the index; its texts are UTF-8. It returns the error of the underlying writer.
func (w *Writer) Metadata(m *Metadata) error {
	tool := text(nil, 1, m.Tool)
	tool = text(tool, 2, m.Version)
	b := embed(nil, 2, tool)
	b = text(b, 3, m.ProjectRoot)
	b = number(b, 4, 1)
	return w.message(1, b)
}

// Document writes one document. It returns the error of the underlying writer.
func (w *Writer) Document(d *Document) error {
	b := text(w.sub[:0], 1, d.Path)
	for i := range d.Occurrences {
		b = embed(b, 2, d.Occurrences[i].encode())
	}
	for i := range d.Symbols {
		b = embed(b, 3, d.Symbols[i].encode())
	}
	b = text(b, 4, d.Language)
	if d.HasText {
		b = text(b, 5, d.Text)
	}
	b = number(b, 6, uint64(d.Encoding))
	w.sub = b
	return w.message(2, b)
}

func (o *Occurrence) encode() []byte {
	b := appendRange(nil, 1, o.Range)
	b = text(b, 2, o.Symbol)
	b = number(b, 3, uint64(o.Roles))
	if o.Enclosing != nil {
		b = appendRange(b, 7, *o.Enclosing)
	}
	return b
}

func (s *Symbol) encode() []byte {
	b := text(nil, 1, s.Symbol)
	b = text(b, 3, s.Documentation)
	for _, other := range s.Implements {
		b = embed(b, 4, number(text(nil, 1, other), 3, 1))
	}
	b = number(b, 5, uint64(s.Kind))
	b = text(b, 6, s.Name)
	if s.Signature != "" {
		b = embed(b, 7, text(text(nil, 4, s.Language), 5, s.Signature))
	}
	return b
}

func text(b []byte, num protowire.Number, s string) []byte {
	if s == "" {
		return b
	}
	return protowire.AppendString(protowire.AppendTag(b, num, protowire.BytesType), s)
}

func embed(b []byte, num protowire.Number, msg []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, num, protowire.BytesType), msg)
}

func number(b []byte, num protowire.Number, n uint64) []byte {
	if n == 0 {
		return b
	}
	return protowire.AppendVarint(protowire.AppendTag(b, num, protowire.VarintType), n)
}

func appendRange(b []byte, num protowire.Number, r Range) []byte {
	var p []byte
	p = protowire.AppendVarint(p, uint64(r.Start.Line))
	p = protowire.AppendVarint(p, uint64(r.Start.Char))
	if r.End.Line != r.Start.Line {
		p = protowire.AppendVarint(p, uint64(r.End.Line))
	}
	p = protowire.AppendVarint(p, uint64(r.End.Char))
	return embed(b, num, p)
}
