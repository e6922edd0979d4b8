package secret_test

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/goccy/go-yaml"
)

// yamlRule is a rule of noseyparker or kingfisher.
type yamlRule struct {
	Name, ID, Pattern string
	Examples          []string
	Negative          []string `yaml:"negative_examples"`
	MinEntropy        float64  `yaml:"min_entropy"`
	Visible           *bool
}

// readYAMLRules reads the examples beside the rules of noseyparker and kingfisher. Most values of kingfisher's are made up, so
// they are read once more as a set of its own, with a value that the rule accepts drawn in place of each.
func readYAMLRules(s *set, files []setFile) {
	drawn := strings.HasSuffix(s.name, "-drawn")
	for _, f := range files {
		if !strings.HasSuffix(f.path, ".yml") && !strings.HasSuffix(f.path, ".yaml") {
			continue
		}
		var file struct{ Rules []yamlRule }
		if err := yaml.Unmarshal([]byte(f.text), &file); err != nil {
			s.unread++
			continue
		}
		for _, r := range file.Rules {
			re, err := compile(r.Pattern)
			if err != nil {
				s.unread++
				continue
			}
			s.addYAML(&r, re, drawn)
		}
	}
}

func (s *set) addYAML(r *yamlRule, re *regexp.Regexp, drawn bool) {
	x := example{rule: r.ID + " " + r.Name, positive: true, helper: r.Visible != nil && !*r.Visible}
	for i, text := range r.Examples {
		m := re.FindStringSubmatchIndex(text)
		if m == nil {
			s.unread++
			continue
		}
		group := valueGroup(re, m)
		lo, hi := m[2*group], m[2*group+1]
		x.text, x.values = text, []string{text[lo:hi]}
		if drawn {
			if !x.redraw(re, group, lo, hi, fmt.Sprintf("%s %d", r.ID, i), r.MinEntropy) {
				s.unread++
				continue
			}
		}
		s.add(x)
	}
	for _, text := range r.Negative {
		if !drawn {
			s.add(example{rule: x.rule, text: text})
		}
	}
}

// redraw puts a value drawn anew in place of text[lo:hi], if the rule still accepts it there.
func (x *example) redraw(re *regexp.Regexp, group, lo, hi int, seed string, minEntropy float64) bool {
	tree, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		return false
	}
	part := groupOf(tree, group)
	if part == nil {
		part = tree
	}
	for try := range 50 {
		value := draw(part, fmt.Sprintf("%s %d", seed, try))
		text := x.text[:lo] + value + x.text[hi:]
		m := re.FindStringSubmatchIndex(text)
		if m == nil || bits(value) < minEntropy || decide(&example{text: text, values: []string{value}, positive: true, rule: "drawn"}) == madeUp {
			continue
		}
		if group := valueGroup(re, m); text[m[2*group]:m[2*group+1]] == value {
			x.text, x.values = text, []string{value}
			return true
		}
	}
	return false
}

// valueGroup is the number of the group that is the value: the one named TOKEN, else the second of several, because the first is a
// user or an identifier and the third a host, else the first, else the whole match.
func valueGroup(re *regexp.Regexp, m []int) int {
	if i := re.SubexpIndex("TOKEN"); i > 0 && m[2*i] >= 0 {
		return i
	}
	group, n := 0, 0
	for i := 1; i < len(m)/2 && n < 2; i++ {
		if m[2*i] < m[2*i+1] {
			group, n = i, n+1
		}
	}
	return group
}
