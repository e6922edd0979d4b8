package main

import (
	"regexp"
	"strings"
	"sync"

	"ken/internal/delivery/plancode"
	"ken/internal/delivery/plancode/check"
)

// declaring are the words by which git finds declarations: it knows no language, so those of many are enough.
const declaring = `(function|class|interface|type|enum|struct|trait|def|const|func|fn|record)[[:space:]]+[A-Za-z_$][A-Za-z0-9_$]*`

// wordOfPlan is a word that can be a name.
var wordOfPlan = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z_$][\w$]*`) })

// declaredNames counts the names in the text of a plan that are declared at its commit, found by git alone, and those with a verdict.
// A name counts if it has two humps or an underscore, as no word has.
func (t *claimsTally) declaredNames(r *repo, commit string, p *executedPlan, a *plancode.CheckAnswer) (without []string) {
	out, _ := r.git("grep", "-hoE", declaring, commit, "--", ".", ":!.planning", ":!*.md")
	declared := map[string]bool{}
	for line := range strings.Lines(out) {
		words := strings.Fields(line)
		declared[words[len(words)-1]] = true
	}
	judged := map[string]bool{}
	for _, list := range [][]check.Claim{a.Symbols, a.Signatures} {
		for i := range list {
			for w := range strings.SplitSeq(list[i].Name, ".") {
				judged[w] = true
			}
		}
	}
	seen := map[string]bool{}
	for _, w := range wordOfPlan().FindAllString(p.text, -1) {
		if seen[w] || !declared[w] || !hasNameForm(w) {
			continue
		}
		seen[w] = true
		t.names++
		if judged[w] {
			t.judged++
		} else {
			without = append(without, w)
		}
	}
	return without
}

// hasNameForm reports whether a word has two humps, or an underscore inside.
func hasNameForm(w string) bool {
	inner := strings.Trim(w, "_$")
	if len(inner) <= 3 || strings.Contains(inner, "_") {
		return len(inner) > 3
	}
	return strings.ToLower(inner[1:]) != inner[1:] && strings.ToUpper(inner) != inner
}
