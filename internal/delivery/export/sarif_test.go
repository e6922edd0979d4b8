package export

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	answer "ken/internal/operation"
)

// TestSARIF validates against the members of SARIF 2.1.0 that consumers rely on, listed in testdata/sarif.json.
func TestSARIF(t *testing.T) {
	schema := compileSchema(t)
	rules := []SARIFRule{{ID: "unused", Kind: "token"}, {ID: "github-pat", Kind: "token"}, {ID: "private-key", Kind: "private_key"}}
	found := []SARIFFinding{
		{Path: "a b/ü#?%.py", Line: 3, Kind: "token", Rule: "github-pat", Hash: strings.Repeat("0f", 16)},
		{Path: "a:b", Line: 1, Kind: "private_key", Rule: "private-key", Hash: strings.Repeat("a1", 16), Commit: strings.Repeat("c", 40)},
		{Path: "bad\xff", Line: 0, Kind: "token", Rule: "github-pat", Hash: strings.Repeat("0e", 16)},
	}
	for _, log := range []*SARIF{NewSARIF("1", rules, found), NewSARIF("1", nil, nil)} {
		var out bytes.Buffer
		if err := answer.WriteJSON(&out, log); err != nil {
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
	log := NewSARIF("1", rules, found)
	described := log.Runs[0].Tool.Driver.Rules
	for i, r := range log.Runs[0].Results {
		if described[r.RuleIndex].ID != r.RuleID || r.RuleID != found[i].Rule {
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
