package jsonedit

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata")

var (
	additions = []Addition{
		{Keys: []string{"hooks", "Start"}, Value: json.RawMessage(`{"hooks":[{"type":"command","command":"/bin/ken","args":["hook","start"],"timeout":5}]}`)},
		{Keys: []string{"hooks", "Stop"}, Value: json.RawMessage(`{"hooks":[{"type":"command","command":"/bin/ken","args":["hook","stop"]}]}`)},
		{Keys: []string{"hooks", "Stop"}, Value: json.RawMessage(`{"matcher":"A|B","hooks":[{"type":"command","command":"/bin/ken","args":["hook","late"],"async":true}]}`)},
	}
	settings = []Setting{{"statusLine", json.RawMessage(`{"type":"command","command":"ken <line>"}`)}}
	argvs    = [][]string{{"/bin/ken", "hook", "start"}, {"/bin/ken", "hook", "stop"}, {"/bin/ken", "hook", "late"}}
)

func removal(r Record) Removal {
	return Removal{Keys: []string{"hooks"}, Argvs: argvs, Settings: settings, Record: r}
}

// special are the characters that a txtar file cannot hold.
var special = strings.NewReplacer("<TAB>", "\t", "<CR>", "\r", "<BOM>", string(byteOrderMark), "<NONE>\n", "")

// TestAdd adds to the file "in" of each archive, compares with "out", and takes out
// again. An archive with "error" has that instead of "out".
func TestAdd(t *testing.T) {
	files, err := filepath.Glob("testdata/add/*.txtar")
	if err != nil || len(files) < 10 {
		t.Fatal(len(files), err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			in := []byte(special.Replace(string(a.Files[0].Data)))
			out, record, err := Add(in, additions, settings)
			name, got := "out", strings.NewReplacer("\r", "<CR>", string(byteOrderMark), "<BOM>").Replace(string(out))
			if err != nil {
				name, got = "error", err.Error()+"\n"
			}
			if got != "" && !strings.HasSuffix(got, "\n") {
				got += "<NONE>\n"
			}
			if *update {
				a.Files = append(a.Files[:1:1], txtar.File{Name: name, Data: []byte(got)})
				if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(special.Replace(string(a.Files[1].Data))), special.Replace(got)); diff != "" || a.Files[1].Name != name {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
			if err == nil {
				checkReversed(t, in, out, record)
			}
		})
	}
}

// checkReversed takes out what was added, also after the record went through JSON.
func checkReversed(t *testing.T, in, out []byte, record Record) {
	t.Helper()
	raw, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	var read Record
	if err := json.Unmarshal(raw, &read); err != nil {
		t.Fatal(err)
	}
	back, err := Remove(out, removal(read))
	if err != nil || !bytes.Equal(back, in) {
		t.Errorf("taken out: %v\n%q, was\n%q", err, back, in)
	}
}

// TestRemoveAfterEdits takes out of texts that somebody has edited since.
func TestRemoveAfterEdits(t *testing.T) {
	tests := []struct{ name, in, edit, with, want string }{
		{"another entry behind ours", `{"hooks":{"Stop":[1]}}`, `"async":true}]}`, `"async":true}]},2`, `{"hooks":{"Stop":[1,2]}}`},
		{"another event", `{}`, `"Stop": [`, `"Mine": [7], "Stop": [`, "{\n  \"hooks\": {\n    \"Mine\": [7]\n  }\n}"},
		{"our matcher changed", `{"a":1}`, `"A|B"`, `"C"`, `{"a":1}`},
		{"a command of theirs in our group", `{"a":1}`, `"async":true}`, `"async":true},{"command":"x"}`,
			`{"a":1,"hooks":{"Stop":[{"matcher":"A|B","hooks":[{"command":"x"}]}]}}`},
		{"a comment in our list", "{\n}", "\"Stop\": [", "\"Stop\": [ // mine", "{\n  \"hooks\": {\n    \"Stop\": [ // mine\n    ]\n  }\n}"},
		{"a comment behind ours", "{\n  \"a\": 1\n}", "\"async\": true", "\"async\": true // x", "{\n  \"a\": 1\n}"},
		{"status line changed", `{"a":1}`, "ken <line>", "mine", `{"a":1,"statusLine":{"type":"command","command":"mine"}}`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			out, record, err := Add([]byte(tc.in), additions, settings)
			if err != nil {
				t.Fatal(err)
			}
			edited := strings.Replace(string(out), tc.edit, tc.with, 1)
			if edited == string(out) {
				t.Fatalf("%q is not in %s", tc.edit, out)
			}
			back, err := Remove([]byte(edited), removal(record))
			if err != nil || string(back) != tc.want {
				t.Errorf("%v:\n%s\nwant\n%s", err, back, tc.want)
			}
		})
	}
}

// TestRemoveUnrecorded: without a record, what is left empty goes.
func TestRemoveUnrecorded(t *testing.T) {
	out, _, err := Add([]byte("{\n  \"a\": 1\n}\n"), additions, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := removal(Record{})
	r.Unrecorded = true
	back, err := Remove(out, r)
	if err != nil || string(back) != "{\n  \"a\": 1\n}\n" {
		t.Errorf("%v %s", err, back)
	}
	same, err := Remove(back, r)
	if err != nil || !bytes.Equal(same, back) {
		t.Errorf("a second time: %v %s", err, same)
	}
}

func TestEntries(t *testing.T) {
	text := []byte(`{"hooks":{"Stop":[{"hooks":[{"command":"\u002fbin/ken","args":["hook",/* c */"stop",]}]},{"command":"other"}]}}`)
	found, err := Entries(text, []string{"hooks", "Stop"}, argvs)
	if err != nil || len(found) != 1 || found[0].Argv[2] != "stop" {
		t.Fatal(found, err)
	}
	if !Equal(found[0].Raw, []byte(`{"hooks":[{"args":["hook","stop"],"command":"/bin/ken"}]}`)) {
		t.Errorf("%s", found[0].Raw)
	}
	for _, nothing := range []string{``, `{}`, `{"hooks":[]}`, `{"hooks":{"Stop":7}}`} {
		if found, err := Entries([]byte(nothing), []string{"hooks", "Stop"}, argvs); err != nil || found != nil {
			t.Errorf("%s: %v %v", nothing, found, err)
		}
	}
}

// TestSyntaxErrors: each names the line and the column of what is wrong.
func TestSyntaxErrors(t *testing.T) {
	for in, want := range map[string]string{
		"{\n  \"a\": 1,\n  oops\n}": "line 3, column 3: a key in double quotes is expected",
		"{\n  \"ä\": tru\n}":        "line 2, column 8: 't' where a value is expected",
		"\xEF\xBB\xBF{x":            "line 1, column 2: a key in double quotes is expected",
		"{\"a\": 01}":               "line 1, column 7: this is not a number of JSON",
		"{\"a\": 1":                 "line 1, column 8: the text ends, and the '{' of line 1 is not closed",
		"{\"a\" 1}":                 "line 1, column 6: a colon is expected after a key",
		"{\"a\": 1 2}":              "line 1, column 9: a comma or '}' is expected",
		"{\"a\": \"x\ny\"}":         "line 1, column 9: a string holds a line end or control character",
		"{\"a\": \"\\q\"}":          "line 1, column 7: this string has an escape that JSON does not know",
		"{\"a\": \"x":               "line 1, column 7: a string is not ended",
		"{} {}":                     "line 1, column 4: there is more after the end of the object",
		"[]":                        "line 1, column 1: the file holds no object: it begins with '['",
		"{ /* x }":                  "line 1, column 3: a comment is not ended, or a / that begins none",
		"// nothing":                "line 1, column 11: the text ends where a value is expected",
		"{,}":                       "line 1, column 2: a key in double quotes is expected",
		"\xFF\xFE{\x00}\x00":        "line 1, column 1: the file holds no object: it begins with 'ÿ'",
		"{\"x\":" + strings.Repeat("[", 2000) + "": "line 1, column 1006: it is nested more than 1000 deep",
	} {
		_, _, err := Add([]byte(in), additions, settings)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || err.Error() != want {
			t.Errorf("%.40q: %v, want %s", in, err, want)
		}
	}
}

// TestLarge: 20 MB are edited in seconds, with entries of all sizes and in the place
// where they cost most.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("20 MB")
	}
	many := strings.Repeat(`"Bash(x:*)",`, 20<<20/12)
	for name, in := range map[string]string{
		"a long list":   `{"permissions":[` + many + `"y"]}`,
		"one string":    `{"env":"` + strings.Repeat("x", 20<<20) + `"}`,
		"deep comments": `{` + strings.Repeat("/* c */\n", 20<<20/8) + `}`,
		"many keys":     `{"a":{` + strings.Repeat(`"k":1,`, 20<<20/6) + `"z":1}}`,
	} {
		start := time.Now()
		out, record, err := Add([]byte(in), additions, settings)
		if err != nil {
			t.Fatal(name, err)
		}
		checkReversed(t, []byte(in), out, record)
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
	// Many entries below hooks are refused before they fill memory.
	if _, _, err := Add([]byte(`{"hooks":{"x":[`+strings.Repeat("1,", maxNodes+10)+`1]}}`), additions, nil); err == nil {
		t.Error("more entries than are kept were accepted")
	}
}

// FuzzAdd: what was added is there, all else means what it meant, and taking it out
// gives the bytes of before.
func FuzzAdd(f *testing.F) {
	files, _ := filepath.Glob("testdata/add/*.txtar")
	for _, path := range files {
		if a, err := txtar.ParseFile(path); err == nil {
			f.Add([]byte(special.Replace(string(a.Files[0].Data))))
		}
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if bytes.Contains(in, []byte("ken")) || bytes.Contains(in, []byte(`\u`)) {
			return // may have the commands that are taken out
		}
		out, record, err := Add(in, additions, settings)
		if err != nil {
			return
		}
		checkReversed(t, in, out, record)
		if json.Valid(in) && !json.Valid(out) {
			t.Fatalf("not JSON any more: %q", out)
		}
		want := map[string]any{}
		if len(bytes.TrimSpace(bytes.TrimPrefix(in, byteOrderMark))) > 0 {
			v, err := decode(bytes.TrimPrefix(in, byteOrderMark))
			if err != nil {
				t.Fatalf("accepted what encoding/json does not: %v %q", err, in)
			}
			want = v.(map[string]any)
		}
		got, err := decode(bytes.TrimPrefix(out, byteOrderMark))
		if err != nil {
			t.Fatal(err)
		}
		expect(t, want)
		if !reflect.DeepEqual(want, got) {
			t.Fatalf("another value changed:\n%q\n%q", in, out)
		}
	})
}

// expect adds to decoded values what Add adds to a text.
func expect(t *testing.T, v map[string]any) {
	for _, a := range additions {
		m := v
		if m["hooks"] == nil {
			m["hooks"] = map[string]any{}
		}
		m = m["hooks"].(map[string]any)
		value, err := decode(a.Value)
		if err != nil {
			t.Fatal(err)
		}
		list, _ := m[a.Keys[1]].([]any)
		m[a.Keys[1]] = append(list, value)
	}
	value, err := decode(settings[0].Value)
	if err != nil {
		t.Fatal(err)
	}
	v["statusLine"] = value
}

// TestNamedMember adds a member to an object that others have members in, and takes it out.
func TestNamedMember(t *testing.T) {
	add := []Addition{{Keys: []string{"servers"}, Name: "ken", Value: json.RawMessage(`{"command":"ken","args":["mcp"]}`)}}
	for _, before := range []string{
		"", "{}", "{\n  \"servers\": {}\n}\n", "{\"servers\":{\"b\":{\"command\":\"b\"}}}", "{\n\t// mine\n\t\"servers\": {\n\t\t\"a\": 1, // one\n\t},\n}\n",
	} {
		with, record, err := Add([]byte(before), add, nil)
		if err != nil {
			t.Fatalf("%q: %v", before, err)
		}
		raw, err := Member(with, []string{"servers"}, "ken")
		if argv, ok := Command(raw); err != nil || !ok || len(argv) != 2 {
			t.Errorf("%q: %q %v", with, argv, err)
		}
		after, err := Remove(with, Removal{Keys: []string{"servers"}, Names: []string{"ken"}, Argvs: [][]string{{"ken", "mcp"}}, Record: record})
		if err != nil || string(after) != before {
			t.Errorf("%q became %q, then %q: %v", before, with, after, err)
		}
		other := []byte(strings.Replace(string(with), `"mcp"`, `"other"`, 1))
		after, err = Remove(other, Removal{Keys: []string{"servers"}, Names: []string{"ken"}, Argvs: [][]string{{"ken", "mcp"}}, Record: record})
		if err != nil || string(after) != string(other) {
			t.Errorf("another's entry was changed: %q, %v", after, err)
		}
	}
	if _, _, err := Add([]byte(`{"servers":[]}`), add, nil); err == nil {
		t.Error("a list was taken for an object")
	}
}
