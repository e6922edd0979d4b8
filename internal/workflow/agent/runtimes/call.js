// ken calls itself for the events of a session. Whatever goes wrong here is no reason to stop an agent.
import { spawnSync } from "node:child_process"

const ken = "KEN"
const runtime = "RUNTIME"

function call(kind, event, fields) {
  try {
    const out = spawnSync(ken, ["hook", runtime, kind], {
      input: JSON.stringify({ hook_event_name: event, ...fields }), timeout: 10000, encoding: "utf8", windowsHide: true,
    })
    return out.stdout ? JSON.parse(out.stdout) : {}
  } catch {
    return {}
  }
}

function context(reply) {
  return reply.hookSpecificOutput?.additionalContext ?? ""
}
