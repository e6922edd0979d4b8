package operation

import (
	"context"
	"reflect"
	"slices"
	"strings"
)

// Alias offers an operation under another name.
type Alias[P any] struct {
	Name, Group, Summary, Long string
	Example                    []string
	MCP                        Offer
	Effect                     Effect
	Topic                      Topic
	Rare, Logged               bool
	// Fixed are fields of the input, by their Go names, that always have this value and are not asked for.
	Fixed map[string]string
	// Required are optional arguments of the input, by their Go names, without which the operation has nothing to do under this name.
	Required []string
	// Extra are fields that the input has besides, each with the tags that Field describes.
	Extra []reflect.StructField
	// Before is called when the project is open; an error ends the call. It may be nil.
	Before func(ctx context.Context, p P, extra func(name string) string) error
	// After is called when an answer was sent, with the fields of Extra in extra; may be nil. The answer may hold Rows, which are not valid
	// any more.
	After func(ctx context.Context, p P, extra func(name string) string, in, answer any, sent *Sent) error
}

// As returns the operation under another name, with the same work and the same text.
func (t *Tool[P]) As(a Alias[P]) *Tool[P] {
	fields := slices.Clone(a.Extra)
	var same []string
	for i := range t.in.NumField() {
		f := t.in.Field(i)
		if _, fixed := a.Fixed[f.Name]; !fixed {
			if slices.Contains(a.Required, f.Name) {
				f.Tag = reflect.StructTag(strings.NewReplacer(`arg:"[`, `arg:"`, `]"`, `"`).Replace(string(f.Tag)))
			}
			fields = append(fields, reflect.StructField{Name: f.Name, Type: f.Type, Tag: f.Tag})
			same = append(same, f.Name)
		}
	}
	original := func(in any) any {
		v, made := reflect.ValueOf(in).Elem(), reflect.New(t.in)
		for _, name := range same {
			made.Elem().FieldByName(name).Set(v.FieldByName(name))
		}
		for name, value := range a.Fixed {
			made.Elem().FieldByName(name).SetString(value)
		}
		return made.Interface()
	}
	return &Tool[P]{
		Properties: Properties{Name: a.Name, Group: a.Group, Summary: a.Summary, Long: a.Long, Example: a.Example, MCP: a.MCP, Effect: a.Effect, Topic: a.Topic, Rare: a.Rare, Logged: a.Logged},
		in:         reflect.StructOf(fields), out: t.out,
		run: func(ctx context.Context, env *Env[P], in any, emit func(any) error) error {
			base := original(in)
			if err := t.check(base); err != nil {
				return err
			}
			opened := *env
			var p P
			extra := func(name string) string { return reflect.ValueOf(in).Elem().FieldByName(name).String() }
			opened.Open = func(dir string, need Need) (P, error) {
				var err error
				if p, err = env.Open(dir, need); err == nil && a.Before != nil {
					err = a.Before(ctx, p, extra)
				}
				return p, err
			}
			return t.run(ctx, &opened, base, func(answer any) error {
				if err := emit(answer); err != nil || a.After == nil {
					return err
				}
				return env.WhenSent(func(s *Sent) error { return a.After(ctx, p, extra, base, answer, s) })
			})
		},
		text: func(w *Text, in, answer any) error { return t.text(w, original(in), answer) },
	}
}

// Then returns the operation with something to be done when an answer was sent; see Alias.After.
func (t *Tool[P]) Then(after func(ctx context.Context, p P, in, answer any, sent *Sent) error) *Tool[P] {
	return t.As(Alias[P]{
		Name: t.Name, Group: t.Group, Summary: t.Summary, Long: t.Long, Example: t.Example, MCP: t.MCP, Effect: t.Effect, Topic: t.Topic,
		Rare: t.Rare, Logged: t.Logged,
		After: func(ctx context.Context, p P, _ func(string) string, in, answer any, sent *Sent) error {
			return after(ctx, p, in, answer, sent)
		},
	})
}

// AnswersAs reports whether the answers of two operations have the same fields.
func (t *Tool[P]) AnswersAs(o *Tool[P]) bool { return t.out == o.out }

// Command returns the name of the command: that of the operation, after that of its group.
func (t *Tool[P]) Command() string {
	if t.Group == "" {
		return t.Name
	}
	return t.Group + " " + Kebab(t.Name)
}

// Kebab returns a name as commands are spelled.
func Kebab(name string) string { return strings.ReplaceAll(name, "_", "-") }

// GroupSummary returns the purpose of a group of operations, in one line.
func GroupSummary(group string) string {
	return map[string]string{"task": "a guarded task: explore, verify, judge the impact, only then write"}[group]
}
