package main

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"ken/bench/world"
)

// repo is a clone that shares the objects of the mirror's.
type repo struct {
	ctx  context.Context
	name string
	tree string // where it is checked out
}

func (r *repo) git(args ...string) (string, error) { return world.Git(r.ctx, r.tree, args...) }

// openPlans opens a repository, and reads its history and the plans in it by the folders of their phases.
func openPlans(ctx context.Context, o *options, row world.Pin) (r *repo, log []commit, plans map[string][]*executedPlan, err error) {
	r = &repo{ctx: ctx, name: row.Repository}
	if r.tree, err = world.ShareClone(ctx, o.mirror, row.Repository, o.work); err != nil {
		return nil, nil, nil, err
	}
	if log, err = r.readLog(row.Commit); err != nil {
		return nil, nil, nil, err
	}
	return r, log, r.executedPlans(log), nil
}

// commit is one of the log, oldest first.
type commit struct {
	id, parent, subject string
	files               []string
}

func (r *repo) readLog(tip string) ([]commit, error) {
	text, err := r.git("log", "--no-merges", "--no-renames", "--format=%x01%H%x02%P%x02%s", "--name-only", "--reverse", tip)
	if err != nil {
		return nil, err
	}
	var list []commit
	for rec := range strings.SplitSeq(text, "\x01") {
		head, files, _ := strings.Cut(rec, "\n")
		parts := strings.SplitN(head, "\x02", 3)
		if len(parts) < 3 {
			continue
		}
		parent, _, _ := strings.Cut(parts[1], " ")
		list = append(list, commit{parts[0], parent, parts[2], strings.Fields(strings.ReplaceAll(files, " ", "\x03"))})
	}
	return list, nil
}

// executedPlan is a plan that was carried out.
type executedPlan struct {
	phase, dir, number string
	file               string
	text               string
	written            int // index of the commit that has its text last before it is carried out
	own                []int
	files              []string // that its own commits changed
	wave               int
}

var (
	ownSubject = regexp.MustCompile(`^\w+\((?:phase[- ]?)?0*(\d+(?:\.\d+)?)-0*(\d+)\)!?:`)
	planFile   = regexp.MustCompile(`phases/([^/]+)/0*(\d+(?:\.\d+)?)-0*(\d+)(?:-[^/]*)?-PLAN\.md$`)
	left       = regexp.MustCompile(`(?i)(^|/)(\.planning/|package-lock\.json$|pnpm-lock\.yaml$|yarn\.lock$|cargo\.lock$|go\.sum$|poetry\.lock$|uv\.lock$|composer\.lock$|` +
		`gemfile\.lock$|bun\.lockb?$|changelog[^/]*$|dist/|node_modules/|.*\.min\.js$|.*\.snap$|.*\.pb\.go$|.*\.tsbuildinfo$|.*__pycache__/)`)
)

// executedPlans returns the plans of a history that were carried out, by phase: those with commits that name them, after the commit
// that wrote them. A phase number that two folders share is left out, because a commit's phase would be ambiguous.
func (r *repo) executedPlans(log []commit) map[string][]*executedPlan {
	own := map[string][]int{}
	written := map[string][]int{}
	at := map[string]*executedPlan{}
	dirs := map[string][]string{}
	for i := range log {
		if m := ownSubject.FindStringSubmatch(log[i].subject); m != nil {
			own[m[1]+"-"+m[2]] = append(own[m[1]+"-"+m[2]], i)
		}
		for _, f := range log[i].files {
			if m := planFile.FindStringSubmatch(f); m != nil {
				if at[f] == nil {
					at[f] = &executedPlan{phase: m[2], dir: m[1], number: m[3], file: f}
				}
				written[f] = append(written[f], i)
				if !slices.Contains(dirs[m[2]], m[1]) {
					dirs[m[2]] = append(dirs[m[2]], m[1])
				}
			}
		}
	}
	out := map[string][]*executedPlan{}
	for f, p := range at {
		p.own = own[p.phase+"-"+p.number]
		if len(p.own) == 0 || len(dirs[p.phase]) > 1 {
			continue
		}
		p.written = -1
		for _, i := range written[f] {
			if i < p.own[0] {
				p.written = i
			}
		}
		if p.written < 0 {
			continue
		}
		text, err := r.git("show", log[p.written].id+":"+f)
		if err != nil {
			continue // it was removed there
		}
		p.text = text + "\n"
		for _, i := range p.own {
			for _, c := range log[i].files {
				if c = strings.ReplaceAll(c, "\x03", " "); !left.MatchString(c) && !slices.Contains(p.files, c) {
					p.files = append(p.files, c)
				}
			}
		}
		out[path.Base(p.dir)] = append(out[path.Base(p.dir)], p)
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b *executedPlan) int { return strings.Compare(a.file, b.file) })
	}
	return out
}
