"""Lists and uses everything that a server offers: client.py stdio COMMAND ARG… | http URL TOKEN"""
import asyncio, json, os, sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

count, fails = 0, []


async def attempt(what, call):
    global count
    count += 1
    try:
        return await call
    except Exception as e:
        fails.append(f"{what}: {e}")


async def use(session):
    can = (await session.initialize()).capabilities
    await attempt("ping", session.send_ping())
    words = json.loads(os.environ["WORDS"])
    if can.tools:
        listing = await attempt("tools/list", session.list_tools())
        for tool in listing.tools:
            schema = getattr(tool, "input_schema", None) or tool.inputSchema
            args = {k: words.get(k, "x") for k in schema.get("required", [])}
            # call_tool checks the structured answer against the output schema.
            await attempt("tools/call " + tool.name, session.call_tool(tool.name, args))
    if can.resources:
        listing = await attempt("resources/list", session.list_resources())
        for r in listing.resources[:5]:
            await attempt(f"resources/read {r.uri}", session.read_resource(r.uri))
        await attempt("resources/templates/list", session.list_resource_templates())
        if can.resources.subscribe and listing.resources:
            await attempt("resources/subscribe", session.subscribe_resource(listing.resources[0].uri))
            await attempt("resources/unsubscribe", session.unsubscribe_resource(listing.resources[0].uri))
    if can.prompts:
        for p in (await attempt("prompts/list", session.list_prompts())).prompts:
            args = {a.name: "x" for a in p.arguments or []}
            await attempt("prompts/get " + p.name, session.get_prompt(p.name, args))


async def main():
    way, first, *rest = sys.argv[1:]
    if way == "stdio":
        params = StdioServerParameters(command=first, args=rest, env=dict(os.environ))
        async with stdio_client(params) as (r, w), ClientSession(r, w) as session:
            await use(session)
    else:
        http = create_mcp_http_client(headers={"Authorization": "Bearer " + rest[0]})
        async with http, streamable_http_client(first, http_client=http) as streams, ClientSession(*streams[:2]) as session:
            await use(session)
    print(json.dumps({"count": count, "fails": fails}))


asyncio.run(main())
