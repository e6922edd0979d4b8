package garbage

import (
	"regexp"
	"slices"
	"strings"
)

// codeRules decide whether the text of a comment is commented-out code.
type codeRules struct {
	forms     map[string][]codeForm // by family of syntax
	directive *regexp.Regexp        // an instruction to a tool
	example   *regexp.Regexp        // announces an example
	announces *regexp.Regexp        // the same before code on its line
	prose     *regexp.Regexp        // words that follow each other as in a sentence
	closing   *regexp.Regexp        // only closing brackets or keywords
	declares  *regexp.Regexp
	rights    *regexp.Regexp
}

// codeForm is a pattern that lines of code have, and its weight as evidence against prose.
type codeForm struct {
	name   string
	expr   *regexp.Regexp
	weight int // 2: hardly any prose looks like it; 1: some prose does
}

// formTable lists the patterns of lines of code by family of syntax; testdata/code.txt
// has samples of each. "braces" is for languages whose blocks are in braces, and
// "semicolons" for those among them whose statements end with one.
var formTable = [...]struct {
	name, syntax, expr string
	weight             int
}{
	{"statement", "braces semicolons", `^[\w$@*&(+\-}\])!.<"'\[].*[\w)\]}"'+\-` + "`" + `/]\s*;$`, 2},
	{"opening", "braces semicolons", `(\)|=>|=|\belse|\btry|\bdo|\bfinally|^(export |pub(\(crate\))? |public |private |abstract |static |final )*(class|struct|enum|trait|interface|impl|type|namespace|mod|match|loop|switch|func)\b.*)\s*\{$`, 2},
	{"block", "braces semicolons", `^\}?\s*(else\s+)?(if|for|foreach|while|switch|catch|elseif)\s*\(.+\)(\s*\{.*)?$`, 2},
	{"go-block", "braces", `^(if|for|switch|select|match|while|guard)\s+.*\{$|^(if|for)\s.*\{.*\}$`, 2},
	{"function", "braces semicolons", `^(export\s+|async\s+|pub(\(\w+\))?\s+|public\s+|private\s+|protected\s+|static\s+|override\s+|internal\s+)*(function|func|fn|fun|def)\s+[\w$(].*\(.*`, 2},
	{"declaration", "braces semicolons", `^(export\s+)?(const|let|var|val|final|auto|static|local)\s+(mut\s+)?[\w$\[{(].*(=|;|\{)`, 2},
	{"import", "braces semicolons", `^(import\s+[\w{*"'(.].*(from\s+["']|;$|["']\)?$|\.\w+$)|#\s*(include|define|ifdef|ifndef|if 0|if 1|undef|pragma)\b|using\s+(static\s+)?[\w.:]+;|use\s+[\w:\\{}, *]+;|package\s+\w+;?$|(pub )?mod\s+\w+;|export\s+(\*|\{).*|require(_once)?\s*\(?["'])`, 2},
	{"call", "braces semicolons", `^(await\s+|return\s+|yield\s+|new\s+|throw\s+|defer\s+|go\s+)*[\w$]+((\.|::|->|\?\.)[\w$!]+|\(.*\))*((\.|::|->)[\w$]+!?|[a-z]+[A-Z]\w*|\w+_\w+|print\w*!?|dbg!|assert\w*!?|dd|var_dump|puts)\(.*\)?[,;]?$`, 1},
	{"call-arguments", "braces semicolons", `^[\w$]+((\.|::|->)[\w$]+)*!?\((["'\w$&*\[{(].*)\)[;,]?$`, 1},
	{"call-member", "braces semicolons", `^(await\s+|return\s+|yield\s+|throw\s+)?[\w$]+((\.|::|->|\?\.)[\w$!]+)+\(["'\w$&*\[{(|].*\)[;,]?$`, 2},
	{"chain", "braces semicolons", `^(\.|->|\?\.|::)[\w$]+(\(|<|!|$|\s*=)`, 2},
	{"assignment", "braces semicolons", `^[\w$.*\->\[\]'"()]+(\s*:\s*[\w<>\[\], ]+)?\s*(:=|[-+*/|&^%]?=)\s*[^=>\s]`, 1},
	{"declared", "semicolons", `^([\w:]+(<.*>)?[&*]*\s+){1,3}[&*]*\w+\s*(=.*|\[.*\]);$|^[\w:]+(<.*>)?[&*]*\s+[&*]*\w+;$`, 2},
	{"annotation", "braces semicolons", `^(@[A-Z]\w+(\(.*\))?|#!?\[\w.*\]|\[[A-Z]\w+(\(.*\))?\])$`, 2},
	{"return", "braces semicolons", `^(return|throw|break|continue|yield)\b(\s*[\w$!&*("'\[{<.\-]+.*)?;$|^return\s+(nil|null|true|false|err|this|self|undefined|[!(]*\w+[.(\[].*[)\]]|\w+)$`, 2},
	{"arrow", "braces semicolons", `=>\s*[\w({\[!]|^\(?.*\)\s*->\s*\{?`, 1},
	{"property", "braces semicolons", `^["']?[\w$-]+["']?\s*(:|=>)\s*(["'\[{$&]|new\b|true\b|false\b|null\b|\d|\w+[(.]).*[,\[{(]$`, 2},
	{"tuple", "braces semicolons python", `^[\[({].*[\])}],$`, 2},
	{"element", "braces semicolons", `^(T!\[.*\]|["'].*["']|[\w$]+\.[\w$.]+|\$\w+(->\w+)*),$|^</?[A-Za-z][\w.]*(\s[^>]*)?/?>$|^&?\w+\{.*\},?$|^-\s*\(?T!\[`, 1},
	{"tag", "braces semicolons", `^</?[A-Z]\w*(\.\w+)*(\s[^>]*\S)?\s*/?>$`, 2},
	{"case", "braces semicolons", `^(case\s.+:|default:|\w+(::\w+)+(\(.*\))?\s*=>.*)$`, 2},
	{"variable", "php", `^\$\w+.*[=;(\[>]|^(if|foreach|while)\s*\(\s*!?\$`, 2},

	{"py-block", "python", `^(if|elif|while|for|with|def|class|try|else|except|finally|async def)\b.*:(\s*#.*)?$`, 2},
	{"py-import", "python", `^(from\s+[\w.]+\s+import\s+[\w*(]|import\s+[\w.]+(\s+as\s+\w+)?(,\s*[\w.]+)*$)`, 2},
	{"py-return", "python", `^(return|raise|yield|del|global|nonlocal)\s+[\w("'\[{\-*]+([.(\[,=+\-*/<> ].*)?$|^(pass|break|continue|return)$`, 1},
	{"py-return-value", "python", `^(return|raise|yield|del)\s+(self\b|None$|True$|False$|\w+[.(\[]|[\[({"'])`, 2},
	{"py-assert", "python", `^assert\s+.*([=<>()\[\].]|\bin\b|\bis\b)|^print\b\s*[("'\w]`, 2},
	{"py-assignment", "python", `^[\w.]+(\[.*\])?(\s*:\s*[\w\[\], .]+)?(\s*,\s*[\w.*]+)*\s*(=|[-+*/|&%]=|//=|\*\*=)\s*[^=\s].*$`, 1},
	{"py-assignment-code", "python", `^[\w.\[\]"', ]+\s*[-+*/|]?=\s*([\[{("']|[\w.]+\(|[\w.]+\[|None$|True$|False$|-?\d[\d.]*$|lambda\b|not\b|\w+\.\w+)`, 2},
	{"py-call", "python", `^(await\s+)?[\w]+(\.\w+|\(.*\)|\[.*\])*\(.*\)?[,:]?$`, 1},
	{"py-call-member", "python", `^(await\s+)?\w+(\.\w+|\[.*\])+\(.*\)?$|^\w+\(.+[=,("'\[].*\)$|^\w+_\w+\(.*\)$`, 2},
	{"py-decorator", "python", `^@\w+(\.\w+)*(\(.*\))?$`, 2},
	{"py-element", "python", `^["'\[({].*["'\])}],$|^["'][^"']+["']\s*:\s*.+,?$|^\w+\s*=\s*[^=]+,$`, 1},

	{"rb-block", "ruby", `^(def|module|class)\s+[\w.:?!=]+|^(if|unless|elsif|while|until|case|when)\s+\S.*([=<>!?()\[\].@&|]).*$|^(end|else|ensure|begin)$|\bdo(\s*\|[^|]*\|)?$`, 2},
	{"rb-statement", "ruby", `^(require|require_relative|include|extend|attr_\w+|puts|raise|return|private|yield|binding|before_\w+|after_\w+|gem|alias|let|it|describe|expect|assert\w*|should\w*)\b\s*[:("'@\w].*[:("'@._=,\]]`, 2},
	{"rb-assignment", "ruby", `^(@{0,2}[\w.\[\]:'"]+|\$\w+)(,\s*@?\w+)*\s*(\|\||[-+*/&|])?=\s*[^=~>\s]`, 1},
	{"rb-assignment-code", "ruby", `^(@{1,2}\w+|\$\w+|[\w.\[\]:'"]+)\s*(\|\||[-+*/&|])?=\s*([\[{("':@]|[\w.:]+[(.\[]|nil$|true$|false$|\d)`, 2},
	{"rb-call", "ruby", `^[\w@]+(\.|::)\w+[?!]?(\(.*\)|\s+[:"'@\[{].*|\s*\{.*\}|(\.\w+)+.*)?$|^\w+[?!]?\(.*\)$`, 2},
	{"rb-element", "ruby", `^:?["']?\w+["']?\s*(=>|:)\s+.*,$|=>`, 1},

	{"lua", "lua", `^local\s+\w+|^(function|end|else|then|elseif)\b|^(if|for|while)\s.*\b(then|do)$|^[\w.:]+\(.*\)$|^[\w.\[\]]+\s*=\s*[\w{"'(\[]|^return\s+\w+`, 2},
	{"hs", "haskell", `^\w+('|\s+\w+)*\s*(=|::|<-)\s+\S|^import\s+(qualified\s+)?[A-Z]|^(where|do|let|in|case .* of)$|\$ do$|->\s|^\|\s`, 2},
	{"ml", "ocaml", `^(let|open|module|type|val|and|match|if|begin|end|fun|function|try|with|external|exception)\b.*[=();.|>-]|;;?$|->|\bin$|^\|\s`, 2},
	{"ex", "elixir", `^(def|defp|defmodule|defmacro|use|import|alias|require)\s+\S|\|>|^(end|do)$|\bdo:?$|^\w+\s*=\s*[\w%{\["(:]|^[A-Z][\w.]*\.\w+[(\s]|->`, 2},
	{"sh", "shell", `^(if|elif|while|until|for)\s.*(;\s*(then|do)|\]\]?)$|^(fi|done|esac|then|else|do)$|^(export\s+)?[A-Za-z_]\w*=("|'|\$|\S+$)|^(echo|cd|rm|cp|mv|set|source|git|curl|sudo|make|go|npm|pip|docker)\s+["'$\-./\w]+|\$\(?\{?\w+|\|\s*\w+|^\w+\s*\(\)\s*\{$`, 1},
}

func newCodeRules() codeRules {
	c := codeRules{
		forms: map[string][]codeForm{},
		directive: regexp.MustCompile(`^(eslint|jshint|jslint|prettier|tslint|@ts-|ts-|istanbul|c8 ignore|v8 ignore|biome|flow|@flow|@jsx|webpack|nolint|go:|\+build|lint:|noqa|type:|pylint|pyright|mypy|` +
			`fmt:|isort|pragma|flake8|yapf|ruff|coding[:=]|-\*-|rubocop|frozen_string_literal|encoding:|@phpstan|phpcs|psalm|phpmd|@codeCoverage|@psalm|@var|@param|@return|@throws|@see|@template|@link|@type|@since|@deprecated|@author|@license|` +
			`region|endregion|#region|#endregion|sourceMappingURL|# sourceMappingURL|clang-format|NOLINT|NOSONAR|CHECKSTYLE|language=|noinspection|suppress|cspell|spell-checker|vim:|shellcheck|skipcq|codespell|error:|~|\^|` +
			`CHECK|RUN:|SPDX|Copyright|\$0|@noinspection|resharper|ReSharper|<auto|\?\?|>>>|\$ |=> |-> |Output:|Unordered output:|<editor-fold|</editor-fold|language:|stylelint|postcss|jsdoc|@__|#__|__PURE__)`),
		example: regexp.MustCompile(`(?i)\b(e\.?g\.?|i\.?e\.?|for example|for instance|examples?|usage|such as|like (this|so)|equivalent (to|of)|looks? like|same as|similar to|pseudo-?code|as follows)(\W|$)` +
			`|\b(like|becomes?|format|given|into|generates?|produces?|results? in|following|means|see|expands?|translates?|converts?|turns?|output|input|be|written as|formula|signature|supports?|allows?|handles?|match(es)?|cases?|note)\b[^.]*(:|\.\.\.)$`),
		announces: regexp.MustCompile(`(?i)^(e\.?g\.?|i\.?e\.?|(for )?(example|instance)|usage)\b`),
		prose:     regexp.MustCompile(`^[A-Z]?[a-z']+,? ([a-z'\-/]+,? ){2,}[a-z'\-]+|(^| )(the|a|an|is|are|was|to|of|that|this|we|it|be|should|must|because|when|which|not|but|can|will|has|have) ([a-z'\-]+,? )*(the|a|an|is|are|was|to|of|that|this|we|it|be|should|must|because|when|which|not|but|can|will|has|have|if|with|for|in|on|so)( |$|[.,;:])`),
		closing:   regexp.MustCompile(`^[\])}>,; ]+$|^\}\s*(else|catch|finally)\b|^\}\)?\(?\)?[;,]?$|^end$`),
		rights:    regexp.MustCompile(`(?i)\b(copyright|licen[cs]ed?|all rights reserved)\b`),
		declares:  regexp.MustCompile(`^(func|type|var|const|package)\b`),
	}
	for _, row := range formTable {
		for _, syntax := range strings.Fields(row.syntax) {
			c.forms[syntax] = append(c.forms[syntax], codeForm{row.name, regexp.MustCompile(row.expr), row.weight})
		}
	}
	return c
}

// codeWeight returns how much the text of a comment looks like code: 0 is prose, 1 may be either, 2 is code. spaced reports whether
// a space follows the comment mark, as before prose.
func (c *codeRules) codeWeight(syntax []string, text string, spaced bool) int {
	if text == "" || c.directive.MatchString(text) {
		return 0
	}
	best := 0
	for _, s := range syntax {
		for _, f := range c.forms[s] {
			if f.weight > best && f.expr.MatchString(text) {
				best = f.weight
			}
		}
	}
	if best == 0 {
		return 0
	}
	if c.prose.MatchString(withoutQuotes(text)) {
		best--
	}
	if !spaced && best > 0 && !c.prose.MatchString(text) {
		best++
	}
	return min(best, 2)
}

// withoutQuotes empties the quoted parts of a text, because strings in code often hold prose.
func withoutQuotes(s string) string {
	if !strings.ContainsAny(s, "\"'`") {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		out.WriteByte(s[i])
		if q := s[i]; q == '"' || q == '`' || q == '\'' {
			end := strings.IndexByte(s[i+1:], q)
			if end < 0 {
				continue
			}
			i += end + 1
			out.WriteByte(q)
		}
	}
	return out.String()
}

// commentRun is a sequence of neighbouring lines that hold only comments.
type commentRun struct {
	from, to int
	lines    []*line
}

// commentRuns returns the runs of comment lines that a change added to a file.
func commentRuns(t *text) []commentRun {
	var out []commentRun
	for _, s := range t.added {
		for n := s.From; n <= s.To; n++ {
			l := t.lines[n]
			if l == nil || l.state != commentLine {
				continue
			}
			if k := len(out) - 1; k >= 0 && out[k].to == n-1 && out[k].lines[0].doc == l.doc {
				out[k].to = n
				out[k].lines = append(out[k].lines, l)
				continue
			}
			out = append(out, commentRun{n, n, []*line{l}})
		}
	}
	return out
}

// findCode finds the code that a change leaves in comments. moved has the lines that the change removed elsewhere. It skips documentation,
// announced examples and instructions to tools.
func (c *codeRules) findCode(file *File, t *text, moved map[string]bool) []Finding {
	var out []Finding
	syntax := strings.Fields(t.lang.Code)
	for _, s := range t.added {
		if t.lang.Family != "c" {
			break
		}
		for n := s.From; n <= s.To; n++ {
			l := t.lines[n]
			if l == nil || l.state != codeLine || !strings.HasPrefix(l.code, "#") {
				continue
			}
			if strings.Join(strings.Fields(l.code[1:]), " ") == "if 0" {
				out = append(out, Finding{CommentedOut, file.Path, n, n, "the preprocessor drops what follows", Likely})
			}
		}
	}
	if len(syntax) == 0 {
		return out
	}
	for _, r := range commentRuns(t) {
		isCopyright := r.from < 5 && slices.ContainsFunc(r.lines, func(l *line) bool { return c.rights.MatchString(l.comment) })
		if r.lines[0].doc || isCopyright || c.isDocumentation(t, &r) {
			continue
		}
		out = append(out, c.findInRun(file, &r, syntax, moved)...)
	}
	return out
}

// isDocumentation reports whether a run begins with prose and has an unindented declaration below it. In languages that document by
// such comments, as Go does, code in it is an example.
func (c *codeRules) isDocumentation(t *text, r *commentRun) bool {
	if len(r.lines) < 2 || r.lines[0].column > 0 || r.to >= len(t.all) || !t.lang.DetachedMethods {
		return false
	}
	return c.declares.MatchString(t.all[r.to]) && c.codeWeight(strings.Fields(t.lang.Code), r.lines[0].comment, true) < 2
}

// findInRun finds the code in one run of comment lines.
func (c *codeRules) findInRun(file *File, r *commentRun, syntax []string, moved map[string]bool) []Finding {
	var out []Finding
	example := false
	margin := -1 // indentation of the prose above
	for i := 0; i < len(r.lines); {
		l := r.lines[i]
		if l.comment == "" || c.closing.MatchString(l.comment) || moved[l.raw] {
			i++
			continue
		}
		if c.codeWeight(syntax, l.comment, l.spaced) == 0 {
			example = example || c.example.MatchString(l.comment)
			if l.spaced {
				margin = l.indent
			}
			i++
			continue
		}
		x := c.stretchFrom(r, i, syntax, moved)
		x.example = x.example || example || margin >= 0 && l.indent >= margin+2
		if sure, why := x.judgeStretch(); sure > 0 {
			out = append(out, Finding{CommentedOut, file.Path, r.from + i, r.from + x.last, why, sure})
		}
		i = x.next
	}
	return out
}

// codeStretch is a part of a run of comment lines in which each line looks like code.
type codeStretch struct {
	sum, lines, last, next int
	was, example           bool // it was code before the change; it is an example
}

// stretchFrom returns the stretch that begins with line i of a run, which looks like code.
func (c *codeRules) stretchFrom(r *commentRun, i int, syntax []string, moved map[string]bool) codeStretch {
	x := codeStretch{last: i}
	for x.next = i; x.next < len(r.lines); x.next++ {
		l := r.lines[x.next]
		if l.comment == "" {
			continue
		}
		if c.closing.MatchString(l.comment) {
			x.last = x.next
			continue
		}
		w := c.codeWeight(syntax, l.comment, l.spaced)
		before := r.lines[x.last].comment
		continued := before != "" && strings.Contains("(,{[&|", before[len(before)-1:])
		if moved[l.raw] || w == 0 && !continued {
			break
		}
		x.example = x.example || w > 0 && c.announces.MatchString(l.comment)
		x.was = x.was || w > 0 && moved[l.comment]
		x.sum, x.last, x.lines = x.sum+w, x.next, x.lines+1
	}
	return x
}

// judgeStretch returns how sure it is that a stretch is commented-out code, with the reason. It returns 0 if the stretch is not.
func (x *codeStretch) judgeStretch() (Sureness, string) {
	switch {
	case x.was:
		return Certain, "the change turns code into a comment"
	case x.example:
		return 0, ""
	case x.sum >= 2:
		return Likely, "code in a comment"
	case x.lines == 1:
		return Possible, "perhaps code in a comment"
	}
	return 0, ""
}
