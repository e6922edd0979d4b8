package planop

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/settings"
	"ken/internal/worktree"
)

// Surroundings is the environment of an operation.
type Surroundings struct {
	Dir      string // the user's directory, absolute
	Home     string // the user's home, above which no planning folder is searched; may be ""
	StateDir string // the user's: the key of seals, and lock and journal for a project without git
	Stdin    io.Reader
	Ask      func(question string) (string, error) // asks a person for a line; nil without one
	Getenv   func(string) string
	Now      func() time.Time
	// Workstream is the requested one, "" for the active one.
	Workstream string
	DryRun     bool
	// Mask removes secrets from texts that are shown; it may be nil.
	Mask func(string) string
	// Orders returns how passages of a text are worded as orders to an agent, each with its line; it may be nil.
	Orders func(text string) []string
	// MeetFinder finds in the code where plans conflict. It is nil without an index.
	Meet MeetFinder
	// Tests finds the commands that run a project's tests. It is nil without an index.
	Tests TestFinder
	// Original: the answers are for a caller of gsd-tools, see inventory.Inventory.
	Original bool
	// Brief describes the code that a phase concerns. It is nil without an index.
	Brief PhaseBriefer
}

// TestFinder returns the commands that run the tests of a project, and whether there is an index in which it looked for them. ken runs none
// of them. It fails if the index cannot be read.
type TestFinder func(ctx context.Context, c *Call) (tests []TestCommand, looked bool, err error)

// TestCommand is a command that runs the tests of a project.
type TestCommand struct {
	Line   string // from the root of the project
	Source string // the file that it is read from
}

// PhaseBriefer returns the brief of a phase, a text for agents, or "" if there is no index or nothing in the code fits the phase's goal. It
// fails if the index cannot be read.
type PhaseBriefer func(ctx context.Context, c *Call, phase string) (string, error)

// MeetFinder looks plans up in the code, by ID. It returns a function that lists the files at which two of them meet, or nil if there is no
// index, so that only the plans' own lists are known. It fails if the index cannot be read.
type MeetFinder func(ctx context.Context, c *Call, plans map[string]*artefact.Plan) (func(a, b string) []CommonFile, error)

// CommonFile is a file that two plans both write.
type CommonFile struct {
	File string
	Why  string // the reason for each of them, "" if both plans list it
}

// Call is one running operation with its inputs. Close it after use.
type Call struct {
	Surroundings
	Name string // of the operation
	// Results are the changes that were made, or would be.
	Results []change.Result

	notes []string // for the user, beside the answer

	// AsGiven: the change writes values into STATE.md that its caller names, so that none is computed.
	AsGiven bool

	inMainTree bool // Spec.Shared
	anywhere   bool // Spec.Anywhere

	project string
	folder  *folder.Folder
	inv     *inventory.Inventory
	set     *settings.Settings
}

// Begin makes an empty planning folder in the user's directory, if there is none, and reports whether it did. It returns an error if the
// folder cannot be made.
func (c *Call) Begin() (made bool, err error) {
	if _, err = folder.Find(c.Dir, c.Home); err == nil || !errors.Is(err, folder.ErrNone) {
		return false, err
	}
	if err := os.Mkdir(filepath.Join(c.Dir, folder.Name), 0o755); err != nil {
		return false, err
	}
	c.project = c.Dir
	return true, nil
}

// Close closes the planning folder, if one was opened. It fails as closing a file does.
func (c *Call) Close() error {
	if c.folder == nil {
		return nil
	}
	return c.folder.Close()
}

// Project returns the root of the project whose planning folder applies. Without one it is the user's directory, for operations
// that need none, else folder.ErrNone.
func (c *Call) Project() (string, error) {
	if c.project != "" {
		return c.project, nil
	}
	p, err := folder.Find(c.Dir, c.Home)
	switch {
	case err == nil:
		c.project = c.sharedProject(p)
	case c.anywhere && errors.Is(err, folder.ErrNone):
		c.project = c.Dir
	default:
		return "", err
	}
	c.recoverFolder()
	return c.project, nil
}

// recoverFolder restores files that a killed process left half changed.
func (c *Call) recoverFolder() {
	note, err := change.Recover(context.Background(), c.project, change.Options{StateDir: c.StateDir, Now: c.Now})
	if err != nil {
		note = err.Error()
	}
	if note != "" {
		c.notes = append(c.notes, note)
	}
}

// sharedProject returns the main tree of a project for an operation on files that its work trees share, because changes that one task
// writes into a tree of its own would be lost to the others, and conflict with theirs when it is merged.
func (c *Call) sharedProject(project string) string {
	if !c.inMainTree {
		return project
	}
	return mainTree(project)
}

// mainTree returns the main tree of a work tree made by ken, if that has a planning folder; else the project itself.
func mainTree(project string) string {
	main, _, ok := worktree.MainRoot(project)
	if !ok {
		return project
	}
	if st, err := os.Stat(filepath.Join(main, folder.Name)); err != nil || !st.IsDir() {
		return project
	}
	return main
}

// Folder returns the planning folder. It returns an error if there is none or it cannot be opened.
func (c *Call) Folder() (*folder.Folder, error) {
	if c.folder != nil {
		return c.folder, nil
	}
	p, err := c.Project()
	if err != nil {
		return nil, err
	}
	ws := c.Workstream
	if ws == "" {
		ws = c.Getenv("GSD_WORKSTREAM")
	}
	c.folder, err = folder.Open(p, folder.Options{Workstream: ws, Sub: c.Getenv("GSD_PROJECT"), Pointer: folder.SessionPointer(p, c.Getenv)})
	return c.folder, err
}

// Inventory returns the content of the folder. It returns an error if the folder cannot be read.
func (c *Call) Inventory() (*inventory.Inventory, error) {
	if c.inv != nil {
		return c.inv, nil
	}
	f, err := c.Folder()
	if err != nil {
		return nil, err
	}
	if c.inv, err = inventory.Read(f); err == nil {
		c.inv.Original = c.Original
	}
	return c.inv, err
}

// Settings returns those of config.json; a missing file has defaults only. It returns an error if the file cannot be read.
func (c *Call) Settings() (*settings.Settings, error) {
	if c.set != nil {
		return c.set, nil
	}
	f, err := c.Folder()
	if err != nil {
		return nil, err
	}
	text, err := f.Read("config.json")
	if errors.Is(err, fs.ErrNotExist) {
		text, err = f.ReadRoot("config.json") // a workstream without settings of its own uses the shared ones
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	c.set = settings.Parse(text)
	return c.set, nil
}

// PathBelowPlanning returns the path of a file of the chosen part, from the planning folder, as package change needs it. It returns an
// error if there is no folder.
func (c *Call) PathBelowPlanning(name string) (string, error) {
	f, err := c.Folder()
	if err != nil {
		return "", err
	}
	return strings.TrimPrefix(path.Join(f.Base, name), folder.Name+"/"), nil
}

// Writer returns the writer of the planning folder. It fails as change.Open does.
func (c *Call) Writer() (*change.Writer, error) {
	f, err := c.Folder()
	if err != nil {
		return nil, err
	}
	return c.writer(f.Project)
}

func (c *Call) writer(project string) (*change.Writer, error) {
	below := strings.TrimPrefix(strings.TrimPrefix(c.folder.Base, folder.Name), "/")
	return change.Open(project, change.Options{StateDir: c.StateDir, Below: below, Now: c.Now})
}

// Writers returns the writers of all folders changed from here: in a work tree made by ken, its own and that of the main tree, which have
// one journal. It fails as change.Open does.
func (c *Call) Writers() ([]*change.Writer, error) {
	own, err := c.Writer()
	if err != nil {
		return nil, err
	}
	main := mainTree(c.folder.Project)
	if main == c.folder.Project {
		return []*change.Writer{own}, nil
	}
	theirs, err := c.writer(main)
	return []*change.Writer{own, theirs}, err
}

// Change makes one change of the folder, or only computes it in a dry run. The change also sets the copies of computed values in STATE.md
// that it makes untrue. Cached files are read anew by the next question. It fails as change.Writer.Do does.
func (c *Call) Change(ctx context.Context, what string, plan func(change.Read) ([]change.File, error)) (change.Result, error) {
	w, err := c.Writer()
	if err != nil {
		return change.Result{}, err
	}
	return c.applyChange(ctx, w, what, func(read change.Read) ([]change.File, error) {
		files, err := plan(read)
		if err != nil || c.AsGiven || mainTree(c.folder.Project) != c.folder.Project {
			return files, err // STATE.md of an executor's work tree is not merged, so that a change would only keep the tree from being removed
		}
		return c.recountState(read, files)
	})
}

// Recount corrects the copies of computed values in STATE.md, behind a change that was not made by Change: a merge. It fails as Change
// does.
func (c *Call) Recount(ctx context.Context, what string) error {
	w, err := c.Writer()
	if err != nil {
		return err
	}
	_, err = c.applyChange(ctx, w, what, func(change.Read) ([]change.File, error) {
		return c.recount(nil, map[string]*string{})
	})
	return err
}

// recountState adds STATE.md to the files of a change, if that leaves copies in it that differ from what the files say.
func (c *Call) recountState(read change.Read, files []change.File) ([]change.File, error) {
	after := map[string]*string{}
	changes := false
	for _, f := range files {
		after[f.Name] = f.Text
		text, there, err := read(f.Name)
		same := f.Text != nil && there && text == *f.Text
		changes = changes || err != nil || !same
	}
	if !changes {
		return files, nil
	}
	return c.recount(files, after)
}

// recount adds STATE.md to the files of a change, after which some files have other texts.
func (c *Call) recount(files []change.File, after map[string]*string) ([]change.File, error) {
	name, err := c.PathBelowPlanning("STATE.md")
	if err != nil {
		return files, err
	}
	inv, err := inventory.Read(c.folder.After(after))
	if err != nil || inv.State == nil {
		return files, err
	}
	b, err := inventory.NewStateText(inv.State.Doc.Text())
	if err != nil || folder.Defect(name, inv.State.Doc.Text()) != nil || len(b.Recount(inv)) == 0 {
		return files, nil // a file that cannot be written stays as it is
	}
	text, err := b.Text()
	if at := slices.IndexFunc(files, func(f change.File) bool { return f.Name == name }); at >= 0 {
		files[at].Text = &text
		return files, err
	}
	return append(files, change.File{Name: name, Text: &text}), err
}

// ChangeWhole is Change for files outside of workstreams: names are below .planning, and no workstream has to exist. It fails as
// change.Writer.Do does.
func (c *Call) ChangeWhole(ctx context.Context, what string, plan func(change.Read) ([]change.File, error)) (change.Result, error) {
	p, err := c.Project()
	if err != nil {
		return change.Result{}, err
	}
	w, err := change.Open(p, change.Options{StateDir: c.StateDir, Now: c.Now})
	if err != nil {
		return change.Result{}, err
	}
	return c.applyChange(ctx, w, what, plan)
}

func (c *Call) applyChange(
	ctx context.Context, w *change.Writer, what string, plan func(change.Read) ([]change.File, error),
) (change.Result, error) {
	r, err := w.Do(ctx, what, c.DryRun, func(read change.Read) ([]change.File, error) {
		c.inv, c.set = nil, nil // other writers may have changed the files before the lock
		noting := func(name string) (string, bool, error) {
			text, there, err := read(name)
			if c.folder != nil && !strings.HasSuffix(name, "/") && (there || err != nil) {
				c.folder.Note(name, text, err)
			}
			return text, there, err
		}
		files, err := plan(noting)
		if err != nil {
			return nil, err
		}
		return files, checkWritable(read, files)
	})
	if err != nil {
		return r, err
	}
	c.Results = append(c.Results, r)
	c.inv, c.set = nil, nil
	return r, nil
}
