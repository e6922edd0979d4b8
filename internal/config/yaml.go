package config

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// parse reads a settings file: a mapping with the keys that Settings documents.
// where names the file in messages. It reads the syntax tree instead of
// decoding, so that every message has its line and no anchor is ever expanded.
// Unknown keys are warnings.
func parse(where string, text []byte, trusted bool) (layer, error) {
	l := layer{where: where}
	if n := bytes.Count(text, []byte("[")) + bytes.Count(text, []byte("{")); n > maxBrackets {
		return l, &Error{Where: where, Reason: fmt.Sprintf("has %d brackets; at most %d are read", n, maxBrackets)}
	}
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return l, syntaxError(where, err)
	}
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		var pairs []*ast.MappingValueNode
		switch n := doc.Body.(type) {
		case *ast.MappingNode:
			pairs = n.Values
		case *ast.MappingValueNode:
			pairs = []*ast.MappingValueNode{n}
		case *ast.NullNode, *ast.CommentGroupNode:
		default:
			return l, &Error{Where: where, Line: nodeLine(n), Reason: "must be a mapping of settings"}
		}
		for _, p := range pairs {
			if err := l.set(p, trusted); err != nil {
				return l, err
			}
		}
	}
	return l, nil
}

// syntaxError returns an Error with the line and the first line of the parser's message.
func syntaxError(where string, err error) error {
	e := &Error{Where: where, Reason: "is not YAML"}
	var bad yaml.Error
	if errors.As(err, &bad) {
		e.Reason = "is not YAML: " + bad.GetMessage()
		if t := bad.GetToken(); t != nil && t.Position != nil {
			e.Line = t.Position.Line
		}
	}
	return e
}

func nodeLine(n ast.Node) int {
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 0
}

// set reads one key of a settings file and its value.
func (l *layer) set(p *ast.MappingValueNode, trusted bool) error {
	key, _ := text(p.Key)
	var err error
	switch {
	case key == "exclude":
		l.Exclude, err = l.patterns(key, p.Value)
	case key == "include":
		l.Include, err = l.patterns(key, p.Value)
	case key == "max_file_size":
		s, _ := text(p.Value)
		n, ok := parseSize(s)
		if !ok {
			return l.bad(key, p.Value, sizeReason)
		}
		l.MaxFileSize = n
	case key == "history_commits":
		s, _ := text(p.Value)
		n, ok := parseCommits(s)
		if !ok {
			return l.bad(key, p.Value, commitsReason)
		}
		l.HistoryCommits = n
	case key == "allow_secrets":
		l.AllowSecrets, err = l.allowedSecrets(key, p.Value)
	case key == "color" && trusted:
		s, _ := text(p.Value)
		if !isColor(s) {
			return l.bad(key, p.Value, colorReason)
		}
		l.Color = s
	case key == "task_guard" && trusted:
		s, _ := text(p.Value)
		if !isTaskGuard(s) {
			return l.bad(key, p.Value, taskGuardReason)
		}
		l.TaskGuard = s
	case key == "task_guard":
		l.warn(p, "task_guard is not a setting of projects: whether writes are stopped is for you alone to say")
	case key == "task_dependents":
		s, _ := text(p.Value)
		n, ok := parseDependents(s)
		if !ok {
			return l.bad(key, p.Value, dependentsReason)
		}
		l.TaskDependents = n
	case key == "mcp_tools" && trusted:
		var sets []string
		sets, err = l.strings(key, p.Value, "must be a set of tools or a list of them")
		l.MCPTools = split(strings.Join(sets, ","))
	case key == "mcp_tools":
		l.warn(p, "mcp_tools is not a setting of projects: which tools an agent is offered is for you alone to say")
	case key == "color":
		l.warn(p, "color is not a setting of projects")
	case key == "embedding" && trusted:
		err = l.embedding(p.Value)
	case key == "embedding":
		l.warn(p, "embedding is not a setting of projects: where code is sent is for you alone to say")
	default:
		for _, g := range l.switches() {
			if g.key != key {
				continue
			}
			s, _ := text(p.Value)
			if !isSwitch(s) {
				return l.bad(key, p.Value, switchReason)
			}
			*g.value = s
			return nil
		}
		l.warn(p, fmt.Sprintf("there is no setting %.60q", key))
	}
	return err
}

func (l *layer) warn(p *ast.MappingValueNode, reason string) {
	l.warnings = append(l.warnings, (&Error{Where: l.where, Line: nodeLine(p.Key), Reason: reason}).Error())
}

func (l *layer) bad(key string, n ast.Node, reason string) error {
	return &Error{Where: l.where, Line: nodeLine(n), Reason: key + " " + reason}
}

// patterns reads a value that is one file pattern or a list of them.
func (l *layer) patterns(key string, n ast.Node) ([]string, error) {
	return l.strings(key, n, "must be a pattern or a list of patterns")
}

// strings reads a value that is one text or a list of them; reason is the message for any other value.
func (l *layer) strings(key string, n ast.Node, reason string) ([]string, error) {
	seq, ok := n.(*ast.SequenceNode)
	if !ok {
		seq = &ast.SequenceNode{Values: []ast.Node{n}}
	}
	var out []string
	for _, v := range seq.Values {
		s, ok := text(v)
		if !ok {
			return nil, l.bad(key, v, reason)
		}
		out = append(out, s)
	}
	return out, nil
}

// allowedSecrets reads a list of mappings with the keys rule, path and hash.
func (l *layer) allowedSecrets(key string, n ast.Node) ([]AllowedSecret, error) {
	const form = "must be a list of entries with rule, path and hash"
	seq, ok := n.(*ast.SequenceNode)
	if !ok {
		return nil, l.bad(key, n, form)
	}
	var out []AllowedSecret
	for _, v := range seq.Values {
		var a AllowedSecret
		for _, p := range pairs(v) {
			k, _ := text(p.Key)
			s, _ := text(p.Value)
			switch k {
			case "rule":
				a.Rule = s
			case "path":
				a.Path = s
			case "hash":
				a.Hash = s
			}
		}
		if a.Rule == "" || a.Path == "" || len(a.Hash) != 32 {
			return nil, l.bad(key, v, form)
		}
		out = append(out, a)
	}
	return out, nil
}

// pairs returns the entries of n if it is a mapping, else nil.
func pairs(n ast.Node) []*ast.MappingValueNode {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}
	}
	return nil
}

// text returns the source text of n, and reports whether n is a scalar.
func text(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	case *ast.IntegerNode:
		return n.Token.Value, true
	case *ast.FloatNode: // a hash of digits around an e
		return n.Token.Value, true
	}
	return "", false
}
