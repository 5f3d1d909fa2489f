import { sql } from "kysely";
import type { Consumed, WindowRule, WindowState } from "../../core/access/rate-window.ts";
import { type Instant, ownClockToleranceMs } from "../../core/time.ts";
import { type Work, one, run, Undo, type Database, type Result, type Step } from "../engine/database.ts";
import { query } from "../engine/query.ts";

interface Row {
  opened_at: number;
  used: number;
}

/**
 * Counts one call in a window and answers it; answers no row when the window is full. A window that is over
 * opens again with this call. One statement: whoever asks at the same time waits for the row.
 */
const consume = query<{ kind: string; key: string; now: number; length: number; limit: number }>()<Row>((
  db,
  $,
) => {
  const over = sql`(w.opened_at + ${$.length} <= excluded.opened_at OR w.opened_at > excluded.opened_at + ${ownClockToleranceMs})`;
  return {
    compile: () =>
      sql<Row>`
        INSERT INTO rate_window AS w (kind, key, opened_at, used) VALUES (${$.kind}, ${$.key}, ${$.now}, 1)
        ON CONFLICT (kind, key) DO UPDATE SET
          used = CASE WHEN ${over} THEN 1 ELSE w.used + 1 END,
          opened_at = CASE WHEN ${over} THEN excluded.opened_at ELSE w.opened_at END
        WHERE w.used < ${$.limit} OR ${over}
        RETURNING opened_at, used`.compile(db),
  };
});

const giveBack = query<{ kind: string; key: string; opened: number }>()((db, $) =>
  db
    .updateTable("rate_window")
    .set((eb) => ({ used: eb("used", "-", 1) }))
    .where("kind", "=", $.kind)
    .where("key", "=", $.key)
    .where("opened_at", "=", $.opened)
    .where("used", ">", 0),
);

const close = query<{ kind: string; key: string }>()((db, $) =>
  db.deleteFrom("rate_window").where("kind", "=", $.kind).where("key", "=", $.key),
);

const find = query<{ kind: string; key: string }>()((db, $) =>
  db
    .selectFrom("rate_window")
    .select(["opened_at", "used"])
    .where("kind", "=", $.kind)
    .where("key", "=", $.key),
);

const stateOf = ({ limit, lengthMs }: WindowRule, row: Row | null, now: number): WindowState =>
  row === null || row.opened_at + lengthMs <= now || row.opened_at > now + ownClockToleranceMs
    ? { limit, used: 0, lengthMs, resetAt: null }
    : { limit, used: row.used, lengthMs, resetAt: row.opened_at + lengthMs };

export function* selectWindowStates(
  rules: readonly WindowRule[],
  now: number,
): Generator<Step, WindowState[], Result> {
  const states: WindowState[] = [];
  for (const rule of rules)
    states.push(stateOf(rule, yield* one(find, { kind: rule.kind, key: rule.key }), now));
  return states;
}

/** Counts in every window; the place of the full one, and nothing counted, when there is one. */
function* countAll(
  rules: readonly WindowRule[],
  now: number,
): Generator<Step, WindowState[] | number, Result> {
  const states: WindowState[] = [];
  for (const [place, rule] of rules.entries()) {
    const row =
      rule.limit === 0
        ? null
        : yield* one(consume, {
            kind: rule.kind,
            key: rule.key,
            now,
            length: rule.lengthMs,
            limit: rule.limit,
          });
    if (row) {
      states.push(stateOf(rule, row, now));
      continue;
    }
    if (states.length > 0) throw new Undo(place);
    return place;
  }
  return states;
}

/**
 * Counts one call in every rule's window, or in none when one of them is full: a single atomic step
 * whatever number of processes asks.
 */
export async function consumeWindows(
  db: Database,
  rules: readonly WindowRule[],
  now: Instant,
): Promise<Consumed> {
  const counted = await db.writeRelaxed(() => countAll(rules, now));
  if (typeof counted !== "number") return { granted: true, full: null, states: counted };
  return { granted: false, full: counted, states: await db.read(() => selectWindowStates(rules, now)) };
}

/** Takes one counted call back, unless the window that counted it, which ends at `resetAt`, is over. */
export function* giveBackToWindow({ kind, key, lengthMs }: WindowRule, resetAt: Instant): Work<void> {
  yield* run(giveBack, { kind, key, opened: resetAt - lengthMs });
}

/** Closes a window: the next call opens it anew. */
export function* closeWindow({ kind, key }: WindowRule): Work<void> {
  yield* run(close, { kind, key });
}
