package stores_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/planop/operationtest"
	"ken/internal/workflow/plan/readers"
	"ken/internal/workflow/plan/stores"
)

const todo = "---\r\ncreated: 2026-01-02T03:04\r\ntitle: Rotate the API keys # soon\r\narea: auth\r\nfiles:\r\n  - src/keys.go:12\r\n---\r\n\r\n## Problem\r\n\r\nold\r\n"

func project(t *testing.T, files map[string]string) *operationtest.Project {
	all := map[string]string{".planning/ROADMAP.md": "# Roadmap\n\n### Phase 1: Auth keys\n**Goal**: Tokens are rotated\n\n### Phase 2: Other\n**Goal**: Nothing\n", ".planning/STATE.md": "# State\n"}
	for name, text := range files {
		all[name] = text
	}
	return operationtest.New(t, slices.Concat(stores.All(), readers.All()), all)
}

// undo takes a change back, which has to give the files from before.
func undo(t *testing.T, p *operationtest.Project, before map[string]string) {
	t.Helper()
	if _, err := p.Do("undo"); err != nil {
		t.Error(err)
	}
	p.Same("undo", before)
}

// TestTodoCompletedInsideFrontMatter moves a todo with its day inside the front matter: above it, no reader finds the rest.
func TestTodoCompletedInsideFrontMatter(t *testing.T) {
	p := project(t, map[string]string{".planning/todos/pending/2026-01-02-keys.md": todo, ".planning/todos/pending/b.md": "no front matter\n"})
	before := p.Files()
	p.Want("todo complete 2026-01-02-keys --dry-run", `{"completed":true,"file":"2026-01-02-keys.md","date":"2026-03-04"}`)
	p.Same("dry run", before)
	p.Want("todo complete keys", `{"completed":true,"file":"2026-01-02-keys.md","date":"2026-03-04"}`)
	got := p.Read(".planning/todos/completed/2026-01-02-keys.md")
	if want := strings.Replace(todo, "---\r\n\r\n##", "completed: \"2026-03-04\"\r\n---\r\n\r\n##", 1); got != want && got != strings.ReplaceAll(want, `"`, "") {
		t.Errorf("got %q\nwant %q", got, want)
	}
	p.Want("list-todos auth", `{"count":0,"todos":[]}`)
	undo(t, p, before)
	p.Fails("todo complete nothing", "not found", "b.md")
	p.Fails("todo complete ../../STATE.md", "not found")
	p.Fails("todo complete 'a\nb'", "not found")
	p.Write(".planning/todos/completed/b.md", "other\n")
	p.Fails("todo complete b.md", "is there already")
	p = project(t, map[string]string{".planning/todos/pending/a.md": todo, ".planning/todos/done/x.md": todo})
	p.Want("todo complete a.md", `{"completed":true,"file":"a.md","date":"2026-03-04"}`)
	p.Read(".planning/todos/done/a.md")
}

func TestTodos(t *testing.T) {
	p := project(t, map[string]string{
		".planning/todos/pending/a.md": todo, ".planning/todos/pending/c.txt": "", ".planning/todos/pending/broken.md": "---\ntitle: x\n",
		".planning/phases/01-auth/01-01-PLAN.md": "---\nfiles_modified: [src/keys.go]\n---\n",
	})
	p.Want("list-todos auth", `{"count":1,"todos":[{"file":"a.md","created":"2026-01-02T03:04","title":"Rotate the API keys","area":"auth","path":".planning/todos/pending/a.md"}]}`)
	p.Want("todo match-phase 1", `{"phase":"1","matches":[{"file":"a.md","title":"Rotate the API keys","area":"auth","score":1.1,"reasons":["keywords: keys","area: auth","files: src/keys.go"]}],"todo_count":2}`)
	p.Want("todo match-phase 2", `{"phase":"2","matches":[],"todo_count":2}`)
	p.Fails("todo match-phase 7", "there is no phase 7")
	before := p.Files()
	p.Want("todo create 'Fix: the \"door\"\nstatus: x' --area ui --files a.go,b.go --problem it is open",
		`{"created":true,"file":"2026-03-04-fix-the-door-status-x.md","title":"Fix: the \"door\" status: x","created_at":"2026-03-04T05:06:07.000Z","path":".planning/todos/pending/2026-03-04-fix-the-door-status-x.md"}`)
	n := artefact.ParseNote(p.Read(".planning/todos/pending/2026-03-04-fix-the-door-status-x.md"))
	if n.Title() != `Fix: the "door" status: x` || n.Value("area") != "ui" || n.Status() != "" || !slices.Equal(n.Doc.FrontMatter().Texts(n.Doc.FrontMatter().Get("files")), []string{"a.go", "b.go"}) {
		t.Errorf("%s", n.Doc.Text())
	}
	p.Fails("todo create 'Fix: the door status x'", "is there already")
	undo(t, p, before)
	p = project(t, map[string]string{
		".planning/ROADMAP.md": "# R\n\n### Phase 1: Show\n**Plans**: TBD\n", ".planning/todos/pending/t.md": "---\ntitle: Later TBD\n---\n",
	})
	p.Want("todo match-phase 1", `{"phase":"1","matches":[],"todo_count":1}`) // a placeholder is no word in common
}

// TestKinds begins, lists, sets and closes an entry of every store with a status; undo takes each step back.
func TestKinds(t *testing.T) {
	for _, row := range []struct{ store, title, file, plural, status, closed, closedPath string }{
		{"seed", "Dark mode", ".planning/seeds/SEED-001-dark-mode.md", "seeds", "active", "implemented", ".planning/seeds/SEED-001-dark-mode.md"},
		{"thread", "Slow tests", ".planning/threads/slow-tests.md", "threads", "in_progress", "resolved", ".planning/threads/slow-tests.md"},
		{"debug", "It hangs", ".planning/debug/it-hangs.md", "debug_sessions", "fixing", "resolved", ".planning/debug/resolved/it-hangs.md"},
	} {
		p := project(t, nil)
		start := p.Files()
		if _, err := p.Do(row.store, "create", row.title); err != nil {
			t.Error(err)
			continue
		}
		n := artefact.ParseNote(p.Read(row.file))
		if n.Title() != row.title || n.Status() == "" || len(n.Doc.Problems()) > 0 {
			t.Errorf("%s", n.Doc.Text())
		}
		begun := p.Files()
		name := strings.TrimSuffix(filepath.Base(row.file), ".md")
		if _, err := p.Do(row.store, "status", name, row.status); err != nil {
			t.Error(err)
		}
		p.Want(row.store+" list --status "+row.closed, `{"`+"count"+`":0,"`+row.plural+`":[]}`)
		undo(t, p, begun)
		if _, err := p.Do(row.store, "complete", name); err != nil {
			t.Error(err)
		}
		if got, err := p.Do(row.store, "list"); err != nil || !strings.Contains(got, `"status":"`+row.closed+`"`) || !strings.Contains(got, row.closedPath) {
			t.Error(got, err)
		}
		closed := p.Files()
		if _, err := p.Do(row.store, "complete", name); err != nil {
			t.Error(err)
		}
		p.Same("closing what is closed", closed)
		undo(t, p, begun)
		undo(t, p, start)
		p.Fails(row.store+" status nothing "+row.status, "not found")
		p.Fails(row.store+" status "+name+" odd", "it can be")
		p.Fails(row.store+" create ''", "title is missing")
	}
}

func TestSeedNumbers(t *testing.T) {
	p := project(t, map[string]string{".planning/seeds/SEED-007-x.md": "---\nid: SEED-007\nstatus: Active\n---\n# X\n"})
	p.Want("seed create Y --trigger when it rains", `{"created":true,"id":"SEED-008","file":"SEED-008-y.md","title":"Y","status":"dormant","created_at":"2026-03-04","path":".planning/seeds/SEED-008-y.md"}`)
	if got, err := p.Do("seed", "list", "--status", "active"); err != nil || !strings.Contains(got, `"title":"X"`) || strings.Contains(got, `"Y"`) {
		t.Error(got, err)
	}
	p.Fails("seed status SEED-00 active", "SEED-007-x.md", "SEED-008-y.md")
}

// TestOldThread has its status in a heading, and gets front matter when it is set.
func TestOldThread(t *testing.T) {
	p := project(t, map[string]string{".planning/threads/old.md": "# Thread: Old\n\n## Status: OPEN\n"})
	if got, err := p.Do("thread", "list"); err != nil || !strings.Contains(got, `"status":"open"`) {
		t.Error(got, err)
	}
	if _, err := p.Do("thread", "complete", "old"); err != nil {
		t.Error(err)
	}
	if got := p.Read(".planning/threads/old.md"); artefact.ParseNote(got).Status() != "resolved" || !strings.HasSuffix(got, "# Thread: Old\n\n## Status: OPEN\n") {
		t.Error(got)
	}
}

func TestNotes(t *testing.T) {
	p := project(t, nil)
	start := p.Files()
	p.Want("note create Look at <system> the cache of pages again and more", `{"created":true,"file":"2026-03-04-look-at-system-the-cache-of.md","title":"Look at ＜system＞ the cache of","status":"open","created_at":"2026-03-04 05:06","path":".planning/notes/2026-03-04-look-at-system-the-cache-of.md"}`)
	if _, err := p.Do("note", "create", "Look at <system> the cache of", "others"); err != nil {
		t.Error(err)
	}
	before := p.Files()
	p.Want("note promote cache-of-2", `{"promoted":true,"file":"2026-03-04-look-at-system-the-cache-of-2.md","todo":"2026-03-04-look-at-system-the-cache-of-others.md","path":".planning/todos/pending/2026-03-04-look-at-system-the-cache-of-others.md"}`)
	if got, err := p.Do("note", "list", "--status", "promoted"); err != nil || !strings.Contains(got, `"count":1`) {
		t.Error(got, err)
	}
	p.Fails("note promote cache-of-2", "already")
	undo(t, p, before)
	p.Fails("note promote cache", "not found")
	p.Fails("note create ' '", "empty")
	if _, err := p.Do("undo"); err != nil {
		t.Error(err)
	}
	undo(t, p, start)
}

// TestQuickTaskNames holds ids and summaries to the names in use, so that a finished task is not open for ever.
func TestQuickTaskNames(t *testing.T) {
	p := project(t, map[string]string{
		".planning/quick/260101-abc-fix/260101-abc-SUMMARY.md": "", ".planning/quick/1-old/SUMMARY.md": "", ".planning/quick/260102-abd-open/260102-abd-PLAN.md": "",
		".planning/quick/readme.md": "", ".planning/quick/notes/x": "",
	})
	p.Want("quick list --status incomplete", `{"count":1,"quick_tasks":[{"quick_id":"260102-abd","slug":"open","date":"2026-01-02","status":"incomplete","directory":".planning/quick/260102-abd-open"}]}`)
	before := p.Files()
	p.Want("quick create Mend the door", `{"created":true,"description":"Mend the door","quick_id":"260304-733","slug":"mend-the-door","date":"2026-03-04","status":"incomplete","directory":".planning/quick/260304-733-mend-the-door"}`)
	if got, err := p.Do("quick", "create", "Mend it"); err != nil || !strings.Contains(got, `"quick_id":"260304-734"`) {
		t.Error(got, err)
	}
	if _, err := p.Do("undo"); err != nil {
		t.Error(err)
	}
	undo(t, p, before)
	p.Want("quick status 260102-abd", `{"quick_id":"260102-abd","slug":"open","date":"2026-01-02","status":"incomplete","directory":".planning/quick/260102-abd-open"}`)
	p.Fails("quick complete 260102-abd", "has no 260102-abd-SUMMARY.md")
}

// TestQuickComplete adds one row, in the columns of the table that is there.
func TestQuickComplete(t *testing.T) {
	const task = ".planning/quick/260101-abc-fix/260101-abc-SUMMARY.md"
	for _, row := range []struct{ state, want string }{
		{"# State\r\n\r\n### Quick Tasks Completed\r\n\r\n| # | Description | Status | Commit |\r\n|---|---|---|---|\r\n| 1 | x | y | z |\r\n\r\n## Session Continuity\r\n",
			"| 1 | x | y | z |\r\n| 260101-abc | a \\| b | Complete | abc123 |\r\n\r\n## Session"},
		{"# State\n\n## Session Continuity\nx\n", "# State\n\n### Quick Tasks Completed\n\n| # | Description | Date | Commit | Directory |\n|---|---|---|---|---|\n" +
			"| 260101-abc | a \\| b | 2026-03-04 | abc123 | [260101-abc-fix](./quick/260101-abc-fix/) |\n\n## Session Continuity\nx\n"},
		{"# State\n\n### Quick Tasks Completed\n\n| # | Task | Date |\n|---|---|---|\n", "|---|---|---|\n| 260101-abc | a \\| b | 2026-03-04 |\n"},
		{"# State", "# State\n\n### Quick Tasks Completed\n"},
	} {
		p := project(t, map[string]string{task: "", ".planning/STATE.md": row.state})
		before := p.Files()
		if _, err := p.Do("quick", "complete", "abc", "--commit", "abc123", "--description", "a | b"); err != nil {
			t.Error(err)
		}
		if got := p.Read(".planning/STATE.md"); !strings.Contains(got, row.want) || len(document.Parse(got).Tables(document.Parse(got).Body())) != 1 {
			t.Errorf("%q\nwant %q", got, row.want)
		}
		after := p.Files()
		if got, err := p.Do("quick", "complete", "abc"); err != nil || !strings.Contains(got, `"recorded":false`) {
			t.Error(got, err)
		}
		p.Same("a second time", after)
		undo(t, p, before)
	}
}

func TestTrials(t *testing.T) {
	p := project(t, map[string]string{".planning/sketches/004-x/README.md": "# X\n"})
	start := p.Files()
	p.Want("spike create Fast | parser --question Is it fast", `{"created":true,"id":"001","file":"001-fast-parser","title":"Fast | parser","status":"PENDING","path":".planning/spikes/001-fast-parser/README.md","note":"Is it fast"}`)
	p.Want("spike status fast PARTIAL", `{"updated":true,"file":"001-fast-parser","path":".planning/spikes/001-fast-parser/README.md","status":"PARTIAL","previous":"PENDING"}`)
	if got := p.Read(".planning/spikes/MANIFEST.md"); !strings.Contains(got, "| 001 | fast-parser | Is it fast | PARTIAL |") {
		t.Error(got)
	}
	p.Want("spike list", `{"count":1,"spikes":[{"id":"001","file":"001-fast-parser","title":"Fast | parser","status":"PARTIAL","path":".planning/spikes/001-fast-parser","note":"Is it fast"}]}`)
	p.Fails("spike status fast GOOD", "it can be")
	if _, err := p.Do("undo"); err != nil {
		t.Error(err)
	}
	undo(t, p, start)
	p.Want("sketch create Y", `{"created":true,"id":"005","file":"005-y","title":"Y","path":".planning/sketches/005-y/README.md","note":"[What it is to find out]"}`)
	p.Want("sketch complete 005 B", `{"updated":true,"file":"005-y","path":".planning/sketches/005-y/README.md","status":"B","previous":"null"}`)
	if got, err := p.Do("sketch", "list"); err != nil || !strings.Contains(got, `"status":"B"`) {
		t.Error(got, err)
	}
}

func TestLearnings(t *testing.T) {
	p := project(t, map[string]string{".planning/LEARNINGS.md": "# L\n\n## Cache Keys\n\nUse a hash.\n\n## Empty\n\n## More\nx\n```\n## no heading\n```\n"})
	p.Want("learnings list", `{"learnings":[],"count":0}`)
	before := p.Files()
	p.Want("learnings copy --dry-run", `{"total":2,"created":2,"skipped":0}`)
	p.Same("dry run", before)
	p.Want("learnings copy", `{"total":2,"created":2,"skipped":0}`)
	p.Want("learnings copy", `{"total":2,"created":0,"skipped":2}`)
	got, err := p.Do("learnings", "query", "--tag", "cache")
	if err != nil || !strings.Contains(got, `"context":"Cache Keys","learning":"Use a hash.","tags":["cache","keys"]`) || !strings.Contains(got, `"count":1,"tag":"cache"`) {
		t.Error(got, err)
	}
	_, id, _ := strings.Cut(got, `"id":"`)
	id, _, _ = strings.Cut(id, `"`)
	p.Write(".ken/knowledge/learnings/odd.json", "{")
	if got, err := p.Do("learnings", "list"); err != nil || !strings.Contains(got, "odd.json") || !strings.Contains(got, `"count":2`) {
		t.Error(got, err)
	}
	p.Want("learnings delete "+id, `{"id":"`+id+`","deleted":true}`)
	p.Want("learnings delete "+id, `{"id":"`+id+`","deleted":false}`)
	p.Fails("learnings delete ../../x-1", "not the id")
	p.Fails("learnings prune --older-than 3", "90d")
	p.Want("learnings prune --older-than 1d", `{"removed":0,"kept":1}`)
	p.Now = p.Now.AddDate(0, 0, 3)
	p.Want("learnings prune --older-than 1d --dry-run", `{"removed":1,"kept":0}`)
	p.Want("learnings prune --older-than 1d", `{"removed":1,"kept":0}`)
}

// TestLearningsExtract: the documents of a phase give their passages once, each with its source; the file is written anew at each call.
func TestLearningsExtract(t *testing.T) {
	const summary = "---\nphase: 01\nkey-decisions:\n  - Rotate daily\npatterns-established:\n  - One table for all keys\n---\n# S\n\n## Decisions Made\n\n- **Rotate daily**\n" +
		"- Keys live in the vault:\n  its audit counts\n\n## Deviations from Plan\n\n### Fixed\n\n**1. [Rule 1] A lock was missing**\n- **Issue:** two writers\n- **Fix:** a lock\n\n" +
		"**2. Second**\n- **Issue:** x\n\n## Issues Encountered\n\nThe vault was down\nfor an hour.\n\nNone\n\n## Next Phase Readiness\n\nReady\n"
	const verification = "---\nstatus: gaps_found\ngaps:\n  - truth: Old keys fail\n    status: failed\n    reason: the cache keeps them\n---\n"
	const uat = "---\nstatus: complete\n---\n### 1. Log in\nexpected: x\nresult: issue\nreported: it hangs\n\n### 2. Log out\nresult: pass\n"
	files := map[string]string{
		".planning/phases/01-auth-keys/01-01-PLAN.md": "x", ".planning/phases/01-auth-keys/01-01-SUMMARY.md": summary,
		".planning/phases/01-auth-keys/01-VERIFICATION.md": verification, ".planning/phases/01-auth-keys/deferred-items.md": "# D\n\n- A second vault\n",
	}
	p := project(t, files)
	before := p.Files()
	const want = `{"phase":"01","file":".planning/phases/01-auth-keys/01-LEARNINGS.md","decisions":2,"lessons":2,"patterns":1,"surprises":3,"missing_artifacts":["UAT.md"]}`
	p.Want("learnings extract 1 --dry-run", want)
	p.Same("dry run", before)
	p.Want("learnings extract 1", want)
	got := p.Read(".planning/phases/01-auth-keys/01-LEARNINGS.md")
	for _, part := range []string{
		"phase: \"01\"\nphase_name: \"Auth keys\"", "counts:\n  decisions: 2\n  lessons: 2\n  patterns: 1\n  surprises: 3\nmissing_artifacts:\n  - \"UAT.md\"\n---\n",
		"## Decisions\n\n- Rotate daily\n  **Source:** 01-01-SUMMARY.md\n\n- Keys live in the vault: its audit counts\n  **Source:** 01-01-SUMMARY.md\n\n## Lessons\n",
		"- The vault was down for an hour.\n  **Source:** 01-01-SUMMARY.md\n", "- Did not hold when it was verified: Old keys fail. Reason: the cache keeps them.\n  **Source:** 01-VERIFICATION.md\n",
		"## Patterns\n\n- One table for all keys\n  **Source:** 01-01-SUMMARY.md\n\n## Surprises\n\n- **1. [Rule 1] A lock was missing** **Issue:** two writers **Fix:** a lock\n",
		"- **2. Second** **Issue:** x\n", "- A second vault\n  **Source:** deferred-items.md\n",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("%q is not in:\n%s", part, got)
		}
	}
	if d := artefact.ParseSummary(got); d.Phase != "01" {
		t.Errorf("the front matter is not read: %q", d.Phase)
	}
	p.Write(".planning/phases/01-auth-keys/01-UAT.md", uat)
	p.Want("learnings extract 1", strings.NewReplacer(`"lessons":2`, `"lessons":3`, `["UAT.md"]`, "[]").Replace(want))
	if got := p.Read(".planning/phases/01-auth-keys/01-LEARNINGS.md"); !strings.Contains(got, "- A person tried Log in and reported: it hangs.\n") || strings.Contains(got, "UAT.md\"") {
		t.Error(got)
	}
	p.Fails("learnings extract 2", "no plan or no summary")
	p.Fails("learnings extract 7", "there is no phase")
}

// TestLearningsStayInside writes nothing through a link that leads out of the project.
func TestLearningsStayInside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights")
	}
	p := project(t, map[string]string{".planning/LEARNINGS.md": "## A\nb\n", "../outside/x": ""})
	if err := os.Symlink(filepath.Join(p.Home, "outside"), filepath.Join(p.Dir, ".ken")); err != nil {
		t.Fatal(err)
	}
	if got, err := p.Do("learnings", "copy"); err == nil {
		t.Error(got)
	}
	if entries, err := os.ReadDir(filepath.Join(p.Home, "outside")); err != nil || len(entries) != 1 {
		t.Error(entries, err)
	}
}

func TestTools(t *testing.T) {
	p := project(t, map[string]string{"a.txt": ""})
	for line, want := range map[string]string{
		"generate-slug 'A Name: of (Things) '": `{"slug":"a-name-of-things"}`, "current-timestamp": `{"timestamp":"2026-03-04T05:06:07.000Z"}`,
		"current-timestamp date": `{"timestamp":"2026-03-04"}`, "current-timestamp filename": `{"timestamp":"2026-03-04T05-06-07"}`,
		"verify-path-exists a.txt": `{"exists":true,"type":"file"}`, "verify-path-exists .planning": `{"exists":true,"type":"directory"}`,
		"verify-path-exists none": `{"exists":false,"type":null}`,
		"websearch go --limit 3":  `{"available":false,"reason":"ken uses no network: search with a tool of the agent"}`,
	} {
		p.Want(line, want)
	}
	p.Fails("generate-slug ''", "empty")
	p.Fails("current-timestamp odd", "full, date, filename")
	p.Fails("verify-path-exists 'a\x00b'", "not a path")
}
