package content_test

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ken/internal/token"
	"ken/internal/workflow/content"
	"ken/internal/workflow/content/models"
	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/yamltree"
)

// form is what the files of a kind have in common. The keys are those of front matter, of a guide those of the file.
type form struct {
	kind       content.Kind
	ending     string
	tokens     int // the most that one of them has
	keys, step []string
	optional   []string
	read       func(name string) error
}

var forms = []form{
	{
		kind: content.GuideKind, ending: ".yml", tokens: 700, keys: []string{"purpose", "takes", "skill", "steps"}, optional: []string{"next"},
		step: []string{"name", "when", "do", "run", "role", "gate", "options", "writes"},
		read: func(n string) error { _, err := content.ReadGuide(n); return err },
	},
	{
		kind: content.RoleKind, ending: ".md", tokens: 1200, keys: []string{"purpose", "takes", "tools", "reads", "writes"},
		read: func(n string) error { _, err := content.ReadRole(n); return err },
	},
	{
		kind: content.ReferenceKind, ending: ".md", tokens: 1500, keys: []string{"purpose"},
		read: func(n string) error { _, err := content.ReadReference(n); return err },
	},
}

// everyPhase are the roles that agents take in every phase, which may have fewer tokens than others.
var everyPhase = []string{"planner", "plan-checker", "executor", "verifier"}

const (
	phaseRoleTokens = 1000
	fileBytes       = 8192
	packBytes       = 350 << 10
)

// everyText calls f with each text of the pack.
func everyText(f func(how form, name, text string)) {
	for _, how := range forms {
		for _, name := range content.Names(how.kind) {
			text, _ := content.Source(how.kind, name) // TestRead reports an error
			f(how, name, text)
		}
	}
}

// header parses the keys of a text.
func header(how form, text string) *yamltree.Tree {
	if how.kind != content.GuideKind {
		text, _, _ = strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
		text += "\n"
	}
	return yamltree.Parse(text, edit.Span{Start: 0, End: len(text)}, 0)
}

func TestRead(t *testing.T) {
	for _, how := range forms {
		entries, err := os.ReadDir(path.Join("files", string(how.kind)))
		if err != nil || len(entries) == 0 {
			t.Errorf("%s: %d files, %v", how.kind, len(entries), err)
		}
		for _, e := range entries {
			name, ok := strings.CutSuffix(e.Name(), how.ending)
			if !ok || !regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`).MatchString(name) {
				t.Errorf("%s/%s: a file of this kind is named by small letters and hyphens, and ends with %s", how.kind, e.Name(), how.ending)
			} else if err := how.read(name); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestSizes(t *testing.T) {
	counter := token.New(token.O200K)
	all := 0
	everyText(func(how form, name, text string) {
		all += len(text)
		limit := how.tokens
		if how.kind == content.RoleKind && slices.Contains(everyPhase, name) {
			limit = phaseRoleTokens
		}
		if n := counter.CountString(text); n > limit {
			t.Errorf("%s/%s has %d tokens, the limit is %d", how.kind, name, n, limit)
		}
		if len(text) > fileBytes {
			t.Errorf("%s/%s has %d bytes, the limit is %d", how.kind, name, len(text), fileBytes)
		}
	})
	if all > packBytes {
		t.Errorf("all texts have %d bytes, the limit is %d", all, packBytes)
	}
}

// TestKeys fails for a key that a kind does not have, and for one that is missing or empty.
func TestKeys(t *testing.T) {
	everyText(func(how form, name, text string) {
		top := header(how, text)
		for _, p := range top.Root.Pairs {
			if !slices.Contains(how.keys, p.Key) && !slices.Contains(how.optional, p.Key) {
				t.Errorf("%s/%s: the kind has no key %q", how.kind, name, p.Key)
			}
		}
		for _, key := range how.keys {
			if top.Get(key) == nil {
				t.Errorf("%s/%s: it has no %q", how.kind, name, key)
			}
		}
		if purpose := top.Get("purpose").Text(); len(purpose) < 20 || len(purpose) > 120 || strings.HasSuffix(purpose, ".") {
			t.Errorf("%s/%s: the purpose is %q; 20 to 120 bytes without a full stop are meant", how.kind, name, purpose)
		}
	})
}

func TestSteps(t *testing.T) {
	for _, name := range content.Names(content.GuideKind) {
		text, _ := content.Source(content.GuideKind, name)
		var seen []string
		top := header(forms[0], text)
		if skill := top.Get("skill").Text(); skill != "ken-plan" && skill != "ken-do" {
			t.Errorf("%s: no skill is named %q", name, skill)
		}
		for _, n := range top.Get("steps").Items {
			step := n.Get("name").Text()
			if words := len(strings.Fields(step)); words < 1 || words > 3 || slices.Contains(seen, step) {
				t.Errorf("%s: step %q: a name has one to three words and is there once", name, step)
			}
			seen = append(seen, step)
			for _, p := range n.Pairs {
				if !slices.Contains(forms[0].step, p.Key) {
					t.Errorf("%s: step %q: a step has no key %q", name, step, p.Key)
				}
			}
			if n.Get("do").Text() == "" || !slices.ContainsFunc([]string{"run", "role", "gate", "writes"}, func(k string) bool { return n.Get(k) != nil }) {
				t.Errorf("%s: step %q: it has no do, or none of run, role, gate and writes", name, step)
			}
			if role := n.Get("role").Text(); role != "" && !slices.Contains(content.Names(content.RoleKind), role) {
				t.Errorf("%s: step %q: there is no role %q", name, step, role)
			}
		}
		if len(seen) == 0 {
			t.Errorf("%s: it has no step", name)
		}
	}
}

func TestTools(t *testing.T) {
	for _, name := range content.Names(content.RoleKind) {
		r, err := content.ReadRole(name)
		if err != nil {
			continue // TestRead reports it
		}
		for _, tool := range r.Tools {
			if !slices.Contains(content.Tools(), tool) {
				t.Errorf("%s: there is no tool %q", name, tool)
			}
		}
		writes := slices.Contains(r.Tools, "write") || slices.Contains(r.Tools, "edit")
		if writes != (len(r.Writes) > 0) {
			t.Errorf("%s: tools %v, but it writes %v", name, r.Tools, r.Writes)
		}
	}
}

// written are the paths that a text may be said to write: those of a planning folder that ken knows, and files of the project, as FILE.
var written = regexp.MustCompile(`^(?:` + strings.Join([]string{
	`(?:PROJECT|REQUIREMENTS|ROADMAP|STATE|MILESTONES|RETROSPECTIVE|LEARNINGS|INGEST-CONFLICTS|INBOX-TRIAGE|VERSION-MILESTONE-AUDIT)\.md`,
	`config\.json|HANDOFF\.json|\.continue-here\.md|deferred-items\.md`,
	`codebase/(?:STACK|INTEGRATIONS|ARCHITECTURE|STRUCTURE|CONVENTIONS|TESTING|CONCERNS)\.md`,
	`research/(?:SUMMARY|STACK|FEATURES|ARCHITECTURE|PITFALLS|questions)\.md`,
	`intel/(?:api-map|arch-decisions|stack)\.json`,
	`(?:debug|notes|seeds|threads|reports|forensics|todos/pending)/NAME\.md`,
	`(?:spikes|sketches)/(?:MANIFEST\.md|CONVENTIONS\.md|NAME/README\.md|NAME/index\.html)`,
	`tmp/NAME\.json`, `milestones/VERSION-(?:ROADMAP|REQUIREMENTS|MILESTONE-AUDIT)\.md`,
	`FILE`,
}, "|") + `)$`)

// TestWrites fails for a document of no kind that ken types.
func TestWrites(t *testing.T) {
	check := func(where string, list []string) {
		for _, w := range list {
			if !slices.Contains(inventory.DocumentKinds(), w) && !written.MatchString(w) {
				t.Errorf("%s writes %q, which is neither a kind of document nor a file that ken knows", where, w)
			}
		}
	}
	for _, name := range content.Names(content.RoleKind) {
		if r, err := content.ReadRole(name); err == nil {
			check(name, r.Writes)
		}
	}
	for _, name := range content.Names(content.GuideKind) {
		if g, err := content.ReadGuide(name); err == nil {
			for _, s := range g.Steps {
				check(name+", step "+s.Name, s.Writes)
			}
		}
	}
}

// TestNames fails if two texts have one name, which would leave one of them out of reach.
func TestNames(t *testing.T) {
	seen := map[string]content.Kind{}
	everyText(func(how form, name, _ string) {
		if first, ok := seen[name]; ok {
			t.Errorf("%s is in %s and in %s", name, first, how.kind)
		}
		seen[name] = how.kind
	})
}

var guideCall = regexp.MustCompile(`ken plan guide ([a-z][a-z0-9-]*)`)

// TestGuideCalls fails for a call that would print a text that is not there.
func TestGuideCalls(t *testing.T) {
	count := 0
	everyText(func(how form, name, text string) {
		for _, m := range guideCall.FindAllStringSubmatch(text, -1) {
			count++
			if _, ok := content.Find(m[1]); !ok {
				t.Errorf("%s/%s: there is no text %q for %q", how.kind, name, m[1], m[0])
			}
		}
	})
	if count == 0 {
		t.Error("no call was found")
	}
}

// TestCallsWhole fails for a call that is broken over two lines, which is cut where texts are searched for calls, and for one with
// parts that a shell would not take as they are.
func TestCallsWhole(t *testing.T) {
	broken := regexp.MustCompile("`ken [^`\\n]*\\n")
	quoted := regexp.MustCompile("`ken ([^`\\n]*)`")
	everyText(func(how form, name, text string) {
		for _, call := range broken.FindAllString(text, -1) {
			t.Errorf("%s/%s: the call %q ends at the end of its line", how.kind, name, call)
		}
		for _, m := range quoted.FindAllStringSubmatch(text, -1) {
			if strings.ContainsAny(m[1], "…[]<>|;&$") {
				t.Errorf("%s/%s: the call %q is not one that can be run", how.kind, name, m[0])
			}
		}
	})
}

// TestRoles holds the roles: those of the table of models, and those that have the model of no row.
func TestRoles(t *testing.T) {
	want := []string{
		"advisor-researcher", "ai-researcher", "assumptions-analyzer", "code-fixer", "code-reviewer", "debug-session-manager", "doc-classifier",
		"doc-synthesizer", "domain-researcher", "eval-auditor", "eval-planner", "framework-selector", "intel-updater", "security-auditor", "user-profiler",
	}
	for _, agent := range models.Agents() {
		want = append(want, strings.TrimPrefix(agent, "gsd-"))
	}
	slices.Sort(want)
	if got := content.Names(content.RoleKind); !slices.Equal(got, want) {
		t.Errorf("the roles are %v\n%v are meant", got, want)
	}
}

// TestReferencesReached fails for a reference that no other text names, because no agent would read it.
func TestReferencesReached(t *testing.T) {
	reached := map[string]bool{}
	everyText(func(_ form, name, text string) {
		for _, m := range guideCall.FindAllStringSubmatch(text, -1) {
			reached[m[1]] = reached[m[1]] || m[1] != name
		}
	})
	for _, name := range content.Names(content.ReferenceKind) {
		if !reached[name] {
			t.Errorf("no other text names the reference %s", name)
		}
	}
}

// TestGatesOfGuides: guides that begin or end work on a phase ask what stands in their way, by their own names.
func TestGatesOfGuides(t *testing.T) {
	for _, name := range []string{"discuss-phase", "plan-phase", "execute-phase", "verify-work", "ship", "complete-milestone"} {
		g, err := content.ReadGuide(name)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(g.Steps, func(s content.Step) bool {
			return slices.ContainsFunc(s.Run, func(call string) bool { return strings.HasPrefix(call+" ", "ken plan check gates "+name+" ") })
		}) {
			t.Errorf("%s does not ask for its gates", name)
		}
	}
}

// TestReasonsNamed holds the calls of stages that report why something is so to the flag that takes the reason.
func TestReasonsNamed(t *testing.T) {
	stages, err := content.Stages()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, s := range stages {
		for _, call := range s.Otherwise {
			for _, event := range []string{" failed ", " checkpoint ", " deviated "} {
				if strings.Contains(call, event) {
					seen++
					if !strings.Contains(call, " --text ") {
						t.Errorf("%s: %s does not name --text", s.Name, call)
					}
				}
			}
		}
	}
	if seen == 0 {
		t.Error("no step names such a call")
	}
}
