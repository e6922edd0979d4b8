package readers

import (
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

type newProjectPayload struct {
	Researcher  string `json:"researcher_model"`
	Synthesizer string `json:"synthesizer_model"`
	Roadmapper  string `json:"roadmapper_model"`
	Commits     bool   `json:"commit_docs"`
	Project     bool   `json:"project_exists"`
	Mapped      bool   `json:"has_codebase_map"`
	Planning    bool   `json:"planning_exists"`
	Code        bool   `json:"has_existing_code"`
	Package     bool   `json:"has_package_file"`
	Brownfield  bool   `json:"is_brownfield"`
	NeedsMap    bool   `json:"needs_codebase_map"`
	Git         bool   `json:"has_git"`
	Brave       bool   `json:"brave_search_available"`
	Firecrawl   bool   `json:"firecrawl_available"`
	Exa         bool   `json:"exa_search_available"`
	ProjectPath string `json:"project_path"`
	commonFields
}

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

func initNewProject(a *source, _ *planop.NoInput) (newProjectPayload, error) {
	root, err := a.call.Project()
	if err != nil {
		return newProjectPayload{}, err
	}
	there := func(name string) bool { _, err := os.Lstat(filepath.Join(root, name)); return err == nil }
	looked := 0
	b := newProjectPayload{
		Researcher: a.model("gsd-project-researcher"), Synthesizer: a.model("gsd-research-synthesizer"), Roadmapper: a.model("gsd-roadmapper"), Commits: a.commits(),
		Project: a.existsRoot("PROJECT.md"), Mapped: a.existsRoot("codebase"), Planning: a.at != nil, Code: hasCode(root, 0, &looked),
		Package: slices.ContainsFunc(packageFiles[:], there), Git: there(".git"), ProjectPath: path.Join(folder.Name, "PROJECT.md"),
		// ken does not use the network; it still reports whether there is a key for each search service.
		Brave: a.call.Getenv("BRAVE_API_KEY") != "", Firecrawl: a.call.Getenv("FIRECRAWL_API_KEY") != "", Exa: a.call.Getenv("EXA_API_KEY") != "",
		commonFields: a.newCommonFields(),
	}
	b.Brownfield = b.Code || b.Package
	b.NeedsMap = b.Brownfield && !b.Mapped
	return b, nil
}

type ingestPayload struct {
	Commits     bool   `json:"commit_docs"`
	Project     bool   `json:"project_exists"`
	Planning    bool   `json:"planning_exists"`
	Git         bool   `json:"has_git"`
	Roadmap     bool   `json:"roadmap_exists"`
	ProjectPath string `json:"project_path"`
	commonFields
}

func initIngestDocs(a *source, _ *planop.NoInput) (ingestPayload, error) {
	root, err := a.call.Project()
	if err != nil {
		return ingestPayload{}, err
	}
	_, err = os.Lstat(filepath.Join(root, ".git"))
	return ingestPayload{a.commits(), a.existsRoot("PROJECT.md"), a.at != nil, err == nil, a.exists("ROADMAP.md"),
		path.Join(folder.Name, "PROJECT.md"), a.newCommonFields()}, nil
}

type newMilestonePayload struct {
	Researcher    string  `json:"researcher_model"`
	Synthesizer   string  `json:"synthesizer_model"`
	Roadmapper    string  `json:"roadmapper_model"`
	Commits       bool    `json:"commit_docs"`
	Research      bool    `json:"research_enabled"`
	Current       string  `json:"current_milestone"`
	CurrentName   string  `json:"current_milestone_name"`
	Completed     *string `json:"latest_completed_milestone"`
	CompletedName *string `json:"latest_completed_milestone_name"`
	Dirs          int     `json:"phase_dir_count"`
	Archive       *string `json:"phase_archive_path"`
	planningFiles
	ProjectPath string `json:"project_path"`
	RoadmapPath string `json:"roadmap_path"`
	StatePath   string `json:"state_path"`
	commonFields
}

func initNewMilestone(a *source, _ *planop.NoInput) (newMilestonePayload, error) {
	m := newMilestonePayload{
		Researcher: a.model("gsd-project-researcher"), Synthesizer: a.model("gsd-research-synthesizer"), Roadmapper: a.model("gsd-roadmapper"), Commits: a.commits(),
		Research: a.set.IsOn("workflow.research"), planningFiles: a.planningFiles(),
		ProjectPath: path.Join(folder.Name, "PROJECT.md"), RoadmapPath: a.path("ROADMAP.md"), StatePath: a.path("STATE.md"), commonFields: a.newCommonFields(),
	}
	m.Current, m.CurrentName = a.milestone()
	for _, done := range artefact.ParseMilestones(a.readText("MILESTONES.md")) {
		if done.Shipped != "" { // the newest is first
			m.Completed, m.CompletedName = query.OrNil(done.Version), query.OrNil(done.Name)
			m.Archive = query.OrNil(path.Join(folder.Name, "milestones", done.Version+"-phases"))
			break
		}
	}
	entries, err := a.at.List("phases")
	for _, e := range entries {
		if e.Dir {
			m.Dirs++
		}
	}
	return m, err
}

type quickPayload struct {
	Planner     string  `json:"planner_model"`
	Executor    string  `json:"executor_model"`
	Checker     string  `json:"checker_model"`
	Verifier    string  `json:"verifier_model"`
	Commits     bool    `json:"commit_docs"`
	Branch      *string `json:"branch_name"`
	ID          string  `json:"quick_id"`
	Slug        *string `json:"slug"`
	Description *string `json:"description"`
	Date        string  `json:"date"`
	Timestamp   string  `json:"timestamp"`
	Dir         string  `json:"quick_dir"`
	TaskDir     *string `json:"task_dir"`
	Roadmap     bool    `json:"roadmap_exists"`
	Planning    bool    `json:"planning_exists"`
	commonFields
}

// timeFormat is the format of times in payloads.
const timeFormat = "2006-01-02T15:04:05.000Z"

func initQuickTask(a *source, in *descriptionInput) (quickPayload, error) {
	now := a.call.Now()
	what := in.Description
	slug := phaseid.Slug(what, maxQuickSlug)
	// The id of a quick task has three digits of base 36 for the two seconds of the day in which it begins: two people seldom begin within
	// the same ones.
	const base, digits = 36, 3
	block := strconv.FormatInt(int64((now.Hour()*3600+now.Minute()*60+now.Second())/2), base)
	q := quickPayload{
		Planner: a.model("gsd-planner"), Executor: a.model("gsd-executor"), Checker: a.model("gsd-plan-checker"), Verifier: a.model("gsd-verifier"), Commits: a.commits(),
		ID: now.Format("060102") + "-" + strings.Repeat("0", max(0, digits-len(block))) + block, Slug: query.OrNil(slug), Description: query.OrNil(what),
		Date: now.UTC().Format("2006-01-02"), Timestamp: now.UTC().Format(timeFormat), Dir: path.Join(folder.Name, "quick"),
		Roadmap: a.exists("ROADMAP.md"), Planning: a.at != nil, commonFields: a.newCommonFields(),
	}
	if slug != "" {
		q.TaskDir = query.OrNil(path.Join(q.Dir, q.ID+"-"+slug))
	} else {
		slug = "quick"
	}
	q.Branch = query.OrNil(strings.NewReplacer("{num}", q.ID, "{quick}", q.ID, "{slug}", slug).Replace(a.set.Text("git.quick_branch_template")))
	return q, nil
}

type resumePayload struct {
	State       bool    `json:"state_exists"`
	Roadmap     bool    `json:"roadmap_exists"`
	Project     bool    `json:"project_exists"`
	Planning    bool    `json:"planning_exists"`
	StatePath   string  `json:"state_path"`
	RoadmapPath string  `json:"roadmap_path"`
	ProjectPath string  `json:"project_path"`
	Interrupted bool    `json:"has_interrupted_agent"`
	Agent       *string `json:"interrupted_agent_id"`
	Commits     bool    `json:"commit_docs"`
	commonFields
}

func initResume(a *source, _ *planop.NoInput) (resumePayload, error) {
	agent := query.OrNil(strings.TrimSpace(a.readText("current-agent-id.txt")))
	return resumePayload{
		a.exists("STATE.md"), a.exists("ROADMAP.md"), a.existsRoot("PROJECT.md"), true, a.path("STATE.md"), a.path("ROADMAP.md"), path.Join(folder.Name, "PROJECT.md"),
		agent != nil, agent, a.commits(), a.newCommonFields(),
	}, nil
}

type todosPayload struct {
	Commits   bool         `json:"commit_docs"`
	Date      string       `json:"date"`
	Timestamp string       `json:"timestamp"`
	Count     int          `json:"todo_count"`
	Todos     []query.Todo `json:"todos"`
	Area      *string      `json:"area_filter"`
	Pending   string       `json:"pending_dir"`
	Completed string       `json:"completed_dir"`
	Planning  bool         `json:"planning_exists"`
	Dir       bool         `json:"todos_dir_exists"`
	PendingIs bool         `json:"pending_dir_exists"`
	commonFields
}

func initTodos(a *source, in *areaInput) (todosPayload, error) {
	now := a.call.Now().UTC()
	list, err := a.q.Todos(in.Area)
	return todosPayload{
		a.commits(), now.Format("2006-01-02"), now.Format(timeFormat), list.Count, list.Todos, query.OrNil(in.Area), a.path("todos/pending"), a.path("todos/completed"),
		true, a.exists("todos"), a.exists("todos/pending"), a.newCommonFields(),
	}, err
}

type milestonePayload struct {
	Commits   bool     `json:"commit_docs"`
	Version   string   `json:"milestone_version"`
	Name      string   `json:"milestone_name"`
	Slug      string   `json:"milestone_slug"`
	Phases    int      `json:"phase_count"`
	Completed int      `json:"completed_phases"`
	All       bool     `json:"all_phases_complete"`
	Archived  []string `json:"archived_milestones"`
	Archives  int      `json:"archive_count"`
	planningFiles
	Archive   bool `json:"archive_exists"`
	PhasesDir bool `json:"phases_dir_exists"`
	commonFields
}

func initMilestoneOp(a *source, _ *planop.NoInput) (milestonePayload, error) {
	c := a.inv.AnsweredCounts()
	m := milestonePayload{
		Commits: a.commits(), Phases: c.Phases, Completed: c.CompletedPhases, All: c.Phases > 0 && c.Phases == c.CompletedPhases,
		planningFiles: a.planningFiles(), Archive: a.existsRoot("archive"), PhasesDir: a.exists("phases"),
		commonFields: a.newCommonFields(),
	}
	m.Version, m.Name = a.milestone()
	m.Slug = phaseid.Slug(m.Name, maxSlug)
	entries, err := a.at.ListRoot("archive")
	m.Archived = []string{}
	for _, e := range entries {
		if e.Dir {
			m.Archived = append(m.Archived, e.Name)
		}
	}
	m.Archives = len(m.Archived)
	return m, err
}

type mapPayload struct {
	Mapper    string   `json:"mapper_model"`
	Commits   bool     `json:"commit_docs"`
	Ignored   bool     `json:"search_gitignored"`
	Parallel  bool     `json:"parallelization"`
	Timeout   int      `json:"subagent_timeout"`
	Date      string   `json:"date"`
	Timestamp string   `json:"timestamp"`
	Dir       string   `json:"codebase_dir"`
	Existing  []string `json:"existing_maps"`
	Maps      bool     `json:"has_maps"`
	Planning  bool     `json:"planning_exists"`
	DirIs     bool     `json:"codebase_dir_exists"`
	commonFields
}

func initMapCodebase(a *source, _ *planop.NoInput) (mapPayload, error) {
	now := a.call.Now().UTC()
	m := mapPayload{
		Mapper: a.model("gsd-codebase-mapper"), Commits: a.commits(), Ignored: a.set.IsOn("search_gitignored"), Parallel: a.set.IsOn("parallelization"),
		Timeout: a.set.Number("workflow.subagent_timeout"), Date: now.Format("2006-01-02"), Timestamp: now.Format(timeFormat), Dir: path.Join(folder.Name, "codebase"),
		Existing: []string{}, Planning: a.at != nil, DirIs: a.existsRoot("codebase"), commonFields: a.newCommonFields(),
	}
	if a.at == nil {
		return m, nil
	}
	entries, err := a.at.ListRoot("codebase")
	for _, e := range entries {
		if !e.Dir && strings.HasSuffix(e.Name, ".md") {
			m.Existing = append(m.Existing, e.Name)
		}
	}
	m.Maps = len(m.Existing) > 0
	return m, err
}
