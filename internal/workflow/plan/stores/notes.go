package stores

import (
	"cmp"
	"context"
	"path"
	"strconv"
	"strings"
	"time"

	"ken/internal/workflow/plan/argument"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/scaffold"
)

// Promoted is a note that became a todo.
type Promoted struct {
	Promoted bool   `json:"promoted"`
	File     string `json:"file"`
	Todo     string `json:"todo"`
	Path     string `json:"path"`
}

type textInput struct {
	Text string `arg:"TEXT…" help:"the thought"`
}

type statusInput struct {
	Status string `flag:"status" enum:"open,promoted" help:"open or promoted alone"`
}

type nameInput struct {
	Name string `arg:"NAME" help:"a file, or a part of its name that no other has"`
}

func noteOperations() []*planop.Operation {
	return []*planop.Operation{
		planop.Spec[textInput, any]{
			Name: "note create", Also: []string{"note add"}, Summary: "keep a thought as a file of its own", Writes: true,
			Run: createNote,
		}.Operation(),
		planop.Spec[statusInput, ListedEntries]{
			Name: "note list", Summary: "the notes that were kept", Run: listNotes,
		}.Operation(),
		planop.Spec[nameInput, Promoted]{
			Name: "note promote", Also: []string{"note complete"}, Summary: "make a todo of a note", Writes: true,
			Run: promoteNote,
		}.Operation(),
	}
}

// noteWords is the number of a note's first words that make its file name.
const noteWords = 6

func createNote(ctx context.Context, c *planop.Call, in *textInput) (any, error) {
	text := strings.TrimSpace(argument.NeutralText(in.Text))
	if text == "" {
		return nil, planop.Usagef("TEXT is empty")
	}
	now := c.Now().UTC()
	parts := strings.Fields(argument.SingleLine(text))
	title := strings.Join(parts[:min(len(parts), noteWords)], " ")
	base := now.Format(time.DateOnly) + "-" + titleSlug(title)
	return createEntry(ctx, c, "notes", func(names []string) (madeFile, error) {
		file := base + ".md"
		for n := 2; contains(names, file); n++ { // another thought with the same first words
			file = base + "-" + strconv.Itoa(n) + ".md"
		}
		body := "---\ndate: \"" + now.Format("2006-01-02 15:04") + "\"\npromoted: false\n---\n\n" + text + "\n"
		return madeFile{file: file, text: body, entry: Entry{File: file, Title: title, Status: "open", Created: now.Format("2006-01-02 15:04")}}, nil
	})
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if strings.EqualFold(n, name) { // some file systems do not distinguish upper and lower case
			return true
		}
	}
	return false
}

// firstLine returns the first line of a note below its front matter.
func firstLine(n *artefact.Note) string {
	body := n.Doc.Body()
	for line := body.From; line < body.To; line++ {
		if s := strings.TrimSpace(strings.TrimLeft(n.Doc.Line(line), "#")); s != "" {
			return s
		}
	}
	return ""
}

func listNotes(_ context.Context, c *planop.Call, in *statusInput) (ListedEntries, error) {
	f, err := c.Folder()
	if err != nil {
		return ListedEntries{}, err
	}
	files, found, err := readNotes(f, "notes")
	if err != nil {
		return ListedEntries{}, err
	}
	var list []Entry
	for i, n := range found {
		status := "open"
		if n.Value("promoted") == "true" {
			status = "promoted"
		}
		if in.Status != "" && in.Status != status {
			continue
		}
		list = append(list, Entry{
			File: files[i], Title: cmp.Or(n.Value("title"), firstLine(n)), Status: status, Created: n.Value("date"), Path: f.Path(path.Join("notes", files[i])),
		})
	}
	return newListed("notes", list), nil
}

// promoteNote makes a todo from a note, and marks the note, in one change.
func promoteNote(ctx context.Context, c *planop.Call, in *nameInput) (Promoted, error) {
	file, err := findEntry(c, "Note", "notes", in.Name)
	if err != nil {
		return Promoted{}, err
	}
	from, err := c.PathBelowPlanning(path.Join("notes", file))
	if err != nil {
		return Promoted{}, err
	}
	f, err := c.Folder()
	if err != nil {
		return Promoted{}, err
	}
	now := c.Now().UTC()
	answer := Promoted{Promoted: true, File: file}
	_, err = c.Change(ctx, "note promote "+file, func(read change.Read) ([]change.File, error) {
		text, there, err := read(from)
		if err != nil || !there {
			return nil, errorOr(err, planop.Faultf("entry_not_found", "%s is missing", from))
		}
		n := artefact.ParseNote(text)
		if n.Value("promoted") == "true" {
			return nil, planop.Faultf("already_promoted", "%s was made a todo already", file)
		}
		title := argument.SingleLine(cmp.Or(firstLine(n), strings.TrimSuffix(file, ".md")))
		answer.Todo = now.Format(time.DateOnly) + "-" + titleSlug(title) + ".md"
		answer.Path = f.Path(path.Join("todos/pending", answer.Todo))
		to, err := c.PathBelowPlanning(path.Join("todos/pending", answer.Todo))
		if err != nil {
			return nil, err
		}
		if _, there, err := read(to); there || err != nil {
			return nil, errorOr(err, planop.Faultf("already_exists", "%s is there already", answer.Path))
		}
		todo, err := fillTemplate("stores/todo.md", title, map[string]string{
			"title": title, "time": now.Format(timeForm), "area": "general", "priority": "normal", "problem": "From the note " + f.Path(path.Join("notes", file)) + ".",
			"solution": "To be decided",
		})
		if err != nil {
			return nil, err
		}
		if text, err = scaffold.WithFields(text, []string{"promoted"}, map[string]any{"promoted": true}); err != nil {
			return nil, err
		}
		return []change.File{{Name: to, Text: &todo}, {Name: from, Text: &text}}, nil
	})
	return answer, err
}
