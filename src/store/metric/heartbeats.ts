import type { SqlBool } from "kysely";
import { runUnread, type Work } from "../engine/database.ts";
import { areTicksLate } from "../../core/health/late-ticks.ts";
import type { HeartbeatWrite } from "../../core/server/records.ts";
import type { Sample } from "../../core/metric/sample.ts";
import type { Instant } from "../../core/time.ts";
import { forUpdate, query } from "../engine/query.ts";
import type { Values } from "../engine/statement.ts";

export interface LastReport {
  /** Null if the server was unlinked. */
  readonly account_id: string | null;
  readonly last_heartbeat: Instant | null;
  readonly announcement: string | null;
  readonly last_tick_age_ms: number | null;
  readonly paused_since: Instant | null;
  readonly sampled_at: Instant | null;
  readonly sample_received_at: Instant | null;
  /** The verdict of its newest evaluation; null if there is none. */
  readonly verdict: string | null;
  /** Whether it had an alert rule just before it was locked. */
  readonly has_rules: SqlBool;
}

/** Locks the server (as `lockServer`), so that its reports are processed one at a time. */
export const holdLastReport = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(
    dialect,
    db
      .selectFrom("server")
      .select([
        "account_id",
        "last_heartbeat",
        "announcement",
        "last_tick_age_ms",
        "paused_since",
        "sampled_at",
        "sample_received_at",
        (eb) =>
          eb
            .selectFrom("server_health as h")
            .select("h.verdict")
            .whereRef("h.server_id", "=", "server.id")
            .as("verdict"),
        (eb) =>
          eb
            .exists(eb.selectFrom("alert_rule as r").select("r.id").whereRef("r.server_id", "=", "server.id"))
            .as("has_rules"),
      ])
      .where("id", "=", $.id),
  ),
);

interface BeatValues extends Values {
  readonly received: number;
  readonly boot: number | null;
  readonly tick_age: number | null;
  readonly announcement: string | null;
  readonly announced: number | null;
}

interface ShownValues extends Values {
  readonly sampled: number;
  readonly sample_received: number;
  readonly sample: string;
  readonly players: number | null;
  readonly late: number;
  readonly paused: number | null;
}

const beatColumns = ($: BeatValues) => ({
  last_heartbeat: $.received,
  boot_timestamp: $.boot,
  last_tick_age_ms: $.tick_age,
  announcement: $.announcement,
  announced_at: $.announced,
});
const shownColumns = ($: ShownValues) => ({
  sampled_at: $.sampled,
  sample_received_at: $.sample_received,
  sample: $.sample,
  player_count: $.players,
  ticks_late: $.late,
  paused_since: $.paused,
});

const beat = query<BeatValues & { id: string }>()((db, $) =>
  db.updateTable("server").set(beatColumns($)).where("id", "=", $.id),
);
const show = query<ShownValues & { id: string }>()((db, $) =>
  db.updateTable("server").set(shownColumns($)).where("id", "=", $.id),
);
const beatAndShow = query<BeatValues & ShownValues & { id: string }>()((db, $) =>
  db
    .updateTable("server")
    .set({ ...beatColumns($), ...shownColumns($) })
    .where("id", "=", $.id),
);

/** The sample that the server shows from now on, and since when it is paused. */
export interface ShownSample {
  readonly sampledAt: Instant;
  readonly sample: Sample;
  readonly pausedSince: Instant | null;
}

type Said = Pick<HeartbeatWrite, "bootTimestamp" | "lastTickAgeMs" | "announcement">;

const beatValues = ({ bootTimestamp, lastTickAgeMs, announcement }: Said, received: Instant): BeatValues => ({
  received,
  boot: bootTimestamp,
  tick_age: lastTickAgeMs,
  announcement: announcement?.kind ?? null,
  announced: announcement?.at ?? null,
});

const shownValues = ({ sampledAt, sample, pausedSince }: ShownSample, received: Instant): ShownValues => ({
  sampled: sampledAt,
  sample_received: received,
  sample: JSON.stringify(sample),
  players: sample.player_count,
  late: areTicksLate(sample) ? 1 : 0,
  paused: pausedSince,
});

/** Saves a heartbeat's facts and the shown sample; null leaves them unchanged. */
export function* saveReport(
  id: string,
  said: Said | null,
  shown: ShownSample | null,
  received: Instant,
): Work<void> {
  const [beats, shows] = [said && beatValues(said, received), shown && shownValues(shown, received)];
  if (beats && shows) yield* runUnread(beatAndShow, { id, ...beats, ...shows });
  else if (beats) yield* runUnread(beat, { id, ...beats });
  else if (shows) yield* runUnread(show, { id, ...shows });
}
