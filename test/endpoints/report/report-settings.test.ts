import { afterAll, beforeAll, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { saveReportLabel } from "../../../src/store/report/report-names.ts";
import { getReport } from "../../../src/endpoints/api/report/get-report.ts";
import { listReports } from "../../../src/endpoints/api/report/list-reports.ts";
import getReportTool from "../../../tools/get-report.ts";
import { facesOf, type Faces } from "../../support/faces.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";

let test: TestApp;
let faces: Faces;
let owner: Account;
let secret: string;
let stranger: string;
let id: string;

const jvm = {
  heap_max_mb: 10_240,
  heap_initial_mb: 4096,
  flags: ["-Xmx10G", "-Ddatabase.password=secret", "-XX:+UseG1GC", "-javaagent:/home/me/agent.jar"],
};
const config = { view_distance: 10, hopper_check_ticks: "default", sync_chunk_writes: false };

beforeAll(async () => {
  test = testApp({ plans: roomy });
  faces = facesOf(test.app);
  owner = await test.account("pro");
  secret = (await test.token(owner)).secret;
  stranger = (await test.token(await test.account("pro"))).secret;
  const server = await test.server(owner, { name: "Lobby" });
  ({ id } = await test.report(server, { jvm, config }, "public"));
  await test.app.db.write(saveReportLabel, id, "after the update");
});

afterAll(async () => {
  expect(test.defects).toEqual([]);
  await faces.http.close();
  await test.close();
});

it("[OUR-REP-131] the detail has the settings of the run as they were sent", async () => {
  const { body } = await faces.rest(getReport, { report_id: id }, secret);
  expect(body["settings"]).toEqual({
    heap_max_mb: 10_240,
    heap_initial_mb: 4096,
    jvm_flags: jvm.flags,
    server_settings: expect.arrayContaining([
      { setting: "view_distance", value: 10 },
      { setting: "sync_chunk_writes", value: false },
      { setting: "hopper_check_ticks", value: "default" },
    ]),
  });
  const { text } = await faces.tool(getReportTool, { report_id: id }, secret);
  expect(text["settings"]).toEqual(body["settings"]);
});

it("[OUR-REP-131] others see only the names of JVM options that may hold something private", async () => {
  for (const viewer of [stranger, null]) {
    const { body } = await faces.rest(getReport, { report_id: id }, viewer);
    expect(body["settings"]).toMatchObject({
      heap_max_mb: 10_240,
      jvm_flags: ["-Xmx10G", "-Ddatabase.password", "-XX:+UseG1GC", "-javaagent"],
    });
  }
});

it("[OUR-REP-130] a label is shown to its author alone, in lists and in the detail", async () => {
  for (const [viewer, label] of [
    [secret, "after the update"],
    [stranger, null],
    [null, null],
  ] as const) {
    expect((await faces.rest(getReport, { report_id: id }, viewer)).body["label"]).toBe(label);
    const { body } = await faces.rest(listReports, {}, viewer);
    expect((body["data"] as { label: unknown }[]).map((row) => row.label)).toEqual([label]);
  }
});
