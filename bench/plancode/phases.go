package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ken/bench/world"
	"ken/internal/delivery/plancode/place"
	"ken/internal/delivery/plancode/verify"
	"ken/internal/engine"
	"ken/internal/engine/update"
	"ken/internal/engine/view"
	"ken/internal/store/sqlite"
	"ken/internal/workflow/plan/artefact"
)

// finishedPhase is a phase of which all plans were carried out, at the commit after the last of them.
type finishedPhase struct {
	dir   string
	tip   string
	plans []*artefact.Plan
}

// finishedPhases are the phases of a history, at most so many.
func finishedPhases(log []commit, phases map[string][]*executedPlan, most int) []finishedPhase {
	var out []finishedPhase
	for _, dir := range slices.Sorted(maps.Keys(phases)) {
		last := 0
		f := finishedPhase{dir: dir}
		links, artifacts := 0, 0
		for _, p := range phases[dir] {
			last = max(last, slices.Max(p.own))
			plan := artefact.ParsePlan(p.text)
			f.plans = append(f.plans, plan)
			links += len(plan.MustHaves.Links)
			artifacts += len(plan.MustHaves.Artifacts)
		}
		if f.tip = log[last].id; links >= 2 && artifacts >= 2 && len(out) < most {
			out = append(out, f)
		}
	}
	return out
}

// verifyPhase verifies a phase in the present tree, and returns the failures.
func (f *finishedPhase) verifyPhase(ctx context.Context, tree string) ([]string, error) {
	e := engine.New(engine.Options{Root: tree, Store: sqlite.New(filepath.Join(tree, ".ken", "index.db"))})
	defer e.Close()
	if _, err := e.Update(ctx, update.Request{Create: true}); err != nil {
		return nil, err
	}
	var out []string
	err := e.Answer(ctx, engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		rows, err := s.AllPaths()
		if err != nil {
			return nil, err
		}
		v := &verify.Verifier{Snapshot: s, Places: place.New(rows, nil)}
		for _, p := range f.plans {
			v.AddSearchedFiles(p)
		}
		for _, p := range f.plans {
			artifacts, err := v.Artifacts(ctx, p.ID, p)
			if err != nil {
				return nil, err
			}
			links, err := v.Links(ctx, p.ID, p)
			if err != nil {
				return nil, err
			}
			for _, a := range artifacts {
				if a.State == verify.Failed {
					out = append(out, "artifact "+a.Path+": "+strings.Join(a.Issues, "; "))
				}
			}
			for _, l := range links {
				if l.State == verify.Failed {
					out = append(out, "link "+l.From+" → "+l.To+": "+l.Detail)
				}
			}
		}
		return nil, nil
	})
	return out, err
}

// phasesTally counts alarms in finished and in sabotaged phases.
type phasesTally struct {
	finished, alarms  int
	wrong             int // alarms that are false, or not judged
	sabotaged, caught int
}

// readAlarms reads the alarms that hold.
func readAlarms(file string) (map[string]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	list := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if w := strings.SplitN(strings.TrimSpace(line), " ", 4); len(w) == 4 && !strings.HasPrefix(line, "#") {
			list[strings.Join(w[:3], " ")] = w[3]
		}
	}
	return list, nil
}

// sabotages are the ways in which a finished phase is spoiled, each in turn.
var sabotages = []string{"stub", "link", "unlinked", "hollow"}

// verifyPhases verifies the finished phases of a repository, and each once more after it was spoiled.
func (t *phasesTally) verifyPhases(ctx context.Context, o *options, row world.Pin) error {
	r, log, all, err := openPlans(ctx, o, row)
	if err != nil {
		return err
	}
	for _, f := range finishedPhases(log, all, o.phases) {
		if err := world.Checkout(ctx, r.tree, f.tip); err != nil {
			return err
		}
		failed, err := f.verifyPhase(ctx, r.tree)
		if err != nil {
			return err
		}
		t.finished++
		if len(failed) > 0 {
			t.alarms++
			why, held := o.alarms[fmt.Sprintf("%s %s %.8s", r.name, f.dir, f.tip)]
			if !held {
				t.wrong++
				why = "not judged: counts as false"
			}
			fmt.Printf("  alarm  %s %s (%.8s): %s\n", r.name, f.dir, f.tip, why)
			for _, l := range failed {
				fmt.Println("           " + l)
			}
		}
		way := sabotages[t.sabotaged%len(sabotages)]
		what, err := f.spoilPhase(r.tree, way)
		if err != nil {
			return err
		}
		if what == "" {
			continue
		}
		now, err := f.verifyPhase(ctx, r.tree)
		if err != nil {
			return err
		}
		t.sabotaged++
		verdict := "missed"
		if more := slices.DeleteFunc(now, func(l string) bool { return slices.Contains(failed, l) }); len(more) > 0 {
			t.caught++
			verdict = "found "
			what += ": " + more[0]
		}
		fmt.Printf("  %s %s %s %s: %s\n", verdict, way, r.name, f.dir, what)
		if err := world.Checkout(ctx, r.tree, f.tip); err != nil {
			return err
		}
		if _, err := r.git("clean", "-qfd", "-e", ".ken"); err != nil {
			return err
		}
	}
	return nil
}

var (
	tests    = regexp.MustCompile(`(?i)(test|spec)`)
	asserts  = regexp.MustCompile(`(?i)expect|assert|t\.(Error|Fatal)|require\.`)
	function = regexp.MustCompile(`(?m)^(export (?:default )?(?:async )?function \w+\([^)]*\)[^{\n]*\{|func (?:\([^)]*\) )?[A-Z]\w*\([^)]*\)[^{\n]*\{|def [a-z]\w*\([^)]*\)[^:\n]*:)`)
)

// spoilPhase damages a phase in one way and describes the change. It returns "" if the way does not apply.
func (f *finishedPhase) spoilPhase(tree, way string) (string, error) {
	for _, p := range f.plans {
		switch way {
		case "link":
			for _, l := range p.MustHaves.Links {
				if done, err := removeLink(tree, l.From, l.To, l.Pattern); err != nil || done != "" {
					return done, err
				}
			}
			continue
		case "hollow":
			for _, file := range p.Files {
				if done, err := removeAssertions(tree, file); err != nil || done != "" {
					return done, err
				}
			}
			continue
		}
		for _, a := range p.MustHaves.Artifacts {
			if tests.MatchString(a.Path) {
				continue
			}
			var done string
			var err error
			if way == "stub" {
				done, err = emptyFunctions(tree, a.Path)
			} else {
				done, err = removeImports(tree, a.Path)
			}
			if err != nil || done != "" {
				return done, err
			}
		}
	}
	return "", nil
}

// rewriteFile changes a file of a tree and reports whether it did. A file that is not there, or a link, stays as it is.
func rewriteFile(tree, file string, change func(text string) string) (bool, error) {
	name := filepath.Join(tree, filepath.FromSlash(file))
	st, err := os.Lstat(name)
	if err != nil || !st.Mode().IsRegular() || strings.Contains(file, "..") {
		return false, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return false, err
	}
	now := change(string(text))
	if now == string(text) {
		return false, nil
	}
	return true, os.WriteFile(name, []byte(now), 0o644)
}

// removeLines removes the lines of a file that match, and reports whether there was one.
func removeLines(tree, file string, match func(line string) bool) (bool, error) {
	return rewriteFile(tree, file, func(text string) string {
		return strings.Join(slices.DeleteFunc(strings.SplitAfter(text, "\n"), match), "")
	})
}

// emptyFunctions replaces the bodies of all functions of a file by "not implemented".
func emptyFunctions(tree, file string) (string, error) {
	done, err := rewriteFile(tree, file, func(text string) string {
		heads := function.FindAllString(text, 20)
		if len(heads) == 0 {
			return text
		}
		var b strings.Builder
		for _, h := range heads {
			switch {
			case strings.HasPrefix(h, "def "):
				b.WriteString(h + "\n    raise NotImplementedError\n\n")
			case strings.HasPrefix(h, "func "):
				b.WriteString(h + "\n\tpanic(\"not implemented\")\n}\n\n")
			default:
				b.WriteString(h + "\n  throw new Error('Not implemented')\n}\n\n")
			}
		}
		return b.String()
	})
	if !done {
		return "", err
	}
	return "the functions of " + file + " do nothing", err
}

// removeLink removes the lines of a file that name another one or match the pattern of their connection.
func removeLink(tree, from, to, pattern string) (string, error) {
	stem, _, _ := strings.Cut(filepath.Base(to), ".")
	ext := filepath.Ext(to)
	if ext == "" || ext == ".go" || ext != filepath.Ext(from) {
		return "", nil // packages of Go are named by their folder, so no line of a file has the connection
	}
	if !strings.Contains(to, "/") || len(stem) < 4 || from == to {
		return "", nil
	}
	if _, err := os.Stat(filepath.Join(tree, filepath.FromSlash(to))); err != nil {
		return "", nil
	}
	re, err := regexp.Compile(pattern)
	if err != nil || pattern == "" {
		re = regexp.MustCompile(regexp.QuoteMeta(stem))
	}
	done, err := removeLines(tree, from, func(line string) bool { return strings.Contains(line, stem) || re.MatchString(line) })
	if !done {
		return "", err
	}
	return from + " no longer names " + to, err
}

// removeImports removes all lines of other files that name a file.
func removeImports(tree, file string) (string, error) {
	stem, _, _ := strings.Cut(filepath.Base(file), ".")
	if len(stem) < 5 || stem == "__init__" || filepath.Ext(file) == ".go" {
		return "", nil
	}
	text, _ := os.ReadFile(filepath.Join(tree, filepath.FromSlash(file)))
	if !function.Match(text) { // it is not there, or has nothing to use
		return "", nil
	}
	n := 0
	err := filepath.WalkDir(tree, func(p string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{".git", ".ken", ".planning"}, d.Name()) {
			return filepath.SkipDir
		}
		rel, _ := filepath.Rel(tree, p)
		if d.IsDir() || filepath.ToSlash(rel) == file {
			return nil
		}
		done, err := removeLines(tree, filepath.ToSlash(rel), func(line string) bool { return strings.Contains(line, stem) })
		if done {
			n++
		}
		return err
	})
	if n == 0 {
		return "", err
	}
	return fmt.Sprintf("%d files no longer name %s", n, file), err
}

// removeAssertions removes the lines of a test that check something.
func removeAssertions(tree, file string) (string, error) {
	if !tests.MatchString(filepath.Base(file)) || filepath.Ext(file) == ".sh" {
		return "", nil
	}
	done, err := removeLines(tree, file, asserts.MatchString)
	if !done {
		return "", err
	}
	return file + " checks nothing", err
}
