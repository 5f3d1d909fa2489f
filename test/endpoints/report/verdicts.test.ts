import { addReport } from "../../../src/services/report/add-report.ts";
import { changeReport } from "../../../src/services/report/change-report.ts";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { ReportPayload } from "../../../src/core/report/payload.ts";
import { reportContent } from "../../../src/core/report/detail.ts";
import { scoreReport } from "../../../src/core/report/scoring.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import { getReport } from "../../../src/endpoints/api/report/get-report.ts";
import { judgeBeforeAfter } from "../../../src/endpoints/api/report/judge-before-after.ts";
import { getRegressionVerdict } from "../../../src/endpoints/api/server/get-regression-verdict.ts";
import { httpServer } from "../../../src/rest/http-server.ts";
import { mountEndpoints } from "../../../src/rest/routes.ts";
import regressionResource from "../../../resources/server-regression.ts";
import regressionTool from "../../../tools/get-regression-verdict.ts";
import beforeAfterTool from "../../../tools/judge-before-after.ts";
import { roomy, testApp, testEpoch, type TestApp } from "../../support/test-app.ts";
import { referencePayload, type Json } from "../../support/payload.ts";

const hour = 60 * 60 * 1000;
const day = 24 * hour;

let test: TestApp;
let http: FastifyInstance;
let owner: Account;
let server: ServerRecord;
let secret: string;

beforeAll(async () => {
  test = testApp({ plans: roomy });
  http = httpServer(test.app, []);
  const endpoints = [getReport, judgeBeforeAfter, getRegressionVerdict];
  mountEndpoints(http, { prefix: "/api/v1", endpoints }, test.app);
  owner = await test.account("pro");
  secret = (await test.token(owner)).secret;
  server = await test.server(owner);
});

afterAll(async () => {
  expect(test.defects).toEqual([]);
  await http.close();
  await test.close();
});

async function get(path: string, token: string | null = secret): Promise<{ status: number; body: Json }> {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const answer = await http.inject({ method: "GET", url: `/api/v1${path}`, headers });
  return { status: answer.statusCode, body: answer.json<Json>() };
}

let serial = 0;

/** A report of the server whose entities score as many thousandths of the reference's. */
async function report(
  finishedAt: number,
  { speed = 1, source = "manual" as "manual" | "auto_bench", of = server, overrides = {} as Json } = {},
) {
  serial += 1;
  const tests = {
    entities_ai: { metrics: { entity_ticks_per_ms: 60 * speed } },
    entities_items: { metrics: { entity_ticks_per_ms: 400 * speed } },
  };
  const upload = referencePayload({ local_id: `verdict-${serial}`, source, ...overrides }, tests);
  const payload = ReportPayload.parse(upload);
  const now = test.clock.now;
  const content = reportContent(payload, scoreReport(payload));
  return test.app.db.write(addReport, {
    id: test.app.secrets.newId(now),
    shortId: test.app.secrets.newShortId(),
    localId: payload.local_id,
    serverId: of.id,
    authorId: of.accountId,
    source,
    createdAt: now,
    finishedAt,
    expiresAt: null,
    description: null,
    content,
    payload: JSON.stringify(upload),
  });
}

async function reports(
  speeds: readonly number[],
  firstAt: number,
): Promise<{ id: string; shortId: string }[]> {
  const made = [];
  for (const [index, speed] of speeds.entries()) made.push(await report(firstAt + index * hour, { speed }));
  return made;
}

const query = (before: readonly string[], after: readonly string[], target = "entities"): string =>
  `/reports/before-after?before=${before.join()}&after=${after.join()}&target=${target}`;

const field = async (path: string): Promise<unknown> => {
  const { status, body } = await get(path);
  return status === 400 && body["error"] === "validation_error" ? body["field"] : `${status}`;
};

describe("before and after", () => {
  let before: { id: string; shortId: string }[];
  let after: { id: string; shortId: string }[];
  let sides: [string[], string[]];

  beforeAll(async () => {
    before = await reports([1, 1.01, 0.995], testEpoch - 2 * day);
    after = await reports([1.2, 1.21, 1.19], testEpoch - day);
    sides = [before.map(({ id }) => id), after.map(({ shortId }) => shortId)];
  });

  it("[BEF-01] [BEF-02] judges three reports a side, by full or short id, in any order", async () => {
    const { status, body } = await get(query(...sides));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      verdict: "improved",
      before: { report_ids: sides[0], count: 3, median: 1000 },
      after: { report_ids: after.map(({ id }) => id), count: 3, median: 1200 },
      effect: { shift_percent: 19.8, p_two_sided: 0.1 },
    });
    expect((await get(query(sides[0].toReversed(), sides[1].toReversed()))).body).toEqual(body);
    expect((await get(query(sides[1], sides[0]))).body).toMatchObject({
      verdict: "inconclusive",
      refusals: [{ code: "order_inconsistent" }],
    });
  });

  it("[BEF-01] [OUR-BEF-16] without a token it judges what is public, and the server stays unknown", async () => {
    expect((await get(query(...sides), null)).status).toBe(404);
    for (const { id } of [...before, ...after])
      await test.app.db.write(changeReport, id, { visibility: "unlisted" });
    const { status, body } = await get(query(...sides), null);
    expect(status).toBe(200);
    expect(body).toMatchObject({ verdict: "improved" });
    expect(JSON.stringify(body["caveats"])).toContain("server_unknown");
    expect(JSON.stringify((await get(query(...sides))).body["caveats"])).not.toContain("server_unknown");
  });

  it("[OUR-BEF-01] takes 1 to 10 reports a side, each once", async () => {
    const [first = "", second = "", third = ""] = sides[0];
    expect(await field(query([first, first], sides[1]))).toBe("before");
    expect(await field(query(sides[0], [...sides[1], third]))).toBe("after");
    expect(await field(query([first, before[0]?.shortId ?? ""], sides[1]))).toBe("before");
    expect(
      await field(
        query(
          Array.from({ length: 11 }, () => second),
          sides[1],
        ),
      ),
    ).toBe("before");
    expect(await field("/reports/before-after?after=x&target=total")).toBe("before");
    expect((await get(query([first], sides[1]))).body).toMatchObject({
      refusals: [{ code: "too_few_runs" }],
    });
  });

  it("[OUR-BEF-01] a report that the caller cannot see, or that does not exist, is 404", async () => {
    const stranger = (await test.token(await test.account())).secret;
    const hidden = (await report(testEpoch)).id;
    for (const id of ["nonsense", "01935f2e-8c00-7000-8000-00000000ffff", "%00", ""])
      expect((await get(query([...sides[0].slice(1), id], sides[1]))).body["error"]).toBe("not_found");
    expect((await get(query([...sides[0].slice(1), hidden], sides[1]), stranger)).status).toBe(404);
  });

  it("[OUR-BEF-02] [OUR-BEF-03] an unknown target or declared field is refused by name", async () => {
    expect(await field(query(...sides, "speed"))).toBe("target");
    expect(await field(`${query(...sides)}&declared=java`)).toBe("declared");
    expect(await field(`${query(...sides)}&declared=${"java_version,".repeat(10)}java_version`)).toBe(
      "declared",
    );
    const { body } = await get(`${query(...sides)}&declared=mod_count,config.view_distance`);
    expect(body["declared"]).toEqual(["mod_count", "config.view_distance"]);
  });

  it("[OUR-BEF-04] a test that failed, or ran in part, makes its run unreliable", async () => {
    const part = { witnesses: [{ key: "entities_alive_mid_run", expected: 800, actual: 700, unit: null }] };
    const upload = referencePayload({}, { entities_ai: part });
    const bad = await report(testEpoch - day, { speed: 1.2, overrides: { tests: upload["tests"] } });
    const { body } = await get(query(sides[0], [...sides[1].slice(1), bad.id]));
    expect(body["refusals"]).toMatchObject([{ code: "unreliable_run", field: "entities_ai" }]);
  });

  it("[BEF-01] a report is never taken for the path's last word", async () => {
    expect((await get("/reports/before-after")).body).toMatchObject({ error: "validation_error" });
  });
});

describe("regression", () => {
  async function verifiedServer(): Promise<ServerRecord> {
    const made = await test.server(owner);
    await test.verify(made);
    return made;
  }

  const verdictOf = (of: ServerRecord, token = secret) => get(`/servers/${of.id}/regression`, token);

  it("[SRV-08] [SRV-23] [SRV-24] judges the scheduled runs of the server, however many", async () => {
    const of = await verifiedServer();
    expect((await verdictOf(of)).body).toMatchObject({
      server_id: of.id,
      verdict: "undecidable",
      reason: "no_runs",
      runs: { total: 0 },
    });
    const speeds = [...Array.from({ length: 20 }, () => 1), 0.5, 0.51, 0.5, 0.5];
    for (const [index, speed] of speeds.entries())
      await report(testEpoch - (speeds.length - 1 - index) * day, { speed, of, source: "auto_bench" });
    await report(testEpoch, { speed: 0.2, of });
    const first = await report(testEpoch - 3 * day - hour, { speed: 0.5, of, source: "auto_bench" });
    const { status, body } = await verdictOf(of);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      verdict: "regression",
      reason: null,
      runs: { total: 25, comparable: 25, points: 24, excluded: [] },
      baseline: { points: 20 },
      since: "2026-11-17T00:00:00.000Z",
      first_report_id: first.id,
      other_metrics: [{ key: "entities" }, { key: "gameplay" }],
    });
  });

  it("[OUR-REG-01] a run with a failed or doubtful test is left out, and counted", async () => {
    const of = await verifiedServer();
    const failed = referencePayload({}, { entities_ai: { outcome: "failure", success: false } });
    const doubtful = referencePayload(
      {},
      { entities_ai: { witnesses: [{ key: "alive", expected: 100, actual: 40, unit: null }] } },
    );
    for (const { tests } of [failed, doubtful] as { tests: unknown }[])
      await report(testEpoch, { of, source: "auto_bench", overrides: { tests } });
    expect((await verdictOf(of)).body["runs"]).toEqual({
      total: 2,
      comparable: 0,
      points: 0,
      excluded: [
        { reason: "unreliable", count: 1 },
        { reason: "failed_run", count: 1 },
      ],
    });
  });

  it("[SRV-25] [ERR-21] an unverified server has no verdict", async () => {
    const { status, body } = await verdictOf(server);
    expect([status, body["error"]]).toEqual([409, "server_not_verified"]);
  });

  it("[SRV-23] an admin may ask for any server; for others it does not exist", async () => {
    const of = await verifiedServer();
    const admin = (await test.token(await test.account("pro", "admin"))).secret;
    const stranger = (await test.token(await test.account())).secret;
    expect((await verdictOf(of, admin)).body["server_id"]).toBe(of.id);
    expect((await verdictOf(of, stranger)).body["error"]).toBe("not_found");
    // 404 comes before 409.
    expect((await verdictOf(server, stranger)).status).toBe(404);
    expect((await get(`/servers/${of.id}/regression`, null)).status).toBe(401);
  });
});

describe("to a model", () => {
  it("[OUR-BEF-16] [OUR-REG-12] what plugins reported is marked as text of others", () => {
    expect(beforeAfterTool.view.thirdParty.paths).toEqual([
      "refusals[].before",
      "refusals[].after",
      "differences[].before",
      "differences[].after",
    ]);
    expect(regressionTool.view.thirdParty.paths).toEqual([
      ...["plugin_version", "server_type", "game_version", "cpu_name", "disk_type"].map(
        (name) => `group.${name}`,
      ),
      "context_changes[].before",
      "context_changes[].after",
    ]);
  });

  it("[SRV-08] the verdict is a resource of the server too", () => {
    expect(regressionResource.match("tickmark://servers/x/regression")).toEqual({ server_id: "x" });
  });

  it("[PAG-09] the examples have every declared field", () => {
    for (const { output, example, project, input } of [judgeBeforeAfter, getRegressionVerdict]) {
      expect(() => input.parse(example.input)).not.toThrow();
      expect(output.parse(example.output)).toEqual(project(example.output));
    }
  });
});
