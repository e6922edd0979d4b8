package planop

import (
	"context"
	"reflect"
	"strconv"

	"ken/internal/operation"
)

// NoInput is the input of an operation that takes none.
type NoInput struct{}

// Spec declares an operation of planning. In is a struct whose fields carry the tags that operation.Field describes.
type Spec[In, Ans any] struct {
	Name     string
	Also     []string
	Summary  string
	Writes   bool
	Shared   bool
	Lasting  string
	Anywhere bool
	// Enums are the values that inputs can have, by their names, where a tag cannot list them.
	Enums map[string][]string
	Run   func(ctx context.Context, c *Call, in *In) (Ans, error)
	Plain func(Ans) string
	Bare  bool
	Page  func(Ans) string
}

// Operation returns the operation in the form that the command line of planning reads. It is the bridge between typed
// declarations and that command line, for as long as it has a parser of its own.
func (s Spec[In, Ans]) Operation() *Operation {
	o := &Operation{
		Name: s.Name, Also: s.Also, Summary: s.Summary, Writes: s.Writes, Shared: s.Shared, Lasting: s.Lasting, Anywhere: s.Anywhere, Bare: s.Bare,
	}
	fields := operation.Fields(reflect.TypeFor[In]())
	for i := range fields {
		if e, ok := s.Enums[fields[i].Name]; ok {
			fields[i].Enum = e
		}
	}
	for _, f := range fields {
		if f.Positional {
			o.Args = append(o.Args, Arg{Name: f.Name, Help: f.Help, Optional: !f.Required, Many: f.Many || f.Joined, Enum: f.Enum})
			continue
		}
		o.Flags = append(o.Flags, Flag{Name: f.Name, Help: f.Help, Enum: f.Enum, Kind: kindOf(&f)})
	}
	o.Run = func(ctx context.Context, c *Call) (any, error) {
		in := new(In)
		if err := c.decode(in, fields); err != nil {
			return nil, err
		}
		a, err := s.Run(ctx, c, in)
		if err != nil {
			return nil, err
		}
		return a, nil
	}
	o.Plain, o.Page = untyped(s.Plain), untyped(s.Page)
	return o
}

func untyped[Ans any](f func(Ans) string) func(any) string {
	if f == nil {
		return nil
	}
	return func(a any) string {
		v, _ := a.(Ans)
		return f(v)
	}
}

func kindOf(f *operation.Field) Kind {
	switch {
	case f.Pairs:
		return Pairs
	case f.Words:
		return Words
	case f.Type == "boolean":
		return Switch
	case f.Type == "integer":
		return Number
	case f.Type == "list":
		return List
	}
	return Text
}

// decode fills an input.
func (c *Call) decode(in any, fields []operation.Field) error {
	for _, f := range fields {
		switch p := f.Pointer(in).(type) {
		case *string:
			if f.Positional {
				*p = c.Arg(f.Name)
			} else if *p = f.Default; c.Given(f.Name) {
				*p = c.Flag(f.Name)
			}
		case **string:
			if c.Given(f.Name) {
				*p = new(c.Flag(f.Name))
			}
		case *[]string:
			if *p = c.Flags(f.Name); f.Positional {
				*p = c.Rest()
			}
		case *bool:
			*p = c.Switched(f.Name)
		case *map[string]string:
			*p = c.Pairs()
		case *int:
			otherwise, _ := strconv.Atoi(f.Default)
			var err error
			if *p, err = c.Number(f.Name, otherwise); err != nil {
				return err
			}
		case **int:
			if !c.Given(f.Name) {
				continue
			}
			n, err := c.Number(f.Name, 0)
			if err != nil {
				return err
			}
			*p = &n
		}
	}
	return nil
}
