import { sql } from "kysely";
import { healthEventCategories, healthEventTypes } from "../../core/health/changes.ts";
import type { Instant } from "../../core/time.ts";
import { all, type Work } from "../engine/database.ts";
import { ofTypeSince } from "../event/event-page.ts";
import { listedIds } from "../engine/listed-ids.ts";
import { query } from "../engine/query.ts";

/** Which kinds of facts a server has. Most servers have few, and an absent kind needs no further query. */
export interface PresentFacts {
  readonly firstSampleAt: Instant | null;
  /** Whether its timeline has an event that health is judged by. */
  readonly hasEntry: boolean;
  readonly hasStart: boolean;
  readonly hasWindow: boolean;
  readonly hasOpenAlert: boolean;
  readonly hasProfile: boolean;
}

/** The instant from which each kind is looked for. */
export interface PresentSince {
  readonly entries: Instant;
  readonly starts: Instant;
  readonly windows: Instant;
  readonly profiles: Instant;
}

/** The oldest time of each table, without reading a block's bytes. */
const firstTimes = [
  sql<number | null>`(select x.sampled_at from sample as x where x.server_id = w.id
      order by x.sampled_at limit 1)`.as("sample"),
  sql<number | null>`(select x.first_at from sample_block as x where x.server_id = w.id
      order by x.day limit 1)`.as("block"),
] as const;

const firstOf = query<{ ids: string }>()((db, $, dialect) =>
  db.selectFrom(listedIds(dialect, $.ids).as("w")).select(["w.id", ...firstTimes]),
);

const presentOf = query<{ [Kind in keyof PresentSince]: number } & { ids: string }>()((db, $, dialect) =>
  db.selectFrom(listedIds(dialect, $.ids).as("w")).select([
    "w.id",
    ...firstTimes,
    sql<number>`exists (select 1 from server_event as e
        where e.server_id = w.id and e.timeline_at >= ${$.entries}
          and e.category in (${sql.join(healthEventCategories)})
          and e.type in (${sql.join(healthEventTypes)}))`.as("has_entry"),
    sql<number>`exists (select 1 from server_event as e
        where ${ofTypeSince(sql`w.id`, sql.lit("server_start"), sql`${$.starts}`)})`.as("has_start"),
    sql<number>`(exists (select 1 from maintenance as m where m.server_id = w.id)
        or exists (select 1 from recurring_maintenance as r where r.server_id = w.id)
        or exists (select 1 from server_event as e
          where ${ofTypeSince(sql`w.id`, sql.lit("maintenance_start"), sql`${$.windows}`)}))`.as(
      "has_window",
    ),
    sql<number>`exists (select 1 from alert as o where o.server_id = w.id and o.status <> 'resolved')`.as(
      "has_alert",
    ),
    sql<number>`exists (select 1 from profile_summary as p
        where p.server_id = w.id and p.timeline_at >= ${$.profiles})`.as("has_profile"),
  ]),
);

const oldest = (...times: readonly (number | null)[]): Instant | null =>
  times.reduce((first, at) => (first === null ? at : at === null ? first : Math.min(first, at)), null);

export function* selectFirstSampleTimes(ids: readonly string[]): Work<Map<string, Instant | null>> {
  const rows = yield* all(firstOf, { ids: JSON.stringify(ids) });
  return new Map(rows.map(({ id, sample, block }) => [id, oldest(sample, block)]));
}

export function* selectPresentFacts(
  ids: readonly string[],
  since: PresentSince,
): Work<Map<string, PresentFacts>> {
  const rows = yield* all(presentOf, { ...since, ids: JSON.stringify(ids) });
  return new Map(
    rows.map((row) => [
      row.id,
      {
        firstSampleAt: oldest(row.sample, row.block),
        hasEntry: Number(row.has_entry) === 1,
        hasStart: Number(row.has_start) === 1,
        hasWindow: Number(row.has_window) === 1,
        hasOpenAlert: Number(row.has_alert) === 1,
        hasProfile: Number(row.has_profile) === 1,
      },
    ]),
  );
}
