import { z } from "zod";
import { timelineAt, type EventRecord } from "../event/server-event.ts";
import { FindingCode, HealthVerdict } from "../health/health.ts";
import { recoveredMs, type StoredHealth } from "../health/stored-health.ts";
import { minuteMs, parseInstant, toTimestamp, toTimestampOrNull, type Instant } from "../time.ts";
import { isTroubled, troubleIn, worseTrouble } from "./public-state.ts";
import type { PublicIncident, PublicTrouble } from "./public-status.ts";

/** A verdict other than `down` enters the timeline once it has held for this long (OUR-HLT-61). */
const settledMs = 15 * minuteMs;
/** How long a verdict had held when its entry was written: after `down` it was announced sooner. */
const heldMs = (from: HealthVerdict): number => (from === "down" ? recoveredMs : settledMs);

/** Metadata of a `health_changed` entry; reasons that only another version knows are dropped. */
const Turn = z.object({
  from: HealthVerdict.catch("unknown"),
  to: HealthVerdict,
  reasons: z.array(FindingCode.nullable().catch(null)),
  since: z.string().nullable(),
});

interface VerdictTurn {
  readonly at: Instant;
  readonly from: HealthVerdict;
  readonly verdict: HealthVerdict;
  readonly trouble: PublicTrouble | null;
  readonly since: Instant | null;
}

function turnOf(entry: EventRecord): VerdictTurn | null {
  const read = Turn.safeParse(entry.metadata);
  if (!read.success) return null;
  const { from, to, reasons, since } = read.data;
  const trouble = troubleIn(reasons.filter((code) => code !== null));
  return {
    at: timelineAt(entry),
    from,
    verdict: to,
    trouble: isTroubled(to) ? trouble : null,
    since: since === null ? null : parseInstant(since),
  };
}

interface OpenIncident {
  readonly from: Instant;
  readonly trouble: PublicTrouble | null;
}

/** The later start of the server, else the time at which the verdict of the entry began to hold. */
const endedAt = ({ at, since, from: before }: VerdictTurn, from: Instant): Instant =>
  since !== null && since > from && since <= at ? since : Math.max(from, at - heldMs(before));

export interface IncidentNow {
  readonly health: Pick<StoredHealth, "verdict" | "verdictFrom" | "announced" | "since" | "reasons"> | null;
  /** Null while the server is monitored, else the time of its last sign of life. */
  readonly unmonitoredSince: Instant | null;
}

/** The end of an incident that has none in the timeline; null while it lasts. */
function endNow({ from }: OpenIncident, { health, unmonitoredSince }: IncidentNow): Instant | null {
  if (unmonitoredSince !== null) return Math.max(from, unmonitoredSince);
  if (health === null || isTroubled(health.verdict)) return null;
  return Math.max(from, health.verdictFrom);
}

/**
 * A current incident without an entry: the timeline begins with a server's second verdict (`announced` is the
 * first until then), and old entries are deleted.
 */
function unnamed({ health, unmonitoredSince }: IncidentNow): OpenIncident | null {
  if (unmonitoredSince !== null || health === null) return null;
  if (!isTroubled(health.verdict) || !isTroubled(health.announced)) return null;
  return { from: health.since ?? health.verdictFrom, trouble: troubleIn(health.reasons) };
}

/**
 * Newest first, from entries in any order. An incident lasts from its first trouble until the verdict has
 * none, and is named after its worst part. Trouble that concerns only the owner is no incident.
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
