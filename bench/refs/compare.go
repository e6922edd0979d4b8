package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// item is one disagreement.
type item struct {
	Class  string
	Place  string // REPO:PATH:LINE:COLUMN
	Symbol string
	Text   string // the source line
}

// result is the measurement of one repository.
type result struct {
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
	Ambiguous    []ratio // of each symbol
	Items        []item
	Corrections  map[string]int // by class, what judging took away
}

// ratio are a symbol's ambiguous entries and the uses the oracle knows.
type ratio struct{ Entries, Uses int }

func (r *result) count(m *map[string]int, class string) {
	if *m == nil {
		*m = map[string]int{}
	}
	(*m)[class]++
}

// comparison compares ken's and an oracle's answers about one tree.
type comparison struct {
	tree      *tree
	ken       *ken
	oracle    oracle
	overloads bool
	// conditional: a macro or type defined twice in a file is one, because only one
	// of the definitions is compiled.
	conditional bool
	// named are the declarations of each name, where conditional is set.
	named  map[string][]symbol
	result result
}

// symbol compares the references of one symbol.
func (c *comparison) symbol(ctx context.Context, s symbol) error {
	known, err := c.oracle.references(ctx, c.tree.mentions(s.Path, s.Name, s.Start, s.End))
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
	l := c.listing(s, known, a)
	if err := c.roles(ctx, s, &known, l); err != nil {
		return err
	}
	c.otherPrograms(s, &known)
	missing := c.recall(s, known, l)
	c.headline(s, a, missing)
	return c.precision(ctx, s, known, l)
}

// otherPrograms removes places that are no uses: declarations of the same name for
// another platform, and the uses in another source file that defines the name itself,
// because clangd takes equal names of two programs in a tree for one.
func (c *comparison) otherPrograms(s symbol, known *knowledge) {
	for i := range known.uses {
		u := &known.uses[i]
		if at := c.tree.offset(u.place); c.conditional && at > 0 && c.tree.text(u.Path).bytes[at-1] == '~' {
			u.Role = implicit // the name of a destructor
		}
		for _, d := range c.named[s.Name] {
			if d.Path != u.Path {
				continue
			}
			first := c.tree.mentions(d.Path, d.Name, d.Start, d.End)
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

// roles finds out which uses that ken does not list are of related members, if
// the oracle mixes them.
func (c *comparison) roles(ctx context.Context, s symbol, known *knowledge, l listing) error {
	if s.Kind == "constructor" {
		// A call of a constructor has the name of the class.
		for i := range known.uses {
			if known.uses[i].Role == uses {
				known.uses[i].Role = implicit
			}
		}
	}
	if !c.oracle.loose() {
		return nil
	}
	for i := range known.uses {
		u := &known.uses[i]
		tier := l.here[u.place]
		if u.Role != uses || tier != "" && tier != "through" && !isLost(tier) {
			continue
		}
		means, err := c.oracle.meaning(ctx, u.place)
		if err != nil {
			return err
		}
		if len(means) > 0 && judge(means, known.declared) == "wrong" {
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

// surety ranks the tiers: a place listed twice counts as the surer.
func surety(tier string) int {
	order := []string{"ambiguous", "through", "unique-name", "import-resolved", "exact", "export", "import", "definition"}
	return slices.Index(order, tier)
}

func (c *comparison) listing(s symbol, known knowledge, a answer) listing {
	same := map[[2]any]bool{{s.Path, s.Line}: true}
	for _, row := range a.Symbols {
		once := c.conditional && slices.Contains([]string{"macro", "type", "constant", "variable"}, s.Kind)
		if once && row.Path == s.Path && row.Kind == s.Kind {
			same[[2]any{row.Path, row.Line}] = true
		}
		if !c.overloads && slices.ContainsFunc(known.declared, func(p place) bool { return c.declares(&row, p) }) {
			same[[2]any{row.Path, row.Line}] = true
		}
	}
	l := listing{here: map[place]string{}, other: map[place]bool{}}
	for i := range a.References {
		r := &a.References[i]
		at := c.tree.place(r.Path, r.Start)
		if !r.dropped && !same[[2]any{r.TargetPath, r.TargetLine}] {
			l.other[at] = true
			continue
		}
		tier, before := r.tier(), l.here[at]
		if before == "" {
			l.order = append(l.order, at)
		}
		if before == "" || surety(tier) > surety(before) {
			l.here[at] = tier
		}
	}
	return l
}

// declares reports whether a declaration of ken's has its name at a place.
func (c *comparison) declares(s *symbol, p place) bool {
	if s.Path != p.Path {
		return false
	}
	at := c.tree.offset(p)
	return s.Start <= at && at < s.End && c.tree.word(p) == s.Name
}

// recall counts the oracle's uses by ken's answers, and returns the number
// that ken does not list.
func (c *comparison) recall(s symbol, known knowledge, l listing) (missing int) {
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
				c.disagree(class, s, u.place)
			case class == "ambiguous":
				c.disagree("only ambiguous", s, u.place)
			}
		case ofBase:
			c.result.count(&c.result.Base, class)
			if lost {
				c.disagree("base "+class, s, u.place)
			}
		case keys:
			c.result.count(&c.result.Keys, class)
			if lost {
				c.disagree("key "+class, s, u.place)
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
	c.result.Ambiguous = append(c.result.Ambiguous, ratio{entries, total})
	return missing
}

// headline looks whether the answer claims to be complete and is not.
func (c *comparison) headline(s symbol, a answer, missing int) {
	if missing == 0 {
		return
	}
	at := c.tree.place(s.Path, s.Start)
	switch {
	case a.Absence != nil && a.Absence.Verdict == "none":
		c.result.FalseNone++
		c.disagree("false none", s, at)
	case a.Absence == nil && a.isDecided():
		c.result.FalseDecided++
		c.disagree("false decided", s, at)
	}
}

// precision counts ken's references by whether the oracle agrees.
func (c *comparison) precision(ctx context.Context, s symbol, known knowledge, l listing) error {
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
			means, err := c.oracle.meaning(ctx, at)
			if err != nil {
				return err
			}
			verdict = judge(means, known.declared)
			if verdict == "wrong" && c.tree.word(at) != s.Name {
				verdict = "indirect" // a call of a value that may be it
			}
		}
		c.result.count(&c.result.Listed, tier+" "+verdict)
		if verdict == "wrong" {
			c.disagree("wrong "+tier, s, at)
		}
	}
	return nil
}

// judge returns the verdict on a reference that the oracle does not list, by the
// oracle's meaning of the name there.
func judge(means, declared []place) string {
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

func (c *comparison) disagree(class string, s symbol, at place) {
	where := c.result.Repo + ":" + at.String()
	c.result.Items = append(c.result.Items, item{Class: class, Place: where, Symbol: symbolName(s), Text: c.tree.line(at)})
}

// symbolName is a symbol as reports show it.
func symbolName(s symbol) string {
	return fmt.Sprintf("%s:%d %s %s", s.Path, s.Line, s.Kind, s.Qualified)
}
