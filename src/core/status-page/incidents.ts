import { z } from "zod";
import { timelineAt, type EventRecord } from "../event/server-event.ts";
import { FindingCode, HealthVerdict } from "../health/health.ts";
import type { StoredHealth } from "../health/stored-health.ts";
import { minuteMs, parseInstant, toTimestamp, toTimestampOrNull, type Instant } from "../time.ts";
import { isTroubled, troubleIn, worseTrouble } from "./public-state.ts";
import type { PublicIncident, PublicTrouble } from "./public-status.ts";

/** A verdict that is not `down` is an entry of the timeline once it has held for so long (OUR-HLT-61). */
const settledMs = 15 * minuteMs;

/** What is read of an entry `health_changed`; reasons that only another version knows are left out. */
const Turn = z.object({
  to: HealthVerdict,
  reasons: z.array(FindingCode.nullable().catch(null)),
  since: z.string().nullable(),
});

interface VerdictTurn {
  readonly at: Instant;
  readonly verdict: HealthVerdict;
  readonly trouble: PublicTrouble | null;
  readonly since: Instant | null;
}

function turnOf(entry: EventRecord): VerdictTurn | null {
  const read = Turn.safeParse(entry.metadata);
  if (!read.success) return null;
  const { to, reasons, since } = read.data;
  const trouble = troubleIn(reasons.filter((code) => code !== null));
  return {
    at: timelineAt(entry),
    verdict: to,
    trouble: isTroubled(to) ? trouble : null,
    since: since === null ? null : parseInstant(since),
  };
}

interface OpenIncident {
  readonly from: Instant;
  readonly trouble: PublicTrouble | null;
}

/** When an incident was over: its server started later, or the verdict had held for a while when it was written. */
const endedAt = ({ at, since }: VerdictTurn, from: Instant): Instant =>
  since !== null && since > from && since <= at ? since : Math.max(from, at - settledMs);

/** What is known of a server now. */
export interface IncidentNow {
  readonly health: Pick<StoredHealth, "verdict" | "verdictFrom" | "announced" | "since" | "reasons"> | null;
  /** Null while the server is monitored, else the time of its last sign of life. */
  readonly unmonitoredSince: Instant | null;
}

/** The end of the incident that the timeline leaves open; null while it lasts. */
function endNow({ from }: OpenIncident, { health, unmonitoredSince }: IncidentNow): Instant | null {
  if (unmonitoredSince !== null) return Math.max(from, unmonitoredSince);
  if (health === null || isTroubled(health.verdict)) return null;
  return Math.max(from, health.verdictFrom);
}

/**
 * The incident that no entry names: the timeline begins with the second verdict of a server (`announced` is the first
 * until then), and entries end with their retention.
 */
function unnamed({ health, unmonitoredSince }: IncidentNow): OpenIncident | null {
  if (unmonitoredSince !== null || health === null) return null;
  if (!isTroubled(health.verdict) || !isTroubled(health.announced)) return null;
  return { from: health.since ?? health.verdictFrom, trouble: troubleIn(health.reasons) };
}

/**
 * The incidents of a server, newest first, from the entries of its timeline that name a verdict, in any order. An
 * incident lasts from the beginning of what was found first until no verdict speaks of trouble, and has the name of
 * its worst part; one that only concerns the owner is none.
 */
export function incidentsOf(entries: readonly EventRecord[], now: IncidentNow): PublicIncident[] {
  const turns = entries
    .map(turnOf)
    .filter((turn) => turn !== null)
    .toSorted((one, other) => one.at - other.at);
  const found: PublicIncident[] = [];
  let open = null as OpenIncident | null;
  const close = (incident: OpenIncident, to: Instant | null): void => {
    const { trouble, from } = incident;
    if (trouble !== null) found.push({ trouble, from: toTimestamp(from), to: toTimestampOrNull(to) });
  };
  for (const turn of turns) {
    const { at, verdict, trouble, since } = turn;
    if (isTroubled(verdict)) {
      const from: Instant = open?.from ?? Math.min(at, since ?? at);
      open = { from, trouble: worseTrouble(open?.trouble ?? null, trouble) };
    } else if (open !== null) {
      close(open, endedAt(turn, open.from));
      open = null;
    }
  }
  open ??= unnamed(now);
  if (open !== null) close(open, endNow(open, now));
  return found.toReversed();
}
