// Package sarif writes findings of credentials as SARIF 2.1.0 (OASIS), which code hosts show. It has the parts of the format that
// name a tool, its rules and where they found something. The message of a finding is its kind and rule only, because code hosts
// show it to everybody. delivery/op, its neighbour, finds what is written.
package sarif

import (
	"net/url"
	"slices"
	"strings"
)

// Rule is a rule that findings can come from.
type Rule struct{ ID, Kind string }

// Finding is one finding.
type Finding struct {
	Path, Kind, Rule, Hash, Commit string
	Line                           uint32 // 0 if the value is part of the name
}

// Log is a SARIF document.
type Log struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []run  `json:"runs"`
}

type run struct {
	Tool    tool     `json:"tool"`
	Results []result `json:"results"`
}

type tool struct {
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

type result struct {
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

// New makes the document of findings. It describes those of the rules that found something, in their order. version is ken's.
func New(version string, rules []Rule, found []Finding) *Log {
	r := run{Tool: tool{driver{Name: "ken", Version: version}}, Results: []result{}}
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
		r.Results = append(r.Results, result{
			RuleID: f.Rule, RuleIndex: used[f.Rule], Level: "error", Message: message{strings.ReplaceAll(f.Kind, "_", " ") + " found by " + f.Rule},
			Locations: []location{{place}}, Fingerprints: fingerprints{f.Hash, f.Commit},
		})
	}
	return &Log{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []run{r}}
}

func describe(r Rule) string {
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
	return strings.Join(segs, "/")
}
