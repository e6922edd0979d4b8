package scaffold_test

import (
	"slices"
	"strings"
	"testing"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/planop/operationtest"
	"ken/internal/workflow/plan/readers"
	"ken/internal/workflow/plan/scaffold"
)

const dir = ".planning/phases/01-setup/"

const roadmap = "# Roadmap\n\n## Phases\n\n- [ ] **Phase 1: Set \"up\"** - a\n- [ ] **Phase 2: Run** - b\n\n## Phase Details\n\n### Phase 1: Set \"up\"\n**Goal**: x\n\n### Phase 2: Run\n**Goal**: y\n"

func project(t *testing.T, files map[string]string) *operationtest.Project {
	all := map[string]string{".planning/ROADMAP.md": roadmap, ".planning/STATE.md": "# State\n", dir + ".gitkeep": ""}
	for name, text := range files {
		all[name] = text
	}
	return operationtest.New(t, slices.Concat(scaffold.All(), readers.All()), all)
}

// TestFill begins each kind of file, which its reader finds whole, never over another, and undo takes it back.
func TestFill(t *testing.T) {
	p := project(t, nil)
	before := p.Files()
	p.Want("template fill plan --phase 1 --wave 2 --type tdd --fields '{\"wave\":3,\"depends_on\":[\"01-00\"]}'",
		`{"created":true,"path":".planning/phases/01-setup/01-01-PLAN.md","template":"plan"}`)
	plan := artefact.ParsePlan(p.Read(dir + "01-01-PLAN.md"))
	if len(plan.Missing) > 0 || plan.Wave != 3 || plan.Type != "tdd" || !slices.Equal(plan.DependsOn, []string{"01-00"}) || plan.Phase != "01-setup" {
		t.Errorf("%+v", plan)
	}
	if _, err := p.Do("undo"); err != nil {
		t.Error(err)
	}
	p.Same("undo", before)
	p.Want("template fill summary --phase 01 --plan 2 --name Other: name", `{"created":true,"path":".planning/phases/01-setup/01-02-SUMMARY.md","template":"summary"}`)
	if s := artefact.ParseSummary(p.Read(dir + "01-02-SUMMARY.md")); len(s.Missing) > 0 || !strings.Contains(s.Doc.Text(), "# Phase 01 Plan 02: Other: name Summary") {
		t.Errorf("%v\n%s", s.Missing, s.Doc.Text())
	}
	p.Want("template fill verification --phase 1 --dry-run", `{"created":true,"path":".planning/phases/01-setup/01-VERIFICATION.md","template":"verification"}`)
	p.Want("template fill verification --phase 1", `{"created":true,"path":".planning/phases/01-setup/01-VERIFICATION.md","template":"verification"}`)
	if v := artefact.ParseVerification(p.Read(dir + "01-VERIFICATION.md")); len(v.Missing) > 0 || v.Doc.FrontMatter().Get("name").Text() != `Set "up"` {
		t.Errorf("%v\n%s", v.Missing, v.Doc.Text())
	}
	p.Fails("template fill summary --phase 1 --plan 02", "File already exists")
	p.Want("template fill summary --phase 1 --plan 01-03 --dry-run", `{"created":true,"path":".planning/phases/01-setup/01-03-SUMMARY.md","template":"summary"}`)
	p.Fails("template fill summary --phase 7", "Phase not found: 7")
	p.Fails("template fill summary --phase 2", "Phase not found: 2")
	p.Fails("template fill summary --phase ../1", "not a phase number")
	p.Fails("template fill summary", "--phase")
	p.Fails("template fill summary --phase 1 --plan ../3", "it must be a number")
	p.Fails("template fill summary --phase 1 --plan 02-03", "it must be a number")
	p.Fails("template fill plan --phase 1 --plan 4 --fields {", "not JSON")
	p.Fails("template fill plan --phase 1 --plan 4 --fields '{\"a\\nb\":1}'", "not a field name")
	p.Fails("template fill other --phase 1", "it can be summary, plan, verification")
}

func TestScaffold(t *testing.T) {
	p := project(t, nil)
	p.Want("scaffold context --phase 1", `{"created":true,"path":".planning/phases/01-setup/01-CONTEXT.md"}`)
	before := p.Files()
	p.Want("scaffold context --phase 1", `{"created":false,"reason":"already_exists","path":".planning/phases/01-setup/01-CONTEXT.md"}`)
	p.Want("scaffold phase-dir --phase 1 --name Any", `{"created":false,"reason":"already_exists","directory":".planning/phases/01-setup","path":".planning/phases/01-setup"}`)
	p.Same("scaffold of what is there", before)
	p.Want("scaffold uat --phase 1", `{"created":true,"path":".planning/phases/01-setup/01-UAT.md"}`)
	p.Want("scaffold verification --phase 1", `{"created":true,"path":".planning/phases/01-setup/01-VERIFICATION.md"}`)
	p.Want("scaffold phase-dir --phase 2.1 --name Fix ../../ it", `{"created":true,"directory":".planning/phases/02.1-fix-it","path":".planning/phases/02.1-fix-it"}`)
	p.Read(".planning/phases/02.1-fix-it/.gitkeep")
	if u := artefact.ParseUAT(p.Read(dir + "01-UAT.md")); u.Status != "testing" || len(u.Tests) > 0 {
		t.Errorf("%+v", u)
	}
	p.Fails("scaffold context --phase 9", "Phase not found: 9")
	p.Fails("scaffold phase-dir --phase 3", "--name")
	p.Write(".planning/config.json", `{"project_code":"CK"}`)
	p.Want("scaffold phase-dir --phase 3 --name More", `{"created":true,"directory":".planning/phases/CK-03-more","path":".planning/phases/CK-03-more"}`)
	p.Write(".planning/config.json", `{"project_code":"../.."}`)
	p.Want("scaffold phase-dir --phase 4 --name More", `{"created":true,"directory":".planning/phases/04-more","path":".planning/phases/04-more"}`)
}

// TestTasksOfTemplateSelect counts tasks as the template of plans has them, not only headings.
func TestTasksOfTemplateSelect(t *testing.T) {
	task := "<task type=\"auto\">\n<name>a</name>\n</task>\n"
	p := project(t, map[string]string{
		dir + "01-01-PLAN.md": "---\nfiles_modified: [a/b.go]\n---\n<tasks>\n" + task + task + "</tasks>\n`a/b.go` `http://x/y.html` `c/d.ts` `a/b.go`\n",
		dir + "01-02-PLAN.md": "---\nfiles_modified: []\n---\n<tasks>\n" + strings.Repeat(task, 6) + "</tasks>\n",
		dir + "01-03-PLAN.md": "### Task 1\n### Task 2\n### Task 3\n`a\nb/c.md`\n",
	})
	p.Want("template select "+dir+"01-01-PLAN.md", `{"template":"templates/summary-minimal.md","type":"minimal","taskCount":2,"fileCount":2,"hasDecisions":false}`)
	p.Want("template select "+dir+"01-02-PLAN.md", `{"template":"templates/summary-complex.md","type":"complex","taskCount":6,"fileCount":0,"hasDecisions":false}`)
	p.Want("template select "+dir+"01-03-PLAN.md", `{"template":"templates/summary-standard.md","type":"standard","taskCount":3,"fileCount":0,"hasDecisions":false}`)
	p.Want("template select "+dir+"no.md", `{"template":"templates/summary-standard.md","type":"standard","taskCount":0,"fileCount":0,"hasDecisions":false,"error":"File not found: `+dir+`no.md"}`)
	p.Want("template select 01-02", `{"template":"templates/summary-complex.md","type":"complex","taskCount":6,"fileCount":0,"hasDecisions":false}`)
	p.Fails("template select ../../../etc/passwd", "not a file in .planning")
}

const plan = "\ufeff---\r\nphase: 01-setup # kept\r\nautonomous: true\r\nmust_haves:\r\n  artifacts:\r\n    - path: \"a.go\"\r\n      provides: 'x: y'\r\n  truths: [ a,  \"b\" ]\r\n---\r\n\r\nBody\r\n"

// TestFrontmatterSetKeepsObjectLists is what the other program destroys: one key changes, lists of maps and formatting stay.
func TestFrontmatterSetKeepsObjectLists(t *testing.T) {
	p := project(t, map[string]string{dir + "01-01-PLAN.md": plan})
	file := dir + "01-01-PLAN.md"
	p.Want("frontmatter set "+file+" --field autonomous --value true", `{"updated":true,"field":"autonomous","value":true}`)
	if p.Read(file) != plan {
		t.Errorf("the same value: %q", p.Read(file))
	}
	p.Want("frontmatter set "+file+" --field autonomous --value false", `{"updated":true,"field":"autonomous","value":false}`)
	if got, want := p.Read(file), strings.Replace(plan, "autonomous: true", "autonomous: false", 1); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	p.Want("frontmatter merge "+file+` --data '{"wave":2,"autonomous":true,"files_modified":["b.go","a.go"],"user_setup":[{"service":"x","env_vars":["A"]}]}'`,
		`{"merged":true,"fields":["wave","autonomous","files_modified","user_setup"]}`)
	p.Want("frontmatter get "+file+" --field user_setup", `{"user_setup":[{"env_vars":["A"],"service":"x"}]}`)
	p.Want("frontmatter get "+file+" --field must_haves", `{"must_haves":{"artifacts":[{"path":"a.go","provides":"x: y"}],"truths":["a","b"]}}`)
	for _, key := range []string{"wave", "files_modified", "user_setup"} {
		p.Want("frontmatter set "+file+" --field "+key+" --value null", `{"updated":true,"field":"`+key+`","value":null}`)
	}
	if p.Read(file) != plan {
		t.Errorf("set and taken out: %q", p.Read(file))
	}
	if got := p.Plain("frontmatter", "get", file, "--field", "phase"); got != `"01-setup"` {
		t.Error(got)
	}
	p.Want("frontmatter validate "+file+" --schema plan",
		`{"valid":false,"missing":["plan","type","wave","depends_on","files_modified"],"present":["phase","autonomous","must_haves"],"schema":"plan"}`)
	p.Fails("frontmatter get "+file+" --field phse", "Field not found: phse", "phase")
	p.Fails("frontmatter set "+file+" --field 'a: b' --value x", "not a field name")
	p.Fails("frontmatter set "+file+" --field a", "--value")
	p.Fails("frontmatter merge "+file+" --data [1]", "not JSON")
	p.Fails("frontmatter validate "+file+" --schema roadmap", "plan, summary, verification")
	p.Fails("frontmatter get .planning/none.md", "File not found: .planning/none.md")
	p.Fails("frontmatter set .planning/none.md --field a --value b", "File not found")
}

// TestFrontmatterOfBadTexts writes nothing that it cannot be sure of.
func TestFrontmatterOfBadTexts(t *testing.T) {
	p := project(t, map[string]string{
		"outside.md": "---\na: b\n---\n", ".planning/none.md": "# Title\r\nText", ".planning/open.md": "---\na: b\n# Title\n",
		".planning/conflict.md": "---\n<<<<<<< ours\na: b\n=======\na: c\n>>>>>>> theirs\n---\n",
	})
	p.Fails("frontmatter set outside.md --field a --value c", "not a file in .planning")
	p.Fails("frontmatter set .planning/../outside.md --field a --value c", "not a file in .planning")
	p.Fails("frontmatter set .planning/open.md --field a --value c", "no closing line")
	p.Fails("frontmatter set .planning/conflict.md --field a --value c", "line 2")
	p.Want("frontmatter get .planning/none.md", "{}")
	p.Want("frontmatter set .planning/none.md --field title --value 'a: b'", `{"updated":true,"field":"title","value":"a: b"}`)
	if got := p.Read(".planning/none.md"); !strings.HasSuffix(got, "---\r\n\r\n# Title\r\nText") || !strings.Contains(got, "title: \"a: b\"\r\n") {
		t.Errorf("%q", got)
	}
}

func TestTemplates(t *testing.T) {
	p := project(t, nil)
	if got := p.Plain("template", "show", "uat"); !strings.Contains(got, "{{phase_name}}") {
		t.Error(got)
	}
	p.Fails("template show nothing", "there is not exactly one template")
}

// TestFieldsOfAnEmptyFile: a file without a line gets front matter as any without does.
func TestFieldsOfAnEmptyFile(t *testing.T) {
	for _, text := range []string{"", "\ufeff", "\n"} {
		got, err := scaffold.WithFields(text, []string{"status"}, map[string]any{"status": "done"})
		if err != nil || !strings.Contains(got, "---\nstatus: done\n---\n") {
			t.Errorf("%q: %q %v", text, got, err)
		}
	}
}
