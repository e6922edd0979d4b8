// Package operationtest runs operations of planning over folders described in files, for tests: their answers, the lines that they
// change, and that undoing all of them restores the starting bytes.
package operationtest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/code"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
)

// now is the time in all operations.
var now = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// project is a folder on which operations are tested.
type project struct {
	t    *testing.T
	ops  []*planop.Operation
	root string
	last []string
	out  strings.Builder
}

// Run runs all files of a folder as tests. The comment of a file has a line a step:
//
//	> state update Status Planning   an operation; words may be in double quotes
//	again                            the operation before, which may change no byte now
//	same                             the folder has to have its starting bytes
//	crlf, bom                        the files have line ends of Windows, and a byte order mark
//
// Its files are the planning folder; the one called want is the expected output and written with update.
func Run(t *testing.T, ops []*planop.Operation, pattern string, update bool) {
	list, err := filepath.Glob(pattern)
	if err != nil || len(list) == 0 {
		t.Fatalf("%s: no files (%v)", pattern, err)
	}
	for _, file := range list {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			given, want, _ := strings.Cut(string(b), wantMark)
			comment, files := Parts(given)
			switch got := Steps(t, ops, comment, files); {
			case got == want:
			case update:
				if err := os.WriteFile(file, []byte(given+wantMark+got), 0o644); err != nil {
					t.Fatal(err)
				}
			default:
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

const wantMark = "-- want --\n"

// Parts returns the comment and the files of a text in the form of txtar, without the expected output.
func Parts(text string) (comment string, files map[string]string) {
	text, _, _ = strings.Cut(text, wantMark)
	files = map[string]string{}
	at, rest := "", &comment
	for line := range strings.Lines(text) {
		name, isMark := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "-- ")
		if name, ok := strings.CutSuffix(name, " --"); isMark && ok {
			if at != "" {
				files[at] = *rest
			}
			at, rest = name, new(string)
			continue
		}
		*rest += line
	}
	if at != "" {
		files[at] = *rest
	}
	return comment, files
}

// Steps runs steps over a planning folder and returns their answers and changes.
func Steps(t *testing.T, ops []*planop.Operation, steps string, files map[string]string) string {
	t.Helper()
	p := &project{t: t, ops: ops, root: t.TempDir()}
	if err := os.Mkdir(filepath.Join(p.root, folder.Name), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if strings.Contains(steps, "\ncrlf\n") || strings.HasPrefix(steps, "crlf\n") {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		if strings.Contains(steps, "\nbom\n") || strings.HasPrefix(steps, "bom\n") {
			text = "\ufeff" + text
		}
		at := filepath.Join(p.root, folder.Name, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	start := p.tree()
	for line := range strings.Lines(steps) {
		p.step(strings.TrimSpace(line), start)
	}
	p.undo(start)
	return p.out.String()
}

func (p *project) step(line string, start map[string]string) {
	words, ok := strings.CutPrefix(line, "> ")
	switch {
	case ok:
		p.last = split(words)
		before := p.tree()
		fmt.Fprintf(&p.out, "> %s\n%s\n", words, p.do(p.last))
		p.out.WriteString(differences(before, p.tree()))
	case line == "again":
		before := p.tree()
		p.do(p.last)
		if d := differences(before, p.tree()); d != "" {
			p.t.Errorf("%s, made again, changes:\n%s", strings.Join(p.last, " "), d)
		}
	case line == "same":
		if d := differences(start, p.tree()); d != "" {
			p.t.Errorf("not the starting bytes:\n%s", d)
		}
	}
}

// do runs one operation and returns its answer or its error.
func (p *project) do(words []string) string {
	a, err := planop.RunWords(context.Background(), p.ops, planop.Surroundings{
		Dir: p.root, StateDir: filepath.Join(p.root, "state"), Stdin: strings.NewReader(""), Getenv: func(string) string { return "" },
		Now: func() time.Time { return now },
	}, words)
	if unknown := (*planop.UnknownError)(nil); errors.As(err, &unknown) {
		p.t.Fatal(err)
	}
	if usage := (*code.UsageError)(nil); errors.As(err, &usage) {
		return "usage: " + err.Error()
	}
	if fault := (*planop.Fault)(nil); errors.As(err, &fault) {
		return "fault: " + fault.Reason + ": " + fault.Error()
	}
	if err != nil {
		return "error: " + strings.ReplaceAll(err.Error(), p.root, "ROOT")
	}
	s := string(a.JSON)
	if a.Plain != nil {
		s += "\nplain: " + a.Plain()
	}
	return s
}

// undo undoes everything and compares the folder with its starting bytes.
func (p *project) undo(start map[string]string) {
	w, err := change.Open(p.root, change.Options{StateDir: filepath.Join(p.root, "state")})
	if err != nil {
		p.t.Fatal(err)
	}
	for err == nil {
		_, _, err = w.Undo(context.Background(), false)
	}
	if !errors.Is(err, change.ErrNothing) {
		p.t.Errorf("undo: %v", err)
	}
	if d := differences(start, p.tree()); d != "" {
		p.t.Errorf("undoing all does not give the starting bytes:\n%s", d)
	}
}

// tree returns all files of the planning folder, and folders with a slash at their end.
func (p *project) tree() map[string]string {
	out := map[string]string{}
	top := filepath.Join(p.root, folder.Name)
	err := filepath.WalkDir(top, func(at string, e fs.DirEntry, err error) error {
		if err != nil || at == top {
			return err
		}
		name, err := filepath.Rel(top, at)
		if err != nil || e.IsDir() {
			out[filepath.ToSlash(name)+"/"] = ""
			return err
		}
		b, err := os.ReadFile(at)
		out[filepath.ToSlash(name)] = string(b)
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return out
}

// differences returns the files that differ, with their differing lines.
func differences(a, b map[string]string) string {
	var out strings.Builder
	names := slices.Sorted(maps.Keys(a))
	for name := range b {
		if _, ok := a[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		before, was := a[name]
		after, is := b[name]
		switch {
		case was && is && before == after:
			continue
		case !was:
			fmt.Fprintf(&out, "+++ %s\n", name)
		case !is:
			fmt.Fprintf(&out, "--- %s\n", name)
			continue
		default:
			fmt.Fprintf(&out, "*** %s\n", name)
		}
		out.WriteString(lineDifferences(strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")))
	}
	return out.String()
}

// lineDifferences returns the lines that are in only one of the lists.
func lineDifferences(a, b []string) string {
	var out strings.Builder
	for len(a) > 0 || len(b) > 0 {
		if len(a) > 0 && len(b) > 0 && a[0] == b[0] {
			a, b = a[1:], b[1:]
			continue
		}
		// Go on at the nearest common line.
		i, j := meet(a, b)
		for i > 0 && j > 0 && a[i-1] == b[j-1] {
			i, j = i-1, j-1
		}
		show(&out, "-", a[:i])
		show(&out, "+", b[:j])
		a, b = a[i:], b[j:]
	}
	return out.String()
}

func meet(a, b []string) (i, j int) {
	for sum := 1; sum <= len(a)+len(b); sum++ {
		for i := max(0, sum-len(b)); i <= min(sum, len(a)); i++ {
			j := sum - i
			if i == len(a) && j == len(b) {
				return i, j
			}
			// A short line, such as an empty one, is too common to be a match.
			if a, b := a[i:], b[j:]; len(a) > 0 && len(b) > 0 && a[0] == b[0] && len(a[0]) > 5 {
				return i, j
			}
		}
	}
	return len(a), len(b)
}

func show(out *strings.Builder, mark string, lines []string) {
	for _, l := range lines {
		l = strings.ReplaceAll(strings.TrimSuffix(l, "\n"), "\r", "\\r")
		fmt.Fprintf(out, "%s%s\n", mark, strings.ReplaceAll(l, "\ufeff", "\\ufeff"))
	}
}

// split splits a line at blanks; text in double quotes is one word, in which \n is a line end.
func split(line string) []string {
	var words []string
	var word strings.Builder
	quoted, any := false, false
	for _, r := range line {
		switch {
		case r == '"':
			quoted, any = !quoted, true
		case r == ' ' && !quoted:
			if any {
				words = append(words, strings.ReplaceAll(word.String(), `\n`, "\n"))
			}
			word.Reset()
			any = false
		default:
			word.WriteRune(r)
			any = true
		}
	}
	if any {
		words = append(words, strings.ReplaceAll(word.String(), `\n`, "\n"))
	}
	return words
}
