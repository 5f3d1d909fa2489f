import { afterAll, beforeAll, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { readHtml } from "../../support/html.ts";
import { referencePayload, type TestChanges } from "../../support/payload.ts";
import { startTestService, type Json, type LinkedServer, type TestService } from "../../support/service.ts";
import { signedIn, type Visitor } from "../../support/visitor.ts";

let service: TestService;
let author: Account;
let server: LinkedServer;
let own: Visitor;
beforeAll(async () => {
  service = await startTestService();
  author = await service.account();
  server = await service.server(author);
  own = await signedIn(service, author);
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const api = async (path: string): Promise<Json> =>
  (await service.request("GET", `/api/v1${path}`, { token: await service.token(author) })).json;

const textAt = async (path: string): Promise<string> =>
  readHtml((await own.get(path)).text).text.replaceAll(/\s+/g, " ");

const changed = (overrides: Json, tests: TestChanges = {}): Json => ({
  ...overrides,
  tests: referencePayload({}, tests)["tests"],
});

const busy = (): Json =>
  changed(
    { benchmark_mode: "custom", measured_by: "wall_time", host: { other_cpu_percent: 61.5 } },
    {
      disk_random_4k: {
        outcome: "skipped",
        success: false,
        reason_code: "machine_busy",
        metrics: { read_iops: 170.2 },
        witnesses: [{ key: "other_disk_percent", expected: 0, actual: 43.4, unit: "percent" }],
      },
    },
  );

const sentence =
  "The machine was busy, so the run has no scores. Not judged: Disk random 4k (other programs did 43.4 % of the disk's work).";

it("[OUR-BCH-99] [OUR-BCH-103] a disturbed run says so in the API and on its page, and its disk is not blamed", async () => {
  const { id } = await service.report(server, busy());
  expect((await api(`/reports/${id}`))["conditions"]).toEqual({
    measured_by: "wall_time",
    other_cpu_percent: 61.5,
    cpu_pressure_percent: null,
    busy_tests: [
      {
        test_id: "disk_random_4k",
        other_cpu_percent: null,
        other_disk_percent: 43.4,
        processor_slowed_percent: null,
      },
    ],
  });
  const { findings } = (await api(`/reports/${id}/diagnosis`)) as { findings: Json[] };
  expect(findings).toMatchObject([{ code: "measurement_unreliable", reason_code: "machine_busy" }]);
  const text = await textAt(`/reports/${id}`);
  expect(text).toContain(sentence);
  expect(text.indexOf(sentence)).toBeLessThan(text.indexOf("Sub-scores"));
  expect(text).toContain("Other work disturbed the test, so its figures are not judged");
  expect(text).toContain("reason: the machine was busy");
});

it("[OUR-BCH-103] a page says by how much the host slowed one core", async () => {
  const witnesses = [{ key: "processor_slowed_percent", expected: 0, actual: 15, unit: "percent" }];
  const result = { outcome: "skipped", success: false, reason_code: "machine_busy", witnesses };
  const slowed = changed({ local_id: "slowed", benchmark_mode: "custom" }, { cpu_single_core: result });
  expect(await textAt(`/reports/${(await service.report(server, slowed)).id}`)).toContain(
    "Not judged: CPU single core (the host made one core alone 15 % slower than each of all at once).",
  );
});

it("[OUR-BCH-100] [OUR-BCH-103] a comparison names the conditions of each side, and is blocked by how they were measured", async () => {
  const [disturbed, quiet, serving] = [
    await service.report(server, { ...busy(), local_id: "run-2" }),
    await service.report(server, { benchmark_mode: "custom", local_id: "run-3" }),
    await service.report(server, { benchmark_mode: "custom", local_id: "run-4", measured_by: "cpu_time" }),
  ];
  const beside = await textAt(`/reports/compare?base=${disturbed.id}&other=${quiet.id}`);
  expect(beside).toContain(sentence);
  expect(beside).toContain("Other work disturbed some tests, whose figures are not the machine's own.");
  const address = `/reports/compare?base=${quiet.id}&other=${serving.id}`;
  expect(await api(address)).toMatchObject({ comparable: false, blocked_by: "measured_by" });
  const blocked = await textAt(address);
  expect(blocked).toContain("Not comparable");
  expect(blocked).toContain("One run was measured by CPU time while the machine was in use");
  expect(await textAt(`/reports/${serving.id}`)).toContain(
    "Measured by CPU time while the machine was in use",
  );
});
