//go:build unix

package app

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/delivery/project"
	"ken/internal/engine/store"
	"ken/internal/git/gittest"
	"ken/internal/operation"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
)

// unreadableFiles are the files of a planning folder that are made unreadable one at a time.
var unreadableFiles = []string{
	"ROADMAP.md", "STATE.md", "REQUIREMENTS.md", "PROJECT.md", "config.json", "phases/01-first/01-01-PLAN.md", "phases/01-first/01-01-SUMMARY.md",
	"phases/01-first/01-VERIFICATION.md", "phases/01-first/01-CONTEXT.md", "todos/pending/2026-01-01-a.md",
}

// unreadableKinds are the ways in which a file cannot be read.
var unreadableKinds = []struct {
	name  string
	spoil func(h *hostilePlans, name string)
}{
	{"binary", func(h *hostilePlans, name string) {
		h.plan(name, "\x7fELF\x02\x01\x01\x00\x00\xff\xfe"+soundPlans()[name])
	}},
	{"link", func(h *hostilePlans, name string) { h.link(name, h.path("outside/secret.md")) }},
	{"front matter", func(h *hostilePlans, name string) {
		text := strings.Replace(soundPlans()[name], "---\n", "", 2)
		if name == "config.json" {
			text = `{"mode": `
		}
		h.plan(name, "---\nphase: \"not closed\nlist: [a, b\n---\n"+text)
	}},
	{"conflict", func(h *hostilePlans, name string) {
		h.each(func(text string) string {
			if at := strings.LastIndex(text, "\n---\n"); at >= 0 {
				return text[:at+5] + conflicted(text[at+5:])
			}
			return conflicted(text)
		}, name)
	}},
	{"not UTF-8", func(h *hostilePlans, name string) {
		h.each(func(text string) string { return text + "caf\xe9\n" }, name)
	}},
	{"too large", func(h *hostilePlans, name string) {
		h.each(func(text string) string { return text + strings.Repeat("\n", folder.MaxBytes) }, name)
	}},
	{"no permission", func(h *hostilePlans, name string) { h.check(os.Chmod(h.path("project/.planning", name), 0)) }},
}

// soundAnswer is the answer of an operation about the sound folder, and whether it changed the file that is made unreadable later.
type soundAnswer struct {
	text   string
	writes bool
}

// TestUnreadableIsNamedByAll makes one file unreadable after the other and asks every operation. An answer that is another one than that
// about the sound folder names the file. An operation that only reads, or that would have written the file and did nothing, does not end as
// if all were good. No byte of the file changes: it stays, or is moved whole with its folder, or is in a folder that is removed by its name.
func TestUnreadableIsNamedByAll(t *testing.T) {
	gittest.IsolateSettings(t)
	gittest.SetUser(t, "t")
	ops := planningOperations(func(string) (*project.Project, error) { return nil, store.ErrNoIndex })
	for at, name := range unreadableFiles {
		t.Run(path.Base(name), func(t *testing.T) {
			t.Parallel()
			h := &hostilePlans{t: t, base: filepath.Join(t.TempDir(), "base"), ops: ops, seen: map[string]seenFile{}, limit: time.Minute}
			h.check(os.MkdirAll(h.base, 0o755))
			where := "project/.planning/" + name
			asked := func(i int) bool { return !testing.Short() || (i+at)%10 == 0 }
			answers := map[string]soundAnswer{}
			sound := func(*hostilePlans) {}
			h.made(sound)
			before := h.tree()
			for i, o := range ops {
				if !asked(i) {
					continue
				}
				text := h.answer(o)
				if strings.Contains(text, `"unreadable"`) {
					t.Errorf("%s calls a file of the sound folder unreadable: %s", o.Name, text)
				}
				after := h.tree()
				answers[o.Name] = soundAnswer{text, before[where] != after[where]}
				if !maps.Equal(before, after) {
					h.made(sound)
					before = h.tree()
				}
			}
			for _, kind := range unreadableKinds {
				if kind.name == "no permission" && os.Getuid() == 0 {
					continue // root reads all the same
				}
				spoil := func(h *hostilePlans) { kind.spoil(h, name) }
				h.made(spoil)
				before := h.tree()
				for i, o := range ops {
					if asked(i) && !h.askUnreadable(o, kind.name, where, before, answers[o.Name]) {
						h.made(spoil)
						before = h.tree()
					}
				}
			}
		})
	}
}

// answer returns what an operation answers, with its error, but for times.
func (h *hostilePlans) answer(o *planop.Operation) string {
	h.t.Helper()
	text, err, _ := h.run(planWords(h.t, o)...)
	return clocks().ReplaceAllString(fmt.Sprint(text, err), "TIME")
}

// askUnreadable asks an operation about a folder in which a file is unreadable, and reports whether the folder is as it was.
func (h *hostilePlans) askUnreadable(o *planop.Operation, kind, where string, before map[string]string, was soundAnswer) bool {
	h.t.Helper()
	what := fmt.Sprintf("%s: %s", kind, clipped(planWords(h.t, o)))
	text, err, ended := h.run(planWords(h.t, o)...)
	if !ended {
		return false
	}
	after := h.tree()
	gone := before[where] != after[where]
	kept := slices.Contains(slices.Collect(maps.Values(after)), before[where])
	if gone && !kept && !slices.Contains([]string{"phases clear", "phase remove"}, o.Name) {
		h.t.Errorf("%s: the file changed", what)
	}
	answer := clocks().ReplaceAllString(fmt.Sprint(text, err), "TIME")
	file := path.Base(where)
	named := strings.Contains(answer, file+": ") || strings.Contains(answer, file+" ") || strings.Count(answer, file) > strings.Count(was.text, file)
	switch {
	case answer == was.text && (!was.writes || gone):
	case !named:
		h.t.Errorf("%s: the answer does not name the file: %.600s\nsound: %.600s", what, answer, was.text)
	case err == nil && (o.Effect == operation.Reads || was.writes && maps.Equal(before, after)):
		h.t.Errorf("%s: it ends as if all were good: %.600s", what, answer)
	}
	return maps.Equal(before, after)
}
