package verify

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/lang"
	"ken/internal/workflow/plan/artefact"
)

// Links checks the key links of a plan, connections between two files. It fails if the index or a file cannot be read.
func (v *Verifier) Links(ctx context.Context, id string, p *artefact.Plan) ([]Link, error) {
	var out []Link
	for _, m := range p.MustHaves.Links {
		l := Link{Plan: id, From: m.From, To: m.To, Via: m.Via, State: NotJudged}
		if err := v.checkLink(ctx, &l, m.Pattern); err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	return out, nil
}

// linkEndFile returns the file that an end of a link names: the end itself, or the only path in it.
func (v *Verifier) linkEndFile(end string) (string, bool) {
	for _, word := range strings.FieldsFunc(end, func(r rune) bool { return strings.ContainsRune(" \t,`'\"", r) }) {
		word = strings.Trim(word, "():;")
		if before, _, cut := strings.Cut(word, "::"); cut {
			word = before
		}
		if !strings.Contains(word, ".") {
			continue
		}
		var own []string // of the phase, which come before others of the name
		for _, f := range v.Files {
			if strings.HasSuffix(f, "/"+word) {
				own = append(own, f)
			}
		}
		if len(own) == 1 {
			return own[0], true
		}
		if real, ok, _ := v.Places.Find(word); ok {
			return real, true
		}
	}
	return "", false
}

func (v *Verifier) checkLink(ctx context.Context, l *Link, pattern string) error {
	from, okFrom := v.linkEndFile(l.From)
	to, okTo := v.linkEndFile(l.To)
	if v.Snapshot == nil {
		l.Detail = "there is no index to look it up in"
		return nil
	}
	if !okFrom {
		l.Detail = "it names no file that it begins at"
		file := strings.Contains(l.From, "/") && lang.Detect(l.From, nil) != "" && !strings.ContainsAny(l.From, " *(:")
		_, _, several := v.Places.Find(l.From)
		if file && len(several) == 0 && !isOutsideProject(l.From) && !isBuildOutput(l.From) {
			l.State, l.Detail = Failed, l.From+" is not there"
		}
		return nil
	}
	if okTo && from != to {
		found, err := v.describeEdge(from, to)
		if err != nil {
			return err
		}
		if found != "" {
			l.State, l.Detail = Verified, found
			return nil
		}
	}
	return v.findShown(ctx, l, from, to, pattern)
}

// isBuildOutput reports whether a path is in a folder of generated files.
func isBuildOutput(p string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(p), "/"), func(part string) bool {
		return slices.Contains([]string{"build", "dist", "out", "target", "generated", "bin", "obj"}, part)
	})
}

// describeEdge describes how one file depends on another: directly, or through one file between; "" if it does not.
func (v *Verifier) describeEdge(from, to string) (string, error) {
	a, b := v.Places.FileID(from), v.Places.FileID(to)
	if a == 0 || b == 0 {
		return "", nil
	}
	edges, err := v.edgesFrom(a)
	if err != nil {
		return "", err
	}
	var through []int64
	for _, e := range edges {
		if e.Target == b {
			return fmt.Sprintf("%s %s %s", from, e.Relation, to), nil
		}
		if e.Relation.Depends() && e.Confidence > code.Ambiguous && v.isReExporter(e.Target) {
			through = append(through, e.Target)
		}
	}
	into, err := v.edgesTo(b)
	if err != nil {
		return "", err
	}
	last := map[int64]bool{}
	for _, e := range into {
		if e.Source == a {
			return fmt.Sprintf("%s %s %s", from, e.Relation, to), nil
		}
		last[e.Source] = e.Relation.Depends() && e.Confidence > code.Ambiguous
	}
	for _, id := range through {
		if last[id] {
			between, err := v.Snapshot.FileByID(id)
			return fmt.Sprintf("%s depends on %s through %s", from, to, between.Path), err
		}
	}
	return "", nil
}

// isReExporter reports whether a file re-exports others of its folder, so that its dependents depend on them.
func (v *Verifier) isReExporter(id int64) bool {
	f, err := v.Snapshot.FileByID(id)
	stem, _, _ := strings.Cut(path.Base(f.Path), ".")
	return err == nil && slices.Contains([]string{"index", "mod", "__init__", "lib", "main", "exports", "all"}, stem)
}

// findShown searches for text that shows a link which is no edge of the graph: a call over the network, a name in a template, a link
// inside one file or through a value that a third file hands on.
func (v *Verifier) findShown(ctx context.Context, l *Link, from, to, pattern string) error {
	both := to != "" && to != from
	if both && pattern == "" && !isFoundByPlace(to) && v.sameLanguage(from, to) {
		l.State, l.Detail = Failed, fmt.Sprintf("%s does not depend on %s", from, to)
		return nil
	}
	if pattern == "" {
		l.Detail = "it is no edge between two files, and no pattern shows it"
		return nil
	}
	re, err := regexp.Compile("(?s)" + pattern)
	if err != nil {
		re = regexp.MustCompile(regexp.QuoteMeta(pattern))
	}
	for i, p := range append([]string{from, to}, v.Files...) {
		if p == "" || i > maxSearched {
			continue
		}
		text, err := v.readText(ctx, p)
		if err != nil {
			return err
		}
		if i > 0 && !bytes.Contains(text, []byte(fileStem(from))) || i > 1 && !bytes.Contains(text, []byte(fileStem(to))) {
			continue // another file shows it only if it has to do with both
		}
		if tied, err := v.canShow(i, p, from, to); err != nil || !tied {
			if err != nil {
				return err
			}
			continue
		}
		if at := re.FindIndex(text); at != nil {
			line := 1 + strings.Count(string(text[:at[0]]), "\n")
			l.State, l.Detail = Verified, fmt.Sprintf("%s:%d holds what the pattern says", p, line)
			return nil
		}
		if i == 0 && both && (importsName(text, fileStem(to)) || v.containsFileName(text, from, to)) {
			l.State, l.Detail = Verified, fmt.Sprintf("%s names what %s is called", from, to)
			return nil
		}
	}
	l.Detail = fmt.Sprintf("no file that the phase names shows it by the pattern %q", pattern)
	if both && v.sameLanguage(from, to) {
		l.State, l.Detail = Failed, fmt.Sprintf("%s does not depend on %s, and %s", from, to, l.Detail)
	}
	return nil
}

// canShow reports whether a file may serve as evidence for a link from one file to another; place is its position in the search. If
// the graph knows the edges of both files, the file "to" must depend on "from" itself, and a third file must depend on both and be no
// test: a test or comment that names both does not connect them.
func (v *Verifier) canShow(place int, p, from, to string) (bool, error) {
	both := to != "" && to != from
	if place == 0 || !both || !v.sameLanguage(from, to) || !v.sameLanguage(p, from) {
		return true, nil
	}
	back, err := v.describeEdge(p, from)
	if err != nil || back == "" || place == 1 {
		return back != "", err
	}
	f, err := v.Snapshot.FileByID(v.Places.FileID(p))
	if err != nil || f.Class.Has(code.ClassTest) {
		return false, err
	}
	on, err := v.describeEdge(p, to)
	return on != "", err
}

func fileStem(p string) string {
	stem, _, _ := strings.Cut(path.Base(p), ".")
	return stem
}

// sameLanguage reports whether the graph would have an edge between two files because of their languages.
func (v *Verifier) sameLanguage(a, b string) bool {
	x, errX := v.Snapshot.FileByID(v.Places.FileID(a))
	y, errY := v.Snapshot.FileByID(v.Places.FileID(b))
	if errX != nil || errY != nil {
		return false
	}
	family := func(l code.Lang) string { return lang.Of(l).Family }
	return x.Lang == y.Lang || family(x.Lang) != "" && family(x.Lang) == family(y.Lang)
}

// maxSearched is the number of files of a phase that are searched for a pattern.
const maxSearched = 100

// containsFileName reports whether a text holds the name of a file, in languages whose files name each other without a path.
func (v *Verifier) containsFileName(text []byte, from, to string) bool {
	f, err := v.Snapshot.FileByID(v.Places.FileID(from))
	stem := fileStem(to)
	return err == nil && lang.Of(f.Lang).Scope != lang.FileScope && len(stem) > 3 && bytes.Contains(text, []byte(stem))
}
