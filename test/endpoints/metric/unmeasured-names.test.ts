import { afterAll, beforeAll, expect, it } from "vitest";
import { unknownFieldHint } from "../../../src/core/metric/unmeasured.ts";
import { createAlertRule } from "../../../src/endpoints/api/alert/create-alert-rule.ts";
import { getServerMetrics } from "../../../src/endpoints/api/metric/get-server-metrics.ts";
import getServerMetricsTool from "../../../tools/get-server-metrics.ts";
import { facesOf, type Faces } from "../../support/faces.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";

let test: TestApp;
let faces: Faces;
let secret: string;
let server_id: string;

beforeAll(async () => {
  test = testApp({ plans: roomy });
  faces = facesOf(test.app);
  const owner = await test.account("pro");
  secret = (await test.token(owner)).secret;
  server_id = (await test.server(owner)).id;
});

afterAll(async () => {
  expect(test.defects).toEqual([]);
  await faces.http.close();
  await test.close();
});

it("[OUR-MET-130] a name that is not measured is answered with what comes nearest", () => {
  const known = ["tps", "mspt", "cpu_system", "worst_tick_ms", "ram_used_mb"];
  const onDisk = (name: string) => unknownFieldHint(name, ["disk_free_mb", "largest_world_mb"], []);
  expect(onDisk("disk_usage")).toBe("Tickmark does not measure disk_usage; disk_free_mb comes nearest.");
  expect(onDisk("world_size")).toBe("Tickmark does not measure world_size; largest_world_mb comes nearest.");
  const hint = (name: string) => unknownFieldHint(name, known, [...known, "rss_mb"]);
  expect(hint("steal_percent")).toBe("Tickmark does not measure steal_percent; cpu_system comes nearest.");
  expect(hint("disk_io")).toBe("Tickmark does not measure disk_io; worst_tick_ms comes nearest.");
  expect(hint("join_lag")).toBe("Tickmark does not measure join_lag; worst_tick_ms comes nearest.");
  expect(hint("swap_mb")).toBe("Tickmark does not measure swap_mb.");
  expect(hint("MSPT")).toBe("The name is mspt.");
  expect(hint("msptt")).toBe("The nearest name is mspt.");
  // It is measured, but not among the known ones.
  expect(hint("rss_mb")).toBeNull();
  expect(hint("quite_another_thing")).toBeNull();
});

it("[OUR-MET-130] REST and the connector say so, for series and for rules", async () => {
  const fields = ["tps", "steal"];
  const words = "Tickmark does not measure steal; cpu_system comes nearest.";
  const rest = await faces.rest(getServerMetrics, { server_id, fields }, secret);
  expect(rest).toMatchObject({ status: 400, body: { error: "validation_error", field: "fields" } });
  expect(rest.body["message"]).toContain(words);
  expect((await faces.tool(getServerMetricsTool, { server_id, fields }, secret)).text["message"]).toContain(
    words,
  );
  const rule = { server_id, name: "Slow", metric: "mspt_avg", condition: "above", threshold: 50 };
  const { body } = await faces.rest(createAlertRule, rule, secret);
  expect(body["message"]).toMatch(/^metric takes one of tps, .*\. The nearest name is mspt\.$/);
  // Text that is no name is not repeated.
  const hostile = await faces.rest(getServerMetrics, { server_id, fields: ["<b>steal"] }, secret);
  expect(hostile.body["message"]).not.toContain("steal");
});
