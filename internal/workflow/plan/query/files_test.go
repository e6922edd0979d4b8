package query_test

import (
	"testing"
)

func TestFiles(t *testing.T) {
	q := questions(t, "ROADMAP.md: ### Phase 1: A\n", "phases/01-a/01-01-PLAN.md: ---\nphase: 01\nwave: 2\nmust_haves:\n  artifacts:\n    - path: x\n---\n<task type=\"checkpoint:human-verify\">\n<name>T</name>\n<action></action>\n</task>\n",
		"phases/01-a/01-02-PLAN.md: ## Task 1: Old\n", "phases/01-a/01-09-SUMMARY.md: x",
		"phases/01-a/01-01-SUMMARY.md: ---\nphase: 01-a\nprovides: [login]\naffects: [ui]\nkey-files:\n  created: [a.go]\ntech-stack:\n  added: [jose]\npatterns-established: [p]\nkey-decisions:\n  - \"Use JWT: small\"\n  - Plain\nrequirements-completed: [A-1]\n---\n# T\n\n**One line**\n",
		"todos/pending/2026-01-01-x.md: ---\ncreated: 2026-01-01\ntitle: See #12\narea: api\n---\n", "todos/pending/b.md: text", "todos/done/c.md: completed: 2026-01-02\n---\ntitle: C\n---\n", "todos/completed/d.md: ---\ntitle: D\n---\n")
	front, err := q.FrontMatter(".planning/phases/01-a/01-01-PLAN.md")
	check(t, "front matter", front, err, `{"phase":"01","wave":"2","must_haves":{"artifacts":[{"path":"x"}]}}`)
	s, err := q.Structure(".planning/phases/01-a/01-01-PLAN.md")
	check(t, "structure", s, err, `{"valid":false,"errors":["Missing required frontmatter field: plan","Missing required frontmatter field: type","Missing required frontmatter field: depends_on",
		"Missing required frontmatter field: files_modified","Missing required frontmatter field: autonomous","Has checkpoint tasks but autonomous is not false"],
		"warnings":["Task 'T' missing <verify>","Task 'T' missing <done>","Task 'T' missing <files>","Wave > 1 but depends_on is empty"],
		"task_count":1,"tasks":[{"name":"T","hasFiles":false,"hasAction":true,"hasVerify":false,"hasDone":false}],"frontmatter_fields":["phase","wave","must_haves"]}`)
	if s, err = q.Structure(".planning/phases/01-a/01-02-PLAN.md"); err != nil || s.Count != 0 || len(s.Warnings) != 1 {
		t.Errorf("tasks below headings have no parts: %+v %v", s, err)
	}
	c, err := q.Completeness("1")
	check(t, "completeness", c, err, `{"complete":false,"phase":"01","plan_count":2,"summary_count":2,"incomplete_plans":["01-02"],"orphan_summaries":["01-09"],
		"errors":["Plans without summaries: 01-02"],"warnings":["Summaries without plans: 01-09"]}`)
	if _, err := q.Completeness("7"); err == nil {
		t.Error("phase 7")
	}
	e, err := q.SummaryExtract(".planning/phases/01-a/01-01-SUMMARY.md")
	check(t, "extract", e, err, `{"path":".planning/phases/01-a/01-01-SUMMARY.md","one_liner":"One line","key_files":{"created":["a.go"]},"tech_added":["jose"],"patterns":["p"],
		"decisions":[{"summary":"Use JWT","rationale":"small"},{"summary":"Plain","rationale":null}],"requirements_completed":["A-1"]}`)
	check(t, "digest", q.Digest(), nil, `{"phases":{"01-a":{"name":"a","provides":["login"],"affects":["ui"],"patterns":["p"]},"01":{"name":"a","provides":[],"affects":[],"patterns":[]}},
		"decisions":[{"phase":"01-a","decision":"Use JWT: small"},{"phase":"01-a","decision":"Plain"}],"tech_stack":["jose"]}`)
	todos, err := q.Todos("")
	check(t, "todos", todos, err, `{"count":2,"todos":[{"file":"2026-01-01-x.md","created":"2026-01-01","title":"See #12","area":"api","path":".planning/todos/pending/2026-01-01-x.md"},
		{"file":"b.md","created":"unknown","title":"Untitled","area":"general","path":".planning/todos/pending/b.md"}]}`)
	if todos, err = q.Todos("api"); err != nil || todos.Count != 1 {
		t.Errorf("%+v %v", todos, err)
	}
	for _, bad := range []string{"../x", ".planning/../secret", "a.go", ".planning/none.md"} {
		if _, err := q.FrontMatter(bad); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
}

// TestTodosOfBothFolders: todos that are done are found whichever folder a program puts them in.
func TestTodosOfBothFolders(t *testing.T) {
	q := questions(t, "todos/done/c.md: completed: 2026-01-02\n---\ntitle: C\n---\n", "todos/completed/d.md: ---\ntitle: D\n---\n")
	if todos, err := q.DoneTodos(); err != nil || todos.Count != 2 || todos.Todos[0].Title != "D" || todos.Todos[1].Title != "C" {
		t.Errorf("%+v %v", todos, err)
	}
}
