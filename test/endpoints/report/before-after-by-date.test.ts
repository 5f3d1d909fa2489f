import { afterAll, beforeAll, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import { dayMs } from "../../../src/core/time.ts";
import { judgeBeforeAfter } from "../../../src/endpoints/api/report/judge-before-after.ts";
import { listReports } from "../../../src/endpoints/api/report/list-reports.ts";
import beforeAfterTool from "../../../tools/judge-before-after.ts";
import { facesOf, type Faces } from "../../support/faces.ts";
import type { Json } from "../../support/payload.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";

let test: TestApp;
let faces: Faces;
let owner: Account;
let server: ServerRecord;
let other: ServerRecord;
let secret: string;
/** One run a day from 20 November on, at 8 o'clock. */
const runs: string[] = [];
let elsewhere: string[];

beforeAll(async () => {
  test = testApp({ plans: roomy });
  faces = facesOf(test.app);
  owner = await test.account("pro");
  secret = (await test.token(owner)).secret;
  server = await test.server(owner, { name: "Lobby" });
  other = await test.server(owner, { name: "Skyblock" });
  for (let day = 0; day < 14; day += 1) {
    // The tenth run is of another mode, whose scores are on no scale with the others.
    const mode = day === 9 ? { benchmark_mode: "custom" } : {};
    runs.push((await test.report(server, mode)).id);
    test.clock.advance(dayMs);
  }
  elsewhere = [(await test.report(other)).id, (await test.report(other)).id];
});

afterAll(async () => {
  expect(test.defects).toEqual([]);
  await faces.http.close();
  await test.close();
});

const judged = (input: Json, as: string | null = secret) =>
  faces.rest(judgeBeforeAfter, { target: "total", ...input }, as);

const sidesOf = ({ body }: { body: Json }) =>
  [body["before"], body["after"]].map((side) => (side as { report_ids: string[] }).report_ids);

it("[OUR-BEF-130] two times choose five runs of a server next to each, of the mode of the first one after the change", async () => {
  const dates = { before_until: "2026-11-27T00:00:00Z", after_from: "2026-11-27T00:00:00Z" };
  const answer = await judged({ server_id: server.id, ...dates });
  expect(answer.status).toBe(200);
  expect(sidesOf(answer)).toEqual([
    runs.slice(2, 7),
    // The tenth is left out.
    [...runs.slice(7, 9), ...runs.slice(10, 13)],
  ]);
  const apart = { before_until: "2026-11-22T08:00:00Z", after_from: "2026-11-30T08:00:00Z" };
  expect(sidesOf(await judged({ server_id: server.id, ...apart }))).toEqual([
    runs.slice(0, 2),
    runs.slice(10, 14),
  ]);
  const late = { before_until: "2026-12-30T00:00:00Z", after_from: "2026-12-30T00:00:00Z" };
  const { body } = await judged({ server_id: server.id, ...late });
  expect(body).toMatchObject({
    verdict: "inconclusive",
    refusals: [{ code: "too_few_runs" }],
    before: { count: 5 },
    after: { count: 0 },
  });
});

it("[OUR-BEF-130] [OUR-MCP-72] the connector takes the server's name and dates", async () => {
  const { text } = await faces.tool(
    beforeAfterTool,
    { server_id: "lobby", before_until: "2026-11-27", after_from: "2026-11-27", target: "total" },
    secret,
  );
  expect(sidesOf({ body: text })[0]).toEqual(runs.slice(2, 7));
});

it("[OUR-BEF-130] takes the two lists or the two times, and only what is the server's", async () => {
  const [until, from] = ["2026-11-27T00:00:00Z", "2026-11-27T00:00:00Z"];
  const lists = { before: runs.slice(0, 3), after: runs.slice(3, 6) };
  for (const [input, field] of [
    [{}, "before"],
    [{ before: runs.slice(0, 3) }, "after"],
    [{ server_id: server.id }, "before"],
    [{ server_id: server.id, before_until: until }, "after_from"],
    [{ before_until: until, after_from: from }, "server_id"],
    [{ server_id: server.id, before_until: until, after_from: from, ...lists }, "before"],
    [{ server_id: server.id, before_until: from, after_from: "2026-11-26T00:00:00Z" }, "after_from"],
    [{ server_id: server.id, before_until: "2026-11-27", after_from: from }, "before_until"],
  ] as const)
    expect([input, await judged(input)]).toMatchObject([
      input,
      { status: 400, body: { error: "validation_error", field } },
    ]);
  expect((await judged({ ...lists, server_id: server.id })).status).toBe(200);
  expect((await judged({ before: lists.before, after: elsewhere, server_id: server.id })).status).toBe(404);
});

it("[OUR-BEF-130] [ACC-26] another account's server is 404, and without a token it is 401", async () => {
  const stranger = (await test.token(await test.account("pro"))).secret;
  const dates = { before_until: "2026-11-27T00:00:00Z", after_from: "2026-11-27T00:00:00Z" };
  expect((await judged({ server_id: server.id, ...dates }, stranger)).status).toBe(404);
  expect((await judged({ server_id: "no-such-id", ...dates })).body).toMatchObject({ field: "server_id" });
  expect((await judged({ server_id: server.id, ...dates }, null)).status).toBe(401);
});

it("[OUR-REP-130] a list says when each run ended", async () => {
  const { body } = await faces.rest(listReports, { server_id: other.id }, secret);
  expect((body["data"] as Json[]).map(({ ran_at }) => ran_at)).toEqual([
    "2026-12-04T08:00:00.000Z",
    "2026-12-04T08:00:00.000Z",
  ]);
});
