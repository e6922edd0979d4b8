// Lists and uses everything that a server offers: node client.mjs stdio COMMAND ARG… | http URL TOKEN
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [way, first, ...rest] = process.argv.slice(2);
const transport = way === "stdio"
  ? new StdioClientTransport({ command: first, args: rest, env: process.env, stderr: "ignore" })
  : new StreamableHTTPClientTransport(new URL(first), { requestInit: { headers: { Authorization: "Bearer " + rest[0] } } });
const client = new Client({ name: "sdk", version: "1" }, { capabilities: {} });
const fails = [];
let count = 0;
const attempt = async (what, f) => {
  count++;
  try { return await f(); } catch (e) { fails.push(`${what}: ${e.message}`); }
};
await client.connect(transport);
const can = client.getServerCapabilities();
await attempt("ping", () => client.ping());
if (can.tools) {
  const { tools } = await attempt("tools/list", () => client.listTools());
  const words = JSON.parse(process.env.WORDS);
  for (const t of tools) {
    const args = {};
    for (const [k, s] of Object.entries(t.inputSchema.properties ?? {})) {
      if ((t.inputSchema.required ?? []).includes(k)) args[k] = words[k] ?? (s.type === "array" ? ["x"] : s.type === "integer" ? 1 : s.enum?.[0] ?? "x");
    }
    // callTool checks the structured answer against the output schema.
    await attempt("tools/call " + t.name, () => client.callTool({ name: t.name, arguments: args }));
  }
}
if (can.resources) {
  const list = await attempt("resources/list", () => client.listResources());
  for (const r of (list?.resources ?? []).slice(0, 5)) await attempt("resources/read " + r.uri, () => client.readResource({ uri: r.uri }));
  await attempt("resources/templates/list", () => client.listResourceTemplates());
  if (can.resources.subscribe && list?.resources?.length) {
    const uri = list.resources[0].uri;
    await attempt("resources/subscribe", () => client.subscribeResource({ uri }));
    await attempt("resources/unsubscribe", () => client.unsubscribeResource({ uri }));
  }
}
if (can.prompts) {
  const list = await attempt("prompts/list", () => client.listPrompts());
  for (const p of list?.prompts ?? []) {
    const args = Object.fromEntries((p.arguments ?? []).map((a) => [a.name, "x"]));
    await attempt("prompts/get " + p.name, () => client.getPrompt({ name: p.name, arguments: args }));
    if (can.completions && p.arguments?.length)
      await attempt("completion/complete " + p.name, () => client.complete({ ref: { type: "ref/prompt", name: p.name }, argument: { name: p.arguments[0].name, value: "" } }));
  }
}
await client.close();
console.log(JSON.stringify({ count, fails, protocol: transport.protocolVersion ?? "" }));
