package mcp

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/delivery/project"
	"ken/internal/operation"
)

// offeredTool is an operation with the name and description under which it is listed.
type offeredTool struct {
	tool  *project.Tool
	about string            // when to use it
	shown map[string]string // description by key of the arguments that are listed; the others are taken too

	variants []variant
}

// listing returns the tool in the library's form.
func (o *offeredTool) listing() *mcp.Tool {
	closed := false
	reads := o.tool.Effect == operation.Reads
	a := &mcp.ToolAnnotations{ReadOnlyHint: reads, IdempotentHint: reads, OpenWorldHint: &closed}
	if !reads {
		destructive := o.tool.Effect == operation.Changes
		a.DestructiveHint = &destructive
	}
	return &mcp.Tool{Name: o.name(), Description: o.about, InputSchema: o.schema(nil), Annotations: a}
}

// schema returns the JSON Schema of the tool's arguments and of those that every tool has. The argument that names a
// project is only listed if there are several, because every session pays for its tokens, and omit is only in the instructions.
func (o *offeredTool) schema(projects []string) json.RawMessage {
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
		b.WriteString(quoteJSON(f.Key()) + ":" + fieldSchema(&f, about) + ",")
	}
	for _, v := range o.variants {
		b.WriteString(quoteJSON(v.key) + ":" + v.schema() + ",")
	}
	if o.tool.MCP.Input {
		b.WriteString(`"input":{"type":"string","description":"the text to write"},`)
	}
	if len(projects) > 0 {
		names, _ := json.Marshal(projects) // strings can always be encoded
		b.WriteString(`"project":{"enum":` + string(names) + "},")
	}
	b.WriteString(`"budget":{"type":"integer"},"from":{"type":"integer"},"structured":{"type":"boolean"}}`)
	if len(required) > 0 {
		names, _ := json.Marshal(required) // strings can always be encoded
		b.WriteString(`,"required":` + string(names))
	}
	b.WriteString("}")
	return b.Bytes()
}

// fields returns the arguments of an operation that a client may give. Those for a terminal are excluded, such as an input file, a second
// output, the format or a budget: files are read through the index, and format and budget are the server's.
func (o *offeredTool) fields() []operation.Field {
	seen := map[string]bool{}
	return slices.DeleteFunc(o.tool.Input(), func(f operation.Field) bool {
		again := seen[f.Key()] // a flag beside an argument of that name
		seen[f.Key()] = true
		return again || f.Terminal
	})
}

func quoteJSON(s string) string {
	b, _ := json.Marshal(s) // a string can always be encoded
	return string(b)
}

// fieldSchema returns the JSON schema of a value. A value with a self-explanatory name has no description.
func fieldSchema(f *operation.Field, about string) string {
	s := `{"type":"` + f.Type + `"`
	switch {
	case f.Pairs:
		s = `{"type":"object","additionalProperties":{"type":"string"}`
	case f.Type == "list" && f.Objects:
		s = `{"type":"array","items":{"type":"object"}`
	case f.Objects:
		s = `{"type":"object"`
	case f.Type == "list":
		s = `{"type":"array","items":{"type":"string"}`
	case f.Type == "string" && len(f.Enum) > 0:
		names, _ := json.Marshal(f.Enum) // strings can always be encoded
		s = `{"enum":` + string(names)
	}
	if about != "" {
		s += `,"description":` + quoteJSON(about)
	}
	return s + "}"
}
