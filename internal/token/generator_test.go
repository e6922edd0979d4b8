package token_test

import (
	"math/rand/v2"
	"strings"
	"unicode"
)

// generator makes texts that are hard to split: characters of every class,
// contractions, white space of all kinds, source, bytes that are not UTF-8.
type generator struct {
	r       *rand.Rand
	classes [][]rune
}

func newGenerator(r *rand.Rand) *generator {
	g := &generator{r: r}
	for _, tab := range []*unicode.RangeTable{unicode.Lu, unicode.Lt, unicode.Ll, unicode.Lm, unicode.Lo, unicode.M,
		unicode.Nd, unicode.Nl, unicode.No, unicode.P, unicode.S, unicode.Z, unicode.C, unicode.White_Space} {
		g.classes = append(g.classes, members(tab))
	}
	return g
}

// members lists the characters of a table, of large ranges a part.
func members(tab *unicode.RangeTable) []rune {
	var all []rune
	add := func(lo, hi, stride rune) {
		stride *= max(1, (hi-lo)/stride/2000)
		for r := lo; r <= hi; r += stride {
			if r < 0xd800 || r >= 0xe000 {
				all = append(all, r)
			}
		}
	}
	for _, r := range tab.R16 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range tab.R32 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	return all
}

var fragments = strings.Split("'s¦'S¦'t¦'T¦'re¦'Re¦'RE¦'ve¦'vE¦'m¦'M¦'ll¦'LL¦'d¦'D¦'ſ¦'l¦'r¦'v¦'¦''¦'x¦don't¦IT'S¦we'LL¦"+
	" ¦ ¦  ¦   ¦\t¦\t\t¦\n¦\n\n¦\r\n¦\r¦\v¦\f¦\u0085¦\u00a0¦\u2028¦\u3000¦\u2003¦ \n¦ \n ¦\n \n¦\t\n  ¦"+
	"foo¦Bar¦fooBar¦FooBarBaz¦HTTPServer¦snake_case¦CONST_NAME¦x¦X¦aB¦Ab¦getElementById¦internationalisation¦"+
	"1¦12¦123¦1234¦1234567¦0x1F¦3.14¦١٢٣¦Ⅷ¦½¦²¦"+
	"(¦)¦{¦}¦()¦({¦});¦;¦//¦///¦/¦/*¦*/¦\n/¦\n//\n/¦==¦!=¦->¦=>¦...¦,¦.¦!!!¦#¦$¦@¦\\¦\"¦`¦%¦&&¦<¦>¦</¦/>¦-----¦"+
	"<|endoftext|>¦<|im_start|>¦<|fim_prefix|>¦<|endofprompt|>¦"+
	"é¦É¦e\u0301¦\u0301¦\u0301\u0302¦ß¦ẞ¦ǅ¦ʰ¦ª¦あ¦日本語¦한국어¦Привет¦ПРИВЕТ¦ПриВет¦שלום¦مرحبا¦สวัสดี¦हिन्दी¦"+
	"😀¦👩‍💻¦🏳️‍🌈¦👍🏽¦🇩🇪¦\u200d¦\ufeff¦\ufffd¦\u00ad¦\x00¦\x7f¦\x1b[0m¦"+
	"\x80¦\xbf¦\xc0¦\xc1¦\xc2¦\xe0\x80¦\xe0\xa0¦\xed\xa0\x80¦\xef\xbf¦\xf0\x9f¦\xf0\x9f\x98¦\xf0\x80¦\xf4\x90¦\xf5¦\xff¦\xfe", "¦")

// text returns a text of up to some hundred bytes.
func (g *generator) text() []byte {
	var b []byte
	mode := g.r.IntN(4)
	for n := 1 + g.r.IntN(30); n > 0; n-- {
		switch k := g.r.IntN(12); {
		case k == 0 && mode == 3:
			b = append(b, byte(g.r.Uint32()))
		case k < 3:
			b = append(b, byte(g.r.IntN(128)))
		case k < 6 && mode > 0:
			class := g.classes[g.r.IntN(len(g.classes))]
			b = append(b, string(class[g.r.IntN(len(class))])...)
		case k == 6 && g.r.IntN(4) == 0:
			f := fragments[g.r.IntN(len(fragments))]
			b = append(b, strings.Repeat(f, 1+g.r.IntN(40))...)
		default:
			f := fragments[g.r.IntN(len(fragments))]
			if mode < 3 && strings.ToValidUTF8(f, "") != f {
				f = " "
			}
			b = append(b, f...)
		}
	}
	return b
}
