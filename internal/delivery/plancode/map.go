package plancode

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/delivery/plancode/codebase"
	"ken/internal/delivery/project"
	"ken/internal/git"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
)

// MapAnswer is the answer of `ken plan map`.
type MapAnswer struct {
	Index     Index            `json:"index"`
	Commit    string           `json:"commit"` // that the documents are of, "" without one
	Documents []MappedDocument `json:"documents"`
}

// MappedDocument is a document about the code that was written.
type MappedDocument struct {
	Name   string          `json:"name"`
	File   string          `json:"file"`
	Action codebase.Action `json:"action"`
	Edited bool            `json:"changed_by_hand"` // ken's part was changed by hand and is written anew
	Left   []string        `json:"left_to_judgement"`
}

type documentInput struct {
	Document []string `arg:"[DOCUMENT…]" help:"one or more of the seven; all unless given"`
}

func (j *planIndexOps) mapCode() *planop.Operation {
	var names []string
	for _, d := range codebase.Documents() {
		names = append(names, strings.ToLower(d.Name))
	}
	return planop.Spec[documentInput, *MapAnswer]{
		Name: "map", Everyday: true, Enums: map[string][]string{"DOCUMENT": names},
		Summary: "write the documents of .planning/codebase from the index; what people judged in them stays",
		Writes:  true, Anywhere: true,
		Run:  j.runMap,
		Page: (*MapAnswer).page,
	}.Operation()
}

// chosenDocuments returns the documents that a call names, all if it names none.
func chosenDocuments(c *planop.Call, in *documentInput) ([]codebase.Document, error) {
	all := codebase.Documents()
	if len(in.Document) == 0 {
		return all, nil
	}
	var out []codebase.Document
	for _, word := range in.Document {
		at := -1
		for i := range all {
			if strings.EqualFold(all[i].Name, strings.TrimSuffix(word, ".md")) {
				at = i
			}
		}
		if at < 0 {
			return nil, planop.Usagef("there is no document %.40q", word)
		}
		out = append(out, all[at])
	}
	return out, nil
}

func (j *planIndexOps) runMap(ctx context.Context, c *planop.Call, in *documentInput) (*MapAnswer, error) {
	documents, err := chosenDocuments(c, in)
	if err != nil {
		return nil, err
	}
	a := &MapAnswer{}
	facts := map[string]string{}
	err = j.withSource(ctx, c, func(ctx context.Context, s *source) error {
		a.Index = s.index
		return addFacts(ctx, s, documents, facts)
	})
	if err != nil {
		return nil, err
	}
	if !a.Index.Used {
		return nil, &planop.Fault{Reason: "no_index", Message: "the documents are written from the index, and " + a.Index.Note}
	}
	root, err := c.Project()
	if err != nil {
		return nil, err
	}
	if a.Commit, err = headCommit(ctx, root); err != nil {
		return nil, err
	}
	_, err = c.Folder()
	if none := errors.Is(err, folder.ErrNone) || errors.Is(err, fs.ErrNotExist); none && c.DryRun {
		return a, a.write(documents, facts, c.Now(), func(string) (string, bool, error) { return "", false, nil }, nil)
	}
	if _, err := c.Begin(); err != nil {
		return nil, err
	}
	_, err = c.ChangeWhole(ctx, "map", func(read change.Read) (list []change.File, err error) {
		return list, a.write(documents, facts, c.Now(), read, &list)
	})
	var broken *codebase.Error
	if errors.As(err, &broken) {
		return nil, planop.NewValueFault("document_broken", broken.Why, "path", folder.Name+"/"+broken.File)
	}
	return a, err
}

// addFacts adds for each document its part that is derived from the index, keyed by the document's name.
func addFacts(ctx context.Context, s *source, documents []codebase.Document, into map[string]string) error {
	if s.s == nil {
		return nil
	}
	read, err := codebase.Read(ctx, s.s)
	if err != nil {
		return err
	}
	mask := func(text string) string { return s.p.KnownSecrets().MaskString(s.p.Engine.Hide(text)) }
	for i := range documents {
		into[documents[i].Name] = documents[i].Facts(read, mask)
	}
	return nil
}

// headCommit returns the id of the HEAD commit, "" without git or commits.
func headCommit(ctx context.Context, root string) (string, error) {
	r, err := git.Find(root)
	if errors.Is(err, git.ErrNoRepository) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	h, err := (git.Git{}).Head(ctx, r)
	if errors.Is(err, git.ErrNoGit) {
		return "", nil
	}
	return h.Commit, err
}

// write fills the answer with the content of each document. It may run twice, so it resets the answer first.
func (a *MapAnswer) write(
	documents []codebase.Document, facts map[string]string, now time.Time, read change.Read, files *[]change.File,
) error {
	a.Documents = []MappedDocument{}
	for i := range documents {
		d := &documents[i]
		old, _, err := read(d.File())
		if err != nil {
			return err
		}
		text, action, err := d.Write(old, facts[d.Name], a.Commit, now.UTC().Format(time.DateOnly))
		if err != nil {
			return err
		}
		row := MappedDocument{Name: d.Name, File: folder.Name + "/" + d.File(), Action: action, Left: nonNilList(d.JudgementHeadings())}
		row.Edited = codebase.ReadText(old).Edited
		a.Documents = append(a.Documents, row)
		if files != nil {
			*files = append(*files, change.File{Name: d.File(), Text: &text})
		}
	}
	return nil
}

func (a *MapAnswer) page() string {
	var b strings.Builder
	for _, d := range a.Documents {
		fmt.Fprintf(&b, "%-12s  %s\n", d.Name, d.Action)
		if d.Edited {
			b.WriteString("    it was changed by hand outside of its place for judgement; that was written anew, and \"ken plan undo\" brings it back\n")
		}
		fmt.Fprintf(&b, "    left to judgement: %s\n", strings.Join(d.Left, ", "))
	}
	return b.String()
}

// MapStatusAnswer is the answer of `ken plan map status`.
type MapStatusAnswer struct {
	Index     *Index           `json:"index,omitempty"` // with --facts
	Head      string           `json:"head"`
	Documents []DocumentStatus `json:"documents"`
}

// MapState is the state of a document: whether it still describes the code.
type MapState string

// The states of documents.
const (
	MapCurrent  MapState = "current"
	MapOutdated MapState = "outdated"
	MapMissing  MapState = "missing"
	MapUnknown  MapState = "unknown" // the state it was written from is unknown
)

// DocumentStatus is the state of a document, with the changes of the code since it was written.
type DocumentStatus struct {
	Name    string                   `json:"name"`
	File    string                   `json:"file"`
	State   MapState                 `json:"state"`
	Commit  string                   `json:"last_mapped_commit"`
	Date    string                   `json:"last_mapped"`
	Reason  string                   `json:"reason,omitempty"`
	Folders []codebase.ChangedFolder `json:"changed_folders"`
	// Facts is whether ken's part would be the same today: "same" or "different"; "" if it was not compared, or there is no index.
	Facts string `json:"facts,omitempty"`
}

type factsInput struct {
	Facts bool `flag:"facts" help:"say, too, whether what ken states would be different today; reads the code"`
}

func (j *planIndexOps) mapStatus() *planop.Operation {
	return planop.Spec[factsInput, *MapStatusAnswer]{
		Name:    "map status",
		Summary: "which documents of .planning/codebase are out of date since their last_mapped_commit, and what changed",
		Run:     j.runMapStatus,
		Page:    (*MapStatusAnswer).page,
	}.Operation()
}

func (j *planIndexOps) runMapStatus(ctx context.Context, c *planop.Call, in *factsInput) (*MapStatusAnswer, error) {
	f, err := c.Folder()
	if err != nil {
		return nil, err
	}
	a := &MapStatusAnswer{}
	if a.Head, err = headCommit(ctx, f.Project); err != nil {
		return nil, err
	}
	documents := codebase.Documents()
	facts := map[string]string{}
	if in.Facts {
		err = j.withSource(ctx, c, func(ctx context.Context, s *source) error {
			a.Index = &s.index
			return addFacts(ctx, s, documents, facts)
		})
	}
	if err != nil {
		return nil, err
	}
	since := &commitComparison{root: f.Project, head: a.Head, judge: codebase.NewJudge(), known: map[string][]codebase.Path{}}
	for i := range documents {
		row, err := since.status(ctx, f, &documents[i], facts)
		if err != nil {
			return nil, err
		}
		a.Documents = append(a.Documents, *row)
	}
	return a, nil
}

// commitComparison compares older commits with HEAD.
type commitComparison struct {
	root, head string
	judge      *codebase.ChangeJudge
	known      map[string][]codebase.Path
}

func (x *commitComparison) status(
	ctx context.Context, f *folder.Folder, d *codebase.Document, facts map[string]string,
) (*DocumentStatus, error) {
	row := &DocumentStatus{Name: d.Name, File: folder.Name + "/" + d.File(), State: MapUnknown, Folders: []codebase.ChangedFolder{}}
	text, err := f.ReadRoot(d.File())
	if errors.Is(err, fs.ErrNotExist) {
		row.State, row.Reason = MapMissing, `"ken plan map" writes it`
		return row, nil
	}
	if err != nil {
		return nil, err
	}
	is := codebase.ReadText(text)
	row.Commit, row.Date = is.Commit, is.Date
	if now, ok := facts[d.Name]; ok && is.Facts != "" {
		row.Facts = "different"
		if is.HasFacts(now) {
			row.Facts = "same"
		}
	}
	if row.Commit == "" {
		row.Reason = "it names no last_mapped_commit"
		return row, nil
	}
	changes, err := x.changes(ctx, row.Commit)
	if errors.Is(err, git.ErrNotFound) || errors.Is(err, git.ErrNoRepository) {
		row.Reason = "its last_mapped_commit is not in the repository"
		return row, nil
	}
	if err != nil {
		return nil, err
	}
	row.State = MapCurrent
	if row.Folders = x.judge.ConcernedFolders(d, changes); len(row.Folders) > 0 {
		row.State = MapOutdated
		row.Reason = fmt.Sprintf("files that it is about changed in %d folders since %.12s", len(row.Folders), row.Commit)
		if len(row.Folders) == 1 {
			row.Reason = fmt.Sprintf("files that it is about changed in %s since %.12s", row.Folders[0].Path, row.Commit)
		}
	}
	return row, nil
}

// changes returns the files of the project that differ between a commit and HEAD. It only reads objects of git.
func (x *commitComparison) changes(ctx context.Context, commit string) ([]codebase.Path, error) {
	if list, ok := x.known[commit]; ok {
		return list, nil
	}
	r, err := git.Find(x.root)
	if err != nil {
		return nil, err
	}
	if !git.IsID(commit) || x.head == "" {
		return nil, git.ErrNotFound // a name could mean something else tomorrow
	}
	from, err := git.Git{}.Commit(ctx, r, commit)
	if err != nil {
		return nil, err
	}
	compared, err := git.Git{}.Differences(ctx, r, from, x.head)
	if err != nil {
		return nil, err
	}
	below, err := filepath.Rel(r.Root, project.RealPath(x.root))
	if err != nil {
		return nil, err
	}
	prefix := ""
	if below != "." {
		prefix = filepath.ToSlash(below) + "/"
	}
	out := []codebase.Path{}
	for _, p := range compared {
		if rel, ok := strings.CutPrefix(p.Path, prefix); ok {
			out = append(out, codebase.Path{Path: rel, Status: p.Status})
		}
	}
	x.known[commit] = out
	return out, nil
}

func (a *MapStatusAnswer) page() string {
	var b strings.Builder
	if a.Index != nil && a.Index.Note != "" {
		fmt.Fprintf(&b, "%s\n", a.Index.Note)
	}
	for i := range a.Documents {
		d := &a.Documents[i]
		b.WriteString(strings.TrimRight(fmt.Sprintf("%-12s  %-8s  %s", d.Name, d.State, d.Reason), " ") + "\n")
		for i := range d.Folders {
			if i == maxRows {
				fmt.Fprintf(&b, "    … and %d more folders\n", len(d.Folders)-i)
				break
			}
			fmt.Fprintf(&b, "    %s\n", d.Folders[i].Why())
		}
		if d.Facts == "different" {
			b.WriteString("    what ken states would be different today\n")
		}
	}
	return b.String()
}
