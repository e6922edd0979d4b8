package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// truthRow is a symbol and what an oracle or a reader knows about the lines that name it, as "file:line".
type truthRow struct {
	Repository string   `json:"repository"`
	Commit     string   `json:"commit"`
	Symbol     string   `json:"symbol"`
	Kind       string   `json:"kind"`
	File       string   `json:"file"`
	Line       int      `json:"line"`
	Also       []string `json:"also,omitempty"` // other declarations of the same thing
	Uses       []string `json:"uses"`
	// Neither are, as "file:line,line", lines that are neither right nor wrong: imports and exports, uses without the name, uses of a member
	// that it overrides or that overrides it, and those that the oracle cannot resolve.
	Neither []string `json:"neither,omitempty"`
	By      string   `json:"by"` // the oracle; "read" if a reader decided; "" if it is not decided yet
}

// maxNamed bounds the lines with the name of a drawn symbol where the oracle is asked about each, or a reader has to be.
const (
	maxNamed     = 400
	minReadLines = 2
	maxReadLines = 25
)

// writeTruth draws o.n symbols of each repository of the language and writes what its oracle knows of them. Without an oracle the lines
// of each name are written for a reader: all under "uses", with an empty "by".
func writeTruth(ctx context.Context, o options) error {
	list, err := os.ReadFile(filepath.Join(o.truth, "repositories.txt"))
	if err != nil {
		return err
	}
	var out bytes.Buffer
	for line := range strings.Lines(string(list)) {
		f := strings.Fields(line)
		if len(f) != 3 || f[0] != o.lang {
			continue
		}
		o.name = strings.ReplaceAll(f[1], "/", "+")
		rows, err := repositoryTruth(ctx, o, truthRow{Repository: f[1], Commit: f[2]})
		if err != nil {
			return fmt.Errorf("%s: %w", f[1], err)
		}
		fmt.Fprintf(os.Stderr, "%s: %d symbols\n", f[1], len(rows))
		for _, r := range rows {
			b, err := json.Marshal(r)
			if err != nil {
				return err
			}
			out.Write(append(b, '\n'))
		}
	}
	return os.WriteFile(filepath.Join(o.truth, o.lang+".jsonl"), out.Bytes(), 0o644)
}

func repositoryTruth(ctx context.Context, o options, row truthRow) ([]truthRow, error) {
	l, err := fileLanguage(o.lang)
	if err != nil {
		return nil, err
	}
	t, err := openTree(ctx, filepath.Join(o.trees, o.name), l)
	if err != nil {
		return nil, err
	}
	drawn, err := drawTags(ctx, t, l.tags, o.seed)
	if err != nil {
		return nil, err
	}
	var or oracle
	if l.open != nil {
		if or, err = l.open(ctx, o, t); err != nil {
			return nil, err
		}
		defer or.close()
	}
	var rows []truthRow
	for _, s := range drawn {
		if len(rows) == o.n {
			break
		}
		r := row
		r.Symbol, r.Kind, r.File, r.Line, r.By = s.Name, s.Kind, s.Path, s.Line, l.by
		named := t.named(s.Name)
		if or == nil {
			r.Uses = lineList(named, place{s.Path, s.Line, 0})
			if len(r.Uses) >= minReadLines && len(r.Uses) <= maxReadLines {
				rows = append(rows, r)
			}
			continue
		}
		if len(named) > maxNamed {
			continue
		}
		known, err := r.fill(ctx, t, or, named)
		if err != nil {
			return nil, err
		}
		if known {
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// fill asks the oracle about a symbol and every place that has its name, and reports whether it knows the symbol.
func (r *truthRow) fill(ctx context.Context, t *sourceTree, or oracle, named []place) (bool, error) {
	x := t.fileText(r.File)
	end := len(x.bytes)
	if r.Line < len(x.lines) {
		end = x.lines[r.Line]
	}
	known, err := or.references(ctx, t.namePlaces(r.File, r.Symbol, x.lines[r.Line-1], end))
	if err != nil || len(known.declared) == 0 {
		return false, err
	}
	imported := func(place) bool { return false }
	if l, ok := or.(*lspOracle); ok {
		imported = func(p place) bool { return l.imports(t, p) }
	}
	var right, neither []place
	seen := map[place]bool{}
	for _, u := range known.uses {
		seen[u.place] = true
		switch {
		case u.Role == definition:
			continue
		case u.Role != uses, t.inComment(u.place), t.inMacro(u.place), t.declares(u.place):
			neither = append(neither, u.place)
			continue
		case or.isLoose():
			means, err := or.meanings(ctx, u.place)
			if err != nil {
				return false, err
			}
			declares := slices.Contains(means, u.place) // a member that it overrides
			if declares || len(means) > 0 && referenceVerdict(means, known.declared) == "wrong" {
				neither = append(neither, u.place)
				continue
			}
		}
		right = append(right, u.place)
	}
	for _, p := range named {
		if seen[p] || t.inComment(p) && !t.inMacro(p) || slices.Contains(known.declared, p) {
			continue
		}
		means, err := or.meanings(ctx, p)
		switch {
		case err != nil:
			return false, err
		case len(means) == 0, t.inMacro(p), imported(p), t.isAlias(p, r.Symbol) && declared.MatchString(t.lineText(p)),
			slices.ContainsFunc(means, func(m place) bool { return t.isAlias(m, r.Symbol) }):
			neither = append(neither, p)
		case referenceVerdict(means, known.declared) == "right":
			right = append(right, p)
		}
	}
	self := place{r.File, r.Line, 0}
	r.Also, r.Uses = lineList(known.declared, self), lineList(right, append(known.declared, self)...)
	r.Neither = byFile(lineList(neither, append(slices.Concat(known.declared, right), self)...))
	return true, nil
}

// lineList returns the lines of places, each once, without those of others.
func lineList(list []place, without ...place) []string {
	lines := []string{}
	for _, p := range list {
		same := func(q place) bool { return q.Path == p.Path && q.Line == p.Line }
		if line := fmt.Sprintf("%s:%d", p.Path, p.Line); p.Path != "" && !slices.ContainsFunc(without, same) && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return lines
}

// byFile joins the numbers of sorted "file:line" of one file.
func byFile(lines []string) (joined []string) {
	for _, line := range lines {
		i := strings.LastIndexByte(line, ':') + 1
		if last := len(joined) - 1; last >= 0 && joined[last][:strings.LastIndexByte(joined[last], ':')+1] == line[:i] {
			joined[last] += "," + line[i:]
		} else {
			joined = append(joined, line)
		}
	}
	return joined
}

// named returns the places of a name in the sources, as a whole word.
func (t *sourceTree) named(name string) (list []place) {
	for _, f := range t.sources {
		b := t.fileText(f).bytes
		for start := 0; start < len(b); {
			found := t.namePlaces(f, name, start, len(b))
			list = append(list, found...)
			if len(found) < 8 {
				break
			}
			start = t.byteOffset(found[len(found)-1]) + len(name)
		}
	}
	return list
}

// isIndented reports whether a symbol's line begins with space: ctags leaves the scope of some locals empty.
func (t *sourceTree) isIndented(s symbol) bool {
	x := t.fileText(s.Path)
	return s.Line <= len(x.lines) && x.lines[s.Line-1] < len(x.bytes) && unicode.IsSpace(rune(x.bytes[x.lines[s.Line-1]]))
}

// bodies are the kinds whose members are locals.
var bodies = strings.Fields("function method generator getter setter func")

// notDrawn are the kinds of ctags that are no symbols to ask about, and notProduct the files that are not the product's own.
var (
	notDrawn = strings.Fields("local parameter tparam package namespace module alias label file import unknown prototype externvar goto packageName " +
		"anonMember receiver implementation library")
	notProduct = regexp.MustCompile(`(?i)(^|/)(tests?|specs?|__tests__|testing|testdata|examples?|samples?|demos?|bench(mark)?s?)/` +
		`|(^|/)(docs?|website|vendor|node_modules|dist|build|third_?party|fixtures|perf\w*)/` +
		`|[._-](test|spec)s?\.|Tests?\.\w+$|\.min\.` +
		`|\.d\.ts$|\.Tests/|[a-z]Test/`)
)

// drawTags returns the declarations that Universal Ctags finds in the product's sources, in the order of drawDeclarations.
func drawTags(ctx context.Context, t *sourceTree, tags string, seed uint64) ([]symbol, error) {
	const format = "--_xformat=%N\t%K\t%n\t%{scopeKind}:%s\t%F"
	cmd := exec.CommandContext(ctx, "ctags", "--languages="+tags, "--kinds-"+tags+"=*", "--map-"+tags+"=+.h", "-x", format, "-L", "-")
	cmd.Dir, cmd.Stdin = t.dir, strings.NewReader(strings.Join(t.sources, "\n"))
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("ctags: %w", err)
	}
	var all []symbol
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 5 || slices.Contains(notDrawn, f[1]) || notProduct.MatchString(f[4]) {
			continue
		}
		n, err := strconv.Atoi(f[2])
		within, scope, _ := strings.Cut(f[3], ":")
		scope = scope[strings.LastIndexAny(scope, ".:\\")+1:]
		s := symbol{Path: f[4], Name: f[0], Kind: f[1], Line: n}
		value := s.Kind == "constant" || s.Kind == "variable"
		switch {
		case err != nil, !isAskable(&s), len(s.Name) < 2, strings.HasPrefix(s.Name, "__"), scope == s.Name, slices.Contains(bodies, within):
		case within == "" && value && t.isIndented(s):
		case t.wordOn(s):
			all = append(all, s)
		}
	}
	return drawDeclarations(all, seed, len(all)), nil
}

// inComment reports whether a line is one of a comment, as far as its beginning shows.
func (t *sourceTree) inComment(p place) bool { return comment.MatchString(t.lineText(p)) }

// inMacro reports whether a place is in a directive of C, or in the lines that continue one: what a name in the body of a macro means is
// known where the macro is expanded.
func (t *sourceTree) inMacro(p place) bool {
	if !slices.Contains(cExtensions, filepath.Ext(p.Path)) {
		return false
	}
	for p.Line > 1 && strings.HasSuffix(t.lineText(place{p.Path, p.Line - 1, 0}), "\\") {
		p.Line--
	}
	return strings.HasPrefix(t.lineText(p), "#")
}

// declares reports whether a word that declares stands before a place: a member of an implementation does not use the one that it
// implements.
func (t *sourceTree) declares(p place) bool {
	return declaring.Match(t.fileText(p.Path).bytes[:t.byteOffset(p)])
}

// isAlias reports whether a declaration of a name takes its value from another of the same name, as in `const { N } = require("m")`,
// `const { N } = m` or `const N = m.N`: readers differ in what a use of it means. The value may be on the next line.
func (t *sourceTree) isAlias(p place, name string) bool {
	left, right, ok := strings.Cut(t.lineText(p), "=")
	if strings.TrimSpace(right) == "" {
		right = t.lineText(place{p.Path, p.Line + 1, 0})
	}
	named := strings.Contains(right, name) || loads.MatchString(right) || takes.MatchString(left)
	return ok && strings.Contains(left, name) && named
}

var (
	declaring = regexp.MustCompile(`\b(fn|type|func|def|class|interface|struct|enum|trait)\s+$`)
	comment   = regexp.MustCompile(`^(//|/?\*|#)`)
	declared  = regexp.MustCompile(`^\s*(const|let|var)\b`)
	takes     = regexp.MustCompile(`^\s*(const|let|var)\s*\{`)
	loads     = regexp.MustCompile(`\b(require|import)\b`)
)

// wordOn reports whether a symbol's line has its name.
func (t *sourceTree) wordOn(s symbol) bool {
	x := t.fileText(s.Path)
	if s.Line > len(x.lines) {
		return false
	}
	end := len(x.bytes)
	if s.Line < len(x.lines) {
		end = x.lines[s.Line]
	}
	return len(t.namePlaces(s.Path, s.Name, x.lines[s.Line-1], end)) > 0
}
