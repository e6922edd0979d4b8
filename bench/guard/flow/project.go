package main

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"ken/bench/world"
)

// project is a made project. Its calls are known, so that the demands of a task can be checked without asking ken.
type project struct {
	dir   string
	files []string
	funcs map[string][]function // by file
	home  map[string]*function  // by name; twins have several homes
	docs  []document
}

// document is one of the project's, with the lines on which it describes functions. guide only mentions them.
type document struct {
	path  string
	lines []string
	of    map[string]int // function, by name: line
}

// guide is the document that mentions every function and describes none.
const guide = "docs/guide.md"

// document makes the documents: every second package has one, with a section for each function of its first file and a table of those
// of the second.
func (w *project) document() {
	all := "# Guide\n"
	for i, word := range vocabulary {
		dir := strings.ToLower(word)
		d := document{path: "docs/" + dir + ".md", lines: []string{"# " + word, "", "What there is."}, of: map[string]int{}}
		for part := range 2 {
			if part == 1 {
				d.lines = append(d.lines, strings.Split(strings.Repeat("\nMore of it.\n", 20)+"\n| function | what |\n|---|---|", "\n")...)
			}
			for _, f := range w.funcs[fmt.Sprintf("%s/part%d.go", dir, part)] {
				all += "Call " + f.name + " for its number.\n"
				line := "| `" + f.name + "` | a number |"
				if part == 0 {
					d.lines = append(d.lines, "")
					line = "## " + f.name
				}
				d.lines = append(d.lines, line)
				d.of[f.name] = len(d.lines)
			}
		}
		if i%2 == 0 {
			w.docs = append(w.docs, d)
		}
	}
	w.docs = append(w.docs, document{path: guide, lines: strings.Split(all, "\n")})
}

// descriptions returns the lines of documents that describe a function, or one of a file's.
func (w *project) descriptions(file, name string) (out []use) {
	for _, d := range w.docs {
		for _, f := range w.funcs[file] {
			if line, ok := d.of[f.name]; ok && (name == "" || f.name == name) {
				out = append(out, use{d.path, line})
			}
		}
	}
	return out
}

type function struct {
	name  string
	file  string
	line  int      // of its declaration
	calls []string // names, in the order of the lines after the declaration
}

// vocabulary has the words of names, so that a query about one finds its file.
var vocabulary = strings.Fields("Price Invoice Cart Stock Order Refund Ticket Seat Flight Hotel Meter Badge Parcel Route Depot Truck Ledger Salary Roster Shift")

// newProject makes a project: each package has two files, and each function but those of the last calls some of later packages.
// Base of package base is called by more files than auto lets pass without an analysis; nothing enters or leaves notes.
func newProject() *project {
	r := rand.New(rand.NewPCG(1, 1))
	w := &project{funcs: map[string][]function{}, home: map[string]*function{}}
	for p := len(vocabulary) - 1; p >= 0; p-- {
		for part := range 2 {
			file := fmt.Sprintf("%s/part%d.go", strings.ToLower(vocabulary[p]), part)
			w.files = append(w.files, file)
			for i := range 3 {
				f := function{name: fmt.Sprintf("%s%c%d", vocabulary[p], 'A'+i, part), file: file}
				for range r.IntN(3) {
					if p < len(vocabulary)-1 {
						q := p + 1 + r.IntN(len(vocabulary)-p-1)
						f.calls = append(f.calls, fmt.Sprintf("%s%c%d", vocabulary[q], 'A'+r.IntN(3), r.IntN(2)))
					}
				}
				if i == 0 && p < 15 && part == 0 {
					f.calls = append(f.calls, "BaseValue")
				}
				slices.Sort(f.calls)
				f.calls = slices.Compact(f.calls)
				w.funcs[file] = append(w.funcs[file], f)
			}
		}
	}
	w.files = append(w.files, "base/base.go", "twin/a.go", "twin2/b.go", "notes/readme.go")
	w.funcs["base/base.go"] = []function{{name: "BaseValue", file: "base/base.go"}}
	w.funcs["twin/a.go"] = []function{{name: "Twin", file: "twin/a.go"}}
	w.funcs["twin2/b.go"] = []function{{name: "Twin", file: "twin2/b.go"}}
	w.funcs["notes/readme.go"] = []function{{name: "Note", file: "notes/readme.go"}}
	for _, file := range w.files {
		for i := range w.funcs[file] {
			w.home[w.funcs[file][i].name] = &w.funcs[file][i]
		}
	}
	slices.Sort(w.files)
	w.document()
	return w
}

// write writes the project into a folder and has ken index it.
func (w *project) write(dir, ken string) error {
	w.dir = dir
	texts := map[string]string{"go.mod": "module world\n"}
	for _, file := range w.files {
		texts[file] = w.text(file)
	}
	for _, d := range w.docs {
		texts[d.path] = strings.Join(d.lines, "\n") + "\n"
	}
	if err := world.WriteFiles(dir, texts); err != nil {
		return err
	}
	for _, args := range [][]string{{"git", "init", "-q"}, {ken, "init"}} {
		c := exec.Command(args[0], args[1:]...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w: %s", args, err, out)
		}
	}
	return nil
}

// text returns the source of a file, and sets the lines of its functions.
func (w *project) text(file string) string {
	pkg := filepath.Dir(file)
	var imports []string
	for _, f := range w.funcs[file] {
		for _, c := range f.calls {
			if p := filepath.Dir(w.home[c].file); p != pkg && !slices.Contains(imports, p) {
				imports = append(imports, p)
			}
		}
	}
	slices.Sort(imports)
	lines := []string{"package " + pkg, ""}
	if len(imports) > 0 {
		lines = append(lines, "import (")
		for _, p := range imports {
			lines = append(lines, fmt.Sprintf("\t%q", "world/"+p))
		}
		lines = append(lines, ")", "")
	}
	for i := range w.funcs[file] {
		f := &w.funcs[file][i]
		lines = append(lines, "// "+f.name+" computes the "+strings.ToLower(f.name[:len(f.name)-2])+".")
		f.line = len(lines) + 1
		lines = append(lines, "func "+f.name+"(n int) int {")
		for _, c := range f.calls {
			call := c
			if p := filepath.Dir(w.home[c].file); p != pkg {
				call = p + "." + c
			}
			lines = append(lines, "\tn += "+call+"(n)")
		}
		lines = append(lines, "\treturn n + 1", "}", "")
	}
	return strings.Join(lines, "\n")
}

// use is a line of a file on which something is called.
type use struct {
	file string
	line int
}

// uses returns the calls of a function, or of all functions of a file, from other files: of each function the first in each file, because
// all calls are alike.
func (w *project) uses(file, name string) (out []use) {
	seen := map[string]bool{}
	for _, other := range w.files {
		for _, f := range w.funcs[other] {
			for i, c := range f.calls {
				h := w.home[c]
				asked := h.file == file && (name == "" || c == name)
				if other != file && asked && !seen[other+":"+c] {
					seen[other+":"+c] = true
					out = append(out, use{other, f.line + 1 + i})
				}
			}
		}
	}
	return out
}

// relatives returns the functions that a call ties to a function, or to all of a file, by FILE:NAME: itself, those its file calls and
// those that call it.
func (w *project) relatives(file, name string) map[string]bool {
	out := map[string]bool{}
	for _, other := range w.files {
		for _, f := range w.funcs[other] {
			for _, c := range f.calls {
				h := w.home[c]
				if other == file {
					out[h.file+":"+h.name] = true
				}
				if h.file == file && (name == "" || c == name) {
					out[other+":"+f.name] = true
				}
			}
			if other == file && (name == "" || f.name == name) {
				out[other+":"+f.name] = true
			}
		}
	}
	return out
}
