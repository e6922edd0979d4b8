package operation

import (
	"encoding/base64"
	"io"
	"iter"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Path is a path relative to the project's root, separated by '/'. In JSON one
// that is not UTF-8 is written with U+FFFD and followed by a second key,
// "<key>_base64", with its bytes.
type Path string

// Rows is a list that is made while it is written, so that a long answer never
// is in memory as a whole.
type Rows[T any] iter.Seq2[T, error]

// Entry is one key and value of Entries.
type Entry[T any] struct {
	Key   string
	Value T
}

// Entries is a JSON object made while it is written.
type Entries[T any] iter.Seq2[Entry[T], error]

// Stream lets the encoder read Rows and Entries of any type.
type Stream interface {
	each(f func(key string, row reflect.Value) error) error
	row() (t reflect.Type, keyed bool)
}

func (r Rows[T]) row() (reflect.Type, bool) { return reflect.TypeFor[T](), false }

func (r Rows[T]) each(f func(string, reflect.Value) error) error {
	if r == nil {
		return nil
	}
	for row, err := range r {
		if err != nil {
			return err
		}
		if err := f("", reflect.ValueOf(&row).Elem()); err != nil {
			return err
		}
	}
	return nil
}

func (e Entries[T]) row() (reflect.Type, bool) { return reflect.TypeFor[T](), true }

func (e Entries[T]) each(f func(string, reflect.Value) error) error {
	if e == nil {
		return nil
	}
	for entry, err := range e {
		if err != nil {
			return err
		}
		if err := f(entry.Key, reflect.ValueOf(&entry.Value).Elem()); err != nil {
			return err
		}
	}
	return nil
}

var (
	pathType   = reflect.TypeFor[Path]()
	streamType = reflect.TypeFor[Stream]()
)

// rowType is the type of the rows of a Rows or Entries type.
func rowType(t reflect.Type) (row reflect.Type, keyed, ok bool) {
	if !t.Implements(streamType) {
		return nil, false, false
	}
	row, keyed = reflect.Zero(t).Interface().(Stream).row()
	return row, keyed, true
}

// jsonField is a field of an answer as its tags declare it.
type jsonField struct {
	name      string
	doc       string
	omitEmpty bool
	index     []int
	typ       reflect.Type
}

// fieldCache holds jsonFields by type: rows are many, types few.
type fieldCache map[reflect.Type][]jsonField

func (c fieldCache) of(t reflect.Type) []jsonField {
	f, ok := c[t]
	if !ok {
		f = jsonFields(t)
		c[t] = f
	}
	return f
}

// jsonFields lists the fields of a struct, those of embedded structs in their place.
func jsonFields(t reflect.Type) []jsonField {
	var out []jsonField
	for i := range t.NumField() {
		sf := t.Field(i)
		if sf.Anonymous {
			for _, f := range jsonFields(sf.Type) {
				f.index = append([]int{i}, f.index...)
				out = append(out, f)
			}
			continue
		}
		name, opts, _ := strings.Cut(sf.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		out = append(out, jsonField{name: name, doc: sf.Tag.Get("doc"), omitEmpty: opts == "omitempty", index: []int{i}, typ: sf.Type})
	}
	return out
}

// flushAt is the number of buffered bytes at which the encoder writes them out.
const flushAt = 32 << 10

// RawAnswer is an answer that may have a format of its own, in which it writes
// itself; Raw is nil if it is written as JSON.
type RawAnswer interface{ Raw() func(io.Writer) error }

// ChosenAnswer is an answer that writes only one of its parts as JSON.
type ChosenAnswer interface{ JSONValue() any }

// EndlessAnswer is an answer that ends only when it is interrupted.
type EndlessAnswer interface{ Lines() Stream }

// WriteJSON writes an answer as one JSON object and a line feed, with each row
// of its lists on a line. An endless answer is one object a line, each written
// out at once. Text that is not UTF-8 gets U+FFFD, and control characters that a
// terminal would obey are escaped. It fails if w does or an endless answer ends
// with an error.
func WriteJSON(w io.Writer, answer any) error {
	if r, ok := answer.(RawAnswer); ok && r.Raw() != nil {
		return r.Raw()(w)
	}
	e := &encoder{w: w, fields: fieldCache{}}
	if c, ok := answer.(ChosenAnswer); ok {
		answer = c.JSONValue()
	}
	if l, ok := answer.(EndlessAnswer); ok {
		return e.lines(l.Lines())
	}
	if err := e.object(reflect.ValueOf(answer).Elem(), true); err != nil {
		return err
	}
	e.b = append(e.b, '\n')
	return e.flush()
}

type encoder struct {
	w      io.Writer
	b      []byte
	fields fieldCache
}

func (e *encoder) flush() error {
	_, err := e.w.Write(e.b)
	e.b = e.b[:0]
	return err
}

// object writes a struct; lists at the top get a line for each row.
func (e *encoder) object(v reflect.Value, top bool) error {
	e.b = append(e.b, '{')
	first := true
	key := func(name string) {
		if !first {
			e.b = append(e.b, ',')
		}
		first = false
		e.b = appendString(e.b, name)
		e.b = append(e.b, ':')
	}
	for _, f := range e.fields.of(v.Type()) {
		fv := v.FieldByIndex(f.index)
		if f.omitEmpty && (fv.IsZero() || fv.Kind() == reflect.Slice && fv.Len() == 0) {
			continue
		}
		key(f.name)
		if err := e.value(fv, top); err != nil {
			return err
		}
		if f.typ == pathType && !utf8.ValidString(fv.String()) {
			key(f.name + "_base64")
			e.b = append(e.b, '"')
			e.b = base64.StdEncoding.AppendEncode(e.b, []byte(fv.String()))
			e.b = append(e.b, '"')
		}
	}
	e.b = append(e.b, '}')
	return nil
}

func (e *encoder) value(v reflect.Value, top bool) error {
	switch v.Kind() {
	case reflect.Func:
		return e.stream(v.Interface().(Stream))
	case reflect.Struct:
		return e.object(v, false)
	case reflect.Slice:
		return e.list(v, top)
	case reflect.Map:
		e.counts(v.Interface().(map[string]int))
	case reflect.Pointer:
		if v.IsNil() {
			e.b = append(e.b, "null"...)
			return nil
		}
		return e.value(v.Elem(), false)
	case reflect.String:
		e.b = appendString(e.b, v.String())
	case reflect.Bool:
		e.b = strconv.AppendBool(e.b, v.Bool())
	case reflect.Float64:
		e.b = appendFloat(e.b, v.Float())
	case reflect.Int, reflect.Int64, reflect.Int32:
		e.b = strconv.AppendInt(e.b, v.Int(), 10)
	case reflect.Uint32, reflect.Uint64, reflect.Uint:
		e.b = strconv.AppendUint(e.b, v.Uint(), 10)
	default:
		panic("tool: no JSON for " + v.Type().String())
	}
	return nil
}

func (e *encoder) list(v reflect.Value, top bool) error {
	e.b = append(e.b, '[')
	for i := range v.Len() {
		if err := e.separate(i, top); err != nil {
			return err
		}
		if err := e.value(v.Index(i), false); err != nil {
			return err
		}
	}
	if top && v.Len() > 0 {
		e.b = append(e.b, '\n')
	}
	e.b = append(e.b, ']')
	return nil
}

// separate goes on to element n of a list.
func (e *encoder) separate(n int, lines bool) error {
	if n > 0 {
		e.b = append(e.b, ',')
	}
	if lines {
		e.b = append(e.b, '\n')
	}
	if len(e.b) < flushAt {
		return nil
	}
	return e.flush()
}

func (e *encoder) stream(s Stream) error {
	_, keyed := s.row()
	brackets := "[]"
	if keyed {
		brackets = "{}"
	}
	e.b = append(e.b, brackets[0])
	n := 0
	err := s.each(func(key string, row reflect.Value) error {
		if err := e.separate(n, true); err != nil {
			return err
		}
		n++
		if keyed {
			e.b = appendString(e.b, key)
			e.b = append(e.b, ':')
		}
		return e.value(row, false)
	})
	if n > 0 {
		e.b = append(e.b, '\n')
	}
	e.b = append(e.b, brackets[1])
	return err
}

// lines writes each row as an object of its own.
func (e *encoder) lines(s Stream) error {
	return s.each(func(_ string, row reflect.Value) error {
		if err := e.value(row, false); err != nil {
			return err
		}
		e.b = append(e.b, '\n')
		if err := e.flush(); err != nil {
			return err
		}
		if f, ok := e.w.(interface{ Flush() error }); ok { // a Text: a reader waits for the line
			return f.Flush()
		}
		return nil
	})
}

// counts writes a map by key.
func (e *encoder) counts(m map[string]int) {
	e.b = append(e.b, '{')
	for i, k := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			e.b = append(e.b, ',')
		}
		e.b = appendString(e.b, k)
		e.b = append(e.b, ':')
		e.b = strconv.AppendInt(e.b, int64(m[k]), 10)
	}
	e.b = append(e.b, '}')
}

// appendFloat writes six significant digits: shares and ranks carry no more.
func appendFloat(b []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(b, '0')
	}
	return strconv.AppendFloat(b, f, 'g', 6, 64)
}

// appendString writes a JSON string. Beyond the escapes that JSON requires,
// everything that is not graphic is escaped: JSON too is read on terminals.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			b = appendASCII(b, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b = append(b, "\uFFFD"...)
		case visible(r):
			b = append(b, s[i:i+n]...)
		default:
			b = appendUTF16(b, r)
		}
		i += n
	}
	return append(b, '"')
}

func appendASCII(b []byte, c byte) []byte {
	switch {
	case c == '"' || c == '\\':
		return append(b, '\\', c)
	case c == '\n':
		return append(b, '\\', 'n')
	case c == '\t':
		return append(b, '\\', 't')
	case c == '\r':
		return append(b, '\\', 'r')
	case c < ' ' || c == 0x7f:
		return appendHex(b, rune(c))
	}
	return append(b, c)
}
