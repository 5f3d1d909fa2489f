import { expect, it } from "vitest";
import { healthChanged } from "../../../src/core/event/own-event.ts";
import { findingCodes, type FindingCode, type HealthVerdict } from "../../../src/core/health/health.ts";
import { incidentsOf } from "../../../src/core/status-page/incidents.ts";
import { publicStateOf } from "../../../src/core/status-page/public-state.ts";
import { PublicTrouble } from "../../../src/core/status-page/public-status.ts";
import { minuteMs, toTimestamp } from "../../../src/core/time.ts";

const start = Date.parse("2026-11-20T07:00:00.000Z");
const at = (minutes: number): number => start + minutes * minuteMs;
const stamp = (minutes: number): string => toTimestamp(at(minutes));

let serial = 0;

/** The entry of a verdict at a minute; the finding began at `since`. */
const turn = (
  minute: number,
  verdict: HealthVerdict,
  reasons: readonly FindingCode[] = [],
  since: number | null = null,
) =>
  healthChanged({ id: `e${(serial += 1)}`, serverId: "s", now: at(minute) }, "healthy", {
    verdict,
    reasons,
    since: since === null ? null : at(since),
    headline: { code: "healthy", text: "A secret headline" },
  });

const monitored = { unmonitoredSince: null } as const;
const calm = { announced: "healthy", since: null, reasons: [] } as const;
const healthy = { ...monitored, health: { ...calm, verdict: "healthy", verdictFrom: at(500) } } as const;

it("[OUR-STP-09] an incident lasts from what was found first until a verdict without trouble held", () => {
  const entries = [turn(20, "degraded", ["tick_over_budget"], 5), turn(75, "healthy", [], -900)];
  expect(incidentsOf(entries, healthy)).toEqual([{ trouble: "slow", from: stamp(5), to: stamp(60) }]);
  expect(incidentsOf(entries.toReversed(), healthy)).toEqual(incidentsOf(entries, healthy));
});

it("[OUR-STP-09] it has the name of its worst part, and ends with the start of the server", () => {
  const entries = [
    turn(20, "degraded", ["slower_than_usual"], 0),
    turn(40, "down", ["server_down"], 39),
    turn(70, "unknown", [], 52),
    turn(90, "healthy", [], 52),
  ];
  expect(incidentsOf(entries, healthy)).toEqual([
    { trouble: "not_reachable", from: stamp(0), to: stamp(52) },
  ]);
});

it("[OUR-STP-09] the newest incident lasts while the stored health speaks of trouble", () => {
  const entries = [turn(20, "critical", ["crash_loop"], 10)];
  const health = { verdict: "critical", verdictFrom: at(10), announced: "critical" } as const;
  const lasting = { ...monitored, health: { ...calm, ...health } } as const;
  expect(incidentsOf(entries, lasting)).toEqual([{ trouble: "unstable", from: stamp(10), to: null }]);
  expect(incidentsOf(entries, healthy)[0]?.to).toBe(stamp(500));
  const off = { ...lasting, unmonitoredSince: at(33) };
  expect(incidentsOf(entries, off)[0]?.to).toBe(stamp(33));
});

it("[OUR-STP-09] trouble that no entry names is an incident too: of the first verdict, or of one whose entry is gone", () => {
  const down = { verdict: "down", reasons: ["server_down"], since: at(-4), verdictFrom: at(0) } as const;
  const first = { ...monitored, health: { ...down, announced: "down" } } as const;
  const lasting = [{ trouble: "not_reachable", from: stamp(-4), to: null }];
  expect(incidentsOf([], first)).toEqual(lasting);
  expect(incidentsOf([], { ...first, health: { ...first.health, announced: "degraded" } })).toEqual(lasting);
  // The entry is written when the verdict has held for 15 minutes.
  expect(incidentsOf([], { ...first, health: { ...first.health, announced: "healthy" } })).toEqual([]);
  expect(incidentsOf([], { ...first, unmonitoredSince: at(33) })).toEqual([]);
  expect(incidentsOf([], { ...first, health: { ...first.health, reasons: ["nobody_told"] } })).toEqual([]);
});

it("[OUR-STP-09] findings that concern the owner alone are no incident, whatever their verdict", () => {
  const shown = new Set<string>();
  for (const code of findingCodes) {
    const found = incidentsOf([turn(20, "degraded", [code], 0), turn(60, "healthy")], healthy);
    if (found.length > 0) shown.add(code);
    for (const { trouble } of found) expect(PublicTrouble.options).toContain(trouble);
    expect(JSON.stringify(found)).not.toContain("secret");
  }
  expect([...shown]).toEqual([
    "server_down",
    "server_unresponsive",
    "crash_loop",
    "crashed",
    "tick_over_budget",
  ]);
});

it("[OUR-STP-09] an entry of another version, or one that is broken, is left out", () => {
  const broken = { ...turn(20, "down", ["server_down"]), metadata: { to: "worse", reasons: 3 } };
  const older = {
    ...turn(30, "degraded"),
    metadata: { to: "degraded", reasons: ["gone", "tick_over_budget"], since: "x" },
  };
  expect(incidentsOf([broken, older], healthy)).toMatchObject([{ trouble: "slow", from: stamp(30) }]);
});

it("[OUR-STP-07] the state is that of the server; health only says how a server runs", () => {
  type Told = Pick<NonNullable<Parameters<typeof publicStateOf>[2]>, "verdict" | "reasons">;
  const stateOf = (state: Parameters<typeof publicStateOf>[0], isMaintenance: boolean, health: Told | null) =>
    publicStateOf(state, isMaintenance, health && { ...health, verdictFrom: 1, evaluatedAt: 2 }, 3);
  const slow = { verdict: "degraded", reasons: ["nobody_told", "tick_over_budget"] } as const;
  const down = { verdict: "down", reasons: ["server_down"] } as const;
  expect(stateOf("running", false, null)).toBe("online");
  expect(stateOf("running", false, slow)).toBe("slow");
  expect(stateOf("running", false, { verdict: "degraded", reasons: ["nobody_told"] })).toBe("online");
  expect(stateOf("running", false, { ...slow, verdict: "healthy" })).toBe("online");
  // It came back a moment ago.
  expect(stateOf("running", false, down)).toBe("online");
  // Nothing came since it ended uncleanly, although its last heartbeat is not late yet.
  expect(publicStateOf("running", false, { ...down, verdictFrom: 4, evaluatedAt: 4 }, 3)).toBe(
    "not_reachable",
  );
  expect(stateOf("paused_empty", false, slow)).toBe("online");
  expect(stateOf("unreachable", false, null)).toBe("not_reachable");
  expect(stateOf("unresponsive", false, null)).toBe("not_responding");
  expect(stateOf("unreachable", true, null)).toBe("maintenance");
  expect(stateOf("stopped", false, down)).toBe("stopped");
  expect(stateOf("never_seen", true, null)).toBe("no_data");
});
