import { timelineAt, type EventRecord } from "../event/server-event.ts";
import { findingCodes, type FindingCode } from "../health/health.ts";
import type { DigestFacts } from "./facts.ts";

/** A finding of the week, by the servers that had it. */
export interface WeekFinding {
  readonly code: FindingCode;
  readonly servers: number;
  /** Of these, those that have it now. */
  readonly now: number;
}

/** The codes that an entry of a verdict names; what is none is left out. */
function reasonsIn({ metadata }: EventRecord): FindingCode[] {
  const reasons =
    typeof metadata === "object" && metadata !== null && "reasons" in metadata ? metadata.reasons : null;
  return Array.isArray(reasons) ? findingCodes.filter((code) => reasons.includes(code)) : [];
}

/**
 * What was found in the week, by rank: in verdicts that the timeline names, and now. A finding that began before
 * the week and lasts is one of now.
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
