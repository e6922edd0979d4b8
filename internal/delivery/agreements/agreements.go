// Package agreements declares the operation over agreements: which declaration a word of the
// project's people means. They are knowledge/agreement's; delivery/op lists the operation.
package agreements

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/delivery/injection"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
	"ken/internal/git"
	"ken/internal/knowledge/agreement"
	"ken/internal/operation"
)

type input struct {
	Action   string   `arg:"ACTION" enum:"add,list,check,sync,remove" help:"add TERM SYMBOL, list [TEXT], check, sync, or remove TERM [SYMBOL]"`
	Words    []string `arg:"[TERM…]" help:"the term, in quotes if it has several words, then the symbol or file that it means"`
	Evidence []string `flag:"evidence" value:"TEXT" help:"add: what shows that the term means that; may be repeated"`
	Author   string   `flag:"author" value:"WHO" enum:"agent,person" help:"add: who has confirmed it (default agent)"`
	Limit    *int     `flag:"limit" value:"N" help:"rows shown; 0: all (default 20 in text, all in JSON)"`
}

type answer struct {
	Revision code.Rev `json:"revision" doc:"state of the index the answer was computed from"`
	Rows     []row    `json:"agreements" paths:"yes" doc:"by term and meaning"`
	Notes    []string `json:"notes,omitempty" doc:"what is to be known"`
}

type row struct {
	Term     string         `json:"term,omitempty" doc:"in natural language"`
	Symbol   string         `json:"symbol,omitempty" doc:"qualified name of what it means; missing if it is a file"`
	Path     operation.Path `json:"path,omitempty" doc:"file that declares it, as it is now, or that is meant"`
	Line     uint32         `json:"line,omitempty" doc:"of the declaration"`
	Status   string         `json:"status" doc:"valid, moved (valid, and in another file now), invalid (it has disappeared), broken (the page cannot be read), removed"`
	Since    string         `json:"invalid_since,omitempty" doc:"day it was found to be invalid"`
	Author   string         `json:"author,omitempty" doc:"who has confirmed it: agent or person"`
	Learned  string         `json:"learned_at,omitempty" doc:"RFC 3339"`
	Evidence []string       `json:"reasons,omitempty" doc:"what shows it"`
	Kept     operation.Path `json:"kept_in" doc:"page that holds it"`
	Problem  []string       `json:"problems,omitempty" doc:"what is wrong with it"`
}

// Tool is the operation.
func Tool() *project.Tool {
	return operation.Spec[*project.Project, input, answer]{
		Name:  "agreement",
		Topic: operation.Remember, Logged: true,
		MCP: operation.Offer{
			Set: "knowledge", Place: 7,
			About: "Which symbol or file a word of the project means: add, list, check, remove.",
		},
		Effect:  operation.Changes,
		Summary: "which declaration a word of this project's people means, as somebody has confirmed",
		Long: "A term in natural language and the symbol or file that it means, with the evidence for it, is a Markdown page in .ken/knowledge/agreements, to be committed.\n" +
			"The same pair is kept once: what is new of its evidence is added. When the symbol has disappeared the agreement is invalid: check says so, sync marks the page\n" +
			"and follows a symbol that has moved to another file; only remove takes a page away. Agreements in .code-intel/agreements are read where they are.",
		Example: []string{`agreement add "shopping cart" Basket --evidence "the route /cart calls Basket.Add"`, "agreement list cart", "agreement check", `agreement remove "shopping cart"`},
		Run:     run,
		Text:    text,
	}.Tool()
}

// agreementCall is one call of the operation.
type agreementCall struct {
	p      *project.Project
	s      *view.Snapshot
	in     *input
	a      *answer
	folder agreement.Folder
	kept   []agreement.KeptPage
	now    time.Time
}

func run(ctx context.Context, e *project.Env, in *input, emit func(*answer) error) error {
	p, err := project.Open(e, operation.Existing)
	if err != nil {
		return err
	}
	if err := in.check(); err != nil {
		return err
	}
	actions := map[string]func(*agreementCall, context.Context) error{
		"add": (*agreementCall).add, "list": (*agreementCall).list, "check": (*agreementCall).check, "sync": (*agreementCall).sync, "remove": (*agreementCall).remove,
	}
	writes := slices.Contains([]string{"add", "sync", "remove"}, in.Action)
	ask := p.AskChecked
	if writes {
		ask = p.AskWhole // a run that writes must happen once
	}
	var a *answer
	err = ask(ctx, func(ctx context.Context, s *view.Snapshot) error {
		a = &answer{Revision: s.Rev()}
		w := &agreementCall{p: p, s: s, in: in, a: a, folder: agreement.Folder{Root: p.Root}, now: time.Now().UTC()}
		if writes {
			release, err := p.Lock(ctx)
			if err != nil {
				return fmt.Errorf("wait for other processes that write knowledge: %w", err)
			}
			defer release()
		}
		var err error
		if w.kept, err = w.folder.List(); err != nil {
			return err
		}
		return actions[in.Action](w, ctx)
	})
	if a == nil {
		a = &answer{}
	}
	return operation.Finish(a, err, emit)
}

func (in *input) check() error {
	switch {
	case in.Action == "add" && len(in.Words) != 2:
		return code.Usagef("name the term and what it means: ken agreement add TERM SYMBOL --evidence TEXT")
	case in.Action == "add" && len(in.Evidence) == 0:
		return code.Usagef("--evidence is missing: say what shows that %s means %s", operation.Quote(in.Words[0]), operation.Quote(in.Words[1]))
	case in.Action == "remove" && (len(in.Words) == 0 || len(in.Words) > 2):
		return code.Usagef("name the term: ken agreement remove TERM [SYMBOL]")
	case (in.Action == "check" || in.Action == "sync") && len(in.Words) > 0:
		return code.Usagef("%s takes no terms: it looks at all agreements", in.Action)
	}
	return nil
}

// add stores a confirmed pair of a term and its meaning.
func (w *agreementCall) add(ctx context.Context) error {
	a := &agreement.Agreement{Term: strings.Join(strings.Fields(w.p.Engine.Hide(w.in.Words[0])), " "), Status: agreement.Valid, Author: "agent",
		Learned: w.now.Format(time.RFC3339)}
	if w.in.Author != "" {
		a.Author = w.in.Author
	}
	for _, e := range w.in.Evidence {
		if len(e) > agreement.MaxEvidence {
			return code.Usagef("a piece of evidence has more than %d bytes: say what shows it", agreement.MaxEvidence)
		}
		a.AddEvidence(w.p.Engine.Hide(e))
	}
	hits := injection.Scan(a.Term + "\n" + strings.Join(a.Evidence, "\n"))
	switch {
	case a.Term == "" || len(a.Evidence) == 0:
		return code.Usagef("a term and its evidence need words")
	case len(a.Term) > agreement.MaxTerm:
		return code.Usagef("the term has more than %d bytes", agreement.MaxTerm)
	case len(hits) > 0:
		return code.Usagef("the agreement is not kept: %s", injection.HitsText(hits, "it"))
	}
	t, err := w.p.Target(ctx, w.s, w.in.Words[1])
	if err != nil {
		return err
	}
	if err := setMeaning(a, &t, w.in.Words[1]); err != nil {
		return err
	}
	k, err := w.folder.Put(a)
	if err != nil {
		return err
	}
	r, err := w.row(ctx, &k)
	w.a.Rows = []row{r}
	for i := range w.kept {
		if o := w.kept[i].Page; o != nil && agreement.NormalTerm(o.Term) == agreement.NormalTerm(a.Term) && o.Meaning() != a.Meaning() {
			w.a.Notes = append(w.a.Notes, fmt.Sprintf("%s means %s, too: remove what is wrong", operation.Quote(a.Term), operation.Quote(o.Meaning())))
		}
	}
	return err
}

// setMeaning makes a target the meaning of an agreement. Overloads count as one meaning.
func setMeaning(a *agreement.Agreement, t *view.Target, arg string) error {
	if t.File != "" {
		a.File = t.File
		return nil
	}
	first := &t.Symbols[0]
	for i := range t.Symbols {
		if y := &t.Symbols[i]; y.Path != first.Path || y.Qualified != first.Qualified {
			return code.Usagef("%s means %d declarations: name one as PATH:NAME, such as %s:%s", operation.Quote(arg), len(t.Symbols), first.Path, first.Qualified)
		}
	}
	a.File, a.Symbol = first.Path, first.Qualified
	return nil
}

// row returns an agreement for the answer, with the state of its meaning. Its texts may have come with the repository: they are
// masked, and a passage worded as an order to an agent is reported and not shown.
func (w *agreementCall) row(ctx context.Context, k *agreement.KeptPage) (row, error) {
	if k.Page == nil {
		return row{Status: "broken", Kept: operation.Path(k.File), Problem: []string{"cannot be read and is left alone: " + k.Broken}}, nil
	}
	a := k.Page
	f, err := agreement.FindMeaning(ctx, w.s, a)
	if err != nil {
		return row{}, err
	}
	hide := w.p.Engine.Hide
	r := row{Term: hide(a.Term), Symbol: hide(a.Symbol), Path: w.p.Path(a.File), Line: f.Line, Status: string(f.Status), Since: hide(a.Since),
		Author: hide(a.Author), Learned: hide(a.Learned), Kept: operation.Path(k.File)}
	if f.File != "" {
		r.Path = w.p.Path(f.File)
	}
	if f.File != "" && a.File != "" {
		r.Status = "moved"
		r.Problem = append(r.Problem, "it was in "+operation.Quote(a.File))
	}
	if f.Status == agreement.Invalid {
		r.Problem = append(r.Problem, fmt.Sprintf("there is no %s any more", operation.Quote(a.Meaning())))
	}
	for _, e := range a.Evidence {
		r.Evidence = append(r.Evidence, hide(e))
	}
	if hits := injection.Scan(a.Term + "\n" + strings.Join(a.Evidence, "\n")); len(hits) > 0 {
		r.Problem = append(r.Problem, injection.HitsText(hits, "the page")+"; its texts are not shown")
		r.Term, r.Evidence = "", nil
	}
	return r, nil
}

// list lists the agreements that have a text in their term or meaning.
func (w *agreementCall) list(ctx context.Context) error {
	wanted := agreement.NormalTerm(strings.Join(w.in.Words, " "))
	for i := range w.kept {
		k := &w.kept[i]
		if p := k.Page; wanted != "" && (p == nil || !strings.Contains(agreement.NormalTerm(p.Term+" "+p.Meaning()), wanted)) {
			continue
		}
		r, err := w.row(ctx, k)
		if err != nil {
			return err
		}
		w.a.Rows = append(w.a.Rows, r)
	}
	switch {
	case len(w.a.Rows) > 0:
		return nil
	case wanted != "":
		return operation.Nothingf("none of the %d agreements is about %s", len(w.kept), operation.Quote(wanted))
	}
	return operation.Nothingf("nothing is agreed on yet; \"ken agreement add TERM SYMBOL --evidence TEXT\" keeps what a term means")
}

// check lists the agreements with problems.
func (w *agreementCall) check(ctx context.Context) error {
	for i := range w.kept {
		r, err := w.row(ctx, &w.kept[i])
		if err != nil {
			return err
		}
		if len(r.Problem) > 0 {
			w.a.Rows = append(w.a.Rows, r)
		}
	}
	switch {
	case len(w.a.Rows) > 0:
		return &operation.AlarmError{Message: "agreements have problems"}
	case len(w.kept) == 0:
		return operation.Nothingf("nothing is agreed on that could be checked")
	}
	w.a.Notes = append(w.a.Notes, "nothing is wrong with the agreements")
	return nil
}

// sync marks agreements whose meaning has disappeared, removes the mark if the meaning is back,
// and updates the paths of moved symbols.
func (w *agreementCall) sync(ctx context.Context) error {
	if r, err := git.Find(w.p.Root); err == nil && r.IsMerging() {
		return errors.New("a merge or rebase is under way: nothing is marked before it has ended, because symbols may be gone until then")
	}
	for i := range w.kept {
		k := &w.kept[i]
		if k.Page == nil {
			w.a.Notes = append(w.a.Notes, fmt.Sprintf("%s cannot be read and is left alone: %s", k.File, k.Broken))
			continue
		}
		if !k.IsOwn() {
			continue
		}
		f, err := agreement.FindMeaning(ctx, w.s, k.Page)
		if err != nil {
			return err
		}
		changed := k.Page.SetStatus(f.Status, w.now)
		if f.File != "" && f.Status == agreement.Valid {
			k.Page.File, changed = f.File, true
		}
		if !changed {
			continue
		}
		if err := w.folder.Write(*k); err != nil {
			return err
		}
		r, err := w.row(ctx, k)
		if err != nil {
			return err
		}
		w.a.Rows = append(w.a.Rows, r)
	}
	return nil
}

// remove removes the page of an agreement.
func (w *agreementCall) remove(ctx context.Context) error {
	var found []*agreement.KeptPage
	for i := range w.kept {
		k := &w.kept[i]
		if k.Page == nil || agreement.NormalTerm(k.Page.Term) != agreement.NormalTerm(w.in.Words[0]) {
			continue
		}
		meant := len(w.in.Words) < 2 || slices.Contains([]string{k.Page.Symbol, k.Page.File, k.Page.Meaning()}, w.in.Words[1])
		if meant {
			found = append(found, k)
		}
	}
	switch len(found) {
	case 0:
		return operation.Nothingf("nothing is agreed on of %s", operation.Quote(strings.Join(w.in.Words, " ")))
	case 1:
	default:
		var names []string
		for _, k := range found {
			names = append(names, operation.Quote(k.Page.Meaning()))
		}
		return code.Usagef("%s means %s: name which is wrong", operation.Quote(w.in.Words[0]), strings.Join(names, ", "))
	}
	r, err := w.row(ctx, found[0])
	if err != nil {
		return err
	}
	if err := w.folder.Remove(*found[0]); err != nil {
		return err
	}
	r.Status = "removed"
	w.a.Rows = []row{r}
	return nil
}

func text(t *operation.Text, in *input, a *answer) error {
	limit := 20
	if in.Limit != nil {
		limit = *in.Limit
	}
	shown := len(a.Rows)
	if limit > 0 {
		shown = min(shown, limit)
	}
	for i := range a.Rows[:shown] {
		r := &a.Rows[i]
		if r.Status == "broken" {
			t.Line("%s  %s", t.Bold(string(r.Kept)), t.Dim(r.Status))
		} else {
			place := string(r.Path)
			if r.Line > 0 {
				place = fmt.Sprintf("%s:%d", place, r.Line)
			}
			t.Line("%s means %s  %s", operation.Quote(r.Term), t.Bold(strings.TrimSpace(r.Symbol+" "+place)), t.Dim(r.Status))
		}
		for _, e := range r.Evidence {
			t.Line("    %s", operation.Quote(e))
		}
		for _, p := range r.Problem {
			t.Line("    ! %s", p)
		}
	}
	t.More("", len(a.Rows)-shown)
	if in.Action == "sync" && len(a.Rows) == 0 {
		t.Line("every agreement is as it should be")
	}
	for _, n := range a.Notes {
		t.Line("%s", n)
	}
	return nil
}
