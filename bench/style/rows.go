package main

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"ken/bench/style/count"
)

// tableRow is one line of the table.
type tableRow struct {
	what, value, bound string
	missed             bool
	places             []string // listed by -v, the worst first
	finds              []count.Finding
}

func printRows(rows []tableRow, verbose bool) {
	fmt.Println("| | now | must | |")
	fmt.Println("|---|---|---|---|")
	for _, r := range rows {
		mark := map[bool]string{false: "✓", true: "✗"}[r.missed]
		if r.bound == "" {
			mark = ""
		}
		fmt.Printf("| %s | %s | %s | %s |\n", r.what, r.value, r.bound, mark)
	}
	if !verbose {
		return
	}
	for _, r := range rows {
		if len(r.places) == 0 {
			continue
		}
		fmt.Printf("\n## %s: %s\n", r.what, r.value)
		for _, p := range r.places {
			fmt.Println(p)
		}
	}
}

// The bounds.
const (
	maxFrontDoor              = 1500
	maxPackage                = 4500
	maxCycle                  = 6
	maxMethods                = 8
	maxChain                  = 12       // packages
	maxSingle                 = 35       // percent of the functions
	maxParticiple, maxNamesOf = 0.5, 0.3 // percent of the functions
	minFailure                = 80       // percent of the exported functions that can fail
	wholeReader               = 30       // methods
)

// largePackages may be over maxPackage: one file in them is one thing.
var largePackages = []string{"internal/engine/extract", "internal/engine/resolve", "internal/engine/source/secret", "internal/delivery/op"}

// smallCycles are the packages whose files may use each other in small groups only.
var smallCycles = []string{"internal/engine", "internal/engine/update", "internal/engine/update/", "internal/engine/view", "internal/engine/source", "internal/ask/",
	"internal/operation", "internal/delivery/agenttext"}

// largeCycles are the cycles over maxCycle, which may only shrink. They began at
// 47 in extract, 45 in the operations, 32 in secret and resolve, 15 in graph, 10
// in pack and sqlite. The second group came with the ways by which languages get at a declaration; seams are still to be found.
var largeCycles = map[string]int{
	"internal/engine/update": 14,
	"internal/delivery/pack": 10,
	"internal/store/sqlite":  10,
	"internal/engine/view":   9,
	"internal/engine/graph":  7,

	"internal/engine/graph/bind":  18,
	"internal/engine/extract":     11,
	"internal/ask/find":           11,
	"internal/engine/graph/infer": 9,
	"internal/ask/refs":           8,
}

// readerHomes are the packages that may hand the whole reader around.
var readerHomes = []string{"internal/store/", "internal/engine/store", "internal/engine/update", "internal/engine/update/", "internal/engine/view"}

func newRows(tree *count.Tree, types *typedModule) []tableRow {
	s := sumFiles(tree)
	out := sizeRows(s)
	out = append(out, cycleRows(types)...)
	out = append(out, types.importChainRow(), types.singleUseRow(tree))
	out = append(out, interfaceRow(tree), readerRow(tree, types))
	out = append(out, languageRow(tree))
	out = append(out, conditionRows(tree, s)...)
	out = append(out, nameRows(tree)...)
	out = append(out, wordRows(s)...)
	return append(out, placesRow(tree, "lines over 140 columns outside tables and literals", "0", (*count.File).WideLines))
}

// measureSums are the measures of one package or of all.
type measureSums struct {
	files, lines, code, comments, operators, dense int
	words                                          count.Words
}

// sumFiles adds up the files of each package, and of all under "".
func sumFiles(tree *count.Tree) map[string]*measureSums {
	out := map[string]*measureSums{"": {}}
	for _, f := range tree.Files {
		if out[f.Package] == nil {
			out[f.Package] = &measureSums{}
		}
		w := f.Words()
		for _, s := range []*measureSums{out[""], out[f.Package]} {
			s.files++
			s.lines += f.Lines
			s.code += f.CodeLines()
			s.comments += f.CommentLines()
			s.operators += f.Operators()
			s.dense += f.DenseLines()
			s.words.Add(w)
		}
	}
	return out
}

func sizeRows(s map[string]*measureSums) []tableRow {
	all := s[""]
	front := s["internal/engine"]
	if front == nil {
		front = &measureSums{}
	}
	large := tableRow{what: "packages over 4,500 lines beside " + strings.Join(baseNames(largePackages), ", "), bound: "0"}
	var over []string
	for _, p := range keysByNumber(s, func(s *measureSums) int { return s.lines }) {
		if p == "" || s[p].lines <= maxPackage {
			continue
		}
		large.places = append(large.places, fmt.Sprintf("%7d %s", s[p].lines, p))
		if !slices.Contains(baseNames(largePackages), path.Base(p)) {
			over = append(over, fmt.Sprintf("%s %d", shortPackage(p), s[p].lines))
		}
	}
	large.value, large.missed = fmt.Sprint(len(over)), len(over) > 0
	if len(over) > 0 {
		large.value += " (" + strings.Join(over, ", ") + ")"
	}
	return []tableRow{
		{what: "all source", value: fmt.Sprintf("%d lines, %d files, %d of code, %d of comment", all.lines, all.files, all.code, all.comments)},
		{what: "`internal/engine`", value: fmt.Sprintf("%d lines, %d files", front.lines, front.files), bound: fmt.Sprintf("≤ %d", maxFrontDoor), missed: front.lines > maxFrontDoor},
		large,
	}
}

func cycleRows(c *typedModule) []tableRow {
	small := tableRow{what: "largest cycle of files: " + strings.Join(shortPackages(smallCycles), ", "), bound: fmt.Sprintf("≤ %d", maxCycle)}
	large := tableRow{what: "largest cycle of files elsewhere", bound: "not larger than in the table"}
	var smalls, larges []string
	for _, p := range c.packagesByCycle() {
		n := c.packages[p].largestCycle()
		text := fmt.Sprintf("%s %d", shortPackage(p), n)
		if count.IsInPlaces(p, smallCycles...) {
			smalls = append(smalls, text)
			small.missed = small.missed || n > maxCycle
			small.places = append(small.places, c.packages[p].describeCycles(p)...)
			continue
		}
		allowed := cmp.Or(largeCycles[p], maxCycle)
		if n > allowed {
			large.missed = true
			text += fmt.Sprintf(" (allowed %d)", allowed)
		}
		if n > maxCycle {
			larges = append(larges, text)
			large.places = append(large.places, c.packages[p].describeCycles(p)...)
		}
	}
	small.value, large.value = strings.Join(smalls, ", "), strings.Join(larges, ", ")
	return []tableRow{small, large}
}

// packagesByCycle returns the packages with a cycle, the largest first.
func (c *typedModule) packagesByCycle() []string {
	var out []string
	for _, p := range c.order {
		if c.packages[p].largestCycle() > 0 {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(c.packages[b].largestCycle(), c.packages[a].largestCycle()), cmp.Compare(a, b))
	})
	return out
}

func (p *checkedPackage) largestCycle() int {
	all := p.fileCycles()
	if len(all) == 0 {
		return 0
	}
	return len(all[0])
}

// describeCycles lists the files of each cycle of a package.
func (p *checkedPackage) describeCycles(folder string) []string {
	var out []string
	for _, group := range p.fileCycles() {
		var files []string
		for _, f := range group {
			files = append(files, strings.TrimSuffix(path.Base(f.Path), ".go"))
		}
		out = append(out, fmt.Sprintf("%7d %s: %s", len(group), folder, strings.Join(files, " ")))
	}
	return out
}

func interfaceRow(tree *count.Tree) tableRow {
	r := tableRow{what: "methods an interface lists itself, at most", bound: fmt.Sprintf("≤ %d", maxMethods)}
	most := 0
	var all []count.Finding
	for _, f := range tree.Files {
		for _, i := range f.Interfaces() {
			most = max(most, i.N)
			if i.N > maxMethods/2 {
				all = append(all, i)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b count.Finding) int { return cmp.Compare(b.N, a.N) })
	for _, i := range all {
		r.places = append(r.places, fmt.Sprintf("%7d %s:%d %s", i.N, i.File.Path, i.Line, i.What))
	}
	r.value, r.missed = fmt.Sprint(most), most > maxMethods
	return r
}

// readerRow counts the functions that take an interface as wide as the whole reader.
func readerRow(tree *count.Tree, c *typedModule) tableRow {
	r := tableRow{what: "functions that take the whole reader, outside " + strings.Join(shortPackages(readerHomes), ", "), bound: "0"}
	for _, folder := range c.order {
		p := c.packages[folder]
		if count.IsInPlaces(folder, readerHomes...) {
			continue
		}
		for id, obj := range p.info.Defs {
			f, ok := obj.(*types.Func)
			if ok && takesReader(f.Signature()) {
				at := tree.Fset.Position(id.Pos())
				r.places = append(r.places, fmt.Sprintf("%s:%d %s", at.Filename, at.Line, f.Name()))
			}
		}
	}
	slices.Sort(r.places)
	r.value, r.missed = fmt.Sprint(len(r.places)), len(r.places) > 0
	return r
}

func takesReader(s *types.Signature) bool {
	for v := range s.Params().Variables() {
		named, ok := v.Type().(*types.Named)
		if !ok || named.Obj().Pkg() == nil || !strings.HasPrefix(named.Obj().Pkg().Path(), count.Module+"/") {
			continue
		}
		if i, ok := named.Underlying().(*types.Interface); ok && i.NumMethods() >= wholeReader {
			return true
		}
	}
	return false
}

func languageRow(tree *count.Tree) tableRow {
	r := tableRow{what: "comparisons with a language outside " + strings.Join(shortPackages(count.LanguageHomes), ", "), bound: "0"}
	compared, cases, tables := 0, 0, 0
	for _, f := range tree.Files {
		if count.IsInPlaces(f.Package, count.LanguageHomes...) {
			continue
		}
		a, b, c := f.LanguageComparisons(), f.LanguageCases(), f.LanguageTables()
		compared, cases, tables = compared+len(a), cases+len(b), tables+len(c)
		for _, x := range slices.Concat(a, b, c) {
			r.places = append(r.places, fmt.Sprintf("%s:%d %s", f.Path, x.Line, x.What))
		}
	}
	r.value = fmt.Sprintf("%d + %d cases (beside them %d tables by language)", compared, cases, tables)
	r.missed = compared+cases > 0
	return r
}

var inSecret = regexp.MustCompile(`^internal/engine/(?:.*/)?secret(?:/|$)`)

func conditionRows(tree *count.Tree, s map[string]*measureSums) []tableRow {
	all := s[""]
	conditions := placesRow(tree, "conditions with four or more && and \\|\\|", "0 outside the table", (*count.File).Conditions)
	conditions.value += fmt.Sprintf("; %.1f ‰ of code lines hold four or more", 1000*float64(all.dense)/float64(all.code))
	operators := func(s *measureSums) float64 { return 100 * float64(s.operators) / float64(s.code) }
	density := tableRow{what: "operators per 100 code lines: `secret` / all", bound: "≤ 8 / ≤ 6"}
	secret := &measureSums{code: 1} // with its parts, because it was one package when the bound was set
	for _, p := range keysByNumber(s, func(s *measureSums) int { return int(1000 * operators(s)) }) {
		if inSecret.MatchString(p) {
			secret.operators += s[p].operators
			secret.code += s[p].code
		}
		if p != "" {
			density.places = append(density.places, fmt.Sprintf("%7.1f %s", operators(s[p]), p))
		}
	}
	density.value = fmt.Sprintf("%.1f / %.1f", operators(secret), operators(all))
	density.missed = operators(secret) > 8 || operators(all) > 6
	nested := placesRow(tree, "an if that holds nothing but an if", "", (*count.File).NestedIfs)
	return []tableRow{conditions, density, nested}
}

func wordRows(s map[string]*measureSums) []tableRow {
	var out []tableRow
	for _, w := range count.WordTable {
		rate := s[""].words.Rate(w.Name)
		r := tableRow{what: fmt.Sprintf("“%s” per 1,000 lines of comment", w.Name), value: fmt.Sprintf("%.1f", rate)}
		switch {
		case w.Most > 0:
			r.bound, r.missed = fmt.Sprintf("≤ %.0f", w.Most), rate > w.Most
		case w.Least > 0:
			r.bound, r.missed = fmt.Sprintf("≥ %.0f", w.Least), rate < w.Least
		}
		for _, p := range keysByNumber(s, func(s *measureSums) int { return s.words.Uses[w.Name] }) {
			if n := s[p].words.Uses[w.Name]; p != "" && n > 0 {
				r.places = append(r.places, fmt.Sprintf("%7d (%5.1f ‰) %s", n, s[p].words.Rate(w.Name), p))
			}
		}
		out = append(out, r)
	}
	return out
}

// nameRows counts names of functions in two forms that a reader has to look up.
func nameRows(tree *count.Tree) []tableRow {
	all := 0
	for _, f := range tree.Files {
		all += len(f.Functions())
	}
	share := func(what string, most float64, measure func(*count.File) []count.Finding) tableRow {
		r := placesRow(tree, what, fmt.Sprintf("≤ %.1f %%", most), measure)
		percent := 100 * float64(len(r.finds)) / float64(max(1, all))
		r.value, r.missed = fmt.Sprintf("%.1f %% (%s of %d)", percent, r.value, all), percent > most
		return r
	}
	return []tableRow{
		share("function names that are a bare participle", maxParticiple, (*count.File).Participles),
		share("function names that end in Of", maxNamesOf, (*count.File).OfNames),
		failureRow(tree),
	}
}

// failureRow counts the exported functions that can fail and whose comments mention it.
func failureRow(tree *count.Tree) tableRow {
	all, silent := 0, 0
	for _, f := range tree.Files {
		a, s := f.Fallible()
		all, silent = all+len(a), silent+len(s)
	}
	r := placesRow(tree, "exported functions with an error result whose comment mentions failure", fmt.Sprintf("≥ %d %%", minFailure), func(f *count.File) []count.Finding {
		_, s := f.Fallible()
		return s
	})
	percent := 100 * float64(all-silent) / float64(max(1, all))
	r.value, r.missed = fmt.Sprintf("%.0f %% of %d", percent, all), percent < minFailure
	return r
}

// placesRow counts the finds of a measure, and lists them, the largest first.
func placesRow(tree *count.Tree, what, bound string, measure func(*count.File) []count.Finding) tableRow {
	var all []count.Finding
	packages := map[string]int{}
	for _, f := range tree.Files {
		found := measure(f)
		all = append(all, found...)
		packages[f.Package] += len(found)
	}
	r := tableRow{what: what, bound: bound, value: fmt.Sprint(len(all)), missed: len(all) > 0, finds: all}
	for _, p := range keysByNumber(packages, func(n int) int { return n }) {
		if packages[p] > 0 {
			r.places = append(r.places, fmt.Sprintf("%7d in %s", packages[p], p))
		}
	}
	slices.SortStableFunc(all, func(a, b count.Finding) int { return cmp.Compare(b.N, a.N) })
	for _, f := range all {
		r.places = append(r.places, fmt.Sprintf("%7d %s:%d %s", f.N, f.File.Path, f.Line, f.What))
	}
	return r
}

// keysByNumber returns the keys of a map, those with the largest number first.
func keysByNumber[V any](m map[string]V, of func(V) int) []string {
	keys := slices.Sorted(maps.Keys(m))
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(of(m[b]), of(m[a])) })
	return keys
}

func shortPackage(p string) string { return strings.TrimPrefix(p, "internal/") }

func shortPackages(list []string) []string {
	var out []string
	for _, p := range list {
		out = append(out, shortPackage(p))
	}
	return out
}

func baseNames(list []string) []string {
	var out []string
	for _, p := range list {
		out = append(out, path.Base(p))
	}
	return out
}
