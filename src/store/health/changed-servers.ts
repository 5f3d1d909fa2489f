import { sql } from "kysely";
import type { Instant } from "../../core/time.ts";
import { all, one, type Work } from "../engine/database.ts";
import { query } from "../engine/query.ts";

/** The last server of a slice, by id; null if fewer servers are left. */
const endOfSlice = query<{ after: string; skipped: number }>()((db, $) =>
  db.selectFrom("server").select("id").where("id", ">", $.after).orderBy("id").limit(1).offset($.skipped),
);

/**
 * Servers whose state may have changed since their evaluation: never evaluated; down or stopped but sending
 * again; silent, stopped or hung since; or back so long that their recovery is announced. The caller derives the
 * state itself.
 */
const changedServers = query<{
  after: string;
  end: string | null;
  silent: number;
  online: number;
  hung: number;
  recovered: number;
}>()((db, $) =>
  db
    .selectFrom("server as s")
    .leftJoin("server_health as h", "h.server_id", "s.id")
    .select("s.id")
    .where("s.account_id", "is not", null)
    .where("s.monitoring_enabled", "=", 1)
    .where("s.id", ">", $.after)
    .where(sql<boolean>`(cast(${$.end} as text) is null or s.id <= ${$.end})`)
    .where(
      sql<boolean>`(
        (h.server_id is null and (s.last_heartbeat is not null or s.announced_at is not null))
        or (h.verdict in ('down', 'stopped') and s.last_heartbeat >= ${$.silent}
          and (s.announced_at is null or s.announced_at < s.last_heartbeat)
          and (s.last_tick_age_ms is null or s.last_tick_age_ms < ${$.hung}))
        or (h.announced = 'down' and h.verdict <> 'down' and h.verdict_from <= ${$.recovered})
        or (h.verdict not in ('down', 'stopped')
          and ((s.last_heartbeat < ${$.silent} and h.evaluated_at < s.last_heartbeat + ${$.online})
            or (s.announced_at >= s.last_heartbeat and h.evaluated_at < s.announced_at)
            or (s.last_tick_age_ms >= ${$.hung} and s.paused_since is null
              and h.evaluated_at < s.last_heartbeat))))`,
    )
    .orderBy("s.id"),
);

interface ChangeLimits {
  readonly now: Instant;
  readonly onlineMs: number;
  readonly hungMs: number;
  readonly recoveredMs: number;
}

/**
 * Ids of such servers among the next `slice` servers after `after`. `next`: where the next slice starts; null
 * after the last. A heartbeat older than `onlineMs` is silence; a tick older than `hungMs` is a hang;
 * a server back for `recoveredMs` has recovered.
 */
export function* selectChangedServers(
  after: string,
  { now, onlineMs, hungMs, recoveredMs }: ChangeLimits,
  slice: number,
): Work<{ readonly ids: readonly string[]; readonly next: string | null }> {
  const next = (yield* one(endOfSlice, { after, skipped: slice - 1 }))?.id ?? null;
  const values = {
    after,
    end: next,
    silent: now - onlineMs,
    online: onlineMs,
    hung: hungMs,
    recovered: now - recoveredMs,
  };
  return { ids: (yield* all(changedServers, values)).map(({ id }) => id), next };
}
