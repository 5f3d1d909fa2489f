import { healthChanged, newNormal } from "../../core/event/own-event.ts";
import type { EventRecord } from "../../core/event/server-event.ts";
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
import { saveSlowState } from "../../store/health/baselines.ts";
import { saveHealth, storedHealthOf } from "../../store/health/server-health.ts";
import { holdLinked } from "../../store/server/locks.ts";
import { recordEvents } from "../event/record-events.ts";

/** Stores the newest evaluation of a server; a verdict that has settled becomes an entry of the timeline. */
export function* saveEvaluation(
  serverId: string,
  evaluation: HealthEvaluation,
  occasion: EvaluationOccasion,
): Work<void> {
  // It was unlinked meanwhile: nobody reads its health any more.
  if ((yield* holdLinked(serverId)) === null) return;
  const before = yield* storedHealthOf(serverId);
  yield* announced(afterEvaluation(before, serverId, evaluation, occasion), occasion.now);
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

/** Names the stored verdict in the timeline where that is due; the server was not evaluated anew. */
export function* announceVerdict(serverId: string, now: Instant): Work<void> {
  if ((yield* holdLinked(serverId)) === null) return;
  const health = yield* storedHealthOf(serverId);
  if (health !== null) yield* announced(health, now);
}

/** Stores how a server stands against what is usual; a slowdown that became usual is an entry of the timeline. */
export function* saveSlowness(
  serverId: string,
  state: LevelState | null,
  changes: readonly LevelChange[],
  now: Instant,
): Work<void> {
  if ((yield* holdLinked(serverId)) === null) return;
  yield* saveSlowState(serverId, state);
  const entries: EventRecord[] = changes.flatMap((change) =>
    change.kind === "ended" && change.reason === "new_normal"
      ? [newNormal({ id: newId(now), serverId, now }, change.since)]
      : [],
  );
  if (entries.length > 0) yield* recordEvents(serverId, entries, now);
}
