package plancode

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"ken/internal/delivery/plancode/verify"
	"ken/internal/git"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/evidence"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/gate"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
)

// VerifyAnswer is the answer of `ken plan verify phase`.
type VerifyAnswer struct {
	Phase     string            `json:"phase"`
	Directory string            `json:"directory"`
	Index     Index             `json:"index"`
	Passed    bool              `json:"passed"`
	Undone    []string          `json:"plans_without_summary"`
	Artifacts []verify.Artifact `json:"artifacts"`
	Links     []verify.Link     `json:"key_links"`
	Claims    []verify.Claim    `json:"claims"`
	*gate.Proof
	// Unseen is what a machine cannot judge.
	Unseen    []string `json:"not_seen"`
	Verified  int      `json:"verified"`
	Failed    int      `json:"failed"`
	NotJudged int      `json:"not_judged"`
}

type verifyPhaseInput struct {
	Phase string `arg:"PHASE" help:"the number of a phase: 3, 2.1, 03A"`
}

func (j *planIndexOps) verifyPhase() *planop.Operation {
	return planop.Spec[verifyPhaseInput, *VerifyAnswer]{
		Name: "verify phase", Everyday: true, Also: []string{"verify"},
		Summary: "whether what a phase must have is there: artifacts, connections, and what summaries claim",
		Run:     j.runVerify,
		Page:    (*VerifyAnswer).page,
	}.Operation()
}

// findPhase finds a phase by the text that a user typed.
func findPhase(c *planop.Call, text string) (*inventory.Phase, error) {
	inv, err := c.Inventory()
	if err != nil {
		return nil, err
	}
	if id, ok := phaseid.Parse(strings.TrimPrefix(text, "Phase ")); ok {
		if p, _ := inv.Find(id); p != nil {
			return p, nil
		}
	}
	return nil, &planop.Fault{Reason: "phase_not_found", Message: fmt.Sprintf("there is no phase %.60q", text), Near: inv.NearPhases(text)}
}

// planWithSummary is a plan with its summary, which is nil if it has none.
type planWithSummary struct {
	inventory.Plan
	plan    *artefact.Plan
	summary *artefact.Summary
}

// readPlansWithSummaries reads the plans of a phase with their summaries.
func readPlansWithSummaries(f *folder.Folder, ph *inventory.Phase) ([]planWithSummary, error) {
	var out []planWithSummary
	below := strings.TrimPrefix(ph.Dir, folder.Name+"/")
	for _, listed := range ph.Plans {
		text, err := f.ReadRoot(path.Join(below, listed.File))
		if err != nil {
			return nil, err
		}
		p := planWithSummary{Plan: listed, plan: artefact.ParsePlan(text)}
		if listed.Summary != "" {
			text, err := f.ReadRoot(path.Join(below, listed.Summary))
			if err != nil {
				return nil, err
			}
			p.summary = artefact.ParseSummary(text)
		}
		out = append(out, p)
	}
	return out, nil
}

func (j *planIndexOps) runVerify(ctx context.Context, c *planop.Call, in *verifyPhaseInput) (*VerifyAnswer, error) {
	ph, err := findPhase(c, in.Phase)
	if err != nil {
		return nil, err
	}
	f, err := c.Folder()
	if err != nil {
		return nil, err
	}
	plans, err := readPlansWithSummaries(f, ph)
	if err != nil {
		return nil, err
	}
	if len(plans) == 0 {
		return nil, planop.Faultf("nothing_to_verify", "there is nothing to verify: phase %s has no plan", ph.ID)
	}
	commits, err := planCommits(ctx, f.Project, plans)
	if err != nil {
		return nil, err
	}
	results, err := gate.ReadResults(ctx, c)
	if err != nil {
		return nil, err
	}
	read := func(file string) (string, error) { return f.ReadRoot(strings.TrimPrefix(file, folder.Name+"/")) }
	proof := gate.ReadProof(ctx, ph, read, results)
	a := &VerifyAnswer{}
	err = j.withSource(ctx, c, func(ctx context.Context, s *source) error {
		*a = VerifyAnswer{
			Phase: ph.Token(), Directory: ph.Dir, Index: s.index, Undone: []string{}, Artifacts: []verify.Artifact{}, Links: []verify.Link{}, Claims: []verify.Claim{},
			Proof: proof, Unseen: []string{},
		}
		v := &verify.Verifier{Snapshot: s.s, Places: s.places}
		for _, p := range plans {
			v.AddSearchedFiles(p.plan)
		}
		return a.fill(ctx, v, plans, commits)
	})
	return a, err
}

// planCommits returns the whole ids of the commits that summaries name; nil if the project has no git repository.
func planCommits(ctx context.Context, dir string, plans []planWithSummary) (map[string]string, error) {
	r, err := git.Find(dir)
	if errors.Is(err, git.ErrNoRepository) || errors.Is(err, git.ErrNoGit) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, p := range plans {
		if p.summary != nil {
			ids = append(ids, verify.Commits(p.summary)...)
		}
	}
	return verify.KnownCommits(ctx, git.Git{}, r, ids)
}

func (a *VerifyAnswer) fill(ctx context.Context, v *verify.Verifier, plans []planWithSummary, commits map[string]string) error {
	for _, p := range plans {
		artifacts, err := v.Artifacts(ctx, p.ID, p.plan)
		if err != nil {
			return err
		}
		links, err := v.Links(ctx, p.ID, p.plan)
		if err != nil {
			return err
		}
		a.Artifacts, a.Links = append(a.Artifacts, artifacts...), append(a.Links, links...)
		if p.summary == nil {
			a.Undone = append(a.Undone, p.ID)
		} else {
			a.Claims = append(a.Claims, v.Claims(p.ID, p.summary, commits)...)
		}
	}
	count := func(s verify.State) {
		switch s {
		case verify.Verified:
			a.Verified++
		case verify.Failed:
			a.Failed++
		default:
			a.NotJudged++
		}
	}
	for _, t := range a.Truths {
		count(map[evidence.Answer]verify.State{evidence.Verified: verify.Verified, evidence.Failed: verify.Failed}[t.Answer])
	}
	for _, cmd := range a.Commands {
		count(map[string]verify.State{"passed": verify.Verified, "failed": verify.Failed}[cmd.State])
	}
	a.listUnseen()
	for _, r := range a.Artifacts {
		count(r.State)
	}
	for _, r := range a.Links {
		count(r.State)
	}
	for _, r := range a.Claims {
		count(r.State)
	}
	a.Passed = a.Failed == 0 && len(a.Undone) == 0
	return nil
}

// listUnseen names what a machine cannot judge.
func (a *VerifyAnswer) listUnseen() {
	if n := len(a.Truths); n > 0 {
		a.Unseen = append(a.Unseen, "whether what proves a truth does prove it: a verifier reads it, and answers each truth in VERIFICATION.md")
	}
	for _, cmd := range a.Commands {
		if cmd.State == "missing" {
			a.Unseen = append(a.Unseen, fmt.Sprintf("how `%s` of %s ends: ken runs nothing; run it, and record its exit status "+
				"(\"ken plan gate record --cmd COMMAND --exit N\")", cmd.Command, cmd.Plan))
		} else if !cmd.Current {
			a.Unseen = append(a.Unseen, fmt.Sprintf("whether `%s` of %s still ends so: the code has changed since", cmd.Command, cmd.Plan))
		}
	}
	for _, p := range a.Persons {
		a.Unseen = append(a.Unseen, "what a person looks at: "+p)
	}
	if len(a.Truths) == 0 {
		a.Unseen = append(a.Unseen, "whether the phase reaches its goal: its plans name no truth (must_haves.truths)")
	}
}

func (a *VerifyAnswer) page() string {
	var b strings.Builder
	verdict := "what a machine can look at is there"
	if !a.Passed {
		verdict = "not all of it is there"
	}
	fmt.Fprintf(&b, "phase %s: %s (%d verified, %d failed, %d not judged)\n", a.Phase, verdict, a.Verified, a.Failed, a.NotJudged)
	if a.Index.Note != "" {
		fmt.Fprintf(&b, "%s\n", a.Index.Note)
	}
	for _, id := range a.Undone {
		fmt.Fprintf(&b, "failed      plan %s has no summary\n", id)
	}
	for _, t := range a.Truths {
		fmt.Fprintf(&b, "%-11s %s: %s\n", t.Answer, t.Plan, t.Text)
	}
	for _, cmd := range a.Commands {
		fmt.Fprintf(&b, "%-11s %s: `%s`  %s\n", cmd.State, cmd.Plan, cmd.Command, cmd.String())
	}
	for _, r := range a.Artifacts {
		detail := strings.Join(r.Issues, "; ")
		if detail == "" && r.Reach != "" {
			detail = "reached by " + r.Reach
		}
		fmt.Fprintf(&b, "%-11s artifact %s  %s\n", r.State, r.Path, detail)
	}
	for _, l := range a.Links {
		fmt.Fprintf(&b, "%-11s link %s → %s  %s\n", l.State, l.From, l.To, l.Detail)
	}
	for _, r := range a.Claims {
		if r.State != verify.Verified {
			fmt.Fprintf(&b, "%-11s %s: %s %s  %s\n", r.State, r.Plan, r.Kind, r.Name, r.Detail)
		}
	}
	for _, u := range a.Unseen {
		fmt.Fprintf(&b, "not seen: %s\n", u)
	}
	return b.String()
}
