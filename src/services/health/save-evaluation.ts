import { healthChanged, newNormal, revisedEntry } from "../../core/event/own-event.ts";
import type { EventRecord } from "../../core/event/server-event.ts";
import type { JudgedAgain } from "../../core/health/health-course.ts";
import type { LevelChange, LevelState } from "../../core/health/unusual-level.ts";
import {
  afterEvaluation,
  type EvaluationOccasion,
  isDueForTimeline,
  type HealthEvaluation,
  type StoredHealth,
} from "../../core/health/stored-health.ts";
import type { Instant } from "../../core/time.ts";
import type { Work } from "../../store/engine/database.ts";
import { newId } from "../../store/engine/ids.ts";
import { reviseEvent, storeEvents } from "../../store/event/events.ts";
import { saveSlowState } from "../../store/health/baselines.ts";
import { addTransition } from "../../store/health/monitoring-transitions.ts";
import { saveHealth, storedHealthOf } from "../../store/health/server-health.ts";
import { holdLinked } from "../../store/server/locks.ts";
import { recordEvents } from "../event/record-events.ts";

/**
 * Stores an evaluation; a settled verdict also becomes a timeline entry. `again`: the past was judged again, so the
 * timeline is corrected. Entries that data contradicts stay with the time of the correction, because they were
 * announced, and no alert is raised for the past.
 */
export function* saveEvaluation(
  serverId: string,
  evaluation: HealthEvaluation,
  occasion: EvaluationOccasion,
  again: JudgedAgain | null = null,
): Work<void> {
  // Nobody reads the health of a server that was unlinked meanwhile.
  if ((yield* holdLinked(serverId)) === null) return;
  const before = yield* storedHealthOf(serverId);
  yield* noteHang(serverId, before, evaluation, occasion.now);
  const known = again === null ? before : yield* corrected(before, again, occasion.now);
  const isAgain = again !== null;
  yield* announced(afterEvaluation(known, serverId, evaluation, { ...occasion, isAgain }), occasion.now);
}

/** Corrects the timeline; returns the stored health with the course of its verdicts. */
function* corrected(
  before: StoredHealth | null,
  { stored, revised, added }: JudgedAgain,
  now: Instant,
): Work<StoredHealth | null> {
  for (const entry of revised) yield* reviseEvent(revisedEntry(entry, now));
  yield* storeEvents(added);
  const { verdict, verdictFrom, announced: named } = stored;
  return before && { ...before, verdict, verdictFrom, announced: named };
}

const isHung = (health: Pick<HealthEvaluation, "reasons"> | null): boolean =>
  health?.reasons.includes("server_unresponsive") ?? false;

/** Keeps from when to when the main thread hung, because no sample says so afterwards. */
function* noteHang(
  serverId: string,
  before: StoredHealth | null,
  evaluation: HealthEvaluation,
  now: Instant,
): Work<void> {
  if (isHung(evaluation) === isHung(before)) return;
  yield* isHung(evaluation)
    ? addTransition(serverId, evaluation.since ?? now, "hung")
    : addTransition(serverId, now, "over");
}

function* announced(health: StoredHealth, now: Instant): Work<void> {
  if (!isDueForTimeline(health, now)) {
    yield* saveHealth(health);
    return;
  }
  const { serverId, verdict } = health;
  yield* saveHealth({ ...health, announced: verdict });
  const entry = healthChanged({ id: newId(now), serverId, now }, health.announced, health);
  yield* recordEvents(serverId, [entry], now);
}

/** Adds the stored verdict to the timeline if it is due, without a new evaluation. */
export function* announceVerdict(serverId: string, now: Instant): Work<void> {
  if ((yield* holdLinked(serverId)) === null) return;
  const health = yield* storedHealthOf(serverId);
  if (health !== null) yield* announced(health, now);
}

/** Stores the state of the ticks; a slowdown that became the new normal is added to the timeline. */
export function* saveSlowness(
  serverId: string,
  state: LevelState | null,
  changes: readonly LevelChange[],
  now: Instant,
): Work<void> {
  if ((yield* holdLinked(serverId)) === null) return;
  yield* saveSlowState(serverId, state);
  yield* recordNewNormal(serverId, changes, now);
}

export function* recordNewNormal(
  serverId: string,
  changes: readonly LevelChange[],
  now: Instant,
): Work<void> {
  const entries: EventRecord[] = changes.flatMap((change) =>
    change.kind === "ended" && change.reason === "new_normal"
      ? [newNormal({ id: newId(now), serverId, now }, change.since)]
      : [],
  );
  if (entries.length > 0) yield* recordEvents(serverId, entries, now);
}
