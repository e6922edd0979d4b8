package stores

import (
	"context"
	"path"
	"slices"
	"strings"

	"ken/internal/workflow/plan/argument"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/scaffold"
)

// trial is a store of numbered folders with a README.md each and a MANIFEST.md: spikes and sketches.
type trial struct {
	name, plural, dir, title string
	columns                  []string // of the manifest; the fourth is the result
	key                      string   // of the result, in front matter
	begun                    string   // the result of what is begun
	results                  []string // those it can have, any if empty
	question                 string   // the key of what it is to find out
}

var trials = [...]trial{
	{
		"spike", "spikes", "spikes", "Spike Manifest", []string{"#", "Name", "Validates", "Verdict", "Tags"}, "verdict", "PENDING",
		[]string{"PENDING", "VALIDATED", "PARTIAL", "INVALIDATED"}, "validates",
	},
	{
		"sketch", "sketches", "sketches", "Sketch Manifest", []string{"#", "Name", "Design Question", "Winner", "Tags"}, "winner", "", nil, "question",
	},
}

func trialOperations() []*planop.Operation {
	var list []*planop.Operation
	for i := range trials {
		list = append(list, trials[i].operations()...)
	}
	return list
}

func (t *trial) operations() []*planop.Operation {
	name := planop.Arg{Name: "NAME", Help: "a folder, or a part of its name that no other has"}
	result := planop.Arg{Name: "RESULT", Help: "its " + t.key, Enum: t.results}
	set := func(ctx context.Context, c *planop.Call) (any, error) { return t.set(ctx, c) }
	list := func(_ context.Context, c *planop.Call) (any, error) { return t.list(c) }
	return []*planop.Operation{
		{
			Name: t.name + " create", Summary: "begin a " + t.name + " in a numbered folder", Writes: true, Args: []planop.Arg{{Name: "TITLE", Help: "what it is about", Many: true}},
			Flags: []planop.Flag{{Name: "question", Help: "what it is to find out", Kind: planop.Words}},
			Run: func(ctx context.Context, c *planop.Call) (any, error) {
				return create(ctx, c, t.dir, func(names []string) (made, error) { return t.compose(c, names) })
			},
		},
		{Name: t.name + " list", Summary: "the entries of " + t.dir, Run: list},
		{Name: t.name + " status", Summary: "set the " + t.key + " of a " + t.name, Writes: true, Args: []planop.Arg{name, result}, Run: set},
		{Name: t.name + " complete", Summary: "close a " + t.name + " with its " + t.key, Writes: true, Args: []planop.Arg{name, result}, Run: set},
	}
}

func (t *trial) compose(c *planop.Call, names []string) (made, error) {
	title := argument.Line(c.Arg("TITLE"))
	id, slug := nextNumber(names, ""), slugOf(title)
	question := or(argument.Line(c.Flag("question")), "[What it is to find out]")
	text, err := filled("stores/"+t.name+".md", title, map[string]string{"id": id, "slug": slug, "title": title, "question": question})
	if err != nil {
		return made{}, err
	}
	f, err := c.Folder()
	if err != nil {
		return made{}, err
	}
	below, err := c.Below(path.Join(t.dir, "MANIFEST.md"))
	if err != nil {
		return made{}, err
	}
	manifest := ""
	if f.Exists(path.Join(t.dir, "MANIFEST.md")) {
		if manifest, err = f.Read(path.Join(t.dir, "MANIFEST.md")); err != nil {
			return made{}, err
		}
	}
	manifest = t.withEntry(manifest, []string{id, slug, question, t.begun, ""})
	dir := id + "-" + slug
	entry := Entry{ID: id, File: dir, Title: title, Status: t.begun, Note: question}
	return made{file: path.Join(dir, "README.md"), text: text, entry: entry, also: []change.File{{Name: below, Text: &manifest}}}, nil
}

// withEntry is a manifest with a row more.
func (t *trial) withEntry(text string, cells []string) string {
	for i := range cells {
		cells[i] = strings.ReplaceAll(cells[i], "|", `\|`)
	}
	row := "| " + strings.Join(cells, " | ") + " |"
	doc := document.Parse(text)
	for _, table := range doc.Tables(doc.Body()) {
		if doc.Column(table, t.columns[1]) < 0 {
			continue
		}
		last := table.Head.Line + 1
		for _, r := range table.Rows {
			last = r.Line
		}
		return insertLine(doc, last+1, row)
	}
	newline := doc.Newline()
	table := "| " + strings.Join(t.columns, " | ") + " |" + newline + "|" + strings.Repeat("---|", len(t.columns)) + newline + row + newline
	if text == "" {
		return "# " + t.title + newline + newline + table
	}
	if !strings.HasSuffix(text, "\n") {
		text += newline
	}
	return text + newline + table
}

func (t *trial) list(c *planop.Call) (any, error) {
	f, err := c.Folder()
	if err != nil {
		return nil, err
	}
	entries, err := f.List(t.dir)
	if err != nil {
		return nil, err
	}
	var list []Entry
	for _, e := range entries {
		id, slug, ok := strings.Cut(e.Name, "-")
		if !e.Dir || !ok || strings.Trim(id, "0123456789") != "" {
			continue
		}
		entry := Entry{ID: id, File: e.Name, Title: slug, Status: t.begun, Path: f.Path(path.Join(t.dir, e.Name))}
		if text, err := f.Read(path.Join(t.dir, e.Name, "README.md")); err == nil {
			n := artefact.ParseNote(text)
			entry.Title, entry.Note = or(n.Value("title"), slug), n.Value(t.question)
			if v := n.Value(t.key); v != "null" {
				entry.Status = or(v, t.begun)
			}
		}
		list = append(list, entry)
	}
	return listed(t.plural, list), nil
}

// set puts the result into the front matter of README.md and into the row of the manifest.
func (t *trial) set(ctx context.Context, c *planop.Call) (any, error) {
	name, err := pick(c, t.title[:len(t.name)], t.dir, c.Arg("NAME"))
	if err != nil {
		return nil, err
	}
	f, err := c.Folder()
	if err != nil {
		return nil, err
	}
	readme, err := c.Below(path.Join(t.dir, name, "README.md"))
	if err != nil {
		return nil, err
	}
	manifest, err := c.Below(path.Join(t.dir, "MANIFEST.md"))
	if err != nil {
		return nil, err
	}
	result := argument.Line(c.Arg("RESULT"))
	answer := StatusSet{Updated: true, File: name, Path: f.Path(path.Join(t.dir, name, "README.md")), Status: result}
	_, err = c.Change(ctx, c.Operation.Name+" "+name, func(read change.Read) ([]change.File, error) {
		text, there, err := read(readme)
		if err != nil || !there {
			return nil, errorOr(err, planop.Faultf("file_not_found", "there is no %s", answer.Path))
		}
		answer.Previous = artefact.ParseNote(text).Value(t.key)
		if text, err = scaffold.WithFields(text, []string{t.key}, map[string]any{t.key: result}); err != nil {
			return nil, err
		}
		files := []change.File{{Name: readme, Text: &text}}
		all, there, err := read(manifest)
		if err != nil || !there {
			return files, err
		}
		after, err := t.withResult(all, name, result)
		return append(files, change.File{Name: manifest, Text: &after}), err
	})
	return answer, err
}

// withResult is a manifest with the result of an entry, whose row has its number in the first column.
func (t *trial) withResult(text, name, result string) (string, error) {
	doc := document.Parse(text)
	id, _, _ := strings.Cut(name, "-")
	var edits []edit.Edit
	for _, table := range doc.Tables(doc.Body()) {
		at := doc.Column(table, t.columns[3])
		i := slices.IndexFunc(table.Rows, func(r document.Row) bool { return strings.TrimSpace(doc.Cell(r, 0)) == id })
		if at < 0 || i < 0 {
			continue
		}
		e, err := doc.SetCell(table.Rows[i], at, result)
		if err != nil {
			return "", planop.Faultf("manifest", "MANIFEST.md: %s", err.Error())
		}
		edits = append(edits, e...)
	}
	return edit.Apply(text, edits)
}
