import type { DigestFacts, DigestServer } from "../../../src/core/digest/facts.ts";
import type { AccountEventRecord } from "../../../src/core/event/server-event.ts";
import { healthChanged } from "../../../src/core/event/own-event.ts";
import type { FindingCode, HealthVerdict } from "../../../src/core/health/health.ts";
import { softwareEvents } from "../../../src/core/software/software-event.ts";
import type { SoftwareChange } from "../../../src/core/software/changes.ts";

export const to = Date.parse("2026-11-23T08:00:00Z");
export const hour = 3_600_000;
export const day = 24 * hour;
export const week = 7 * day;

const idOf = (place: number): string => `019a9f5e-1d00-7000-8000-${String(place).padStart(12, "0")}`;

export const upAllWeek: DigestServer["availability"] = {
  percent: 100,
  up_seconds: 604_800,
  down_seconds: 0,
  stopped_seconds: 0,
  maintenance_seconds: 0,
  unmonitored_seconds: 0,
  incidents: 0,
};

export const unmeasured: DigestServer["availability"] = {
  ...upAllWeek,
  percent: null,
  up_seconds: 0,
  unmonitored_seconds: 604_800,
};

/** A server of that place, healthy and up unless told otherwise. */
export const server = (place: number, changes: Partial<DigestServer> = {}): DigestServer => ({
  server_id: idOf(place),
  name: `Server ${place}`,
  verdict: "healthy",
  since: null,
  reasons: [],
  headline: {
    code: "healthy",
    text: "Nothing is wrong. Ticks take 11.2 ms of the 50 ms they have (median of 15 min).",
  },
  availability: upAllWeek,
  step: null,
  ...changes,
});

/** An entry that the verdict of a server changed for these reasons, so long before the end of the week. */
export const turn = (place: number, verdict: HealthVerdict, reasons: FindingCode[], beforeMs: number) =>
  healthChanged({ id: idOf(place), serverId: idOf(place), now: to - beforeMs }, "healthy", {
    verdict,
    reasons,
    since: null,
    headline: { code: "no_data", text: "" },
  });

/** The entry of one change of software of a server. */
export const change = (
  serverName: string | null,
  changed: SoftwareChange,
  beforeMs: number,
): AccountEventRecord => {
  const at = to - beforeMs;
  const occasion = { serverId: idOf(1), now: at, happenedAt: at, newId: () => idOf(99) };
  const [event] = softwareEvents([changed], occasion);
  if (!event) throw new Error("No entry.");
  return { ...event, serverName };
};

/** What is known of these servers, with a calm week unless told otherwise. */
export function factsOf(servers: readonly DigestServer[], changes: Partial<DigestFacts> = {}): DigestFacts {
  const totals = {
    servers: servers.length,
    down: 0,
    critical: 0,
    degraded: 0,
    unknown: 0,
    healthy: 0,
    stopped: 0,
    not_monitored: 0,
  };
  for (const { verdict } of servers) totals[verdict] += 1;
  return {
    from: to - week,
    to,
    totals,
    servers,
    moreServers: 0,
    openAlerts: 0,
    turns: [],
    changes: [],
    isComplete: true,
    alerts: { count: 0, rules: 0, noisiest: null },
    ...changes,
  };
}
