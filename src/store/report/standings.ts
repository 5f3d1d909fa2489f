import type { ReportContent } from "../../core/report/detail.ts";
import type { Ranks } from "../../core/report/standing.ts";
import type { Instant } from "../../core/time.ts";
import { all, one, run, type Work } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { reportStandingTable } from "./standing-table.ts";

/** Reports scored by the same version in the same mode are comparable. */
export interface ScoringScale {
  readonly algorithmVersion: string;
  readonly benchmarkMode: string;
}

const find = query<{ version: string; mode: string }>()((db, $) =>
  db
    .selectFrom("report_standing")
    .select("ranks")
    .where("algorithm_version", "=", $.version)
    .where("benchmark_mode", "=", $.mode),
);

const publicPage = query<{ after: string; now: number; limit: number }>()((db, $) =>
  db
    .selectFrom("report")
    .select(["id", "content"])
    .where("visibility", "=", "public")
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", $.now)]))
    .where("id", ">", $.after)
    .orderBy("id")
    .limit($.limit),
);

const upsert = query<RowOf<typeof reportStandingTable>>()((db, $) =>
  db
    .insertInto("report_standing")
    .values(placesOf(reportStandingTable.columns, $))
    .onConflict((conflict) =>
      conflict.columns(["algorithm_version", "benchmark_mode"]).doUpdateSet((eb) => ({
        counted_at: eb.ref("excluded.counted_at"),
        ranks: eb.ref("excluded.ranks"),
      })),
    ),
);

const dropOthers = query<{ now: number }>()((db, $) =>
  db.deleteFrom("report_standing").where("counted_at", "<>", $.now),
);

export function* selectRanks({ algorithmVersion, benchmarkMode }: ScoringScale): Work<Ranks | null> {
  const row = yield* one(find, { version: algorithmVersion, mode: benchmarkMode });
  return row && (JSON.parse(row.ranks) as Ranks);
}

export function* selectPublicContents(
  after: string,
  now: Instant,
  limit: number,
): Work<{ id: string; content: ReportContent }[]> {
  const rows = yield* all(publicPage, { after, now, limit });
  return rows.map(({ id, content }) => ({ id, content: JSON.parse(content) as ReportContent }));
}

export function* saveRanks(
  counted: readonly { readonly scale: ScoringScale; readonly ranks: Ranks }[],
  now: Instant,
): Work<void> {
  for (const { scale, ranks } of counted)
    yield* run(upsert, reportStandingTable.toRow({ ...scale, countedAt: now, ranks }));
  yield* run(dropOthers, { now });
}
