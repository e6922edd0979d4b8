package main

import (
	"path"
	"strings"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
)

// question is a command line that both programs are given.
type question struct {
	operation string
	args      []string
	writes    bool // it is asked of copies of the folder
}

// questions are the questions about a folder: each starts node, so files and phases are sampled.
func questions(dir string) ([]question, error) {
	f, err := folder.Open(dir, folder.Options{})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	inv, err := inventory.Read(f)
	if err != nil {
		return nil, err
	}
	var list []question
	for _, name := range []string{
		"state json", "state load", "state-snapshot", "roadmap analyze", "phases list", "list-todos", "history-digest", "state validate",
		"validate consistency", "validate health", "audit-uat", "init new-project", "init new-milestone", "init resume", "init todos",
		"init milestone-op", "init map-codebase", "init progress", "init manager", "docs-init", "workstream list", "config-path",
		"init new-workspace",
	} {
		list = append(list, question{operation: name})
	}
	list = append(list,
		question{operation: "progress", args: []string{"json"}}, question{operation: "progress", args: []string{"table"}}, question{operation: "progress", args: []string{"bar"}},
		question{operation: "stats", args: []string{"json"}}, question{operation: "state get"}, question{operation: "state get", args: []string{"Status"}},
		question{operation: "config-get", args: []string{"model_profile"}}, question{operation: "generate-slug", args: []string{"A Name: of (Things)"}},
		question{operation: "verify-path-exists", args: []string{".planning/ROADMAP.md"}}, question{operation: "audit-open", args: []string{"--json"}},
		question{operation: "init quick", args: []string{"repair the thing"}},
	)
	for _, p := range inv.Phases {
		list = append(list, ofFiles(p)...)
		list = append(list, checkpoints(f, p)...)
		list = append(list, ofPhase(p)...)
	}
	return append(list, writing(inv)...), nil
}

// ofFiles are questions about the first plan of a phase.
func ofFiles(p *inventory.Phase) (list []question) {
	for _, plan := range p.Plans[:min(1, len(p.Plans))] {
		file := path.Join(p.Dir, plan.File)
		for _, name := range []string{
			"verify plan-structure", "frontmatter get", "verify references", "verify artifacts", "verify key-links", "template select",
		} {
			list = append(list, question{operation: name, args: []string{file}})
		}
		list = append(list, question{operation: "frontmatter validate", args: []string{file, "--schema", "plan"}})
		if plan.Summary != "" {
			summary := path.Join(p.Dir, plan.Summary)
			list = append(list,
				question{operation: "summary-extract", args: []string{summary}}, question{operation: "verify-summary", args: []string{summary}},
			)
		}
	}
	return list
}

// checkpoints are questions about files of tests in which a test waits: of all others the other program ends with an error.
func checkpoints(f *folder.Folder, p *inventory.Phase) (list []question) {
	for _, name := range p.Names {
		if _, ok := inventory.StemOfKind(name, "UAT"); !ok {
			continue
		}
		at := path.Join(p.Dir, name)
		text, err := f.ReadRoot(strings.TrimPrefix(at, folder.Name+"/"))
		if current := artefact.ParseUAT(text).Current; err == nil && current.Number > 0 && !current.Done {
			list = append(list, question{operation: "uat render-checkpoint", args: []string{"--file", at}})
		}
	}
	return list
}

func ofPhase(p *inventory.Phase) (list []question) {
	names := []string{
		"find-phase", "phase-plan-index", "roadmap get-phase", "phase next-decimal", "init execute-phase", "init plan-phase", "init verify-work", "init phase-op",
		"verify schema-drift", "todo match-phase",
	}
	if p.Dir != "" {
		names = append(names, "verify phase-completeness")
	}
	for _, name := range names {
		list = append(list, question{operation: name, args: []string{p.ID.String()}})
	}
	return list
}

// writing are questions that change the folder.
func writing(inv *inventory.Inventory) []question {
	first := "1"
	if len(inv.Phases) > 0 {
		first = inv.Phases[0].ID.String()
	}
	list := []question{
		{"state update", []string{"Status", "Testing"}, true}, {"state patch", []string{"--Status", "Testing", "--Nonsense", "x"}, true},
		{"state begin-phase", []string{"--phase", first, "--name", "Base", "--plans", "2"}, true}, {"state planned-phase", []string{"--phase", first, "--plans", "2"}, true},
		{"state advance-plan", nil, true}, {"state update-progress", nil, true},
		{"state record-metric", []string{"--phase", "1", "--plan", "1", "--duration", "5min", "--tasks", "3", "--files", "4"}, true},
		{"state add-decision", []string{"--phase", "1", "--summary", "keep it", "--rationale", "it works"}, true},
		{"state add-blocker", []string{"--text", "the key is missing"}, true}, {"state resolve-blocker", []string{"--text", "the key"}, true},
		{"state record-session", []string{"--stopped-at", "here", "--resume-file", "none"}, true}, {"state sync", nil, true}, {"state prune", nil, true},
		{"phase add", []string{"More of it"}, true}, {"phase insert", []string{first, "In between"}, true}, {"phases clear", []string{"--confirm"}, true},
		{"config-set", []string{"mode", "yolo"}, true}, {"config-ensure-section", nil, true}, {"config-set-model-profile", []string{"budget"}, true},
		{"requirements mark-complete", []string{"NONE-1"}, true}, {"milestone complete", []string{"v9.0", "--name", "Nine"}, true},
		{"milestone complete", []string{"v9.0", "--name", "Nine", "--force"}, true},
		{"scaffold phase-dir", []string{"--phase", "77", "--name", "Far away"}, true},
	}
	for i, p := range inv.Phases {
		if i == len(inv.Phases)/2 || i == len(inv.Phases)-1 {
			list = append(list, question{"phase remove", []string{p.ID.String(), "--force"}, true})
		}
	}
	for _, p := range inv.Phases[:min(3, len(inv.Phases))] {
		n := p.ID.String()
		for _, plan := range p.Plans[:min(1, len(p.Plans))] {
			file := path.Join(p.Dir, plan.File)
			list = append(list, question{"frontmatter set", []string{file, "--field", "autonomous", "--value", "false"}, true},
				question{"frontmatter merge", []string{file, "--data", `{"wave":2,"files_modified":["a.go"]}`}, true})
		}
		list = append(list, question{"phase complete", []string{n}, true}, question{"roadmap update-plan-progress", []string{n}, true},
			question{"scaffold context", []string{"--phase", n}, true}, question{"scaffold uat", []string{"--phase", n},
				true}, question{"template fill", []string{"verification", "--phase", n}, true})
	}
	return list
}
