package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"ken/internal/delivery/op"
	"ken/internal/operation"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

func TestMain(m *testing.M) {
	// No test may write into the user's state directory: one that starts "ken" names a
	// place of its own. "ken" itself is this main in another process.
	if filepath.Base(os.Args[0]) != "ken" {
		os.Setenv("KEN_STATE", os.DevNull)
	}
	testscript.Main(m, map[string]func(){"ken": func() { cutNetwork(); main() }})
}

// TestScripts runs the program on copies of testdata/project; each script says
// what it prints. The scripts are the specification of the command line.
func TestScripts(t *testing.T) {
	project, err := filepath.Abs("testdata/project")
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := filepath.Abs("testdata/schema")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
			e.Setenv("XDG_CONFIG_HOME", "")
			e.Setenv("KEN_STATE", filepath.Join(e.WorkDir, "home", "state"))
			e.Setenv("SCHEMAS", schemas)
			e.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
			e.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			e.Setenv("GIT_AUTHOR_DATE", "2024-05-01T12:00:00Z")
			e.Setenv("GIT_COMMITTER_DATE", "2024-05-01T12:00:00Z")
			for _, who := range []string{"AUTHOR", "COMMITTER"} {
				e.Setenv("GIT_"+who+"_NAME", "A")
				e.Setenv("GIT_"+who+"_EMAIL", "a@example.com")
			}
			return os.CopyFS(filepath.Join(e.WorkDir, "shop"), os.DirFS(project))
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"shape":    shape,
			"started":  started,
			"status":   status,
			"raw":      raw,
			"long":     long,
			"valid":    valid,
			"secret":   secret,
			"widen":    widen,
			"allowall": allowAll,
			"expand":   expand,
		},
	})
}

// status runs ken and checks the exit code: "status 1 def nosuch".
func status(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec("ken", args[1:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("exit status %s, want %s", got, args[0])
	}
}

// secret writes a line to a file; "+" in it joins pieces, so that no script holds
// what looks like a secret, and "+\n" begins a line.
func secret(ts *testscript.TestScript, _ bool, args []string) {
	text := strings.ReplaceAll(strings.ReplaceAll(args[1], `+\n`, "\n"), "+", "")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text+"\n"), 0o644))
}

// widen writes a file again in UTF-16, little end first, with a byte order mark.
func widen(ts *testscript.TestScript, _ bool, args []string) {
	out := []byte{0xFF, 0xFE}
	for _, u := range utf16.Encode([]rune(ts.ReadFile(args[0]))) {
		out = append(out, byte(u), byte(u>>8))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), out, 0o644))
}

// expand puts the directory of the script in place of WORKDIR in a file, because payloads of
// hooks name absolute paths.
func expand(ts *testscript.TestScript, _ bool, args []string) {
	text := strings.ReplaceAll(ts.ReadFile(args[0]), "WORKDIR", ts.Getenv("WORK"))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// allowAll writes settings that allow every secret that is found.
func allowAll(ts *testscript.TestScript, _ bool, args []string) {
	ts.Exec("ken", "secrets", "--json")
	var a struct {
		Findings []struct{ Path, Rule, Hash string }
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &a))
	var b strings.Builder
	b.WriteString("allow_secrets:\n")
	for _, f := range a.Findings {
		fmt.Fprintf(&b, "  - {rule: %s, path: %s, hash: %s}\n", f.Rule, f.Path, f.Hash)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(b.String()), 0o644))
}

// raw writes a file whose name and content may have any bytes: in its name, and
// in the file it copies, "%" and two hex digits are a byte.
// The last line feed is left out.
func raw(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.WriteFile(ts.MkAbs(unescape(ts, args[0])), []byte(unescape(ts, strings.TrimSuffix(ts.ReadFile(args[1]), "\n"))), 0o644))
}

func unescape(ts *testscript.TestScript, s string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(s, "%")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		var c byte
		_, err := fmt.Sscanf(after, "%02x", &c)
		ts.Check(err)
		b.WriteByte(c)
		s = after[2:]
	}
}

// long puts the text of so many letters into a variable: "long HUGE 100000".
func long(ts *testscript.TestScript, _ bool, args []string) {
	var n int
	_, err := fmt.Sscan(args[1], &n)
	ts.Check(err)
	ts.Setenv(args[0], strings.Repeat("x", n))
}

// valid checks the JSON on stdout against a JSON Schema in testdata/schema:
// "valid codemap".
func valid(ts *testscript.TestScript, _ bool, args []string) {
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	schema, err := c.Compile(filepath.Join(ts.Getenv("SCHEMAS"), args[0]+".json"))
	ts.Check(err)
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(ts.ReadFile("stdout")))
	ts.Check(err)
	ts.Check(schema.Validate(v))
}

// shape checks the JSON on stdout against what the operation documents: every
// documented key is there in that order unless it is optional, no other is, and
// all have the documented type.
func shape(ts *testscript.TestScript, _ bool, args []string) {
	for _, t := range op.All() {
		if t.Name != args[0] {
			continue
		}
		cols := t.Answer()
		if len(args) > 1 { // the answer is one of several
			cols = cols[slices.IndexFunc(cols, func(c operation.Column) bool { return c.Name == args[1] })].Fields
		}
		dec := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
		dec.UseNumber()
		if err := checkObject(dec, cols, t.Name); err != nil {
			ts.Fatalf("%v", err)
		}
		return
	}
	ts.Fatalf("there is no operation %s", args[0])
}

func checkObject(dec *json.Decoder, cols []operation.Column, where string) error {
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return fmt.Errorf("%s: got %v %v, want an object", where, tok, err)
	}
	next := 0
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return err
		}
		key := tok.(string)
		i := slices.IndexFunc(cols[next:], func(c operation.Column) bool { return c.Name == key })
		if i < 0 {
			return fmt.Errorf("%s: key %q is not documented here", where, key)
		}
		for _, c := range cols[next : next+i] {
			if !c.Optional {
				return fmt.Errorf("%s: key %q is missing", where, c.Name)
			}
		}
		next += i + 1
		if err := checkValue(dec, cols[next-1], where+"."+key); err != nil {
			return err
		}
	}
	for _, c := range cols[next:] {
		if !c.Optional {
			return fmt.Errorf("%s: key %q is missing", where, c.Name)
		}
	}
	_, err := dec.Token()
	return err
}

func checkValue(dec *json.Decoder, c operation.Column, where string) error {
	switch c.Type {
	case "object":
		return checkObject(dec, c.Fields, where)
	case "list of objects":
		return checkEach(dec, json.Delim('['), func() error { return checkObject(dec, c.Fields, where+"[]") }, where)
	case "object of objects":
		return checkEach(dec, json.Delim('{'), func() error {
			if _, err := dec.Token(); err != nil {
				return err
			}
			return checkObject(dec, c.Fields, where+"{}")
		}, where)
	}
	var v any
	if err := dec.Decode(&v); err != nil {
		return err
	}
	ok := false
	switch x := v.(type) {
	case nil:
		ok = c.Type == "string or null"
	case string:
		ok = c.Type == "string" || c.Type == "string or null"
	case bool:
		ok = c.Type == "boolean"
	case json.Number:
		ok = c.Type == "number"
	case []any:
		ok = c.Type == "list of strings" && all[string](x) || c.Type == "list of numbers" && all[json.Number](x)
	case map[string]any:
		ok = c.Type == "object of numbers"
	}
	if !ok {
		return fmt.Errorf("%s: got %v, want %s", where, v, c.Type)
	}
	return nil
}

// all reports whether all values of a list have one type.
func all[T any](list []any) bool {
	return !slices.ContainsFunc(list, func(v any) bool { _, is := v.(T); return !is })
}

func checkEach(dec *json.Decoder, open json.Delim, each func() error, where string) error {
	if tok, err := dec.Token(); err != nil || tok != open {
		return fmt.Errorf("%s: got %v %v, want %v", where, tok, err, open)
	}
	for dec.More() {
		if err := each(); err != nil {
			return err
		}
	}
	_, err := dec.Token()
	return err
}

// TestShapeFindsFaults makes sure that the check above can fail.
func TestShapeFindsFaults(t *testing.T) {
	cols := []operation.Column{{Name: "a", Type: "number"}, {Name: "b", Type: "list of objects", Fields: []operation.Column{{Name: "c", Type: "string", Optional: true}}}}
	for text, want := range map[string]bool{
		`{"a":1,"b":[]}`:          true,
		`{"a":1,"b":[{"c":"x"}]}`: true,
		`{"a":1,"b":[{}]}`:        true,
		`{"b":[],"a":1}`:          false,
		`{"a":1}`:                 false,
		`{"a":"1","b":[]}`:        false,
		`{"a":1,"b":[{"d":1}]}`:   false,
		`{"a":1,"b":[{"c":1}]}`:   false,
		`{"a":1,"b":{}}`:          false,
	} {
		dec := json.NewDecoder(bytes.NewReader([]byte(text)))
		dec.UseNumber()
		if err := checkObject(dec, cols, "x"); (err == nil) != want {
			t.Errorf("%s: got %v", text, err)
		}
	}
}
