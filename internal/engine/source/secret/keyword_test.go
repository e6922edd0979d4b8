package secret

import (
	"bytes"
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"

	"ken/internal/engine/source/secret/rules"
	"ken/internal/engine/source/secret/sample"
)

// generator writes random texts that an expression matches.
type generator struct {
	rnd *rand.Rand
	out []byte
}

func (g *generator) write(re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		for _, c := range re.Rune {
			g.out = append(g.out, string(c)...)
		}
	case syntax.OpCharClass:
		g.out = append(g.out, g.member(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		g.out = append(g.out, byte('a'+g.rnd.IntN(26)))
	case syntax.OpRepeat:
		most := re.Max
		if most < 0 || most > re.Min+2 {
			most = re.Min + 2
		}
		g.repeat(re.Sub[0], re.Min, most)
	case syntax.OpStar:
		g.repeat(re.Sub[0], 0, 2)
	case syntax.OpPlus:
		g.repeat(re.Sub[0], 1, 3)
	case syntax.OpQuest:
		g.repeat(re.Sub[0], 0, 1)
	case syntax.OpAlternate:
		g.write(re.Sub[g.rnd.IntN(len(re.Sub))])
	default: // groups and sequences; bounds write nothing
		for _, sub := range re.Sub {
			g.write(sub)
		}
	}
}

func (g *generator) repeat(re *syntax.Regexp, least, most int) {
	for range least + g.rnd.IntN(most-least+1) {
		g.write(re)
	}
}

// member is a random letter, digit or mark of a class, which is written as ranges.
func (g *generator) member(ranges []rune) byte {
	var all []byte
	for i := 0; i < len(ranges); i += 2 {
		for c := max(ranges[i], ' '); c <= min(ranges[i+1], '~'); c++ {
			all = append(all, byte(c))
		}
	}
	if len(all) == 0 {
		return '\n'
	}
	return all[g.rnd.IntN(len(all))]
}

// contexts are what rules without an expression of their own are tried in: %k is the keyword, %K in capitals, %s a random value.
var contexts = []string{
	`%k = "%s"`, `%k: "%s"`, "%k: %s\n", "%k=%s\n", `%k"%s"`, `%k "%s"`, `%k"user", "%s"`, `%kb"user:%s")`, `%k("%s")`,
	`%k'DB_PASSWORD', '%s')`, `%k%s@host/`, `%kuser:%s@host/`, `%k Key %s`, `%k("user:%s")`, `%k '%s'`, `%k%s`, `%ks = ["%s"]`, `%k = ["%s"]`,
	`%k"%s", "kty": 1`, `%k\"%s\", \"kty\": 1`, `%k%s", kty: 1`, `%k%s', kty: 1`, `password %k'%s'`,
	`%k = {0x1a, 0x2b, 0xc3, 0x4d, 0x5e, 0xf6, 0x07, 0x18, 0x92, 0xa3, 0xb4, 0xc5, 0xd6, 0xe7, 0xf8, 0x09}`,
	`%KKQIBAAK%s%s%s%s%s`, `%KAgEAMBM%s%s%s%s%s`, `%K%s%s%s%s%s`,
}

// TestKeywords makes sure that every keyword makes its rule find a value: one that its expression describes, or a random one in one of
// the contexts, or that of a sample.
func TestKeywords(t *testing.T) {
	e := New()
	samples, _ := readSamples(t)
	rnd := rand.New(rand.NewPCG(3, 4))
	for i := range e.rules {
		r := &e.rules[i]
		for _, key := range r.Keys {
			if key == "" || !findsBy(t, e, i, key, rnd) && !findsSample(e, i, key, samples) {
				t.Errorf("rule %s: keyword %q finds nothing: a sample with it is wanted", r.ID, key)
			}
		}
	}
}

// findsBy reports that rule i finds one of some random values at a keyword.
func findsBy(t *testing.T, e *Engine, i int, key string, rnd *rand.Rand) bool {
	r := &e.rules[i]
	for n := range 300 {
		g := generator{rnd: rnd}
		if r.Expr != "" {
			re, err := syntax.Parse(r.Expr, syntax.Perl)
			if err != nil {
				t.Fatal(err)
			}
			g.write(re)
		}
		text := "docker login -u me " + string(g.out)
		switch r.Form {
		case rules.FormToken:
			if !strings.Contains(strings.ToLower(text), key) {
				text = key + string(g.out) // the expression does not spell its keywords out
			}
		case rules.FormNear:
			text = key + ` = "` + string(g.out) + `"`
		case rules.FormCustom, rules.FormList:
			value := string(sample.Random(rnd, sample.Alphabet("A-Za-z0-9"), 24))
			text = strings.NewReplacer("%k", key, "%K", strings.ToUpper(key), "%s", value).Replace(contexts[n%len(contexts)])
		}
		if findsAt(e, i, []byte(text), key) {
			return true
		}
	}
	return false
}

func findsSample(e *Engine, i int, key string, samples []ruleSample) bool {
	for _, s := range samples {
		if s.Must && s.rule == e.rules[i].ID && findsAt(e, i, s.Text, key) {
			return true
		}
	}
	return false
}

// findsAt reports that rule i finds a value at one of the places of a keyword.
func findsAt(e *Engine, i int, text []byte, key string) bool {
	low := bytes.ToLower(text)
	for lo := 0; ; lo++ {
		n := bytes.Index(low[lo:], []byte(key))
		if n < 0 {
			return false
		}
		lo += n
		if e.rules[i].Form == rules.FormList {
			found := false
			e.rules[i].List(text, lo, lo+len(key), func(_, _ int) { found = true })
			return found
		}
		if start, end, ok := e.matchRule(i, text, lo, lo+len(key)); ok && end-start >= 4 {
			return true
		}
	}
}
