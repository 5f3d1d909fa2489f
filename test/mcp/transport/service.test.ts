import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { envelope } from "../../support/connector.ts";
import { roomyPlans, startTestService, type Json, type TestService } from "../../support/service.ts";
import { hostVariants } from "./host-variants.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans });
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

it("[OUR-MCP-18] the running service tells its own Host and Origin from others in 20 variants", async () => {
  const token = await service.token(await service.account());
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: {} });
  const rest = [`Authorization: Bearer ${token}`, "Content-Type: application/json", "Connection: close"];
  const statusFor = async (rawHeaders: readonly string[]): Promise<number> => {
    const named = rawHeaders.flatMap((name, at) =>
      at % 2 === 0 ? `${name}: ${rawHeaders[at + 1] ?? ""}` : [],
    );
    const head = ["POST /mcp HTTP/1.1", ...named, ...rest, `Content-Length: ${body.length}`];
    const socket = connect(service.port, "127.0.0.1");
    await once(socket, "connect");
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
    return Number((await text(socket)).slice("HTTP/1.1 ".length, "HTTP/1.1 200".length));
  };
  const variants = hostVariants(`127.0.0.1:${service.port}`, String(service.port + 1));
  const wrong: string[] = [];
  for (const [name, rawHeaders, verdict] of variants) {
    const status = await statusFor(rawHeaders);
    // The parser itself turns away a request of HTTP/1.1 that names no host.
    const expected = name === "no host" ? 400 : { foreign: 403, duplicate: 400, own: 200 }[verdict ?? "own"];
    if (status !== expected) wrong.push(`${name}: ${status}`);
  }
  console.log(
    `${variants.length} Host and Origin variants at the running service, wrong answers ${wrong.length}`,
  );
  expect(variants).toHaveLength(20);
  expect(wrong).toEqual([]);
});

interface Party {
  readonly account: Account;
  readonly token: string;
  /** What no answer to another may hold. */
  readonly secrets: readonly string[];
  readonly serverId: string;
  readonly reportId: string;
}

async function party(canary: string): Promise<Party> {
  const account = await service.account();
  const server = await service.server(account, { name: canary });
  const report = await service.report(server);
  const secrets = [account.id, account.email, server.id, report.id, report.shortId, canary];
  return {
    account,
    token: await service.token(account),
    secrets,
    serverId: server.id,
    reportId: report.shortId,
  };
}

/** One request of either revision, now and then one that is followed by its progress. */
function asked({ token }: Party, index: number, [method, params]: readonly [string, Json]) {
  const modern = index % 2 === 0;
  const name = params["name"] ?? params["uri"];
  const meta = { ...(modern && envelope), ...(index % 5 === 0 && { progressToken: index }) };
  const headers: Record<string, string> = {
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": modern ? "2026-07-28" : "2025-11-25",
    ...(modern && { "mcp-method": method, ...(typeof name === "string" && { "mcp-name": name }) }),
  };
  // The same ids for everyone: an answer that is mixed up would look right to its client.
  const body = { jsonrpc: "2.0", id: index % 7, method, params: { ...params, _meta: meta } };
  return service.request("POST", "/mcp", { token, headers, body });
}

const tool = (name: string, args: Json = {}): readonly [string, Json] => [
  "tools/call",
  { name, arguments: args },
];

it("[OUR-MCP-22] two accounts with 1,000 interleaved calls each over HTTP never see one another's data", async () => {
  const parties = [await party("canary-of-one"), await party("canary-of-two")] as const;
  const calls = ({ serverId, reportId }: Party) => [
    tool("list_servers"),
    tool("get_token_info"),
    tool("get_server_status", { server_id: serverId }),
    tool("get_server_metrics", { server_id: serverId, chart: serverId.endsWith("0") }),
    tool("list_reports", { mine: true }),
    tool("get_report", { report_id: reportId }),
    tool("list_server_groups"),
    ["resources/read", { uri: `tickmark://servers/${serverId}/status` }] as const,
    ["completion/complete", completion] as const,
  ];
  const count = { answers: 0, foreign: 0, failed: 0 };
  const each = parties.flatMap((own, who) =>
    Array.from({ length: 1000 }, (_, index) => ({ own, other: parties[1 - who], index })),
  );
  // Theirs in turn: one of the first, one of the second.
  const queue = each.toSorted((one, two) => one.index - two.index);
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { own, other, index } = next;
      const list = calls(own);
      const { status, text: answer } = await asked(
        own,
        index,
        list[index % list.length] ?? tool("list_servers"),
      );
      count.answers += 1;
      if (status !== 200 || answer.includes('"isError":true') || answer.includes('"error":{'))
        count.failed += 1;
      if (!own.secrets.some((secret) => answer.includes(secret)) && index % list.length !== 6)
        count.failed += 1;
      if (other?.secrets.some((secret) => answer.includes(secret))) count.foreign += 1;
    }
  };
  // On a machine that stands still for a second, twenty that wait would be an overload, which refuses calls.
  await Promise.all(Array.from({ length: 16 }, worker));
  console.log(`${count.answers} interleaved calls over HTTP, foreign answers ${count.foreign}`);
  expect(count).toEqual({ answers: 2000, foreign: 0, failed: 0 });
});

const completion = {
  ref: { type: "ref/resource", uri: "tickmark://servers/{server_id}/status" },
  argument: { name: "server_id", value: "canary" },
};
