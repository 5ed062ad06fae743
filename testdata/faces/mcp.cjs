// SPDX-License-Identifier: GPL-3.0-or-later
// Drives scripts/obit-mcp with the client of the Model Context Protocol from npm: mcp.cjs ERA PROGRAM FILE...
//   ERA is 2025-11-25, which begins with initialize, or 2026-07-28, in which each request stands for itself.
// Prints what is not as it should be; what the client does not take for the protocol ends it.
"use strict";
const path = require("path");
const from = require("module").createRequire(path.join(process.env.OBIT_NODE, "x"));
const [era, program, ...files] = process.argv.slice(2);
const { Client } = from("@modelcontextprotocol/client");
const { StdioClientTransport } = from("@modelcontextprotocol/client/stdio");

let wrong = 0;

function is(what, got, want) {
	if (JSON.stringify(got) === JSON.stringify(want))
		return;
	wrong++;
	console.log(`${what}: ${JSON.stringify(got)}, not ${JSON.stringify(want)}`);
}

function text(result) {
	return result.content.map((c) => c.text).join("");
}

async function main() {
	const mode = era === "2026-07-28" ? { pin: era } : "legacy";
	const client = new Client({ name: "obit's test", version: "1" }, { versionNegotiation: { mode } });
	await client.connect(new StdioClientTransport({ command: program, args: files, env: process.env }));
	is("version", client.getNegotiatedProtocolVersion(), era);
	is("who", client.getServerVersion().name, "obit");
	is("instructions", /data/.test(client.getInstructions()), true);

	const { tools } = await client.listTools();
	is("tools", tools.map((t) => [t.name, t.annotations.readOnlyHint]), [["triage", true], ["run", true], ["help", true]]);
	is("commands", [/^ps .*: /m.test(tools[1].description), tools[2].inputSchema.properties.command.enum.includes("bt")], [true, true]);

	const run = (line, options) => client.callTool({ name: "run", arguments: { line } }, options);
	const ps = await run("ps 1");
	is("ps", [JSON.parse(text(ps)).pid, ps.isError], [1, false]);
	const verdict = await client.callTool({ name: "triage", arguments: {} });
	is("triage", [JSON.parse(text(verdict).split("\n")[0]).record, verdict.isError], ["verdict", false]);
	const page = await client.callTool({ name: "help", arguments: { command: "trace show" } });
	is("help", text(page).slice(0, 17), "NAME\n  trace show");

	for (const [line, reason] of [["no_such_command", "not-found"], ["ps | cat", "usage"], ["! id", "usage"]]) {
		const refused = await run(line);
		is(line, [JSON.parse(text(refused)).reason, refused.isError], [reason, true]);
	}
	is("no line", (await run(3)).isError, true);
	is("no tool", await client.callTool({ name: "shell", arguments: {} }).catch((e) => e.code), -32602);
	const much = await run("ps;".repeat(1000));
	is("much", [text(much).length < 31000, /cut here/.test(text(much)), much.isError], [true, true, false]);

	// it would take hours, and what is asked behind it is answered when it was stopped
	const controller = new AbortController();
	const stopped = run("search -k 0xdeadbee1;".repeat(2000), { signal: controller.signal }).then(() => "answered", () => "stopped");
	setTimeout(() => controller.abort("enough"), 500);
	is("cancel", await stopped, "stopped");
	is("next", JSON.parse(text(await run("ps 1"))).pid, 1);
	await client.close();
	process.exit(wrong ? 1 : 0);
}

main().catch((e) => {
	console.log("failed:", e.code || "", e.message || e);
	process.exit(1);
});
