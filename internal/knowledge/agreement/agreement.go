// Package agreement records which declaration a term of the project's people means: a confirmed pair of a term in natural
// language and a symbol or file, with the evidence for it. Each pair is a Markdown page below .ken/knowledge/agreements,
// which people may edit. A pair whose symbol has disappeared is marked and stays. Its neighbours are knowledge/entity, about
// single files, and knowledge/essential, about the whole project.
package agreement

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"ken/internal/knowledge/textfile"
)

// Status is the state of an agreement: whether the declaration or file that its term means still exists.
type Status string

// The states of an agreement.
const (
	Valid   Status = "valid"
	Invalid Status = "invalid" // what it means has disappeared
)

// Agreement is a term that people use for a declaration or file, with the evidence that it means that.
type Agreement struct {
	Term     string
	Symbol   string // qualified name; "" if the term means a file
	File     string // that declares the symbol, or the meaning itself
	Status   Status
	Since    string // of an invalid one: the day on which that was found
	Author   string // agent or person
	Learned  string // RFC 3339
	Evidence []string
	Other    []string // lines of keys that ken does not know, unchanged
	lead     string   // the lines between title and first section
	rest     string   // sections that ken does not know, unchanged
}

// Limits in bytes.
const (
	MaxTerm     = 200
	MaxEvidence = 1 << 10
	maxEvidence = 20 // entries
	maxPage     = 64 << 10
)

// evidence is the title of the section that ken reads.
const evidence = "Evidence"

// Parse parses a page: front matter between two lines "---", then sections. It also reads the pages of the program that
// these are modelled on, whose keys are nl_term, symbol or symbols, and learned_at. It fails with a textfile.FormatError.
func Parse(text string) (*Agreement, error) {
	text, err := textfile.CleanText(text, maxPage)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	head, taken, err := textfile.FrontMatter(lines)
	if err != nil {
		return nil, err
	}
	a := &Agreement{Status: Valid}
	listed := "" // the key that a list of lines with dashes belongs to
	for _, l := range head {
		if item, ok := strings.CutPrefix(strings.TrimSpace(l.Line), "- "); ok && listed == "symbols" && l.Key == "" {
			if a.Symbol == "" {
				a.Symbol = textfile.ParseScalar(item)
			}
			a.Other = append(a.Other, l.Line)
			continue
		}
		if l.Key != "" {
			listed = l.Key
		}
		a.setField(l)
	}
	switch {
	case a.Term == "":
		return nil, &textfile.FormatError{Line: 1, Why: "the front matter has no nl_term"}
	case a.Symbol == "" && a.File == "":
		return nil, &textfile.FormatError{Line: 1, Why: "the front matter has neither symbol nor file"}
	}
	a.parseBody(lines[taken:])
	return a, nil
}

func (a *Agreement) setField(l textfile.Pair) {
	switch l.Key {
	case "doc_type":
	case "nl_term":
		a.Term = l.Value
	case "symbol":
		a.Symbol = l.Value
	case "file":
		a.File = l.Value
	case "status":
		a.Status = Status(l.Value)
	case "invalid_since":
		a.Since = l.Value
	case "author":
		a.Author = l.Value
	case "learned_at":
		a.Learned = l.Value
	case "symbols":
		if first, _, _ := strings.Cut(strings.Trim(l.Value, "[] "), ","); a.Symbol == "" {
			a.Symbol = textfile.ParseScalar(first)
		}
		a.Other = append(a.Other, l.Line)
	default:
		a.Other = append(a.Other, l.Line)
	}
}

// parseBody parses the sections after the title. It reads the items, or the text, of the section of evidence and keeps other lines
// unchanged.
func (a *Agreement) parseBody(lines []string) {
	in, fence, titled, sections := false, false, false, false
	var loose, lead, rest []string
	for _, l := range lines {
		trimmed := strings.TrimSpace(l)
		if strings.HasPrefix(trimmed, "```") {
			fence = !fence
		}
		title, isTitle := strings.CutPrefix(l, "## ")
		if isTitle && !fence {
			sections = true
			if in = isEvidence(strings.TrimSpace(title)); in {
				continue
			}
		}
		switch {
		case in && trimmed != "":
			a.addLine(trimmed, &loose)
		case in:
		case !titled && strings.HasPrefix(l, "# "):
			titled = true
		case !sections:
			lead = append(lead, strings.TrimRight(l, " \t"))
		default:
			rest = append(rest, strings.TrimRight(l, " \t"))
		}
	}
	a.lead, a.rest = strings.Trim(strings.Join(lead, "\n"), "\n"), strings.Trim(strings.Join(rest, "\n"), "\n")
	if len(a.Evidence) == 0 && len(loose) > 0 {
		a.Evidence = []string{clipText(strings.Join(loose, " "))}
	}
}

// addLine adds a line of the section of evidence.
func (a *Agreement) addLine(line string, loose *[]string) {
	item, isItem := strings.CutPrefix(line, "- ")
	switch {
	case isItem && len(a.Evidence) < maxEvidence:
		a.Evidence = append(a.Evidence, clipText(item))
	case !isItem && len(a.Evidence) > 0:
		last := &a.Evidence[len(a.Evidence)-1]
		*last = clipText(*last + " " + line)
	case !isItem:
		*loose = append(*loose, line)
	}
}

func isEvidence(title string) bool {
	title = strings.ToLower(title)
	return title == "evidence" || title == "code evidence" || title == "根拠"
}

func clipText(s string) string {
	if len(s) <= MaxEvidence {
		return s
	}
	return strings.ToValidUTF8(s[:MaxEvidence], "") + "…"
}

// Meaning returns the meaning of the term as commands take it: PATH:SYMBOL or PATH.
func (a *Agreement) Meaning() string {
	switch {
	case a.Symbol == "":
		return a.File
	case a.File == "":
		return a.Symbol
	}
	return a.File + ":" + a.Symbol
}

// String returns the page as it is written to its file.
func (a *Agreement) String() string {
	var b strings.Builder
	b.WriteString("---\n")
	for _, kv := range [...][2]string{
		{"doc_type", "agreement"}, {"nl_term", a.Term}, {"symbol", a.Symbol}, {"file", a.File}, {"status", string(a.Status)},
		{"invalid_since", a.Since}, {"author", a.Author}, {"learned_at", a.Learned},
	} {
		if kv[1] != "" {
			fmt.Fprintf(&b, "%s: %s\n", kv[0], textfile.QuoteScalar(kv[1]))
		}
	}
	for _, l := range a.Other {
		b.WriteString(l + "\n")
	}
	name := a.Symbol
	if name == "" {
		name = a.File
	}
	fmt.Fprintf(&b, "---\n\n# %s means %s\n", oneLine(a.Term), oneLine(name))
	if a.lead != "" {
		b.WriteString("\n" + a.lead + "\n")
	}
	b.WriteString("\n## " + evidence + "\n\n")
	for _, e := range a.Evidence {
		b.WriteString("- " + oneLine(e) + "\n")
	}
	if a.rest != "" {
		b.WriteString("\n" + a.rest + "\n")
	}
	return b.String()
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// pairKey returns a text that is equal for pages about the same term and meaning. Blanks and capitals of the term make no difference.
func (a *Agreement) pairKey() string {
	return NormalTerm(a.Term) + "\x00" + a.Symbol + "\x00" + a.File
}

// NormalTerm returns a term in the form in which terms are compared.
func NormalTerm(term string) string { return strings.ToLower(oneLine(term)) }

// AddEvidence adds texts as evidence for the agreement, except empty ones, those that it already has, and those beyond
// maxEvidence.
func (a *Agreement) AddEvidence(texts ...string) {
	for _, t := range texts {
		t = clipText(oneLine(t))
		if t != "" && !slices.Contains(a.Evidence, t) && len(a.Evidence) < maxEvidence {
			a.Evidence = append(a.Evidence, t)
		}
	}
}

// SetStatus sets the status of an agreement, and reports whether the status has changed.
func (a *Agreement) SetStatus(s Status, now time.Time) bool {
	if a.Status == s {
		return false
	}
	a.Status, a.Since = s, ""
	if s == Invalid {
		a.Since = now.UTC().Format(time.DateOnly)
	}
	return true
}

// MentionedIn returns the valid agreements of list whose terms occur in a text, that is all words of the term in any order.
// Longer terms come first; equally long ones are ordered by term and meaning.
func MentionedIn(list []KeptPage, text string) (out []*Agreement) {
	words := map[string]bool{}
	for _, w := range splitWords(text) {
		words[w] = true
	}
	for _, k := range list {
		if k.Page == nil || k.Page.Status != Valid {
			continue
		}
		term := splitWords(k.Page.Term)
		spoken := len(term) > 0 && !slices.ContainsFunc(term, func(w string) bool { return !words[w] })
		// A script without blanks has no words that could be compared.
		if spoken || !isASCII(k.Page.Term) && strings.Contains(NormalTerm(text), NormalTerm(k.Page.Term)) {
			out = append(out, k.Page)
		}
	}
	slices.SortStableFunc(out, func(a, b *Agreement) int {
		if n := len(splitWords(b.Term)) - len(splitWords(a.Term)); n != 0 {
			return n
		}
		return strings.Compare(a.pairKey(), b.pairKey())
	})
	return out
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}

func splitWords(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
