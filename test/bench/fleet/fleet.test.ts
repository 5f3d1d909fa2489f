import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runFleet, type FleetOptions } from "./run-fleet.ts";
import { summaryOf } from "./summary.ts";

it("twenty simulated servers send and are read for two seconds, and nothing that was accepted is lost", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tickmark-fleet-"));
  const lines: string[] = [];
  const options: FleetOptions = {
    servers: 20,
    accountSize: 10,
    minutes: 1 / 40,
    warmUpMinutes: 1 / 120,
    database: "sqlite",
    processes: 1,
    folder,
    connections: 8,
    rates: { heartbeatEveryMs: 500, eventsEveryMs: 500, readsPerSecond: 15, pageEveryMs: 500 },
    scrapeEveryMs: 1000,
    syncMs: 0,
    profile: null,
    print: (line) => void lines.push(line),
  };
  const run = await runFleet(options);
  rmSync(folder, { recursive: true, force: true });
  expect([run.lost, run.lostEvents]).toEqual([0, 0]);
  expect(run.accepted).toBeGreaterThan(20);
  expect(run.after.events).toBeGreaterThan(20);
  const failed = [...run.routes].filter(([, route]) => route.failed.size > 0).map(([name]) => name);
  expect(failed).toEqual([]);
  // Heartbeats, entries, nine kinds of reads, and the pages of a fleet and of a server.
  expect([...run.routes.keys()].length).toBe(13);
  expect(run.cpu.service).toBeGreaterThan(0);
  const summary = summaryOf(options, run).join("\n");
  expect(summary).toContain("REST overview");
  expect(summary).not.toMatch(/NaN|undefined|Infinity/);
});
