package op

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"ken/internal/delivery/tool"

	"ken/internal/engine/source"
)

// TestSARIF validates against the members of SARIF 2.1.0 that consumers rely on; testdata/sarif.json says them.
func TestSARIF(t *testing.T) {
	schema := compileSchema(t)
	a := &secretsAnswer{
		rules: []source.SecretRule{{ID: "unused", Kind: "token"}, {ID: "github-pat", Kind: "token"}, {ID: "private-key", Kind: "private_key"}},
		Findings: []SecretRow{
			{Path: "a b/ü#?%.py", Line: 3, Column: 7, Kind: "token", Rule: "github-pat", Hash: strings.Repeat("0f", 16)},
			{Path: "a:b", Line: 1, Column: 1, Kind: "private_key", Rule: "private-key", Hash: strings.Repeat("a1", 16), Commit: strings.Repeat("c", 40)},
			{Path: "bad\xff", Line: 9, Column: 2, Kind: "token", Rule: "github-pat", Hash: strings.Repeat("0e", 16)},
		},
	}
	for _, a := range []*secretsAnswer{a, {}} {
		var out bytes.Buffer
		if err := tool.WriteJSON(&out, sarifOf(a)); err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(&out)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%v", err)
		}
	}
	log := sarifOf(a)
	rules := log.Runs[0].Tool.Driver.Rules
	for i, r := range log.Runs[0].Results {
		if rules[r.RuleIndex].ID != r.RuleID || r.RuleID != a.Findings[i].Rule {
			t.Errorf("result %d: rule %s, index %d", i, r.RuleID, r.RuleIndex)
		}
	}
	for i, want := range []string{"a%20b/%C3%BC%23%3F%25.py", "./a:b", "bad%FF"} {
		if got := log.Runs[0].Results[i].Locations[0].Physical.Artifact.URI; got != want {
			t.Errorf("uri %q, want %q", got, want)
		}
	}
}

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("testdata/sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("sarif.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}
