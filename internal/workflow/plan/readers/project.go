package readers

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
)

// packageFiles are the files, such as go.mod, whose presence identifies the root of a program.
var packageFiles = [...]string{
	"package.json", "requirements.txt", "Cargo.toml", "go.mod", "Package.swift", "build.gradle", "build.gradle.kts", "pom.xml", "Gemfile", "composer.json",
	"pubspec.yaml", "CMakeLists.txt", "Makefile", "build.zig", "mix.exs", "project.clj",
}

// codeExtensions are the extensions of code files.
const codeExtensions = " .ts .js .py .go .rs .swift .java .kt .kts .c .cpp .h .cs .rb .php .dart .m .mm .scala .groovy .lua .r .R .zig .ex .exs .clj "

// skippedFolders are the names of folders that contain no code of the project itself.
const skippedFolders = " node_modules .git .planning .claude .codex __pycache__ target dist build "

// maxLooked is the maximal number of directory entries that are searched for code, so that the time does not depend on the size of a
// tree.
const maxLooked = 20000

// hasCode reports whether a directory, or one at most three levels below it, contains a code file. It counts the searched entries in
// looked.
func hasCode(dir string, depth int, looked *int) bool {
	if depth > 3 {
		return false
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, e := range entries {
		if *looked++; *looked > maxLooked {
			return false
		}
		if ext := filepath.Ext(e.Name()); e.Type().IsRegular() && ext != "" && strings.Contains(codeExtensions, " "+ext+" ") {
			return true
		}
		if e.IsDir() && !strings.Contains(skippedFolders, " "+e.Name()+" ") && hasCode(filepath.Join(dir, e.Name()), depth+1, looked) {
			return true
		}
	}
	return false
}

func initNewProject(_ context.Context, a *source, _ *planop.NoInput) (payload, error) {
	root, looked := a.root(), 0
	code := hasCode(root, 0, &looked)
	pkg := slices.ContainsFunc(packageFiles[:], func(name string) bool { _, err := os.Lstat(filepath.Join(root, name)); return err == nil })
	isKey := func(name string) bool { return a.call.Getenv(name) != "" }
	return a.newPayload("researcher_model synthesizer_model roadmapper_model commit_docs project_exists has_codebase_map planning_exists "+
		"has_existing_code has_package_file is_brownfield needs_codebase_map has_git brave_search_available firecrawl_available "+
		"exa_search_available project_path"+commonFields, values{
		"has_existing_code": code, "has_package_file": pkg, "is_brownfield": code || pkg,
		"needs_codebase_map": (code || pkg) && !(a.at != nil && a.at.ExistsRoot("codebase")),
		// ken does not use the network; it still reports whether there is a key for each search service.
		"brave_search_available": isKey("BRAVE_API_KEY"), "firecrawl_available": isKey("FIRECRAWL_API_KEY"), "exa_search_available": isKey("EXA_API_KEY"),
	}), nil
}

func initIngestDocs(_ context.Context, a *source, _ *planop.NoInput) (payload, error) {
	return a.newPayload("commit_docs project_exists planning_exists has_git roadmap_exists project_path"+commonFields, nil), nil
}

func initNewMilestone(_ context.Context, a *source, _ *planop.NoInput) (payload, error) {
	var version, name, archive *string
	for _, done := range artefact.ParseMilestones(a.readText("MILESTONES.md")) {
		if done.Shipped != "" { // the newest is first
			version, name = query.OrNil(done.Version), query.OrNil(done.Name)
			archive = query.OrNil(path.Join(folder.Name, "milestones", done.Version+"-phases"))
			break
		}
	}
	entries, err := a.at.List("phases")
	return a.newPayload("researcher_model synthesizer_model roadmapper_model commit_docs research_enabled current_milestone "+
		"current_milestone_name latest_completed_milestone latest_completed_milestone_name phase_dir_count phase_archive_path"+planningFiles+
		" project_path roadmap_path state_path"+commonFields, values{
		"latest_completed_milestone": version, "latest_completed_milestone_name": name, "phase_archive_path": archive,
		"phase_dir_count": len(folderNames(entries)),
	}), err
}

// folderNames returns the names of the folders among the entries of a folder.
func folderNames(entries []folder.Entry) []string {
	names := []string{}
	for _, e := range entries {
		if e.Dir {
			names = append(names, e.Name)
		}
	}
	return names
}

func initQuickTask(_ context.Context, a *source, in *descriptionInput) (payload, error) {
	now := a.call.Now()
	slug := phaseid.Slug(in.Description, maxQuickSlug)
	// The id of a quick task has three digits of base 36 for the two seconds of the day in which it begins: two people seldom begin within
	// the same ones.
	const base, digits = 36, 3
	block := strconv.FormatInt(int64((now.Hour()*3600+now.Minute()*60+now.Second())/2), base)
	id := now.Format("060102") + "-" + strings.Repeat("0", max(0, digits-len(block))) + block
	own := values{"quick_id": id, "slug": query.OrNil(slug), "description": query.OrNil(in.Description), "task_dir": nil}
	if slug != "" {
		own["task_dir"] = path.Join(folder.Name, "quick", id+"-"+slug)
	} else {
		slug = "quick"
	}
	branch := strings.NewReplacer("{num}", id, "{quick}", id, "{slug}", slug).Replace(a.set.Text("git.quick_branch_template"))
	own["branch_name"] = query.OrNil(branch)
	return a.newPayload("planner_model executor_model checker_model verifier_model commit_docs branch_name quick_id slug description date "+
		"timestamp quick_dir task_dir roadmap_exists planning_exists"+commonFields, own), nil
}

func initResume(_ context.Context, a *source, _ *planop.NoInput) (payload, error) {
	agent := query.OrNil(strings.TrimSpace(a.readText("current-agent-id.txt")))
	return a.newPayload("state_exists roadmap_exists project_exists planning_exists state_path roadmap_path project_path "+
		"has_interrupted_agent interrupted_agent_id commit_docs"+commonFields, values{
		"has_interrupted_agent": agent != nil, "interrupted_agent_id": agent,
	}), nil
}

func initTodos(_ context.Context, a *source, in *areaInput) (payload, error) {
	list, err := a.q.Todos(in.Area)
	return a.newPayload("commit_docs date timestamp todo_count todos area_filter pending_dir completed_dir planning_exists todos_dir_exists "+
		"pending_dir_exists"+commonFields, values{"todo_count": list.Count, "todos": list.Todos, "area_filter": query.OrNil(in.Area)}), err
}

func initMilestoneOp(_ context.Context, a *source, _ *planop.NoInput) (payload, error) {
	c := a.inv.AnsweredCounts()
	entries, err := a.at.ListRoot("archive")
	archived := folderNames(entries)
	return a.newPayload("commit_docs milestone_version milestone_name milestone_slug phase_count completed_phases all_phases_complete "+
		"archived_milestones archive_count"+planningFiles+" archive_exists phases_dir_exists"+commonFields, values{
		"phase_count": c.Phases, "completed_phases": c.CompletedPhases, "all_phases_complete": c.Phases > 0 && c.Phases == c.CompletedPhases,
		"archived_milestones": archived, "archive_count": len(archived),
	}), err
}

func initMapCodebase(_ context.Context, a *source, _ *planop.NoInput) (p payload, err error) {
	maps := []string{}
	if a.at != nil {
		var entries []folder.Entry
		entries, err = a.at.ListRoot("codebase")
		for _, e := range entries {
			if !e.Dir && strings.HasSuffix(e.Name, ".md") {
				maps = append(maps, e.Name)
			}
		}
	}
	return a.newPayload("mapper_model commit_docs search_gitignored parallelization subagent_timeout date timestamp codebase_dir existing_maps "+
		"has_maps planning_exists codebase_dir_exists"+commonFields, values{"existing_maps": maps, "has_maps": len(maps) > 0}), err
}
