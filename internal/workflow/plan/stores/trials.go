package stores

import (
	"cmp"
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

// trialStore is a store of experiments, spikes or sketches: numbered folders with a README.md each, and a MANIFEST.md with a table of them.
type trialStore struct {
	name, plural, dir, title string
	columns                  []string // the columns of the table in MANIFEST.md; the fourth is the result
	key                      string   // the key of the result in the front matter of README.md
	begun                    string   // the result of an entry that was just made
	results                  []string // the possible results, any if empty
	question                 string   // the key of the question that an entry answers
}

var trials = [...]trialStore{
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
		list = append(list, trials[i].newOperations()...)
	}
	return list
}

type trialInput struct {
	Title    string `arg:"TITLE…" help:"what it is about"`
	Question string `flag:"question" words:"yes" help:"what it is to find out"`
}

type trialResultInput struct {
	Name   string `arg:"NAME" help:"a folder, or a part of its name that no other has"`
	Result string `arg:"RESULT" help:"the verdict of a spike, the winner of a sketch"`
}

func (t *trialStore) newOperations() []*planop.Operation {
	set := planop.Spec[trialResultInput, StatusSet]{Writes: true, Enums: map[string][]string{"RESULT": t.results}, Run: t.setResult}
	status, complete := set, set
	status.Name, status.Summary = t.name+" status", "set the "+t.key+" of a "+t.name
	complete.Name, complete.Summary = t.name+" complete", "close a "+t.name+" with its "+t.key
	return []*planop.Operation{
		planop.Spec[trialInput, Created]{
			Name: t.name + " create", Summary: "begin a " + t.name + " in a numbered folder", Writes: true,
			Run: func(ctx context.Context, c *planop.Call, in *trialInput) (Created, error) {
				return createEntry(ctx, c, t.dir, func(names []string) (madeFile, error) { return t.composeEntry(c, in, names) })
			},
		}.Operation(),
		planop.Spec[planop.NoInput, ListedEntries]{Name: t.name + " list", Summary: "the entries of " + t.dir, Run: t.listEntries}.Operation(),
		status.Operation(),
		complete.Operation(),
	}
}

func (t *trialStore) composeEntry(c *planop.Call, in *trialInput, names []string) (madeFile, error) {
	title := argument.SingleLine(in.Title)
	id, slug := nextNumber(names, ""), titleSlug(title)
	question := cmp.Or(argument.SingleLine(in.Question), "[What it is to find out]")
	text, err := fillTemplate("stores/"+t.name+".md", title, map[string]string{"id": id, "slug": slug, "title": title, "question": question})
	if err != nil {
		return madeFile{}, err
	}
	f, err := c.Folder()
	if err != nil {
		return madeFile{}, err
	}
	below, err := c.PathBelowPlanning(path.Join(t.dir, "MANIFEST.md"))
	if err != nil {
		return madeFile{}, err
	}
	manifest := ""
	if f.Exists(path.Join(t.dir, "MANIFEST.md")) {
		if manifest, err = f.Read(path.Join(t.dir, "MANIFEST.md")); err != nil {
			return madeFile{}, err
		}
	}
	manifest = t.withEntry(manifest, []string{id, slug, question, t.begun, ""})
	dir := id + "-" + slug
	entry := Entry{ID: id, File: dir, Title: title, Status: t.begun, Note: question}
	return madeFile{file: path.Join(dir, "README.md"), text: text, entry: entry, also: []change.File{{Name: below, Text: &manifest}}}, nil
}

// withEntry returns the text of MANIFEST.md with one more row.
func (t *trialStore) withEntry(text string, cells []string) string {
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

func (t *trialStore) listEntries(_ context.Context, c *planop.Call, _ *planop.NoInput) (ListedEntries, error) {
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
			entry.Title, entry.Note = cmp.Or(n.Value("title"), slug), n.Value(t.question)
			if v := n.Value(t.key); v != "null" {
				entry.Status = cmp.Or(v, t.begun)
			}
		}
		list = append(list, entry)
	}
	return newListed(t.plural, list), nil
}

// setResult writes the result of an entry into the front matter of its README.md and into its row of MANIFEST.md.
func (t *trialStore) setResult(ctx context.Context, c *planop.Call, in *trialResultInput) (StatusSet, error) {
	name, err := findEntry(c, t.title[:len(t.name)], t.dir, in.Name)
	if err != nil {
		return StatusSet{}, err
	}
	f, err := c.Folder()
	if err != nil {
		return StatusSet{}, err
	}
	readme, err := c.PathBelowPlanning(path.Join(t.dir, name, "README.md"))
	if err != nil {
		return StatusSet{}, err
	}
	manifest, err := c.PathBelowPlanning(path.Join(t.dir, "MANIFEST.md"))
	if err != nil {
		return StatusSet{}, err
	}
	result := argument.SingleLine(in.Result)
	answer := StatusSet{Updated: true, File: name, Path: f.Path(path.Join(t.dir, name, "README.md")), Status: result}
	_, err = c.Change(ctx, c.Name+" "+name, func(read change.Read) ([]change.File, error) {
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

// withResult returns the text of MANIFEST.md with the result of an entry. The row of the entry has its number in the first column.
func (t *trialStore) withResult(text, name, result string) (string, error) {
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
