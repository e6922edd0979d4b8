// Package content has the texts that lead agents through the work on a plan, as data: guides, whose steps an agent follows; roles, which
// an agent takes that another one starts; and references, which guides and roles name. Package guide prints them with the facts of a
// project. They are part of the program, because a text that is older than the commands that it names would name wrong ones.
package content

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/yamltree"
)

//go:embed files
var files embed.FS

// Kind is a kind of text.
type Kind string

// The kinds, which are also the names of their folders.
const (
	GuideKind     Kind = "guides"
	RoleKind      Kind = "roles"
	ReferenceKind Kind = "references"
)

// Guide is a way to do something in steps.
type Guide struct {
	Name    string
	Purpose string   // in one line, as the end of "a guide to …"
	Takes   []string // names of its arguments, in brackets if they may be missing
	Skill   string   // the skill that leads to it
	Steps   []Step
	Next    []string // calls of ken that may come next
}

// Step is a step of a guide.
type Step struct {
	Name    string
	When    []string // conditions, all of which have to hold: see package guide
	Do      string
	Run     []string // calls of ken, in their order
	Role    string   // of the agent that does it; "" for the one that follows the guide
	Gate    string   // a question, on whose answer it depends whether the guide goes on
	Options []string // the answers to Gate
	Writes  []string // kinds of documents, or files
}

// Role is the work of one agent.
type Role struct {
	Name    string
	Purpose string   // in one line, such as "writes the plans of a phase"
	Takes   []string // as in Guide
	Tools   []string // see Tools
	Reads   []string // calls of ken whose answers it begins with
	Writes  []string // as in Step
	Text    string
}

// Reference is a text that guides and roles name.
type Reference struct{ Name, Purpose, Text string }

// Tools returns the names of the tools that a role can have.
func Tools() []string {
	return []string{"read", "write", "edit", "shell", "search", "web", "ask", "agents"}
}

// Names returns the names of all texts of a kind, sorted.
func Names(k Kind) []string {
	entries, err := files.ReadDir("files/" + string(k))
	if err != nil {
		return nil // a folder that is embedded can be read
	}
	list := make([]string, len(entries))
	for i, e := range entries {
		list[i] = strings.TrimSuffix(e.Name(), path.Ext(e.Name()))
	}
	return list
}

// Find returns the kind of the text that has a name. It returns false if none has it.
func Find(name string) (Kind, bool) {
	for _, k := range []Kind{GuideKind, RoleKind, ReferenceKind} {
		if slices.Contains(Names(k), name) {
			return k, true
		}
	}
	return "", false
}

// Source returns the bytes of the file of a text. It fails if there is none.
func Source(k Kind, name string) (string, error) {
	ending := ".md"
	if k == GuideKind {
		ending = ".yml"
	}
	b, err := files.ReadFile("files/" + string(k) + "/" + name + ending)
	return string(b), err
}

// ReadGuide reads a guide. It fails if there is none of that name or if its file is malformed.
func ReadGuide(name string) (*Guide, error) {
	text, err := Source(GuideKind, name)
	if err != nil {
		return nil, err
	}
	t := yamltree.Parse(text, edit.Span{Start: 0, End: len(text)}, 0)
	if len(t.Problems) > 0 {
		return nil, fmt.Errorf("guide %s: %w", name, t.Problems[0])
	}
	g := &Guide{Name: name, Purpose: t.Get("purpose").Text(), Takes: t.Texts(t.Get("takes")), Skill: t.Get("skill").Text(), Next: t.Texts(t.Get("next"))}
	for _, n := range t.Get("steps").Items {
		g.Steps = append(g.Steps, Step{
			Name: n.Get("name").Text(), When: t.Texts(n.Get("when")), Do: n.Get("do").Text(), Run: t.Texts(n.Get("run")), Role: n.Get("role").Text(),
			Gate: n.Get("gate").Text(), Options: t.Texts(n.Get("options")), Writes: t.Texts(n.Get("writes")),
		})
	}
	return g, nil
}

// ReadRole reads a role. It fails as ReadGuide does.
func ReadRole(name string) (*Role, error) {
	t, text, err := readMarkdown(RoleKind, name)
	if err != nil {
		return nil, err
	}
	return &Role{
		Name: name, Purpose: t.Get("purpose").Text(), Takes: t.Texts(t.Get("takes")), Tools: t.Texts(t.Get("tools")), Reads: t.Texts(t.Get("reads")),
		Writes: t.Texts(t.Get("writes")), Text: text,
	}, nil
}

// ReadReference reads a reference. It fails as ReadGuide does.
func ReadReference(name string) (*Reference, error) {
	t, text, err := readMarkdown(ReferenceKind, name)
	if err != nil {
		return nil, err
	}
	return &Reference{Name: name, Purpose: t.Get("purpose").Text(), Text: text}, nil
}

// readMarkdown returns the front matter of a file and the text behind it.
func readMarkdown(k Kind, name string) (*yamltree.Tree, string, error) {
	text, err := Source(k, name)
	if err != nil {
		return nil, "", err
	}
	front, body, ok := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	if !ok {
		return nil, "", fmt.Errorf("%s/%s: it has no front matter", k, name)
	}
	t := yamltree.Parse(front+"\n", edit.Span{Start: 0, End: len(front) + 1}, 0)
	if len(t.Problems) > 0 {
		return nil, "", fmt.Errorf("%s/%s: %w", k, name, t.Problems[0])
	}
	return t, strings.TrimSpace(body) + "\n", nil
}
