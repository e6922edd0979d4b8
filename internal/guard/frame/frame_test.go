package frame

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// requests are prompts as tokens, so that what is a quote of one can be decided without folding: a run of its tokens.
// Japanese ones have a character a token.
var requests = [][]string{
	strings.Fields(`When I leave the password empty on the login page there is "no error" displayed , please add validation to the form .`),
	strings.Fields(`The export of invoices drops the last row if the customer has no e-mail address ; fix that in InvoiceExporter.write_rows .`),
	strings.Fields(`Don't retry uploads that the server has refused with 413 : show the user 'file too large' instead .`),
	strings.Fields(`Rename the price field to unit_price everywhere and keep the old JSON key for clients of version 2 .`),
	strings.Fields(`Why does the cache return stale entries after a branch was switched ? Explain it , change nothing .`),
	strings.Fields(`Die Straße im Adressformular wird abgeschnitten , wenn sie länger als 40 Zeichen ist ; bitte korrigieren .`),
	strings.Split("ログイン画面でパスワードを空にしたときにエラーが表示されない。検証を追加してください。", ""),
	strings.Split("請求書の出力で最後の行が消える。顧客のメールアドレスが無い場合に限る。", ""),
	strings.Split("「ファイルが大きすぎます」というメッセージをアップロードの失敗時に表示する。", ""),
}

func join(tokens []string) string {
	if japanese(tokens) {
		return strings.Join(tokens, "")
	}
	return strings.Join(tokens, " ")
}

func japanese(tokens []string) bool {
	return slices.ContainsFunc(tokens, func(t string) bool { r := []rune(t); return len(r) == 1 && r[0] > 0x3000 })
}

// disguises write a text otherwise without changing what it says.
var disguises = []func(*rand.Rand, string) string{
	func(_ *rand.Rand, s string) string { return s },
	func(_ *rand.Rand, s string) string { return norm.NFD.String(s) },
	func(_ *rand.Rand, s string) string { return strings.Map(wide, s) },
	func(_ *rand.Rand, s string) string {
		return strings.NewReplacer("'", "\u2019", `"`, "\u201c", "「", "\u201c", "」", "\u201d").Replace(s)
	},
	func(_ *rand.Rand, s string) string { return strings.ReplaceAll(s, " ", "\u00a0") },
	func(_ *rand.Rand, s string) string { return strings.ReplaceAll(s, " ", "\r\n   ") },
	func(r *rand.Rand, s string) string { return broken(r, s) },
	func(_ *rand.Rand, s string) string { return "  " + s + "\t\n" },
	func(_ *rand.Rand, s string) string {
		return strings.NewReplacer("パ", "ﾊﾟ", "ス", "ｽ", "ワ", "ﾜ", "ド", "ﾄﾞ", "エ", "ｴ", "ラ", "ﾗ", "ー", "ｰ").Replace(s)
	},
}

func wide(r rune) rune {
	if r > ' ' && r < 0x7f {
		return r + 0xfee0
	}
	return r
}

// broken has a line break, or a character that nobody sees, where a layout may put one.
func broken(r *rand.Rand, s string) string {
	var b strings.Builder
	last := rune(0)
	for _, c := range s {
		if isUnspaced(last) && isUnspaced(c) && r.IntN(3) == 0 {
			b.WriteString([]string{"\n", "\u200b", " "}[r.IntN(3)])
		}
		b.WriteRune(c)
		last = c
	}
	return b.String()
}

// span is a random run of tokens that says something.
func span(r *rand.Rand, tokens []string) (from, to int) {
	least := 2
	if japanese(tokens) {
		least = 4
	}
	for {
		from = r.IntN(len(tokens) - least)
		to = from + least + r.IntN(min(8, len(tokens)-from-least+1))
		if to <= len(tokens) && len(meaningfulWords(splitWords(foldText(join(tokens[from:to])).text))) >= 2 && len(contentWords(join(tokens[from:to]))) > 0 {
			return from, to
		}
	}
}

// TestTrueQuotes: whatever a prompt and its quote look like, a quote is found and kept as the prompt has it.
func TestTrueQuotes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 2000 {
		tokens := requests[r.IntN(len(requests))]
		from, to := span(r, tokens)
		prompt := disguises[r.IntN(len(disguises))](r, join(tokens))
		quote := disguises[r.IntN(len(disguises))](r, join(tokens[from:to]))
		f, problems := New([]Given{{TargetFeature, join(tokens[from:to]), quote}}, []string{"another prompt", prompt}, "")
		if len(problems) > 0 {
			t.Errorf("%d: %q of %q: %v", n, quote, prompt, problems)
			continue
		}
		got := f.Find(TargetFeature)
		if got.Source != Fact || got.Basis != FromPrompt || foldText(got.Quote).text != strings.TrimSpace(foldText(quote).text) || !strings.Contains(prompt, got.Quote) {
			t.Errorf("%d: %q of %q: %+v", n, quote, prompt, got)
		}
	}
}

// spoil makes of a quote something that nobody wrote.
func spoil(r *rand.Rand, quote []string) (value, out []string) {
	out = slices.Clone(quote)
	value = out
	i := r.IntN(len(out))
	other := requests[r.IntN(len(requests))]
	switch r.IntN(5) {
	case 0: // another word
		out[i] = other[r.IntN(len(other))]
	case 1: // one left out
		out = slices.Delete(out, i, i+1)
	case 2: // two exchanged
		j := (i + 1) % len(out)
		out[i], out[j] = out[j], out[i]
	case 3: // a word cut, or a character changed
		if w := []rune(out[i]); len(w) > 2 && unicode.IsLetter(w[len(w)-1]) {
			out[i] = string(w[:len(w)-1])
		} else {
			out[i] = "語"
		}
	case 4: // a true quote, and a value from another request
		value = other
	}
	return value, out
}

func holds(all, part []string) bool {
	for i := 0; i+len(part) <= len(all); i++ {
		if slices.Equal(all[i:i+len(part)], part) {
			return true
		}
	}
	return false
}

// TestNearMisses: a quote that differs in a word or a character is refused, and so is a value that its quote does not say.
func TestNearMisses(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := 0; n < 2000; {
		tokens := requests[r.IntN(len(requests))]
		from, to := span(r, tokens)
		value, quote := spoil(r, tokens[from:to])
		forged := !holds(trimmed(tokens), trimmed(quote))
		foreign := !sharesWord(value, quote)
		if len(trimmed(quote)) == 0 || !forged && !foreign {
			continue // by chance it is said there
		}
		n++
		prompt := disguises[r.IntN(len(disguises))](r, join(tokens))
		written := disguises[r.IntN(len(disguises))](r, join(quote))
		if _, problems := New([]Given{{DesiredAction, join(value), written}}, []string{prompt}, ""); len(problems) == 0 {
			t.Errorf("%d: %q of %q was taken for %q", n, written, prompt, join(value))
		}
	}
}

// trimmed are tokens without marks at their ends and without the styles of marks, compared as an oracle that does not fold.
func trimmed(tokens []string) (out []string) {
	for _, t := range tokens {
		out = append(out, strings.NewReplacer("「", `"`, "」", `"`, "'", `"`).Replace(t))
	}
	return out
}

// sharesWord reports whether two lists of tokens have a word in common that is no mark.
func sharesWord(a, b []string) bool {
	lower := func(list []string) string { return " " + strings.ToLower(strings.Join(list, " ")) + " " }
	for _, w := range splitWords(lower(a)) {
		if slices.ContainsFunc(splitWords(lower(b)), func(o string) bool { return o == w || sameStem(o, w) }) {
			return true
		}
	}
	return false
}

// TestFrame holds what becomes of slots.
func TestFrame(t *testing.T) {
	const prompt = "The login page shows no error when the password is empty. Add validation."
	for _, c := range []struct {
		name    string
		given   []Given
		prompts []string
		text    string
		want    Filled
		problem string
	}{
		{"fact", []Given{{TargetFeature, "Login page", "login page"}}, []string{prompt}, "", Filled{TargetFeature, "Login page", "login page", Fact, FromPrompt, ""}, ""},
		{"no quote", []Given{{TargetFeature, "LoginForm.validate", ""}}, []string{prompt}, "", Filled{TargetFeature, "LoginForm.validate", "", Hypothesis, "", ""}, ""},
		{"nothing", nil, []string{prompt}, "", Filled{TargetFeature, "", "", Unresolved, "", ""}, ""},
		{"no hooks", []Given{{TargetFeature, "Login page", "login page"}}, nil, prompt, Filled{TargetFeature, "Login page", "login page", Fact, FromAgent, ""}, ""},
		{"prompts win over the agent's text", []Given{{TargetFeature, "the cache", "the cache"}}, []string{prompt}, "the cache", Filled{}, "the quote is in no prompt"},
		{"cut word", []Given{{TargetFeature, "log", "log"}}, []string{prompt}, "", Filled{}, "the quote is in no prompt"},
		{"marks only", []Given{{TargetFeature, "x", "."}}, []string{prompt}, "", Filled{}, "the quote is in no prompt"},
		{"fillers only", []Given{{TargetFeature, "the invoice is exported", "the password is empty"}}, []string{prompt}, "", Filled{}, "the value does not follow"},
		{"no value", []Given{{TargetFeature, "", "login page"}}, []string{prompt}, "", Filled{}, "a quote without a value"},
		{"no slot", []Given{{"feature", "a", "a"}}, []string{prompt}, "", Filled{}, `"feature" is not a slot`},
		{"long", []Given{{TargetFeature, strings.Repeat("a", MaxValue+1), "login"}}, []string{prompt}, "", Filled{}, "at most 2000 bytes"},
		{"bad bytes", []Given{{TargetFeature, "login", "login \xff"}}, []string{"login \xff page"}, "", Filled{TargetFeature, "login", "login \ufffd", Fact, FromPrompt, ""}, ""},
	} {
		f, problems := New(c.given, c.prompts, c.text)
		switch {
		case c.problem != "" && !strings.Contains(strings.Join(problems, "\n"), c.problem):
			t.Errorf("%s: problems %q, want %q", c.name, problems, c.problem)
		case c.problem == "" && (len(problems) > 0 || f.Find(TargetFeature) != c.want):
			t.Errorf("%s: %+v %q, want %+v", c.name, f.Find(TargetFeature), problems, c.want)
		}
	}
	for _, c := range []struct {
		name    string
		given   []Given
		problem string
	}{
		{"words of every request", []Given{{TargetFeature, "the", "The"}, {DesiredAction, "add", "Add"}}, "no word that says what it is about"},
		{"one word, two slots", []Given{{TargetFeature, "login", "login"}, {ObservedIssue, "the login", "The login"}}, "one word fills one slot"},
		{"forms of one word", []Given{{TargetFeature, "page", "page"}, {TriggerCondition, "pages", "page"}}, "one word fills one slot"},
		{"a word each", []Given{{TargetFeature, "login page", "login page"}, {ObservedIssue, "page shows no error", "page shows no error"}}, ""},
		{"as many words as slots", []Given{{TargetFeature, "login page", "login page"}, {TriggerCondition, "login page", "login page"}, {ObservedIssue, "page", "page"}}, "one word fills one slot"},
	} {
		if _, problems := New(c.given, []string{prompt}, ""); (c.problem == "") != (len(problems) == 0) || !strings.Contains(strings.Join(problems, "\n"), c.problem) {
			t.Errorf("%s: problems %q, want %q", c.name, problems, c.problem)
		}
	}
	f, _ := New([]Given{{ObservedIssue, "no error", "no error"}, {DesiredAction, "a validator class", ""}}, []string{prompt}, "")
	var missing []Slot
	for _, s := range f.Guidance() {
		missing = append(missing, s.Slot)
	}
	if want := []Slot{TargetFeature, TriggerCondition, DesiredAction}; !slices.Equal(missing, want) {
		t.Errorf("guidance for %v, want %v", missing, want)
	}
	if g := f.WithFact(DesiredAction, "form.go:12").Find(DesiredAction); g.Source != Fact || g.Basis != FromLook || f.Find(DesiredAction).Source != Hypothesis {
		t.Errorf("verified: %+v", g)
	}
}

// FuzzFind: a text is always a quote of itself if it has a word, and nothing panics.
func FuzzFind(f *testing.F) {
	f.Add("a \u2018b\u2019", "b")
	f.Add("ﾊﾞ\u3099\u200b", "\xff\xfe")
	f.Fuzz(func(t *testing.T, text, quote string) {
		findQuote(text, quote)
		if got, ok := findQuote(text, text); len(splitWords(strings.TrimSpace(foldText(text).text))) > 0 && !ok {
			t.Errorf("%q is not found in itself: %q", text, got)
		}
		followsFromQuote(text, quote)
	})
}
