package tool

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ken/internal/engine"
)

// block is a text for agents that must fit into a budget of tokens: Markdown
// between two tags. What repositories and users say is written so that it is
// neither a tag nor a second line.
type block struct {
	tag   string
	head  string // lines before the first section
	parts []part
}

// part is what is kept or left out as one. Parts stand in the order of the
// text; rank says in which order they are kept.
type part struct {
	section string // heading; printed before the first part of it that is kept
	text    string // whole lines
	rank    float64
	what    string // noun for what was left out; "" for a detail
	gap     bool   // after an empty line
	keep    func(*briefAnswer)
}

// xmlText makes text safe inside a block: one line, no markup.
func xmlText(s string) string { return xmlEscaper.Replace(Escape(s)) }

var xmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// codeText is xmlText between backticks.
func codeText(s string) string { return "`" + strings.ReplaceAll(xmlText(s), "`", "'") + "`" }

// codeList are names between backticks.
func codeList(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = codeText(n)
	}
	return strings.Join(out, ", ")
}

// clipped shortens a text to about n bytes, at a space if there is one near.
func clipped(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= n {
		return s
	}
	cut := strings.ToValidUTF8(s[:n], "")
	if i := strings.LastIndexByte(cut, ' '); i > n*3/4 {
		cut = cut[:i]
	}
	return cut + "…"
}

// fit renders as many parts as the budget allows, those of the smallest rank
// first, and returns the text with its tokens, and what was kept. The tokens are
// counted on the final text. It fails if not even the first part fits.
func (b *block) fit(budget int) (text string, tokens int, kept []bool, err error) {
	order := make([]int, len(b.parts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(b.parts[x].rank, b.parts[y].rank) })
	counter, err := engine.NewTokenizer(engine.TokenizerO200K)
	if err != nil {
		return "", 0, nil, err
	}
	try := func(n int) bool {
		kept = make([]bool, len(b.parts))
		for _, i := range order[:n] {
			kept[i] = true
		}
		text = b.render(kept)
		tokens = counter.Count([]byte(text))
		return budget == 0 || tokens <= budget
	}
	// The sum of the parts is about the tokens of the whole, and takes one pass.
	n, sum := 0, counter.Count([]byte(b.head))
	for n < len(order) && (budget == 0 || sum <= budget) {
		sum += counter.Count([]byte(b.parts[order[n]].text))
		n++
	}
	for n < len(order) && try(n) {
		n++
	}
	// One part less is not always fewer tokens: what is left out takes some too.
	for !try(n) {
		if n--; n <= 0 {
			try(1)
			return "", 0, nil, usagef("the budget of %d tokens is too small: the smallest that works is %d", budget, tokens)
		}
	}
	return text, tokens, kept, nil
}

func (b *block) render(kept []bool) string {
	var out strings.Builder
	fmt.Fprintf(&out, "<%s>\n%s", b.tag, b.head)
	section := ""
	for i, p := range b.parts {
		if !kept[i] {
			continue
		}
		if p.section != section {
			section = p.section
			fmt.Fprintf(&out, "\n### %s\n", section)
			if !p.gap {
				out.WriteByte('\n')
			}
		}
		if p.gap {
			out.WriteByte('\n')
		}
		out.WriteString(p.text)
	}
	if left := b.leftOut(kept); left != "" {
		fmt.Fprintf(&out, "\nLeft out for the budget: %s.\n", left)
	}
	fmt.Fprintf(&out, "</%s>\n", b.tag)
	return out.String()
}

// leftOut says what was cut: "3 files, 2 tests, 4 details".
func (b *block) leftOut(kept []bool) string {
	var nouns []string
	count := map[string]int{}
	details := 0
	for i, p := range b.parts {
		switch {
		case kept[i]:
			continue
		case p.what == "":
			details++
			continue
		case count[p.what] == 0:
			nouns = append(nouns, p.what)
		}
		count[p.what]++
	}
	var out []string
	for _, n := range nouns {
		out = append(out, plural(count[n], n))
	}
	if details > 0 {
		out = append(out, plural(details, "detail"))
	}
	return strings.Join(out, ", ")
}
