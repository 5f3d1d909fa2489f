import { afterAll, beforeAll, expect, it } from "vitest";
import { envelope, testConnector, type TestConnector } from "../../support/connector.ts";
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
  serverId = (await at.server(owner, { name: "Lobby" })).id;
});
afterAll(async () => {
  expect(at.defects).toEqual([]);
  await at.close();
});

const canAsk = { ...envelope, "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } };

/** A call of revision 2026-07-28 by a client that can ask, with whatever it sends beside the arguments. */
async function call(name: string, args: Json, sent: Json = {}, bearer = secret): Promise<Json> {
  const params = { name, arguments: args, _meta: canAsk, ...sent };
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name };
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
  return JSON.parse((await connector.raw(bearer, { headers, body })).body ?? "{}") as Json;
}

const begin = (minutes = 60): [string, Json] => [
  "start_maintenance",
  { server_id: serverId, duration_minutes: minutes },
];
const yes = { inputResponses: { consent: { action: "accept", content: {} } } };

async function stateOf(asked: [string, Json], bearer = secret): Promise<string> {
  const { result } = (await call(...asked, {}, bearer)) as { result: Json };
  expect(result).toMatchObject({
    resultType: "input_required",
    inputRequests: { consent: { method: "elicitation/create" } },
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "tickmark" } },
  });
  return String(result["requestState"]);
}

const outcome = ({ result, error }: Json): unknown =>
  error ? (error as Json)["code"] : ((result as Json)["resultType"] as string);

it("[OUR-MCP-63] goes on with the call once the same call comes with what was said", async () => {
  const requestState = await stateOf(begin());
  const { result } = await call(...begin(), { ...yes, requestState });
  expect(result).toMatchObject({ resultType: "complete", structuredContent: { in_progress: true } });
});

it("[OUR-MCP-63] an answer counts for no other arguments, tool or caller", async () => {
  const requestState = await stateOf(begin());
  const rule = "019a9f5e-1d00-7000-8000-000000000071";
  const other = (await at.token(await at.account())).secret;
  const outcomes = [
    await call(...begin(61), { ...yes, requestState }),
    await call("acknowledge_alert", { alert_id: rule }, { ...yes, requestState }),
    await call(...begin(), { ...yes, requestState }, other),
  ].map(outcome);
  expect(outcomes).toEqual([-32602, -32602, -32602]);
});

it("[OUR-MCP-63] refuses every state that was changed, and lets none of them through", async () => {
  const requestState = await stateOf(begin());
  let accepted = 0;
  for (let index = 0; index < 500; index += 1) {
    const place = index % requestState.length;
    const letter = requestState[place] === "A" ? "B" : "A";
    const changed = requestState.slice(0, place) + letter + requestState.slice(place + 1);
    if (outcome(await call(...begin(), { ...yes, requestState: changed })) !== -32602) accepted += 1;
  }
  for (const changed of [`${requestState}A`, requestState.slice(1), "", 7, null, {}, []])
    if (outcome(await call(...begin(), { ...yes, requestState: changed })) !== -32602) accepted += 1;
  console.log(`507 changed states, accepted ${accepted}`);
  expect(accepted).toBe(0);
});

it("[OUR-MCP-63] asks anew where an answer comes without having been asked for, or too late", async () => {
  expect(outcome(await call(...begin(), yes))).toBe("input_required");
  const requestState = await stateOf(begin());
  at.clock.advance(10 * 60_000 + 1);
  expect(outcome(await call(...begin(), { ...yes, requestState }))).toBe("input_required");
});

it("[OUR-MCP-63] refuses what is no answer, and leaves aside answers nobody asked for", async () => {
  const requestState = await stateOf(begin());
  const bad = [null, 7, "yes", []].map((inputResponses) => ({ inputResponses }));
  const noAnswer = [7, null, "accept", {}, { action: "agree" }, { action: "accept", content: "yes" }].map(
    (consent) => ({ inputResponses: { consent } }),
  );
  for (const sent of [...bad, ...noAnswer])
    expect(outcome(await call(...begin(), { ...sent, requestState })), JSON.stringify(sent)).toBe(-32602);
  const { inputResponses } = yes;
  const more = { inputResponses: { ...inputResponses, toString: 1, other: { action: "decline" } } };
  expect(outcome(await call(...begin(), { ...more, requestState }))).toBe("complete");
});

it("[OUR-MCP-63] asks nothing of a client that cannot ask, whatever it sends", async () => {
  for (const capabilities of [{}, { elicitation: { url: {} } }, { sampling: {} }]) {
    const _meta = { ...envelope, "io.modelcontextprotocol/clientCapabilities": capabilities };
    expect(outcome(await call(...begin(), { _meta, inputResponses: 7 }))).toBe("complete");
  }
});
