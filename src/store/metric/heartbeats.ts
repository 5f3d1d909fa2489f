import { type Step, type Result, run } from "../engine/database.ts";
import type { HeartbeatWrite } from "../../core/server/records.ts";
import { clockToleranceMs } from "../../core/metric/clock.ts";
import { query } from "../engine/query.ts";

/**
 * Everything a heartbeat says is as of that heartbeat: one that comes late changes nothing that a newer one said,
 * unless the newer one is from a time when our clock was wrong.
 */
const beat = query<{
  id: string;
  received: number;
  boot: number | null;
  tick_age: number | null;
  announcement: string | null;
  announced: number | null;
  unbelievable: number;
}>()((db, $) =>
  db
    .updateTable("server")
    .set({
      last_heartbeat: $.received,
      boot_timestamp: $.boot,
      last_tick_age_ms: $.tick_age,
      announcement: $.announcement,
      announced_at: $.announced,
    })
    .where("id", "=", $.id)
    .where((eb) =>
      eb.or([
        eb("last_heartbeat", "is", null),
        eb("last_heartbeat", "<=", $.received),
        eb("last_heartbeat", ">", $.unbelievable),
      ]),
    ),
);

/** Writes what a heartbeat says of its server; false when a newer heartbeat stays. */
export function* writeHeartbeat({
  serverId,
  receivedAt,
  bootTimestamp,
  lastTickAgeMs,
  announcement,
}: Omit<HeartbeatWrite, "sample" | "limits">): Generator<Step, boolean, Result> {
  const changed = yield* run(beat, {
    id: serverId,
    received: receivedAt,
    boot: bootTimestamp,
    tick_age: lastTickAgeMs,
    announcement: announcement?.kind ?? null,
    announced: announcement?.at ?? null,
    unbelievable: receivedAt + clockToleranceMs,
  });
  return changed > 0;
}
