import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toolsets } from "../../../src/mcp/catalogue/toolset.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { clients, type Entry } from "./client-configs.ts";

const guide = readFileSync("resources/guides/clients.md", "utf8");
const main = resolve("dist/main.js");
/** Where the service listens by default. */
const usual = "http://127.0.0.1:8080";

let service: TestService;
let token: string;
let serverId: string;
/** A folder of the path in which `tickmark` lies as npm puts it there. */
const path = mkdtempSync(join(tmpdir(), "tickmark-bin-"));

beforeAll(async () => {
  if (!existsSync(main)) throw new Error(`${main} is missing: npm run build makes it.`);
  // As npm does for what a package calls its bin.
  chmodSync(main, 0o755);
  symlinkSync(main, join(path, "tickmark"));
  service = await startTestService();
  const owner = await service.account("pro");
  token = await service.token(owner);
  serverId = (await service.server(owner, { name: "Lobby", port: 25_565 })).id;
});
afterAll(async () => {
  await service.close();
  rmSync(path, { recursive: true });
  expect(service.defects).toEqual([]);
});

/** The blocks below a heading, as somebody copies them. */
function pasted(heading: string): { readonly language: string; readonly text: string }[] {
  const section = guide.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
    language,
    text,
  }));
}

/** The entry, with the service of this test in the place of the usual one. */
const here = (address: string): string => {
  expect(address.startsWith(usual), address).toBe(true);
  return address.replace(usual, service.service.baseUrl);
};

function transportOf(entry: Entry) {
  if ("url" in entry)
    return new StreamableHTTPClientTransport(new URL(here(entry.url)), {
      requestInit: { headers: { ...entry.headers } },
    });
  const { TICKMARK_URL: url = "", ...env } = entry.env;
  return new StdioClientTransport({
    command: entry.command,
    args: [...entry.args],
    env: { PATH: `${path}:${process.env["PATH"]}`, ...env, TICKMARK_URL: here(url) },
  });
}

const made = new Map<string, Promise<unknown>>();

/** What somebody's assistant does first; clients that came to the same entry are one assistant. */
function firstCall(entry: Entry): Promise<unknown> {
  const key = JSON.stringify(
    "url" in entry ? entry : [entry.command, entry.args, Object.entries(entry.env).toSorted()],
  );
  const answer = made.get(key) ?? calledFirst(entry);
  made.set(key, answer);
  return answer;
}

async function calledFirst(entry: Entry): Promise<unknown> {
  const client = new Client({ name: "a test", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(transportOf(entry));
  try {
    return (await client.callTool({ name: "list_servers", arguments: {} })).structuredContent;
  } finally {
    await client.close();
  }
}

it("[OUR-MCP-33] the guide names every client once, and no other", () => {
  const headings = [...guide.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(Object.keys(clients));
});

describe.each(Object.entries(clients))("%s", (heading, { language, reads, ways }) => {
  it(`[OUR-MCP-33] connects over ${ways.join(" and ")} with what the guide says to paste`, async () => {
    const blocks = pasted(heading);
    expect(blocks.map((block) => block.language)).toEqual(ways.map(() => language));
    const entries = blocks.map(({ text }) => reads(text, token));
    expect(entries.map((entry) => ("url" in entry ? "HTTP" : "stdio"))).toEqual(ways);
    for (const entry of entries) expect(await firstCall(entry)).toMatchObject({ data: [{ id: serverId }] });
  });
});

it("[OUR-MCP-33] the README's line is the guide's", () => {
  const [line] = pasted("Claude Code");
  expect(readFileSync("README.md", "utf8")).toContain(line?.text);
});

it("[OUR-MCP-33] mcp.json connects as it stands, and has one entry, so that no tool is there twice", async () => {
  const { mcpServers } = JSON.parse(readFileSync("mcp.json", "utf8")) as {
    mcpServers: Record<string, Record<string, unknown>>;
  };
  expect(Object.keys(mcpServers)).toEqual(["tickmark"]);
  for (const { type: _type, ...entry } of Object.values(mcpServers)) {
    const filled = JSON.parse(JSON.stringify(entry).replaceAll("${TICKMARK_TOKEN}", token)) as Entry;
    expect(await firstCall(filled)).toMatchObject({ data: [{ id: serverId }] });
  }
});

it("[OUR-MCP-33] narrows as the guide says, over both", async () => {
  expect(guide.match(/The toolsets are ([^.]+)\./)?.[1]?.replaceAll(/\s+/g, " ")).toBe(
    `${toolsets.slice(0, -1).join(", ")} and ${toolsets.at(-1)}`,
  );
  const queries = [...guide.matchAll(/`\/mcp(\?[^`]+)`/g)].map(([, query = ""]) => query);
  const options = [...guide.matchAll(/`tickmark mcp ([^`]+)`/g)].map(([, option = ""]) => option);
  expect(queries).toHaveLength(options.length);
  const env = { TICKMARK_URL: usual, TICKMARK_TOKEN: token };
  const narrowed: string[][] = [];
  for (const [at, query] of queries.entries()) {
    const http = { url: `${usual}/mcp${query}`, headers: { Authorization: `Bearer ${token}` } };
    const stdio = { command: "tickmark", args: ["mcp", ...(options[at] ?? "").split(" ")], env };
    const [overHttp = [], overStdio = []] = [await listed(http), await listed(stdio)];
    expect(overStdio).toEqual(overHttp);
    narrowed.push(overHttp);
  }
  const [sets = [], single, without = [], essentials = [], server = [], unasked = []] = narrowed;
  expect(sets).toContain("list_alerts");
  expect(sets).not.toContain("start_maintenance");
  expect(sets).not.toContain("list_reports");
  expect(single).toEqual(["get_server_status", "list_alerts"]);
  expect(without).toContain("list_servers");
  expect(without).not.toContain("update_server");
  expect(essentials).toContain("diagnose_fleet");
  expect(essentials).toHaveLength(11);
  expect(server).toContain("get_server_status");
  expect(server).not.toContain("list_servers");
  expect(unasked).toContain("start_maintenance");
});

async function listed(entry: Entry): Promise<string[]> {
  const client = new Client({ name: "a test", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(transportOf(entry));
  try {
    return (await client.listTools()).tools.map(({ name }) => name);
  } finally {
    await client.close();
  }
}
