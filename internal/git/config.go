package git

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Config holds the options of git's configuration files, read without starting git.
// Of an option set more than once it keeps the last value, as git does.
type Config struct {
	// Files are the files that may have settings, whether they exist or not: when
	// none of them changed, neither did the settings.
	Files  []string
	values map[string]string
}

// Get returns an option's value: "core.excludesfile", section and name in lower
// case, a subsection in between as written. "" if it is not set.
func (c *Config) Get(key string) string { return c.values[key] }

// Bool returns the value of a truth-valued option. As in git, an option that is set without a value is true.
func (c *Config) Bool(key string) bool {
	v, ok := c.values[key]
	switch strings.ToLower(v) {
	case "true", "yes", "on":
		return true
	case "false", "no", "off", "", "0":
		return false
	}
	return ok
}

// ReadConfig reads the configuration of the system, of the user and (if r is
// not nil) of the repository, in this order. It uses as much as it can read of
// a file that is missing, unreadable or broken, because a listing must not fail
// because of it.
func ReadConfig(r *Repo) *Config {
	c := &Config{values: make(map[string]string)}
	for _, path := range userFiles() {
		c.readFile(path, r, 0)
	}
	if r == nil {
		return c
	}
	c.readFile(filepath.Join(r.CommonDir, "config"), r, 0)
	if c.Bool("extensions.worktreeconfig") {
		c.readFile(filepath.Join(r.GitDir, "config.worktree"), r, 0)
	}
	return c
}

// userFiles returns the configuration files outside the repository.
func userFiles() []string {
	var files []string
	if off := os.Getenv("GIT_CONFIG_NOSYSTEM"); off == "" || off == "0" || off == "false" {
		if f := os.Getenv("GIT_CONFIG_SYSTEM"); f != "" {
			files = append(files, f)
		} else {
			files = append(files, "/etc/gitconfig")
		}
	}
	if f, ok := os.LookupEnv("GIT_CONFIG_GLOBAL"); ok {
		if f != "" {
			files = append(files, f)
		}
		return files
	}
	if dir := xdgDir(); dir != "" {
		files = append(files, filepath.Join(dir, "config"))
	}
	if home := os.Getenv("HOME"); home != "" {
		files = append(files, filepath.Join(home, ".gitconfig"))
	}
	return files
}

// xdgDir returns the user's git folder under $XDG_CONFIG_HOME, "" if there is none.
func xdgDir() string {
	if dir := os.Getenv("XDG_CONFIG_HOME"); dir != "" {
		return filepath.Join(dir, "git")
	}
	if home := os.Getenv("HOME"); home != "" {
		return filepath.Join(home, ".config", "git")
	}
	return ""
}

// ExcludesFile returns the user's own ignore file: core.excludesFile, or git/ignore in the user's configuration folder. It
// returns "" if there can be none.
func (c *Config) ExcludesFile(r *Repo) string {
	v, ok := c.values["core.excludesfile"]
	if !ok {
		if dir := xdgDir(); dir != "" {
			return filepath.Join(dir, "ignore")
		}
		return ""
	}
	if v == "" {
		return ""
	}
	v = expandHome(v)
	if !filepath.IsAbs(v) && r != nil {
		v = filepath.Join(r.Root, v) // git runs at the top of the working tree
	}
	return v
}

// AttributesFile returns the user's own file of attributes: core.attributesFile, or git/attributes in the user's
// configuration folder. It returns the null device if there is no regular file.
func (c *Config) AttributesFile() string {
	v := expandHome(c.values["core.attributesfile"])
	if dir := xdgDir(); v == "" && dir != "" {
		v = filepath.Join(dir, "attributes")
	}
	if st, err := os.Stat(v); err != nil || !st.Mode().IsRegular() {
		return os.DevNull
	}
	return v
}

func expandHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(os.Getenv("HOME"), rest)
	}
	return path
}

// Limits of configuration files: the length of a chain of includes (git's own limit) and the number of bytes.
const (
	maxInclude    = 10
	maxConfigFile = 4 << 20
)

func (c *Config) readFile(path string, r *Repo, depth int) {
	c.Files = append(c.Files, path)
	if depth > maxInclude || len(c.Files) > 1000 {
		return
	}
	data, err := readRegular(path, maxConfigFile)
	if err != nil {
		return
	}
	parseConfig(string(data), func(key, value string) {
		if to, ok := c.includedFile(key, value, path, r); ok {
			c.readFile(to, r, depth+1)
			return
		}
		c.values[key] = value
	})
}

// includedFile returns the file that an include.path or a fulfilled
// includeIf.CONDITION.path names.
func (c *Config) includedFile(key, value, from string, r *Repo) (string, bool) {
	cond, conditional := strings.CutPrefix(key, "includeif.")
	if key != "include.path" {
		var ok bool
		if cond, ok = strings.CutSuffix(cond, ".path"); !ok || !conditional || !matchesCondition(cond, from, r) {
			return "", false
		}
	}
	to := expandHome(value)
	if !filepath.IsAbs(to) {
		to = filepath.Join(filepath.Dir(from), to)
	}
	return to, value != ""
}

// matchesCondition reports whether the condition of an includeIf holds. It understands gitdir conditions with a leading
// folder and "/" or "/**" at the end, the forms in use. It takes conditions on branches and remotes as false, because
// settings that ken reads do not belong below them.
func matchesCondition(cond, from string, r *Repo) bool {
	kind, pattern, _ := strings.Cut(cond, ":")
	if r == nil || kind != "gitdir" && kind != "gitdir/i" || pattern == "" {
		return false
	}
	dir := r.GitDir
	if kind == "gitdir/i" {
		pattern, dir = strings.ToLower(pattern), strings.ToLower(dir)
	}
	pattern = expandHome(pattern)
	if rest, ok := strings.CutPrefix(pattern, "./"); ok {
		pattern = filepath.Join(filepath.Dir(from), rest)
	}
	pattern, _ = strings.CutSuffix(pattern, "**")
	if strings.HasSuffix(pattern, "/") {
		if strings.HasPrefix(pattern, "/") {
			return strings.HasPrefix(dir+"/", pattern)
		}
		return strings.Contains(dir+"/", "/"+strings.TrimPrefix(pattern, "**/"))
	}
	return dir == pattern
}

// parseConfig reads git's configuration syntax (git-config(1), "Syntax") and
// passes each option to set. A syntax error ends the file, as in git, but
// the options before it stay.
func parseConfig(text string, set func(key, value string)) {
	p := configParser{text: strings.TrimPrefix(text, "\ufeff")}
	section := ""
	for {
		switch c := p.skipBlank(); {
		case c == 0:
			return
		case c == '[':
			var ok bool
			if section, ok = p.parseSection(); !ok {
				return
			}
		default:
			name := p.parseOptionName()
			value, ok := p.parseValue()
			if name == "" || section == "" || !ok {
				return
			}
			set(section+"."+name, value)
		}
	}
}

type configParser struct {
	text string
	at   int
}

func (p *configParser) peekByte() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

// skipBlank moves to the next character that is neither white space nor part
// of a comment and returns it, or 0 at the end.
func (p *configParser) skipBlank() byte {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; c {
		case ' ', '\t', '\r', '\n', '\f', '\v':
			p.at++
		case '#', ';':
			p.parseLine()
		case 0:
			return 0
		default:
			return c
		}
	}
	return 0
}

func (p *configParser) parseLine() {
	if n := strings.IndexByte(p.text[p.at:], '\n'); n >= 0 {
		p.at += n + 1
	} else {
		p.at = len(p.text)
	}
}

// parseSection reads the header of a section, [name] or [name "sub"].
func (p *configParser) parseSection() (string, bool) {
	p.at++
	name := p.takeWhile(func(c byte) bool { return isWordByte(c) || c == '.' })
	name = strings.ToLower(name)
	if p.peekByte() == ']' {
		p.at++
		return name, name != ""
	}
	p.takeWhile(func(c byte) bool { return c == ' ' || c == '\t' })
	if p.peekByte() != '"' {
		return "", false
	}
	var sub strings.Builder
	for p.at++; p.peekByte() != '"'; p.at++ {
		if p.peekByte() == '\\' {
			p.at++
		}
		if c := p.peekByte(); c == 0 || c == '\n' {
			return "", false
		}
		sub.WriteByte(p.peekByte())
	}
	p.at++
	if p.peekByte() != ']' {
		return "", false
	}
	p.at++
	return name + "." + sub.String(), name != ""
}

// isWordByte reports whether names of sections and options may contain the byte c.
func isWordByte(c byte) bool {
	switch {
	case c == '-', c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		return true
	}
	return false
}

func (p *configParser) takeWhile(ok func(byte) bool) string {
	from := p.at
	for p.at < len(p.text) && ok(p.text[p.at]) {
		p.at++
	}
	return p.text[from:p.at]
}

// parseOptionName reads the name of an option.
func (p *configParser) parseOptionName() string { return strings.ToLower(p.takeWhile(isWordByte)) }

// parseValue reads the value of an option, from the end of the option's name to the end of its line. An option without a value is true.
func (p *configParser) parseValue() (string, bool) {
	p.takeWhile(func(c byte) bool { return c == ' ' || c == '\t' })
	switch p.peekByte() {
	case '=':
		p.at++
	case '\n', '\r', '#', ';', 0:
		p.parseLine()
		return "true", true
	default:
		return "", false
	}
	var v strings.Builder
	quoted, keep := false, 0 // keep: bytes of v that trimming white space must leave
	for {
		c := p.peekByte()
		p.at = min(p.at+1, len(p.text)+1)
		switch {
		case c == 0 || c == '\n':
			s := v.String()
			return s[:max(keep, len(strings.TrimRight(s, " \t\r")))], !quoted
		case c == '\\':
			if !p.parseEscape(&v) {
				return "", false
			}
			keep = v.Len()
		case c == '"':
			quoted = !quoted
			keep = v.Len()
		case quoted:
			v.WriteByte(c)
			keep = v.Len()
		case c == '#' || c == ';':
			p.parseLine()
			s := v.String()
			return s[:max(keep, len(strings.TrimRight(s, " \t\r")))], true
		case (c == ' ' || c == '\t') && v.Len() == 0 && keep == 0:
		default:
			v.WriteByte(c)
		}
	}
}

// parseEscape reads the character after a backslash in a value.
func (p *configParser) parseEscape(v *strings.Builder) bool {
	c := p.peekByte()
	p.at++
	switch c {
	case '\n':
	case '\r':
		if p.peekByte() != '\n' {
			return false
		}
		p.at++
	case 't':
		v.WriteByte('\t')
	case 'n':
		v.WriteByte('\n')
	case 'b':
		v.WriteByte('\b')
	case '\\', '"':
		v.WriteByte(c)
	default:
		return false
	}
	return true
}

func isNotExist(err error) bool { return err != nil && errors.Is(err, fs.ErrNotExist) }
