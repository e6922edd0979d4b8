package main

import (
	"path"
	"strings"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
)

// commandLine is a command line that both programs are given.
type commandLine struct {
	operation string
	args      []string
	writes    bool // it is asked of copies of the folder
}

// folderQuestions are the questions about a folder: each starts node, so files and phases are sampled.
func folderQuestions(dir string) ([]commandLine, error) {
	f, err := folder.Open(dir, folder.Options{})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	inv, err := inventory.Read(f)
	if err != nil {
		return nil, err
	}
	var list []commandLine
	for _, name := range []string{
		"state json", "state load", "state-snapshot", "roadmap analyze", "phases list", "list-todos", "history-digest", "state validate",
		"validate consistency", "validate health", "audit-uat", "init new-project", "init new-milestone", "init resume", "init todos",
		"init milestone-op", "init map-codebase", "init progress", "init manager", "docs-init", "workstream list", "config-path",
		"init new-workspace",
	} {
		list = append(list, commandLine{operation: name})
	}
	list = append(list,
		commandLine{operation: "progress", args: []string{"json"}}, commandLine{operation: "progress",
			args: []string{"table"}}, commandLine{operation: "progress", args: []string{"bar"}},
		commandLine{operation: "stats", args: []string{"json"}}, commandLine{operation: "state get"}, commandLine{operation: "state get", args: []string{"Status"}},
		commandLine{operation: "config-get", args: []string{"model_profile"}}, commandLine{operation: "generate-slug", args: []string{"A Name: of (Things)"}},
		commandLine{operation: "verify-path-exists", args: []string{".planning/ROADMAP.md"}}, commandLine{operation: "audit-open", args: []string{"--json"}},
		commandLine{operation: "init quick", args: []string{"repair the thing"}},
	)
	for _, p := range inv.Phases {
		list = append(list, fileQuestions(p)...)
		list = append(list, checkpointQuestions(f, p)...)
		list = append(list, phaseQuestions(p)...)
	}
	return append(list, changingQuestions(inv)...), nil
}

// fileQuestions are questions about the first plan of a phase.
func fileQuestions(p *inventory.Phase) (list []commandLine) {
	for _, plan := range p.Plans[:min(1, len(p.Plans))] {
		file := path.Join(p.Dir, plan.File)
		for _, name := range []string{
			"verify plan-structure", "frontmatter get", "verify references", "verify artifacts", "verify key-links", "template select",
		} {
			list = append(list, commandLine{operation: name, args: []string{file}})
		}
		list = append(list, commandLine{operation: "frontmatter validate", args: []string{file, "--schema", "plan"}})
		if plan.Summary != "" {
			summary := path.Join(p.Dir, plan.Summary)
			list = append(list,
				commandLine{operation: "summary-extract", args: []string{summary}}, commandLine{operation: "verify-summary", args: []string{summary}},
			)
		}
	}
	return list
}

// checkpointQuestions are questions about files of tests in which a test waits: of all others the other program ends with an error.
func checkpointQuestions(f *folder.Folder, p *inventory.Phase) (list []commandLine) {
	for _, name := range p.Names {
		if _, ok := inventory.StemOfKind(name, "UAT"); !ok {
			continue
		}
		at := path.Join(p.Dir, name)
		text, err := f.ReadRoot(strings.TrimPrefix(at, folder.Name+"/"))
		if current := artefact.ParseUAT(text).Current; err == nil && current.Number > 0 && !current.Done {
			list = append(list, commandLine{operation: "uat render-checkpoint", args: []string{"--file", at}})
		}
	}
	return list
}

func phaseQuestions(p *inventory.Phase) (list []commandLine) {
	names := []string{
		"find-phase", "phase-plan-index", "roadmap get-phase", "phase next-decimal", "init execute-phase", "init plan-phase", "init verify-work", "init phase-op",
		"verify schema-drift", "todo match-phase",
	}
	if p.Dir != "" {
		names = append(names, "verify phase-completeness")
	}
	for _, name := range names {
		list = append(list, commandLine{operation: name, args: []string{p.ID.String()}})
	}
	return list
}

// changingQuestions are questions that change the folder.
func changingQuestions(inv *inventory.Inventory) []commandLine {
	first := "1"
	if len(inv.Phases) > 0 {
		first = inv.Phases[0].ID.String()
	}
	list := []commandLine{
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
			list = append(list, commandLine{"phase remove", []string{p.ID.String(), "--force"}, true})
		}
	}
	for _, p := range inv.Phases[:min(3, len(inv.Phases))] {
		n := p.ID.String()
		for _, plan := range p.Plans[:min(1, len(p.Plans))] {
			file := path.Join(p.Dir, plan.File)
			list = append(list, commandLine{"frontmatter set", []string{file, "--field", "autonomous", "--value", "false"}, true},
				commandLine{"frontmatter merge", []string{file, "--data", `{"wave":2,"files_modified":["a.go"]}`}, true})
		}
		list = append(list, commandLine{"phase complete", []string{n}, true}, commandLine{"roadmap update-plan-progress", []string{n}, true},
			commandLine{"scaffold context", []string{"--phase", n}, true}, commandLine{"scaffold uat", []string{"--phase", n},
				true}, commandLine{"template fill", []string{"verification", "--phase", n}, true})
	}
	return list
}
