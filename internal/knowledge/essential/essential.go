// Package essential keeps the documents that an agent has to know before it works on a project: design documents and rules
// for contributors. It finds the documents, summarises them without a model or keeps the summary that an agent wrote, and
// marks those that have changed since. They are kept in .ken/knowledge/context.yml, which people may edit. yaml.go reads
// that file and changes single values of it, find.go finds documents, extract.go summarises them. Its neighbours are
// knowledge/entity, about files, and knowledge/agreement, about terms.
package essential

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/knowledge/textfile"
)

// Path is the file of the context, below the project's root; Others are the files of other programs that are read in its
// place and never written.
const (
	Path      = ".ken/knowledge/context.yml"
	codeIntel = ".code-intel/context.yml"
)

// maxFile is the largest file that is read, in bytes.
const maxFile = 256 << 10

// Kind is the kind of a document.
type Kind string

// The kinds of documents.
const (
	Design Kind = "design" // it says how the project is built
	Rules  Kind = "rules"  // what contributors must and must not do
)

// Origin is the source of a summary.
type Origin string

// The origins of summaries.
const (
	Extracted Origin = "extraction" // taken from the document, without a model
	Agent     Origin = "agent"
	Person    Origin = "person" // by hand, or by another program
)

// Status is the state of a document: whether its summary still fits it.
type Status string

// The states of a document and its summary.
const (
	Current   Status = "current"
	Changed   Status = "changed"   // the document has changed since
	Gone      Status = "gone"      // there is no such document
	Unchecked Status = "unchecked" // nothing says which version the summary is of
	New       Status = "new"       // not in the file yet: the summary is extracted when it is shown
)

// Document is a document with its summary.
type Document struct {
	Kind    Kind
	Path    string
	Summary string
	Hash    string // of the document when the summary was written, hexadecimal; "" if not recorded
	By      Origin
	Notes   string // added by hand, in no document
	Status  Status
	Kept    string // the file that has the summary, "" for a new one
}

// Search limits the documents that are searched for mentions of files and symbols.
type Search struct{ Include, Exclude []string }

// Context is the documents that an agent has to know, as the files of the context list them.
type Context struct {
	Documents []Document
	Search    Search
	Synced    string   // time of the last update, RFC 3339; "" if never
	Files     []string // that it was read from
	Broken    []string // files that cannot be read, with the reason
	own       contextFile
}

// contextFile is a parsed context.yml, with its lines.
type contextFile struct {
	lines []string
	root  *node
}

// Load reads the context below root: ken's own file, and those of other programs for documents that ken's does not have. A
// file that cannot be read is listed in Broken and left alone.
func Load(root string) *Context {
	c := &Context{}
	for _, name := range []string{Path, codeIntel} {
		text, ok, err := textfile.Read(root, name, maxFile)
		var f contextFile
		if err == nil && ok {
			f, err = parseFile(text)
		}
		if err != nil {
			c.Broken = append(c.Broken, fmt.Sprintf("%s cannot be read and is left alone: %s", name, err))
			continue
		}
		if !ok {
			continue
		}
		if name == Path {
			c.own = f
		}
		c.Files = append(c.Files, name)
		c.addFrom(name, &f)
	}
	return c
}

func parseFile(text string) (contextFile, error) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	root, err := parseYAML(lines)
	return contextFile{lines, root}, err
}

// The keys of the file.
const (
	keyDocs, keyRules, keySummaries    = "essential_docs", "project_rules", "summaries"
	keyPath, keySource, keySummary     = "path", "source", "summary"
	keyHash, keyBy, keyNotes           = "content_hash", "written_by", "extra_notes"
	keySearch, keyInclude, keyExclude  = "document_search", "include_patterns", "exclude_patterns"
	keySynced                          = "last_synced"
	maxDocuments, maxSummary, maxNotes = 40, 4 << 10, 4 << 10
)

// MaxSummary is the size of the largest summary that is kept, in bytes.
const MaxSummary = maxSummary

// MaxDocuments is the largest number of documents that are kept.
const MaxDocuments = maxDocuments

// addFrom adds the documents of a file that are not in the context yet.
func (c *Context) addFrom(name string, f *contextFile) {
	for _, kind := range []Kind{Design, Rules} {
		for _, n := range documentNodes(f.root, kind) {
			d := newDocument(n, f.root.child(sectionName(kind)), kind)
			known := slices.ContainsFunc(c.Documents, func(o Document) bool { return o.Path == d.Path })
			if known || d.Path == "" || len(c.Documents) == maxDocuments {
				continue
			}
			if d.Kept = name; name != Path && d.By == "" {
				d.By = Person
			}
			c.Documents = append(c.Documents, d)
		}
	}
	if s := f.root.child(keySearch); s != nil && len(c.Search.Include)+len(c.Search.Exclude) == 0 {
		c.Search = Search{scalarTexts(s.child(keyInclude)), scalarTexts(s.child(keyExclude))}
	}
	if c.Synced == "" && name == Path {
		c.Synced = f.root.text(keySynced)
	}
}

func sectionName(k Kind) string {
	if k == Rules {
		return keyRules
	}
	return keyDocs
}

// documentNodes returns the mappings that describe a document each: the items of a section's list, and the section itself if
// it names one document.
func documentNodes(root *node, k Kind) (out []*node) {
	section := root.child(sectionName(k))
	if section == nil {
		return nil
	}
	items := section
	if section.kind == mapping {
		if section.child(keySummary) != nil || section.child(keyNotes) != nil || section.child(keyHash) != nil {
			out = append(out, section)
		}
		items = section.child(keySummaries)
	}
	if items != nil && items.kind == list {
		for _, n := range items.children {
			if n.kind == mapping {
				out = append(out, n)
			}
		}
	}
	return out
}

func newDocument(n, section *node, k Kind) Document {
	d := Document{Kind: k, Path: n.text(keyPath), Summary: strings.TrimSpace(n.text(keySummary)), Hash: n.text(keyHash),
		By: Origin(n.text(keyBy)), Notes: strings.TrimSpace(n.text(keyNotes))}
	if d.Path == "" {
		d.Path = n.text(keySource)
	}
	if name := n.text("file"); d.Path == "" && name != "" {
		d.Path = path.Join(section.text(keySource), name)
	}
	d.Summary, d.Notes = clipText(d.Summary, maxSummary), clipText(d.Notes, maxNotes)
	return d
}

// clipText shortens a text to at most most bytes, if it is too long to be shown.
func clipText(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

func scalarTexts(n *node) (out []string) {
	if n == nil || n.kind != list {
		return nil
	}
	for _, c := range n.children {
		if c.kind == scalar && c.value != "" {
			out = append(out, c.value)
		}
	}
	return out
}

// hexHash returns the hash of a file in hexadecimal.
func hexHash(hash [32]byte) string { return hex.EncodeToString(hash[:]) }

// minHash is the least number of digits of a hash that is compared.
const minHash = 8

// SetStatuses sets the status of each kept document by the hashes in the index. It reads one row for each, so that a session can
// start with it. It fails if the index cannot be read.
func (c *Context) SetStatuses(s *view.Snapshot) error {
	for i := range c.Documents {
		d := &c.Documents[i]
		f, ok, err := s.Index.FileByPath(d.Path)
		if err != nil {
			return err
		}
		switch now := hexHash(f.Hash); {
		case !ok:
			d.Status = Gone
		case len(d.Hash) < minHash:
			d.Status = Unchecked
		case strings.HasPrefix(now, strings.ToLower(d.Hash)):
			d.Status = Current
		case d.Kept != Path && d.Kept != "":
			d.Status = Unchecked // another program may hash otherwise
		default:
			d.Status = Changed
		}
	}
	return nil
}

// ErrBroken is returned if the file exists and cannot be parsed, so that nothing is written to it.
var ErrBroken = errors.New(Path + " cannot be read, so nothing is written to it: mend or remove it first")

// Put replaces the summary of a document in the context and leaves values alone that were added by hand. It fails with
// ErrBroken, if the file holds maxDocuments already, or if the document cannot be written as YAML that is read back
// equal. Write writes the file.
func (c *Context) Put(d Document) error {
	for _, b := range c.Broken {
		if strings.HasPrefix(b, Path+" ") {
			return ErrBroken
		}
	}
	if c.own.root == nil {
		c.own.lines = strings.Split(strings.TrimRight(header, "\n"), "\n")
		if err := c.own.parseLines(); err != nil {
			return err
		}
	}
	n := c.own.findEntry(&d)
	if n == nil {
		own := 0
		for i := range c.Documents {
			if c.Documents[i].Kept == Path {
				own++
			}
		}
		if own >= maxDocuments {
			return fmt.Errorf("%s holds %d documents: no more are kept", Path, maxDocuments)
		}
		if err := c.own.insertDocument(&d); err != nil {
			return err
		}
	} else if err := c.own.replaceEntry(&d); err != nil {
		return err
	}
	return c.own.checkHas(&d)
}

const header = `# What has to be known before work on this project. "ken context" shows it and names the
# documents that have changed since. Summaries are ken's or an agent's ("ken context put");
# extra_notes is yours, and so is all else that ken does not know: it stays as it is.
`

// Write writes the file below root with the time of the update. It fails if ken's own file was neither read nor begun
// by Put, or if it cannot be written.
func (c *Context) Write(root, now string) error {
	if err := c.own.setValue(c.own.root, keySynced, now); err != nil {
		return err
	}
	return textfile.Replace(root, Path, strings.Join(c.own.lines, "\n")+"\n")
}

// AllDocuments returns the documents of a project: those in the context with their status, then those that were found and are not in
// it, with an extracted summary. It fails if the index cannot be read.
func AllDocuments(ctx context.Context, s *view.Snapshot, root string) (*Context, error) {
	c := Load(root)
	if err := c.SetStatuses(s); err != nil {
		return nil, err
	}
	found, err := Find(s)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		if slices.ContainsFunc(c.Documents, func(d Document) bool { return d.Path == f.Path }) || len(c.Documents) >= maxDocuments {
			continue
		}
		d, err := Extract(ctx, s, f.Kind, f.Path)
		if err != nil {
			return nil, err
		}
		if d.Summary != "" {
			d.Status = New
			c.Documents = append(c.Documents, d)
		}
	}
	slices.SortStableFunc(c.Documents, func(a, b Document) int { return strings.Compare(string(b.Kind), string(a.Kind)) }) // rules first
	return c, nil
}

// RenewExtracts returns the documents to write again: extracts of documents that are not in the context, whose Kept is
// "", and of those that have changed since they were extracted. It does not touch entries of other programs.
func RenewExtracts(ctx context.Context, s *view.Snapshot, c *Context) (out []Document, err error) {
	found, err := Find(s)
	if err != nil {
		return nil, err
	}
	at := map[string]*Document{}
	for i := range c.Documents {
		d := &c.Documents[i]
		at[d.Path] = d
		if d.isRenewable() {
			found = append(found, Found{d.Kind, d.Path})
		}
	}
	own := len(at)
	for _, f := range found {
		old := at[f.Path]
		if old != nil && !old.isRenewable() || old == nil && own >= maxDocuments {
			continue
		}
		d, err := Extract(ctx, s, f.Kind, f.Path)
		if err != nil {
			return nil, err
		}
		done := slices.ContainsFunc(out, func(o Document) bool { return o.Path == d.Path })
		if d.Summary == "" || done {
			continue
		}
		if d.Status = Current; old != nil {
			d.Kept = old.Kept
		} else {
			own++
		}
		out = append(out, d)
	}
	return out, nil
}

// isRenewable reports whether ken itself extracted the summary, from an older version of the document.
func (d *Document) isRenewable() bool {
	return d.Kept == Path && d.Status == Changed && d.By == Extracted
}

// DocumentKind returns the kind of a document by its path.
func DocumentKind(file string) Kind {
	if rankRules(strings.ToLower(file)) >= 0 {
		return Rules
	}
	return Design
}

// FileHash returns the hash of a document in the form of the context file.
func FileHash(f *code.File) string { return hexHash(f.Hash) }

// Printable returns a summary without the characters that YAML forbids.
func Printable(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(printableLine(l), " \t")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
