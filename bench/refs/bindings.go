package main

import (
	"context"
	"slices"
)

// boundNames is an oracle that holds the meaning of every name in a tree.
type boundNames struct {
	declared map[place]bool
	meant    map[place][]place     // by where a name is used
	used     map[place][]oracleUse // by declaration
	// bases are the members that the one declared at a place overrides or implements.
	bases func(place) []place
}

func newBoundNames() *boundNames {
	return &boundNames{declared: map[place]bool{}, meant: map[place][]place{}, used: map[place][]oracleUse{}}
}

// addUse adds a use of a declaration, once.
func (b *boundNames) addUse(at, declared place, as mentionKind) {
	if slices.Contains(b.meant[at], declared) {
		return
	}
	b.meant[at] = append(b.meant[at], declared)
	if declared.Path != "" {
		b.used[declared] = append(b.used[declared], oracleUse{at, as})
	}
}

func (b *boundNames) references(_ context.Context, at []place) (knowledge, error) {
	for _, p := range at {
		if !b.declared[p] {
			continue
		}
		k := knowledge{declared: []place{p}, uses: slices.Clone(b.used[p])}
		if b.bases == nil {
			return k, nil
		}
		for _, base := range b.bases(p) {
			for _, u := range b.used[base] {
				known := slices.ContainsFunc(k.uses, func(k oracleUse) bool { return k.place == u.place })
				if u.Role == uses && !known {
					k.uses = append(k.uses, oracleUse{u.place, ofBase})
				}
			}
		}
		return k, nil
	}
	return knowledge{}, nil
}

func (b *boundNames) meanings(_ context.Context, at place) ([]place, error) {
	if b.declared[at] && len(b.meant[at]) == 0 {
		return []place{at}, nil
	}
	return b.meant[at], nil
}

func (b *boundNames) isLoose() bool { return false }

func (b *boundNames) close() {}
