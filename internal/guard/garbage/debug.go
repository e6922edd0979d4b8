package garbage

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ken/internal/code"
)

// programs matches paths of interactive programs. scripts matches paths of files that
// are run by hand or by a build, and that print.
const (
	programs = `(?i)(^|/)(cmd|cli|tools?|hack|demos?|docs?|website|tasks|management/commands)/|(^|/)(main|cli)(\.\w+)?$`
	scripts  = `(?i)(^|/)(bin|scripts?|build|examples?|samples?|bench\w*)/|(^|/)(setup|manage|conftest|extconf|gulpfile|gruntfile|rakefile|makefile|[\w.-]*config|build|release|mix|configure)(\.\w+)?$|\.(rake|gradle|mk|sh|bat|ps1)$`
)

// programEntry matches the line at which a program that is run by hand begins.
const programEntry = `^#!\s*/|\bif __name__ ==|\bfunc main\(\)|\bfn main\(|\b(static|async)\s[\w<>]*\s?Main\(|\bvoid main\(|\bint main\(|\bobject \w+ extends App\b|\bargparse\b|process\.argv|\$argv\b|\bARGV\b|\bsys\.argv\b`

// maxEntry is the length of the part of a file that is searched for entry, in bytes.
const maxEntry = 256 << 10

// markedOutput matches output with a mark that only its author understands, such as "xxx".
const markedOutput = "(?i)[\"'`]\\s*[-=*#>!+<\\[({ ]*(debug|here\\b|xxx|wtf|foo\\b|bar\\b|asdf|test\\d*[\"'`]|got here|!!+|>>+|==+|\\*\\*+|##+)" +
	"|[\"'`](\\\\n)*[-=*#>!+]{3,}"

// named matches output that labels a value with its name in the code. dumped
// matches such output and formats that only developers read.
const (
	named  = "\\{[\\w.]+=\\}|[\"'`](\\\\n)?[\\w.\\[\\]]+ ?(=|:|->|=>|==) ?(\\{(:#?\\?)?\\}|%[+#]?[a-zA-Z]|[\"'`]|\\\\n)"
	dumped = "\\{:#?\\?\\}|\\{\\w+:#?\\?\\}|%[+#]v|%T\\b|" + named
)

// findPrints finds the added lines that print for debugging. It accepts prints in a file that printed before and in a new program. moved
// has the lines that the change removed elsewhere.
func (p *printRules) findPrints(file *File, t *text, moved map[string]bool) []Finding {
	var rules []*debugRule
	for i := range p.rules {
		if slices.Contains(p.rules[i].langs, t.lang.Name) {
			rules = append(rules, &p.rules[i])
		}
	}
	if len(rules) == 0 {
		return nil
	}
	var out []Finding
	hits := map[*debugRule]int{}
	first := map[int]*debugRule{}
	for _, s := range t.added {
		for n := s.From; n <= s.To; n++ {
			l := t.lines[n]
			if l == nil || l.state != codeLine || moved[l.raw] {
				continue
			}
			for _, r := range rules {
				if r.expr.MatchString(l.code) && (r.not == nil || !r.not.MatchString(l.code)) {
					hits[r]++
					first[n] = r
					break
				}
			}
		}
	}
	habits := map[*debugRule]string{}
	for r, n := range hits {
		habits[r] = p.excuseReason(file, r, n)
	}
	for n, r := range first {
		sure, why := r.sure, r.why
		if h := habits[r]; h != "" && sure < Certain && !(sure == Likely && p.isForAuthor(file, t.lines[n].raw)) {
			sure, why = Possible, why+"; but "+h
		}
		out = append(out, Finding{DebugPrint, file.Path, n, n, why, sure})
	}
	slices.SortFunc(out, func(a, b Finding) int { return a.From - b.From })
	return out
}

// isForAuthor reports whether a line prints for its author only, so that it is garbage even in a file that prints. A new program may
// also print values.
func (p *printRules) isForAuthor(file *File, raw string) bool {
	if file.Created {
		return p.named.MatchString(raw) && !p.programs.MatchString(file.Path) && !p.isProgram(file)
	}
	return p.marked.MatchString(raw) || p.dumped.MatchString(raw)
}

// isProgram reports whether a file begins like a program that is run by hand.
func (p *printRules) isProgram(file *File) bool {
	return p.entry.MatchString(file.New[:min(len(file.New), maxEntry)])
}

// excuseReason returns the reason why the added prints that match a rule may be intended in a file, or "" if there is none.
func (p *printRules) excuseReason(file *File, r *debugRule, added int) string {
	before := 0
	for s := range strings.Lines(file.Old) {
		if len(s) <= maxLine && r.expr.MatchString(s) {
			before++
		}
	}
	switch {
	case before > 0:
		return fmt.Sprintf("%d lines of the file did so before", before)
	case p.scripts.MatchString(file.Path):
		return "the path is that of a script"
	case p.programs.MatchString(file.Path) && (file.Created || added > 2):
		return "the path is that of a program that is run by hand"
	case (file.Created || strings.HasPrefix(file.New, "#!/")) && p.isProgram(file):
		return "the file is a program"
	case file.Class.Has(code.ClassExample | code.ClassDocument):
		return "the file is an example"
	case file.Created && added > 4:
		return fmt.Sprintf("the new file does so %d times", added)
	}
	return ""
}

// printRules are the rules for debug prints, with the patterns that excuse or betray a print.
type printRules struct {
	rules                                           []debugRule
	programs, scripts, entry, marked, named, dumped *regexp.Regexp
}

func newPrintRules() printRules {
	return printRules{
		rules: debugRules(), programs: regexp.MustCompile(programs), scripts: regexp.MustCompile(scripts), entry: regexp.MustCompile(programEntry),
		marked: regexp.MustCompile(markedOutput), named: regexp.MustCompile(named), dumped: regexp.MustCompile(dumped),
	}
}

// debugRule matches one way to print or to stop that finished programs seldom contain.
type debugRule struct {
	name  string
	langs []code.Lang
	expr  *regexp.Regexp // on code without strings and comments
	not   *regexp.Regexp // matches lines that are no such print
	sure  Sureness
	why   string
}
