import { afterAll, beforeAll, expect, it } from "vitest";
import { findingCodes } from "../../src/core/health/health.ts";
import type { AccountName } from "../../src/demo/server-spec.ts";
import { serverSpecs } from "../../src/demo/fleet.ts";
import { askedDemo, type AskedDemo } from "../questions/asked-demo.ts";
import type { Json } from "../support/payload.ts";

/** What each monitored server shows beside `plugin_heavy`, which every profile of the demo has. */
const planted: Readonly<Record<string, readonly string[]>> = {
  "Evergreen Survival": [],
  "Evergreen Creative": ["alert_open", "nobody_told"],
  "Foundry SMP": ["tick_over_budget", "memory_growing", "slower_than_usual", "plugin_grew", "in_app_only"],
  "Worldgen Lab": ["tick_spikes"],
  "Old Mill": [],
  Archipelago: ["disk_nearly_full", "benchmark_regression", "more_than_usual"],
  Harbour: [],
  "Night Owls": [],
  "Spare Blade": [],
  Lighthouse: ["server_down", "crash_loop", "no_alert_rules"],
  Quarry: ["server_unresponsive", "crashed", "data_missing"],
  Smithy: ["container_near_limit", "cpu_throttled", "noisy_machine"],
  Cannery: ["heap_near_full", "machine_saturated", "gc_heavy"],
  Operations: [],
};

let demo: AskedDemo;
const healths = new Map<string, Json>();

beforeAll(async () => {
  demo = await askedDemo();
  for (const { account, name } of serverSpecs)
    if (account !== "free")
      healths.set(name, await demo.rest(account, `/servers/${demo.serverId(name)}/health`));
});
afterAll(() => demo.close());

const findingsOf = (server: string): Json[] => (healths.get(server)?.["findings"] ?? []) as Json[];
const findingOf = (server: string, code: string): Json | undefined =>
  findingsOf(server).find((finding) => finding["code"] === code);
const minutesAgo = (timestamp: unknown): number => (demo.now - Date.parse(String(timestamp))) / 60_000;
const evidenceOf = (server: string, code: string): unknown =>
  ((findingOf(server, code)?.["evidence"] ?? []) as Json[])[0]?.["value"];

it("[OUR-DEM-24] has every finding, each on the server that has the reason for it", () => {
  const found = Object.fromEntries(
    [...healths.keys()].map((server) => [
      server,
      findingsOf(server)
        .map(({ code }) => String(code))
        .filter((code) => code !== "plugin_heavy"),
    ]),
  );
  expect(found).toEqual(planted);
  const codes = [...healths.keys()].flatMap((server) => findingsOf(server).map(({ code }) => code));
  expect(new Set(codes)).toEqual(new Set(findingCodes));
});

it("[OUR-DEM-24] explains the findings by what was planted", () => {
  const slower = findingOf("Foundry SMP", "slower_than_usual");
  expect(Math.abs(minutesAgo(slower?.["since"]) - 183)).toBeLessThan(10);
  expect(slower?.["coincides_with"]).toMatchObject([{ kind: "plugin_updated", subject: "MarketStalls" }]);
  expect(findingOf("Foundry SMP", "plugin_grew")).toMatchObject({ subject: "MarketStalls" });
  expect(Number(evidenceOf("Foundry SMP", "memory_growing"))).toBeGreaterThan(24);
  expect(evidenceOf("Lighthouse", "crash_loop")).toBe(2);
  expect(evidenceOf("Quarry", "crashed")).toBe(1);
  // It is down since its crash, half a minute after its last heartbeat.
  expect(minutesAgo(findingOf("Lighthouse", "server_down")?.["since"])).toBeCloseTo(38);
  expect(minutesAgo(findingOf("Quarry", "server_unresponsive")?.["since"])).toBeCloseTo(12);
  expect(evidenceOf("Smithy", "cpu_throttled")).toBe(13.4);
  expect(evidenceOf("Archipelago", "disk_nearly_full")).toBeCloseTo(7.2, 0);
  expect(Math.abs(minutesAgo(findingOf("Archipelago", "more_than_usual")?.["since"]) - 260)).toBeLessThan(10);
});

it("[OUR-DEM-25] shows the fleet as its servers are, at once", async () => {
  for (const account of ["pro", "hosting", "enterprise", "admin"] as const satisfies AccountName[]) {
    const fleet = (await demo.rest(account, "/monitoring/health?limit=25"))["data"] as Json[];
    const own = serverSpecs.filter((spec) => spec.account === account);
    expect(fleet).toHaveLength(own.length);
    for (const { name } of own) {
      const row = fleet.find((each) => each["name"] === name);
      const { verdict, headline, since } = healths.get(name) ?? {};
      // A list says that nothing is wrong without the figures of an evaluation that may be a day old.
      const shown = { ...(headline as Json) };
      if (shown["code"] === "healthy") shown["text"] = "Nothing is wrong.";
      expect({ name, ...row }).toMatchObject({ name, verdict, headline: shown, since });
    }
  }
});

it("[OUR-DEM-26] received each sample when it was measured, so that a rule's preview shows when it would have fired", async () => {
  const rule = "metric=mspt&condition=above&threshold=40&duration_minutes=5&days=1";
  const path = `/servers/${demo.serverId("Foundry SMP")}/alert-rules/preview?${rule}`;
  const { episodes } = (await demo.rest("hosting", path)) as { episodes: Json[] };
  const opened = episodes.map((episode) => minutesAgo(episode["opened_at"]));
  expect(opened).toHaveLength(1);
  expect(opened[0]).toBeGreaterThan(170);
  expect(opened[0]).toBeLessThan(183);
});
