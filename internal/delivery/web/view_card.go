package web

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

type treeData struct {
	matrixAnswer
	Path  text
	Crumb []crumb
	Found struct {
		Files []struct {
			Path text   `json:"path"`
			Why  []text `json:"why"`
		} `json:"files"`
	}
}

// crumb is a folder on the way from the root.
type crumb struct{ Name, Path text }

func crumbs(p text) (out []crumb) {
	at := ""
	for part := range strings.SplitSeq(string(p), "/") {
		at = strings.TrimPrefix(at+"/"+part, "/")
		out = append(out, crumb{text(part), text(at)})
	}
	return out
}

func viewTree(ctx context.Context, s *asker, r *request) *page {
	d := treeData{Path: text(strings.TrimSuffix(r.get("path"), "/"))}
	if d.Path == "" || d.Path == "." {
		d.Path = "."
	} else {
		d.Crumb = crumbs(d.Path)
	}
	query := ""
	if d.Path != "." {
		query = "path:" + string(d.Path)
	}
	list := []asked{{newQuestion("matrix", "path", string(d.Path)), &d.matrixAnswer}}
	if query != "" && !strings.ContainsAny(query, " \t\"'") {
		list = append(list, asked{newQuestion("find", "query", query, "limit", "100"), &d.Found})
	}
	answers := s.askAll(ctx, list...)
	return &page{Title: "Folder " + d.Path.String(), Data: &d, Answers: answers, Revision: d.Revision}
}

// fileData is the card of a file.
type fileData struct {
	Revision int64 `json:"revision"`
	Files    []struct {
		Path     text   `json:"path"`
		Language text   `json:"language"`
		Type     text   `json:"type"`
		Purpose  text   `json:"purpose"`
		Lines    int    `json:"lines"`
		Bytes    int    `json:"bytes"`
		Tokens   int    `json:"o200k_base"`
		Source   string `json:"source"`
		Imports  []struct {
			Specifier text       `json:"specifier"`
			Files     []fileName `json:"files"`
			Package   text       `json:"package"`
			Standard  bool       `json:"standard"`
		} `json:"imports"`
		Dependents []dependent `json:"dependents"`
		Tests      []struct {
			Path text `json:"path"`
		} `json:"tests"`
		Marks []text `json:"marks"`
	} `json:"files"`

	Crumb   []crumb
	Users   []folderUsers
	Outline []outlineRow
	Source  sourceWindow
}

type dependent struct {
	Path       text `json:"path"`
	Depth      int  `json:"depth"`
	Confidence text `json:"confidence"`
	Relation   text `json:"relation"`
	Test       bool `json:"test"`
}

type outlineRow struct {
	symbolRow
	Depth    int  `json:"depth"`
	Exported bool `json:"exported"`
}

// Indent is a class by depth, because styles in a page are forbidden.
func (o outlineRow) Indent() int { return min(o.Depth, 4) }

// folderUsers are the files of a folder that use something.
type folderUsers struct {
	Folder text
	Files  []fileUse
	More   int
}

// ShortFolder is the folder in few characters, for a column.
func (f folderUsers) ShortFolder() string { return shortenPath(f.Folder.String(), 28) }

type fileUse struct {
	Path       text
	Line       int
	Confidence text
	Relation   text
	Test       bool
	Text       line
	In         text
	Uses       []fileUse // the uses in the file, if the page lists them by file
	More       int       // uses that are not listed
}

const (
	maxFolders  = 24
	maxInFolder = 12
	maxInFile   = 12
	maxSource   = 400 // lines of source on a page
	maxLine     = 400 // characters of a line that are shown
	maxOutline  = 300
	maxImports  = 60
)

func viewFile(ctx context.Context, s *asker, r *request) *page {
	name := r.get("path")
	var d fileData
	var outline struct {
		Files []struct {
			Symbols []outlineRow `json:"symbols"`
		} `json:"files"`
	}
	answers := s.askAll(ctx, asked{newQuestion("show", "target", name, "source", "true"), &d},
		asked{newQuestion("outline", "file", name, "lines", "true"), &outline})
	p := &page{Title: base(name).String(), Data: &d, Answers: answers, Revision: d.Revision}
	if len(d.Files) == 0 {
		p.status = 404
		return p
	}
	f := &d.Files[0]
	d.Crumb = crumbs(f.Path)
	var uses []fileUse
	for _, u := range f.Dependents {
		uses = append(uses, fileUse{Path: u.Path, Confidence: u.Confidence, Relation: u.Relation, Test: u.Test})
	}
	d.Users = groupUsers(uses)
	if len(outline.Files) > 0 {
		d.Outline = outline.Files[0].Symbols
		for i := range d.Outline {
			d.Outline[i].Path = f.Path
		}
		d.Outline = d.Outline[:min(len(d.Outline), maxOutline)]
	}
	from := r.number("from", 1, 1<<30)
	if at := r.number("line", 0, 1<<30); at > maxSource/2 && r.get("from") == "" {
		from = at - maxSource/2
	}
	d.Source = newWindow(f.Source, from, 1, r.number("line", 0, 1<<30))
	return p
}

// Card is the file.
func (d *fileData) Card() any { return &d.Files[0] }

// Imports are the imports that are listed.
func (d *fileData) Imports() any {
	list := d.Files[0].Imports
	return list[:min(len(list), maxImports)]
}

// groupUsers groups uses by folder, those with most files first.
func groupUsers(uses []fileUse) []folderUsers {
	var out []folderUsers
	at := map[text]int{}
	for _, u := range uses {
		folder := dir(u.Path)
		i, ok := at[folder]
		if !ok {
			i = len(out)
			at[folder] = i
			out = append(out, folderUsers{Folder: folder})
		}
		out[i].Files = append(out[i].Files, u)
	}
	slices.SortStableFunc(out, func(a, b folderUsers) int {
		return cmp.Or(cmp.Compare(len(b.Files), len(a.Files)), cmp.Compare(a.Folder, b.Folder))
	})
	for i := range out {
		if n := len(out[i].Files); n > maxInFolder {
			out[i].More = n - maxInFolder
			out[i].Files = out[i].Files[:maxInFolder]
		}
	}
	return out
}

// groupFiles makes one of the uses in a file, in the order in which files come first.
func groupFiles(uses []fileUse) []fileUse {
	var out []fileUse
	at := map[text]int{}
	for _, u := range uses {
		i, ok := at[u.Path]
		if !ok {
			i = len(out)
			at[u.Path] = i
			out = append(out, fileUse{Path: u.Path, Line: u.Line, Confidence: u.Confidence, Relation: u.Relation, Test: u.Test})
		}
		if f := &out[i]; len(f.Uses) < maxInFile {
			f.Uses = append(f.Uses, u)
		} else {
			f.More++
		}
	}
	return out
}

// shownFolders returns the folders that are listed.
func shownFolders(all []folderUsers) []folderUsers { return all[:min(len(all), maxFolders)] }

// sourceWindow is a part of a source.
type sourceWindow struct {
	Lines      []sourceLine
	First      int // line
	Last       int
	Total      int
	Prev, Next int // first lines of the parts around it, 0 if there is none
}

type sourceLine struct {
	N    int
	Text line
	Cut  bool
	Here bool
}

// newWindow returns the part of a source that begins at a line. The source itself begins at line first of its file.
func newWindow(source string, from, first, here int) sourceWindow {
	lines := strings.Split(strings.TrimSuffix(source, "\n"), "\n")
	from = max(0, min(from-first, len(lines)-1))
	part := lines[from:min(len(lines), from+maxSource)]
	w := sourceWindow{First: from + first, Last: from + first + len(part) - 1, Total: len(lines)}
	for i, l := range part {
		one := sourceLine{N: from + first + i, Text: line(strings.TrimSuffix(l, "\r")), Here: from+first+i == here}
		if r := []rune(l); len(r) > maxLine {
			one.Text, one.Cut = line(r[:maxLine]), true
		}
		w.Lines = append(w.Lines, one)
	}
	if from > 0 {
		w.Prev = max(1, from+first-maxSource)
	}
	if from+len(part) < len(lines) {
		w.Next = w.Last + 1
	}
	return w
}

type symbolData struct {
	Revision int64        `json:"revision"`
	Symbols  []symbolCard `json:"symbols"`
	Total    int          `json:"total"`

	Name  text
	Users []folderUsers
	Uses  struct {
		References []reference `json:"references"`
	}
	Cut int // references that are not listed
}

type symbolCard struct {
	symbolRow
	EndLine       int            `json:"end_line"`
	Exported      bool           `json:"exported"`
	Doc           string         `json:"doc"`
	References    int            `json:"references"`
	Confidences   map[string]int `json:"confidences"`
	ResolvedShare float64        `json:"resolved_share"`
	Dropped       int            `json:"dropped"`
	Settled       bool           `json:"settled"`
	Source        string         `json:"source"`
	Callers       []caller       `json:"callers"`
	Tests         []caller       `json:"tests"`

	Window sourceWindow
}

type caller struct {
	Path       text `json:"path"`
	Line       int  `json:"line"`
	Name       text `json:"name"`
	Confidence text `json:"confidence"`
}

// DocLines are the lines of the doc comment.
func (c *symbolCard) DocLines() (out []line) {
	for l := range strings.SplitSeq(c.Doc, "\n") {
		out = append(out, line(l))
	}
	return out[:min(len(out), 40)]
}

// Tiers are the confidences of the references, the surest first.
func (c *symbolCard) Tiers() (out []tierCount) {
	for _, name := range []string{"exact", "import-resolved", "unique-name", "ambiguous"} {
		if n := c.Confidences[name]; n > 0 {
			out = append(out, tierCount{text(name), n})
		}
	}
	return out
}

type tierCount struct {
	Name  text
	Count int
}

type reference struct {
	Path       text `json:"path"`
	Line       int  `json:"line"`
	Kind       text `json:"kind"`
	Confidence text `json:"confidence"`
	In         text `json:"in"`
	Text       line `json:"line_text"`
}

func viewSymbol(ctx context.Context, s *asker, r *request) *page {
	d := symbolData{Name: text(r.get("name"))}
	answers := s.askAll(ctx, asked{newQuestion("show", "target", string(d.Name), "source", "true"), &d},
		asked{newQuestion("refs", "name", string(d.Name), "lines", "true", "limit", "300"), &d.Uses})
	p := &page{Title: d.Name.String(), Data: &d, Answers: answers, Revision: d.Revision}
	if len(d.Symbols) == 0 {
		p.status = 404
	}
	var uses []fileUse
	for _, u := range d.Uses.References {
		uses = append(uses, fileUse{Path: u.Path, Line: u.Line, Confidence: u.Confidence, Relation: u.Kind, Text: cutLine(u.Text), In: u.In})
	}
	d.Users = groupUsers(groupFiles(uses))
	total := 0
	for i := range d.Symbols {
		c := &d.Symbols[i]
		c.Window = newWindow(c.Source, c.Line, c.Line, 0)
		total += c.References
	}
	d.Cut = max(0, total-len(uses))
	return p
}

func cutLine(l line) line {
	if r := []rune(strings.TrimSpace(string(l))); len(r) > maxLine/2 {
		return line(r[:maxLine/2]) + " …"
	}
	return line(strings.TrimSpace(string(l)))
}
