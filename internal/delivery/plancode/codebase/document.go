package codebase

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"ken/internal/workflow/content/templates"
	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/edit"
)

// Document is one of the seven documents of the codebase.
type Document struct {
	Name  string // STACK
	title string
	write func(c *Code, p *page)
	// whole are the headings of the form under which ken leaves nothing to judge.
	whole []string
}

// Documents returns all, in the order in which they are read.
func Documents() []Document {
	return []Document{
		{"STACK", "Technology Stack", (*Code).addStack, []string{"Languages", "Runtime", "Frameworks", "Configuration"}},
		{"INTEGRATIONS", "External Integrations", (*Code).addIntegrations, []string{"Environment"}},
		{"ARCHITECTURE", "Architecture", (*Code).addArchitecture, []string{"Entry Points"}},
		{"STRUCTURE", "Codebase Structure", (*Code).addStructure, []string{"Directory Layout", "Key Files", "Naming", "Special Directories"}},
		{"CONVENTIONS", "Coding Conventions", (*Code).addConventions, []string{"Naming", "Style"}},
		{"TESTING", "Testing Patterns", (*Code).addTesting, []string{"Framework", "Organisation", "Fixtures"}},
		{"CONCERNS", "Codebase Concerns", (*Code).addConcerns, nil},
	}
}

// Folder is the folder of the documents, relative to the planning folder.
const Folder = "codebase"

// File returns the path of a document, relative to the planning folder.
func (d *Document) File() string { return Folder + "/" + d.Name + ".md" }

// Facts returns the part of a document that is derived from the index. mask hides secrets in texts of the repository.
func (d *Document) Facts(c *Code, mask func(string) string) string {
	p := &page{}
	d.write(c, p)
	return mask(p.text())
}

// The marks around the place for judgements of people and agents. Everything from the first mark on is kept when a document is made
// again.
const (
	begin    = "<!-- ken:judgement"
	opening  = begin + ": what follows is yours; \"ken plan map\" keeps it byte for byte -->"
	closing  = "<!-- /ken:judgement -->"
	preamble = "<!-- Made of ken's index and made again by \"ken plan map\": what shall stay " +
		"belongs into the place for judgement at the end.\n" +
		"     Source is code of the project that is no test, no example, no data for tests, not vendored and not generated. -->"
)

// The keys in the front matter that ken writes.
const (
	keyCommit = "last_mapped_commit"
	keyDate   = "last_mapped"
	keyFacts  = "facts" // a hash, by which changes of ken's part are noticed
)

// Error is the reason why a document cannot be written.
type Error struct{ File, Why string }

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.File, e.Why) }

// Action is the result of Write for a document.
type Action string

// The actions.
const (
	Made      Action = "made"
	Renewed   Action = "renewed"
	Unchanged Action = "unchanged"
	Taken     Action = "taken over" // it was there without marks: all that it held is in the place for judgement now
)

// Existing is a document that exists already, taken apart.
type Existing struct {
	Commit, Date, Facts string // of the front matter
	// Edited is set if ken's part was changed by hand.
	Edited bool
	doc    *document.Document
	body   string
	at     int // of the place for judgement in the body, -1 without one
}

// ReadText takes the text of an existing document apart.
func ReadText(text string) *Existing {
	r := &Existing{doc: document.Parse(text), at: -1}
	r.body = r.doc.BytesOf(r.doc.Body()).Text(text)
	if front := r.doc.FrontMatter(); front != nil {
		r.Commit, r.Date, r.Facts = front.Get(keyCommit).Text(), front.Get(keyDate).Text(), front.Get(keyFacts).Text()
	}
	for at := 0; at < len(r.body); {
		if strings.HasPrefix(r.body[at:], begin) {
			r.at = at
			break
		}
		next := strings.IndexByte(r.body[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	if r.at >= 0 && r.Facts != "" {
		r.Edited = factsHash(factsText(r.body[:r.at])) != r.Facts
	}
	return r
}

// factsText returns the derived text in the part before the place for judgements: everything after its first heading of the second level.
func factsText(part string) string {
	part = strings.ReplaceAll(part, "\r\n", "\n")
	if at := strings.Index(part, "\n## "); at >= 0 {
		return part[at+1:]
	}
	return ""
}

func factsHash(facts string) string {
	sum := sha256.Sum256([]byte(strings.TrimSpace(facts)))
	return hex.EncodeToString(sum[:8])
}

// HasFacts reports whether a document was made from the same facts.
func (r *Existing) HasFacts(facts string) bool {
	return r.at >= 0 && factsHash(factsText(r.body[:r.at])) == factsHash(facts)
}

// Write returns the text of a document with facts of a commit and day. old is its present text, "" if there is none. Its judgements,
// other fields of the front matter and line endings stay. It fails with an Error if the old text cannot be kept.
func (d *Document) Write(old, facts, commit, day string) (string, Action, error) {
	r := ReadText(old)
	switch {
	case r.doc.ConflictLine() > 0:
		return "", "", &Error{d.File(), fmt.Sprintf("a conflict of a merge begins at line %d: resolve it first", r.doc.ConflictLine())}
	case r.at < 0 && r.Facts != "":
		const why = "its line %q is gone, so that what was judged cannot be told from what ken wrote: put it back, or take the file away"
		return "", "", &Error{d.File(), fmt.Sprintf(why, begin+" …")}
	case r.at >= 0 && r.HasFacts(facts) && r.Commit == commit && !r.Edited:
		return old, Unchanged, nil
	}
	judged, action := "", Renewed
	switch {
	case r.at >= 0:
		judged = r.body[r.at:]
	case strings.TrimSpace(r.body) != "":
		judged, action = betweenMarks(r.body), Taken
	default:
		judged, action = betweenMarks("\n"+d.judgementForm()), Made
	}
	head := fmt.Sprintf("# %s\n\n**Analysis Date:** %s\n\n%s\n\n%s", d.title, day, preamble, facts)
	if r.doc.Newline() == "\r\n" {
		head = strings.ReplaceAll(head, "\n", "\r\n")
	}
	front, err := r.frontMatter(commit, day, factsHash(facts))
	return front + head + judged, action, err
}

// betweenMarks returns a text between the marks of the place for judgements.
func betweenMarks(text string) string {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return opening + "\n" + text + closing + "\n"
}

// frontMatter returns the front matter with ken's fields set.
func (r *Existing) frontMatter(commit, day, facts string) (string, error) {
	values := [][2]string{{keyCommit, commit}, {keyDate, day}, {keyFacts, facts}}
	if r.doc.FrontMatter() == nil {
		var b strings.Builder
		b.WriteString("---\n")
		for _, v := range values {
			fmt.Fprintf(&b, "%s: %q\n", v[0], v[1])
		}
		b.WriteString("---\n")
		return b.String(), nil
	}
	doc := r.doc
	for _, v := range values {
		edits, err := doc.FrontMatter().Set(v[0], v[1], doc.Newline())
		if err != nil {
			return "", err
		}
		if doc, err = apply(doc, edits); err != nil {
			return "", err
		}
	}
	return doc.Text()[:len(doc.Text())-len(doc.BytesOf(doc.Body()).Text(doc.Text()))], nil
}

func apply(doc *document.Document, edits []edit.Edit) (*document.Document, error) {
	if len(edits) == 0 {
		return doc, nil
	}
	return doc.Apply(edits)
}

// JudgementHeadings returns the headings of a document's form that are left to judgement.
func (d *Document) JudgementHeadings() (out []string) {
	for _, s := range d.formSections() {
		if !slices.Contains(d.whole, s.heading) {
			out = append(out, s.heading)
		}
	}
	return out
}

// judgementForm returns the empty form for judgements.
func (d *Document) judgementForm() string {
	var b strings.Builder
	b.WriteString("## Judgement\n\nWhat an index cannot tell. Whoever knows the code replaces the hints in brackets, or takes them out.\n\n")
	for _, s := range d.formSections() {
		if !slices.Contains(d.whole, s.heading) {
			fmt.Fprintf(&b, "### %s\n\n%s\n\n", s.heading, strings.Join(s.lines, "\n"))
		}
	}
	return b.String()
}

// formSections returns the sections in the form of the document.
func (d *Document) formSections() (out []section) {
	text, _ := templates.Text("codebase/" + strings.ToLower(d.Name) + ".md")
	parts := strings.Split(text, "\n## ")
	for _, p := range parts[1:] {
		heading, body, _ := strings.Cut(p, "\n")
		out = append(out, section{heading, []string{strings.TrimSpace(body)}})
	}
	return out
}
