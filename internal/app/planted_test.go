package app

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/klauspost/compress/s2"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"ken/internal/code"
	"ken/internal/delivery/op"
	"ken/internal/delivery/project"
	"ken/internal/engine/facts"
	"ken/internal/engine/source/secret"
)

// The planted-secret test: hundreds of made-up credentials of many formats are written into many places of a project; then every
// operation there is runs over it, and nothing that ken wrote or printed may hold one: not as it is, not half of it, not in lower
// case. Half means either half of a value of 16 characters or more; of shorter ones the whole is looked for.

// format makes values. An opaque one is recognised only by the name it is assigned to.
type format struct {
	make   func(g *generator) string
	opaque bool
}

type generator struct{ *rand.Rand }

const (
	lowers = "abcdefghijklmnopqrstuvwxyz"
	digits = "0123456789"
	hexes  = "0123456789abcdef"
	alnum  = lowers + "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + digits
	uppers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
)

// of is n characters of a set, no two neighbours alike.
func (g *generator) of(set string, n int) string {
	b := make([]byte, 0, n)
	for len(b) < n {
		c := set[g.IntN(len(set))]
		if k := len(b); k > 0 && (b[k-1] == c || b[k-1]+1 == c || b[k-1] == c+1) {
			continue
		}
		b = append(b, c)
	}
	return string(b)
}

func vendor(prefix, set string, n int, suffix string) format {
	return format{make: func(g *generator) string { return prefix + g.of(set, n) + suffix }}
}

func formats() []format {
	out := []format{
		vendor("ghp_", alnum, 36, ""), vendor("github_pat_", alnum, 60, ""), vendor("glpat-", alnum, 20, ""), vendor("AKIA", uppers, 16, ""),
		vendor("sk-ant-api03-", alnum, 93, "AA"), vendor("sk_live_", alnum, 24, ""), vendor("whsec_", alnum, 32, ""), vendor("AIza", alnum, 35, ""),
		vendor("npm_", alnum, 36, ""), vendor("hf_", alnum, 34, ""), vendor("dop_v1_", hexes, 64, ""), vendor("shpat_", hexes, 32, ""),
		vendor("NRAK-", uppers, 27, ""), vendor("sq0atp-", alnum, 22, ""), vendor("gsk_", alnum, 52, ""), vendor("pplx-", alnum, 48, ""),
		vendor("r8_", alnum, 37, ""), vendor("lin_api_", alnum, 40, ""), vendor("dckr_pat_", alnum, 27, ""), vendor("sbp_", hexes, 40, ""),
		vendor("ntn_", digits, 11, "Kq7Zp2Xw9Lm4Vt6Rb8Nc3Hd5Jf1Gs0Ya7Ue"), vendor("figd_", alnum, 40, ""), vendor("PMAK-", hexes, 24, "-"+strings.Repeat("0a1b", 8)+"2c"), vendor("hvs.", alnum, 24, ""),
		vendor("tskey-auth-", alnum, 12, "-k3Y9"+"tR2vQ8mW4xZ7bN1cL6"), vendor("glsa_", alnum, 32, "_0f3a9c1d"), vendor("GOCSPX-", alnum, 28, ""), vendor("ya29.", alnum, 60, ""),
		vendor("xoxb-", digits, 12, "-581481478633-f16b85d1f73ef37c02323bf3"), vendor("SG.", alnum, 22, ".Zm9vYmFyYmF6cXV4-q8w7e6r5t4y3u2i1o0pA1s2D3f"), vendor("dapi", hexes, 32, ""), vendor("pul-", hexes, 40, ""),
		{make: func(g *generator) string {
			return "eyJhbGciOiJIUzI1NiJ9.eyJz" + g.of(alnum, 30) + "." + g.of(alnum, 43)
		}},
		{make: func(g *generator) string { return "postgres://svc:" + g.of(alnum, 16) + "@db.internal:5432/app" }},
		{make: func(g *generator) string { return "https://ci:" + g.of(alnum, 20) + "@git.example.net/x.git" }},
	}
	for _, n := range []int{20, 24, 32, 40, 48} {
		out = append(out, format{opaque: true, make: func(g *generator) string { return g.of(alnum, n) }})
		out = append(out, format{opaque: true, make: func(g *generator) string { return g.of(hexes, n) }})
	}
	out = append(out, format{opaque: true, make: func(g *generator) string { return g.of(alnum, 10) + "!" + g.of(digits, 2) }})
	out = append(out, format{opaque: true, make: func(g *generator) string { return g.of(alnum, 12) }})
	return out
}

// place is where values are written: %N is a name of its own, %V the value. Prose has no name that hints at a secret,
// so that values in it must have a shape of their own.
type place struct {
	path  string // %N too
	text  string
	prose bool
	note  string
}

func places() []place {
	return []place{
		{path: "go/%N.go", text: "package pkg\n\n// %N is used by the client.\nconst %NToken = \"%V\"\n\nfunc Use%N() string { return %NToken }\n"},
		{path: "go/doc_%N.go", text: "package pkg\n\n// Call%N calls the service with %V as everybody does.\nfunc Call%N() {}\n", prose: true},
		{path: "go/%N_test.go", text: "package pkg\n\nimport \"testing\"\n\nfunc Test%N(t *testing.T) {\n\tapi_key := \"%V\"\n\tt.Log(api_key)\n}\n"},
		{path: "py/%N.py", text: "def connect_%N(host, password=\"%V\"):\n    \"\"\"Connect.\"\"\"\n    return host\n"},
		{path: "py/doc_%N.py", text: "def call_%N():\n    \"\"\"Uses %V until it is replaced.\"\"\"\n", prose: true},
		{path: "py/class_%N.py", text: "class C%N:\n    auth_token: str = '%V'\n\n    def get(self):\n        return self.auth_token\n"},
		{path: "ts/%N.ts", text: "export function f%N(apiKey: string = \"%V\"): void {}\nexport const g%N = f%N;\n"},
		{path: "ts/obj_%N.js", text: "module.exports = {\n  name: 'x',\n  clientSecret: '%V',\n}\n"},
		{path: "ts/import_%N.ts", text: "import { a%N } from \"https://cdn.example.net/lib.js?access_token=%V\";\nexport { a%N };\n"},
		{path: "rs/%N.rs", text: "/// Key of the service.\npub const API_KEY_%N: &str = \"%V\";\npub fn api_key() -> &'static str { API_KEY_%N }\n", note: "named"},
		{path: "rs/attr_%N.rs", text: "#[doc = \"see %V\"]\npub fn f() {}\n", prose: true},
		{path: "java/C%N.java", text: "package x;\n\n/** Uses %V. */\n@Deprecated\npublic class C%N {\n  int a;\n}\n", prose: true},
		{path: "java/P%N.java", text: "package x;\n\npublic class P%N {\n  static final String PASSWORD = \"%V\";\n  void m() { connect(PASSWORD); }\n}\n"},
		{path: "kt/%N.kt", text: "fun f%N(secret: String = \"%V\") = secret\n"},
		{path: "cs/%N.cs", text: "class C%N { string ApiKey = \"%V\"; void M(string s) {} }\n"},
		{path: "php/%N.php", text: "<?php\nfunction f%N($access_token = '%V') { return $access_token; }\n"},
		{path: "rb/%N.rb", text: "class C%N\n  def call(auth_token: '%V')\n    auth_token\n  end\nend\n"},
		{path: "c/%N.c", text: "#define API_KEY \"%V\"\nint f%N(void) { return 0; }\n"},
		{path: "c/%N.hpp", text: "/** %V */\ninline int g%N(const char *token = \"\") { return 0; }\n", prose: true},
		{path: "conf/%N.yaml", text: "service:\n  name: x\n  api_key: \"%V\"\n"},
		{path: "conf/%N.env", text: "HOST=x\nSERVICE_TOKEN=%V\n"},
		{path: "conf/%N.json", text: "{\"name\": \"x\", \"password\": \"%V\", \"n\": 1}\n"},
		{path: "conf/%N.toml", text: "[service]\nsecret = \"%V\"\n"},
		{path: "conf/%N.ini", text: "[service]\npassword = \"%V\"\n"},
		{path: "conf/%N.xml", text: "<config><password>%V</password></config>\n"},
		{path: "conf/%N.properties", text: "service.api-key=%V\n"},
		{path: "k8s/%N.yaml", text: "kind: Secret\nstringData:\n  token: %V\n"},
		{path: "docs/%N.md", text: "# Use of %N\n\nRun `client --token=%V` and wait.\n"},
		{path: "docs/link_%N.md", text: "# The key is %V\n\nSee [it](https://example.net/%V).\n", prose: true},
		{path: "sh/%N.sh", text: "#!/bin/sh\nexport API_TOKEN=%V\ncurl -H \"Authorization: Bearer $API_TOKEN\" https://x\n"},
		{path: "docker/%N/Dockerfile", text: "FROM alpine\nENV AUTH_TOKEN=%V\nRUN true\n"},
		{path: "make/%N.mk", text: "API_KEY := %V\nall:\n\ttrue\n"},
		{path: "web/%N.html", text: "<html><body data-x=\"1\"><script>const token = \"%V\";</script></body></html>\n"},
		{path: "web/%N.css", text: "/* token: \"%V\" */\n.a { color: red }\n"},
		{path: "web/%N.vue", text: "<script>\nexport default { apiKey: \"%V\" }\n</script>\n"},
		{path: "web/%N.min.js", text: "var a={token:\"%V\"};" + strings.Repeat("function b(c){return c+1}", 400) + "\n"},
		{path: "sql/%N.sql", text: "-- password: '%V'\nCREATE TABLE t%N (a int);\n"},
		{path: "tf/%N.tf", text: "variable \"x%N\" {\n  secret_key = \"%V\"\n}\n"},
		{path: "proto/%N.proto", text: "syntax = \"proto3\";\n// %V\nmessage M%N { string a = 1; }\n", prose: true},
		{path: "pkg/%N/package.json", text: "{\"name\":\"%N\",\"dependencies\":{\"x\":\"git+https://u:%V@git.example.net/x.git\"}}\n", note: "url"},
		{path: "pkg/%N/requirements.txt", text: "--index-url https://u:%V@pypi.example.net/simple\nrequests\n", note: "url"},
		{path: "pkg/%N/go.mod", text: "module example.net/%N\n\n// token: \"%V\"\ngo 1.26\n"},
		{path: "pkg/%N/Cargo.toml", text: "[package]\nname = \"%N\"\n\n[registry]\ntoken = \"%V\"\n"},
		{path: "pkg/%N/tsconfig.json", text: "{\"compilerOptions\":{\"token\":\"%V\",\"paths\":{}}}\n"},
		{path: "broken/%N.go", text: "package broken\n\nfunc f( {{{ token := \"%V\"\n"},
		{path: "broken/%N.py", text: "def f(:\n  api_key = '%V'\n ((("},
		{path: "broken/%N.ts", text: "export class { x( = ; const password = '%V'\n"},
		{path: "big/%N.js", text: "import x from './y';\nconst api_key = \"%V\";\n" + strings.Repeat("// a line of a file that is too large to be parsed\n", 12000)},
		{path: "big/deep_%N.json", text: "{\n" + strings.Repeat("\"a\": \"a line of a file that is too large to be parsed\",\n", 11000) + "\"token\": \"%V\"}\n"},
		{path: "wide/%N.txt", text: "password: \"%V\"\r\n", note: "utf16"},
		{path: "php/append_%N.php", text: "<?php\n$apiToken .= '%V';\n"},
		{path: "make/assign_%N.mk", text: "API_TOKEN ::= %V\nDB_SECRET :::= %V\nall:\n\ttrue\n"},
		{path: "sh/continued_%N.sh", text: "#!/bin/sh\nexport API_TOKEN=%V\nexport NAME_%N=1\n", note: "continued"},
		{path: "conf/continued_%N.properties", text: "service.api-key=%V\n", note: "continued"},
		{path: "docker/continued_%N/Dockerfile", text: "FROM alpine\nENV AUTH_TOKEN=%V\nRUN true\n", note: "continued"},
		{path: "py/continued_%N.py", text: "auth_token = '%V'\n\ndef f_%N():\n    return auth_token\n", note: "continued"},
		{path: "c/continued_%N.c", text: "#define API_TOKEN \"%V\"\nint f%N(void) { return 0; }\n", note: "continued"},
		{path: "conf/lines_%N.xml", text: "<config>\n  <accessToken>\n    %V\n  </accessToken>\n</config>\n"},
		{path: "data/%N.csv", text: "user,api_token\nann,%V\nbob,\n"},
		{path: "gradle/%N.gradle", text: "credentials {\n  password (System.getenv(\"WORD_%N\") ?: \"%V\")\n}\n"},
		{path: "k8s/named_%N.yaml", text: "apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\nstringData:\n  camo: %V\n  camo.ini: |\n    [a]\n    x = %V\n"},
		{path: "k8s/before_%N.json", text: "{\"kind\": \"List\", \"items\": [{\"data\": {\"camo\": \"%V\"}, \"kind\": \"Secret\"}]}\n"},
		{path: "k8s/encoded_%N.yaml", text: "kind: Secret\ndata:\n  camo: %V\n", note: "base64"},
		{path: "conf/encoded_%N.yaml", text: "settings: %V\n", note: "base64", prose: true},
		{path: "conf/twice_%N.json", text: "{\"blob\": \"%V\"}\n", note: "base64 base64", prose: true},
		{path: "docs/escaped_%N.md", text: "See https://example.net/?q=%V&x=1.\n", note: "percent", prose: true},
		{path: "latin/%N.py", text: "# caf\xe9\ntoken = \"%V\"\n"},
		{path: "bom/%N.ts", text: "\ufeffexport const token = \"%V\";\r\n"},
	}
}

// plant is one value somewhere.
type plant struct {
	path, value, text string
	core              string // the part that is secret
}

// plants writes at least n values into all places, with as many formats.
func plants(n int, seed uint64) []plant {
	g := &generator{rand.New(rand.NewPCG(seed, 7))}
	fs, ps := formats(), places()
	var out []plant
	for i := 0; len(out) < n; i++ {
		p, f := ps[i%len(ps)], fs[(i/len(ps)*7+i)%len(fs)]
		for f.opaque && p.prose {
			f = fs[g.IntN(len(fs))]
		}
		v := f.make(g)
		for p.note == "url" && (strings.Contains(v, "/") || strings.ContainsAny(v, "!")) {
			v = g.of(alnum, 20)
		}
		for strings.Contains(v, "://") && (strings.Contains(p.path, "import") || strings.Contains(p.path, "link")) {
			v = fs[0].make(g)
		}
		core := v
		if _, rest, ok := strings.Cut(v, "://"); ok {
			_, rest, _ = strings.Cut(rest, ":")
			core, _, _ = strings.Cut(rest, "@")
		}
		name := fmt.Sprintf("%c%d", 'a'+rune(i%26), i)
		v, core = written(v, core, p.note)
		fill := strings.NewReplacer("%N", name, "%V", v)
		text := fill.Replace(p.text)
		if p.note == "utf16" {
			text = wide(text)
		}
		out = append(out, plant{path: fill.Replace(p.path), value: v, core: core, text: text})
	}
	return out
}

// written is how a value is written in a place that has a way of its own to write one, and what of that must not be seen.
func written(value, core, note string) (string, string) {
	for _, way := range strings.Fields(note) {
		switch way {
		case "continued":
			return strings.Replace(value, core, core[:len(core)/2]+"\\\n"+core[len(core)/2:], 1), core
		case "base64":
			value = base64.StdEncoding.EncodeToString([]byte(value))
			core = strings.TrimRight(value, "=")
		case "percent":
			value = strings.NewReplacer("_", "%5F", "-", "%2d", ".", "%2E").Replace(value)
			if !strings.Contains(value, "://") {
				core = value[strings.LastIndexByte(value, '%')+1:]
			}
		}
	}
	return value, core
}

// wide is a text in UTF-16 with a byte order mark.
func wide(s string) string {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

// needles finds values, their halves and their lower-case forms in one pass.
type needles struct{ by map[[8]byte][]string }

func newNeedles(list []plant, control string) *needles {
	n := &needles{by: map[[8]byte][]string{}}
	for _, p := range list {
		n.add(p.core)
		if h := len(p.core) / 2; h >= 8 {
			n.add(p.core[:h])
			n.add(p.core[h:])
		}
	}
	n.add(control)
	return n
}

func (n *needles) add(s string) {
	for _, v := range []string{s, strings.ToLower(s)} {
		if len(v) >= 8 {
			k := [8]byte([]byte(v[:8]))
			n.by[k] = append(n.by[k], v)
		}
	}
}

// in returns the values that data holds.
func (n *needles) in(data []byte) map[string]bool {
	found := map[string]bool{}
	for i := 0; i+8 <= len(data); i++ {
		for _, v := range n.by[[8]byte(data[i:i+8])] {
			if bytes.HasPrefix(data[i:], []byte(v)) {
				found[v] = true
			}
		}
	}
	return found
}

// planted is the test's project.
type planted struct {
	t       *testing.T
	dir     string // of everything: the project is in root, the cache and home beside it
	root    string
	needles *needles
	// printed are values that may be in the index and never in an answer: tokens in names, and copies of values where nothing says
	// what they are.
	printed *needles
	control string
	seen    int // times the control was found
	past    int // of them in the subjects of commits
	kept    int // readings found in the cache
}

func (p *planted) write(path, text string) {
	p.t.Helper()
	full := filepath.Join(p.root, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// check looks for secrets in what was written or printed.
func (p *planted) check(where string, data []byte) {
	p.t.Helper()
	for v := range p.needles.in(data) {
		if v == p.control || v == strings.ToLower(p.control) {
			p.seen++
			if where == "table history, data, unpacked" {
				p.past++
			}
			continue
		}
		i := bytes.Index(data, []byte(v))
		p.t.Errorf("%s holds %q: …%q…", where, v, data[max(0, i-80):min(len(data), i+120)])
	}
}

// run runs ken and looks at what it prints.
func (p *planted) run(args ...string) (int, []byte) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 2*time.Minute)
	if endless(args[0]) {
		ctx, cancel = context.WithTimeout(p.t.Context(), 700*time.Millisecond)
	}
	defer cancel()
	var out, errs bytes.Buffer
	prog := Program{Args: args, Dir: p.root, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(k string) string {
		switch k {
		case "HOME":
			return filepath.Join(p.dir, "home")
		case "XDG_CACHE_HOME":
			return filepath.Join(p.dir, "cache")
		case "KEN_STATE":
			return filepath.Join(p.dir, "home", "state")
		}
		return ""
	}}
	status := prog.Run(ctx)
	for what, data := range map[string][]byte{"output": out.Bytes(), "errors": errs.Bytes()} {
		where := "the " + what + " of ken " + strings.Join(args, " ")
		p.check(where, data)
		for v := range p.printed.in(data) {
			i := bytes.Index(data, []byte(v))
			p.t.Errorf("%s holds %q: …%q…", where, v, data[max(0, i-80):min(len(data), i+120)])
		}
	}
	return status, out.Bytes()
}

// endless reports whether a command ends only when it is interrupted.
func endless(command string) bool { return command == "watch" || command == "web" }

// all runs every operation in every format over arguments that reach all files.
func (p *planted) all(files, names []string) {
	p.t.Helper()
	for _, t := range op.All() {
		done := t.Name == "update_context" // it reads what it writes from standard input
		if t.Group == "task" {
			p.endTasks()
			p.run("task", "start_session", "the token and the password", "--intent", "MODIFY")
		}
		for _, args := range p.calls(t, files, names) {
			formats := [][]string{nil, {"--json"}}
			if testing.Short() {
				formats = formats[1:]
			} else if t.ListsPaths() {
				formats = append(formats, []string{"--format", "paths"})
			}
			if endless(t.Name) {
				formats = formats[:1]
			}
			for _, f := range formats {
				status, _ := p.run(append(append(strings.Fields(t.Command()), args...), f...)...)
				done = done || status != Failed
			}
		}
		if !done {
			p.t.Errorf("ken %s did nothing with any arguments", t.Name)
		}
	}
}

// endTasks ends all guarded tasks: one at full that goes on makes the next one strict, and a step does not guess which of several is meant.
func (p *planted) endTasks() {
	p.t.Helper()
	for {
		var task struct {
			ID string `json:"task_id"`
		}
		_, out := p.run("task", "get_session_status", "--json")
		if json.Unmarshal(out, &task) != nil || task.ID == "" {
			return
		}
		if status, _ := p.run("task", "record_outcome", "success", "--task", task.ID); status != Found {
			return
		}
	}
}

// mapped writes the documents about the code into a planning folder and looks at them, and at what else joins plans and code.
func (p *planted) mapped(files []string) {
	p.t.Helper()
	p.write(".planning/config.json", "{}\n")
	p.write(".planning/ROADMAP.md", "# Roadmap\n\n### Phase 1: Base\n**Goal**: A base\n")
	for i, half := range [][]string{files[:len(files)/2], files[len(files)/2-1:]} {
		text := fmt.Sprintf("---\nphase: 01-base\nplan: 0%d\ndepends_on: []\nfiles_modified:\n  - %s\n---\n", i+1, strings.Join(half, "\n  - "))
		p.write(fmt.Sprintf(".planning/phases/01-base/01-0%d-PLAN.md", i+1), text)
	}
	for _, args := range [][]string{
		{"plan", "map", "--dry-run", "--json"}, {"plan", "map"}, {"plan", "map", "--json"}, {"plan", "map", "status", "--facts"},
		{"plan", "waves", "1"}, {"plan", "payload", "1", "01-01", "--text", "--window", "1000000"}, {"plan", "payload", "1", "--json"},
	} {
		if status, out := p.run(args...); status != Found {
			p.t.Errorf("ken %s: exit %d, %s", strings.Join(args, " "), status, out)
		}
	}
	for _, name := range []string{"STACK", "INTEGRATIONS", "ARCHITECTURE", "STRUCTURE", "CONVENTIONS", "TESTING", "CONCERNS"} {
		name = filepath.Join(p.root, ".planning", "codebase", name+".md")
		data, err := os.ReadFile(name)
		if err != nil {
			p.t.Fatal(err)
		}
		p.check(name, data)
		for v := range p.printed.in(data) {
			p.t.Errorf("%s holds %q", name, v)
		}
	}
	if err := os.RemoveAll(filepath.Join(p.root, ".planning")); err != nil { // the files of the tree are counted below
		p.t.Fatal(err)
	}
}

// exported is a file with the project's index in SCIP form.
func (p *planted) exported() string {
	p.t.Helper()
	_, out := p.run("export", "scip")
	name := filepath.Join(p.t.TempDir(), "index.scip")
	if err := os.WriteFile(name, out, 0o600); err != nil {
		p.t.Fatal(err)
	}
	return name
}

// calls are argument lists of an operation, derived from what it declares, so that one that is added is covered.
func (p *planted) calls(t *project.Tool, files, names []string) [][]string {
	base := [][]string{nil}
	for _, f := range t.Input() {
		if !f.Positional {
			continue
		}
		var values []string
		switch {
		case len(f.Enum) > 0:
			values = f.Enum
		case f.Name == "ID" && f.Many:
			values = []string{"1", "1\x0099999"}
		case t.Name == "import-scip":
			values = []string{p.exported(), files[0]}
		case t.Name == "impact", t.Name == "analyze_impact":
			values = append(append([]string{strings.Join(files, "\x00")}, files...), names...)
		case t.Name == "pack":
			values = append([]string{strings.Join(files, "\x00"), "."}, names...)
		case f.Name == "LINE":
			values = []string{"1", "4"}
		case t.Name == "forget":
			values = []string{"1"}
		case f.Name == "QUERY", f.Name == "GOAL":
			values = append([]string{"the token and the password of the service", strings.Join(names, " ")}, names...)
		case f.Name == "REGEX":
			values = []string{".", "token|secret|password|key", `ghp_\w+`, `".*"`}
		case !f.Required && (f.Many || f.Name == "PATH"):
			values = nil
		case f.Many:
			values = []string{strings.Join(files, "\x00")}
		case strings.Contains(f.Name, "FILE"), strings.Contains(f.Name, "TARGET"):
			values = append(append(values, files...), names...)
		default:
			values = names
		}
		var next [][]string
		for _, b := range base {
			if len(values) == 0 {
				next = append(next, b)
			}
			for _, v := range values {
				next = append(next, append(append([]string{}, b...), strings.Split(v, "\x00")...))
			}
		}
		base = next
	}
	out := base
	if t.Name == "pack" {
		out = append(slices.Clone(base), nil, []string{"--all"}, []string{"--compress"}, []string{"--diff"}, []string{"--query", "token password"})
		for _, format := range []string{"markdown", "json"} {
			out = append(out, []string{"--all", "--format", format}, []string{"--compress", "--format", format})
		}
	}
	switch t.Name {
	case "start_session":
		for i := range base {
			base[i] = append(base[i], "--intent", "MODIFY")
		}
	case "finalize_changes":
		base[0] = []string{"--reviewed-files", fmt.Sprintf(`{"path":%q,"decision":"keep"}`, files[0]), "--commit-message", names[0]}
	case "clean": // without a work tree there is nothing to remove, but prompts can always be forgotten
		out = append(out, []string{"--prompts"})
	case "cleanup":
		out = append(out, nil)
	case "fleet": // the folder around the project
		for i := range base {
			base[i] = append(base[i], "--dir", "..")
		}
		out = append(out, []string{"--dir", ".."}, []string{"--dir", "..", "--diff", "HEAD"})
	}
	for _, f := range t.Input() {
		if f.Positional || len(base) == 0 {
			continue
		}
		flags := [][]string{}
		switch {
		case len(f.Enum) > 0:
			for _, v := range f.Enum {
				flags = append(flags, []string{"--" + f.Name, v})
			}
		case f.Value == "":
			flags = append(flags, []string{"--" + f.Name})
		case f.Value == "N":
			flags = append(flags, []string{"--" + f.Name, "0"})
		case f.Value == "REGEX":
			flags = append(flags, []string{"--" + f.Name, "."})
		case f.Value == "TEXT":
			flags = append(flags, []string{"--" + f.Name, "the token and the password of the service"})
		case f.Value == "PLACE", f.Value == "TARGET" && t.Group != "", f.Value == "NAME" && t.Group != "":
			flags = append(flags, []string{"--" + f.Name, files[0]}, []string{"--" + f.Name, names[0]})
		case f.Value == "FILE" && t.Name == "map":
			flags = append(flags, []string{"--" + f.Name, files[0]})
		}
		for _, fl := range flags {
			out = append(out, append(append([]string{}, base[0]...), fl...))
		}
	}
	return out
}

// disk looks at every file ken keeps, and at what the packed ones hold.
func (p *planted) disk() {
	p.t.Helper()
	if testing.Short() {
		return // no other goroutine runs then
	}
	for _, dir := range []string{filepath.Join(p.root, ".ken"), filepath.Join(p.dir, "cache"), filepath.Join(p.dir, "home")} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || d.Name() == "config.yml" { // which the user wrote
				return nil
			}
			data, err := os.ReadFile(path)
			if err == nil {
				p.check(path, data)
				p.unpacked(path, data)
				if strings.HasSuffix(path, ".seg") {
					p.readings(path, data)
				}
			}
			return err
		})
		if err != nil {
			p.t.Fatal(err)
		}
	}
	p.database(filepath.Join(p.root, ".ken", "index.db"))
}

// unpacked looks into data that may be in S2 block form, whatever comes before it.
func (p *planted) unpacked(where string, data []byte) {
	p.t.Helper()
	for at := 0; at < min(len(data), 64); at++ {
		if n, err := s2.DecodedLen(data[at:]); err != nil || n > 64<<20 || n < 8 {
			continue
		}
		if text, err := s2.Decode(nil, data[at:]); err == nil {
			p.check(where+", unpacked", text)
		}
	}
}

// database looks at every value of every table, packed facts decoded by their own reader.
func (p *planted) database(path string) {
	p.t.Helper()
	c, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	if err != nil {
		p.t.Fatal(err)
	}
	defer c.Close()
	var tables []string
	err = sqlitex.ExecuteTransient(c, "SELECT name FROM sqlite_schema WHERE type IN ('table','view')", &sqlitex.ExecOptions{ResultFunc: func(st *sqlite.Stmt) error {
		tables = append(tables, st.ColumnText(0))
		return nil
	}})
	if err != nil || len(tables) < 10 {
		p.t.Fatalf("%d tables, %v", len(tables), err)
	}
	decoded := 0
	for _, table := range tables {
		err := sqlitex.ExecuteTransient(c, "SELECT * FROM "+table, &sqlitex.ExecOptions{ResultFunc: func(st *sqlite.Stmt) error {
			for i := range st.ColumnCount() {
				data := make([]byte, st.ColumnLen(i))
				st.ColumnBytes(i, data)
				where := "table " + table + ", " + st.ColumnName(i)
				p.check(where, data)
				p.unpacked(where, data)
				if table != "facts" || st.ColumnType(i) != sqlite.TypeBlob {
					continue
				}
				packed, err := facts.Open(data)
				if err != nil {
					return err
				}
				var f code.Facts
				if f.Symbols, err = packed.AllDetails(); err != nil {
					return err
				}
				if f.Imports, f.Exports, f.Refs, err = packed.Linkable(); err != nil {
					return err
				}
				decoded++
				p.check(where+", decoded", fmt.Appendf(nil, "%+v", f))
			}
			return nil
		}})
		if err != nil {
			p.t.Fatalf("%s: %v", table, err)
		}
	}
	if decoded < 100 {
		p.t.Errorf("only %d packed facts were decoded", decoded)
	}
}

// switches changes many files at a time, there and back, so that readings are
// kept beside the index.
func (p *planted) switches(list []plant) {
	p.t.Helper()
	for version := range 4 {
		for i := range 40 {
			p.write(fmt.Sprintf("plain/c%d.go", i), fmt.Sprintf("package plain\n\n// C%d says %s.\nfunc C%d() int { return %d }\n", i, p.control, i, version%2))
		}
		for _, pl := range list {
			p.write(pl.path, strings.Repeat("\n", version%2)+pl.text)
		}
		if status, _ := p.run("index"); status != Found {
			p.t.Fatal("index failed")
		}
	}
}

// readings looks into a segment of the cache; see store/readings for its form.
func (p *planted) readings(where string, data []byte) {
	p.t.Helper()
	const row, trailer = 28, 16
	n := int(binary.LittleEndian.Uint32(data[len(data)-trailer:]))
	for table := data[len(data)-trailer-n*row : len(data)-trailer]; len(table) > 0; table = table[row:] {
		at, size := binary.LittleEndian.Uint32(table[16:]), binary.LittleEndian.Uint32(table[20:])
		text, err := s2.Decode(nil, data[at:at+size])
		if err != nil {
			p.t.Fatalf("%s: %v", where, err)
		}
		p.kept++
		p.check(where+", a reading", text)
		p.packed(where+", a reading", text)
	}
}

// packed looks into packed facts, whatever comes before them.
func (p *planted) packed(where string, data []byte) {
	p.t.Helper()
	for at := range data {
		f, err := facts.Open(data[at:])
		if err != nil {
			continue
		}
		if syms, err := f.AllDetails(); err == nil {
			p.check(where+", decoded", fmt.Appendf(nil, "%+v", syms))
		}
	}
}

// listed checks that ken secrets lists every value, by file.
func (p *planted) listed(list []plant) {
	p.t.Helper()
	status, out := p.run("secrets", "--json")
	var a struct{ Findings []struct{ Path string } }
	if err := json.Unmarshal(out, &a); err != nil || status != Nothing {
		p.t.Fatalf("secrets: exit %d, %v", status, err)
	}
	found := map[string]int{}
	for _, f := range a.Findings {
		found[f.Path]++
	}
	for _, pl := range list {
		if found[pl.path] == 0 {
			p.t.Errorf("%s: %q is not found", pl.path, pl.value)
		}
	}
}

func TestPlantedSecrets(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	// Under the race detector, where the whole would take longer than all other tests, the operations are asked of less.
	many, asked := 300, 7
	if testing.Short() {
		many, asked = len(places()), 1
	}
	dir := t.TempDir()
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	p := &planted{t: t, dir: dir, root: filepath.Join(dir, "root"), control: "plainwordsthatarenosecret", printed: newNeedles(nil, "")}
	list := plants(many, 1)
	later := plants(many/5, 2)
	for i := range later {
		later[i].path = "later/" + later[i].path
	}
	said := plants(many/5, 3)
	p.needles = newNeedles(slices.Concat(list, later, said), p.control)
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.net"}, args...)...)
		cmd.Dir = p.root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	var files []string
	for _, pl := range list {
		p.write(pl.path, pl.text)
		files = append(files, pl.path)
	}
	p.write("go/control.go", "package pkg\n\n// Control says "+p.control+".\nfunc Control() {}\n")
	p.write(".gitignore", "/none\n"+later[0].core+"\napi_key=\""+later[1].core+"\"\n")
	p.write(".ken/config.yml", "# token: \""+list[0].value+"\"\nunknown_"+list[1].value+": 1\n")
	git("init", "-q")
	git("add", "-A")
	git("commit", "-q", "-m", "one")
	git("checkout", "-q", "-b", list[2].value)
	for i, pl := range said { // values in messages of commits
		p.write("go/said.go", fmt.Sprintf("package pkg\n\nconst Said = %d\n", i))
		git("add", "-A")
		git("commit", "-q", "-m", message(pl, p.control))
	}

	if status, _ := p.run("init"); status != Found {
		t.Fatal("init failed")
	}
	p.listed(list)
	names := []string{"UseA0", "Control", "api_key", "auth_token", "password", "nosuchname", list[3].value}[:asked]
	some := append(slices.Clone(files[:min(len(places()), 7*asked)]), "go/control.go")
	p.all(some, names)
	p.mapped(some)
	p.disk()

	// The same once more, edit by edit.
	for i, pl := range later {
		p.write(pl.path, pl.text)
		if i%3 == 0 {
			p.run("index", pl.path)
		}
		old := list[i]
		if i%5 == 0 {
			os.Remove(filepath.Join(p.root, old.path))
			p.run("index", old.path)
		} else if i%2 == 0 {
			p.write(old.path, strings.ReplaceAll(old.text, "\n", " \n"))
			p.run("index", old.path)
		}
	}
	p.run("index")
	p.listed(later)
	p.all([]string{later[0].path, later[3].path, later[5].path, "go/control.go"}, names[:min(3, asked)])
	git("add", "-A")
	p.run("secrets", "--staged")
	git("commit", "-q", "-m", "two")
	p.run("secrets", "--history")
	p.switches(append(list, later...))
	p.disk()
	if !testing.Short() && p.kept < 30 {
		t.Errorf("only %d readings in the cache", p.kept)
	}
	if p.seen == 0 || p.past == 0 && !testing.Short() {
		t.Errorf("the control text, which is no secret, was found %d times, %d of them in subjects of commits: the search proves nothing", p.seen, p.past)
	}
	t.Logf("%d values in %d places, %d formats; the control was seen %d times", len(list)+len(later), len(places()), len(formats()), p.seen)
}

// TestPlantsAreFound finds the values of many other draws, because what is recognised by its letters must not depend on the draw.
func TestPlantsAreFound(t *testing.T) {
	e := secret.New()
	for seed := uint64(1); seed <= 20; seed++ {
		for _, p := range plants(400, seed) {
			at := strings.Index(p.text, p.core)
			if at < 0 {
				continue // in UTF-16, which is read elsewhere
			}
			hi := at + len(p.core)
			if !slices.ContainsFunc(e.Find(nil, []byte(p.text)), func(f secret.Finding) bool { return int(f.Start) <= at && int(f.End) >= hi }) {
				t.Errorf("plants(400, %d): %s: %q is not found in %q", seed, p.path, p.core, p.text[max(0, at-60):min(len(p.text), hi+5)])
			}
		}
	}
}

// message is a careless commit message: it has the value in its subject, its body and a trailer.
func message(pl plant, control string) string {
	text := "Use %V for " + control + "\n\nIt was %V before.\n\nReviewed-by: %V\n"
	for _, f := range formats() {
		if f.opaque && !strings.ContainsAny(pl.value, "_-.:/") {
			text = "Set api_key = \"%V\" for " + control + "\n\nThe password: \"%V\"\n\nAuth-token: \"%V\"\n"
			break
		}
	}
	return strings.ReplaceAll(text, "%V", pl.value)
}

// TestNeedles makes sure that the search above finds what it looks for.
func TestNeedles(t *testing.T) {
	n := newNeedles([]plant{{core: "ghp_ABCDEFGHIJKLMNOPqrstuvwx"}}, "control-text")
	for _, s := range []string{"a ghp_ABCDEFGHIJKLMNOPqrstuvwx b", "ghp_ABCDEFGHIJ", "KLMNOPqrstuvwx", "x ghp_abcdefghijklmnopqrstuvwx", "control-text"} {
		if len(n.in([]byte(s))) == 0 {
			t.Errorf("%q is not found", s)
		}
	}
	if got := n.in([]byte(base64.StdEncoding.EncodeToString([]byte("ghp_ABCDEFGHIJKLMNOPqrstuvwx")))); len(got) > 0 {
		t.Errorf("found %v", got)
	}
}
