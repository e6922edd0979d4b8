const tools = { write: "Write", edit: "Edit", bash: "Bash", read: "Read", grep: "Grep", find: "Glob" }
const names = { path: "file_path", oldText: "old_string", newText: "new_string" }

function input(tool, args) {
  const given = {}
  for (const [key, value] of Object.entries(args ?? {})) given[tool === "grep" || tool === "find" ? key : (names[key] ?? key)] = value
  return given
}

export default function (pi) {
  let first = "" // what the session begins with, until its first prompt
  const base = (ctx) => ({ session_id: ctx.sessionManager?.getSessionId?.() ?? "", cwd: ctx.cwd ?? process.cwd() })
  const tool = (event, ctx) => ({
    ...base(ctx), tool_name: tools[event.toolName] ?? event.toolName, tool_use_id: event.toolCallId, tool_input: input(event.toolName, event.input),
  })
  pi.on("session_start", async (event, ctx) => {
    if (event.reason === "reload") return
    const source = event.reason === "resume" || event.reason === "fork" ? event.reason : "startup"
    first = context(call("session-start", "SessionStart", { ...base(ctx), source }))
  })
  pi.on("before_agent_start", async (event, ctx) => {
    if (event.messageType === "custom") return
    const text = [first, context(call("user-prompt-submit", "UserPromptSubmit", { ...base(ctx), prompt: event.prompt ?? "" }))].filter(Boolean).join("\n\n")
    first = ""
    if (text) return { message: { customType: "ken", content: text, display: false } }
  })
  pi.on("tool_call", async (event, ctx) => {
    const verdict = call("pre-tool-use", "PreToolUse", tool(event, ctx)).hookSpecificOutput
    if (verdict?.permissionDecision === "deny") return { block: true, reason: verdict.permissionDecisionReason }
  })
  pi.on("tool_result", async (event, ctx) => {
    const output = (event.content ?? []).map((c) => c.text ?? "").join("\n")
    const text = event.isError
      ? context(call("post-tool-use-failure", "PostToolUseFailure", { ...tool(event, ctx), error: output }))
      : context(call("post-tool-use", "PostToolUse", { ...tool(event, ctx), tool_response: { output } }))
    if (text) return { content: [...(event.content ?? []), { type: "text", text }] }
  })
  pi.on("session_compact", async (event, ctx) => {
    first = context(call("session-start", "SessionStart", { ...base(ctx), source: "compact" }))
  })
  pi.on("agent_end", async (event, ctx) => {
    call("stop-async", "Stop", base(ctx)) // files that commands changed are found; there is no answer to wait for
  })
  pi.on("session_shutdown", async (event, ctx) => {
    call("session-end", "SessionEnd", { ...base(ctx), reason: event.reason ?? "" })
  })
}
