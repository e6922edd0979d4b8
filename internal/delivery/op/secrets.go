package op

import (
	"context"
	"errors"
	"fmt"

	"ken/internal/ask/secrets"
	"ken/internal/code"
	"ken/internal/delivery/export"
	"ken/internal/delivery/project"
	"ken/internal/engine"
	"ken/internal/engine/source"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/git"
	"ken/internal/operation"
)

type secretsInput struct {
	Paths   []string `arg:"[PATH…]" help:"files or directories to report; default: all"`
	Staged  bool     `flag:"staged" help:"look at what is staged for the next commit instead of the working tree"`
	History bool     `flag:"history" help:"look at every version of every file any ref can reach"`
	SARIF   bool     `flag:"sarif" terminal:"yes" help:"write text as SARIF 2.1.0, for code scanning"`
}

// SecretRow is a credential that was found, without its value.
type SecretRow struct {
	Path   operation.Path `json:"path" doc:"file"`
	Line   uint32         `json:"line" doc:"line the value begins on; 0 if it is part of the name"`
	Column uint32         `json:"column" doc:"byte of that line, or of the path, that it begins at, from 1"`
	Kind   string         `json:"kind" doc:"api_key, private_key, password, token, secret or credential"`
	Rule   string         `json:"rule" doc:"rule that knew it"`
	Hash   string         `json:"hash" doc:"name of the value: equal values have equal hashes; keyed by .ken/salt"`
	Commit string         `json:"commit,omitempty" doc:"of --history: the oldest commit that has it"`
}

// SecretGap is a file that was searched for credentials only up to a line.
type SecretGap struct {
	Path   operation.Path `json:"path" doc:"file"`
	Line   uint32         `json:"line" doc:"first line that was not searched; what follows is masked"`
	Commit string         `json:"commit,omitempty" doc:"of --history: the oldest commit that has it"`
}

type secretsAnswer struct {
	Revision
	Findings []SecretRow `json:"findings" paths:"yes" doc:"by path and place"`
	Allowed  int         `json:"allowed" doc:"number of findings that a comment or the allow-list hides"`
	Gaps     []SecretGap `json:"unsearched_files,omitempty" doc:"files that were searched in part, because so much in them looks like credentials, or they are too large"`
	Settings int         `json:"allowed_by_settings,omitempty" doc:"of them, those that allow_secrets in the project's own settings hides"`
	project.Excluded
	rules []source.SecretRule
}

func secretsTool() *Tool {
	return spec[secretsInput, secretsAnswer]{
		Name:    "secrets",
		Topic:   operation.ChangeSafely,
		MCP:     operation.Offer{Set: "full", Place: 15},
		Summary: "credentials in the repository: where they are and of what kind, never what they are",
		Long: "Exits with 0 if there are none, 1 if there are, 2 if that could not be checked. A value is masked in the index and in\n" +
			"every answer whatever this list shows. What is not secret can be hidden from this list: by \"ken:allow-secret\" in a\n" +
			"comment on its line or the line above, or by an entry of allow_secrets in .ken/config.yml with rule, path and hash.\n" +
			"--staged looks at the whole of every staged file; with --history a value is listed once for each version of a file\n" +
			"that is unlike the others, under the oldest commit with it. Binary files are not looked at. A token in the name of a file or directory\n" +
			"is listed with its path alone, and every answer shows that name with the token masked; ken takes it as an argument in this form too.\n" +
			"A file in which so much looks like credentials that its search would take too long, or of more than 64 MB, is named with the first line\n" +
			"that was not searched; what follows is masked. With such a file the exit code is never 0.",
		Example: []string{"secrets", "secrets src --json", "secrets --staged", "secrets --history --sarif > secrets.sarif"},
		Run:     runSecrets,
		Text:    textSecrets,
	}.Tool()
}

func runSecrets(ctx context.Context, env *Env, in *secretsInput, emit func(*secretsAnswer) error) error {
	if in.Staged && in.History {
		return code.Usagef("--staged and --history exclude each other")
	}
	need := operation.Existing
	if in.Staged || in.History {
		need = operation.Anywhere
	}
	p, err := project.Open(env, need)
	if err != nil {
		return err
	}
	a := secretsAnswer{rules: p.Engine.SecretRules()}
	paths, err := rootedPaths(p, in)
	if err != nil {
		return err
	}
	found, err := findSecrets(ctx, p, env, in, paths, &a)
	var none *operation.NoIndexError
	if errors.As(err, &none) && need == operation.Anywhere { // a hook runs in fresh clones, too
		if err = ensureIndex(ctx, p, env); err == nil {
			found, err = findSecrets(ctx, p, env, in, paths, &a)
		}
	}
	if err != nil {
		return err
	}
	for i := range found {
		a.Findings = append(a.Findings, secretRow(p, &found[i]))
	}
	switch n := len(found); {
	case n > 0:
		err = &operation.AlarmError{Message: fmt.Sprintf("%s found", operation.Plural(n, "secret"))}
	case len(a.Gaps) > 0:
		err = &operation.UnprovenError{Message: fmt.Sprintf("%s not searched to the end", operation.Plural(len(a.Gaps), "file"))}
	}
	return operation.Finish(&a, err, emit)
}

// ensureIndex makes the index of a repository that has none.
func ensureIndex(ctx context.Context, p *project.Project, env *Env) error {
	if _, err := git.Find(p.Root); errors.Is(err, git.ErrNoRepository) {
		return code.Usagef("there is no git repository here")
	}
	_, err := p.Engine.Update(ctx, engine.Request{Create: true, Progress: env.Progress})
	return err
}

// checkReadable returns an error for a path of a file that ken does not read,
// because "nothing found" would be a wrong answer for it.
func checkReadable(ctx context.Context, p *project.Project, s *view.Snapshot, paths []string) error {
	for _, path := range paths {
		if p.IsDir(path) {
			continue
		}
		if _, err := s.File(ctx, path); err != nil {
			return p.Explain(ctx, s, path, err)
		}
	}
	return nil
}

// rootedPaths makes the paths relative to the root. Those of the working tree must exist.
func rootedPaths(p *project.Project, in *secretsInput) ([]string, error) {
	if !in.Staged && !in.History {
		return existingPaths(p, in.Paths)
	}
	var out []string
	for _, arg := range in.Paths {
		rel, err := p.Rel(arg)
		if err != nil {
			return nil, err
		}
		out = append(out, rel)
	}
	return out, nil
}

// findSecrets searches the places that the input names.
func findSecrets(
	ctx context.Context, p *project.Project, env *Env, in *secretsInput, paths []string, a *secretsAnswer,
) (found []store.FoundSecret, err error) {
	fresh := engine.Checked
	if in.Staged || in.History {
		fresh = engine.AsIndexed
	}
	err = p.Ask(ctx, fresh, func(ctx context.Context, s *view.Snapshot) (_ []string, err error) {
		var allowed secrets.Allowed
		switch {
		case in.Staged:
			found, allowed, err = secrets.StagedSecrets(ctx, s, paths)
		case in.History:
			found, allowed, err = secrets.HistorySecrets(ctx, s, paths, env.Progress)
		default:
			if err = checkReadable(ctx, p, s, paths); err == nil {
				found, allowed, err = secrets.Secrets(ctx, s, paths)
			}
		}
		if err != nil {
			return nil, err
		}
		a.Revision, a.Allowed, a.Settings = Revision{s.Rev()}, allowed.All, allowed.ByProject
		for _, g := range allowed.Unsearched {
			a.Gaps = append(a.Gaps, SecretGap{p.Path(g.Path), g.Line, g.Commit})
		}
		a.Excluded, err = p.Excluded(s)
		return nil, err
	})
	return found, err
}

func secretRow(p *project.Project, f *store.FoundSecret) SecretRow {
	return SecretRow{Path: p.Path(f.Path), Line: f.Line, Column: f.Col, Kind: f.Kind, Rule: f.Rule, Hash: f.HashText(), Commit: f.Commit}
}

func (a *secretsAnswer) sarif() *export.SARIF {
	var rules []export.SARIFRule
	for _, r := range a.rules {
		rules = append(rules, export.SARIFRule(r))
	}
	var found []export.SARIFFinding
	for _, f := range a.Findings {
		found = append(found, export.SARIFFinding{Path: string(f.Path), Kind: f.Kind, Rule: f.Rule, Hash: f.Hash, Commit: f.Commit, Line: f.Line})
	}
	return export.NewSARIF(buildVersion().Version, rules, found)
}

func textSecrets(t *operation.Text, in *secretsInput, a *secretsAnswer) error {
	if in.SARIF {
		return operation.WriteJSON(t.Raw(), a.sarif())
	}
	for i := range a.Findings {
		f := &a.Findings[i]
		place := fmt.Sprintf("%s:%d:%d", f.Path, f.Line, f.Column)
		if f.Line == 0 {
			place = string(f.Path)
		}
		t.Printf("%s  %s  %s  %s", t.Bold(place), f.Kind, f.Rule, t.Dim(f.Hash))
		if f.Line == 0 {
			t.Printf("  %s", t.Dim("in the name"))
		}
		if f.Commit != "" {
			t.Printf("  %s", t.Dim("commit "+f.Commit[:min(12, len(f.Commit))]))
		}
		t.Line("")
	}
	for _, g := range a.Gaps {
		t.Line("%s  not searched from here on", t.Bold(fmt.Sprintf("%s:%d", g.Path, g.Line)))
	}
	if a.Allowed > 0 {
		t.Line("%s", t.Dim(fmt.Sprintf("%s allowed", operation.Plural(a.Allowed, "more finding"))))
	}
	if a.Settings > 0 {
		t.Line("%s", t.Dim(fmt.Sprintf("%s hidden by allow_secrets of this project's settings", operation.Plural(a.Settings, "finding"))))
	}
	t.Printf("%s", operation.Styled(a.Excluded.Line()))
	return nil
}
