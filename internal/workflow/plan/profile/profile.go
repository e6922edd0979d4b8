// Package profile declares the operations that teach agents how a person works: transcripts named by the user are read and shown in part,
// never kept; questions offer answers to choose from; an agent's conclusions from either are written as a profile, as preferences, and as
// sections of the instruction file. Sections are between marks, and only the text between them is written.
package profile

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"

	"ken/internal/statefile"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
)

// dimension is one aspect of how a person works, with a question about it.
type dimension struct {
	key, label, question string
	options              [4]option
}

// option is an answer to a question: its rating, its text, and the instruction that it means for an agent.
type option struct{ rating, label, instruction string }

var dimensions = [...]dimension{
	{"communication_style", "Communication", "How do you like to write to an agent?", [4]option{
		{"terse-direct", "In a few words; I want results", "Answer in few words. Leave out introductions and summaries."},
		{"conversational", "As in a talk, thinking aloud", "Answer as in a talk, and ask back where something is open."},
		{"detailed-structured", "In detail, with headings and lists", "Structure answers with headings and lists, and cover every point asked."},
		{"mixed", "It depends on the task", "Match the length and form of each request."},
	}},
	{"decision_speed", "Decisions", "How do you choose between alternatives?", [4]option{
		{"fast-intuitive", "At once, by feel", "Name one recommendation and go on with it."},
		{"deliberate-informed", "After a short comparison", "Compare two or three alternatives with their costs, then recommend one."},
		{"research-first", "After reading a lot about it", "Bring sources and figures before a decision is asked for."},
		{"delegator", "You choose", "Choose yourself, say what was chosen and why in one line."},
	}},
	{"explanation_depth", "Explanations", "How much should be explained?", [4]option{
		{"code-only", "Nothing, the code is enough", "Show code, and explain only when asked."},
		{"concise", "The main reason", "Give the reason of each change in a sentence."},
		{"detailed", "How it works and why", "Explain how a change works, why it was made so, and what it affects."},
		{"educational", "So that I learn it", "Explain the ideas behind a change, from what is known to what is new."},
	}},
	{"debugging_approach", "Debugging", "Something is broken. What do you want first?", [4]option{
		{"fix-first", "The fix", "Fix it first, then say what was wrong."},
		{"diagnostic", "What is wrong, then the fix", "Find the cause and show it before fixing."},
		{"hypothesis-driven", "Guesses, tested one by one", "Name guesses with their tests, and rule them out one at a time."},
		{"collaborative", "To look for it together", "Look for the cause step by step, and share what each step showed."},
	}},
	{"ux_philosophy", "User interfaces", "How much does the look of things matter?", [4]option{
		{"function-first", "It has to work, looks come later", "Make it work first; plain looks are fine."},
		{"pragmatic", "Clean, with no great effort", "Use usual components and clean layout, without polishing."},
		{"design-conscious", "A lot", "Mind spacing, states and accessibility of every screen."},
		{"backend-focused", "I make no user interfaces", "Keep to interfaces of programs; do not propose screens."},
	}},
	{"vendor_philosophy", "Libraries", "How do you choose libraries?", [4]option{
		{"pragmatic-fast", "What works soonest", "Take what solves it soonest."},
		{"conservative", "Few, and proven ones", "Prefer the standard library and what is in use already; justify each new dependency."},
		{"thorough-evaluator", "After comparing them", "Compare candidates by upkeep, size and licence before one is taken."},
		{"opinionated", "I have my favourites", "Ask which library is preferred before one is added."},
	}},
	{"frustration_triggers", "Boundaries", "What annoys you most?", [4]option{
		{"scope-creep", "Changes that I did not ask for", "Change only what was asked for; propose the rest."},
		{"instruction-adherence", "Instructions that are not followed", "Follow instructions to the letter, and say so where that is not possible."},
		{"verbosity", "Long answers", "Keep answers short."},
		{"regression", "What worked is broken", "Run the tests that there are before and after a change."},
	}},
	{"learning_style", "Learning", "How do you learn something new?", [4]option{
		{"self-directed", "By myself, from the code", "Point to the code, and leave the rest to the reader."},
		{"guided", "Step by step", "Lead through it in steps, each small enough to try."},
		{"documentation-first", "From the documentation", "Link to the documentation first."},
		{"example-driven", "From examples", "Begin with the smallest example that works."},
	}},
}

func (d *dimension) instruction(rating string) string {
	for _, o := range d.options {
		if o.rating == rating {
			return o.instruction
		}
	}
	return "Adapt to what this person prefers in " + strings.ReplaceAll(d.key, "_", " ") + "."
}

// Analysis has the conclusions about a person, drawn by an agent or from the answers to questions.
type Analysis struct {
	Version    string                 `json:"profile_version"`
	At         string                 `json:"analyzed_at"`
	Source     string                 `json:"data_source"`
	Projects   []string               `json:"projects_analyzed"`
	Messages   int                    `json:"messages_analyzed"`
	Threshold  string                 `json:"message_threshold"`
	Excluded   []string               `json:"sensitive_excluded"`
	Dimensions map[string]*Conclusion `json:"dimensions"`
}

// Conclusion is the conclusion about one dimension.
type Conclusion struct {
	Rating      string     `json:"rating"`
	Confidence  string     `json:"confidence"`
	Count       int        `json:"evidence_count"`
	Consistent  *bool      `json:"cross_project_consistent"`
	Evidence    []Evidence `json:"evidence"`
	Summary     string     `json:"summary"`
	Instruction string     `json:"claude_instruction"`
}

// Evidence is a quote of a person that supports a conclusion.
type Evidence struct {
	Signal  string `json:"signal"`
	Quote   string `json:"quote"`
	Project string `json:"project"`
	Pattern string `json:"pattern,omitempty"`
	Example string `json:"example,omitempty"`
}

const lasting = "files outside .planning are not taken back by ken plan undo"

type scanSessionsInput struct {
	Path    string `flag:"path" required:"yes" help:"the folder with a folder of transcripts for each project; no other is read"`
	Verbose bool   `flag:"verbose" help:"each session, too"`
	JSON    bool   `flag:"json" help:"the answer is JSON, which it is in any case"`
}

type extractMessagesInput struct {
	Project string `arg:"PROJECT" help:"its folder among the transcripts, or a part of its name"`
	Path    string `flag:"path" required:"yes" help:"the folder with a folder of transcripts for each project; no other is read"`
	Session string `flag:"session" help:"of this session alone"`
	Limit   int    `flag:"limit" value:"N" help:"at most so many sessions; 0: all"`
}

type profileSampleInput struct {
	Path          string `flag:"path" required:"yes" help:"the folder with a folder of transcripts for each project; no other is read"`
	Limit         int    `flag:"limit" default:"150" value:"N" help:"at most so many messages; 0: all"`
	MaxPerProject int    `flag:"max-per-project" value:"N" help:"at most so many sessions of a project"`
	MaxChars      int    `flag:"max-chars" default:"500" value:"N" help:"a message is cut after so many characters"`
}

type answersInput struct {
	Answers *string `flag:"answers" help:"a letter for each question: a,b,c,d,a,b,c,d"`
}

type writeProfileInput struct {
	Input  string `flag:"input" help:"the file with what was found out, JSON"`
	Output string `flag:"output" help:"where it is written, in the project or in ~/.claude"`
}

type generateDevPreferencesInput struct {
	Analysis string `flag:"analysis" required:"yes" help:"the file with what was found out, JSON"`
	Output   string `flag:"output" help:"where it is written, in the project or in ~/.claude"`
	Stack    string `flag:"stack" help:"a line about the technology preferred"`
}

type generateClaudeProfileInput struct {
	Analysis string `flag:"analysis" required:"yes" help:"the file with what was found out, JSON"`
	Output   string `flag:"output" help:"where it is written, in the project or in ~/.claude"`
	Global   bool   `flag:"global" help:"of all projects, ~/.claude/CLAUDE.md"`
}

type generateClaudeMdInput struct {
	Output string `flag:"output" help:"where it is written, in the project or in ~/.claude"`
	Auto   bool   `flag:"auto" help:"leave sections that somebody has edited"`
	Force  bool   `flag:"force" help:"accepted; nothing asks"`
}

// All returns the operations of this package.
func All() []*planop.Operation {
	return []*planop.Operation{
		planop.Spec[scanSessionsInput, []Project]{
			Name: "scan-sessions", Summary: "which transcripts are in a folder that you name", Anywhere: true, Run: scanSessions,
		}.Operation(),
		planop.Spec[extractMessagesInput, Extracted]{
			Name: "extract-messages", Summary: "what you wrote in the sessions of a project", Anywhere: true, Run: extractMessages,
		}.Operation(),
		planop.Spec[profileSampleInput, Sample]{
			Name: "profile-sample", Summary: "a sample of what you wrote, newest sessions first", Anywhere: true, Run: sampleMessages,
		}.Operation(),
		planop.Spec[answersInput, any]{
			Name: "profile-questionnaire", Summary: "questions about how you work, or what answers to them mean", Anywhere: true,
			Run: questionnaire,
		}.Operation(),
		planop.Spec[writeProfileInput, WrittenProfile]{
			Name: "write-profile", Summary: "write what was found out as a profile", Anywhere: true, Writes: true, Lasting: lasting,
			Run: writeProfile,
		}.Operation(),
		planop.Spec[generateDevPreferencesInput, Preferences]{
			Name: "generate-dev-preferences", Summary: "write what was found out as a command with preferences", Anywhere: true,
			Writes:  true,
			Lasting: lasting, Run: writePreferences,
		}.Operation(),
		planop.Spec[generateClaudeProfileInput, Section]{
			Name: "generate-claude-profile", Summary: "write what was found out as a section of the file of instructions",
			Anywhere: true, Writes: true,
			Lasting: lasting, Run: writeClaudeProfile,
		}.Operation(),
		planop.Spec[generateClaudeMdInput, Instructions]{
			Name: "generate-claude-md", Summary: "write sections of the file of instructions out of the planning folder",
			Writes: true, Lasting: lasting,
			Run: writeClaudeMD,
		}.Operation(),
	}
}

type questions struct {
	Mode      string     `json:"mode"`
	Questions []question `json:"questions"`
}

type question struct {
	Dimension string   `json:"dimension"`
	Header    string   `json:"header"`
	Context   string   `json:"context"`
	Question  string   `json:"question"`
	Options   []choice `json:"options"`
}

type choice struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

func questionnaire(_ context.Context, c *planop.Call, in *answersInput) (any, error) {
	if in.Answers == nil {
		a := questions{Mode: "interactive"}
		for _, d := range dimensions {
			q := question{d.key, d.label, "It says how an agent should work with you.", d.question, nil}
			for i, o := range d.options {
				q.Options = append(q.Options, choice{o.label, string(rune('a' + i))})
			}
			a.Questions = append(a.Questions, q)
		}
		return a, nil
	}
	letters := strings.Split(*in.Answers, ",")
	if len(letters) != len(dimensions) {
		return nil, planop.Usagef("--answers has %d answers; there are %d questions", len(letters), len(dimensions))
	}
	a := Analysis{
		Version: "1.0", At: c.Now().UTC().Format("2006-01-02T15:04:05.000Z"), Source: "questionnaire", Projects: []string{}, Threshold: "questionnaire",
		Excluded: []string{}, Dimensions: map[string]*Conclusion{},
	}
	for i, d := range dimensions {
		letter := strings.TrimSpace(letters[i])
		n := strings.Index("abcd", letter)
		if len(letter) != 1 || n < 0 {
			return nil, planop.Usagef("the answer about %s is %.20q; it can be a, b, c, d", d.key, letter)
		}
		o := d.options[n]
		confidence := "MEDIUM"
		if o.rating == "mixed" {
			confidence = "LOW"
		}
		a.Dimensions[d.key] = &Conclusion{
			Rating: o.rating, Confidence: confidence, Count: 1, Evidence: []Evidence{{Signal: "answered a question", Quote: o.label, Project: "none"}},
			Summary: "Answered " + o.rating + " about " + strings.ToLower(d.label) + ".", Instruction: o.instruction,
		}
	}
	return a, nil
}

// loadAnalysis reads the file of an analysis that an agent wrote. The flag is for the message of an error.
func loadAnalysis(c *planop.Call, flag, name string) (*Analysis, error) {
	if name == "" {
		return nil, planop.Usagef("--%s is missing", flag)
	}
	if !filepath.IsAbs(name) {
		project, err := c.Project()
		if err != nil {
			return nil, err
		}
		name = filepath.Join(project, name)
	}
	text, err := statefile.ReadFollow(name, folder.MaxBytes)
	if err != nil {
		return nil, planop.Usagef("--%s cannot be read: %s", flag, err)
	}
	var a struct {
		Analysis
		List  []string `json:"projects_list"`
		Count int      `json:"message_count"`
	}
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, planop.Usagef("--%s is not as it should be: %s", flag, err)
	}
	if a.Dimensions == nil {
		return nil, planop.Usagef("--%s has no dimensions", flag)
	}
	if len(a.List) > 0 {
		a.Projects = a.List
	}
	if a.Count > 0 {
		a.Messages = a.Count
	}
	if a.Source == "" {
		a.Source = "session_analysis"
	}
	return &a.Analysis, nil
}
