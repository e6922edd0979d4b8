package main

import (
	"encoding/base64"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"

	"ken/internal/engine/source/secret/rules"
	"ken/internal/engine/source/secret/sample"
)

// drawn is a text with a credential at some places.
type drawn struct {
	text  []byte
	spans [][2]int
	size  int // characters of the value
}

// way is a way of writing a value of a rule.
type way struct {
	rule, name string
	draw       func(rnd *rand.Rand) drawn
}

// allWays returns each way of writing a value: every sample of a rule, with values of other lengths if the rule has no greatest one, and
// names of secrets with values in the alphabets and forms of most languages and files.
func allWays(samples string) ([]way, error) {
	out, err := sampleWays(samples)
	for _, name := range [...]string{"password", "DB_PASSWORD", "api_key", "API_KEY", "auth_token", "client_secret", "refresh_token"} {
		for _, f := range forms {
			for _, a := range alphabets {
				out = append(out, way{"name " + name, f.name + ", " + a.name, func(rnd *rand.Rand) drawn { return f.draw(rnd, name, a.value) }})
			}
		}
	}
	return out, err
}

// maxValue is the length of the longest value.
const maxValue = 64 << 10

// drawLength returns a length from least to maxValue; each order of magnitude is as likely as another.
func drawLength(rnd *rand.Rand, least int) int {
	return int(float64(least) * math.Exp(rnd.Float64()*math.Log(float64(maxValue)/float64(least))))
}

// alphabets are the alphabets of values, with a function that draws one of about n characters.
var alphabets = [...]struct {
	name  string
	value func(rnd *rand.Rand, n int) string
}{
	{"hex", func(rnd *rand.Rand, n int) string { return random(rnd, "0-9a-f", n) }},
	{"HEX", func(rnd *rand.Rand, n int) string { return random(rnd, "0-9A-F", n) }},
	{"letters and digits", func(rnd *rand.Rand, n int) string { return random(rnd, "A-Za-z0-9", n) }},
	{"base64", func(rnd *rand.Rand, n int) string { return base64.StdEncoding.EncodeToString(randomBytes(rnd, n*3/4)) }},
	{"base64url", func(rnd *rand.Rand, n int) string {
		return base64.RawURLEncoding.EncodeToString(randomBytes(rnd, n*3/4))
	}},
	{"URL-safe", func(rnd *rand.Rand, n int) string { return random(rnd, "A-Za-z0-9_.~-", n-2) + random(rnd, "0-9", 2) }},
}

func random(rnd *rand.Rand, set string, n int) string {
	return string(sample.Random(rnd, sample.Alphabet(set), n))
}

func randomBytes(rnd *rand.Rand, n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(rnd.Uint32())
	}
	return out
}

// form is a way in which files assign a value to a name. In the text, NAME is the name and VALUE the value.
type form struct {
	name, text string
	write      func(value string) string // how the value is written; nil: as it is
}

var forms = [...]form{
	{"environment", "NAME=VALUE\n", nil},
	{"export", "export NAME=VALUE\n", nil},
	{"YAML", "NAME: VALUE\n", nil},
	{"YAML in quotes", "a: 1\nNAME: \"VALUE\"\nb: 2\n", nil},
	{"JSON", "{\"a\": 1, \"NAME\": \"VALUE\", \"b\": 2}\n", nil},
	{"JSON in a literal", `x = "{\"NAME\":\"VALUE\"}"` + "\n", nil},
	{"code in quotes", "NAME = \"VALUE\"\n", nil},
	{"code in single quotes", "NAME = 'VALUE';\n", nil},
	{"Go", "const NAME = \"VALUE\"\n", nil},
	{"XML", "<NAME>VALUE</NAME>\n", nil},
	{"query", "GET /a?x=1&NAME=VALUE HTTP/1.1\n", nil},
	{"option", "run --NAME=VALUE\n", nil},
	{"name and value", "- name: NAME\n  value: \"VALUE\"\n", nil},
	{"continued in quotes", "NAME=\"VALUE\"\n", func(v string) string { return strings.Join(lines(v, 76), "\\\n") }},
	{"continued", "NAME=VALUE\n", func(v string) string { return strings.Join(lines(v, 76), "\\\n") }},
	{"joined", "NAME = \"VALUE\"\n", func(v string) string { return strings.Join(lines(v, 60), "\" +\n    \"") }},
	{"escaped by percent signs", "https://a.example/?NAME=VALUE\n", percent},
}

// draw returns a text with a value of about sixteen characters or more.
func (f *form) draw(rnd *rand.Rand, name string, value func(*rand.Rand, int) string) drawn {
	v := value(rnd, drawLength(rnd, 20))
	d := drawn{size: len(v)}
	if f.write != nil {
		v = f.write(v)
	}
	before, after, _ := strings.Cut(strings.ReplaceAll(f.text, "NAME", name), "VALUE")
	d.text = []byte(before + v + after)
	d.spans = [][2]int{{len(before), len(before) + len(v)}}
	return d
}

// lines cuts a text into lines of n characters; the last may be longer.
func lines(s string, n int) (out []string) {
	for ; len(s) > 2*n; s = s[n:] {
		out = append(out, s[:n])
	}
	return append(out, s)
}

// percent escapes each third character of a text, so that three of its bytes are one.
func percent(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if i%3 == 0 {
			fmt.Fprintf(&b, "%%%02X", s[i])
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// sampleWays returns two ways for each sample of a rule: with the value that it has, drawn anew, and with one of any length from there on,
// if the rule takes it.
func sampleWays(path string) (out []way, err error) {
	groups, err := sample.Read(path, 2)
	if err != nil {
		return nil, err
	}
	exprs := expressions()
	for _, g := range groups {
		rule := g.Words[1]
		for _, s := range g.Samples {
			at := longestPattern(s.Raw)
			if !s.Must || len(s.Spans) == 0 || at == nil {
				continue
			}
			name := "sample of line " + strconv.Itoa(s.Line)
			draw := func(rnd *rand.Rand, n int) drawn {
				// A percent sign begins an escape and an & ends a value, so neither is anywhere by chance.
				set := strings.NewReplacer("%", "", "-&", "", "&", "").Replace(s.Raw[at[2]:at[3]])
				text := s.Raw[:at[2]] + set + "*" + strconv.Itoa(n) + s.Raw[at[5]:]
				out, spans, err := sample.Expand(strconv.FormatUint(rnd.Uint64(), 36), text)
				if err != nil {
					panic(err) // the sample was read before
				}
				return drawn{out, spans, n}
			}
			least, _ := strconv.Atoi(s.Raw[at[4]:at[5]])
			out = append(out, way{rule, name, func(rnd *rand.Rand) drawn { return draw(rnd, least) }})
			set := sample.Alphabet(s.Raw[at[2]:at[3]])
			if !strings.ContainsAny(set, "0123456789") || strings.Contains(s.Raw, `\\\n`) {
				continue // words are no longer values; continued lines have ways of their own
			}
			if long := draw(rand.New(rand.NewPCG(1, 1)), 4*least+400); takesAll(exprs[rule], rule, &long) {
				out = append(out, way{rule, name + ", longer", func(rnd *rand.Rand) drawn { return draw(rnd, drawLength(rnd, least)) }})
			}
		}
	}
	return out, nil
}

// pattern is a pattern for random characters in a sample: the set, and the number of them.
var pattern = regexp.MustCompile(`\{\{([^{}()]+)\*(\d+)\}\}`)

// longestPattern returns the place of the longest pattern in the marked part of a sample, or nil if there is none.
func longestPattern(raw string) (best []int) {
	open, end := strings.Index(raw, "«"), strings.LastIndex(raw, "»")
	most := 0
	for _, m := range pattern.FindAllStringSubmatchIndex(raw, -1) {
		if n, _ := strconv.Atoi(raw[m[4]:m[5]]); m[0] > open && m[1] <= end && n > most {
			best, most = m, n
		}
	}
	return best
}

// expressions returns the expressions of the rules that have one.
func expressions() map[string]*regexp.Regexp {
	out := map[string]*regexp.Regexp{}
	for _, family := range [][]rules.Rule{rules.PrivateKeys(), rules.Vendors(), rules.Logins(), rules.Commands()} {
		for _, r := range family {
			if r.Expr != "" {
				out[r.ID] = regexp.MustCompile(r.Expr)
			}
		}
	}
	return out
}

// unlimited are the rules without an expression in these families that take values of any length.
const unlimited = " generic-api-key generic-private-key generic-password generic-password-short generic-token generic-access-token generic-secret" +
	" generic-auth generic-credential php-define basic-auth-url database-url bearer-header authorization-header api-key-header" +
	" private-key private-key-base64 private-key-der private-key-pkcs12 private-key-in-base64 jwk-private-member putty-private-key "

// takesAll reports whether a rule takes a value that is longer than that of its sample.
func takesAll(expr *regexp.Regexp, rule string, d *drawn) bool {
	if expr == nil {
		return strings.Contains(unlimited, " "+rule+" ")
	}
	for _, m := range expr.FindAllSubmatchIndex(d.text, -1) {
		for i := 0; i < len(m); i += 2 {
			if m[i] == d.spans[0][0] && m[i+1] == d.spans[0][1] {
				return true
			}
		}
	}
	return false
}
