package engine_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// worktree is a tree of files that is changed at random. Every operation notes
// what it did in log and returns the paths it touched.
type worktree struct {
	t       testing.TB
	root    string
	rnd     *rand.Rand
	mini    miniature // content of new files; mini.content is nil for a corpus
	git     bool
	log     []string
	commits int
}

func (w *worktree) notef(format string, args ...any) {
	w.log = append(w.log, fmt.Sprintf(format, args...))
}

func (w *worktree) full(p string) string { return filepath.Join(w.root, filepath.FromSlash(p)) }

// write puts content at a path, making way for it.
func (w *worktree) write(p, content string) {
	full := w.full(p)
	for d := path.Dir(p); d != "."; d = path.Dir(d) {
		if st, err := os.Lstat(w.full(d)); err == nil && !st.IsDir() {
			os.Remove(w.full(d))
		}
	}
	if st, err := os.Lstat(full); err == nil && !st.Mode().IsRegular() {
		os.RemoveAll(full)
	}
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *worktree) read(p string) string {
	b, _ := os.ReadFile(w.full(p))
	return string(b)
}

// files returns the regular files there are, sorted; of a corpus the sources and
// configuration only.
func (w *worktree) files() []string {
	var out []string
	filepath.WalkDir(w.root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if n := d.Name(); d.IsDir() && (n == ".git" || n == ".ken") {
			return filepath.SkipDir
		}
		if d.Type().IsRegular() {
			rel, _ := filepath.Rel(w.root, p)
			out = append(out, filepath.ToSlash(rel))
		}
		return nil
	})
	slices.Sort(out)
	return out
}

func (w *worktree) file() (string, bool) {
	list := w.files()
	if len(list) == 0 {
		return "", false
	}
	return pick(w.rnd, list...), true
}

// place returns a path for a new file.
func (w *worktree) place(like string) string {
	if w.mini.content != nil {
		return pick(w.rnd, w.mini.paths...)
	}
	list := w.files()
	ext := path.Ext(like)
	dir := path.Dir(pick(w.rnd, list...))
	return path.Join(dir, pick(w.rnd, "new"+ext, "index"+ext, "mod"+ext, "__init__"+ext, "x_test"+ext, path.Base(like), path.Base(pick(w.rnd, list...))))
}

func (w *worktree) fresh(p string) string {
	if w.mini.content != nil {
		return w.mini.content(w.rnd, p)
	}
	return w.read(pick(w.rnd, w.files()...))
}

// step makes one random change.
func (w *worktree) step() []string {
	ops := []struct {
		weight int
		do     func() []string
	}{
		{8, w.opWrite}, {6, w.opEdit}, {4, w.opRename}, {3, w.opIdentifier}, {3, w.opDelete}, {2, w.opMove}, {2, w.opMoveDir}, {1, w.opKind}, {1, w.opIgnore},
		{1, w.opTouch}, {1, w.opRacy}, {1, w.opSwap}, {1, w.opPackage}, {1, w.opCase}, {1, w.opAttributes}, {2, w.opConfig}, {3, w.opGit},
	}
	total := 0
	for _, o := range ops {
		total += o.weight
	}
	n := w.rnd.IntN(total)
	for _, o := range ops {
		if n -= o.weight; n < 0 {
			return o.do()
		}
	}
	return nil
}

func (w *worktree) opWrite() []string {
	like, ok := w.file()
	if !ok {
		like = "a.txt"
	}
	p := w.place(like)
	c := w.fresh(p)
	w.notef("write %s\n%s", p, c)
	w.write(p, c)
	return []string{p}
}

// opEdit deletes, doubles or changes some lines.
func (w *worktree) opEdit() []string {
	p, ok := w.file()
	if !ok {
		return nil
	}
	lines := strings.SplitAfter(w.read(p), "\n")
	at := w.rnd.IntN(len(lines))
	n := min(1+w.rnd.IntN(4), len(lines)-at)
	switch w.rnd.IntN(4) {
	case 0:
		lines = slices.Delete(lines, at, at+n)
	case 1:
		lines = slices.Insert(lines, at, lines[at:at+n]...)
	case 2:
		lines = slices.Insert(lines, at, pick(w.rnd, "\n", "// note\n", "}\n", "# note\n", "{\n", "func F1() {}\n", "def a(): pass\n", "export const f1 = 1\n", "import a\n"))
	case 3: // a line of a file nearby, most often an import or declaration
		if other, ok := w.file(); ok {
			from := strings.SplitAfter(w.read(other), "\n")
			lines = slices.Insert(lines, at, pick(w.rnd, from...))
		}
	}
	c := strings.Join(lines, "")
	w.notef("edit %s\n%s", p, c)
	w.write(p, c)
	return []string{p}
}

// opIdentifier renames an identifier of a file, in this file alone.
func (w *worktree) opIdentifier() []string {
	p, ok := w.file()
	if !ok {
		return nil
	}
	c := w.read(p)
	words := strings.FieldsFunc(c, func(r rune) bool {
		return !(r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z')
	})
	if len(words) == 0 {
		return nil
	}
	from, to := pick(w.rnd, words...), pick(w.rnd, words...)
	if w.rnd.IntN(3) == 0 {
		to = from + "X"
	}
	c = strings.ReplaceAll(c, from, to)
	w.notef("identifier %s: %s → %s\n%s", p, from, to, c)
	w.write(p, c)
	return []string{p}
}

func (w *worktree) opDelete() []string {
	p, ok := w.file()
	if !ok {
		return nil
	}
	w.notef("delete %s", p)
	os.Remove(w.full(p))
	return []string{p}
}

func (w *worktree) opRename() []string {
	p, ok := w.file()
	if !ok {
		return nil
	}
	return w.move(p, w.place(p))
}

// opMove moves a file to another directory.
func (w *worktree) opMove() []string {
	p, ok := w.file()
	if !ok {
		return nil
	}
	other, _ := w.file()
	return w.move(p, path.Join(path.Dir(other), path.Base(p)))
}

func (w *worktree) move(from, to string) []string {
	if from == to {
		return nil
	}
	w.notef("move %s %s", from, to)
	c := w.read(from)
	os.Remove(w.full(from))
	w.write(to, c)
	os.Remove(w.full(to))
	// A rename proper, which keeps inode and mtime.
	if err := os.WriteFile(w.full(from)+".tmp~", []byte(c), 0o644); err == nil {
		os.Rename(w.full(from)+".tmp~", w.full(to))
	}
	return []string{from, to}
}

func (w *worktree) opMoveDir() []string {
	p, ok := w.file()
	if !ok {
		return nil
	}
	other, _ := w.file()
	from, to := path.Dir(p), path.Join(path.Dir(other), pick(w.rnd, path.Base(path.Dir(p)), "moved", "a"))
	if from == "." || from == to || strings.HasPrefix(to+"/", from+"/") {
		return nil
	}
	if _, err := os.Lstat(w.full(to)); err == nil {
		return nil
	}
	if w.mini.content == nil && len(w.below(from)) > 60 {
		return nil
	}
	w.notef("move dir %s %s", from, to)
	gone := w.below(from)
	os.MkdirAll(filepath.Dir(w.full(to)), 0o755)
	os.Rename(w.full(from), w.full(to))
	return append(gone, w.below(to)...)
}

func (w *worktree) below(dir string) []string {
	return slices.DeleteFunc(w.files(), func(p string) bool { return !strings.HasPrefix(p, dir+"/") })
}

// opKind makes something else of a file: binary, minified, too large, a link,
// a directory.
func (w *worktree) opKind() []string {
	p, ok := w.file()
	if !ok {
		return nil
	}
	full := w.full(p)
	switch n := w.rnd.IntN(6); n {
	case 0:
		w.notef("binary %s", p)
		w.write(p, "\x00\x01"+w.read(p))
	case 1:
		w.notef("minify %s", p)
		w.write(p, w.read(p)+strings.Repeat("var a=1;", 4000))
	case 2:
		w.notef("too large %s", p)
		w.write(p, w.read(p)+strings.Repeat("\n// filling\n", 50_000))
	case 3:
		w.notef("link %s", p)
		os.Remove(full)
		os.Symlink("nowhere", full)
	case 4:
		w.notef("directory %s", p)
		os.Remove(full)
		w.write(p+"/index"+path.Ext(p), w.fresh(p))
		return []string{p, p + "/index" + path.Ext(p)}
	case 5:
		w.notef("empty %s", p)
		w.write(p, "")
	}
	return []string{p}
}

func (w *worktree) opIgnore() []string {
	list := w.files()
	if len(list) == 0 {
		return nil
	}
	p := pick(w.rnd, ".gitignore", ".kenignore", path.Join(path.Dir(pick(w.rnd, list...)), ".gitignore"))
	if w.rnd.IntN(3) == 0 {
		w.notef("delete %s", p)
		os.Remove(w.full(p))
		return nil
	}
	target := pick(w.rnd, list...)
	line := pick(w.rnd, path.Base(target), "/"+target, path.Dir(target)+"/", "*"+path.Ext(target), "!"+path.Base(target))
	w.notef("ignore %s: %s", p, line)
	w.write(p, line+"\n")
	return nil
}

func (w *worktree) opAttributes() []string {
	target, ok := w.file()
	if !ok {
		return nil
	}
	p := pick(w.rnd, ".gitattributes", path.Join(path.Dir(target), ".gitattributes"))
	line := pick(w.rnd, "*"+path.Ext(target), path.Base(target)) + " " + pick(w.rnd, "linguist-generated", "linguist-vendored", "-linguist-vendored", "linguist-documentation")
	w.notef("attributes %s: %s", p, line)
	w.write(p, line+"\n")
	return []string{p}
}

func (w *worktree) opTouch() []string {
	p, ok := w.file()
	if !ok {
		return nil
	}
	w.notef("touch %s", p)
	at := time.Unix(1_700_000_000+int64(w.rnd.IntN(1000)), 0)
	os.Chtimes(w.full(p), at, at)
	return []string{p}
}

// opRacy changes a byte and sets the old mtime again.
func (w *worktree) opRacy() []string {
	p, ok := w.file()
	if !ok {
		return nil
	}
	st, err := os.Stat(w.full(p))
	c := []byte(w.read(p))
	if err != nil || len(c) == 0 {
		return nil
	}
	i := w.rnd.IntN(len(c))
	c[i] = byte('1' + w.rnd.IntN(3))
	w.notef("racy %s at %d: %q", p, i, c[i])
	f, err := os.OpenFile(w.full(p), os.O_WRONLY, 0)
	if err == nil {
		f.Write(c)
		f.Close()
		os.Chtimes(w.full(p), st.ModTime(), st.ModTime())
	}
	return []string{p}
}

// opSwap exchanges two files.
func (w *worktree) opSwap() []string {
	a, ok := w.file()
	b, _ := w.file()
	if !ok || a == b {
		return nil
	}
	w.notef("swap %s %s", a, b)
	os.Rename(w.full(a), w.full(a)+"~")
	os.Rename(w.full(b), w.full(a))
	os.Rename(w.full(a)+"~", w.full(b))
	return []string{a, b}
}

// opPackage changes a package clause.
func (w *worktree) opPackage() []string {
	list := slices.DeleteFunc(w.files(), func(p string) bool { return !strings.HasSuffix(p, ".go") && !strings.HasSuffix(p, ".java") })
	if len(list) == 0 {
		return nil
	}
	p := pick(w.rnd, list...)
	lines := strings.Split(w.read(p), "\n")
	for i, l := range lines {
		if !strings.HasPrefix(l, "package ") {
			continue
		}
		lines[i] = "package " + pick(w.rnd, "other", "p", "p.q", "a", "b", "a_test")
		if strings.HasSuffix(p, ".java") {
			lines[i] += ";"
		}
		w.notef("package %s: %s", p, lines[i])
		w.write(p, strings.Join(lines, "\n"))
		return []string{p}
	}
	return nil
}

// opCase changes the case of a name.
func (w *worktree) opCase() []string {
	p, ok := w.file()
	if !ok {
		return nil
	}
	base := path.Base(p)
	to := strings.ToUpper(base[:1]) + base[1:]
	if to == base {
		to = strings.ToLower(base[:1]) + base[1:]
	}
	return w.move(p, path.Join(path.Dir(p), to))
}

func isConfigName(p string) bool {
	switch path.Base(p) {
	case "go.mod", "go.work", "package.json", "tsconfig.json", "pnpm-workspace.yaml", "Cargo.toml", "pyproject.toml", "setup.cfg", "compile_commands.json":
		return true
	}
	return false
}

// opConfig rewrites a configuration file.
func (w *worktree) opConfig() []string {
	var list []string
	if w.mini.content != nil {
		for _, p := range w.mini.paths {
			if isConfigName(p) {
				list = append(list, p)
			}
		}
	} else {
		list = slices.DeleteFunc(w.files(), func(p string) bool { return !isConfigName(p) })
	}
	if len(list) == 0 {
		return nil
	}
	p := pick(w.rnd, list...)
	c := w.fresh(p)
	if w.mini.content == nil {
		lines := strings.SplitAfter(w.read(p), "\n")
		at := w.rnd.IntN(len(lines))
		c = strings.Join(slices.Delete(lines, at, at+1), "")
		if w.rnd.IntN(2) == 0 {
			c = strings.Replace(w.read(p), "name", "names", 1)
		}
	}
	w.notef("config %s\n%s", p, c)
	w.write(p, c)
	return []string{p}
}

// run starts git with settings of its own.
func (w *worktree) run(args ...string) string {
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false", "-c", "advice.detachedHead=false"}, args...)...)
	cmd.Dir = w.root
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, _ := cmd.CombinedOutput()
	return string(out)
}

// opGit does something with the repository. The paths it changes are not told.
func (w *worktree) opGit() []string {
	if !w.git {
		return w.opEdit()
	}
	var args []string
	switch p, _ := w.file(); w.rnd.IntN(8) {
	case 0:
		args = []string{"add", "-f", "--", p}
	case 1:
		args = []string{"add", "-A"}
	case 2:
		args = []string{"rm", "--cached", "-q", "-f", "--", p}
	case 3, 4:
		w.run("add", "-A")
		w.commits++
		args = []string{"commit", "-q", "--allow-empty", "-m", "c"}
	case 5:
		w.commits++
		args = []string{"checkout", "-q", "-b", fmt.Sprint("b", w.commits)}
	case 6: // to an older commit or another branch, whatever is in the way
		args = []string{"checkout", "-q", "-f", pick(w.rnd, "HEAD~1", "HEAD~2", "-", "b1", "b2", "b3", "main")}
	case 7:
		args = []string{"reset", "-q", "--hard", pick(w.rnd, "HEAD", "HEAD~1")}
	}
	w.notef("git %q", args)
	w.run(args...)
	return nil
}
