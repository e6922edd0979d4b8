package checks

import (
	"context"
	"path"
	"slices"
	"strings"
	"unicode"

	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/verify"
)

// phaseType has the kinds of work in a phase, such as an API or a user interface. They are known from its name and goal in the roadmap,
// and from the files that its plans will write.
type phaseType struct {
	Phase       string   `json:"phase"`
	Frontend    bool     `json:"has_frontend"`
	Indicators  []string `json:"frontend_indicators"`
	Schema      bool     `json:"has_schema"`
	ORM         *string  `json:"schema_orm"`
	SchemaFiles []string `json:"schema_files"`
	Push        *string  `json:"push_command"` // for an agent; ken never runs it
	API         bool     `json:"has_api"`
	Infra       bool     `json:"has_infra"`
	Warnings    []string `json:"warnings,omitempty"`
}

func detectPhaseType(_ context.Context, from *source, in *phaseInput) (phaseType, error) {
	p, err := from.findPhase(in.Phase)
	if err != nil {
		return phaseType{}, err
	}
	plans, warnings := from.readPlans(p)
	a := newPhaseType(from.goal(p), append(planFiles(plans), p.Names...), p.Has("UI-SPEC"))
	a.Phase, a.Warnings = p.ID.PaddedNumber(), warnings
	return a, nil
}

// aiWords are the words of a goal that mean that it is about a language model.
var aiWords = [...]string{"ai", "llm", "rag", "chatbot", "embedding", "prompt", "gpt"}

// Topics returns what a phase is about: interface, schema, api, infrastructure, ai. It fails as Inventory does, or if there is no such
// phase.
func Topics(c *planop.Call, phase string) (list []string, err error) {
	s := &source{call: c}
	if s.inv, err = c.Inventory(); err != nil {
		return nil, err
	}
	if s.folder, err = c.Folder(); err != nil {
		return nil, err
	}
	a, err := detectPhaseType(context.Background(), s, &phaseInput{phase})
	if err != nil {
		return nil, err
	}
	p, err := s.findPhase(phase)
	if err != nil {
		return nil, err
	}
	for _, topic := range []struct {
		name string
		is   bool
	}{
		{"interface", a.Frontend}, {"schema", a.Schema}, {"api", a.API}, {"infrastructure", a.Infra},
		{"ai", p.Has("AI-SPEC") || hasAnyWord(s.goal(p), aiWords[:])},
	} {
		if topic.is {
			list = append(list, topic.name)
		}
	}
	return list, nil
}

// goal returns the name of a phase, followed by its goal in the roadmap.
func (s *source) goal(p *inventory.Phase) string {
	if p.Detail == nil || s.inv.Roadmap == nil {
		return p.Name
	}
	return p.Name + " " + s.inv.Roadmap.Value(*p.Detail, "Goal")
}

func newPhaseType(goal string, files []string, uiSpec bool) phaseType {
	a := phaseType{Indicators: interfaceWords(goal), SchemaFiles: []string{}}
	a.API, a.Infra = hasAnyWord(goal, apiWords[:]) || hasWord(goal, "REST"), hasAnyWord(goal, infraWords[:])
	for _, file := range files {
		file = path.Clean(strings.ReplaceAll(file, `\`, "/"))
		if ext := path.Ext(file); slices.Contains(uiEndings[:], ext) && !slices.Contains(a.Indicators, ext) {
			a.Indicators = append(a.Indicators, ext)
		}
		if orm := verify.SchemaORM(file); orm != "" {
			a.SchemaFiles = append(a.SchemaFiles, file)
			if a.ORM == nil {
				push := verify.PushCommand(orm)
				a.ORM, a.Push = &orm, &push
			}
		}
		a.API = a.API || isAPI(file)
		a.Infra = a.Infra || isInfra(file)
	}
	a.Frontend = len(a.Indicators) > 0 || uiSpec
	a.Schema = len(a.SchemaFiles) > 0
	return a
}

var (
	uiEndings  = [...]string{".tsx", ".jsx", ".vue", ".svelte", ".css", ".scss", ".html"}
	apiWords   = [...]string{"api", "endpoint", "graphql", "grpc", "webhook"}
	infraWords = [...]string{"docker", "terraform", "kubernetes", "k8s", "helm", "infra", "infrastructure"}
)

// hasWord reports whether a text contains a word as a whole, with the same case: REST is not rest.
func hasWord(text, word string) bool {
	return slices.Contains(strings.FieldsFunc(text, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }), word)
}

func hasAnyWord(text string, words []string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(words, func(w string) bool { return hasWord(text, w) || hasWord(text, w+"s") })
}

// isAPI reports whether a file defines an interface to other programs. It is known from the file's name or a folder of its path.
func isAPI(file string) bool {
	dir, base := path.Split(strings.ToLower(file))
	switch ext := path.Ext(base); {
	case ext == ".proto", ext == ".graphql", strings.HasPrefix(base, "openapi."), strings.HasPrefix(base, "swagger."):
		return true
	case strings.HasPrefix(base, "route.") && (ext == ".ts" || ext == ".js"):
		return true
	}
	return strings.Contains(base, "controller.") || slices.Contains(strings.Split(dir, "/"), "api")
}

// isInfra reports whether a file describes the infrastructure of a program.
func isInfra(file string) bool {
	dir, base := path.Split(strings.ToLower(file))
	switch {
	case strings.HasPrefix(base, "dockerfile"), strings.HasPrefix(base, "docker-compose"), base == "compose.yaml", base == "compose.yml":
		return true
	case path.Ext(base) == ".tf", path.Ext(base) == ".tfvars":
		return true
	}
	return slices.ContainsFunc(strings.Split(dir, "/"), func(part string) bool { return slices.Contains(infraWords[:], part) })
}
