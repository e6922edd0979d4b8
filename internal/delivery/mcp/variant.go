package mcp

import (
	"cmp"
	"encoding/json"

	"ken/internal/delivery/project"
)

// variant is an operation that is offered by an argument of another tool.
type variant struct {
	offeredTool
	key   string
	names map[string]string // arguments of the operation by their names in the call
}

// variants returns the operations that are offered by arguments of a tool, in the order of all operations.
func variants(t *project.Tool, tools []*project.Tool) (out []variant) {
	for _, other := range tools {
		if v := other.MCP.Variant; v.Tool == t.Name && t.Group == "" {
			o := newOffered(other)
			o.about = v.About
			out = append(out, variant{o, v.Key, v.Names})
		}
	}
	return out
}

// addFlags adds the names of arguments by the flags of the operation, where no tool has such a flag.
func (v *variant) addFlags(flags map[string]string) {
	for _, f := range v.fields() {
		key := f.Key()
		for name, own := range v.names {
			if own == f.Key() {
				key = name
			}
		}
		if flags[f.Name] == "" && !f.Positional {
			flags[f.Name] = key
		}
	}
}

// schema returns the JSON schema of the argument.
func (v *variant) schema() string {
	for _, f := range v.fields() {
		if f.Key() == cmp.Or(v.names[v.key], v.key) {
			return fieldSchema(&f, v.about)
		}
	}
	return "{}"
}

// decodeCall decodes the arguments of a call of a tool. It returns the tool that answers it, which is a variant of o if its argument is
// given, with the input of its operation.
func (o *offeredTool) decodeCall(raw json.RawMessage) (*offeredTool, any, commonArgs, error) {
	args, _ := decodeObject(raw) // decode reports the error
	for key, value := range args {
		for i := range o.variants {
			if v := &o.variants[i]; argumentName(key) == v.key && string(value) != "null" {
				in, c, err := v.decodeCall(args)
				return &v.offeredTool, in, c, err
			}
		}
	}
	in := o.tool.NewInput()
	c, err := o.decode(raw, in)
	return o, in, c, err
}

// decodeCall decodes the arguments of a call under their own names. The line where an answer goes on is taken out first, because an
// operation may have an argument of that name.
func (v *variant) decodeCall(args map[string]json.RawMessage) (any, commonArgs, error) {
	renamed, from := map[string]json.RawMessage{}, json.RawMessage("1")
	for key, value := range args {
		name := argumentName(key)
		if own := v.names[name]; own != "" {
			renamed[own] = value
		} else if name == "from" {
			from = value
		} else {
			renamed[key] = value
		}
	}
	encoded, err := json.Marshal(renamed)
	if err != nil {
		return nil, commonArgs{}, err
	}
	in := v.tool.NewInput()
	c, err := v.decode(encoded, in)
	return in, c, cmp.Or(err, c.setArgument("from", from, nil))
}
