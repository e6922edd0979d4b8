package export

import (
	"net/url"
	"slices"
	"strings"
)

// SARIFRule is a rule that findings can come from.
type SARIFRule struct{ ID, Kind string }

// SARIFFinding is one finding.
type SARIFFinding struct {
	Path, Kind, Rule, Hash, Commit string
	Line                           uint32 // 0 if the value is part of the name
}

// SARIF is a SARIF document.
type SARIF struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool    sarifTool     `json:"tool"`
	Results []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver driver `json:"driver"`
}

type driver struct {
	Name    string           `json:"name"`
	Version string           `json:"version"`
	Rules   []ruleDescriptor `json:"rules"`
}

type ruleDescriptor struct {
	ID    string  `json:"id"`
	Short message `json:"shortDescription"`
}

type message struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID       string       `json:"ruleId"`
	RuleIndex    int          `json:"ruleIndex"`
	Level        string       `json:"level"`
	Message      message      `json:"message"`
	Locations    []location   `json:"locations"`
	Fingerprints fingerprints `json:"partialFingerprints"`
}

type location struct {
	Physical physical `json:"physicalLocation"`
}

type physical struct {
	Artifact artifact `json:"artifactLocation"`
	Region   *region  `json:"region,omitempty"` // none if the value is part of the name
}

type artifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId"`
}

type region struct {
	Line uint32 `json:"startLine"`
}

type fingerprints struct {
	Hash   string `json:"secretHash/v1"`
	Commit string `json:"commit,omitempty"`
}

// NewSARIF makes a document of findings. It describes only the rules with findings, in their order. version is the version of ken.
func NewSARIF(version string, rules []SARIFRule, found []SARIFFinding) *SARIF {
	r := sarifRun{Tool: sarifTool{driver{Name: "ken", Version: version}}, Results: []sarifResult{}}
	used := map[string]int{}
	for i := range found {
		used[found[i].Rule] = 0
	}
	for _, rule := range rules {
		if _, ok := used[rule.ID]; ok {
			used[rule.ID] = len(r.Tool.Driver.Rules)
			r.Tool.Driver.Rules = append(r.Tool.Driver.Rules, ruleDescriptor{ID: rule.ID, Short: message{describe(rule)}})
		}
	}
	for i := range found {
		f := &found[i]
		place := physical{Artifact: artifact{fileURI(f.Path), "%SRCROOT%"}}
		if f.Line > 0 {
			place.Region = &region{f.Line}
		}
		r.Results = append(r.Results, sarifResult{
			RuleID: f.Rule, RuleIndex: used[f.Rule], Level: "error", Message: message{strings.ReplaceAll(f.Kind, "_", " ") + " found by " + f.Rule},
			Locations: []location{{place}}, Fingerprints: fingerprints{f.Hash, f.Commit},
		})
	}
	return &SARIF{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{r}}
}

func describe(r SARIFRule) string {
	return strings.ReplaceAll(r.ID, "-", " ") + " (" + strings.ReplaceAll(r.Kind, "_", " ") + ")"
}

// fileURI returns a path as a relative URI.
func fileURI(path string) string {
	segs := strings.Split(path, "/")
	for i, s := range segs {
		segs[i] = url.PathEscape(s)
	}
	if i := slices.IndexFunc(segs, func(s string) bool { return strings.Contains(s, ":") }); i == 0 {
		segs = append([]string{"."}, segs...) // "a:b" would be a scheme
	}
	return strings.Join(segs, "/")
}
