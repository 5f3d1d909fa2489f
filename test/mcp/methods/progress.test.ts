import { afterAll, beforeAll, expect, it } from "vitest";
import { testConnector, type ReadAnswer, type TestConnector } from "../../support/connector.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";
import type { Json } from "../../support/payload.ts";

let at: TestApp;
let connector: TestConnector;
let secret: string;
let serverId: string;

beforeAll(async () => {
  at = testApp({ plans: roomy });
  connector = testConnector(at);
  const owner = await at.account();
  secret = (await at.token(owner)).secret;
  serverId = (await at.server(owner)).id;
});
afterAll(async () => {
  expect(at.defects).toEqual([]);
  await at.close();
});

/** A call of the chart, whose drawing is a second step. */
function charted(
  token: string,
  args: Json,
  accept = "application/json, text/event-stream",
): Promise<ReadAnswer> {
  const params = { name: "get_server_metrics", arguments: args, _meta: { progressToken: "p" } };
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
  return connector.raw(token, { body, headers: { accept } });
}

const events = ({ body }: ReadAnswer): Json[] =>
  [...(body ?? "").matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data) as Json);

it("[OUR-MCP-43] tells who follows a call each of its steps, and then its result", async () => {
  const answer = await charted(secret, { server_id: serverId, chart: true });
  const [first, second, last, ...more] = events(answer);
  const step = (progress: number) => ({
    method: "notifications/progress",
    params: { progressToken: "p", progress, total: 2 },
  });
  expect([first, second]).toMatchObject([step(1), step(2)]);
  expect(last).toMatchObject({ result: { content: [{ type: "text" }, { type: "image" }] } });
  expect(more).toEqual([]);
});

it("[OUR-MCP-43] tells nothing of a call of one step, and nothing to a client that reads no stream", async () => {
  expect(events(await charted(secret, { server_id: serverId }))).toHaveLength(1);
  const deaf = await charted(secret, { server_id: serverId, chart: true }, "application/json");
  expect(JSON.parse(deaf.body ?? "")).toHaveProperty("result");
});

it("[OUR-MCP-43] refuses a follower with the status of any other caller, before a stream begins", async () => {
  const { status, headers } = await charted("tkm_nobody", { server_id: serverId, chart: true });
  expect(status).toBe(401);
  expect(headers["www-authenticate"]).toContain("invalid_token");
  const missing = events(await charted(secret, { server_id: "nothing", chart: true }));
  expect(missing).toMatchObject([{ result: { isError: true } }]);
});
