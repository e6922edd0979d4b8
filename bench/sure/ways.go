package main

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
)

//go:embed ways/*.txt
var wayFiles embed.FS

// language is the content of one file of ways: the kinds of declarations, the ways to them, and how files are broken.
type language struct {
	name   string
	root   []file // of each tree
	kinds  []kind
	ways   []way
	losses []kind // texts put around a use ("use") or below the user's file ("tail")
	twins  []way  // files that declare the same name and use their own declaration
}

// kind is a kind of declaration: texts by name. "decl" declares it, those that begin with "use " use it, those that begin with
// "idle " use only the type around it, and those that begin with "beside " have others that must keep its name, and no use.
type kind struct {
	name  string
	tags  []string
	style string // of the name: lower, Upper, or CAPS
	owner string // style of the type around it, "" for a declaration at the top
	texts map[string]string
	order []string // keys of texts
}

// way is a way of getting at a declaration: files of those who declare it, and files of those who use it.
type way struct {
	name   string
	kinds  []string // names and tags of the kinds that it leads to, those after "-" left out
	locals []string // same, other: the local name of the top-level declaration
	flags  []string
	at     string // written before the local name
	files  []file
}

// file is a template of a file.
type file struct {
	path string
	text string
	user bool
}

func (w *way) is(flag string) bool { return slices.Contains(w.flags, flag) }

// leadsTo reports whether a way is written for a kind.
func (w *way) leadsTo(k *kind) bool {
	has := func(word string) bool { return word == "all" || word == k.name || slices.Contains(k.tags, word) }
	ok := false
	for _, word := range w.kinds {
		if not, is := strings.CutPrefix(word, "-"); is && has(not) {
			return false
		}
		ok = ok || has(word)
	}
	return ok
}

// readLanguages returns the languages of the files of ways, by name.
func readLanguages() ([]*language, error) {
	list, err := wayFiles.ReadDir("ways")
	if err != nil {
		return nil, err
	}
	var out []*language
	for _, f := range list {
		text, err := wayFiles.ReadFile("ways/" + f.Name())
		if err != nil {
			return nil, err
		}
		l, err := readLanguage(strings.TrimSuffix(f.Name(), path.Ext(f.Name())), string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
		out = append(out, l)
	}
	return out, nil
}

// readLanguage reads a file of ways. "== SECTION NAME: WORDS" begins a section, "-- KEY" a text in it, "-- user PATH" and "-- give PATH" a
// file; "- KEY: TEXT" is a text of one line, with \n and \t.
func readLanguage(name, text string) (*language, error) {
	l := &language{name: name}
	var k *kind
	var w *way
	var into *string
	finish := func(string) {}
	flush := func() {
		if into != nil {
			finish(*into)
		}
		into, finish = nil, func(string) {}
	}
	for n, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(line, "== "):
			flush()
			k, w = nil, nil
			head, words, _ := strings.Cut(line[3:], ":")
			section, title, _ := strings.Cut(strings.TrimSpace(head), " ")
			switch section {
			case "kind":
				l.kinds = append(l.kinds, kind{name: title, texts: map[string]string{}})
				k = &l.kinds[len(l.kinds)-1]
				for i, word := range strings.Fields(words) {
					switch {
					case i == 0:
						k.style = word
					case strings.HasPrefix(word, "in="):
						k.owner = word[3:]
					default:
						k.tags = append(k.tags, word)
					}
				}
				k.tags = append(k.tags, map[bool]string{true: "top", false: "member"}[k.owner == ""])
			case "loss":
				l.losses = append(l.losses, kind{name: title, texts: map[string]string{}})
				k = &l.losses[len(l.losses)-1]
			case "way", "twin", "root":
				v := way{name: title}
				for _, word := range strings.Fields(words) {
					switch flag, is := strings.CutPrefix(word, "!"); {
					case is && strings.HasPrefix(flag, "at="):
						v.at = flag[3:]
					case is:
						v.flags = append(v.flags, flag)
					case word == "same" || word == "other":
						v.locals = append(v.locals, word)
					default:
						v.kinds = append(v.kinds, word)
					}
				}
				if len(v.locals) == 0 {
					v.locals = []string{"same"}
				}
				list := &l.ways
				if section != "way" {
					list = &l.twins
				}
				*list = append(*list, v)
				w = &(*list)[len(*list)-1]
			default:
				return nil, fmt.Errorf("line %d: section %q", n+1, section)
			}
		case strings.HasPrefix(line, "-- "):
			flush()
			key := strings.TrimSpace(line[3:])
			into = new(string)
			if k != nil {
				into, finish = new(string), k.set(key)
				continue
			}
			role, p, ok := strings.Cut(key, " ")
			if w == nil || !ok || role != "user" && role != "give" {
				return nil, fmt.Errorf("line %d: %q", n+1, line)
			}
			w.files = append(w.files, file{path: p, user: role == "user"})
			f := &w.files[len(w.files)-1]
			finish = func(s string) { f.text = s }
		case strings.HasPrefix(line, "- ") && k != nil:
			flush()
			key, value, ok := strings.Cut(line[2:], ": ")
			if !ok {
				return nil, fmt.Errorf("line %d: %q", n+1, line)
			}
			k.set(key)(strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(value))
		case into != nil:
			*into += line + "\n"
		case strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#"):
			return nil, fmt.Errorf("line %d: %q is in no text", n+1, line)
		}
	}
	flush()
	l.takeRoot()
	return l, nil
}

// set returns the function that sets the text of a key.
func (k *kind) set(key string) func(string) {
	return func(s string) {
		k.texts[key] = strings.TrimRight(s, "\n")
		k.order = append(k.order, key)
	}
}

// takeRoot makes the section without kinds and title the files of each tree.
func (l *language) takeRoot() {
	l.twins = slices.DeleteFunc(l.twins, func(w way) bool {
		if w.name == "" {
			l.root = w.files
		}
		return w.name == ""
	})
}
