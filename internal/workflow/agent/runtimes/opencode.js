const tools = { write: "Write", edit: "Edit", apply_patch: "Edit", bash: "Bash", read: "Read", grep: "Grep", webfetch: "WebFetch", task: "Task" }
const names = { filePath: "file_path", oldString: "old_string", newString: "new_string", replaceAll: "replace_all" }

function input(args) {
  const given = {}
  for (const [key, value] of Object.entries(args ?? {})) given[names[key] ?? key] = value
  return given
}

// shown returns the text of a tool's result: the program's own tools have it in output, those of servers in parts.
function shown(o) {
  if (!Array.isArray(o.content)) return String(o.output ?? "")
  return o.content.map((p) => (p?.type === "text" ? p.text : "")).join("\n")
}

export default async ({ directory }) => {
  const prompted = new Set() // sessions with a prompt of the user: a title or a summary can have one of its own
  const first = new Map() // what a session begins with, by session
  const pending = new Map() // what the next request of a session is to have
  const children = new Set() // sessions of other agents' agents
  const idle = new Set() // sessions whose stop was reported
  const base = (id) => ({ session_id: id ?? "", cwd: directory })
  return {
    "chat.message": async (i, o) => {
      const id = i.sessionID
      if (!id || children.has(id)) return
      idle.delete(id)
      prompted.add(id)
      const prompt = (o.parts ?? []).map((p) => (p.type === "text" && !p.synthetic ? p.text : "")).join("\n")
      const text = context(call("user-prompt-submit", "UserPromptSubmit", { ...base(id), prompt }))
      if (text) pending.set(id, text)
    },
    "experimental.chat.system.transform": async (i, o) => {
      const id = i?.sessionID
      if (!prompted.has(id)) return
      if (!first.has(id)) first.set(id, context(call("session-start", "SessionStart", { ...base(id), source: "startup" })))
      for (const text of [first.get(id), pending.get(id)]) if (text) o.system.push(text)
    },
    "tool.execute.before": async (i, o) => {
      const reply = call("pre-tool-use", "PreToolUse", { ...base(i.sessionID), tool_name: tools[i.tool] ?? i.tool, tool_use_id: i.callID, tool_input: input(o.args) })
      const verdict = reply.hookSpecificOutput
      if (verdict?.permissionDecision === "deny") throw new Error(verdict.permissionDecisionReason)
    },
    "tool.execute.after": async (i, o) => {
      const text = context(
        call("post-tool-use", "PostToolUse", {
          ...base(i.sessionID), tool_name: tools[i.tool] ?? i.tool, tool_use_id: i.callID, tool_input: input(i.args), tool_response: { output: shown(o) },
        }),
      )
      if (!text) return
      if (Array.isArray(o.content)) o.content.push({ type: "text", text })
      else o.output = `${o.output ?? ""}\n${text}`
    },
    event: async ({ event }) => {
      const about = event.properties ?? {}
      if (event.type === "session.created" && about.info?.parentID) children.add(about.info.id)
      const id = about.sessionID
      if (event.type === "session.idle" && id && !children.has(id) && !idle.has(id)) {
        idle.add(id)
        call("stop-async", "Stop", base(id)) // files that commands changed are found; there is no answer to wait for
      }
      if (event.type === "session.compacted" && id) first.delete(id)
    },
  }
}
