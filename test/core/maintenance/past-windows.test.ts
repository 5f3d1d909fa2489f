import { describe, expect, it } from "vitest";
import { maintenanceStart } from "../../../src/core/event/own-event.ts";
import type { MaintenanceRecord } from "../../../src/core/maintenance/maintenance.ts";
import { noMaintenance } from "../../../src/core/maintenance/server-maintenance.ts";
import { pastWindows } from "../../../src/core/maintenance/past-windows.ts";

const minute = 60_000;
const noon = Date.UTC(2026, 10, 20, 12);
const at = (minutes: number): number => noon + minutes * minute;
const serverId = "019a9f5e-1d00-7000-8000-000000000010";

const start = (from: number, to: number) =>
  maintenanceStart({ id: `e${from}`, serverId, now: at(from) }, null, { endsAt: at(to), reason: null });
const window = (from: number, to: number) => ({ startedAt: at(from), endsAt: at(to) });
const last = (from: number, to: number): MaintenanceRecord => ({
  ...window(from, to),
  serverId,
  toldUntil: at(to),
  reason: null,
  startedBy: "api",
});

describe("windows of the past", () => {
  it.each([
    ["none", [], null, []],
    ["one that lasted as planned", [start(0, 30)], null, [window(0, 30)]],
    ["the last one with its own end", [start(0, 30)], last(0, 55), [window(0, 55)]],
    ["the last one that began before the timeline is looked at", [], last(0, 55), [window(0, 55)]],
    [
      "one that was over when the next began",
      [start(20, 50), start(0, 30)],
      null,
      [window(0, 20), window(20, 50)],
    ],
    [
      "newest first or not",
      [start(90, 100), start(0, 30), start(60, 95)],
      last(90, 92),
      [window(0, 30), window(60, 90), window(90, 92)],
    ],
  ])("[OUR-ALR-95] %s", (_, starts, record, windows) => {
    expect(pastWindows(starts, { last: record, recurring: [] }, at(200))).toEqual(windows);
  });

  it.each([null, "soon", {}, { ends_at: 5 }, { ends_at: "soon" }, []].map((metadata) => [metadata]))(
    "[OUR-ALR-95] leave out a start with the metadata %j",
    (metadata) => {
      expect(pastWindows([{ ...start(0, 30), metadata }, start(40, 50)], noMaintenance, at(200))).toEqual([
        window(40, 50),
      ]);
    },
  );
});
