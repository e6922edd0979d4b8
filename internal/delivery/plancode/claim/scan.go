package claim

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"ken/internal/code"
	"ken/internal/lang"
)

// foundPath is a path found in a text.
type foundPath struct {
	path       string
	start, end int
	outside    bool // it leads out of the project
	relative   bool // it began with ./
	ticked     bool // it is written as code
}

// isPathCharacter reports whether a character occurs in paths. Brackets do, because several web frameworks have them in folder names.
func isPathCharacter(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_.@+~$/()[]-", r)
}

// findPaths finds the paths in a text: words with a slash whose last part has an extension, and file names alone. In a list
// any name counts, with or without extension.
func findPaths(text string, list bool) []foundPath {
	var out []foundPath
	ticks := 0
	for i := 0; i < len(text); {
		if text[i] == '`' {
			ticks++
			i++
			continue
		}
		n := strings.IndexFunc(text[i:], func(r rune) bool { return !isPathCharacter(r) })
		if n < 0 {
			n = len(text) - i
		}
		if n == 0 {
			i++
			for i < len(text) && text[i]&0xC0 == 0x80 {
				i++
			}
			continue
		}
		if f, ok := parsePath(text, i, i+n, list); ok {
			f.ticked = ticks%2 == 1 || list
			out = append(out, f)
		}
		i += n
	}
	return out
}

// maxPath is the largest length of a path.
const maxPath = 1024

// parsePath reads a run of characters as a path; ok is false if it cannot be one.
func parsePath(text string, start, end int, list bool) (f foundPath, ok bool) {
	if end-start > maxPath {
		return f, false
	}
	if i := strings.LastIndex(text[start:end], "]("); i >= 0 { // a link of Markdown
		start += i + 2
	}
	for start < end && (text[start] == '(' || text[start] == '[') && !isBalanced(text[start:end]) {
		start++
	}
	for start < end {
		last := text[end-1]
		bracket := last == ')' || last == ']'
		if keep := !bracket || isBalanced(text[start:end]); keep && strings.IndexByte(".-~$@+", last) < 0 {
			break
		}
		end--
	}
	s := text[start:end]
	f = foundPath{start: start, end: end}
	if !isBalanced(s) {
		return f, false // a part of something that blanks or other marks cut
	}
	if start > 0 && text[start-1] == '*' && (strings.HasPrefix(s, "/") || strings.HasPrefix(s, ".")) {
		return f, false // the end of a pattern
	}
	if start > 0 && text[start-1] == ':' && strings.HasPrefix(s, "/") {
		return f, false // an address
	}
	bold := strings.HasPrefix(text[end:], "**") && strings.HasSuffix(text[:start], "**")
	if after := text[end:]; strings.HasPrefix(after, "*") && !bold || strings.HasPrefix(after, "{") {
		return f, false // a pattern
	}
	if alias, cut := strings.CutPrefix(s, "@/"); cut && !isAbsolute(alias) { // an alias of imports
		s = alias
	}
	s = strings.TrimPrefix(s, "@")
	if rest, cut := strings.CutPrefix(s, "./"); cut {
		s, f.relative = rest, true
	}
	if s == "" || strings.ContainsFunc(s, unicode.IsSpace) {
		return f, false
	}
	if strings.HasPrefix(s, "../") || strings.IndexByte("/~$", s[0]) >= 0 {
		f.path, f.outside = s, true
		return f, list
	}
	folder := list && strings.HasSuffix(s, "/")
	f.path = path.Clean(s)
	if strings.HasPrefix(f.path, "..") {
		f.outside = true
		return f, list
	}
	if folder {
		f.path += "/"
		return f, f.path != "./"
	}
	return f, isFile(f.path, list)
}

// isAbsolute reports whether a path begins with a system folder such as /usr. In other paths a leading slash means the root of the
// project.
func isAbsolute(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	return slices.Contains([]string{"Users", "home", "root", "tmp", "var", "etc", "opt", "usr", "mnt", "Volumes"}, first)
}

// isBalanced reports whether brackets in a text are balanced.
func isBalanced(s string) bool {
	round, square := 0, 0
	for _, c := range s {
		switch c {
		case '(':
			round++
		case ')':
			round--
		case '[':
			square++
		case ']':
			square--
		}
		if round < 0 || square < 0 {
			return false
		}
	}
	return round == 0 && square == 0
}

// isFile reports whether a text can be the path of a file.
func isFile(p string, list bool) bool {
	dir, name := path.Split(p)
	for part := range strings.SplitSeq(strings.TrimSuffix(dir, "/"), "/") {
		if dir != "" && lang.Detect(part, nil) != "" && path.Ext(part) != "" {
			return false // two names of files with a slash between
		}
	}
	if first, _, more := strings.Cut(p, "/"); more && beginsWithHost(first) {
		return false
	}
	if lang.Detect(name, nil) != "" {
		return dir != "" || list || isFileName(name)
	}
	if dir == "" && !list {
		return false
	}
	ext := strings.TrimPrefix(path.Ext(name), ".")
	hasLetter := func(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }
	if ext == "" {
		shouted := hasLetter(name) && strings.ToUpper(name) == name // LICENSE
		return list && (dir != "" || shouted)
	}
	other := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	if !list { // the last part of an imported name has a dot, too: persona.context
		return slices.Contains(otherFiles, strings.ToLower(ext))
	}
	return hasLetter(ext) && len(ext) <= 12 && !strings.ContainsFunc(ext, other)
}

// otherFiles are file extensions that belong to no known language.
var otherFiles = []string{
	"png", "jpg", "jpeg", "gif", "svg", "ico", "webp", "pdf", "csv", "txt", "env", "example", "local", "db", "sqlite", "zip", "gz", "bin", "wasm", "woff2", "ttf", "mp3",
	"mp4", "pem", "crt", "lock", "log", "jsonl", "ipynb", "xlsx", "plist", "resx", "xib", "storyboard", "entitlements",
	"godot", "tscn", "tres", "gdshader", "properties", "service",
}

// isFileName reports whether a name without folder, in a known language, means a file: install is a word, Makefile is not.
func isFileName(name string) bool {
	ext := path.Ext(name)
	if ext == name || strings.Contains(name, "(") {
		return false
	}
	return ext != "" || strings.ToLower(name) != name
}

// beginsWithHost reports whether the first part of a path is a host name.
func beginsWithHost(s string) bool {
	if strings.HasPrefix(s, ".") {
		return false
	}
	switch path.Ext(s) {
	case ".com", ".org", ".net", ".io", ".dev", ".ai", ".app", ".sh", ".gov", ".edu", ".co":
		return true
	}
	return false
}

// maxBraces is the largest number of paths that one path with braces may expand to.
const maxBraces = 40

// expandBraces returns the paths that a path with braces stands for, such as src/{a,b}.ts.
func expandBraces(text string) []string {
	open := strings.IndexByte(text, '{')
	for open >= 0 {
		end := strings.IndexByte(text[open:], '}')
		if end < 0 {
			break
		}
		inner := text[open+1 : open+end]
		plain := !strings.ContainsFunc(inner, func(r rune) bool { return r != ',' && r != ' ' && !isPathCharacter(r) })
		inPath := plain && strings.Contains(inner, ",") && open > 0 && isPathCharacter(rune(text[open-1]))
		if inPath {
			var out []string
			for part := range strings.SplitSeq(inner, ",") {
				out = append(out, text[:open]+strings.TrimSpace(part)+text[open+end+1:])
			}
			if len(out) > maxBraces {
				break
			}
			return out
		}
		next := strings.IndexByte(text[open+1:], '{')
		if next < 0 {
			break
		}
		open += 1 + next
	}
	return []string{text}
}

// Words before a path that announce that the file is made, or that it exists and is changed.
var (
	creating = []string{"create", "creates", "creating", "new", "scaffold", "generate", "generates", "add a", "adds"}
	changing = []string{"update", "updates", "modify", "modifies", "edit", "extend", "extends", "refactor", "change", "changes", "rewrite", "existing", "delete", "remove"}
)

// denying are words that negate one of these words.
var denying = []string{"not", "never", "n't", "without", "no"}

// endsWithPhrase reports whether a text ends with a phrase that begins with one of the words, without a negation after it.
func endsWithPhrase(before string, words []string) bool {
	if i := strings.LastIndex(before, ". "); i >= 0 {
		before = before[i+2:]
	}
	at := lastWordIndex(before, words)
	if at >= 0 && lastWordIndex(before[max(0, at-8):at], denying) >= 0 {
		return false // do not create
	}
	return at >= 0 && at >= lastWordIndex(before, creating) && at >= lastWordIndex(before, changing)
}

// lastWordIndex returns the position of the last of some words in a text, -1 if it has none of them.
func lastWordIndex(text string, words []string) int {
	last := -1
	for _, w := range words {
		for at := 0; ; {
			i := strings.Index(text[at:], w)
			if i < 0 {
				break
			}
			i += at
			at = i + len(w)
			begins := i == 0 || !isLetter(text[i-1])
			ends := at == len(text) || !isLetter(text[at])
			if begins && ends {
				last = max(last, i)
			}
		}
	}
	return last
}

func isLetter(c byte) bool { return c >= 0x80 || c == '_' || unicode.IsLetter(rune(c)) }

// newMarks are the marks after the path of a new file, such as "(new)".
var newMarks = []string{
	"(new", "(create", "[new", "— new", "– new", "- new", "# new", "# create", ": new", "— create", "(to be created", "(will be created",
}

// hasNewMark reports whether a path is followed by a mark of a new file.
func hasNewMark(rest string) bool {
	rest = strings.TrimLeft(rest, "`*_ \t")
	for _, mark := range newMarks {
		if strings.HasPrefix(rest, mark) {
			return true
		}
	}
	return false
}

// language returns the language of a path by its name.
func language(p string) code.Lang { return lang.Detect(path.Base(p), nil) }

// isProgramFile reports whether a name is that of a file of a programming language. Prose names such files without marking them as code.
func isProgramFile(name string) bool {
	row := lang.Of(language(name))
	if !row.IsKnown() || row.Sort != lang.Programming || products[strings.ToLower(name)] {
		return false
	}
	ext := path.Ext(name)
	return ext != "" && len(name) > len(ext)+1
}

// products are product names that look like names of files or of code, such as Node.js and GitHub.
var products = map[string]bool{
	"node.js": true, "next.js": true, "vue.js": true, "three.js": true, "express.js": true, "d3.js": true, "react.js": true, "nuxt.js": true,
	"chart.js": true, "github": true, "gitlab": true, "javascript": true, "typescript": true, "postgresql": true, "mongodb": true, "graphql": true, "openai": true,
	"youtube": true, "linkedin": true, "whatsapp": true, "fastapi": true, "nodejs": true, "pytorch": true, "sqlite": true,
}

// symbolForm matches names in code: an identifier, optionally with its container and with the brackets of a call.
var symbolForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*)(\([^)]*\))?$`)
})

// maxSymbols is the number of names of a plan that are read.
const maxSymbols = 2000

// readNames reads the code spans of a line that can only be names of declarations.
func (r *reader) readNames(line, lower, file string, number int, role Role) {
	parts := strings.Split(line, "`")
	at := 0
	for i, span := range parts {
		start := at
		at += len(span) + 1
		if i%2 == 0 || i == len(parts)-1 {
			continue
		}
		m := symbolForm().FindStringSubmatch(strings.TrimSpace(span))
		if m == nil || !isCodeName(m[1], m[2] != "") || len(r.c.Symbols) >= maxSymbols {
			continue
		}
		name := strings.NewReplacer("::", ".", "#", ".").Replace(m[1])
		key := name + "\x00" + file + "\x00" + roleNames[role]
		if r.symbols[key] {
			continue
		}
		r.symbols[key] = true
		before := lower[max(0, start-60):min(start, len(lower))]
		r.c.Symbols = append(r.c.Symbols, Symbol{
			Name: name, Line: number, Role: role, File: file,
			New: endsWithPhrase(before, creating) || endsWithPhrase(before, []string{"add", "define"}), Changes: endsWithPhrase(before, changing),
		})
	}
}

// isCodeName reports whether a code span is surely the name of a declaration: it is called, or has a form that words of prose,
// values and file names do not have.
func isCodeName(name string, called bool) bool {
	if lang.Detect(name, nil) != "" && strings.Contains(name, ".") {
		return false // a file
	}
	last := name[strings.LastIndexAny(name, ".:#")+1:]
	if len(last) < 3 || strings.ToUpper(last) == last {
		return false // an environment variable, a constant, an abbreviation
	}
	inner := name[1:]
	camel := strings.ToLower(inner) != inner
	snake := strings.Contains(strings.Trim(last, "_"), "_")
	member := len(last) < len(name) && unicode.IsUpper(rune(name[0])) // Store.open
	return called || camel || snake || member
}

// installCommand matches commands that write a new dependency into the manifest of a project.
var installCommand = sync.OnceValue(func() *regexp.Regexp {
	var commands []string
	for _, in := range lang.Installs() {
		commands = append(commands, in.Command)
	}
	return regexp.MustCompile(`\b(?:(?:` + strings.Join(commands, "|") + `)((?: -[\w-]+| --[\w-]+(?:=\S+)?)*) [@A-Za-z][\w@/.^~:-]*|` +
		`dotnet add (?:\S+ )?package )`)
})

func (r *reader) readInstall(line string) {
	m := installCommand().FindStringSubmatch(line)
	if m == nil || strings.Contains(m[1]+" ", " -g ") || strings.Contains(m[1], "--global") || len(r.c.Installs) > 50 {
		return
	}
	r.c.Installs = append(r.c.Installs, m[0])
}
