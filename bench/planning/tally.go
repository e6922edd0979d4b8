package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path"
	"strconv"
	"strings"
	"time"

	"ken/bench/world"
	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/roadmap"
	"ken/internal/workflow/plan/state"
	"ken/internal/workflow/plan/yamltree"
)

// fileTally counts versions, edits and faults.
type fileTally struct {
	files, bytes   int
	fields, edits  int // set to their present value; set to another
	broken, panics int
	problems       int
	took           time.Duration
	first          string // the first fault
}

// printRow prints a line and returns how many promises were missed.
func (t *fileTally) printRow(what string) (missed int) {
	verdict := "kept"
	if t.broken+t.panics > 0 || t.files == 0 {
		verdict, missed = "MISSED "+t.first, 1
	}
	fmt.Printf("%-32s %7d versions, %9d bytes, %8d parts set to what they are, %8d edits: %d not byte for byte, %d panics, %d with problems, %v: %s\n",
		what, t.files, t.bytes, t.fields, t.edits, t.broken, t.panics, t.problems, t.took.Round(time.Millisecond), verdict)
	return missed
}

// readHistory reads every version of every file below .planning in the history of a commit.
func (t *fileTally) readHistory(ctx context.Context, mirror string, r world.Pin) error {
	dir, err := world.Clone(mirror, r.Repository)
	if err != nil {
		return err
	}
	names := map[string]string{}
	out, err := world.Git(ctx, dir, "rev-list", "--objects", "--missing=allow-any", r.Commit)
	if err != nil {
		return err
	}
	var ids []string
	for line := range strings.Lines(out) {
		id, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.HasPrefix(name, ".planning/") {
			names[id] = name
			ids = append(ids, id)
		}
	}
	cat := exec.CommandContext(ctx, "git", "-C", dir, "cat-file", "--batch")
	cat.Stdin = strings.NewReader(strings.Join(ids, "\n") + "\n")
	pipe, err := cat.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cat.Start(); err != nil {
		return err
	}
	return errors.Join(t.readObjects(bufio.NewReader(pipe), names), cat.Wait())
}

func (t *fileTally) readObjects(in *bufio.Reader, names map[string]string) error {
	for {
		head, err := in.ReadString('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		parts := strings.Fields(head)
		if len(parts) != 3 {
			continue // missing: not in the clone
		}
		size, err := strconv.Atoi(parts[2])
		if err != nil {
			return fmt.Errorf("object %q: %w", head, err)
		}
		text := make([]byte, size)
		if _, err := io.ReadFull(in, text); err != nil {
			return err
		}
		if _, err := in.Discard(1); err != nil {
			return err
		}
		if parts[1] == "blob" {
			t.checkFile(names[parts[0]], string(text))
		}
	}
}

// checkFile reads one version and checks the promises about it.
func (t *fileTally) checkFile(name, text string) {
	start := time.Now()
	defer func() {
		t.took += time.Since(start)
		if p := recover(); p != nil {
			t.panics++
			t.recordFault(name, fmt.Sprint("panic: ", p))
		}
	}()
	t.files++
	t.bytes += len(text)
	d := document.Parse(text)
	var b strings.Builder
	for i := range d.LineCount() {
		b.WriteString(d.BytesOf(document.Range{From: i, To: i + 1}).Text(text))
	}
	if b.String() != text {
		t.broken++
		t.recordFault(name, "read and written back it differs")
	}
	if len(d.Problems()) > 0 {
		t.problems++
	}
	t.checkFrontMatter(name, d)
	t.checkBody(name, d)
	switch path.Base(name) {
	case "ROADMAP.md":
		r := roadmap.Parse(text)
		for _, p := range r.MilestoneView("").Phases {
			r.Requirements(p)
			r.Criteria(p)
			r.Plans(p)
			r.DependsOn(p)
		}
	case "STATE.md":
		s := state.Parse(text)
		s.Position()
		s.Decisions()
		s.Blockers()
		s.Session()
		s.Status()
	}
}

func (t *fileTally) recordFault(name, why string) {
	if t.first == "" {
		t.first = name + ": " + why
	}
}

// checkFrontMatter sets every value of the front matter to its present value, and then every key to another text, and checks the edits.
func (t *fileTally) checkFrontMatter(name string, d *document.Document) {
	for _, tree := range d.AllFrontMatter() {
		tree.Walk(func(n *yamltree.Node) {
			if n.Kind == yamltree.Scalar {
				t.checkUnchanged(name, tree.SetScalar(n, n.Value), nil)
			}
		})
		for _, p := range tree.Root.Pairs {
			edits, err := tree.Set(p.Key, "other: value", d.Newline())
			if err == nil {
				t.checkOnlySpan(name, d, tree.Pair(p.Key).Span, edits) // of a key that is there twice the last is set
			}
		}
	}
}

func (t *fileTally) checkBody(name string, d *document.Document) {
	body := d.Body()
	for _, f := range d.Fields(body) {
		edits, err := d.SetField(f, d.Value(f))
		t.checkUnchanged(name, edits, err)
		if edits, err = d.SetField(f, "other value"); err == nil {
			t.checkOnlySpan(name, d, f.Value, edits)
		}
	}
	for _, it := range d.Items(body) {
		if it.HasBox() {
			t.checkUnchanged(name, d.SetBox(it, d.IsChecked(it)), nil)
			t.checkOnlySpan(name, d, it.Box, d.SetBox(it, !d.IsChecked(it)))
		}
	}
	for _, table := range d.Tables(body) {
		for _, row := range table.Rows {
			for i, s := range row.Cells {
				edits, err := d.SetCell(row, i, "other | value")
				if err == nil {
					t.checkOnlySpan(name, d, s, edits)
				}
			}
		}
	}
	for _, tag := range d.Tags(body) {
		d.TagContent(tag)
	}
}

// checkUnchanged checks that setting a part to its present value changes nothing.
func (t *fileTally) checkUnchanged(name string, edits []edit.Edit, err error) {
	t.fields++
	if err != nil || len(edits) > 0 {
		t.broken++
		t.recordFault(name, fmt.Sprintf("set to what it is: %v %v", edits, err))
	}
}

// checkOnlySpan checks that edits change no byte outside a span. It does not build the new
// text, which costs its length: it compares the replaced spans.
func (t *fileTally) checkOnlySpan(name string, d *document.Document, s edit.Span, edits []edit.Edit) {
	t.edits++
	for _, e := range edits {
		if e.Start < s.Start || e.End > s.End {
			t.broken++
			t.recordFault(name, fmt.Sprintf("an edit of bytes %d to %d replaces %d to %d", s.Start, s.End, e.Start, e.End))
		}
	}
	if t.edits%(64+len(d.Text())>>8) == 0 {
		if text, err := edit.Apply(d.Text(), edits); err != nil || document.Parse(text).Text() != text {
			t.broken++
			t.recordFault(name, fmt.Sprint("an edit that cannot be made: ", err))
		}
	}
}
