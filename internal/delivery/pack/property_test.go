package pack

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"ken/internal/code"
	"ken/internal/token"

	"ken/internal/engine/view"
)

// fake is a Source made of texts.
type fake struct {
	texts   map[string][]byte
	symbols map[string][]view.Symbol
	imports map[string][]view.ResolvedImport
	uses    map[string]int
}

func (f *fake) Text(_ context.Context, p string) ([]byte, error) { return f.texts[p], nil }
func (f *fake) Symbols(_ context.Context, p string) ([]view.Symbol, error) {
	return f.symbols[p], nil
}
func (f *fake) Imports(_ context.Context, p string) ([]view.ResolvedImport, error) {
	return f.imports[p], nil
}
func (f *fake) Uses(_ context.Context, list []view.Symbol) ([]int, error) {
	out := make([]int, len(list))
	for i := range list {
		out[i] = f.uses[list[i].Name]
	}
	return out, nil
}

// words make up random lines: code, prose, and pieces that break formats.
var words = strings.Split("func|return|if err != nil {|}|x|:=|value|// say why|`|```|````|&&|<b>|</full_source>|]]>|\"quoted\"|\\|\t|你好|größer|🙂|e\u0301|"+
	"\x1b[31m|\x00|\xff\xfe|\u202e|\u200b|\ufffe|\u2028|1234567|0x7f|aVeryLongIdentifierOfManyParts|...|-->|{{|$|<|>", "|")

func randomText(r *rand.Rand) []byte {
	var b bytes.Buffer
	if r.IntN(20) == 0 {
		b.WriteString("\ufeff")
	}
	end := []string{"\n", "\n", "\n", "\r\n"}[r.IntN(4)]
	n := []int{0, 1, 5, 40, 200, 700}[r.IntN(6)]
	for range n {
		for range r.IntN(12) {
			b.WriteString(words[r.IntN(len(words))])
			if r.IntN(3) > 0 {
				b.WriteByte(' ')
			}
		}
		if r.IntN(150) == 0 {
			b.WriteString(strings.Repeat("aaaa bbbb(", r.IntN(400)))
		}
		b.WriteString(end)
	}
	if r.IntN(3) == 0 {
		b.WriteString("no end of line")
	}
	return b.Bytes()
}

// randomSymbols nests symbols over the lines of a text.
func randomSymbols(r *rand.Rand, lines int) []view.Symbol {
	var out []view.Symbol
	var nest func(from, to, depth int, parent int32)
	nest = func(from, to, depth int, parent int32) {
		for at := from; at <= to && len(out) < 300; {
			end := min(to, at+r.IntN(40))
			kind := []code.Kind{code.KindFunction, code.KindMethod, code.KindClass, code.KindField, code.KindConstant, code.KindHeading}[r.IntN(6)]
			name := fmt.Sprintf("Name%d", len(out))
			out = append(out, view.Symbol{Symbol: code.Symbol{Name: name, Qualified: name, Kind: kind, Parent: parent, Exported: r.IntN(2) == 0,
				Signature: "func " + name + "(" + words[r.IntN(len(words))] + strings.Repeat(" x", r.IntN(30)) + ")",
				Span:      code.Span{Start: uint32(at * 100), End: uint32(end*100 + 50), Line: uint32(at), EndLine: uint32(end)}}})
			if depth < 3 && end > at+1 && r.IntN(2) == 0 {
				nest(at+1, end-1, depth+1, int32(len(out)-1))
			}
			at = end + 1 + r.IntN(5)
		}
	}
	nest(1+r.IntN(4), lines, 0, -1)
	return out
}

// world returns a random source and a request for parts of it.
func world(r *rand.Rand, count *token.Pair) (*fake, []Item) {
	src := &fake{texts: map[string][]byte{}, symbols: map[string][]view.Symbol{}, imports: map[string][]view.ResolvedImport{}, uses: map[string]int{}}
	var items []Item
	for i := range 1 + r.IntN(12) {
		f := code.File{Path: fmt.Sprintf("dir/file%d%s", i, []string{".go", ".md", "`x`.ts", "<&>\".py", "\xff.c", "\t.txt", "\n.rb"}[r.IntN(7)]), Lang: "go"}
		text := randomText(r)
		cl, o := count.Count(text)
		f.CL100K, f.O200K = uint32(cl), uint32(o)
		src.texts[f.Path] = text
		n := len(newLines(text, false))
		f.Lines = uint32(n)
		if r.IntN(4) > 0 && n > 2 {
			src.symbols[f.Path] = randomSymbols(r, n)
			src.imports[f.Path] = []view.ResolvedImport{{Import: code.Import{Line: 1}}, {Import: code.Import{Line: 2}}}
		}
		it := Item{File: f, Outline: r.IntN(10) == 0}
		if n > 0 && r.IntN(4) == 0 {
			from := 1 + r.IntN(n)
			it.Lines = append(it.Lines, Lines{from, from + r.IntN(60)}, Lines{from + r.IntN(30), from + 30})
		}
		if s := src.symbols[f.Path]; len(s) > 0 && r.IntN(4) == 0 {
			it.Symbols = append(it.Symbols, s[r.IntN(len(s))])
		}
		items = append(items, it)
		if r.IntN(8) == 0 {
			items = append(items, Item{File: f})
		}
	}
	return src, items
}

// cases returns the number of random packs; KEN_CASES asks for more.
func cases(t *testing.T) int {
	if s := os.Getenv("KEN_CASES"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if testing.Short() {
		return 200
	}
	return 2000
}

// TestBudget packs random files at random budgets. The output must be within the budget when it is counted by itself, state its tokens,
// be well-formed, show true lines and none twice, and leave less than a tenth of the budget while there is something left to show.
func TestBudget(t *testing.T) {
	count := token.NewPair()
	tokenizers := map[string]*token.Tokenizer{}
	for _, name := range []string{token.TokenizerCL100K, token.TokenizerO200K, token.TokenizerClaude} {
		tk, err := token.NewTokenizer(name)
		if err != nil {
			t.Fatal(err)
		}
		tokenizers[name] = tk
	}
	small, full := 0, 0
	for seed := range cases(t) {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		src, items := world(r, count)
		name := []string{token.TokenizerCL100K, token.TokenizerO200K, token.TokenizerClaude}[seed%3]
		opt := Options{Tokenizer: tokenizers[name], Format: []Format{XML, Markdown, JSON}[seed/3%3], Revision: 12, Prefer: Prefer(r.IntN(3)), Compress: r.IntN(6) == 0, Budget: []int{1 + r.IntN(119), 100 + r.IntN(900), 1000 + r.IntN(9000),
			30000}[r.IntN(4)]}
		what := fmt.Sprintf("seed %d: %s, %s, budget %d, prefer %d, compress %v", seed, name, opt.Format, opt.Budget, opt.Prefer, opt.Compress)
		p, err := New(t.Context(), src, items, opt)
		var tooSmall *BudgetError
		if errors.As(err, &tooSmall) {
			small++
			checkLeast(t, what, src, items, opt, tooSmall.Least)
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		got := tokensOf(count, name, p.Text)
		if got > opt.Budget || got != p.Tokens {
			t.Errorf("%s: %d tokens, said to be %d", what, got, p.Tokens)
		}
		d := parse(t, what, opt.Format, p.Text)
		if d.used != got || d.total != opt.Budget {
			t.Errorf("%s: says %d of %d; it has %d", what, d.used, d.total, got)
		}
		left := d.check(t, what, src, items, opt)
		if left && opt.Budget >= 600 && got*10 < opt.Budget*9 {
			t.Errorf("%s: only %d used while something is left out", what, got)
			if os.Getenv("KEN_SHOW") != "" {
				t.Fatalf("%s", p.Text)
			}
		} else if left {
			full++
		}
	}
	t.Logf("%d refused, %d filled", small, full)
	if small == 0 || full == 0 {
		t.Error("the cases do not reach both ends")
	}
}

// checkLeast checks that the smallest budget named in an error works, and no smaller one.
func checkLeast(t *testing.T, what string, src Source, items []Item, opt Options, least int) {
	t.Helper()
	if least <= opt.Budget {
		t.Errorf("%s: refused, but %d should do", what, least)
	}
	opt.Budget = least
	if _, err := New(context.Background(), src, items, opt); err != nil {
		t.Errorf("%s: %d should do: %v", what, least, err)
	}
	opt.Budget = least - 1
	if _, err := New(context.Background(), src, items, opt); err == nil {
		t.Errorf("%s: %d does too", what, least-1)
	}
}

// tokensOf counts independently of the packer's tokenizer.
func tokensOf(c *token.Pair, name string, text []byte) int {
	cl, o := c.Count(text)
	switch name {
	case token.TokenizerCL100K:
		return cl
	case token.TokenizerClaude:
		return (o*token.ClaudePercent + 99) / 100
	}
	return o
}

// parsed is a pack as a reader of its format sees it.
type parsed struct {
	used, total int
	files       []parsedFile
	left        int
}

type parsedFile struct {
	path    string
	sources []parsedSource
	lines   []int // of the signatures
}

type parsedSource struct {
	from, to, cut int
	text          string
}

func parse(t *testing.T, what string, f Format, text []byte) parsed {
	t.Helper()
	if !utf8.Valid(text) {
		t.Errorf("%s: not UTF-8", what)
	}
	var d parsed
	var err error
	switch f {
	case XML:
		d, err = parseXML(text)
	case JSON:
		d, err = parseJSON(text)
	default:
		d, err = parseMarkdown(text)
	}
	if err != nil {
		t.Errorf("%s: %v\n%s", what, err, text)
	}
	return d
}

func parseXML(text []byte) (d parsed, err error) {
	var x struct {
		Used  int `xml:"budget_used,attr"`
		Total int `xml:"budget_total,attr"`
		Files []struct {
			Path       string `xml:"path,attr"`
			Signatures []struct {
				Line int `xml:"line,attr"`
			} `xml:"signature"`
			Lists []struct {
				Text string `xml:",chardata"`
			} `xml:"signatures"`
			Sources []struct {
				From int    `xml:"line_start,attr"`
				To   int    `xml:"line_end,attr"`
				Cut  int    `xml:"cut_lines,attr"`
				Text string `xml:",chardata"`
			} `xml:"full_source"`
		} `xml:"locked_file"`
		Left struct {
			Files int `xml:"files,attr"`
		} `xml:"left_out"`
	}
	dec := xml.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(&x); err != nil {
		return d, err
	}
	if _, err := dec.Token(); err != nil && err != io.EOF {
		return d, err
	}
	d = parsed{used: x.Used, total: x.Total, left: x.Left.Files}
	for _, f := range x.Files {
		p := parsedFile{path: f.Path}
		for _, s := range f.Signatures {
			p.lines = append(p.lines, s.Line)
		}
		for _, l := range f.Lists {
			for line := range strings.Lines(strings.TrimPrefix(l.Text, "\n")) {
				n, err := strconv.Atoi(line[:strings.IndexByte(line, ':')])
				if err != nil {
					return d, err
				}
				p.lines = append(p.lines, n)
			}
		}
		for _, s := range f.Sources {
			p.sources = append(p.sources, parsedSource{s.From, s.To, s.Cut, strings.TrimSuffix(strings.TrimPrefix(s.Text, "\n"), "\n")})
		}
		d.files = append(d.files, p)
	}
	return d, nil
}

func parseJSON(text []byte) (d parsed, err error) {
	var x struct {
		Used  int `json:"budget_used"`
		Total int `json:"budget_total"`
		Files []struct {
			Path       string
			Signatures []struct{ Line int }
			Sources    []struct {
				From int `json:"line_start"`
				To   int `json:"line_end"`
				Cut  int `json:"cut_lines"`
				Text string
			}
		}
		Left struct{ Count int } `json:"left_out"`
	}
	if err := json.Unmarshal(text, &x); err != nil {
		return d, err
	}
	d = parsed{used: x.Used, total: x.Total, left: x.Left.Count}
	for _, f := range x.Files {
		p := parsedFile{path: f.Path}
		for _, s := range f.Signatures {
			p.lines = append(p.lines, s.Line)
		}
		for _, s := range f.Sources {
			p.sources = append(p.sources, parsedSource{s.From, s.To, s.Cut, s.Text})
		}
		d.files = append(d.files, p)
	}
	return d, nil
}

// parseMarkdown reads blocks as CommonMark does: one ends at the first line of
// at least as many backticks as it began with.
func parseMarkdown(text []byte) (d parsed, err error) {
	lines := strings.Split(string(text), "\n")
	if _, err := fmt.Sscanf(lines[4], "%d of %d tokens", &d.used, &d.total); err != nil {
		return d, err
	}
	for i := 5; i < len(lines); i++ {
		l := lines[i]
		switch {
		case strings.HasPrefix(l, "## "):
			path := strings.Trim(strings.TrimPrefix(l, "## "), "`")
			d.files = append(d.files, parsedFile{path: strings.TrimSpace(path)})
		case strings.HasPrefix(l, "Left out: "):
			fmt.Sscanf(l, "Left out: %d", &d.left)
		case strings.HasPrefix(l, "Lines "), strings.HasPrefix(l, "Line "), l == "Signatures:":
			f := &d.files[len(d.files)-1]
			mark := lines[i+1][:len(lines[i+1])-len(strings.TrimLeft(lines[i+1], "`"))]
			end := i + 2
			for ; end < len(lines); end++ {
				if t := strings.TrimSpace(lines[end]); len(t) >= len(mark) && strings.Trim(t, "`") == "" {
					break
				}
			}
			if end == len(lines) {
				return d, fmt.Errorf("line %d: a fence is not closed", i+2)
			}
			block := lines[i+2 : end]
			if l == "Signatures:" {
				for _, s := range block {
					n, err := strconv.Atoi(s[:max(0, strings.IndexByte(s, ':'))])
					if err != nil {
						return d, err
					}
					f.lines = append(f.lines, n)
				}
			} else {
				s := parsedSource{text: strings.Join(block, "\n")}
				if n, _ := fmt.Sscanf(l, "Lines %d-%d (%d more cut)", &s.from, &s.to, &s.cut); n == 0 {
					fmt.Sscanf(l, "Line %d (%d more cut)", &s.from, &s.cut)
					s.to = s.from
				}
				f.sources = append(f.sources, s)
			}
			i = end
		}
	}
	return d, nil
}

// check compares what is shown with the files, and reports whether anything that
// was asked for as a whole is not shown.
func (d *parsed) check(t *testing.T, what string, src *fake, items []Item, opt Options) (left bool) {
	t.Helper()
	empty := 0
	for path, text := range src.texts {
		if len(newLines(text, true)) == 0 || opt.Compress && len(src.symbols[path]) == 0 {
			empty++
		}
	}
	left = d.left > empty
	for _, f := range d.files {
		var all lines
		found := false
		for path, text := range src.texts {
			if spellInvisible(path) == f.path || strings.ToValidUTF8(path, "\uFFFD") == f.path || strings.TrimSpace(spellInvisible(path)) == f.path {
				all, found = newLines(text, opt.Format != JSON), true
			}
		}
		if !found {
			t.Errorf("%s: there is no file %q", what, f.path)
			continue
		}
		seen := map[int]bool{}
		for _, s := range f.sources {
			if s.from < 1 || s.to > len(all) || s.from > s.to {
				t.Errorf("%s: %s has no lines %d-%d", what, f.path, s.from, s.to)
				continue
			}
			if want := all.cut(s.from, s.to); want != s.text && !(s.cut > 0 && strings.HasPrefix(want, strings.TrimSuffix(s.text, "…"))) {
				t.Errorf("%s: lines %d-%d of %s are\n%q\nnot\n%q", what, s.from, s.to, f.path, want, s.text)
			}
			for n := s.from; n <= s.to; n++ {
				if seen[n] {
					t.Errorf("%s: line %d of %s is there twice", what, n, f.path)
				}
				seen[n] = true
			}
			left = left || s.cut > 0
		}
		for _, it := range items {
			asked := spellInvisible(it.File.Path) == f.path || strings.ToValidUTF8(it.File.Path, "\uFFFD") == f.path
			if asked && len(it.Lines)+len(it.Symbols) == 0 && !opt.Compress && opt.Prefer != Signatures {
				left = left || len(seen) < len(all)
			}
		}
		for _, n := range f.lines {
			if seen[n] {
				t.Errorf("%s: line %d of %s is there as signature and as source", what, n, f.path)
			}
		}
	}
	return left
}
