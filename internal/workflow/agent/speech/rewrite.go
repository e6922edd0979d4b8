package speech

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"ken/internal/workflow/agent"
	"ken/internal/workflow/agent/claude"
	"ken/internal/workflow/agent/runtimes"
)

// The names that runtimes have for the same member of a payload.
var (
	sessionNames  = []string{"session_id", "sessionId", "conversation_id", "conversationId", "trajectory_id", "taskId", "task_id"}
	eventNames    = []string{"hook_event_name", "hookEventName", "agent_action_name", "hook_type", "hookName", "event"}
	dirNames      = []string{"cwd", "workspaceRoot", "workspace_root"}
	rootsNames    = []string{"workspace_roots", "workspacePaths", "workspaceRoots"}
	toolNames     = []string{"tool_name", "toolName", "tool"}
	toolUseNames  = []string{"tool_use_id", "toolUseId", "tool_call_id", "toolCallId"}
	inputNames    = []string{"tool_input", "toolInput", "toolArgs", "tool_info", "parameters"}
	responseNames = []string{"tool_response", "toolResponse", "tool_result", "toolResult", "tool_output", "toolOutput", "result", "output"}
	errorNames    = []string{"error", "tool_error", "errorMessage", "error_message"}
	lastNames     = []string{"last_assistant_message", "lastAssistantMessage", "prompt_response", "agent_text_response", "response"}
)

// rewrite returns a payload in Claude Code's form, and the use of a tool in it; nil if there is none.
func rewrite(r *runtimes.Runtime, kind agent.Kind, p fields) (map[string]any, *toolUse) {
	p = flat(p)
	out := map[string]any{
		"session_id": p.text(sessionNames...), "cwd": dir(p), "transcript_path": p.text("transcript_path", "transcriptPath"),
		"agent_id": p.text("agent_id", "agentId", "subagent_id"), "agent_type": p.text("agent_type", "agentType", "subagent_type", "agentName"),
		"prompt_id": p.text("prompt_id"), "trigger": p.text("trigger"), "reason": p.text("reason"), "source": source(p),
		"prompt":                 p.text("prompt", "userPrompt", "user_prompt"),
		"last_assistant_message": p.text(lastNames...), "stop_hook_active": isSet(p.raw("stop_hook_active", "stopHookActive", "loop_count")),
	}
	switch kind {
	case agent.BeforeTool, agent.AfterTool, agent.ToolFailed:
	default:
		return out, nil
	}
	name := p.text(toolNames...)
	if name == "" { // the event itself is that of one kind of tool
		if name = p.text(eventNames...); name == "afterFileEdit" {
			name = "Edit"
		}
	}
	in, patchText := p, ""
	if raw := p.raw(inputNames...); raw != nil {
		if in = object(raw); in == nil {
			in, patchText = fields{}, text(raw)
		}
	}
	u := newToolUse(r, name, in, patchText)
	if changes := changedFiles(p); len(changes) > 0 && u.kind == agent.Edit {
		u.files = changes
	}
	out["tool_name"], out["tool_input"], out["tool_use_id"] = u.name, u.input, toolUseID(p)
	out["tool_response"], out["is_interrupt"] = response(p), isSet(p["is_interrupt"])
	if u.kind == agent.Shell {
		out["tool_response"] = printed(response(p))
	}
	if out["error"] = p.text(errorNames...); out["error"] == "" && kind == agent.ToolFailed {
		out["error"] = strings.Join(claude.Strings(response(p)), "\n")
	}
	return out, u
}

// flat returns the members of a payload, with those of objects in which some runtimes wrap the part that depends on the event.
func flat(p fields) fields {
	all := fields{}
	all.add(p)
	for _, name := range []string{"preToolUse", "postToolUse", "userPromptSubmit", "taskStart", "taskResume", "taskComplete", "preCompact"} {
		all.add(object(p[name]))
	}
	for _, name := range []string{"tool_call", "tool_result"} { // of Cline, beside preToolUse and postToolUse
		if call := object(p[name]); call.has("id", "name") {
			delete(all, name)
			all.add(fields{"tool_use_id": call["id"], "tool_response": call["output"]})
		}
	}
	if string(p["parent_agent_id"]) == "null" { // it names the main agent as well
		delete(all, "agent_id")
	}
	if call := object(p["toolCall"]); call != nil {
		all.add(fields{"tool_name": call["name"], "tool_input": call["args"]})
	}
	if info := object(p["tool_info"]); info != nil { // of an action, which is no tool
		all.add(fields{"prompt": info["user_prompt"], "response": info["response"], "cwd": info["cwd"]})
	}
	return all
}

// dir returns the directory in which the agent works, else the first root of its workspace.
func dir(p fields) string {
	if d := p.text(dirNames...); d != "" {
		return d
	}
	for _, name := range rootsNames {
		if roots := words(p[name]); len(roots) > 0 {
			return roots[0]
		}
	}
	return ""
}

// source returns why a session starts. What is no word of Claude Code's is a startup.
func source(p fields) string {
	switch s := p.text("source"); {
	case s == "resume", s == "clear", s == "compact", s == "fork":
		return s
	case p.text(eventNames...) == "TaskResume":
		return "resume"
	}
	return "startup"
}

func toolUseID(p fields) string {
	if id := p.text(toolUseNames...); id != "" {
		return id
	}
	var n json.Number
	if json.Unmarshal(p["stepIdx"], &n) == nil && p["toolCall"] != nil {
		return "step " + n.String()
	}
	return ""
}

// changedFiles returns the paths of a list of changed files.
func changedFiles(p fields) (out []string) {
	for _, v := range list(p["file_changes"]) {
		if s := object(v).text("path"); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// response returns the result of a tool as the model sees it, where the payload has it in several forms.
func response(p fields) json.RawMessage {
	raw := p.raw(responseNames...)
	if v := object(raw).raw("llmContent", "textResultForLlm"); v != nil {
		return v
	}
	return raw
}

// printed returns the result of a command without what Gemini CLI and Qwen Code write before the text that it printed: the command, its
// folder, a label, and a tag around all.
func printed(raw json.RawMessage) json.RawMessage {
	whole := text(raw)
	if inner, ok := strings.CutPrefix(whole, "<untrusted_context>\n"); ok {
		whole = strings.TrimSuffix(inner, "\n</untrusted_context>")
	}
	head, out, ok := strings.Cut("\n"+whole, "\nOutput: ")
	if !ok || head != "" && !strings.HasPrefix(head, "\nCommand: ") {
		return raw
	}
	b, err := json.Marshal(out)
	if err != nil {
		return raw
	}
	return b
}

// endsWithFailure matches the last line of the output of a command that failed, as some runtimes write it.
var endsWithFailure = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(?:Exit Code: |<exited with exit code )(-?\d+)>?$`)
})

// maxTail is how much of the end of an output is searched for the status of a command, in bytes.
const maxTail = 300

// failed reports whether the result of a tool that was used is a failure, which some runtimes report as the same event as a success.
func failed(p fields, kind agent.ToolKind) bool {
	p = flat(p)
	raw := p.raw(responseNames...)
	r := object(raw)
	if isSet(p.raw(errorNames...)) || isSet(r["error"]) || isSet(r["is_error"]) || string(p["success"]) == "false" {
		return true
	}
	switch r.text("resultType", "result_type") {
	case "failure", "error", "denied", "rejected":
		return true
	}
	if kind != agent.Shell {
		return false
	}
	if v := r.raw("exit_code", "exitCode"); v != nil {
		return true // a status of 0 is not set
	}
	out := strings.Join(claude.Strings(response(p)), "\n")
	m := endsWithFailure().FindAllStringSubmatch(out[max(0, len(out)-maxTail):], -1)
	if len(m) == 0 {
		return false
	}
	status, err := strconv.Atoi(m[len(m)-1][1])
	return err == nil && status != 0
}

// key returns a hash of an event, by which it is known again where several runtimes' hooks report it in different forms.
func key(e *agent.Event) [32]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%q", []any{
		e.Session, e.Agent, e.Source, e.Text, e.ToolName, e.ToolUse, e.Files, e.Written, e.Edits, e.Command, e.Pattern, e.Output, e.Repeated,
	}))
}
