package op

import (
	"net/url"
	"slices"
	"strings"

	"ken/internal/engine/source"
)

// The types below are the parts of SARIF 2.1.0 (OASIS) that name a tool, its rules
// and where they found something. The message of a finding is its kind and rule
// only, because code hosts show it to everybody.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool    sarifTool     `json:"tool"`
	Results []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID    string    `json:"id"`
	Short sarifText `json:"shortDescription"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID       string          `json:"ruleId"`
	RuleIndex    int             `json:"ruleIndex"`
	Level        string          `json:"level"`
	Message      sarifText       `json:"message"`
	Locations    []sarifLocation `json:"locations"`
	Fingerprints sarifPrints     `json:"partialFingerprints"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId"`
}

type sarifRegion struct {
	Line uint32 `json:"startLine"`
}

type sarifPrints struct {
	Hash   string `json:"secretHash/v1"`
	Commit string `json:"commit,omitempty"`
}

func sarifOf(a *secretsAnswer) *sarifLog {
	run := sarifRun{
		Tool:    sarifTool{sarifDriver{Name: "ken", Version: versionOf().Version}},
		Results: []sarifResult{},
	}
	used := map[string]int{}
	for i := range a.Findings {
		used[a.Findings[i].Rule] = 0
	}
	for _, r := range a.rules {
		if _, ok := used[r.ID]; ok {
			used[r.ID] = len(run.Tool.Driver.Rules)
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{ID: r.ID, Short: sarifText{describeRule(r)}})
		}
	}
	for i := range a.Findings {
		f := &a.Findings[i]
		run.Results = append(run.Results, sarifResult{
			RuleID: f.Rule, RuleIndex: used[f.Rule], Level: "error", Message: sarifText{strings.ReplaceAll(f.Kind, "_", " ") + " found by " + f.Rule},
			Locations:    []sarifLocation{{sarifPhysical{sarifArtifact{fileURI(string(f.Path)), "%SRCROOT%"}, sarifRegion{f.Line}}}},
			Fingerprints: sarifPrints{f.Hash, f.Commit},
		})
	}
	return &sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
}

func describeRule(r source.SecretRule) string {
	return strings.ReplaceAll(r.ID, "-", " ") + " (" + strings.ReplaceAll(r.Kind, "_", " ") + ")"
}

// fileURI is a path as a relative URI.
func fileURI(path string) string {
	segs := strings.Split(path, "/")
	for i, s := range segs {
		segs[i] = url.PathEscape(s)
	}
	if i := slices.IndexFunc(segs, func(s string) bool { return strings.Contains(s, ":") }); i == 0 {
		segs = append([]string{"."}, segs...) // "a:b" would be a scheme
	}
	u := strings.Join(segs, "/")
	return u
}
