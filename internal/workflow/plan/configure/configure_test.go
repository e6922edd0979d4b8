package configure_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/workflow/content/templates"
	"ken/internal/workflow/plan/configure"
	"ken/internal/workflow/plan/planop/operationtest"
	"ken/internal/workflow/plan/readers"
	"ken/internal/workflow/plan/settings"
)

var update = flag.Bool("update", false, "write the page of settings")

const config = ".planning/config.json"

func project(t *testing.T, files map[string]string) *operationtest.Project {
	return operationtest.New(t, slices.Concat(configure.All(), readers.All()), files)
}

// TestNewProject makes a folder where there is none, whose file has no problem, and does not touch one that is there.
func TestNewProject(t *testing.T) {
	p := project(t, nil)
	p.Want("config-new-project --dry-run", `{"created":true,"path":".planning/config.json"}`)
	if len(p.Files()) > 0 {
		t.Error("a dry run wrote")
	}
	p.Fails("config-new-project {", "not JSON")
	p.Fails(`config-new-project {"mode":"fast"}`, "interactive or yolo")
	p.Want(`config-new-project '{"mode":"yolo","depth":"quick","workflow":{"research":false},"parallelization":{"enabled":false},"own":{"key":1}}'`,
		`{"created":true,"path":".planning/config.json","warnings":["unknown key own.key: it is kept, and nothing reads it"]}`)
	s := settings.Parse(p.Read(config))
	if len(s.Problems()) != 1 || s.Text("mode") != "yolo" || s.Text("granularity") != "coarse" || s.IsOn("workflow.research") || s.IsOn("parallelization") ||
		!s.IsOn("workflow.verifier") {
		t.Errorf("%v\n%s", s.Problems(), p.Read(config))
	}
	before := p.Files()
	p.Want("config-new-project", `{"created":false,"reason":"already_exists"}`)
	p.Want("config-ensure-section", `{"created":false,"reason":"already_exists"}`)
	p.Same("config-new-project", before)
}

// TestTemplate holds the template of config.json to the file that is made.
func TestTemplate(t *testing.T) {
	p := project(t, nil)
	if _, err := p.Do("config-ensure-section"); err != nil {
		t.Fatal(err)
	}
	if text, _ := templates.Text("config.json"); text != p.Read(config) {
		t.Errorf("the template is not what is made:\n%s", p.Read(config))
	}
}

// TestDefaultsOfTheUser are below what was chosen, and a file that cannot be read is named.
func TestDefaultsOfTheUser(t *testing.T) {
	p := project(t, map[string]string{
		"../.gsd/defaults.json": `{"model_profile":"budget","mode":"yolo","granularity":"odd","workflow":{"research":false}}`, "../.gsd/brave_api_key": "k",
	})
	p.Want(`config-new-project '{"mode":"interactive"}'`,
		`{"created":true,"path":".planning/config.json","warnings":["defaults.json: granularity: \"odd\" is not coarse or standard or fine"]}`)
	s := settings.Parse(p.Read(config))
	if len(s.Problems()) > 0 || s.Text("mode") != "interactive" || s.Text("model_profile") != "budget" || s.IsOn("workflow.research") || !s.IsOn("brave_search") {
		t.Errorf("%v\n%s", s.Problems(), p.Read(config))
	}
	p = project(t, map[string]string{"../.gsd/defaults.json": `{`})
	if got, err := p.Do("config-ensure-section"); err != nil || !strings.Contains(got, "not JSON") {
		t.Error(got, err)
	}
	before := p.Files()
	p.Want("config-set mode yolo", `{"updated":true,"key":"mode","value":"yolo"}`)
	if _, err := p.Do("undo"); err != nil {
		t.Error(err)
	}
	p.Same("undo", before)
}

// TestSet touches the bytes of one value.
func TestSet(t *testing.T) {
	const text = "\ufeff{\r\n    \"mode\":\"yolo\",  \"own\": [1, 2],\r\n\t\"workflow\": { \"research\" : true }\r\n}"
	p := project(t, map[string]string{config: text})
	p.Want("config-set workflow.research true", `{"updated":true,"key":"workflow.research","value":true,"previousValue":true}`)
	p.Want("config-set mode yolo --dry-run", `{"updated":true,"key":"mode","value":"yolo","previousValue":"yolo"}`)
	if got := p.Read(config); got != text {
		t.Errorf("a value that it has already: %q", got)
	}
	p.Want("config-set workflow.research false", `{"updated":true,"key":"workflow.research","value":false,"previousValue":true}`)
	if got, want := p.Read(config), strings.Replace(text, "true", "false", 1); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	p.Want("config-set project_code 123", `{"updated":true,"key":"project_code","value":"123"}`)
	p.Want("config-set workflow.node_repair_budget 3", `{"updated":true,"key":"workflow.node_repair_budget","value":3}`)
	p.Want(`config-set agent_skills.gsd-planner '["a","b"]'`, `{"updated":true,"key":"agent_skills.gsd-planner","value":["a","b"]}`)
	p.Want("config-get agent_skills.gsd-planner", `["a","b"]`)
	p.Want("config-set git.base_branch null", `{"updated":true,"key":"git.base_branch","value":null}`)
	p.Fails("config-set mode fast", "interactive or yolo")
	p.Fails("config-set context coding", "dev or research or review")
	p.Fails("config-set workflow.research maybe", "true or false")
	p.Fails("config-set workflow.review true", "is workflow.code_review meant?")
	p.Fails("config-set workflow.reserch true", "is workflow.research meant?")
	p.Fails("config-set ../mode x", "unknown key")
}

// TestSetterTakesWhatIsRead holds setting to reading: a key that is read can be set.
func TestSetterTakesWhatIsRead(t *testing.T) {
	for _, line := range []string{
		"hooks.workflow_guard true", "hooks.community true", "context_window 1000000", "model_overrides.gsd-planner opus", "resolve_model_ids omit",
		"gates.confirm_plan false", "parallelization.enabled false",
	} {
		p := project(t, map[string]string{config: "{}\n"})
		key, value, _ := strings.Cut(line, " ")
		if _, err := p.Do("config-set", key, value); err != nil {
			t.Error(err)
		}
		if got := p.Plain("config-get", key); got != value {
			t.Errorf("%s is %q", line, got)
		}
	}
}

func TestGet(t *testing.T) {
	p := project(t, map[string]string{config: `{"mode":"yolo","own":{"a":null,"b":1.5},"brave_search":false,"depth":"quick"}`})
	for line, want := range map[string]string{
		"config-get mode": `"yolo"`, "config-get own.b": `1.5`, "config-get own": `{"a":null,"b":1.5}`, "config-get brave_search": `false`,
		"config-get workflow.research": `true`, "config-get workflow.research --default x": `"x"`, "config-get nothing --default ''": `""`,
		"config-get granularity": `"coarse"`, "config.get mode": `"yolo"`, "config-path": `{"path":".planning/config.json"}`,
	} {
		p.Want(line, want)
	}
	p.Fails("config-get nothing", "unknown key nothing")
	p.Fails("config-get git.base_branch", "has no default")
	if got := p.Plain("config-get", "own"); got != `{"a":null,"b":1.5}` {
		t.Error(got)
	}
	p.Write(config, "{\n\"mode\": ,\n}")
	p.Fails("config-get mode", "line 2")
	p.Fails("config-set mode yolo", "cannot be read")
	if err := os.Remove(filepath.Join(p.Dir, config)); err != nil {
		t.Fatal(err)
	}
	p.Want("config-get mode", `"interactive"`)
	p = project(t, nil)
	p.Fails("config-set mode yolo", ".planning")
}

// TestPage holds docs/planning-settings.md to the schema.
func TestPage(t *testing.T) {
	const page = "../../../../docs/planning-settings.md"
	var b strings.Builder
	b.WriteString("# Settings of planning\n\nThe keys of `.planning/config.json`, made of the schema that reads, sets and checks them by `go test ./internal/workflow/plan/configure -update`. " +
		"A key that is not there has its\ndefault. `ken plan config-get KEY` reads one, `ken plan config-set KEY VALUE` sets one; nothing else of the file changes. " +
		"Keys that are in no row stay in the file and are named.\nken runs none of the commands that a key names.\n\n")
	readers := map[string]string{}
	for _, k := range settings.Kept {
		readers[k.Key] = k.Reader
	}
	b.WriteString("| key | values | default | what it says | in older files |\n|---|---|---|---|---|\n")
	var kept strings.Builder
	for _, k := range settings.Schema {
		def := ""
		if k.Default != nil {
			v, err := json.Marshal(k.Default)
			if err != nil {
				t.Fatal(err)
			}
			def = "`" + string(v) + "`"
		}
		also := k.Also
		if also != "" {
			also = "`" + also + "`"
		}
		name := strings.Replace(k.Name, "*", "NAME", 1)
		if reader := readers[k.Name]; reader != "" {
			fmt.Fprintf(&kept, "| `%s` | %s | %s | %s | %s | %s |\n", name, k.Expected(), def, k.Doc, also, reader)
			continue
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", name, k.Expected(), def, k.Doc, also)
	}
	b.WriteString("\n## Kept for other programs\n\nken checks, keeps and gives back these keys (`config-get`, `state load`) and does nothing else with them. " +
		"Workflows and agents are those of\nget-shit-done-cc; a file that was made for it keeps its meaning there. `TestSettingsMakeADifference` holds both tables.\n\n" +
		"| key | values | default | what it says | in older files | read by |\n|---|---|---|---|---|---|\n" + kept.String())
	if *update {
		if err := os.WriteFile(page, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(page); err != nil || string(have) != b.String() {
		t.Errorf("docs/planning-settings.md is not the schema: go test ./internal/workflow/plan/configure -update (%v)", err)
	}
}
