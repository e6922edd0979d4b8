package mcp

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/delivery/tool"
)

// listing is how the library lists an operation.
func (o *offered) listing() *mcp.Tool {
	closed := false
	a := &mcp.ToolAnnotations{ReadOnlyHint: o.writes == reads, IdempotentHint: true, OpenWorldHint: &closed}
	if o.writes != reads {
		destructive := false
		a.DestructiveHint = &destructive
	}
	return &mcp.Tool{Name: o.tool.Name, Description: o.about, InputSchema: o.schema(), Annotations: a}
}

// schema is the JSON Schema of the arguments that are listed, and of those that every tool takes.
func (o *offered) schema() json.RawMessage {
	var b bytes.Buffer
	b.WriteString(`{"type":"object","properties":{`)
	var required []string
	for _, f := range o.fields() {
		about, ok := o.shown[f.Key()]
		if !ok {
			continue
		}
		if f.Required {
			required = append(required, f.Key())
		}
		b.WriteString(quoted(f.Key()) + ":" + fieldSchema(&f, about) + ",")
	}
	b.WriteString(`"budget":{"type":"integer"},"from":{"type":"integer"},"omit":{"type":"array","items":{"type":"string"}},"structured":{"type":"boolean"}}`)
	if len(required) > 0 {
		names, _ := json.Marshal(required) // strings can always be encoded
		b.WriteString(`,"required":` + string(names))
	}
	b.WriteString("}")
	return b.Bytes()
}

// fields are the arguments of an operation that a client may give. One that names a file to read from,
// the format or a budget of its own is not among them: files are read through the index, and format and budget are the
// server's.
func (o *offered) fields() []tool.Field {
	return slices.DeleteFunc(o.tool.Input(), func(f tool.Field) bool {
		return slices.Contains([]string{"query-file", "format", "budget"}, f.Name)
	})
}

func quoted(s string) string {
	b, _ := json.Marshal(s) // a string can always be encoded
	return string(b)
}

// fieldSchema says what a value is. What its name explains has no description.
func fieldSchema(f *tool.Field, about string) string {
	s := `{"type":"` + f.Type + `"`
	switch {
	case f.Type == "list":
		s = `{"type":"array","items":{"type":"string"}`
	case f.Type == "string" && len(f.Enum) > 0:
		names, _ := json.Marshal(f.Enum) // strings can always be encoded
		s = `{"enum":` + string(names)
	}
	if about != "" {
		s += `,"description":` + quoted(about)
	}
	return s + "}"
}
