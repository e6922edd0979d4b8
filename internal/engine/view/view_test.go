package view_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"

	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
)

var update = flag.Bool("update", false, "rewrite the expected answers")

// TestAnswers asks for everything a view of a small tree gives.
func TestAnswers(t *testing.T) {
	enginetest.Answers(t, "testdata/shop.txtar", *update, answer)
}

// TestInherited names members by types that inherit them.
func TestInherited(t *testing.T) {
	enginetest.Answers(t, "testdata/heirs.txtar", *update, answer)
}

func answer(ctx context.Context, s *view.Snapshot, words []string) ([]string, error) {
	out, err := questions[words[0]](ctx, s, words[1:])
	var missing *code.NotFoundError
	if errors.As(err, &missing) {
		return append(out, fmt.Sprintf("no %s %s, near %v", missing.What, missing.Name, missing.Near)), nil
	}
	return out, err
}

var questions = map[string]func(context.Context, *view.Snapshot, []string) ([]string, error){
	"info":      info,
	"def":       definitions,
	"target":    target,
	"symbols":   symbols,
	"imports":   imports,
	"exports":   exports,
	"file":      file,
	"text":      text,
	"texts":     texts,
	"pending":   pending,
	"history":   pastInfo,
	"cochanged": coChanged,
	"learned":   learned,
	"similar":   similar,
	"tokens":    tokens,
	"uses":      uses,
	"exact":     exact,
	"past":      past,
	"heads":     heads,
	"calls":     calls,
}

// past is what the history says of the first commit and of files.
func past(_ context.Context, s *view.Snapshot, words []string) ([]string, error) {
	c, err := s.PastCommit(0)
	if err != nil {
		return nil, err
	}
	subject, err := s.Subject(0)
	if err != nil {
		return nil, err
	}
	acts, err := s.Activities(words)
	if err != nil {
		return nil, err
	}
	scores, err := s.MessageScores(view.MessageTerms("everything", 1), words)
	if err != nil {
		return nil, err
	}
	lift, err := s.Lift(words, []int{0})
	f, ferr := s.File(context.Background(), words[0])
	act, ok, aerr := s.Activity(f.ID)
	return []string{fmt.Sprintf("%q %q %d files; %d activities, %d scores above nothing %v, %d lifts; %s changed in %d commits %v", subject, c.Subject, len(c.Files),
		len(acts), len(scores), scores[0] > 0, len(lift), f.Path, act.Commits, ok)}, errors.Join(err, ferr, aerr)
}

// heads are declarations as half the work gives them.
func heads(ctx context.Context, s *view.Snapshot, words []string) ([]string, error) {
	f, err := s.File(ctx, words[0])
	if err != nil {
		return nil, err
	}
	list, err := s.Signatures(ctx, f)
	return declared(list), err
}

// calls returns all references of a file with what they mean.
func calls(ctx context.Context, s *view.Snapshot, words []string) (out []string, err error) {
	list, err := refs.FileReferences(ctx, s, words[0])
	for _, r := range list {
		out = append(out, fmt.Sprintf("%d %s %s:%s %s", r.Line, r.Kind, r.Target.Path, r.Target.Qualified, r.Confidence))
	}
	return out, err
}

func info(ctx context.Context, s *view.Snapshot, _ []string) ([]string, error) {
	i, err := s.Info(ctx)
	if err != nil {
		return nil, err
	}
	head, err := s.HeadTime(ctx)
	skipped, serr := s.Skipped(ctx)
	return []string{fmt.Sprintf("revision %d of %d files, %d parsed, %d symbols, %d edges; at HEAD %v, dated %v, skipped %v", i.Rev, i.Files, i.Parsed,
		i.Symbols, i.Edges, i.Commit == i.Head && i.Head != "", !head.IsZero(), skipped)}, errors.Join(err, serr)
}

func declared(list []view.Symbol) (out []string) {
	for _, d := range list {
		out = append(out, fmt.Sprintf("%s:%d %s %s %q %q", d.Path, d.Span.Line, d.Kind, d.Qualified, d.Doc, d.Signature))
	}
	return out
}

func definitions(ctx context.Context, s *view.Snapshot, words []string) ([]string, error) {
	list, err := s.Definitions(ctx, words[0])
	return declared(list), err
}

func target(ctx context.Context, s *view.Snapshot, words []string) ([]string, error) {
	t, err := s.Target(ctx, words[0])
	if err == nil && t.File != "" {
		return []string{"file " + t.File}, nil
	}
	return declared(t.Symbols), err
}

func symbols(ctx context.Context, s *view.Snapshot, words []string) ([]string, error) {
	list, err := s.Symbols(ctx, words[0])
	return declared(list), err
}

func imports(ctx context.Context, s *view.Snapshot, words []string) (out []string, err error) {
	list, err := s.Imports(ctx, words[0])
	for _, i := range list {
		out = append(out, fmt.Sprintf("%s → %v dir %q external %q", i.Spec, i.Targets, i.Dir, i.External))
	}
	return out, err
}

func exports(ctx context.Context, s *view.Snapshot, words []string) (out []string, err error) {
	list, err := s.Exports(ctx, words[0])
	for _, e := range list {
		out = append(out, e.Name)
	}
	return out, err
}

func file(ctx context.Context, s *view.Snapshot, words []string) ([]string, error) {
	f, err := s.File(ctx, words[0])
	return []string{string(f.Lang)}, err
}

func text(ctx context.Context, s *view.Snapshot, words []string) ([]string, error) {
	b, err := s.Text(ctx, words[0])
	return []string{strings.TrimSpace(string(b))}, err
}

func texts(ctx context.Context, s *view.Snapshot, _ []string) (out []string, err error) {
	var files []code.File
	for f, err := range s.Files(ctx) {
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	none := func() struct{} { return struct{}{} }
	for line, err := range view.Texts(ctx, s, files, none, func(_ struct{}, t view.FileText) string { return fmt.Sprint(t.File.Path, " ", len(t.Text)) }) {
		if err != nil {
			return out, err
		}
		out = append(out, line)
	}
	return out, nil
}

func pending(ctx context.Context, s *view.Snapshot, _ []string) ([]string, error) {
	n, err := s.Pending(ctx)
	return []string{fmt.Sprint(n)}, err
}

func pastInfo(_ context.Context, s *view.Snapshot, _ []string) ([]string, error) {
	i, err := s.HistoryInfo()
	return []string{fmt.Sprintf("%d commits, problem %q", i.Commits, i.Problem)}, err
}

func coChanged(ctx context.Context, s *view.Snapshot, words []string) (out []string, err error) {
	list, err := s.CoChanged(ctx, words[0], 3)
	for _, c := range list {
		out = append(out, c.Path)
	}
	return out, err
}

func learned(ctx context.Context, s *view.Snapshot, words []string) (out []string, err error) {
	list, err := s.LearnedFiles(ctx, view.MessageTerms(strings.Join(words, " "), 1), 3)
	for _, f := range list {
		out = append(out, f.Path)
	}
	return out, err
}

func similar(ctx context.Context, s *view.Snapshot, words []string) (out []string, err error) {
	list, err := s.SimilarCommits(ctx, view.MessageTerms(strings.Join(words, " "), 1), 3)
	for _, c := range list {
		out = append(out, c.Subject)
	}
	return out, err
}

func tokens(ctx context.Context, s *view.Snapshot, words []string) ([]string, error) {
	n, err := s.Tokens(ctx, words[0])
	return []string{fmt.Sprintf("%d %d %d", n.CL100K, n.O200K, n.Lines)}, err
}

func uses(ctx context.Context, s *view.Snapshot, words []string) (out []string, err error) {
	list, err := s.Symbols(ctx, words[0])
	if err != nil {
		return nil, err
	}
	counts, err := s.Uses(ctx, list)
	for i, n := range counts {
		out = append(out, fmt.Sprint(list[i].Qualified, " ", n))
	}
	return out, err
}

func exact(ctx context.Context, s *view.Snapshot, _ []string) ([]string, error) {
	i, err := s.ExactInfo(ctx)
	return []string{fmt.Sprintf("%d packages, %d covered, %d Go files", i.Packages, i.Covered, i.GoFiles)}, err
}
