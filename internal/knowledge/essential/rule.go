package essential

import (
	"cmp"
	"context"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ken/internal/code"
	"ken/internal/engine/view"
)

// Rule is a sentence in which a document demands something of code, and the document.
type Rule struct{ Text, Path string }

// maxDemands is the number of demands that Demands returns.
const maxDemands = 3

// ruleFolders are the folders whose files are looked at for demands, so that the beginning of a session reads no list of all files.
var ruleFolders = [...]string{"", ".github", "docs", ".claude"}

// Demands returns the rules that reviewers are surest to demand, at most three: sentences with an instruction about the code, of
// contribution guides and of agents' files that git tracks. skip reports whether the reader has a document anyway. A sentence is
// returned whole or not at all. It fails if the index cannot be read.
func Demands(ctx context.Context, s *view.Snapshot, skip func(path string) bool) ([]Rule, error) {
	var docs []string
	for _, dir := range ruleFolders {
		files, err := s.Index.FilesIn(dir)
		if err != nil {
			return nil, err
		}
		for i := range files {
			f := &files[i]
			if f.Problem != code.ProblemNone || !slices.Contains(rulesFiles, strings.ToLower(f.Path)) || skip(f.Path) {
				continue
			}
			if f.Flags&code.FlagTracked != 0 || !isForAgents(f.Path) {
				docs = append(docs, f.Path)
			}
		}
	}
	type weighed struct {
		Rule
		weight float64
		place  int
	}
	var all []weighed
	for _, p := range docs {
		text, err := s.Text(ctx, p)
		if err != nil {
			return nil, err
		}
		for _, part := range readParts(string(text)) {
			if part.level > 0 {
				continue
			}
			for _, t := range sentences(part.text) {
				if w := demandWeight(t); w >= minDemand {
					all = append(all, weighed{Rule{t, p}, w, len(all)})
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b weighed) int { return cmp.Compare(b.weight, a.weight) })
	var kept []weighed
	for _, w := range all {
		isSame := func(k weighed) bool { return firstTopic(k.Text) == firstTopic(w.Text) }
		if len(kept) < maxDemands && !slices.ContainsFunc(kept, isSame) {
			kept = append(kept, w)
		}
	}
	slices.SortFunc(kept, func(a, b weighed) int { return cmp.Compare(a.place, b.place) })
	var out []Rule
	for _, k := range kept {
		out = append(out, k.Rule)
	}
	return out, nil
}

// isForAgents reports whether a document is for agents. Such a file can be a person's own, so only one that git tracks counts.
func isForAgents(p string) bool {
	return !strings.Contains(strings.ToLower(p), "contributing") && !strings.HasPrefix(strings.ToLower(path.Base(p)), "hacking")
}

// sentences cuts a text into sentences.
func sentences(text string) (out []string) {
	for rest := text; rest != ""; {
		s := firstSentence(rest)
		out, rest = append(out, strings.TrimSpace(s)), strings.TrimSpace(rest[len(s):])
	}
	return out
}

// minDemand is the least weight of a demand that is shown; it takes a clear instruction and a topic of code.
const minDemand = 4

// The lengths of a demand, in bytes.
const (
	minDemandLength = 25
	maxDemandLength = 150
)

// demandPatterns are the expressions by which demands are weighed.
type demandPatterns struct{ strict, order, topic, aside, dangling, mild *regexp.Regexp }

var demand = sync.OnceValue(func() *demandPatterns {
	return &demandPatterns{
		strict: regexp.MustCompile(`(?i)\b(?:must|shall|(?:should|may|can) (?:not|never|only|always)|shouldn['’]t|needs? to be|ha(?:s|ve) to be|not allowed|forbidden)\b|` +
			`(?:^|[;:,(—–] ?| - |\b(?:and|please) )(?:never|always|do not|don['’]t|only use|avoid)\b`),
		order: regexp.MustCompile("(?i)(?:^|^[^:.`]{3,30}: )(?:please )?(?:use|prefer|write|keep|add|put|include|update|handle|declare|define|mark|wrap|follow|avoid|ensure|make sure|" +
			"limit|cover|maintain|respect|match|place|group|sort|reuse|never|always|do not|don['’]t)\\b"),
		topic: regexp.MustCompile(`(?i)\b(?:tests?|test suite|functions?|methods?|class(?:es)?|types?|type hints?|variables?|constants?|api|exports?|imports?|commit messages?|commits?|` +
			`change ?log|changeset|changelog entr(?:y|ies)|doc(?:ument(?:ed|ation)?|string|s)?|docstrings?|comments?|lint(?:er|ing)?|format(?:ted|ter|ting)?|indent(?:ation)?|tabs?|spaces|` +
			`line length|naming|errors?|exceptions?|panics?|logging|dependenc(?:y|ies)|backwards?[- ]compatib\w+|breaking changes?|null(?:able)?|asserts?|assertions?|coverage|benchmarks?|macros?|` +
			`interfaces?|modules?|packages?|generated|warnings?|mocks?|fixtures?|globals?|allocations?|unsafe|strict|semicolons?|quotes|braces|headers?|namespaces?|pragma|conventional commits)\b`),
		aside: regexp.MustCompile(`(?i)https?:|\b(?:issues?|questions?|discuss\w*|security|vulnerab\w+|cla|license agreement|conduct|sponsor\w*|fork|clone|checkout|branch(?:es)?|slack|discord|` +
			`mailing list|maintainers?|thank\w*|welcome|feel free|recommend\w*|happy|appreciat\w*|patien\w+|bug reports?|report\w*|e-?mail|installed?|download\w*|set ?up|virtualenv|screenshots?|releas\w+|` +
			`versions?|template|label\w*|assign\w*|copyright|prompts?|conversations?|agents?|claude|copilot|assistants?|ai|llms?|you are|respond|repl(?:y|ies)|users?['’]?s? requests?|contributors?|proposals?|` +
			`stackoverflow|stack overflow|donat\w+|roadmap|milestones?|rebase|squash\w*|merge[ds]?|review\w*|pull requests?|prs?|above|below|following|previous section|example|e\.g|etc|i\.e|rfc|ask|task|` +
			`translat\w+|website|docker|ci|github|gitlab|jira|push\w*|publish\w*|worry|hesitate|forget|afraid|accordingly|secrets?|credentials|api keys?|requested|asked|has been|have been|this file|emojis?|actionab\w+|repetition)\b`),
		dangling: regexp.MustCompile(`(?i)^(?:this|that|these|those|it|its|they|he|she|however|also|otherwise|for |in |on |as |at |by |from |then|instead|and|but|or|so|thus|hence|here|there|we|our|i|you|your|` +
			`if|when|while|because|since|although|note|remember|to|with|without|most|some|many|see|are|is|was|what|why|how|who|after|before|once|yes|no|not|additionally|similarly|likewise|finally|first|second|next|lastly|usually|typically|generally)\b`),
		mild: regexp.MustCompile(`(?i)\b(?:you|your|should|try|can|may|might|could|would|usually|generally|ideally|if possible|them|their|it|such|we|us|our|good|clean|nice|clear|simple|appropriate|relevant|existing|love)\b`),
	}
})

// demandWeight returns how surely a sentence demands something of code that its reader understands without the text around it.
func demandWeight(t string) float64 {
	if len(t) < minDemandLength || len(t) > maxDemandLength || strings.HasSuffix(t, ":") || strings.ContainsAny(t, "?|<>…") {
		return 0
	}
	if strings.Count(t, "(") != strings.Count(t, ")") || strings.Count(t, "`")%2 != 0 || strings.Contains(t, "...") {
		return 0
	}
	if calls().MatchString(t) {
		return 0
	}
	first := t[0]
	d := demand()
	if isName := first == '`' || first >= 'A' && first <= 'Z'; !isName || d.dangling.MatchString(t) || d.aside.MatchString(withoutCode(t)) {
		return 0
	}
	topics := len(d.topic.FindAllString(t, -1))
	strict, order := d.strict.MatchString(t), d.order.MatchString(t)
	if topics == 0 || !strict && !order {
		return 0
	}
	weight := 1.5 + 0.5*float64(min(topics, 3))
	if strict {
		weight += 2
	}
	if order {
		weight++
	}
	if strings.Contains(t, "`") {
		weight += 0.5 // it names something of the project
	}
	if passing().MatchString(t) {
		weight -= 1.5 // that tests pass is demanded everywhere
	}
	return weight - 0.5*float64(len(d.mild.FindAllString(t, -1)))
}

// calls matches lines of a list of commands, which are read where they are defined, and passing the commonest demand of all.
var (
	calls = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("^`[^`]* [^`]*`|^\\w+(?: \\w+){0,3}: `[^`]* [^`]*`|^Run |^Use `(?:npm|pnpm|yarn|npx|cargo|uv|make|go|dotnet|pip3?|poetry|\\./gradlew|mvn|bundle|composer) ")
	})
	passing = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\b(?:pass|passes|passing|compiles?|succeed)\b`) })
)

var inCode = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("`[^`]*`") })

func withoutCode(t string) string { return inCode().ReplaceAllString(t, "x") }

// firstTopic returns the first topic of a demand, in the singular.
func firstTopic(t string) string {
	return strings.TrimSuffix(strings.ToLower(demand().topic.FindString(t)), "s")
}
