package secret_test

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// readGoRules reads the rules of gitleaks, or of its fork: functions that end by handing their rule, what it must find and what it
// must not to utils.Validate. Which part of an example is the credential is what the rule's expression says, which the set's
// configuration, generated from the same functions, holds in one piece.
func readGoRules(s *set, files []setFile) {
	var config struct {
		Rules []struct {
			ID, Regex   string
			SecretGroup int
		}
	}
	exprs, groups := map[string]*regexp.Regexp{}, map[string]int{}
	var code []setFile
	for _, f := range files {
		if strings.HasSuffix(f.path, ".toml") {
			if err := toml.Unmarshal([]byte(f.text), &config); err != nil {
				s.unread++
			}
		} else if !strings.HasSuffix(f.path, "_test.go") {
			code = append(code, f)
		}
	}
	for _, r := range config.Rules {
		if re, err := compile(r.Regex); err == nil && r.Regex != "" {
			exprs[r.ID], groups[r.ID] = re, r.SecretGroup
		}
	}
	c := newGoCode(code)
	rules := c.packages["rules"]
	if rules == nil {
		s.unread++
		return
	}
	c.emit = func(_ string, args []any) {
		if len(args) < 3 {
			return
		}
		id := ""
		if r, ok := args[0].(goRecord); ok {
			id, _ = r["RuleID"].(string)
		}
		for i, list := range args[1:3] {
			for _, text := range texts(list) {
				s.add(example{rule: id, text: text, values: credentialIn(exprs[id], groups[id], text), positive: i == 0})
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rules.funcs)) {
		if f := rules.funcs[name]; f.Type.Params.NumFields() == 0 {
			clear(c.drawn)
			_, _ = c.call(rules, f, nil)
		}
	}
	s.unread += c.unread
}

// texts are the strings of a list, or of the values of a map.
func texts(v any) (out []string) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if text, ok := e.(string); ok {
				out = append(out, text)
			}
		}
	case goTable:
		for _, p := range v {
			if text, ok := p[1].(string); ok {
				out = append(out, text)
			}
		}
	}
	return out
}

func credentialIn(re *regexp.Regexp, group int, text string) []string {
	if re == nil {
		return nil
	}
	m := re.FindStringSubmatch(text)
	switch {
	case m == nil:
		return nil
	case group > 0 && group < len(m):
		return m[group : group+1]
	}
	for _, v := range m[1:] {
		if v != "" {
			return []string{v}
		}
	}
	return m[:1]
}

// readPatternTests reads the tests of trufflehog's detectors: tables whose rows have an input and what is wanted of it. Rows that
// want nothing say that the detector's expression does not match, and not that the text holds no credential, so they are left out.
func readPatternTests(s *set, files []setFile) {
	folders := map[string][]setFile{}
	for _, f := range files {
		if strings.HasSuffix(f.path, "_test.go") && !strings.Contains(f.path, "integration") && !strings.Contains(f.text, "\n//go:build detectors") &&
			!strings.HasPrefix(f.text, "//go:build detectors") {
			folders[path.Dir(f.path)] = append(folders[path.Dir(f.path)], f)
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		c := newGoCode(folders[folder])
		for _, p := range c.packages {
			for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
				if !strings.HasPrefix(name, "Test") {
					continue
				}
				frame := &goFrame{c, p, map[string]any{}}
				_, _, _ = frame.run(p.funcs[name].Body.List)
				for _, local := range slices.Sorted(maps.Keys(frame.local)) {
					s.addRows(strings.TrimPrefix(folder, "pkg/detectors/"), frame.local[local])
				}
			}
		}
		s.unread += c.unread
	}
}

// addRows adds the rows of a table of tests.
func (s *set) addRows(rule string, table any) {
	list, _ := table.([]any)
	for _, row := range list {
		r, _ := row.(goRecord)
		text, _ := r["input"].(string)
		for _, want := range texts(r["want"]) {
			if part := credentialPart(partsIn(text, want)); part != "" {
				s.add(example{rule: rule, text: text, values: []string{part}, positive: true})
			} else {
				s.unread++
			}
		}
	}
}

// credentialPart is the one of several parts that was drawn from the most: the others are users, hosts and identifiers.
func credentialPart(parts []string) (best string) {
	for _, p := range parts {
		if bits(p)*float64(len(p)) >= bits(best)*float64(len(best)) {
			best = p
		}
	}
	return best
}

// partsIn is a credential as it is in a text: in one piece, or in two to four that were joined, with or without a mark between them.
func partsIn(text, want string) []string {
	if want == "" || strings.Contains(text, want) {
		return []string{want}
	}
	var parts []string
	for rest := want; rest != ""; {
		n := len(rest)
		for n > 3 && !strings.Contains(text, rest[:n]) {
			n--
		}
		if n <= 3 {
			if len(parts) == 0 || !strings.ContainsAny(rest[:1], ":;,|/@.-_ ") {
				return nil
			}
			rest = rest[1:]
			continue
		}
		parts = append(parts, rest[:n])
		rest = rest[n:]
	}
	if len(parts) > 4 {
		return nil
	}
	return parts
}
