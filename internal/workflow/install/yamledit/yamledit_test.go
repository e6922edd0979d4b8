package yamledit

import (
	"encoding/json"
	"strings"
	"testing"
)

const value = `{"type":"stdio","name":"ken","cmd":"/opt/my tools/ken","args":["mcp"],"envs":{},"enabled":true,"timeout":60}`

const block = "  ken:\n    type: stdio\n    name: ken\n    cmd: \"/opt/my tools/ken\"\n    args: [\"mcp\"]\n    envs: {}\n    enabled: true\n    timeout: 60\n"

// seeds are files, each with what it is with the member.
var seeds = map[string][2]string{
	"empty":      {"", "extensions:\n" + block},
	"no map":     {"# mine\nGOOSE_MODEL: x # y\n", "# mine\nGOOSE_MODEL: x # y\nextensions:\n" + block},
	"no newline": {"a: 1", "a: 1\nextensions:\n" + block},
	"a map": {"extensions:\n  other: # theirs\n    cmd: x\n    args: [a, b]\n# behind\nz: 1\n",
		"extensions:\n  other: # theirs\n    cmd: x\n    args: [a, b]\n" + block + "# behind\nz: 1\n"},
	"deeper":       {"extensions:\n    other:\n        cmd: x\n", "extensions:\n    other:\n        cmd: x\n" + strings.ReplaceAll(block, "  ken", "    ken")},
	"mark":         {"\ufeffa: 1\n", "\ufeffa: 1\nextensions:\n" + block},
	"flow":         {"extensions: {other: {cmd: x}} # one line\n", "extensions: {\"ken\": " + value + ", other: {cmd: x}} # one line\n"},
	"empty flow":   {"extensions: {}\nb: 2\n", "extensions: {\"ken\": " + value + "}\nb: 2\n"},
	"nothing":      {"extensions: # none\nb: 2\n", "extensions: # none\n" + block + "b: 2\n"},
	"a document":   {"---\na: 1\n", "---\na: 1\nextensions:\n" + block},
	"dates, nulls": {"a: 2020-01-01\nb: ~\nc: !!str 1\nextensions:\n  o: {x: 1}\n", "a: 2020-01-01\nb: ~\nc: !!str 1\nextensions:\n  o: {x: 1}\n" + block},
	"crlf": {"a: 1\r\nextensions:\r\n  o:\r\n    x: 1\r\nb: 2\r\n",
		"a: 1\r\nextensions:\r\n  o:\r\n    x: 1\r\n" + strings.ReplaceAll(block, "\n", "\r\n") + "b: 2\r\n"},
}

// TestAdd: a member is added, read again, and removed without a trace.
func TestAdd(t *testing.T) {
	for name, seed := range seeds {
		got, err := Add([]byte(seed[0]), "extensions", "ken", json.RawMessage(value))
		want := seed[1]
		if name == "deeper" {
			want = strings.NewReplacer("\n    type", "\n      type", "\n    name", "\n      name", "\n    cmd: \"", "\n      cmd: \"", "\n    args: [\"", "\n      args: [\"",
				"\n    envs", "\n      envs", "\n    enabled", "\n      enabled", "\n    timeout", "\n      timeout").Replace(want)
		}
		if err != nil || string(got) != want {
			t.Errorf("%s: %v\n%q, want\n%q", name, err, got, want)
			continue
		}
		v, err := Member(got, "extensions", "ken")
		if err != nil || !equalJSON(v, []byte(value)) {
			t.Errorf("%s: %s, %v", name, v, err)
		}
		back, err := Remove(got, "extensions", "ken", !Has([]byte(seed[0]), "extensions"))
		if err != nil || strings.TrimRight(string(back), "\n") != strings.TrimRight(seed[0], "\n") {
			t.Errorf("%s: %v\n%q, want\n%q", name, err, back, seed[0])
		}
	}
}

// TestRefused: a file in another form is not edited.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"a: [\n":                           "it is not a map of YAML",
		"- a\n- b\n":                       "it is not a map of YAML",
		"a: 1\n---\nb: 2\n":                "several documents",
		"extensions: [a]\n":                "extensions is not a map",
		"extensions: text\n":               "extensions is not a map",
		"extensions: &x\n  a: {c: 1}\n":    errForm.Error(),
		"a: 1\na: 2\n":                     "it is not a map of YAML",
		"? extensions\n: {a: 1}\n":         errForm.Error(),
		"text: |\n  a\nextensions: null\n": errForm.Error(),
	} {
		v, err := Member([]byte(text), "extensions", "ken")
		if err == nil && v == nil {
			_, err = Add([]byte(text), "extensions", "ken", json.RawMessage(value))
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := Remove([]byte("a: 1\n"), "extensions", "ken", true); err == nil {
		t.Error("removed what is not there")
	}
}

// FuzzAdd: an edit either fails or adds exactly the member, and the file is the same when it is removed, but for a line end at its end.
func FuzzAdd(f *testing.F) {
	for _, seed := range seeds {
		f.Add(seed[0])
		f.Add(seed[1])
	}
	f.Fuzz(func(t *testing.T, text string) {
		there, err := Member([]byte(text), "extensions", "ken")
		if err != nil || there != nil {
			return
		}
		got, err := Add([]byte(text), "extensions", "ken", json.RawMessage(value))
		if err != nil {
			return
		}
		back, err := Remove(got, "extensions", "ken", !Has([]byte(text), "extensions"))
		if err != nil {
			t.Fatalf("%q is %q, which cannot be removed: %v", text, got, err)
		}
		if strings.TrimRight(string(back), "\r\n") != strings.TrimRight(text, "\r\n") {
			t.Errorf("%q came back as %q", text, back)
		}
	})
}
