package repair

import (
	"bytes"
	"regexp"
	"sync"

	"ken/internal/engine/extract/lexical"
)

// Ruby rewrites what the grammar of Ruby cannot read: the rows of rubyRows, and methods without `end` whose body is a command.
func Ruby(src []byte, _ func([]byte) bool) []byte {
	out := bytes.Clone(src)
	for _, row := range rubyRows() {
		for _, at := range row.pattern.FindAllSubmatchIndex(src, -1) {
			for i, text := range row.texts {
				fill(out[at[2*i+2]:at[2*i+3]], text)
			}
		}
	}
	for _, at := range rubyEndless().FindAllSubmatchIndex(src, -1) {
		out[at[2]] = '+'
		joinArguments(src, out, at[3])
	}
	return out
}

// rubyRow is a construct that the grammar does not read: its text, repeated, overwrites a group of the pattern, and "" blanks it.
type rubyRow struct {
	pattern *regexp.Regexp
	texts   []string
}

// rubyRows lists constructs of Ruby. Strings and comments are searched as well, because what is in them declares nothing.
var rubyRows = sync.OnceValue(func() (rows []rubyRow) {
	for _, r := range [][]string{
		{`->[ \t]*\([^();]*[^();\s][^();]*(;)`, ","},                             // ->(a; b) {}
		{`->[ \t]*\([ \t]*(;)`, ""},                                              // ->(; b) {}
		{`->[ \t]*\w+(:)[ \t]*\{`, ""},                                           // -> a: {}
		{`(%s[\[({<])\w+([\])}>])`, ` :"`, `"`},                                  // undef %s(a)
		{`(?:def |[.:])[!~](@)\W`, ""},                                           // def !@
		{`\bdef (?:\w+\.)?([A-Z])\w*=`, "a"},                                     // def A=(x)
		{`\b(break|next|return)\(\s*\n.*[\w"')\]}]\n\s*\w`, ""},                  // return(\n a\n b\n)
		{`(?m)(?:^|[\s(,\[])(:\$[^\w\s])`, ":aa"},                                // :$?
		{"(?m)<<[-~]?[\"'`]?\\w.*(\\\\)\r?$", ""},                                // f(<<A)\
		{`<<[-~]?[A-Z]\w*( "[^"#\n]*")`, ""},                                     // <<A "b"
		{`(\?\\u\w{4})"`, ""},                                                    // ?\u3042"b"
		{`(?m)\w \w+(:)[ \t]*\n\s*(?:rescue|ensure|else|end)\b`, ""},             // f a:
		{`\bcase\b[^\n;]*(;[;\s]*)when\b`, ""},                                   // case a;
		{`(?m)^[ \t]*(;)[ \t]*else\b`, ""},                                       // ; else
		{"[\\w$]([^\x00-\x7F]+)", "_"},                                           // $é, <<É
		{`(?m)^\s*` + rubyTargets + rubyValue + `? (rescue) ` + rubyBranch, ";"}, // a = b rescue c d
	} {
		rows = append(rows, rubyRow{regexp.MustCompile(r[0]), r[1:]})
	}
	return rows
})

const (
	rubyTargets = `[\w@$.]+(?:, [\w@$.]+)*`
	rubyValue   = `(?: [-+*|&]?= [^\n"'#({]*)`
	rubyBranch  = `(?:\w+(?:, \w+)* = |[a-z_]\w* [\w:"'])`
)

// rubyEndless matches `def f = g a` up to the argument.
var rubyEndless = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bdef (?:\w+\.)?\w+[?!]?(?:[ \t]*\([^\n]*\))? = (?:\w+(?:\.|::))*\w+[?!]?( )["':\w@$\[*&-][^ =]`)
})

// joinArguments writes an operator between the arguments of a command that begin at i, because there is no room for the parentheses
// in which the grammar would read them.
func joinArguments(src, out []byte, i int) {
	depth, last := 0, byte(',')
	for i < len(src) && (src[i] != '\n' || last == ',') {
		c := src[i]
		switch {
		case c == '"', c == '\'':
			i = skipQuoted(src, i) - 1
		case c == '(', c == '[', c == '{':
			depth++
		case c == ')', c == ']', c == '}':
			depth--
		case depth > 0:
		case last == ',' && (c == '*' || c == '&'):
			out[i] = ' '
			c = last
		case c == ',':
			out[i] = '+'
		case c == '=' && i+1 < len(src) && src[i+1] == '>':
			copy(out[i:], "+ ")
		case lexical.IsWord(c):
			start := i
			for i+1 < len(src) && lexical.IsWord(src[i+1]) {
				i++
			}
			if last == ',' && i+2 < len(src) && src[i+1] == ':' && lexical.IsBlank(src[i+2]) {
				lexical.BlankBytes(out[start : i+2])
				i++
				c = last
			}
		}
		if !lexical.IsBlank(c) && c != '\n' {
			last = c
		}
		i++
	}
}

// fill overwrites b with text, again and again, or with blanks.
func fill(b []byte, text string) {
	if text == "" {
		lexical.BlankBytes(b)
	}
	for len(text) > 0 && len(b) > 0 {
		b = b[copy(b, text):]
	}
}
