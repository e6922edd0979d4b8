package skills

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
)

// Imported is the result of importing plans from a folder .gsd, which has another format.
type Imported struct {
	Success    bool     `json:"success"`
	Dry        bool     `json:"dryRun,omitempty"`
	Error      string   `json:"error,omitempty"`
	Dir        string   `json:"planningDir,omitempty"`
	Written    int      `json:"filesWritten,omitempty"`
	Milestones int      `json:"milestones,omitempty"`
	Preview    string   `json:"preview,omitempty"`
	Problems   []string `json:"problems,omitempty"`
}

// milestone, slice and task are the three levels of the format of .gsd. An import makes slices phases, and tasks plans.
type milestone struct {
	id, title string
	slices    []*slice
}

type slice struct {
	id, title, slug   string
	done              bool
	number            int
	research, context string
	tasks             []task
}

type task struct {
	title, description string
	musts              []string
	summary            *string
}

// gsd2Reader reads a folder .gsd and keeps a list of unreadable files.
type gsd2Reader struct {
	root     *os.Root
	problems []string
	left     int64 // bytes that may still be read
}

// readText returns the text of a file, or nil if it cannot be read.
func (r *gsd2Reader) readText(name string) *string {
	text, err := readFileIn(r.root, name, min(r.left, folder.MaxBytes))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		r.problems = append(r.problems, fmt.Sprintf("%s: %s", name, err))
		return nil
	}
	r.left -= int64(len(text))
	return &text
}

func (r *gsd2Reader) listNames(dir string) (names []string) {
	sub, err := r.root.OpenRoot(filepath.FromSlash(dir))
	if err != nil {
		return nil
	}
	defer sub.Close()
	for _, e := range readEntries(sub) {
		names = append(names, e.Name())
	}
	return names
}

func importGSD2(ctx context.Context, c *planop.Call, in *fromGsd2Input) (Imported, error) {
	dir := c.Dir
	if at := in.Path; at != "" {
		if dir = at; !filepath.IsAbs(at) {
			dir = filepath.Join(c.Dir, at)
		}
	} else if p, err := c.Project(); err == nil {
		dir = p
	}
	if filepath.Base(dir) == ".gsd" {
		dir = filepath.Dir(dir)
	}
	outer, err := os.OpenRoot(dir)
	if err != nil {
		return Imported{}, err
	}
	defer outer.Close()
	root, err := outer.OpenRoot(".gsd")
	if err != nil {
		return Imported{Error: "there is no folder .gsd in " + dir}, nil
	}
	defer root.Close()
	_, err = outer.Lstat(folder.Name)
	there := !errors.Is(err, fs.ErrNotExist)
	if there && !in.Force {
		return Imported{Error: folder.Name + " is already there in " + dir + "; --force writes into it"}, nil
	}
	const most = 256 << 20
	r := &gsd2Reader{root: root, left: most}
	milestones := r.readMilestones()
	files := r.planningFiles(milestones, c.Now().UTC().Format("2006-01-02"))
	a := Imported{Success: true, Dry: c.DryRun, Preview: previewText(milestones, files), Problems: r.problems}
	if c.DryRun {
		return a, nil
	}
	if !there {
		if err := outer.Mkdir(folder.Name, 0o755); err != nil {
			return Imported{}, err
		}
	}
	w, err := change.Open(dir, change.Options{StateDir: c.StateDir, Now: c.Now})
	if err == nil {
		var result change.Result
		result, err = w.Do(ctx, "take over .gsd", false, func(change.Read) ([]change.File, error) { return files, nil })
		c.Results = append(c.Results, result)
	}
	if err != nil {
		if !there {
			err = errors.Join(err, outer.Remove(folder.Name))
		}
		return Imported{}, err
	}
	a.Dir, a.Written, a.Milestones = filepath.Join(dir, folder.Name), len(files), len(milestones)
	return a, nil
}

var sliceName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\*\*(\w+):\s*([^*]+)\*\*`) })

// readMilestones returns the milestones of the folder. Their slices are numbered through all of them.
func (r *gsd2Reader) readMilestones() (list []*milestone) {
	number := 0
	for _, id := range r.listNames("milestones") {
		dir := path.Join("milestones", id)
		if st, err := r.root.Stat(filepath.FromSlash(dir)); err != nil || !st.IsDir() {
			continue
		}
		m := &milestone{id: id, title: id}
		list = append(list, m)
		text := r.readText(path.Join(dir, id+"-ROADMAP.md"))
		if text == nil {
			continue
		}
		d := document.Parse(*text)
		m.title = headingTitle(d, id)
		h, ok := d.FindHeading(d.Body(), "Slices")
		if !ok {
			continue
		}
		for _, item := range d.Items(d.OwnLines(h)) {
			found := sliceName().FindStringSubmatch(item.Text.Text(*text))
			if found == nil {
				continue
			}
			number++
			s := &slice{id: found[1], title: strings.TrimSpace(found[2]), done: d.IsChecked(item), number: number}
			if s.slug = phaseid.Slug(s.title, 60); s.slug == "" {
				s.slug = strings.ToLower(s.id)
			}
			r.readSlice(s, path.Join(dir, "slices", s.id))
			m.slices = append(m.slices, s)
		}
	}
	return list
}

// readSlice reads the files of a slice from dir into s.
func (r *gsd2Reader) readSlice(s *slice, dir string) {
	if t := r.readText(path.Join(dir, s.id+"-RESEARCH.md")); t != nil {
		s.research = *t
	}
	if t := r.readText(path.Join(dir, s.id+"-CONTEXT.md")); t != nil {
		s.context = strings.TrimSpace(*t)
	}
	for _, name := range r.listNames(path.Join(dir, "tasks")) {
		id, ok := strings.CutSuffix(name, "-PLAN.md")
		if !ok {
			continue
		}
		t := task{title: id, summary: r.readText(path.Join(dir, "tasks", id+"-SUMMARY.md"))}
		if text := r.readText(path.Join(dir, "tasks", name)); text != nil {
			d := document.Parse(*text)
			t.title, t.description = headingTitle(d, id), sectionText(d, "Description")
			if h, ok := d.FindHeading(d.Body(), "Must-Haves"); ok {
				for _, item := range d.Items(d.OwnLines(h)) {
					t.musts = append(t.musts, strings.TrimSpace(item.Text.Text(*text)))
				}
			}
		}
		s.tasks = append(s.tasks, t)
	}
}

// headingTitle returns the title of a document: the text after the id in a first heading such as "M001: Title", else otherwise.
func headingTitle(d *document.Document, otherwise string) string {
	for _, h := range d.Headings() {
		if _, title, ok := strings.Cut(h.Text.Text(d.Text()), ":"); h.Level == 1 && ok && strings.TrimSpace(title) != "" {
			return strings.TrimSpace(title)
		}
	}
	return otherwise
}

func sectionText(d *document.Document, name string) string {
	h, ok := d.FindHeading(d.Body(), name)
	if !ok {
		return ""
	}
	return strings.TrimSpace(d.BytesOf(d.OwnLines(h)).Text(d.Text()))
}
