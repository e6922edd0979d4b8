package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// disagreement is one disagreement.
type disagreement struct {
	Class  string
	Place  string // REPO:PATH:LINE:COLUMN
	Symbol string
	Text   string // the source line
}

// repoResult is the measurement of one repository.
type repoResult struct {
	Lang    string
	Repo    string
	Symbols int // drawn and known to the oracle
	Unknown int // drawn, and not known to the oracle
	// Uses counts the oracle's uses by ken's answer: a tier, "dropped: REASON",
	// "other target" or "nowhere".
	Uses map[string]int
	// Base are the uses of a member that a symbol overrides, Implicit those
	// without the name, in the same classes.
	Base     map[string]int
	Implicit map[string]int
	// Keys are the keys of literals that name a member of the type expected there.
	Keys map[string]int
	// Listed are ken's references by tier and by whether the oracle agrees:
	// "exact right", "exact wrong", "exact unknown".
	Listed       map[string]int
	FalseNone    int
	FalseDecided int
	Ambiguous    []symbolRatio // of each symbol
	Items        []disagreement
	Corrections  map[string]int // by class, what judging took away
}

// symbolRatio has the number of a symbol's uncertain references in ken's answer and of the uses the oracle knows.
type symbolRatio struct{ Entries, Uses int }

func (r *repoResult) count(m *map[string]int, class string) {
	if *m == nil {
		*m = map[string]int{}
	}
	(*m)[class]++
}

// comparison compares ken's and an oracle's answers about one tree.
type comparison struct {
	tree      *sourceTree
	ken       *kenProgram
	oracle    oracle
	overloads bool
	// conditional: a macro or type defined twice in a file is one, because only one
	// of the definitions is compiled.
	conditional bool
	// named are the declarations of each name, where conditional is set.
	named  map[string][]symbol
	result repoResult
}

// compareSymbol compares the references of one symbol.
func (c *comparison) compareSymbol(ctx context.Context, s symbol) error {
	known, err := c.oracle.references(ctx, c.tree.namePlaces(s.Path, s.Name, s.Start, s.End))
	if err != nil {
		return err
	}
	if len(known.declared) == 0 {
		c.result.Unknown++
		return nil
	}
	c.result.Symbols++
	a, err := c.ken.references(ctx, &s)
	if err != nil {
		return err
	}
	l := c.kenListing(s, known, a)
	if err := c.findRoles(ctx, s, &known, l); err != nil {
		return err
	}
	c.dropOtherPrograms(s, &known)
	missing := c.countRecall(s, known, l)
	c.checkHeadline(s, a, missing)
	return c.countPrecision(ctx, s, known, l)
}

// dropOtherPrograms removes places that are no uses: declarations of the same name for
// another platform, and the uses in another source file that defines the name itself,
// because clangd takes equal names of two programs in a tree for one.
func (c *comparison) dropOtherPrograms(s symbol, known *knowledge) {
	for i := range known.uses {
		u := &known.uses[i]
		if at := c.tree.byteOffset(u.place); c.conditional && at > 0 && c.tree.fileText(u.Path).bytes[at-1] == '~' {
			u.Role = implicit // the name of a destructor
		}
		for _, d := range c.named[s.Name] {
			if d.Path != u.Path {
				continue
			}
			first := c.tree.namePlaces(d.Path, d.Name, d.Start, d.End)
			if slices.Contains(first[:min(len(first), 1)], u.place) {
				u.Role = definition
			} else if u.Path != s.Path && s.isDefined() && d.isDefined() {
				u.Role = ofRelative
			}
		}
	}
}

// isDefined reports whether a symbol of C is defined in a source file, and not only declared.
func (s *symbol) isDefined() bool {
	return s.Name == s.Qualified && !strings.HasSuffix(s.Signature, ";") && !strings.HasPrefix(filepath.Ext(s.Path), ".h")
}

// findRoles finds out which uses that ken does not list are of related members, if
// the oracle mixes them.
func (c *comparison) findRoles(ctx context.Context, s symbol, known *knowledge, l listing) error {
	if s.Kind == "constructor" {
		// A call of a constructor has the name of the class.
		for i := range known.uses {
			if known.uses[i].Role == uses {
				known.uses[i].Role = implicit
			}
		}
	}
	if !c.oracle.isLoose() {
		return nil
	}
	for i := range known.uses {
		u := &known.uses[i]
		tier := l.here[u.place]
		if u.Role != uses || tier != "" && tier != "through" && !isLost(tier) {
			continue
		}
		means, err := c.oracle.meanings(ctx, u.place)
		if err != nil {
			return err
		}
		if len(means) > 0 && referenceVerdict(means, known.declared) == "wrong" {
			u.Role = ofBase
		}
	}
	return nil
}

// listing is ken's answer about one symbol by place.
type listing struct {
	here  map[place]string // the surest tier of a reference to the symbol
	other map[place]bool   // references to others of the same name
	// order are the places of here as ken lists them.
	order []place
}

// compareTier orders the tiers of confidence: a place listed twice counts with the surer tier.
func compareTier(tier string) int {
	order := []string{"ambiguous", "through", "unique-name", "import-resolved", "exact", "export", "import", "definition"}
	return slices.Index(order, tier)
}

func (c *comparison) kenListing(s symbol, known knowledge, a answer) listing {
	same := map[[2]any]bool{{s.Path, s.Line}: true}
	for _, row := range a.Symbols {
		once := c.conditional && slices.Contains([]string{"macro", "type", "constant", "variable"}, s.Kind)
		if once && row.Path == s.Path && row.Kind == s.Kind {
			same[[2]any{row.Path, row.Line}] = true
		}
		if !c.overloads && slices.ContainsFunc(known.declared, func(p place) bool { return c.isDeclaration(&row, p) }) {
			same[[2]any{row.Path, row.Line}] = true
		}
	}
	l := listing{here: map[place]string{}, other: map[place]bool{}}
	for i := range a.References {
		r := &a.References[i]
		at := c.tree.placeAt(r.Path, r.Start)
		if !r.dropped && !same[[2]any{r.TargetPath, r.TargetLine}] {
			l.other[at] = true
			continue
		}
		tier, before := r.tierWord(), l.here[at]
		if before == "" {
			l.order = append(l.order, at)
		}
		if before == "" || compareTier(tier) > compareTier(before) {
			l.here[at] = tier
		}
	}
	return l
}

// isDeclaration reports whether a declaration of ken's has its name at a place.
func (c *comparison) isDeclaration(s *symbol, p place) bool {
	if s.Path != p.Path {
		return false
	}
	at := c.tree.byteOffset(p)
	return s.Start <= at && at < s.End && c.tree.wordAt(p) == s.Name
}

// countRecall counts the oracle's uses by ken's answers, and returns the number
// that ken does not list.
func (c *comparison) countRecall(s symbol, known knowledge, l listing) (missing int) {
	total := 0
	for _, u := range known.uses {
		class := l.here[u.place]
		switch {
		case class != "":
		case l.other[u.place]:
			class = "other target"
		default:
			class = "nowhere"
		}
		lost := class == "nowhere" || strings.HasPrefix(class, "dropped")
		switch u.Role {
		case uses:
			total++
			c.result.count(&c.result.Uses, class)
			switch {
			case lost || class == "other target":
				c.addDisagreement(class, s, u.place)
			case class == "ambiguous":
				c.addDisagreement("only ambiguous", s, u.place)
			}
		case ofBase:
			c.result.count(&c.result.Base, class)
			if lost {
				c.addDisagreement("base "+class, s, u.place)
			}
		case keys:
			c.result.count(&c.result.Keys, class)
			if lost {
				c.addDisagreement("key "+class, s, u.place)
			}
			lost = false
		case implicit:
			c.result.count(&c.result.Implicit, class)
			lost = false
		default:
			lost = false
		}
		if lost {
			missing++
		}
	}
	entries := 0
	for _, tier := range l.here {
		if tier == "ambiguous" {
			entries++
		}
	}
	c.result.Ambiguous = append(c.result.Ambiguous, symbolRatio{entries, total})
	return missing
}

// checkHeadline checks whether the answer claims to be complete although uses are missing.
func (c *comparison) checkHeadline(s symbol, a answer, missing int) {
	if missing == 0 {
		return
	}
	at := c.tree.placeAt(s.Path, s.Start)
	switch {
	case a.Absence != nil && a.Absence.Verdict == "none":
		c.result.FalseNone++
		c.addDisagreement("false none", s, at)
	case a.Absence == nil && a.isDecided():
		c.result.FalseDecided++
		c.addDisagreement("false decided", s, at)
	}
}

// countPrecision counts ken's references by whether the oracle agrees.
func (c *comparison) countPrecision(ctx context.Context, s symbol, known knowledge, l listing) error {
	agreed := map[place]bool{}
	for _, u := range known.uses {
		agreed[u.place] = true
	}
	for _, at := range l.order {
		tier := l.here[at]
		if strings.HasPrefix(tier, "dropped") || tier == "definition" || tier == "import" || tier == "export" {
			continue
		}
		verdict := "right"
		if !agreed[at] {
			means, err := c.oracle.meanings(ctx, at)
			if err != nil {
				return err
			}
			verdict = referenceVerdict(means, known.declared)
			if verdict == "wrong" && c.tree.wordAt(at) != s.Name {
				verdict = "indirect" // a call of a value that may be it
			}
		}
		c.result.count(&c.result.Listed, tier+" "+verdict)
		if verdict == "wrong" {
			c.addDisagreement("wrong "+tier, s, at)
		}
	}
	return nil
}

// referenceVerdict returns the verdict on a reference that the oracle does not list, by the
// oracle's meaning of the name there.
func referenceVerdict(means, declared []place) string {
	if len(means) == 0 {
		return "unknown"
	}
	for _, m := range means {
		if slices.Contains(declared, m) {
			return "right"
		}
	}
	return "wrong"
}

func (c *comparison) addDisagreement(class string, s symbol, at place) {
	where := c.result.Repo + ":" + at.String()
	c.result.Items = append(c.result.Items, disagreement{Class: class, Place: where, Symbol: symbolName(s), Text: c.tree.lineText(at)})
}

// symbolName returns the name of a symbol for reports.
func symbolName(s symbol) string {
	return fmt.Sprintf("%s:%d %s %s", s.Path, s.Line, s.Kind, s.Qualified)
}
