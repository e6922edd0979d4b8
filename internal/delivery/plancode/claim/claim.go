// Package claim reads the statements of a plan about code: the files and symbols that it names, in which part of the plan, and the
// declarations that it copies because it relies on them. It is pure: other packages check whether they are true.
//
// Neighbours: package artefact reads the plan, packages writeset and check beside this one compare the claims with an index.
package claim

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"ken/internal/engine/extract"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/document"
)

// Role is the part of a plan in which a name occurs. A smaller one is stronger evidence of a write.
type Role uint8

// The roles.
const (
	Declared Role = iota // files_modified of the front matter
	TaskFile             // <files> of a task
	Artifact             // must_haves: a file that has to be there afterwards
	Action               // the action of a task
	Link                 // must_haves: an end of a connection
	Checking             // how it is verified
	Reading              // files to read first, context, interfaces
	Prose                // objective, truths, threats, all else
)

var roleNames = [...]string{"files_modified", "files", "artifacts", "action", "key_links", "verification", "context", "text"}

func (r Role) String() string { return roleNames[r] }

// Writes reports whether a role means that the file is going to be written.
func (r Role) Writes() bool { return r <= Artifact }

// File is a file that a plan names.
type File struct {
	Path string // as written, with slashes; may be a name without folder
	Line int    // from 1; 0 where it is from a list of the front matter
	Role Role
	// New is set if the plan states that it makes the file; Changes if it states that it changes an existing one.
	New, Changes bool
	Shown        bool // as the place of context: @src/a.go, "From src/a.go:"
	Used         bool // the far end of a connection, which the plan's own file uses
	ReadFirst    bool // an entry of the files to read before the first edit, and no task before lists it as its own
}

// Symbol is a name in code that a plan names in its text.
type Symbol struct {
	Name string // may be qualified: Server.Start
	Line int
	Role Role
	// New and Changes are as those of a file.
	New, Changes bool
	File         string // a file named on the same line as the place it is in, "" if there is none
}

// Signature is a declaration that a plan has copied from a file.
type Signature struct {
	File    string
	Line    int
	Name    string // qualified
	Type    bool   // it declares a type
	Params  []string
	HasList bool // it has parameters, or an empty list of them
	Text    string
}

// Claims are the claims of one plan.
type Claims struct {
	Files      []File // each path once a role, in the order of the text
	Symbols    []Symbol
	Signatures []Signature
	// Installs are commands of the plan that add packages, which changes the manifest of the project.
	Installs []string
	Outside  []string // paths that lead out of the project

	doc *document.Document
}

// Line returns the text of a line of the plan, "" if there is none.
func (c *Claims) Line(number int) string {
	if number < 1 || number > c.doc.LineCount() {
		return ""
	}
	return c.doc.Line(number - 1)
}

// maxText is the number of bytes of a plan that are read: real ones have at most some hundred KiB.
const maxText = 2 << 20

// Read returns the claims of a plan.
func Read(p *artefact.Plan) *Claims {
	r := &reader{c: &Claims{doc: p.Doc}, plan: p, seen: map[seenFile]int{}, symbols: map[string]bool{}}
	for _, f := range p.Files {
		r.addListed(f, Declared)
	}
	for _, t := range p.Tasks {
		for _, f := range t.Files {
			r.addListed(f, TaskFile)
		}
	}
	for _, a := range p.MustHaves.Artifacts {
		r.addListed(a.Path, Artifact)
	}
	for _, l := range p.MustHaves.Links {
		r.addLinkEnd(l.From, false)
		r.addLinkEnd(l.To, true)
	}
	if d := p.Doc; len(d.Text()) <= maxText {
		r.readBody(d)
	}
	return r.c
}

type seenFile struct {
	path string
	role Role
}

type reader struct {
	c       *Claims
	plan    *artefact.Plan
	seen    map[seenFile]int // index in Files
	symbols map[string]bool
}

// addListed adds the path in a list entry, which a note may follow: src/a.go (new), src/a.go — why.
func (r *reader) addListed(text string, role Role) {
	for _, word := range expandBraces(text) {
		if before, after, pattern := strings.Cut(word, "*"); pattern {
			if strings.Trim(after, "*") != "" || !strings.HasSuffix(before, "/") {
				continue // which files it means cannot be known before they are there
			}
			word = before // src/** means the folder
		}
		found := findPaths(word, true)
		if len(found) > 0 && found[0].start > len("- `") { // words, and a path among them
			found = findPaths(word, false)
		}
		if len(found) == 0 {
			continue
		}
		f := found[0]
		if f.outside {
			if !slices.Contains(r.c.Outside, f.path) {
				r.c.Outside = append(r.c.Outside, f.path)
			}
			continue
		}
		rest := strings.ToLower(word[f.end:])
		r.add(File{Path: f.path, Role: role, New: hasNewMark(rest) || strings.Contains(strings.ToLower(word[:f.start]), "create")})
	}
}

// addLinkEnd adds the file at one end of a key link. The end is a path, or a text with a path in it.
func (r *reader) addLinkEnd(text string, used bool) {
	for _, f := range findPaths(text, false) {
		if !f.outside {
			r.add(File{Path: f.path, Role: Link, Used: used})
		}
	}
}

func (r *reader) add(f File) {
	if strings.HasPrefix(f.Path, ".planning/") || f.Path == ".planning" || strings.Contains(f.Path, "/get-shit-done/") {
		return // of the plan, not of the code
	}
	k := seenFile{f.Path, f.Role}
	if i, ok := r.seen[k]; ok {
		r.c.Files[i].New = r.c.Files[i].New || f.New
		r.c.Files[i].Changes = r.c.Files[i].Changes || f.Changes
		r.c.Files[i].Shown = r.c.Files[i].Shown || f.Shown
		r.c.Files[i].ReadFirst = r.c.Files[i].ReadFirst || f.ReadFirst
		if r.c.Files[i].Line == 0 {
			r.c.Files[i].Line = f.Line
		}
		return
	}
	r.seen[k] = len(r.c.Files)
	r.c.Files = append(r.c.Files, f)
}

// rolesOfTags maps the tags of a plan's blocks to roles; text in other tags has the role of the text around it.
var rolesOfTags = map[string]Role{
	"action": Action, "implementation": Action, "behavior": Action, "feature": Action, "instructions": Action, "name": Action, "task": Action,
	"read_first": Reading, "context": Reading, "execution_context": Reading, "interfaces": Reading,
	"verify": Checking, "verification": Checking, "automated": Checking, "acceptance_criteria": Checking, "success_criteria": Checking, "done": Checking,
	"how-to-verify": Checking, "precondition": Reading,
	"objective": Prose, "threat_model": Prose, "output": Prose, "files": TaskFile,
}

// rolesOfLines returns the role of each line of a plan.
func rolesOfLines(d *document.Document) []Role {
	roles := make([]Role, d.LineCount())
	for i := range roles {
		roles[i] = Prose
	}
	for _, tag := range d.Tags(d.Body()) { // inner blocks come after those around them
		role, ok := rolesOfTags[tag.Name]
		if !ok {
			continue
		}
		for i := tag.Line; i <= d.LineAt(max(tag.Span.Start, tag.Span.End-1)); i++ {
			roles[i] = role
		}
	}
	for _, h := range d.Headings() { // older plans have headings instead of blocks
		title := strings.ToLower(h.Text.Text(d.Text()))
		if !strings.HasPrefix(title, "task ") {
			continue
		}
		for i := h.Line; i < h.End; i++ {
			if roles[i] == Prose {
				roles[i] = Action
			}
		}
	}
	return roles
}

func (r *reader) readBody(d *document.Document) {
	roles, first := rolesOfLines(d), readFirstLines(d)
	from := "" // the file that the code below is claimed to be from
	b := d.Body()
	var fence []string
	begun := 0
	for i := b.From; i < b.To; i++ {
		line := d.Line(i)
		switch d.Kind(i) {
		case document.Fence:
			if fence != nil && roles[i] == Reading {
				r.readSignatures(from, fence, begun)
			}
			if begun == 0 {
				fence, begun = []string{}, i+2
			} else {
				fence, begun = nil, 0
				if !strings.Contains(from, "/") {
					from = "" // a name alone belongs to the next block only
				}
			}
		case document.Code:
			if f, ok := codeOrigin(line); ok {
				if roles[i] == Reading {
					r.readSignatures(from, fence, begun)
				}
				from, fence, begun = f, []string{}, i+2
			} else {
				fence = append(fence, line)
			}
			r.readCodeLine(line, i+1, roles[i])
		default:
			if f, ok := codeOrigin(line); ok {
				from = f
			} else if strings.HasPrefix(strings.TrimSpace(line), "#") {
				from = ""
			}
			r.readTextLine(line, i+1, roles[i])
			if first[i] {
				r.readFirstEntry(line, i)
			}
		}
	}
}

// readFirstLines returns for each line whether it is in a block of files to read before the first edit.
func readFirstLines(d *document.Document) []bool {
	lines := make([]bool, d.LineCount())
	for _, tag := range d.Tags(d.Body()) {
		if tag.Name != "read_first" {
			continue
		}
		for i := tag.Line; i <= d.LineAt(max(tag.Span.Start, tag.Span.End-1)); i++ {
			lines[i] = true
		}
	}
	return lines
}

// readFirstEntry reads an entry of the files that a task reads before its first edit: "- src/a.go (why)". The file has to be there by then,
// so it counts unless a task before this one lists it, or the entry leaves open whether it is there.
func (r *reader) readFirstEntry(line string, at int) {
	entry := strings.TrimPrefix(strings.TrimSpace(line), "<read_first>")
	found := findPaths(entry, false)
	if len(found) == 0 || found[0].outside || !strings.Contains(found[0].path, "/") || strings.Trim(entry[:found[0].start], "-*`@ ") != "" {
		return
	}
	rest := strings.ToLower(entry[found[0].end:])
	for _, open := range []string{"if ", "create", "new ", "(new", "will be", "once ", "after ", "from plan", "from task", "made", "output"} {
		if strings.Contains(rest, open) {
			return
		}
	}
	own := -1
	for i := range r.plan.Tasks {
		if r.plan.Tasks[i].Line <= at {
			own = i
		}
	}
	for i := range max(own, 0) {
		if slices.Contains(r.plan.Tasks[i].Files, found[0].path) {
			return
		}
	}
	r.add(File{Path: found[0].path, Line: at + 1, Role: Reading, ReadFirst: true})
}

// sourceWords are the beginnings of a line that names the file of the code below it.
var sourceWords = []string{
	"from ", "in ", "file:", "extracted from ", "copied from ", "taken from ", "current ", "existing ", "key types from ", "types from ", "key exports from ",
}

// codeOrigin returns the file that a line names as the origin of code: "From src/a.ts:", "// src/a.ts", "**`src/a.ts`**", "<!--
// From src/a.ts -->". A name without folder counts if it is the whole line: "Current Dashboard.tsx:".
func codeOrigin(line string) (string, bool) {
	s := strings.TrimLeft(strings.TrimSpace(line), "#/*-<>!_` ")
	lower := strings.ToLower(s)
	said := slices.ContainsFunc(sourceWords, func(w string) bool { return strings.HasPrefix(lower, w) })
	found := findPaths(s, false)
	if len(found) != 1 || found[0].outside {
		return "", false
	}
	f := found[0]
	if !strings.Contains(f.path, "/") {
		return f.path, said && isProgramFile(f.path) && f.start <= maxBefore && strings.Trim(s[f.end:], "`*: ->") == ""
	}
	if !said && f.start > 2 {
		return "", false
	}
	comment := strings.TrimSpace(line) != s // of code, or of Markdown
	if !said && !comment {
		return "", false
	}
	return f.path, f.start <= maxBefore
}

// maxBefore is the largest number of bytes on a line before the path of the file that code is from.
const maxBefore = len("key exports from ``")

// readCodeLine reads paths in a line of code. Imports in it are relative to an unknown file, so only whole paths count.
func (r *reader) readCodeLine(line string, number int, role Role) {
	for _, f := range findPaths(line, false) {
		if !f.outside && strings.Contains(f.path, "/") && !f.relative {
			r.add(File{Path: f.path, Line: number, Role: Prose}) // an example may name files that do not exist
		}
	}
	r.readInstall(line)
}

func (r *reader) readTextLine(line string, number int, role Role) {
	lower := strings.ToLower(line)
	named := ""
	_, origin := codeOrigin(line)
	origin = origin && (strings.HasSuffix(lower, ":") || strings.Contains(lower, "from "))
	if role == TaskFile {
		role = Action // its list was read; the line is known from here
	}
	for _, text := range expandBraces(line) {
		for _, f := range findPaths(text, false) {
			switch {
			case f.outside:
				continue
			case f.relative && (!f.ticked || !strings.Contains(f.path, "/")):
				continue
			case !strings.Contains(f.path, "/") && !f.ticked && (role != Action || !isProgramFile(f.path)):
				continue
			}
			n := File{Path: f.path, Line: number, Role: role}
			reference := strings.HasPrefix(text[max(0, f.start-1):], "@") || strings.HasPrefix(text[f.start:], "@")
			n.Shown = role == Reading && (origin || reference)
			before := strings.ToLower(text[max(0, f.start-60):f.start])
			n.New = endsWithPhrase(before, creating) || hasNewMark(strings.ToLower(text[f.end:min(len(text), f.end+40)]))
			n.Changes = !n.New && endsWithPhrase(before, changing)
			r.add(n)
			if strings.Contains(f.path, "/") {
				named = f.path
			}
		}
	}
	r.readNames(line, lower, named, number, role)
	r.readInstall(line)
}

// elidedParameters matches the dots that take the place of parameters; dots before a name are part of it, as in a rest parameter.
var elidedParameters = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\.\.\.\s*[,)]`) })

// readSignatures reads the declarations that a plan has copied from a file.
func (r *reader) readSignatures(file string, lines []string, first int) {
	if file == "" || len(lines) == 0 || len(r.c.Signatures) > 500 {
		return
	}
	l := language(file)
	if l == "" {
		return
	}
	e := extract.New()
	defer e.Close()
	f := e.Extract(file, l, []byte(strings.Join(lines, "\n")+"\n"))
	for i := range f.Symbols {
		y := &f.Symbols[i]
		function := y.Kind.IsFunction()
		if !function && !y.Kind.IsType() {
			continue
		}
		if strings.Contains(y.Signature, "...") && len(y.Params) == 0 {
			continue // its parameters were left out by hand
		}
		g := Signature{File: file, Name: y.Qualified, Type: y.Kind.IsType(), Text: y.Signature}
		g.HasList = function && strings.Contains(y.Signature, "(")
		g.Line = first + int(y.Span.Line) - 1
		for _, p := range y.Params {
			g.Params = append(g.Params, p.Name)
		}
		if strings.Contains(y.Signature, "…") || strings.Contains(y.Signature, "/*") || elidedParameters().MatchString(y.Signature) {
			g.HasList = false // shortened by hand
		}
		r.c.Signatures = append(r.c.Signatures, g)
	}
}
