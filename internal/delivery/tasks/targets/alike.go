package targets

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ken/internal/code"
)

// use is a reference to a target: its line and the bytes of the name.
type use struct {
	line, start, end uint32
	kind             code.RefKind
}

// oneOfEach returns the lines of the uses of a target in one file that have to be read, in order: the first of each form. A change that
// breaks one use breaks those of the same form, so that reading all of them shows nothing more. alike is the number of lines left out.
// It returns an error if ctx ends or the index cannot be read.
func (f *Finder) oneOfEach(ctx context.Context, path string, uses []use) (lines []int, alike int, err error) {
	slices.SortFunc(uses, func(a, b use) int { return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.start, b.start)) })
	all := map[uint32]bool{}
	for _, u := range uses {
		all[u.line] = true
	}
	var text []byte
	if len(all) > 1 {
		if text, err = f.Snapshot.Text(ctx, path); err != nil {
			return nil, 0, err
		}
	}
	seen := map[string]bool{}
	for _, u := range uses {
		form := u.form(text)
		if !seen[form] && !slices.Contains(lines, int(u.line)) {
			lines = append(lines, int(u.line))
		}
		seen[form] = true
	}
	return lines, len(all) - len(lines), nil
}

// receiver matches what a name is selected from, at the end of a text.
var receiver = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\w$@.:>?!\[\]-]*$`) })

// maxCall is the number of bytes of a call that are read.
const maxCall = 2000

// form returns what can matter of the way in which a use is written, to a change of what is used: its name, the kind of the use, whether
// its value is used, and of a call the number of its arguments, those that are named, and whether some are spread. A use that cannot be
// read, as in a file that has changed, has a form of its own.
func (u *use) form(text []byte) string {
	if int(u.end) > len(text) || u.start >= u.end {
		return fmt.Sprint(u.start)
	}
	start := bytes.LastIndexByte(text[:u.start], '\n') + 1
	before := strings.TrimSpace(receiver().ReplaceAllString(string(text[start:u.start]), ""))
	args, after := arguments(text[u.end:min(int(u.end)+maxCall, len(text))])
	return fmt.Sprintf("%s %d %t %s %s", text[u.start:u.end], u.kind, before != "", args, after)
}

// typeArguments matches the type arguments of a call.
var typeArguments = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:::)?<[\w\s.,:<>\[\]|&?'*]{0,200}>[(]`) })

// arguments returns the form of the arguments that follow a name, "" if none do, and the mark behind them by which their result is used.
func arguments(text []byte) (form, after string) {
	text = typeArguments().ReplaceAll(bytes.TrimLeft(text, " \t?!"), []byte("("))
	if len(text) == 0 || text[0] != '(' {
		return "", ""
	}
	n, depth, quote := 0, 0, byte(0)
	var named []string
	begin := 1
	argument := func(end int) {
		if a := bytes.TrimSpace(text[begin:end]); len(a) > 0 {
			n++
			named = append(named, argumentName(string(a)))
		}
		begin = end + 1
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '`' || c == '\'' && !isLifetime(text[i:]):
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			if depth--; depth == 0 {
				argument(i)
				if rest := bytes.TrimLeft(text[i+1:], " \t"); len(rest) > 0 && strings.IndexByte(".?[(", rest[0]) >= 0 {
					after = string(rest[:1])
				}
				return fmt.Sprintf("(%d%s)", n, strings.Join(named, "")), after
			}
		case c == ',' && depth == 1:
			argument(i)
		}
	}
	return "(?", "" // it does not end here
}

// isLifetime reports whether a text begins with a quote that ends nowhere near, as that of a lifetime in Rust.
func isLifetime(text []byte) bool {
	end := bytes.IndexByte(text[1:], '\'')
	return end < 0 || bytes.IndexByte(text[1:1+end], '\n') >= 0
}

// argumentKey matches the name with which an argument is given, or the mark that spreads it.
var argumentKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(\w+)\s*(?:=(?:[^=>~]|$)|:(?:[^:]|$))|(\.\.\.|\*{1,2}|&))`)
})

// argumentName returns the name with which an argument is given, or the mark that spreads it; "" for a plain one.
func argumentName(a string) string {
	if strings.HasSuffix(a, "...") {
		return " ..."
	}
	if m := argumentKey().FindStringSubmatch(a); m != nil {
		return " " + m[1] + m[2]
	}
	return ""
}
