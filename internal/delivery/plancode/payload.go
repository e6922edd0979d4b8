package plancode

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ken/internal/delivery/pack"
	"ken/internal/delivery/plancode/writeset"
	"ken/internal/token"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/payload"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/wave"
)

// Bounds of the part of code.
const (
	frameTokens = 16 // of the tag around it
	maxPacked   = 80 // files that it is made of
)

// NewCodeSource returns a source of the code in a payload, the text that an executor of a plan gets. Files that the plan will write
// come first, as `ken pack` packs them: small files whole, larger ones with signatures and as much source as fits. Then come, by their
// signatures, the other files that the plan names, and the tests of the files it writes.
func NewCodeSource(open Open) payload.CodeSource {
	j := &planIndexOps{open: open}
	return func(
		ctx context.Context, c *planop.Call, phase *wave.Phase, plan *artefact.Plan, tokenizer string, budget int,
	) (text string, left []payload.LeftOut, err error) {
		plans := map[string]*artefact.Plan{}
		for id, p := range phase.Written {
			if plan == nil || p == plan {
				plans[id] = p
			}
		}
		err = j.withSource(ctx, c, func(ctx context.Context, s *source) (err error) {
			if s.s == nil {
				text, left = "", []payload.LeftOut{{Name: codePart, Reason: s.index.Note}}
				return nil
			}
			text, left, err = packItems(ctx, s, plans, tokenizer, budget)
			return err
		})
		return text, left, err
	}
}

// codePart is the name under which a payload lists omitted code.
const codePart = "code"

func packItems(
	ctx context.Context, s *source, plans map[string]*artefact.Plan, tokenizer string, budget int,
) (string, []payload.LeftOut, error) {
	sets, err := writeSets(ctx, s, plans)
	if err != nil {
		return "", nil, err
	}
	var ids []string
	for id := range sets {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	var list []*writeset.Set
	for _, id := range ids {
		list = append(list, sets[id])
	}
	items, left, err := packableItems(s, list)
	if err != nil {
		return "", nil, err
	}
	if len(items) == 0 {
		return "", append(left, payload.LeftOut{Name: codePart, Reason: "the plan names no file that is in the index"}), nil
	}
	count, err := token.NewTokenizer(tokenizer)
	if err != nil {
		return "", nil, err
	}
	opt := pack.Options{
		Tokenizer: count, Budget: max(1, budget-frameTokens), Format: pack.XML, Revision: s.index.Revision, Mask: s.p.KnownSecrets().Mask,
	}
	made, err := pack.New(ctx, s.s, items, opt)
	var small *pack.BudgetError
	if errors.As(err, &small) {
		return "", append(left, payload.LeftOut{Name: codePart, Reason: fmt.Sprintf("%d tokens are left for it, too few for any code", budget)}), nil
	}
	if err != nil {
		return "", nil, err
	}
	for _, g := range made.Gone {
		why := g.Why
		if why == "budget" {
			why = "it does not fit into the part of code"
		}
		left = append(left, payload.LeftOut{Name: codePart, File: g.Path, Tokens: g.Tokens, Reason: why})
	}
	text := string(made.Text)
	return s.p.KnownSecrets().MaskString(text), left, nil
}

// packableItems returns the existing files of write sets, written ones first. It leaves out files that are only connected with
// the plan by history, by the plan's verification or by a mention.
func packableItems(s *source, sets []*writeset.Set) (items []pack.Item, left []payload.LeftOut, err error) {
	aside := []writeset.Kind{writeset.Together, writeset.Checked, writeset.Mentioned}
	seen := map[string]bool{}
	for _, sure := range []bool{true, false} {
		for _, set := range sets {
			for i := range set.Entries {
				e := &set.Entries[i]
				unwanted := !e.Exists || slices.Contains(aside, e.Kind()) || strings.HasPrefix(e.Path, folder.Name+"/")
				if unwanted || e.Sure() != sure || seen[e.Path] {
					continue
				}
				seen[e.Path] = true
				id := s.places.FileID(e.Path)
				if id == 0 || len(items) >= maxPacked {
					left = append(left, leftOutEntry(e.Path, id))
					continue
				}
				f, err := s.s.FileByID(id)
				if err != nil {
					return nil, nil, err
				}
				items = append(items, pack.Item{File: f, Outline: !sure})
			}
		}
	}
	return items, left, nil
}

// leftOutEntry returns the entry for a file that is not packed, with the reason.
func leftOutEntry(file string, id int64) payload.LeftOut {
	if id == 0 {
		return payload.LeftOut{Name: codePart, File: file, Reason: "it is not in the index"}
	}
	return payload.LeftOut{Name: codePart, File: file, Reason: fmt.Sprintf("%d files come before it", maxPacked)}
}
