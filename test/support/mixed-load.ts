import { writeFileSync } from "node:fs";
import { request, type Agent } from "node:http";
import { join } from "node:path";
import { startSession } from "../../src/contract/call/person.ts";
import { systemSecrets } from "../../src/app/access/secrets.ts";
import { selectAccounts } from "../../src/store/access/accounts.ts";
import { openDatabase } from "../../src/store/engine/open-database.ts";
import type { Fleet } from "./fleet.ts";

/** One request of the mix. */
export interface MixedRequest {
  readonly kind: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The mix: of twenty requests 14 heartbeats, one read of a status and one of the overview, two pages, two calls of tools. */
export function mixedRequests({ token, servers }: Fleet, session: string): (turn: number) => MixedRequest {
  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
  const json = { "content-type": "application/json" };
  const call = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "list_servers", arguments: {} },
  });
  return (turn) => {
    // Of a number of servers that shares no factor with the mix, so that each is sent everything.
    const server = servers[(turn * 7) % servers.length];
    const place = turn % 20;
    if (server === undefined || place < 14) {
      const now = new Date().toISOString();
      const body = JSON.stringify({
        sent_at: now,
        plugin_version: "1.10.2",
        sample: { sampled_at: now, tps: 20 },
      });
      const headers = { ...json, ...bearer(server?.credential ?? "") };
      return { kind: "heartbeat", method: "POST", path: "/plugin/v1/heartbeat", headers, body };
    }
    if (place === 14)
      return {
        kind: "status",
        method: "GET",
        path: `/api/v1/servers/${server.id}/status`,
        headers: bearer(token),
      };
    if (place === 15)
      return { kind: "overview", method: "GET", path: "/api/v1/monitoring/overview", headers: bearer(token) };
    if (place < 18)
      return {
        kind: "page",
        method: "GET",
        path: place === 16 ? "/servers" : "/docs",
        headers: { cookie: `tickmark=${session}`, accept: "text/html" },
      };
    const headers = { ...json, ...bearer(token), accept: "application/json, text/event-stream" };
    return { kind: "tool", method: "POST", path: "/mcp", headers, body: call };
  };
}

/** Sends it; resolves with null where the answer is a success, and else with its status or why there was none. */
export const sendRequest = (
  agent: Agent,
  port: number,
  { method, path, headers, body }: MixedRequest,
): Promise<string | null> =>
  new Promise((resolve) => {
    const outgoing = request({ host: "127.0.0.1", port, method, path, agent, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve((answer.statusCode ?? 0) < 300 ? null : String(answer.statusCode)));
      answer.on("error", (error) => resolve(`broken off: ${error.message}`));
    });
    outgoing.setTimeout(20_000, () => outgoing.destroy(new Error("no answer in 20 s")));
    outgoing.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    outgoing.end(body);
  });

/** The secret of a browser that is signed in to the one account of that database. */
export async function signedInSession(databaseUrl: string): Promise<string> {
  const db = await openDatabase(databaseUrl, () => {});
  try {
    const [account] = await db.read(selectAccounts);
    if (!account) throw new Error("The fleet has an account.");
    const { secret } = await startSession({ db, secrets: systemSecrets() }, account, "tests", Date.now());
    return secret;
  } finally {
    await db.close();
  }
}

/** Writes limits of a plan that no load reaches into that folder; the path for `TICKMARK_PLANS`. */
export function manyCalls(folder: string): string {
  const file = join(folder, "plans.json");
  writeFileSync(
    file,
    JSON.stringify({ enterprise: { daily_calls: 1e9, hourly_calls: 1e9, monitored_servers: 1e6 } }),
  );
  return file;
}
