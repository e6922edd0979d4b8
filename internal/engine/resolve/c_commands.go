package resolve

import (
	"path"
	"slices"
	"strings"

	"ken/internal/code"
)

// compile_commands.json is the list of compiler runs CMake, Meson, Bear and others
// write: objects of "directory", "file", and "command" (one string, quoted for a
// shell) or "arguments" (an array). Paths in it are those of the machine it was
// written on.

// compileCommands holds the include directories that a compile_commands.json lists. Entries with equal lists share one.
type compileCommands struct {
	Root    string // common directory of all paths in the file
	Build   string // directory of its first entry
	Files   []compiledFile
	Searchs [][]searchDir
}

type compiledFile struct {
	Path   string // absolute
	Search int    // index in Searchs
}

// searchDir is one include directory, an absolute path. Some are searched for quoted includes alone.
type searchDir struct {
	Path  string
	Quote bool
}

// maxSearched is the largest number of directories in one list.
const maxSearched = 64

func parseCompileCommands(content []byte) (c compileCommands) {
	lists := map[string]int{}
	for i, entry := range parseJSON(content).Items {
		dir := path.Clean("/" + strings.ReplaceAll(entry.get("directory").Str, `\`, "/"))
		args := entry.get("arguments").strings()
		if len(args) == 0 {
			args = shellWords(entry.get("command").Str)
		}
		list := searchDirs(dir, args)
		file := absolute(dir, entry.get("file").Str)
		if i == 0 {
			c.Root, c.Build = file, dir
		}
		c.Root = commonDir(commonDir(c.Root, file), dir)
		key := string(canonical(list))
		n, ok := lists[key]
		if !ok {
			n = len(c.Searchs)
			lists[key] = n
			c.Searchs = append(c.Searchs, list)
		}
		c.Files = append(c.Files, compiledFile{file, n})
	}
	return c
}

// searchDirs returns the include directories of a compiler's arguments in the order
// in which the compiler searches them: -iquote, -I, -isystem.
func searchDirs(dir string, args []string) []searchDir {
	var by [3][]searchDir
	for i := 0; i < len(args); i++ {
		for k, flag := range [...]string{"-iquote", "-I", "-isystem"} {
			rest, ok := strings.CutPrefix(args[i], flag)
			if !ok {
				continue
			}
			if rest == "" && i+1 < len(args) {
				i++
				rest = args[i]
			}
			if rest != "" && len(by[k]) < maxSearched {
				by[k] = append(by[k], searchDir{absolute(dir, rest), k == 0})
			}
			break
		}
	}
	list := slices.Concat(by[0], by[1], by[2])
	return list[:min(len(list), maxSearched)]
}

// absolute returns p, joined to dir unless it is absolute. A path with a drive letter is absolute.
func absolute(dir, p string) string {
	p = strings.ReplaceAll(p, `\`, "/")
	if strings.HasPrefix(p, "/") || len(p) > 1 && p[1] == ':' {
		return path.Clean("/" + p)
	}
	return path.Clean(dir + "/" + p)
}

// commonDir returns the longest directory that contains both a and b.
func commonDir(a, b string) string {
	n := common(strings.TrimPrefix(a, "/"), strings.TrimPrefix(b, "/"))
	segs := strings.Split(strings.TrimPrefix(a, "/"), "/")
	return "/" + strings.Join(segs[:n], "/")
}

// shellWords splits a command as a shell does: quotes and backslashes are removed, nothing is expanded.
func shellWords(s string) (words []string) {
	var b strings.Builder
	quote, open := byte(0), false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && quote != '\'' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
			open = true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			b.WriteByte(c)
		case c == '"' || c == '\'':
			quote, open = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if open {
				words = append(words, b.String())
				b.Reset()
			}
			open = false
		default:
			b.WriteByte(c)
			open = true
		}
	}
	if open {
		words = append(words, b.String())
	}
	return words
}

// cCommands is a compile_commands.json with its paths changed to paths of the repository.
type cCommands struct {
	files map[string]int // by path in the repository
	lists [][]searchDir  // of paths in the repository
	all   []searchDir    // for files that it does not list, mostly headers
}

// place changes the paths of the machine that wrote the file into paths of the repository. The file at is in the
// directory in which it was written, or at the root of the repository: then the root is the common directory of all
// paths in it.
func (c *compileCommands) place(at string) cCommands {
	root := c.Root
	if dir := code.Dir(at); dir != "" {
		if cut, ok := strings.CutSuffix(c.Build, "/"+dir); ok {
			root = cut
		} else if cut, ok := strings.CutSuffix(c.Root, "/"+dir); ok {
			root = cut
		}
	}
	out := cCommands{files: map[string]int{}}
	local := func(p string) (string, bool) {
		if root == "/" || root == "" {
			return strings.TrimPrefix(p, "/"), true
		}
		if p == root {
			return "", true
		}
		return strings.CutPrefix(p, root+"/")
	}
	for _, list := range c.Searchs {
		var placed []searchDir
		for _, d := range list {
			if p, ok := local(d.Path); ok {
				placed = append(placed, searchDir{p, d.Quote})
			}
		}
		out.lists = append(out.lists, placed)
		for _, d := range placed {
			if len(out.all) < maxSearched && !slices.Contains(out.all, d) {
				out.all = append(out.all, d)
			}
		}
	}
	for _, f := range c.Files {
		if p, ok := local(f.Path); ok {
			out.files[p] = f.Search
		}
	}
	return out
}

// load reads all compile_commands.json files.
func (r *cResolver) load() {
	if r.loaded {
		return
	}
	r.loaded = true
	for _, p := range r.t.Configs("compile_commands.json") {
		content, _ := config(r.t, p)
		c := parseCompileCommands(content)
		r.commands = append(r.commands, c.place(p))
	}
}

// compileFlags returns the index of the compile_commands.json that applies to a file, -1 if there is none,
// and the index of its list of include directories. The index -1 stands for all directories of the first
// compile_commands.json.
func (r *cResolver) compileFlags(from string) (db, flags int) {
	r.load()
	for i := range r.commands {
		if n, ok := r.commands[i].files[from]; ok {
			return i, n
		}
	}
	if len(r.commands) > 0 {
		return 0, -1
	}
	return -1, -1
}

// searchDirsFor returns the directories the build searches for an include.
func (r *cResolver) searchDirsFor(q cQuery, angle bool) []string {
	if q.db < 0 {
		return nil
	}
	list := r.commands[q.db].all
	if q.flags >= 0 {
		list = r.commands[q.db].lists[q.flags]
	}
	var dirs []string
	for _, d := range list {
		if !(angle && d.Quote) {
			dirs = append(dirs, d.Path)
		}
	}
	return dirs
}
