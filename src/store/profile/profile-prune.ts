import { sql } from "kysely";
import type { Plans } from "../../core/access/plan.ts";
import { keptMs } from "../../core/job/prune.ts";
import { retainedFrom } from "../../core/metric/clock.ts";
import { all, run, type Database } from "../engine/database.ts";
import { documentsAtATime, dropBeyond } from "./document-limits.ts";
import { query } from "../engine/query.ts";
import { keptPlanOf } from "../metric/series-servers.ts";

/** Summaries deleted in one transaction, each with the ten owners it lists. */
const summariesAtATime = 100;

/** Servers looked at in one statement. */
const serversAtATime = 200;

/** What each server has of what its owner's plan limits. */
const serversAfter = query<{ after: string; limit: number }>()((db, $) =>
  db
    .selectFrom("server as s")
    .innerJoin("account as a", "a.id", "s.linked_by")
    .select(["s.id", "a.plan", "a.kept_plan", "a.kept_plan_until"])
    .select((of) => [
      of
        .selectFrom("profile_document as d")
        .select((of) => of.fn.countAll<number>().as("rows"))
        .whereRef("d.server_id", "=", "s.id")
        .as("profiles"),
      of
        .selectFrom("profile_document as d")
        .select((of) => of.fn.min("d.uploaded_at").as("at"))
        .whereRef("d.server_id", "=", "s.id")
        .as("oldest_profile"),
      of
        .selectFrom("memory_report as r")
        .select((of) => of.fn.countAll<number>().as("rows"))
        .whereRef("r.server_id", "=", "s.id")
        .as("memory_reports"),
    ])
    .where("s.id", ">", $.after)
    .orderBy("s.id")
    .limit($.limit),
);

const oldProfiles = query<{ server: string; before: number }>()((db, $) =>
  db
    .deleteFrom("profile_document")
    .where("id", "in", (of) =>
      of
        .selectFrom("profile_document")
        .select("id")
        .where("server_id", "=", $.server)
        .where("uploaded_at", "<", $.before)
        .orderBy("uploaded_at")
        .limit(sql.lit(documentsAtATime)),
    ),
);

const oldSummaries = query<{ before: number }>()((db, $) =>
  db
    .deleteFrom("profile_summary")
    .where("id", "in", (of) =>
      of
        .selectFrom("profile_summary")
        .select("id")
        .where("uploaded_at", "<", $.before)
        .orderBy("uploaded_at")
        .limit(sql.lit(summariesAtATime)),
    ),
);

interface Held {
  readonly id: string;
  readonly plan: string;
  readonly kept_plan: string | null;
  readonly kept_plan_until: number | null;
  readonly profiles: number | null;
  readonly oldest_profile: number | null;
  readonly memory_reports: number | null;
}

async function* eachHolder(db: Database): AsyncGenerator<Held> {
  for (let after: string | null = ""; after !== null;) {
    const from: string = after;
    const rows: Held[] = await db.read(() => all(serversAfter, { after: from, limit: serversAtATime }));
    yield* rows;
    after = rows.at(-1)?.id ?? null;
  }
}

/** Repeats a step until it deletes less than it may. */
async function* whileFull(most: number, step: () => Promise<number>): AsyncGenerator<number> {
  for (let deleted = most; deleted >= most;) {
    deleted = await step();
    if (deleted > 0) yield deleted;
  }
}

/**
 * Deletes full profiles and memory reports beyond what their owner's plan keeps of each server, and summaries that
 * are a year old. Ages are counted from the upload, by our clock: no server's clock keeps or loses anything.
 */
export async function* pruneProfiles(db: Database, now: number, plans: Plans): AsyncGenerator<number> {
  const yearAgo = now - keptMs.profileSummary;
  for await (const held of eachHolder(db)) {
    const kept = plans[keptPlanOf(held, now)];
    // Documents go before their summaries do: those take along whatever is left.
    const before = Math.max(retainedFrom(kept.profile_days, now), yearAgo);
    if ((held.oldest_profile ?? now) < before)
      yield* whileFull(documentsAtATime, () =>
        db.writeRelaxed(() => run(oldProfiles, { server: held.id, before })),
      );
    for (const [table, rows, most] of [
      ["profile_document", held.profiles, kept.profiles],
      ["memory_report", held.memory_reports, kept.memory_reports],
    ] as const) {
      if ((rows ?? 0) <= most) continue;
      yield* whileFull(documentsAtATime, () =>
        db.writeRelaxed(function* () {
          return (yield* dropBeyond(table, held.id, most)).length;
        }),
      );
    }
  }
  yield* whileFull(summariesAtATime, () => db.writeRelaxed(() => run(oldSummaries, { before: yearAgo })));
}
