// Package essential keeps what has to be known before anybody works on a project: its design
// documents and the rules for those who change it. It finds the documents, takes from them what
// matters, without a model, or keeps what an agent wrote of them, and says which have changed
// since. What is kept is .ken/knowledge/context.yml, which people may edit; yaml.go reads it
// and changes single values of it. find.go finds documents, extract.go takes from them.
// Its neighbours in internal/knowledge keep what is known of files and of terms.
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

// Path is where the context is kept, below the project's root; Others are the files of other
// programs that are read in its place and never written.
const (
	Path      = ".ken/knowledge/context.yml"
	codeIntel = ".code-intel/context.yml"
)

// maxFile is the largest file that is read, in bytes.
const maxFile = 256 << 10

// Kind is what a document is for.
type Kind string

// The kinds of documents.
const (
	Design Kind = "design" // it says how the project is built
	Rules  Kind = "rules"  // it says what those who change it must do
)

// Origin says where a summary is from.
type Origin string

// The origins of summaries.
const (
	Extracted Origin = "extraction" // taken from the document, without a model
	Agent     Origin = "agent"
	Person    Origin = "person" // by hand, or by another program
)

// Status says whether a summary can be believed.
type Status string

// The states of a document and its summary.
const (
	Current   Status = "current"
	Changed   Status = "changed"   // the document has changed since
	Gone      Status = "gone"      // there is no such document
	Unchecked Status = "unchecked" // nothing says which version the summary is of
	New       Status = "new"       // nothing is kept of it yet: the summary is extracted as it is shown
)

// Document is a document with what is known of it.
type Document struct {
	Kind    Kind
	Path    string
	Summary string
	Hash    string // of the document when the summary was written, hexadecimal; "" if nobody says
	By      Origin
	Notes   string // what somebody added by hand and is in no document
	Status  Status
	Kept    string // file that it is kept in, "" of one that is new
}

// Search narrows which documents are looked through for mentions of files and symbols.
type Search struct{ Include, Exclude []string }

// Context is what is kept of a project.
type Context struct {
	Documents []Document
	Search    Search
	Synced    string   // when it was last brought up to date, RFC 3339; "" if never
	Files     []string // that it was read from
	Broken    []string // files that are there and cannot be read, and why
	own       file
}

// file is a context.yml.
type file struct {
	lines []string
	root  *node
}

// Load reads what is kept below root: ken's own file, and that of another program for
// documents of which ken's says nothing. A file that cannot be read is named and left alone.
func Load(root string) *Context {
	c := &Context{}
	for _, name := range []string{Path, codeIntel} {
		text, ok, err := textfile.Read(root, name, maxFile)
		var f file
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
		c.add(name, &f)
	}
	return c
}

func parseFile(text string) (file, error) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	root, err := parse(lines)
	return file{lines, root}, err
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

// MaxDocuments is how many documents are kept at most.
const MaxDocuments = maxDocuments

// add takes over what a file says of documents that nothing was said of before.
func (c *Context) add(name string, f *file) {
	for _, kind := range []Kind{Design, Rules} {
		for _, n := range entriesOf(f.root, kind) {
			d := documentOf(n, f.root.child(sectionOf(kind)), kind)
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
		c.Search = Search{scalars(s.child(keyInclude)), scalars(s.child(keyExclude))}
	}
	if c.Synced == "" && name == Path {
		c.Synced = f.root.text(keySynced)
	}
}

func sectionOf(k Kind) string {
	if k == Rules {
		return keyRules
	}
	return keyDocs
}

// entriesOf are the mappings that say something of a document each: the items of a section's
// list, and the section itself where it names one document.
func entriesOf(root *node, k Kind) (out []*node) {
	section := root.child(sectionOf(k))
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

func documentOf(n, section *node, k Kind) Document {
	d := Document{Kind: k, Path: n.text(keyPath), Summary: strings.TrimSpace(n.text(keySummary)), Hash: n.text(keyHash),
		By: Origin(n.text(keyBy)), Notes: strings.TrimSpace(n.text(keyNotes))}
	if d.Path == "" {
		d.Path = n.text(keySource)
	}
	if name := n.text("file"); d.Path == "" && name != "" {
		d.Path = path.Join(section.text(keySource), name)
	}
	d.Summary, d.Notes = clip(d.Summary, maxSummary), clip(d.Notes, maxNotes)
	return d
}

// clip cuts a text that somebody made too long to be shown.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

func scalars(n *node) (out []string) {
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

// hexOf is the hash of a file as it is written down.
func hexOf(hash [32]byte) string { return hex.EncodeToString(hash[:]) }

// minHash is the number of digits that a hash has at least to say anything.
const minHash = 8

// Check sets the status of each kept document by the hashes that the index has. It asks for
// one row each, so that a session can start with it.
func (c *Context) Check(s *view.Snapshot) error {
	for i := range c.Documents {
		d := &c.Documents[i]
		f, ok, err := s.Index.FileByPath(d.Path)
		if err != nil {
			return err
		}
		switch now := hexOf(f.Hash); {
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

// ErrBroken says that the file is there and cannot be read, so that nothing is written to it.
var ErrBroken = errors.New(Path + " cannot be read, so nothing is written to it: mend or remove it first")

// Put keeps what was written of a document: its summary is replaced, what was added by hand
// stays. Write writes it.
func (c *Context) Put(d Document) error {
	for _, b := range c.Broken {
		if strings.HasPrefix(b, Path+" ") {
			return ErrBroken
		}
	}
	if c.own.root == nil {
		c.own.lines = strings.Split(strings.TrimRight(header, "\n"), "\n")
		if err := c.own.read(); err != nil {
			return err
		}
	}
	n := c.own.entry(&d)
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
		if err := c.own.insert(&d); err != nil {
			return err
		}
	} else if err := c.own.renew(&d); err != nil {
		return err
	}
	return c.own.has(&d)
}

const header = `# What has to be known before work on this project. "ken context" shows it and names the
# documents that have changed since. Summaries are ken's or an agent's ("ken context put");
# extra_notes is yours, and so is all else that ken does not know: it stays as it is.
`

// Write writes the file below root, with the time at which it was brought up to date.
func (c *Context) Write(root, now string) error {
	if err := c.own.set(c.own.root, keySynced, now); err != nil {
		return err
	}
	return textfile.Replace(root, Path, strings.Join(c.own.lines, "\n")+"\n")
}

// Of is what is known of a project's documents: what is kept, with its status, and then those
// that were found and of which nothing is kept, with what is taken from them.
func Of(ctx context.Context, s *view.Snapshot, root string) (*Context, error) {
	c := Load(root)
	if err := c.Check(s); err != nil {
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

// Renew is what is to be kept anew: what is taken from documents that nothing is kept of, and
// from those that have changed since the same was done. Kept is "" of the former. What was
// kept by another program is left to it.
func Renew(ctx context.Context, s *view.Snapshot, c *Context) (out []Document, err error) {
	found, err := Find(s)
	if err != nil {
		return nil, err
	}
	at := map[string]*Document{}
	for i := range c.Documents {
		d := &c.Documents[i]
		at[d.Path] = d
		if d.renewable() {
			found = append(found, Found{d.Kind, d.Path})
		}
	}
	own := len(at)
	for _, f := range found {
		old := at[f.Path]
		if old != nil && !old.renewable() || old == nil && own >= maxDocuments {
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

// renewable reports whether a summary is ken's own and of an older version of the document.
func (d *Document) renewable() bool {
	return d.Kept == Path && d.Status == Changed && d.By == Extracted
}

// KindOf is what a document is for, by its path.
func KindOf(file string) Kind {
	if rankRules(strings.ToLower(file)) >= 0 {
		return Rules
	}
	return Design
}

// HashOf is the hash of a document as it is kept.
func HashOf(f *code.File) string { return hexOf(f.Hash) }

// Written is a summary as it can be kept: without what YAML forbids.
func Written(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(printable(l), " \t")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
