export default function (amp) {
  const first = new Map() // what a session begins with, until its first prompt, by session
  const folder = () => {
    try {
      return amp.helpers.filePathFromURI(amp.system.workspaceRoot)
    } catch {
      return process.cwd() // there is no workspace
    }
  }
  const base = (event) => ({ session_id: event.thread?.id ?? "", cwd: folder() })
  const changed = (event) => {
    try {
      return (amp.helpers.filesModifiedByToolCall(event) ?? []).map((uri) => ({ path: amp.helpers.filePathFromURI(uri) }))
    } catch {
      return []
    }
  }
  amp.on("session.start", async (event) => {
    first.set(event.thread?.id, context(call("session-start", "SessionStart", { ...base(event), source: "startup" })))
  })
  amp.on("agent.start", async (event) => {
    const text = [first.get(event.thread?.id), context(call("user-prompt-submit", "UserPromptSubmit", { ...base(event), prompt: event.message ?? "" }))]
      .filter(Boolean)
      .join("\n\n")
    first.delete(event.thread?.id)
    if (text) return { message: { content: text } }
  })
  amp.on("tool.result", async (event) => {
    if (event.status === "cancelled") return
    const tool = { ...base(event), tool_name: event.tool, tool_use_id: event.toolUseID, tool_input: event.input ?? {} }
    if (event.status === "error") {
      call("post-tool-use-failure", "PostToolUseFailure", { ...tool, error: event.error ?? "" })
      return
    }
    const text = context(call("post-tool-use", "PostToolUse", { ...tool, file_changes: changed(event), tool_response: { output: event.output ?? "" } }))
    if (text && typeof event.output === "string") return { status: "done", output: `${event.output}\n${text}` }
  })
  amp.on("agent.end", async (event) => {
    call("stop-async", "Stop", base(event)) // files that commands changed are found; there is no answer to wait for
  })
}
