// Package config owns ken's settings and their sources: the environment, the user's
// own file, and the project's .ken/config.yml, in that order of precedence. The first
// two are trusted. The project's file is not, because it came with the repository: it
// can only narrow the files that ken reads and turn guards on. Package app reads the settings
// once and passes every part its own options.
package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// Settings holds all settings. The zero value is the default.
type Settings struct {
	// Exclude lists files to leave out, as patterns of gitignore(5) relative
	// to the root. Those of all sources apply together.
	// Key exclude, variable KEN_EXCLUDE.
	Exclude []string
	// Include, if not empty, lists the only files to read, as the same
	// patterns. The project's list counts only if the user set none.
	// Key include, variable KEN_INCLUDE.
	Include []string
	// MaxFileSize is the size in bytes above which files are listed but not
	// parsed; 0 is the default of 500,000. The project's file can only lower it.
	// Key max_file_size ("300000", "300kB", "2MB"), variable KEN_MAX_FILE_SIZE.
	MaxFileSize int64
	// HistoryCommits is the number of the newest commits whose history is kept; 0
	// is the default of 20,000, below 0 none. The project's file can only lower it.
	// Key history_commits (a number, or off), variable KEN_HISTORY_COMMITS.
	HistoryCommits int
	// AllowSecrets lists findings that "ken secrets" leaves out: rule, path and hash
	// as it prints them. Their values stay masked. Those of
	// all files apply together. Key allow_secrets.
	AllowSecrets []AllowedSecret
	// Cache is on if readings are kept outside of the project, for its other
	// branches and working trees, or off; empty is on. The project's file can
	// only turn it off. Key cache, variable KEN_CACHE.
	Cache string
	// QueryLog is on if the answers to an agent's session are recorded in the project's
	// .ken/logs/queries.jsonl, or off; empty is on. The project's file can only turn it off.
	// Key query_log, variable KEN_QUERY_LOG.
	QueryLog string
	// ReadGuard, WorkflowGuard and StopQueries turn further work of hooks on or off;
	// empty is off. The project's file can only turn them on, and stop_queries not if the
	// user turned it off, because an answer makes the agent continue.
	// Keys read_guard, workflow_guard, stop_queries, variables KEN_READ_GUARD, ….
	ReadGuard, WorkflowGuard, StopQueries string
	// TaskGuard is the reaction to a write that a guarded task does not allow: deny or advise; empty is deny. It is not a
	// setting of projects, because one that came with a repository could loosen the user's guard. Key task_guard, variable
	// KEN_TASK_GUARD.
	TaskGuard string
	// TaskDependents is the number of dependent files above which a guarded task demands an analysis of the impact
	// at level auto; 0 is DefaultTaskDependents. The project's file can only lower it, which demands more.
	// Key task_dependents, variable KEN_TASK_DEPENDENTS.
	TaskDependents int
	// Color is auto, always or never. It is not a setting of projects.
	// Key color, variable KEN_COLOR.
	Color string
	// MCPTools are the sets of tools that "ken mcp" offers unless it is started with others; none is
	// the default. It is not a setting of projects, because sets have tools that write.
	// Key mcp_tools, variable KEN_MCP_TOOLS.
	MCPTools []string
	// Embedding is the endpoint for embeddings; none if it has no URL. It is not a
	// setting of projects, because they could choose the endpoint that gets the user's code.
	// Keys below embedding, variables KEN_EMBEDDING_….
	Embedding Embedding
	// Own are the lists above without those of the project. Answers report the number of files that
	// the project's lists hide.
	Own Own
}

// Own holds the lists of files that the environment and the user's file set, without those of the project.
type Own struct {
	Exclude, Include []string
	AllowSecrets     []AllowedSecret
}

// AllowedSecret names one finding that is no secret, by its rule, path and hash.
type AllowedSecret struct{ Rule, Path, Hash string }

// The defaults. They apply if MaxFileSize, HistoryCommits or TaskDependents is 0.
const (
	DefaultMaxFileSize    = 500_000
	DefaultHistoryCommits = 20_000
	// DefaultTaskDependents equals that of guard.DefaultPolicy.
	DefaultTaskDependents = 10
)

// maxHistoryCommits bounds HistoryCommits, because commits are held in memory while
// they are read.
const maxHistoryCommits = 1_000_000

// maxConfigFile is the size of the largest settings file, in bytes. The
// parser's time grows with the square of the nesting, and was 13 s for 64 KiB of
// "["; so there is also maxBrackets.
const (
	maxConfigFile = 16 << 10
	maxBrackets   = 1000
)

// Error is a mistake in a settings file or variable.
type Error struct {
	Where  string // file or variable
	Line   int    // 0 if there is none
	Reason string
}

func (e *Error) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", e.Where, e.Line, e.Reason)
	}
	return e.Where + ": " + e.Reason
}

// Load reads the settings for the project at root; root is empty without a project. Warnings describe
// settings that were ignored. It returns an Error for an invalid setting, and fails if a file cannot be
// read.
func Load(root string, getenv func(string) string) (s Settings, warnings []string, err error) {
	env, err := fromEnv(getenv)
	if err != nil {
		return s, nil, err
	}
	var user, project layer
	if dir := below(getenv, "XDG_CONFIG_HOME", ".config"); dir != "" {
		if user, err = readFile(filepath.Join(dir, "config.yml"), true); err != nil {
			return s, nil, err
		}
	}
	if root != "" {
		if project, err = readFile(filepath.Join(root, ".ken", "config.yml"), false); err != nil {
			return s, nil, err
		}
	}
	s = merge(env, user)
	if s.Embedding, err = s.Embedding.complete(); err != nil {
		return s, nil, err
	}
	warnings = append(append(env.warnings, user.warnings...), project.warnings...)
	return s.narrow(project, &warnings), warnings, nil
}

// layer holds the settings of one source: the environment, the user's file or the project's.
type layer struct {
	Settings
	where    string
	warnings []string
}

// merge joins the settings of the trusted sources; those of the environment win.
func merge(env, user layer) Settings {
	s := env.Settings
	s.Exclude = append(s.Exclude, user.Exclude...)
	s.AllowSecrets = user.AllowSecrets
	if len(s.Include) == 0 {
		s.Include = user.Include
	}
	if s.MaxFileSize == 0 {
		s.MaxFileSize = user.MaxFileSize
	}
	if s.HistoryCommits == 0 {
		s.HistoryCommits = user.HistoryCommits
	}
	if s.Color == "" {
		s.Color = user.Color
	}
	if s.TaskGuard == "" {
		s.TaskGuard = user.TaskGuard
	}
	if s.TaskDependents == 0 {
		s.TaskDependents = user.TaskDependents
	}
	if len(s.MCPTools) == 0 {
		s.MCPTools = user.MCPTools
	}
	for i, g := range s.switches() {
		if *g.value == "" {
			*g.value = *user.switches()[i].value
		}
	}
	s.Embedding = s.Embedding.over(user.Embedding)
	s.Own = Own{slices.Clone(s.Exclude), slices.Clone(s.Include), slices.Clone(s.AllowSecrets)}
	return s
}

// narrow applies those settings of the project that only restrict s, and adds warnings about the others.
func (s Settings) narrow(project layer, warnings *[]string) Settings {
	s.Exclude = append(s.Exclude, project.Exclude...)
	s.AllowSecrets = append(s.AllowSecrets, project.AllowSecrets...)
	if len(s.Include) == 0 {
		s.Include = project.Include
	}
	s.turnOff(project, warnings)
	s.turnOn(project, warnings)
	limit := s.MaxFileSize
	if limit == 0 {
		limit = DefaultMaxFileSize
	}
	switch {
	case project.MaxFileSize > limit:
		*warnings = append(*warnings, fmt.Sprintf("%s: max_file_size can only be lowered here; set it in your own settings", project.where))
	case project.MaxFileSize > 0:
		s.MaxFileSize = project.MaxFileSize
	}
	commits := s.HistoryCommits
	if commits == 0 {
		commits = DefaultHistoryCommits
	}
	switch {
	case project.HistoryCommits == 0:
	case max(project.HistoryCommits, 0) > max(commits, 0):
		*warnings = append(*warnings, fmt.Sprintf("%s: history_commits can only be lowered here; set it in your own settings", project.where))
	default:
		s.HistoryCommits = project.HistoryCommits
	}
	dependents := s.TaskDependents
	if dependents == 0 {
		dependents = DefaultTaskDependents
	}
	switch {
	case project.TaskDependents > dependents:
		*warnings = append(*warnings, fmt.Sprintf("%s: task_dependents can only be lowered here; set it in your own settings", project.where))
	case project.TaskDependents > 0:
		s.TaskDependents = project.TaskDependents
	}
	return s
}

func fromEnv(getenv func(string) string) (layer, error) {
	l := layer{}
	l.Exclude = split(getenv("KEN_EXCLUDE"))
	l.Include = split(getenv("KEN_INCLUDE"))
	l.MCPTools = split(getenv("KEN_MCP_TOOLS"))
	l.Color = getenv("KEN_COLOR")
	if l.Color != "" && !isColor(l.Color) {
		return l, &Error{Where: "KEN_COLOR", Reason: colorReason}
	}
	if l.TaskGuard = getenv("KEN_TASK_GUARD"); l.TaskGuard != "" && !isTaskGuard(l.TaskGuard) {
		return l, &Error{Where: "KEN_TASK_GUARD", Reason: taskGuardReason}
	}
	if v := getenv("KEN_TASK_DEPENDENTS"); v != "" {
		n, ok := parseDependents(v)
		if !ok {
			return l, &Error{Where: "KEN_TASK_DEPENDENTS", Reason: dependentsReason}
		}
		l.TaskDependents = n
	}
	for _, g := range l.switches() {
		name := "KEN_" + strings.ToUpper(g.key)
		if *g.value = getenv(name); *g.value != "" && !isSwitch(*g.value) {
			return l, &Error{Where: name, Reason: switchReason}
		}
	}
	if v := getenv("KEN_MAX_FILE_SIZE"); v != "" {
		n, ok := parseSize(v)
		if !ok {
			return l, &Error{Where: "KEN_MAX_FILE_SIZE", Reason: sizeReason}
		}
		l.MaxFileSize = n
	}
	if v := getenv("KEN_HISTORY_COMMITS"); v != "" {
		n, ok := parseCommits(v)
		if !ok {
			return l, &Error{Where: "KEN_HISTORY_COMMITS", Reason: commitsReason}
		}
		l.HistoryCommits = n
	}
	var err error
	l.Embedding, err = embeddingFromEnv(getenv)
	return l, err
}

const (
	colorReason   = "must be auto, always or never"
	sizeReason    = `must be a size such as 300000, "300kB" or "2MB"`
	commitsReason = "must be a number of commits from 1 to 1000000, or off"
	switchReason  = "must be on or off"
)

func isColor(s string) bool { return s == "auto" || s == "always" || s == "never" }

func isSwitch(s string) bool { return s == "on" || s == "off" }

// split returns the elements of a list that are separated by commas.
func split(s string) []string {
	var out []string
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// parseCommits reads a number of commits; "off" is -1.
func parseCommits(s string) (int, bool) {
	if s == "off" || s == "false" { // YAML may read off as false
		return -1, true
	}
	n, err := strconv.Atoi(strings.ReplaceAll(s, "_", ""))
	return n, err == nil && n > 0 && n <= maxHistoryCommits
}

// parseSize reads a positive number of bytes, with kB, MB or GB (of 1000).
func parseSize(s string) (int64, bool) {
	factor := int64(1)
	for _, unit := range [...]struct {
		name   string
		factor int64
	}{{"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}} {
		if rest, ok := strings.CutSuffix(strings.ToLower(s), unit.name); ok {
			s, factor = strings.TrimSpace(rest), unit.factor
			break
		}
	}
	n, err := strconv.ParseInt(strings.ReplaceAll(s, "_", ""), 10, 64)
	if err != nil || n <= 0 || n > math.MaxInt64/factor {
		return 0, false
	}
	return n * factor, true
}

// CacheDir returns the directory for disposable files, or "" if it is unknown or turned off.
func (s *Settings) CacheDir(getenv func(string) string) string {
	if s.Cache == "off" {
		return ""
	}
	return below(getenv, "XDG_CACHE_HOME", ".cache")
}

// StateDir returns the directory in which ken keeps the ids of indexes, or "" if it is unknown. Only the
// environment can set it, so that no file of a project can. It returns an Error if KEN_STATE is no absolute path.
func StateDir(getenv func(string) string) (string, error) {
	switch dir := getenv("KEN_STATE"); {
	case dir == "":
		return below(getenv, "XDG_STATE_HOME", filepath.Join(".local", "state")), nil
	case !filepath.IsAbs(dir):
		return "", &Error{Where: "KEN_STATE", Reason: "must be an absolute path"}
	default:
		return filepath.Clean(dir), nil
	}
}

// HookLog returns the path of the file in which hooks log errors, or "" if there is no
// place for it. The previous log has the same path with ".1" appended.
func HookLog(getenv func(string) string) string {
	dir, err := StateDir(getenv)
	if err != nil || dir == "" {
		return ""
	}
	return filepath.Join(dir, "hooks.log")
}

// below returns ken's directory below the absolute path in an environment
// variable or, if that is not set, below the directory otherwise of the user's
// home. It returns "" if neither is known.
func below(getenv func(string) string, variable, otherwise string) string {
	dir := getenv(variable)
	if dir == "" || !filepath.IsAbs(dir) {
		home := getenv("HOME")
		if home == "" {
			home = getenv("USERPROFILE")
		}
		if home == "" {
			return ""
		}
		dir = filepath.Join(home, otherwise)
	}
	return filepath.Join(dir, "ken")
}

// readFile reads a settings file; a missing one has no settings. trusted is unset for the project's file, which
// must be a regular file, because a link could lead anywhere and a pipe could hang. It returns an Error if the
// file is not regular, too large or invalid.
func readFile(path string, trusted bool) (layer, error) {
	look := os.Stat
	if !trusted {
		look = os.Lstat
	}
	st, err := look(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return layer{}, nil
	case errors.Is(err, syscall.ENOTDIR):
		return layer{}, &Error{Where: filepath.Dir(path), Reason: "is not a directory; rename or remove it, ken keeps its index and settings there"}
	case err != nil:
		return layer{}, fmt.Errorf("read settings: %w", err)
	case !st.Mode().IsRegular():
		return layer{}, &Error{Where: path, Reason: "is not a regular file"}
	case st.Size() > maxConfigFile:
		return layer{}, &Error{Where: path, Reason: fmt.Sprintf("is larger than %d bytes", maxConfigFile)}
	}
	f, err := os.Open(path)
	if err != nil {
		return layer{}, fmt.Errorf("read settings: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxConfigFile))
	if err != nil {
		return layer{}, fmt.Errorf("read settings: %w", err)
	}
	return parse(path, text, trusted)
}
