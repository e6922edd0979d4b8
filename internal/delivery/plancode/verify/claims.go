package verify

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ken/internal/git"
	"ken/internal/workflow/plan/artefact"
)

// Claim is a statement of a summary about finished work.
type Claim struct {
	Plan   string `json:"plan"`
	Kind   string `json:"kind"` // file, commit or self_check
	Name   string `json:"name"`
	State  State  `json:"state"`
	Detail string `json:"detail,omitempty"`
}

// commitID matches an id of a commit in a summary.
var commitID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("`([0-9a-f]{7,40})`") })

// maxCommits is the number of commit ids of one phase that are looked up.
const maxCommits = 500

// Commits returns the ids of commits that a summary names.
func Commits(s *artefact.Summary) []string {
	var out []string
	for _, m := range commitID().FindAllStringSubmatch(s.Doc.Text(), maxCommits) {
		id := m[1]
		letters := strings.ContainsAny(id, "abcdef")
		digits := strings.ContainsAny(id, "0123456789")
		if letters && digits && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// KnownCommits asks git in one run which ids, perhaps shortened, are commits, and returns their whole ids. It fails if git does.
func KnownCommits(ctx context.Context, g git.Git, r *git.Repo, ids []string) (map[string]string, error) {
	out := map[string]string{}
	if len(ids) == 0 {
		return out, nil
	}
	in := strings.Join(ids, "^{commit}\n") + "^{commit}\n"
	text, err := g.Run(ctx, r, nil, []byte(in), "cat-file", "--batch-check")
	if err != nil {
		return nil, fmt.Errorf("look up commits: %w", err)
	}
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	for i, id := range ids {
		if i >= len(lines) {
			break
		}
		if whole, rest, ok := strings.Cut(string(lines[i]), " "); ok && strings.HasPrefix(rest, "commit ") {
			out[id] = whole
		}
	}
	return out, nil
}

// Claims checks the statements of a summary. known maps the ids that are commits; nil if git could not be asked.
func (v *Verifier) Claims(id string, s *artefact.Summary, known map[string]string) []Claim {
	var out []Claim
	for _, list := range [][]string{s.Created, s.Modified} {
		for _, f := range list {
			name, _, _ := strings.Cut(strings.Trim(f, "`\"' "), " ")
			if strings.HasPrefix(name, ".planning/") || strings.ContainsAny(name, "*{") || !strings.ContainsAny(name, "./") {
				continue
			}
			if isOutsideProject(name) {
				out = append(out, Claim{Plan: id, Kind: "file", Name: name, State: NotJudged, Detail: "it is outside the project"})
				continue
			}
			c := Claim{Plan: id, Kind: "file", Name: name, State: Verified}
			if real, ok, several := v.Places.Find(name); ok && real != name {
				c.Detail = real
			} else if !ok && len(several) > 1 {
				c.State, c.Detail = NotJudged, "several files may be meant"
			} else if !ok {
				c.State, c.Detail = Failed, "it is not there"
			}
			out = append(out, c)
		}
	}
	for _, h := range Commits(s) {
		c := Claim{Plan: id, Kind: "commit", Name: h, State: Verified}
		if known == nil {
			c.State, c.Detail = NotJudged, "git could not be asked"
		} else if known[h] == "" {
			c.State, c.Detail = Failed, "there is no such commit"
		}
		out = append(out, c)
	}
	if s.SelfCheck == "failed" {
		out = append(out, Claim{Plan: id, Kind: "self_check", Name: "Self-Check", State: Failed, Detail: "the summary says so itself"})
	}
	return out
}
