import { timelineAt, type EventRecord } from "../event/server-event.ts";
import { findingCodes, type FindingCode } from "../health/health.ts";
import type { DigestFacts } from "./facts.ts";

export interface WeekFinding {
  readonly code: FindingCode;
  readonly servers: number;
  /** Of `servers`, those that have it now. */
  readonly now: number;
}

/** The finding codes in a `health_changed` entry; unknown codes are dropped. */
function reasonsIn({ metadata }: EventRecord): FindingCode[] {
  const reasons =
    typeof metadata === "object" && metadata !== null && "reasons" in metadata ? metadata.reasons : null;
  return Array.isArray(reasons) ? findingCodes.filter((code) => reasons.includes(code)) : [];
}

/**
 * Findings by rank, from the week's `health_changed` entries and from the present. A finding that began
 * before the week and lasts counts as present.
 */
export function weekFindings({ servers, turns, from, to }: DigestFacts): WeekFinding[] {
  const had = new Map<FindingCode, Set<string>>();
  const add = (code: FindingCode, server: string): void => {
    had.set(code, (had.get(code) ?? new Set()).add(server));
  };
  for (const turn of turns)
    if (timelineAt(turn) >= from && timelineAt(turn) < to)
      for (const code of reasonsIn(turn)) add(code, turn.serverId);
  for (const { server_id, reasons } of servers) for (const code of reasons) add(code, server_id);
  return findingCodes.flatMap((code) => {
    const of = had.get(code);
    const now = servers.filter(({ reasons }) => reasons.includes(code)).length;
    return of ? [{ code, servers: of.size, now }] : [];
  });
}
