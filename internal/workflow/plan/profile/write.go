package profile

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"ken/internal/workflow/plan/argument"
	"ken/internal/workflow/plan/planop"
)

// secret matches the parts to remove from quotes: keys, passwords, and user names in paths.
var secret = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)sk-[a-z0-9_-]{20,}|bearer\s+[a-z0-9._-]+|(?:password|passwd|secret|token|api[_-]?key)\s*[:=]\s*\S+|/(?:users|home)/[a-z0-9._-]+/` +
		`|gh[opsur]_[a-z0-9]{36,}|github_pat_[a-z0-9_]{20,}|xox[abprs]-[a-z0-9-]+|akia[0-9a-z]{16}|-----begin [a-z ]*private key-----|eyj[a-z0-9_-]{10,}\.[a-z0-9_-]+\.[a-z0-9_-]+`)
})

// cleanQuote returns a text of another person as one line, without instructions to an agent and without secrets. It adds the number of
// removed secrets to taken.
func cleanQuote(s string, taken *int) string {
	s = secret().ReplaceAllStringFunc(s, func(string) string { *taken++; return "[REDACTED]" })
	return argument.NeutralText(argument.SingleLine(s))
}

// WrittenProfile is the result of writing a profile.
type WrittenProfile struct {
	Path     string `json:"profile_path"`
	Scored   int    `json:"dimensions_scored"`
	High     int    `json:"high_confidence"`
	Medium   int    `json:"medium_confidence"`
	Low      int    `json:"low_confidence"`
	Redacted int    `json:"sensitive_redacted"`
	Source   string `json:"source"`
}

// inHome returns the path of the file output, or without it of the file name, which must be in the user's folder of agents.
func inHome(c *planop.Call, output, name string) (string, error) {
	if c.Home == "" && output == "" {
		return "", planop.Usagef("there is no home folder; use --output to name the file")
	}
	return filepath.Join(c.Home, ".claude", filepath.FromSlash(name)), nil
}

func writeProfile(_ context.Context, c *planop.Call, in *writeProfileInput) (WrittenProfile, error) {
	a, err := loadAnalysis(c, "input", in.Input)
	if err != nil {
		return WrittenProfile{}, err
	}
	if a.Version == "" {
		return WrittenProfile{}, planop.Usagef("--input has no profile_version")
	}
	otherwise, err := inHome(c, in.Output, "get-shit-done/USER-PROFILE.md")
	if err != nil {
		return WrittenProfile{}, err
	}
	t, err := findTarget(c, in.Output, otherwise)
	if err != nil {
		return WrittenProfile{}, err
	}
	w := WrittenProfile{Path: t.path, Source: a.Source}
	text := w.profileText(c, a)
	return w, t.write(c, text)
}

// profileText returns the text of a profile, and writes its counts into w.
func (w *WrittenProfile) profileText(c *planop.Call, a *Analysis) string {
	var short, long strings.Builder
	for i := range dimensions {
		d := &dimensions[i]
		s := a.Dimensions[d.key]
		if s == nil {
			continue
		}
		confidence := strings.ToUpper(s.Confidence)
		switch confidence {
		case "HIGH":
			w.High++
		case "MEDIUM":
			w.Medium++
		case "LOW":
			w.Low++
		default:
			confidence = "UNSCORED"
		}
		instruction := cleanQuote(s.Instruction, &w.Redacted)
		if instruction != "" && (confidence == "HIGH" || confidence == "MEDIUM") {
			fmt.Fprintf(&short, "- **%s:** %s (%s)\n", d.label, instruction, confidence)
		}
		fmt.Fprintf(&long, "\n## %s\n\n**Rating:** %s\n**Confidence:** %s\n\n%s\n", d.label, cleanQuote(s.Rating, &w.Redacted), confidence, cleanQuote(s.Summary, &w.Redacted))
		for _, e := range s.Evidence {
			signal, quote := cmp.Or(e.Signal, e.Pattern), cmp.Or(e.Quote, e.Example)
			fmt.Fprintf(&long, "- %s: \"%s\" (%s)\n", cleanQuote(signal, &w.Redacted), cleanQuote(quote, &w.Redacted), cleanQuote(cmp.Or(e.Project, "unknown"), &w.Redacted))
		}
	}
	w.Scored = w.High + w.Medium + w.Low
	if short.Len() == 0 {
		short.WriteString("- Nothing is known well enough yet.\n")
	}
	var projects []string
	for _, p := range a.Projects {
		projects = append(projects, cleanQuote(p, &w.Redacted))
	}
	now := c.Now().UTC().Format("2006-01-02T15:04:05Z")
	return fmt.Sprintf("# Developer Profile\n\n**Generated:** %s\n**Source:** %s\n**Projects:** %s\n**Messages:** %d\n\n## In short\n\n%s%s",
		now, cleanQuote(a.Source, &w.Redacted), strings.Join(projects, ", "), a.Messages, short.String(), long.String())
}

// Preferences is the result of writing preferences.
type Preferences struct {
	Path       string   `json:"command_path"`
	Name       string   `json:"command_name"`
	Dimensions []string `json:"dimensions_included"`
	Source     string   `json:"source"`
}

// directiveLines returns a line for each dimension that has a conclusion: the instruction to an agent, made by line.
func directiveLines(a *Analysis, line func(d *dimension, s *Conclusion, instruction string)) []string {
	keys, taken := []string{}, 0
	for i := range dimensions {
		d := &dimensions[i]
		s := a.Dimensions[d.key]
		if s == nil {
			continue
		}
		text := cleanQuote(s.Instruction, &taken)
		if text == "" {
			text = d.instruction(s.Rating)
		}
		line(d, s, text)
		keys = append(keys, d.key)
	}
	return keys
}

func writePreferences(_ context.Context, c *planop.Call, in *generateDevPreferencesInput) (Preferences, error) {
	a, err := loadAnalysis(c, "analysis", in.Analysis)
	if err != nil {
		return Preferences{}, err
	}
	otherwise, err := inHome(c, in.Output, "commands/gsd/dev-preferences.md")
	if err != nil {
		return Preferences{}, err
	}
	t, err := findTarget(c, in.Output, otherwise)
	if err != nil {
		return Preferences{}, err
	}
	var b strings.Builder
	taken := 0
	b.WriteString("---\nname: gsd-dev-preferences\ndescription: how this developer likes to work\n---\n\n# Preferences\n")
	keys := directiveLines(a, func(d *dimension, s *Conclusion, text string) {
		fmt.Fprintf(&b, "\n## %s\n\n%s (%s confidence)\n", d.label, text, cmp.Or(cleanQuote(s.Confidence, &taken), "UNSCORED"))
	})
	stack := cleanQuote(in.Stack, &taken)
	if stack == "" {
		stack = "Nothing is known yet."
	}
	fmt.Fprintf(&b, "\n## Technology\n\n%s\n\nGenerated %s from %s.\n", stack, c.Now().UTC().Format("2006-01-02T15:04:05Z"), cleanQuote(a.Source, &taken))
	return Preferences{t.path, "/gsd-dev-preferences", keys, a.Source}, t.write(c, b.String())
}

// Section is the result of writing a section into the instruction file.
type Section struct {
	Path       string   `json:"claude_md_path"`
	Action     string   `json:"action"` // created, updated, appended
	Dimensions []string `json:"dimensions_included"`
	Global     bool     `json:"is_global"`
}

// instructionsFile returns the path of a project's instruction file for agents.
func instructionsFile(c *planop.Call) string {
	if set, err := c.Settings(); err == nil {
		if at := set.Text("claude_md_path"); at != "" {
			return at
		}
	}
	return "CLAUDE.md"
}

func writeClaudeProfile(_ context.Context, c *planop.Call, in *generateClaudeProfileInput) (Section, error) {
	a, err := loadAnalysis(c, "analysis", in.Analysis)
	if err != nil {
		return Section{}, err
	}
	otherwise := instructionsFile(c)
	if in.Global {
		if otherwise, err = inHome(c, in.Output, "CLAUDE.md"); err != nil {
			return Section{}, err
		}
	}
	t, err := findTarget(c, in.Output, otherwise)
	if err != nil {
		return Section{}, err
	}
	var rows, lines strings.Builder
	taken := 0
	keys := directiveLines(a, func(d *dimension, s *Conclusion, text string) {
		fmt.Fprintf(&rows, "| %s | %s | %s |\n", d.label, cmp.Or(cleanQuote(s.Rating, &taken), "UNSCORED"), cmp.Or(cleanQuote(s.Confidence, &taken), "UNSCORED"))
		fmt.Fprintf(&lines, "- **%s:** %s\n", d.label, text)
	})
	s := section{name: "profile", body: "## Developer Profile\n\n> Made from " + cleanQuote(a.Source, &taken) + " by generate-claude-profile.\n\n| Dimension | Rating | Confidence |\n|---|---|---|\n" +
		rows.String() + "\n" + strings.TrimRight(lines.String(), "\n")}
	answer := Section{t.path, "created", keys, in.Global}
	before := ""
	if t.text != nil {
		before, answer.Action = *t.text, "appended"
		if _, _, _, ok := s.findIn(before); ok {
			answer.Action = "updated"
		}
	}
	return answer, t.write(c, s.putInto(before))
}
