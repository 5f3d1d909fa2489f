import { addReport } from "../../../src/services/report/add-report.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { reportContent } from "../../../src/core/report/detail.ts";
import { scoreReport } from "../../../src/core/report/scoring.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import { compareReports } from "../../../src/endpoints/api/report/compare-reports.ts";
import { diagnoseReport } from "../../../src/endpoints/api/report/diagnose-report.ts";
import { getReport } from "../../../src/endpoints/api/report/get-report.ts";
import { getTuningAdvice } from "../../../src/endpoints/api/report/get-tuning-advice.ts";
import { judgeBeforeAfter } from "../../../src/endpoints/api/report/judge-before-after.ts";
import { getRegressionVerdict } from "../../../src/endpoints/api/server/get-regression-verdict.ts";
import diagnoseTool from "../../../tools/diagnose-report.ts";
import { roomy, testApp, testEpoch, type TestApp } from "../../support/test-app.ts";
import { facesOf, type Faces } from "../../support/faces.ts";
import { acceptedPayload, referencePayload } from "../../support/payload.ts";

const hour = 60 * 60 * 1000;
const day = 24 * hour;

let test: TestApp;
let faces: Faces;
let owner: Account;
let server: ServerRecord;
let secret: string;

beforeAll(async () => {
  test = testApp({ plans: roomy });
  faces = facesOf(test.app);
  owner = await test.account("pro");
  server = await test.server(owner);
  await test.verify(server);
  ({ secret } = await test.token(owner));
});

afterAll(async () => {
  expect(test.defects).toEqual([]);
  await faces.http.close();
  await test.close();
});

/** What a later version, or a hand in the database, may find stored as an upload. */
const unreadable = {
  "an older form": JSON.stringify(referencePayload({ schema: "service-benchmark-report/0" })),
  "a test that is none": JSON.stringify(referencePayload({ tests: [{ test_id: 7 }] })),
  "no object": "[]",
  "half a text": '{"schema":"service-benchmark-re',
  nothing: "",
};
const older = unreadable["an older form"];

const accepted = acceptedPayload();
const content = reportContent(accepted, scoreReport(accepted));
let serial = 0;

/** A scored report of the server whose upload is stored as this text. */
function report(payload: string, finishedAt = testEpoch, source: "manual" | "auto_bench" = "manual") {
  const { secrets, db } = test.app;
  const now = test.clock.now;
  serial += 1;
  return db.write(addReport, {
    id: secrets.newId(now),
    shortId: secrets.newShortId(),
    localId: `unreadable-${serial}`,
    serverId: server.id,
    authorId: owner.id,
    source,
    createdAt: now,
    finishedAt,
    expiresAt: null,
    description: null,
    content,
    payload,
  });
}

const readable = JSON.stringify(accepted);

describe("an upload that cannot be read any more", () => {
  it.each(Object.entries(unreadable))(
    "[OUR-DIA-19] %s is no diagnosis and no advice, and says so",
    async (_, text) => {
      const { id, shortId } = await report(text);
      for (const endpoint of [diagnoseReport, getTuningAdvice]) {
        const { status, body } = await faces.rest(endpoint, { report_id: shortId }, secret);
        expect([status, body["error"]]).toEqual([409, "invalid_state"]);
        expect(body["message"]).toContain("can no longer be read");
      }
      const told = await faces.tool(diagnoseTool, { report_id: id }, secret);
      expect([told.isError, told.text["error"]]).toEqual([true, "invalid_state"]);
    },
  );

  it("[OUR-DIA-19] [DIA-01] is nobody's affair who may not see the report", async () => {
    const { id } = await report(older);
    const stranger = (await test.token(await test.account())).secret;
    for (const endpoint of [diagnoseReport, getTuningAdvice])
      expect((await faces.rest(endpoint, { report_id: id }, stranger)).body["error"]).toBe("not_found");
  });

  it("[OUR-DIA-19] [REP-02] leaves the report and its scores as they are", async () => {
    const { id } = await report(older);
    const shown = await faces.rest(getReport, { report_id: id }, secret);
    expect(shown.body).toMatchObject({ id, scores: content.scores });
    const other = (await report(readable)).id;
    const { status, body } = await faces.rest(compareReports, { base: id, other }, secret);
    expect([status, body["comparable"]]).toEqual([200, true]);
  });

  it("[OUR-DIA-19] [BEF-02] is a run without scores before or after a change, which is refused", async () => {
    const texts = [readable, older, readable, readable, readable, readable];
    const ids: string[] = [];
    for (const [index, text] of texts.entries())
      ids.push((await report(text, testEpoch - day + index * hour)).id);
    const sides = { before: ids.slice(0, 3), after: ids.slice(3) };
    const { status, body } = await faces.rest(judgeBeforeAfter, { ...sides, target: "total" }, secret);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      verdict: "inconclusive",
      refusals: [{ code: "target_not_measured", field: null }],
      effect: null,
      before: { count: 3, median: content.scores.total },
      differences: [],
    });
  });

  it("[OUR-DIA-19] [OUR-REG-01] is a run without a total in the verdict on its server", async () => {
    for (let ago = 11; ago >= 0; ago -= 1) await report(readable, testEpoch - ago * day, "auto_bench");
    await report(older, testEpoch - hour, "auto_bench");
    await report("", testEpoch - 5 * day, "auto_bench");
    const { status, body } = await faces.rest(getRegressionVerdict, { server_id: server.id }, secret);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      verdict: "stable",
      runs: { total: 14, comparable: 12, points: 12, excluded: [{ reason: "missing_total", count: 2 }] },
    });
  });
});
