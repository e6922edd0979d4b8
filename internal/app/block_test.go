package app

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"ken/internal/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// hostileFiles is a project whose names and comments try to break out of a block.
func hostileFiles() map[string]string {
	files := map[string]string{
		"go.mod":               "module example.com/x\n\ngo 1.26\n",
		"core/session.go":      "// Package core opens sessions </intel-query-result> & <b>tags</b>.\npackage core\n\n// Session is one login.\ntype Session struct{ ID string }\n\n// Open opens a session ]]> <!-- for a user.\nfunc Open(name string) *Session { return &Session{name} }\n",
		"core/session_test.go": "package core\n\nimport \"testing\"\n\nfunc TestOpen(t *testing.T) {\n\tif Open(\"a\").ID != \"a\" {\n\t\tt.Fatal()\n\t}\n}\n",
		"web/a&b<c>.ts":        "/** Sessions of the web. */\nexport function sessionOf(id: string) { return id }\n",
		"web/tick`s.ts":        "import { sessionOf } from './a&b<c>'\nexport const login = () => sessionOf('x')\n",
		"web/new\nline.ts":     "export const session = 1\n",
		"docs/session.md":      "# Sessions\n\nA session begins with a login.\n",
	}
	for i := range 30 {
		files[fmt.Sprintf("api/route%02d.go", i)] = fmt.Sprintf("// Package api serves.\npackage api\n\nimport \"example.com/x/core\"\n\n// Route%d logs a user in and opens session number %d.\nfunc Route%d() *core.Session { return core.Open(\"u\") }\n", i, i, i)
	}
	return files
}

var blockQueries = []string{
	"session", "open a session for a user", "login route", "Route7", "core/session.go:10", "tags & <b>", `"opens sessions" OR login`, "(session|login)[a-z]*+?.\\d{3}",
	"セッションを開く session", "Sitzung öffnen: session für den Benutzer", "</phase-relevant-intel> session", "add a \x01 control to session\x7f", strings.Repeat("session login ", 300),
}

// wellFormed reads a text as XML, whole.
func wellFormed(text []byte) error {
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

var smallest = regexp.MustCompile(`the smallest that works is (\d+)`)

// TestBlocks makes sure that blocks for agents are never over their budget, are
// well-formed XML whatever repositories and queries say, and that what is said
// to be the smallest budget that works is.
func TestBlocks(t *testing.T) {
	p, out, errs := program(t, hostileFiles())
	if code := p.run(t.Context(), "init"); code != Found {
		t.Fatalf("exit %d: %s", code, errs)
	}
	rnd := rand.New(rand.NewPCG(4, 2))
	commands := [][]string{{"find", "--format", "intel"}, {"brief"}}
	cases, fits := 0, 0
	for _, command := range commands {
		for _, q := range blockQueries {
			for i := range 16 {
				budget := 1 + rnd.IntN(1<<(5+i%8))
				out.Reset()
				errs.Reset()
				code := p.run(t.Context(), append(append([]string{}, command...), "--budget", strconv.Itoa(budget), q)...)
				tokens := token.CountText(out.Bytes()).O200K
				cases++
				switch {
				case code == Found && (tokens > budget || tokens == 0):
					t.Fatalf("%v %.40q: %d tokens, budget %d\n%s", command, q, tokens, budget, out)
				case code == Found:
					fits++
					if err := wellFormed(out.Bytes()); err != nil {
						t.Fatalf("%v %.40q: %v\n%s", command, q, err, out)
					}
				case code == Failed && out.Len() == 0 && smallest.Match(errs.Bytes()):
					least := string(smallest.FindSubmatch(errs.Bytes())[1])
					if n, _ := strconv.Atoi(least); n <= budget {
						t.Fatalf("%v %.40q: budget %d: %s", command, q, budget, errs)
					}
					if code := p.run(t.Context(), append(append([]string{}, command...), "--budget", least, q)...); code != Found || token.CountText(out.Bytes()).O200K > budgetOf(least) {
						t.Fatalf("%v %.40q: %s tokens do not work: %s\n%s", command, q, least, errs, out)
					}
				default:
					t.Fatalf("%v %.40q: exit %d, %d bytes: %s", command, q, code, out.Len(), errs)
				}
			}
		}
	}
	if cases < 200*len(commands) || fits < cases/2 {
		t.Errorf("%d cases, %d within their budget: the test looks at too little", cases, fits)
	}
}

// TestBlockOfLongText gives a megabyte of text, in one line and in many.
func TestBlockOfLongText(t *testing.T) {
	p, out, errs := program(t, hostileFiles())
	if code := p.run(t.Context(), "init"); code != Found {
		t.Fatalf("exit %d: %s", code, errs)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"one": strings.Repeat("session & login ", 1<<16), "many": strings.Repeat("open a <session>\n\n```\nlogin()\n", 1<<15), "letters": "session " + strings.Repeat("x", 1<<20)} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, command := range [][]string{{"find", "--format", "intel"}, {"brief"}} {
			out.Reset()
			errs.Reset()
			if code := p.run(t.Context(), append(append([]string{}, command...), "--query-file", file)...); code != Found {
				t.Errorf("%v %s: exit %d: %.200s", command, name, code, errs)
			}
			if n := token.CountText(out.Bytes()).O200K; n > 1900 || n == 0 {
				t.Errorf("%v %s: %d tokens", command, name, n)
			}
			if err := wellFormed(out.Bytes()); err != nil {
				t.Errorf("%v %s: %v", command, name, err)
			}
		}
	}
}

func budgetOf(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
