package planop

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ken/internal/operation"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/folder"
)

// Answer is the answer of an operation with the files that it changed.
type Answer struct {
	Value any
	JSON  []byte        // of the value, indented by two blanks, without a line end
	Plain func() string // the value as one plain text, nil if it has none
	Bare  bool          // see Spec
	// Results are the changes that were made, or with a dry run would be.
	Results []change.Result
	// Notes are for the user, beside the answer: about the journal of changes.
	Notes []string
	// Unreadable are the files that could not be read, with the reasons.
	Unreadable []string

	spec    *untypedSpec // of the operation, nil of a fault
	fault   *Fault
	writes  bool
	dry     bool
	lasting string
	isUndo  bool
	mask    func(string) string
}

// changedFile is a file that an operation changed, or with --dry-run would.
type changedFile struct {
	File   string `json:"file"`
	Change string `json:"change"` // added, changed, removed
}

func (a *Answer) changes() (list []changedFile, id string) {
	list = []changedFile{}
	for _, r := range a.Results {
		id = r.ID
		for _, f := range r.Changed {
			how := "changed"
			if f.Before == nil {
				how = "added"
			} else if f.After == nil {
				how = "removed"
			}
			list = append(list, changedFile{folder.Name + "/" + f.Name, how})
		}
	}
	return list, id
}

// isChange reports whether a file was changed, or with a dry run would be.
func (a *Answer) isChange() bool {
	return slices.ContainsFunc(a.Results, func(r change.Result) bool { return len(r.Changed)+len(r.Folders) > 0 })
}

// indentedJSON encodes a value with an indent of two blanks. Characters of HTML stay as they are, because agents read the result.
func indentedJSON(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(value)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// Fields is an answer of named values in their order.
type Fields []Field

// Field is a named value of an answer.
type Field struct {
	Name  string
	Value any
}

// NewFields returns fields of names that are each followed by their value.
func NewFields(pairs ...any) Fields {
	var f Fields
	for i := 0; i < len(pairs); i += 2 {
		f = append(f, Field{pairs[i].(string), pairs[i+1]})
	}
	return f
}

// MarshalJSON returns the fields as a JSON object. It fails if a value cannot be encoded.
func (f Fields) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, one := range f {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := e.Encode(one.Name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := e.Encode(one.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Raw returns the function that writes the answer as JSON.
func (a *Answer) Raw() func(io.Writer) error {
	return func(w io.Writer) error {
		text, err := a.withChanges()
		if a.fault != nil {
			text, err = a.fault.jsonText(a.Unreadable)
		}
		if err != nil {
			return err
		}
		_, err = io.WriteString(w, a.maskText(text)+"\n")
		return err
	}
}

func (a *Answer) maskText(text string) string {
	if a.mask == nil {
		return text
	}
	return a.mask(text)
}

// withChanges returns the JSON of the answer. The answer of an operation that writes also has the changed files, the ID by which the
// change is undone, and whether it was only tried.
func (a *Answer) withChanges() (string, error) {
	body, isObject := strings.CutSuffix(string(a.JSON), "\n}")
	if isObject && len(a.Notes)+len(a.Unreadable) > 0 {
		b, err := indentedJSON(struct {
			Notes      []string `json:"notes,omitempty"`
			Unreadable []string `json:"unreadable,omitempty"`
		}{a.Notes, a.Unreadable})
		if err != nil {
			return "", err
		}
		body += ",\n" + strings.TrimSuffix(strings.TrimPrefix(string(b), "{\n"), "\n}")
	}
	switch {
	case !isObject:
		return string(a.JSON), nil
	case !a.writes:
		return body + "\n}", nil
	}
	var own struct {
		Dry *bool `json:"dry_run"`
	}
	dry := &a.dry
	if json.Unmarshal(a.JSON, &own) == nil && own.Dry != nil {
		dry = nil // the value has it already
	}
	list, id := a.changes()
	b, err := indentedJSON(struct {
		Changed []changedFile `json:"changed_files"`
		Change  string        `json:"change_id"`
		Dry     *bool         `json:"dry_run,omitempty"`
	}{list, id, dry})
	return body + ",\n" + strings.TrimPrefix(string(b), "{\n"), err
}

// writeText writes the page of the answer and the changed files; nothing for a fault, which is an error message.
func (a *Answer) writeText(t *operation.Text) {
	if a.fault != nil {
		return
	}
	text := operation.JSONText(a.JSON)
	if a.spec.page != nil {
		text = a.spec.page(a.Value)
	}
	t.Paragraph("", commandLine().ReplaceAllStringFunc(a.maskText(text), func(line string) string {
		at := strings.Index(line, "ken plan")
		return line[:at] + operation.TranslateCommand(line[at:], t.Translate)
	}))
	for _, n := range a.Notes {
		t.Line("note: %s", a.maskText(n))
	}
	for _, file := range a.Unreadable {
		if a.isChange() { // else the error behind the answer names it
			t.Line("not readable: %s", a.maskText(file))
		}
	}
	if !a.writes {
		return
	}
	list, _ := a.changes()
	for _, f := range list {
		if a.dry {
			f.Change = "would be " + f.Change
		}
		t.Line("%s %s", f.Change, f.File)
	}
	switch {
	case len(list) == 0 && a.lasting != "": // the page reports the result
	case len(list) == 0:
		t.Line("no file changed")
	case a.lasting != "":
		t.Line("%s", a.lasting)
	case !a.dry && !a.isUndo:
		t.Line("undo: ken plan undo")
	}
}

// Speak returns the answer with its commands translated by words, see operation.Speaker. An answer that cannot be encoded anew, which
// could be encoded before, stays as it is.
func (a *Answer) Speak(words func(text string) string, structured bool) any {
	spoken := *a
	spoken.Value = operation.TranslateCalls(a.Value, words, structured)
	text, err := indentedJSON(spoken.Value)
	if err != nil || a.fault != nil {
		return a
	}
	spoken.JSON = text
	return &spoken
}

// commandLine matches a line that is a command to run next, perhaps after what it is for.
var commandLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^ *(- )?([a-z ]+: )?ken plan .*$|\bfix: ken plan [^,\n]*`)
})

// nothingError returns a NothingError if the answer reports that something is not there. For programs that is an answer, not a fault.
func (a *Answer) nothingError() error {
	var v struct {
		Found *bool
		Error string
		Near  []string
	}
	if json.Unmarshal(a.JSON, &v) != nil || v.Error == "" && (v.Found == nil || *v.Found) {
		return nil
	}
	if v.Error == "" {
		v.Error = "nothing found"
	}
	return &operation.NothingError{Message: v.Error, Near: v.Near}
}

func (e *Fault) jsonText(unreadable []string) (string, error) {
	b, err := indentedJSON(struct {
		Error      string   `json:"error"`
		Reason     string   `json:"reason"`
		Near       []string `json:"near"`
		Unreadable []string `json:"unreadable,omitempty"`
	}{e.Text(), e.Reason, append([]string{}, e.Near...), unreadable})
	return string(b), err
}

// GSD returns the fault in the form of gsd-tools: its subject is a field beside the message. It returns an error if the fault cannot be
// encoded.
func (e *Fault) GSD() (string, error) {
	answer := map[string]any{"error": e.Message}
	if e.Reason != "" {
		answer["reason"] = e.Reason
	}
	if e.Field != "" {
		answer[e.Field] = e.Value
	}
	if len(e.Near) > 0 {
		answer["near"] = e.Near
	}
	b, err := indentedJSON(answer)
	return string(b), err
}

// JSONPart returns a part of a JSON value as indented JSON. It returns an error if v cannot be encoded.
func JSONPart(v any) (string, error) {
	b, err := indentedJSON(v)
	return string(b), err
}
