package main

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/source/class"
	"ken/internal/engine/source/scan"
	"ken/internal/engine/source/secret"
	"ken/internal/guard/garbage"
	"ken/internal/lang"
)

// judged is a commit with its pieces, as it is judged.
type judged struct {
	*drawn
	change  *garbage.Change
	planted []spanned // where the pieces came to be
	missing int       // pieces that could not be read or planted
}

// spanned is where a piece came to be.
type spanned struct {
	kind, path string
	lang       code.Lang
	from, to   int
	text       string
}

// builder makes changes of commits.
type builder struct {
	clones  string
	classes *class.Classifier
	secrets *secret.Engine
}

// build reads a commit and plants its pieces.
func (b *builder) build(d *drawn) (*judged, error) {
	dir := gitDir(b.clones, d.repo)
	c, err := show(dir, d.commit)
	if err != nil {
		return nil, err
	}
	message, err := git(dir, "show", "-s", "--format=%B", d.commit)
	if err != nil {
		return nil, err
	}
	list, err := git(dir, "ls-tree", "-r", "-z", "--name-only", d.commit+"^")
	if err != nil {
		return nil, err
	}
	j := &judged{drawn: d, change: &garbage.Change{Request: string(message), Tree: newTree(strings.Split(string(list), "\x00"))}}
	for _, f := range c.files {
		if f.deleted {
			continue
		}
		if file, err := b.file(dir, d.commit, f); err == nil {
			j.change.Files = append(j.change.Files, *file)
		}
	}
	byLine := slices.Clone(d.plants)
	slices.SortFunc(byLine, func(x, y plant) int { return y.line - x.line }) // the last first, so that lines stay what they are
	for _, p := range byLine {
		if !b.plant(j, p) {
			j.missing++
		}
	}
	for i := range j.change.Files {
		b.findSecrets(j.change, &j.change.Files[i])
	}
	return j, nil
}

// file is a changed file as the judge sees it.
func (b *builder) file(dir, id string, f *fileChange) (*garbage.File, error) {
	file := &garbage.File{Path: f.path, Created: f.created, Binary: f.binary}
	if !f.binary {
		now, err := git(dir, "show", id+":"+f.path)
		if err != nil {
			return nil, err
		}
		file.New = string(now)
		if !f.created {
			old, err := git(dir, "show", id+"^:"+f.path)
			if err != nil {
				return nil, err
			}
			file.Old = string(old)
		}
	}
	b.classify(file)
	for _, h := range f.hunks {
		if len(h.added) > 0 {
			file.Added = append(file.Added, garbage.Span{From: h.newFrom, To: h.newFrom + len(h.added) - 1})
		}
	}
	return file, nil
}

// classify says of a file what the index would.
func (b *builder) classify(f *garbage.File) {
	f.Lang = lang.Detect(f.Path, []byte(f.New[:min(len(f.New), 16<<10)]))
	flags := scan.PathFlags(f.Path, f.Lang)
	if head := f.New[:min(len(f.New), 1000)]; strings.Contains(head, "Code generated") || strings.Contains(head, "@generated") {
		flags |= code.FlagGenerated
	}
	f.Class = b.classes.Class(f.Path, f.Lang, flags)
}

// plant puts a piece where it was drawn to be.
func (b *builder) plant(j *judged, p plant) bool {
	dir := gitDir(b.clones, p.repo)
	if p.line == 0 {
		rev := p.commit + "^"
		if p.kind == testPiece {
			rev = p.commit
		}
		text, err := git(dir, "show", rev+":"+p.path)
		if err != nil {
			return false
		}
		f := garbage.File{Path: p.at, Created: true, Binary: strings.Contains(string(text[:min(len(text), 8000)]), "\x00"), New: string(text)}
		if n := strings.Count(f.New, "\n"); n > 0 && !f.Binary {
			f.Added = []garbage.Span{{From: 1, To: n}}
		}
		b.classify(&f)
		j.change.Files = append(j.change.Files, f)
		j.planted = append(j.planted, spanned{kind: p.kind, path: p.at, lang: f.Lang, text: p.path})
		return true
	}
	text, err := git(dir, "show", p.commit+"^:"+p.path)
	i := slices.IndexFunc(j.change.Files, func(f garbage.File) bool { return f.Path == p.at })
	old := strings.Split(string(text), "\n")
	if err != nil || i < 0 || p.to > len(old) {
		return false
	}
	f := &j.change.Files[i]
	lines := strings.Split(f.New, "\n")
	if p.line > len(lines) {
		return false
	}
	piece := indented(old[p.from-1:p.to], lines, p.line)
	f.New = strings.Join(slices.Concat(lines[:p.line], piece, lines[p.line:]), "\n")
	f.Added = widened(f.Added, p.line, len(piece))
	for k := range j.planted {
		if x := &j.planted[k]; x.path == p.at && x.from > p.line {
			x.from += len(piece)
			x.to += len(piece)
		}
	}
	j.planted = append(j.planted, spanned{p.kind, p.at, f.Lang, p.line + 1, p.line + len(piece), strings.Join(piece, "\n")})
	return true
}

// indented is a piece indented as the line before it, or as the one behind if that begins a block.
func indented(piece, lines []string, behind int) []string {
	like := lines[behind-1]
	if s := strings.TrimSpace(like); strings.HasSuffix(s, "{") || strings.HasSuffix(s, ":") {
		for _, l := range lines[behind:] {
			if strings.TrimSpace(l) != "" {
				like = l
				break
			}
		}
	}
	indent := like[:len(like)-len(strings.TrimLeft(like, " \t"))]
	own := piece[0][:len(piece[0])-len(strings.TrimLeft(piece[0], " \t"))]
	out := make([]string, len(piece))
	for i, l := range piece {
		out[i] = indent + strings.TrimRight(strings.TrimPrefix(l, own), "\r")
	}
	return out
}

// widened is the spans of added lines once n lines come behind an added one.
func widened(spans []garbage.Span, behind, n int) []garbage.Span {
	out := slices.Clone(spans)
	for i := range out {
		if out[i].To >= behind {
			out[i].To += n
		}
		if out[i].From > behind {
			out[i].From += n
		}
	}
	return out
}

// findSecrets adds what the rules for credentials find in added lines.
func (b *builder) findSecrets(c *garbage.Change, f *garbage.File) {
	if f.Binary {
		return
	}
	text := []byte(f.New)
	for _, x := range b.secrets.Find(nil, text) {
		n := 1 + strings.Count(f.New[:x.Start], "\n")
		if slices.ContainsFunc(f.Added, func(s garbage.Span) bool { return s.From <= n && n <= s.To }) {
			c.Secrets = append(c.Secrets, garbage.Secret{Path: f.Path, Line: n, Rule: x.Rule})
		}
	}
}

// tree is the paths of a commit's tree: no index of 200 commits is made, so it
// ties no files.
type tree struct{ dirs, exts map[string]bool }

func newTree(paths []string) *tree {
	t := &tree{map[string]bool{}, map[string]bool{}}
	for _, p := range paths {
		t.exts[path.Ext(p)] = true
		for dir := path.Dir(p); dir != "." && !t.dirs[dir]; dir = path.Dir(dir) {
			t.dirs[dir] = true
		}
	}
	return t
}

// HasFolder implements garbage.Tree.
func (t *tree) HasFolder(dir string) bool { return t.dirs[dir] }

// HasExtension implements garbage.Tree.
func (t *tree) HasExtension(ext string) bool { return t.exts[ext] }

// Tied implements garbage.Tree.
func (t *tree) Tied(string, string) bool { return false }

var _ garbage.Tree = (*tree)(nil)

// later reports whether a later commit removed what a finding is about: the text
// of its lines is not in the file any more, or nowhere if the file is gone.
func later(dir, id string, f *garbage.Finding, text []string) (bool, error) {
	now, err := git(dir, "show", "HEAD:"+f.Path)
	if f.From == 0 {
		return err != nil, nil
	}
	for _, l := range text {
		l = strings.TrimSpace(l)
		if len(l) < 3 {
			continue
		}
		if err == nil {
			if hasLine(string(now), l) {
				return false, nil
			}
			continue
		}
		if _, err := git(dir, "grep", "-qF", "-e", l, "HEAD"); err == nil {
			return false, nil
		}
	}
	return true, nil
}

// hasLine reports whether a text has a line that is l but for its indentation.
func hasLine(text, l string) bool {
	for s := range strings.Lines(text) {
		if strings.TrimSpace(s) == l {
			return true
		}
	}
	return false
}

// linesOf are the lines of a file that a finding is about.
func linesOf(c *garbage.Change, f *garbage.Finding) []string {
	for i := range c.Files {
		if c.Files[i].Path == f.Path && f.From > 0 {
			lines := strings.Split(c.Files[i].New, "\n")
			return lines[min(f.From-1, len(lines)):min(f.To, len(lines))]
		}
	}
	return nil
}

// place is where a finding is, as people write it.
func placeOf(f *garbage.Finding) string {
	if f.From == 0 {
		return f.Path
	}
	return fmt.Sprintf("%s:%d", f.Path, f.From)
}
