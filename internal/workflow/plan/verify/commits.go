package verify

import (
	"context"
	"errors"
	"strings"

	"ken/internal/git"
	"ken/internal/workflow/plan/planop"
)

type commitsAnswer struct {
	All     bool     `json:"all_valid"`
	Valid   []string `json:"valid"`
	Invalid []string `json:"invalid"`
	Total   int      `json:"total"`
}

// commitLookup returns a function that reports whether there is a commit with an id. Without git it always returns false.
func commitLookup(ctx context.Context, c *planop.Call) (func(string) bool, error) {
	project, err := c.Project()
	if err != nil {
		return nil, err
	}
	r, err := git.Find(project)
	if errors.Is(err, git.ErrNoRepository) {
		return func(string) bool { return false }, nil
	}
	if err != nil {
		return nil, err
	}
	return func(id string) bool {
		_, err := git.Git{}.Commit(ctx, r, id)
		return err == nil
	}, nil
}

func verifyCommits(ctx context.Context, c *planop.Call, in *commitInput) (commitsAnswer, error) {
	is, err := commitLookup(ctx, c)
	if err != nil {
		return commitsAnswer{}, err
	}
	a := commitsAnswer{Valid: []string{}, Invalid: []string{}}
	for _, id := range in.Commit {
		if !strings.HasPrefix(id, "-") && is(id) {
			a.Valid = append(a.Valid, id)
		} else {
			a.Invalid = append(a.Invalid, id)
		}
	}
	a.All, a.Total = len(a.Invalid) == 0, len(in.Commit)
	return a, nil
}
