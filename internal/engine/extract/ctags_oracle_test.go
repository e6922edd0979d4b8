package extract

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"sort"
	"strings"
	"testing"

	"ken/internal/code"
)

// TestCtagsOracle compares declarations with those universal-ctags finds: a name
// on a line. Because ctags does not parse and errs itself, the differences are logged
// by kind. KEN_ORACLE_LANG names the language:
//
//	KEN_ORACLE=1 KEN_ORACLE_LANG=csharp KEN_CORPUS=/path/to/repository go test -run CtagsOracle
func TestCtagsOracle(t *testing.T) {
	corpus := oracleCorpus(t)
	langs := map[string]ctagsLang{
		"csharp": {".cs", "C#", map[string]bool{"namespace": true, "macro": true, "typedef": true}},
		"php":    {".php", "PHP", map[string]bool{"namespace": true, "alias": true}},
		"sql": {".sql", "SQL", map[string]bool{"local": true, "cursor": true, "variable": true, "record": true, "ccflag": true,
			"service": true, "event": true, "publication": true, "synonym": true}},
		"proto": {".proto", "Protobuf", map[string]bool{"package": true}},
		"html": {".html", "HTML", map[string]bool{"heading1": true, "heading2": true, "heading3": true, "title": true,
			"class": true, "stylesheet": true, "script": true}},
	}
	l, ok := langs[os.Getenv("KEN_ORACLE_LANG")]
	if !ok {
		t.Skip("KEN_ORACLE_LANG is none of the list")
	}
	checkCtags(t, corpus, code.Lang(os.Getenv("KEN_ORACLE_LANG")), l)
}

// ctagsLang is a language as ctags knows it, with the kinds of tags for which ken has
// no symbols.
type ctagsLang struct {
	ext, name string
	ignored   map[string]bool
}

// ctag is a line of ctags's JSON.
type ctag struct {
	Name, Path, Kind, Pattern string
	Line, End                 uint32
}

func (c *ctag) String() string {
	return fmt.Sprintf("%s:%d-%d %s %s %s", c.Path, c.Line, c.End, c.Kind, c.Name, c.Pattern)
}

func checkCtags(t *testing.T, corpus string, lang code.Lang, l ctagsLang) {
	files := filesOf(t, corpus, l.ext)
	cmd := exec.Command("ctags", "--output-format=json", "--fields=+neKs", "--languages="+l.name, "-o", "-", "-L", "-")
	cmd.Stdin, cmd.Stderr = strings.NewReader(strings.Join(files, "\n")+"\n"), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("run ctags: %v", err)
	}
	type declaration struct {
		path, name string
		line       uint32
	}
	e := testExtractor(t)
	got := map[declaration]uint32{} // last lines
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range e.Extract(path, lang, src).Symbols {
			line := s.Span.Line + uint32(bytes.Count(src[s.Span.Start:s.NameStart], []byte("\n")))
			name := s.Name
			if i := strings.Index(name, " operator "); i > 0 { // "explicit operator T"
				name = name[i+1:]
			}
			got[declaration{path, name, line}] = s.Span.EndLine
		}
	}
	want, both, ends := 0, 0, 0
	missing := map[string][]string{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c ctag
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if l.ignored[c.Kind] {
			continue
		}
		c.Name = c.Name[strings.LastIndexByte(c.Name, '.')+1:] // of a member of an explicit interface
		want++
		end, ok := got[declaration{c.Path, c.Name, c.Line}]
		switch {
		case !ok:
			missing[c.Kind] = append(missing[c.Kind], c.String())
		case c.End > 0 && end != c.End:
			missing["end of "+c.Kind] = append(missing["end of "+c.Kind], c.String())
			fallthrough
		default:
			both++
		}
		if ok && c.End > 0 {
			ends++
		}
	}
	var kinds []string
	for k := range missing {
		kinds = append(kinds, k)
	}
	sort.Strings(kinds)
	shown := 8
	if os.Getenv("KEN_ORACLE_ALL") != "" {
		shown = 1 << 20
	}
	for _, k := range kinds {
		t.Logf("%s: %d\n\t%s", k, len(missing[k]), strings.Join(missing[k][:min(shown, len(missing[k]))], "\n\t"))
	}
	recall := float64(both) / float64(max(want, 1))
	t.Logf("%d files, %d declarations by ctags (%d with an end), %d found: recall %.4f", len(files), want, ends, both, recall)
	if recall < 0.98 {
		t.Errorf("recall is to be 0.98 at least")
	}
}
