package resolve

import (
	"strconv"
	"strings"
)

// goModFile holds the parts of a go.mod or go.work that resolution needs. modfile.Parse is not used because it rejects a
// whole file for one bad line, and its lax form omits replace.
type goModFile struct {
	Module  string
	Replace []goReplace
	Use     []string // go.work
}

// goReplace is a replace directive: imports of Old are found in New. Versions do not matter here.
type goReplace struct{ Old, New string }

// parseGoMod parses a go.mod or go.work and skips lines that it does not understand.
func parseGoMod(content []byte) goModFile {
	var f goModFile
	block := ""
	for line := range strings.Lines(string(content)) {
		words := goModWords(line)
		switch {
		case len(words) == 0:
		case block != "" && words[0] == ")":
			block = ""
		case block != "":
			f.directive(block, words)
		case len(words) == 2 && words[1] == "(":
			block = words[0]
		default:
			f.directive(words[0], words[1:])
		}
	}
	return f
}

func (f *goModFile) directive(verb string, args []string) {
	if len(args) == 0 {
		return
	}
	switch verb {
	case "module":
		f.Module = args[0]
	case "use":
		f.Use = append(f.Use, args[0])
	case "replace":
		for i, a := range args {
			if a == "=>" && i > 0 && i+1 < len(args) {
				f.Replace = append(f.Replace, goReplace{Old: args[0], New: args[i+1]})
			}
		}
	}
}

// goModWords splits a line into words, without quotes and comment.
func goModWords(line string) []string {
	var words []string
	for line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//"); line = strings.TrimLeft(line, " \t") {
		n := strings.IndexAny(line, " \t")
		if line[0] == '"' || line[0] == '`' {
			if q, err := strconv.QuotedPrefix(line); err == nil {
				word, _ := strconv.Unquote(q)
				words, line = append(words, word), line[len(q):]
				continue
			}
		}
		if n < 0 {
			n = len(line)
		}
		word := line[:n]
		if i := strings.Index(word, "//"); i > 0 {
			return append(words, word[:i])
		}
		words, line = append(words, word), line[n:]
	}
	return words
}
