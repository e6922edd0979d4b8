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

	"ken/internal/operation"
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
	// The rest is of the steps of a phase, see Stages.
	Who               string   // planner, checker, executor, verifier, person or orchestrator
	Report, Otherwise []string // calls with which the one who leads the agents reports what happened
}

// Agent is an agent to be started.
type Agent struct {
	Role   string `json:"role"`
	Model  string `json:"model,omitempty"`
	Prompt string `json:"prompt" calls:"text"`
}

// NewAgent returns the agent that takes a role: its prompt names the command that prints all else.
func NewAgent(role, model string, args ...string) *Agent {
	words := []string{"ken plan guide", role}
	for _, a := range args {
		words = append(words, operation.ShellWord(a))
	}
	return &Agent{role, model, "Run `" + strings.Join(words, " ") + "` and do what it prints."}
}

// Line describes the agent to the one that starts it.
func (a *Agent) Line() string {
	model := ""
	if a.Model != "" {
		model = ", model " + a.Model
	}
	return fmt.Sprintf("agent: %s  (%s%s)", a.Prompt, a.Role, model)
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
	return &Guide{
		Name: name, Purpose: t.Get("purpose").Text(), Takes: t.Texts(t.Get("takes")), Skill: t.Get("skill").Text(), Next: t.Texts(t.Get("next")),
		Steps: readSteps(t),
	}, nil
}

func readSteps(t *yamltree.Tree) (list []Step) {
	for _, n := range t.Get("steps").Items {
		texts := func(key string) []string { return t.Texts(n.Get(key)) }
		list = append(list, Step{
			Name: n.Get("name").Text(), When: texts("when"), Do: n.Get("do").Text(), Run: texts("run"), Role: n.Get("role").Text(), Gate: n.Get("gate").Text(),
			Options: texts("options"), Writes: texts("writes"), Who: n.Get("who").Text(), Report: texts("report"), Otherwise: texts("otherwise"),
		})
	}
	return list
}

// Stages returns the steps of a phase, one for each situation in which the work on it can be. It fails if their file is malformed.
func Stages() ([]Step, error) {
	text, err := files.ReadFile("files/stages.yml")
	if err != nil {
		return nil, err
	}
	t := yamltree.Parse(string(text), edit.Span{Start: 0, End: len(text)}, 0)
	if len(t.Problems) > 0 {
		return nil, fmt.Errorf("stages.yml: %w", t.Problems[0])
	}
	return readSteps(t), nil
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
