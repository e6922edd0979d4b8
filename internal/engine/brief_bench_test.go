package engine_test

import (
	"context"
	"testing"

	"ken/internal/ask/brief"
	kenfind "ken/internal/ask/find"
	"ken/internal/engine/view"
)

// goals are about any program that serves requests: what a repository knows of
// them differs, the work does not.
var goals = []string{
	"Add rate limiting to the authentication endpoints",
	"Add a metric for the number of pods preempted by the scheduler",
	"retry image pulls with backoff when the registry is unavailable",
	"validate the security context of a pod before it is admitted",
	"Support a timeout for the query builder and report it in the error message",
	"cache parsed configuration and reload it when the file changes",
}

// BenchmarkBrief asks for briefs, and for the search that is their beginning.
func BenchmarkBrief(b *testing.B) {
	for name, ask := range map[string]func(context.Context, *view.Snapshot, int) error{
		"search": func(ctx context.Context, s *view.Snapshot, i int) error {
			_, err := kenfind.Find(ctx, s, goals[i], kenfind.SearchOptions{Limit: 40})
			return err
		},
		"brief": func(ctx context.Context, s *view.Snapshot, i int) error {
			_, err := brief.Make(ctx, s, goals[i], kenfind.Known{})
			return err
		},
	} {
		b.Run(name, func(b *testing.B) { times(b, indexed(b), len(goals), ask) })
	}
}
