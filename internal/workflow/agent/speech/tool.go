package speech

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ken/internal/workflow/agent"
	"ken/internal/workflow/agent/claude"
	"ken/internal/workflow/agent/runtimes"
)

// The names that runtimes have for the same member of a tool's input.
var (
	fileNames    = []string{"file_path", "filePath", "path", "TargetFile", "target_file", "AbsolutePath", "absolute_path", "file", "notebook_path"}
	contentNames = []string{"content", "file_text", "file_content", "CodeContent", "new_source", "text"}
	oldNames     = []string{"old_string", "oldString", "old_str", "oldText", "old_text", "TargetContent"}
	newNames     = []string{"new_string", "newString", "new_str", "newText", "new_text", "ReplacementContent"}
	allNames     = []string{"replace_all", "replaceAll", "allow_multiple", "AllowMultiple"}
	editNames    = []string{"edits", "ReplacementChunks"}
	commandNames = []string{"command", "command_line", "commandLine", "CommandLine", "cmd"}
	patchNames   = []string{"command", "input", "patch", "patchText", "patch_text", "diff"}
	patternNames = []string{"pattern", "query", "regex"}
	behindNames  = []string{"run_in_background", "is_background", "background"}
	listNames    = []string{"files", "file_paths", "filePaths", "paths"}
)

// toolUse is a use of a tool in Claude Code's terms.
type toolUse struct {
	kind    agent.ToolKind
	name    string
	input   map[string]any
	files   []string // of a tool that writes several
	written string   // by a patch
	created bool
}

// newToolUse describes the use of a tool with a name and an input in the terms of a runtime. patchText is an input that is no object.
func newToolUse(r *runtimes.Runtime, name string, in fields, patchText string) *toolUse {
	u := &toolUse{name: name, input: map[string]any{}}
	for _, member := range patchNames {
		if patchText == "" {
			patchText = text(in[member])
		}
	}
	p, isPatch := parsePatch(patchText)
	u.kind = toolKind(r, name, in, isPatch)
	switch u.kind {
	case agent.Edit:
		if isPatch {
			u.name, u.files, u.written, u.created = "Edit", p.files, p.written, p.created
			return u
		}
		u.addEdit(name, in)
	case agent.Read:
		u.addFile(in)
		u.put("offset", in.raw("offset"))
		u.put("limit", in.raw("limit"))
		u.name = "Read"
	case agent.StartTask:
		u.name = startTool
	case agent.Shell:
		if dir, ok := patchFolder(command(in)); ok && isPatch {
			u.kind, u.name, u.files, u.written, u.created = agent.Edit, "Edit", p.files, p.written, p.created
			for i, f := range u.files {
				if !filepath.IsAbs(f) {
					u.files[i] = filepath.Join(dir, f)
				}
			}
			return u
		}
		if claude.ToolKind(name) != agent.Shell {
			u.name = "Bash"
		}
		u.input["command"] = command(in)
		u.put("run_in_background", in.raw(behindNames...))
	case agent.Grep:
		u.name = "Grep"
		u.input["pattern"], u.input["path"] = in.text(patternNames...), in.text("path", "dir_path")
	case agent.Fetch:
		u.name = "WebFetch"
	case agent.Task:
		u.name = "Agent"
	default:
		u.name = mcpName(name)
	}
	return u
}

// toolKind returns the kind of a tool: that of the runtime's description, else that of Claude Code's tool of the name, else that of the
// input.
func toolKind(r *runtimes.Runtime, name string, in fields, isPatch bool) agent.ToolKind {
	if kind := r.Tools[name]; kind != agent.OtherTool {
		return kind
	}
	if kind := claude.ToolKind(name); kind != agent.OtherTool {
		return kind
	}
	writes := in.has("content") || in.has("old_string") || in.has("new_string") || isSet(in["edits"])
	switch {
	case strings.HasPrefix(name, "mcp"):
		return agent.OtherTool
	case isPatch && !in.has("command"), writes && in.text(fileNames...) != "":
		return agent.Edit
	case command(in) != "":
		return agent.Shell
	}
	return agent.OtherTool
}

// command returns a command line, which may be a list of words whose last is the line for a shell.
func command(in fields) string {
	if s := in.text(commandNames...); s != "" {
		return s
	}
	if list := commands(in["commands"]); len(list) > 0 {
		return strings.Join(list, "\n")
	}
	list := words(in["command"])
	if len(list) == 3 && strings.HasPrefix(list[1], "-") && strings.HasSuffix(list[1], "c") {
		return list[2]
	}
	return strings.Join(list, " ")
}

// commands returns the command lines of a list, which may be in a string.
func commands(raw json.RawMessage) []string {
	if s := text(raw); strings.HasPrefix(s, "[") {
		raw = json.RawMessage(s)
	}
	return words(raw)
}

// patchCommand matches the beginning of a command that is a patch: some runtimes carry it out themselves, as a tool.
var patchCommand = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(?:cd\s+('[^']*'|"[^"]*"|[^\s;&|'"]+)\s*&&\s*)?apply_?patch\s`)
})

// patchFolder returns the folder in which a command applies a patch, "" for that in which the agent works; false if it does no such thing.
func patchFolder(line string) (dir string, ok bool) {
	m := patchCommand().FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	return strings.Trim(m[1], `'"`), true
}

// startTool is the name of the tool that begins a guarded task, in Claude Code's form.
const startTool = "mcp__ken__start_session"

// mcpName returns the name of a tool of a server in Claude Code's form, where ken looks for one of its own.
func mcpName(name string) string {
	before, ok := strings.CutSuffix(name, "start_session")
	if server := strings.TrimRight(before, "_.-:/"); ok && server != before && !strings.HasPrefix(name, "mcp__") {
		return "mcp__" + strings.Trim(strings.TrimPrefix(server, "mcp"), "_.") + "__start_session"
	}
	return name
}

func (u *toolUse) put(name string, raw json.RawMessage) {
	if raw != nil {
		u.input[name] = raw
	}
}

// addFile adds the file that a tool is about, or all if there are several.
func (u *toolUse) addFile(in fields) {
	for _, name := range listNames {
		for _, v := range list(in[name]) {
			if s := text(v); s != "" {
				u.files = append(u.files, s)
			} else if s := object(v).text(fileNames...); s != "" {
				u.files = append(u.files, s)
			}
		}
	}
	if s := in.text(fileNames...); s != "" {
		u.input["file_path"] = s
	}
}

// addEdit adds the texts that a tool writes.
func (u *toolUse) addEdit(name string, in fields) {
	u.addFile(in)
	u.created = strings.HasPrefix(strings.ToLower(name), "create")
	old, now := in.text(oldNames...), in.text(newNames...)
	var edits []map[string]any
	for _, v := range list(in.raw(editNames...)) {
		if e := object(v); e.text(oldNames...) != "" || e.text(newNames...) != "" {
			edits = append(edits, map[string]any{
				"old_string": e.text(oldNames...), "new_string": e.text(newNames...), "replace_all": isSet(e.raw(allNames...)),
			})
		}
	}
	content := in.text(contentNames...)
	if name == "editor" && old == "" && in["insert_line"] == nil { // Cline's, which makes a file without an old text
		content, now = now, ""
	}
	switch {
	case len(edits) > 0:
		u.name, u.input["edits"] = "MultiEdit", edits
	case old != "" || now != "":
		u.name, u.input["old_string"], u.input["new_string"] = "Edit", old, now
		u.input["replace_all"] = isSet(in.raw(allNames...))
	case content != "" && claude.ToolKind(name) != agent.Edit:
		u.name, u.input["content"] = "Write", content
	case content != "":
		u.name, u.input["content"] = name, content
	default:
		u.name = "Edit"
	}
}

// absolute returns each of some paths once, from the directory in which the agent works.
func absolute(files []string, dir string) (out []string) {
	for _, f := range files {
		if !filepath.IsAbs(f) && filepath.IsAbs(dir) {
			f = filepath.Join(dir, f)
		}
		if !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}
