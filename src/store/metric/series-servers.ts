import { largerPlan, PlanName } from "../../core/access/plan.ts";
import { all, type Database } from "../engine/database.ts";
import { query } from "../engine/query.ts";

/** Servers per statement, with three index look-ups each. */
const serversAtATime = 200;

interface PlanRow {
  readonly plan: string;
  readonly kept_plan: string | null;
  readonly kept_plan_until: number | null;
}

interface ServerRow extends PlanRow {
  id: string;
  oldest_sample: number | null;
  oldest_block: number | null;
  oldest_event: number | null;
}

/** The data of an unlinked server ages by its last owner's plan. */
const serversAfter = query<{ after: string; limit: number }>()((db, $) =>
  db
    .selectFrom("server as s")
    .innerJoin("account as a", "a.id", "s.linked_by")
    .select(["s.id", "a.plan", "a.kept_plan", "a.kept_plan_until"])
    .select((eb) => [
      eb
        .selectFrom("sample")
        .select((of) => of.fn.min("sampled_at").as("at"))
        .whereRef("sample.server_id", "=", "s.id")
        .as("oldest_sample"),
      eb
        .selectFrom("sample_block")
        .select((of) => of.fn.min("day").as("at"))
        .whereRef("sample_block.server_id", "=", "s.id")
        .as("oldest_block"),
      eb
        .selectFrom("server_event")
        .select((of) => of.fn.min("timeline_at").as("at"))
        .whereRef("server_event.server_id", "=", "s.id")
        .as("oldest_event"),
    ])
    .where("s.id", ">", $.after)
    .orderBy("s.id")
    .limit($.limit),
);

/** The account's plan, or a larger one that lapsed recently: it decides how long rows stay. */
export const keptPlanOf = ({ plan, kept_plan, kept_plan_until }: PlanRow, now: number): PlanName => {
  const holds = kept_plan !== null && kept_plan_until !== null && kept_plan_until > now;
  return largerPlan(PlanName.parse(plan), holds ? PlanName.parse(kept_plan) : null);
};

interface SeriesServer {
  readonly id: string;
  readonly keptPlan: PlanName;
  readonly oldestSample: number | null;
  readonly oldestBlock: number | null;
  readonly oldestEvent: number | null;
}

export async function* eachServer(db: Database, now: number): AsyncGenerator<SeriesServer> {
  for (let after: string | null = ""; after !== null;) {
    const from: string = after;
    const rows: ServerRow[] = await db.read(() => all(serversAfter, { after: from, limit: serversAtATime }));
    for (const row of rows) {
      yield {
        id: row.id,
        keptPlan: keptPlanOf(row, now),
        oldestSample: row.oldest_sample,
        oldestBlock: row.oldest_block,
        oldestEvent: row.oldest_event,
      };
    }
    after = rows.at(-1)?.id ?? null;
  }
}
