package secret_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// summary is what was read, an example a line: + or -, the rule, the text and the values.
func summary(s *set) (out []string) {
	for _, x := range s.examples {
		sign := "-"
		if x.positive {
			sign = "+"
		}
		out = append(out, fmt.Sprintf("%s %s %q %q", sign, x.rule, x.text, x.values))
	}
	return out
}

// TestSetReaders reads a little of what each set is written in.
func TestSetReaders(t *testing.T) {
	rule := setFile{"cmd/rules/a.go", `package rules
func A() *config.Rule {
	r := config.Rule{RuleID: "a-key"}
	tps := utils.Samples("a", "k"+utils.Four())
	tps = append(tps, ` + "`a: \"k9999\"`" + `)
	fps := []string{"a" + "b", unknown()}
	return utils.Validate(r, tps, fps)
}`}
	utils := setFile{"cmd/utils/u.go", `package utils
func Four() string { return fmt.Sprintf("%s%d", "12", 34) }
func Samples(i, s string) []string {
	forms := map[string]string{"x": "{i}={s}", "y": "{i} := '{s}'"}
	fill := strings.NewReplacer("{i}", i, "{s}", s)
	cases := make([]string, 0, len(forms))
	for _, v := range forms { cases = append(cases, fill.Replace(v)) }
	return cases
}`}
	table := setFile{"config.toml", "[[rules]]\nid = 'a-key'\nregex = '''a\\W+(k\\d{4})'''\n"}
	for _, c := range []struct {
		name  string
		read  func(*set, []setFile)
		files []setFile
		want  []string
	}{
		{"gitleaks", readGoRules, []setFile{rule, utils, table},
			[]string{`+ a-key "a=k1234" ["k1234"]`, `+ a-key "a := 'k1234'" ["k1234"]`, `+ a-key "a: \"k9999\"" ["k9999"]`, `- a-key "ab" []`}},
		{"trufflehog", readPatternTests, []setFile{{"pkg/detectors/v/v_test.go", `package v
var id, key = "idid7", "kkkk8888"
func TestV(t *testing.T) {
	tests := []struct{ name, input string; want []string }{
		{name: "valid", input: fmt.Sprintf("v %s %s", id, key), want: []string{id + ":" + key}},
		{"short", "v 1", nil},
	}
}`}}, []string{`+ v "v idid7 kkkk8888" ["kkkk8888"]`}},
		{"noseyparker", readYAMLRules, []setFile{{"r.yml", "rules:\n- name: V\n  id: np.v.1\n  pattern: |\n    (?x)(?i)\n    v (?# vendor ) = ( [a-z]{2} \\d )  # value\n  examples:\n  - v=ab1\n  negative_examples:\n  - v=1\n"}},
			[]string{`+ np.v.1 V "v=ab1" ["ab1"]`, `- np.v.1 V "v=1" []`}},
		{"detect-secrets", readPythonTests, []setFile{{"tests/plugins/v_test.py", `# comment
SECRET = 'm{{h}o'
CASES = [
    ('password = "{}"'.format(SECRET), SECRET),  # a comment
    ("if ('{}') {{".format(SECRET), None),
    (
        'one '
        'line\n',
        True,
    ),
    ('{secret}', True),
]`}}, []string{`+ v "password = \"m{{h}o\"" ["m{{h}o"]`, `- v "if ('m{{h}o') {" []`, `+ v "one line\n" []`}},
		{"leaktk", readFolders, []setFile{{"v/valid/a", "x"}, {"v/benign/b", "y"}, {"README", "z"}}, []string{`+ v/a "x" []`, `- v/b "y" []`}},
		{"secretlint", readSnapshots, []setFile{{"packages/@secretlint/secretlint-rule-v/test/snapshots/ng.a/output.json",
			`{"messages":[{"range":[2,4],"messageId":"M"}],"sourceContent":"ä=zz","sourceContentType":"text"}`}}, []string{`+ secretlint-rule-v/M "ä=zz" ["zz"]`}},
	} {
		s := &set{name: c.name}
		c.read(s, c.files)
		if got := summary(s); !slices.Equal(got, c.want) {
			t.Errorf("%s: read\n%s\nnot\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// TestSetClasses decides the classes of a few examples.
func TestSetClasses(t *testing.T) {
	examples := []example{
		{rule: "v", text: "token = 'k7Hq2zR9pL4mX8wT'", values: []string{"k7Hq2zR9pL4mX8wT"}, positive: true},
		{rule: "v", text: "v KEY f96207d289e10d714a6e88b30761fae2", values: []string{"f96207d289e10d714a6e88b30761fae2"}, positive: true, class: bare},
		{rule: "v", text: "Authorization: Bearer f96207d289e10d714a6e", values: []string{"f96207d289e10d714a6e"}, positive: true},
		{rule: "v", text: "key = a1b2c3d4e5f6a7b8", values: []string{"a1b2c3d4e5f6a7b8"}, positive: true, class: madeUp},
		{rule: "v", text: "https://u:password@h/", values: []string{"https://u:password@h/"}, positive: true, class: madeUp},
		{rule: "np.pwhash.1 Password Hash (md5crypt)", text: "x", values: []string{"x"}, positive: true, class: hash},
		{rule: "v client id", text: "id: f96207d289", values: []string{"f96207d289"}, positive: true, class: none},
		{rule: "v", text: "see k7Hq2zR9pL4mX8wT"},
		{rule: "v", text: "token = getToken(k7)", class: none},
		{rule: "v", text: "password: zR9pL4mX8wTk7Hq2"},
	}
	want := make([]class, len(examples))
	for i := range examples {
		want[i] = examples[i].class
	}
	classify(examples)
	for i, x := range examples {
		if x.class != want[i] {
			t.Errorf("%q is of class %d, not %d", x.text, x.class, want[i])
		}
	}
}
