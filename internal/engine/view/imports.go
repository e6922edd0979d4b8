package view

import (
	"context"
	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/resolve"
	"ken/internal/lang"
	"slices"
	"strings"
)

// Imports returns the imports of a file with their targets, in source order. It fails with code.NotFoundError if the
// file is
// not indexed.
func (s *Snapshot) Imports(ctx context.Context, p string) ([]ResolvedImport, error) {
	f, err := s.File(ctx, p)
	if err != nil {
		return nil, err
	}
	packed, err := s.OpenFacts(f.ID)
	if err != nil || packed == nil {
		return nil, err
	}
	imps, err := packed.Imports()
	if err != nil {
		return nil, err
	}
	links, err := s.Links(f.ID)
	if err != nil {
		return nil, err
	}
	targets, err := s.dirTargets(f.ID)
	if err != nil {
		return nil, err
	}
	out := make([]ResolvedImport, len(imps))
	for i := range imps {
		out[i].Import = imps[i]
		if i < len(links) {
			s.fillTargets(&out[i], f.Lang, &links[i], targets)
		}
	}
	return out, s.Lookup.Err
}

// dirTargets returns the files a file imports, by directory and by package.
func (s *Snapshot) dirTargets(id int64) (map[string][]string, error) {
	edges, err := s.Index.EdgesFrom(id)
	if err != nil {
		return nil, err
	}
	out := map[string][]string{}
	for _, e := range edges {
		if n, ok := s.Lookup.NodeByID(e.Target); ok && e.Relation == code.RelImports {
			out[code.Dir(n.Path)] = append(out[code.Dir(n.Path)], n.Path)
			for _, key := range resolve.PackageKeys(n.Lang, n.Package) {
				out[key] = append(out[key], n.Path)
			}
		}
	}
	return out, nil
}

// fillTargets sets the targets of an import from its link; targets are the files that the importing file has edges to, by directory and
// by package.
func (s *Snapshot) fillTargets(out *ResolvedImport, l code.Lang, to *graph.Link, targets map[string][]string) {
	out.External, out.Std = to.External, to.Std
	add := func(id int64) {
		if n, ok := s.Lookup.NodeByID(id); ok {
			out.Targets = append(out.Targets, n.Path)
		}
	}
	if to.File != 0 {
		add(to.File)
	}
	if to.Runs != 0 {
		add(to.Runs)
	}
	for _, sub := range to.Subs {
		add(sub.File)
	}
	for _, d := range to.Dirs {
		out.Dir = to.Dirs[0]
		out.Targets = append(out.Targets, targets[d]...)
	}
	if to.IsPackage {
		out.Package = to.Package
		names := out.Names
		if out.Static && lang.Of(l).StaticTypes { // using static: the type is meant
			last := out.Spec[strings.LastIndexByte(out.Spec, '.')+1:]
			names = []code.ImportName{{Name: last, Alias: last}}
		}
		for _, p := range targets[lang.PackageKey(l, to.Package)] {
			n, _ := s.Lookup.Node(p)
			if slices.ContainsFunc(names, func(m code.ImportName) bool { return m.Name == "*" || s.Lookup.Declares(n.ID, "", m.Name) }) {
				out.Targets = append(out.Targets, p)
			}
		}
	}
	slices.Sort(out.Targets)
	out.Targets = slices.Compact(out.Targets)
}

// Exports returns the names a file exports, in source order. It fails with code.NotFoundError if the file is not
// indexed.
func (s *Snapshot) Exports(ctx context.Context, p string) ([]code.Export, error) {
	f, err := s.File(ctx, p)
	if err != nil {
		return nil, err
	}
	packed, err := s.OpenFacts(f.ID)
	if err != nil || packed == nil {
		return nil, err
	}
	return packed.Exports()
}

// Links returns the targets of a file's imports, as the index keeps them. It returns an error if the index cannot be read.
func (s *Snapshot) Links(id int64) ([]graph.Link, error) {
	blob, err := s.Index.Links(id)
	if err != nil {
		return nil, err
	}
	l, err := graph.DecodeLinks(blob)
	if err != nil {
		return nil, err
	}
	return l.Imports, nil
}
