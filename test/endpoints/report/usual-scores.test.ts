import { afterEach, beforeEach, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { UsualScores } from "../../../src/core/report/usual-scores.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import { unusualWords } from "../../../src/dashboard/words/reports.ts";
import { getReport } from "../../../src/endpoints/api/report/get-report.ts";
import getReportTool from "../../../tools/get-report.ts";
import { facesOf, type Faces } from "../../support/faces.ts";
import { referencePayload, type Json } from "../../support/payload.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";

const hourMs = 3_600_000;
let test: TestApp;
let faces: Faces;
let owner: Account;
let server: ServerRecord;
let secret: string;

beforeEach(async () => {
  test = testApp({ plans: roomy });
  faces = facesOf(test.app);
  owner = await test.account("pro");
  server = await test.server(owner, { name: "Lobby" });
  await test.verify(server);
  secret = (await test.token(owner)).secret;
});

afterEach(async () => {
  expect(test.defects).toEqual([]);
  await faces.http.close();
  await test.close();
});

/** A run of an hour later, in which one core did this share of the work of the reference. */
async function run(share: number, changes: Json = {}): Promise<string> {
  test.clock.advance(hourMs);
  const { tests } = referencePayload({}, { cpu_single_core: { metrics: { ops_per_second: 1e6 * share } } });
  return (await test.report(server, { tests, ...changes }, "public")).id;
}

const usualOf = async (report_id: string, token: string | null = secret): Promise<UsualScores | null> =>
  (await faces.rest(getReport, { report_id }, token)).body["usual"] as UsualScores | null;

/** By how many percent one core was unusual; null if it was not, undefined without earlier runs. */
const singleCore = (usual: UsualScores | null): number | null | undefined =>
  usual?.unusual
    .map(({ score, difference_percent: by }) => (score === "single_core" ? by : null))
    .find(Boolean) ?? (usual === null ? undefined : null);

it("[OUR-REP-132] a score is compared with the median of the server's earlier runs, once there are three", async () => {
  for (const share of [1, 1.01, 0.99]) expect(await usualOf(await run(share))).toBeNull();
  const slow = await run(0.8);
  const usual = await usualOf(slow);
  expect(UsualScores.parse(usual)).toEqual(usual);
  expect(usual).toMatchObject({ reports: 3, from: "2026-11-20T09:00:00.000Z" });
  expect(singleCore(usual)).toBe(-20);
  expect(usual?.unusual).toContainEqual({ score: "single_core", usual: 1000, difference_percent: -20 });
  expect(usual?.unusual.map(({ score }) => score)).not.toContain("disk");
  const { text } = await faces.tool(getReportTool, { report_id: slow }, secret);
  expect(text["usual"]).toEqual(usual);
  expect(unusualWords(usual)).toContain("Single core 20 % below 1,000 (median of 3 earlier runs");
  const next = await usualOf(await run(0.95));
  expect(singleCore(next)).toBeNull();
  // The score of all hardware is made of it, and was as far from the usual in no run.
  expect(unusualWords(next)).toBeNull();
  // What came later is not known of an earlier run.
  expect(await usualOf(slow)).toEqual(usual);
});

it("[OUR-REP-132] runs of another machine, software or mode are another measurement", async () => {
  for (const share of [1, 1, 1]) await run(share);
  const { hardware, server: software } = referencePayload();
  for (const changes of [
    { hardware: { ...(hardware as Json), cpu_name: "Another processor" } },
    { hardware: { ...(hardware as Json), available_processors: 2 } },
    { server: { ...(software as Json), game_version: "1.20.1" } },
  ])
    expect(await usualOf(await run(0.8, changes))).toBeNull();
  expect(singleCore(await usualOf(await run(0.8)))).toBe(-20);
});

it("[OUR-REP-132] runs of more than 90 days ago count no more, and ten at most", async () => {
  for (let made = 0; made < 12; made += 1) await run(1);
  expect(await usualOf(await run(1))).toMatchObject({ reports: 10 });
  test.clock.advance(89 * 24 * hourMs);
  expect(await usualOf(await run(1))).not.toBeNull();
  test.clock.advance(89 * 24 * hourMs);
  // A token lives for 90 days.
  ({ secret } = await test.token(owner));
  expect(await usualOf(await run(1))).toBeNull();
});

it("[OUR-REP-132] nobody but the server's owner sees it, whoever may see the report", async () => {
  for (const share of [1, 1, 1]) await run(share);
  const slow = await run(0.8);
  const stranger = (await test.token(await test.account("pro"))).secret;
  for (const viewer of [stranger, null]) expect(await usualOf(slow, viewer)).toBeNull();
});
