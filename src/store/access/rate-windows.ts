import { sql, type RawBuilder } from "kysely";
import type { Consumed, WindowRule, WindowState } from "../../core/access/rate-window.ts";
import { type Instant, ownClockToleranceMs } from "../../core/time.ts";
import { all, type Work, one, run, Undo, type Database } from "../engine/database.ts";
import { query } from "../engine/query.ts";

interface Row {
  opened_at: number;
  used: number;
}

interface CountedRow extends Row {
  kind: string;
  key: string;
}

/** Rule n has the parameters `kind{n}`, `key{n}`, `length{n}` and `limit{n}`. */
type CountedRules = Readonly<Record<string, string | number>>;

/**
 * Counts one call in each window, and returns the windows that counted it: a full one does not. An expired
 * window reopens. One statement, so that concurrent calls wait for the rows in the same order.
 */
const consumeOf = (windows: number) =>
  query<CountedRules>()<CountedRow>((db, $) => {
    const place = (name: string) => sql`${$[name] ?? null}`;
    const own = (name: string, index = 0): RawBuilder<unknown> => {
      const value = sql`CAST(${place(`${name}${index}`)} AS BIGINT)`;
      return index === windows - 1
        ? value
        : sql`CASE WHEN excluded.kind = ${place(`kind${index}`)} AND excluded.key = ${place(`key${index}`)} THEN ${value} ELSE ${own(name, index + 1)} END`;
    };
    const rows = Array.from(
      { length: windows },
      (_, index) => sql`(${place(`kind${index}`)}, ${place(`key${index}`)}, ${place("now")}, 1)`,
    );
    const over = sql`(w.opened_at + ${own("length")} <= excluded.opened_at OR w.opened_at > excluded.opened_at + ${ownClockToleranceMs})`;
    return {
      compile: () =>
        sql<CountedRow>`
        INSERT INTO rate_window AS w (kind, key, opened_at, used) VALUES ${sql.join(rows)}
        ON CONFLICT (kind, key) DO UPDATE SET
          used = CASE WHEN ${over} THEN 1 ELSE w.used + 1 END,
          opened_at = CASE WHEN ${over} THEN excluded.opened_at ELSE w.opened_at END
        WHERE w.used < ${own("limit")} OR ${over}
        RETURNING kind, key, opened_at, used`.compile(db),
    };
  });

const consume = [1, 2, 3, 4].map(consumeOf);

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

const count = query<{ kind: string; key: string }>()((db, $) =>
  db
    .updateTable("rate_window")
    .set((eb) => ({ used: eb("used", "+", 1) }))
    .where("kind", "=", $.kind)
    .where("key", "=", $.key),
);

const open = query<{ kind: string; key: string; now: number }>()((db, $) =>
  db
    .insertInto("rate_window")
    .values({ kind: $.kind, key: $.key, opened_at: $.now, used: 1 })
    .onConflict((conflict) => conflict.columns(["kind", "key"]).doUpdateSet({ opened_at: $.now, used: 1 })),
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

export function* selectWindowStates(rules: readonly WindowRule[], now: number): Work<WindowState[]> {
  const states: WindowState[] = [];
  for (const rule of rules) states.push(stateOf(rule, yield* one(find, rule), now));
  return states;
}

/** Counts in every window, or in none: then it returns the index of the first full window. */
type Counting = (rules: readonly WindowRule[], now: number) => Work<WindowState[] | number>;

/** One statement counts in all windows, because on PostgreSQL each statement is a round trip. */
const countTogether: Counting = function* (rules, now) {
  if (rules.some(({ limit }) => limit === 0))
    return (yield* selectWindowStates(rules, now)).findIndex(({ used, limit }) => used >= limit);
  const counting = consume[rules.length - 1];
  if (!counting) throw new Error(`A call cannot count in ${rules.length} windows at once.`);
  const values: Record<string, string | number> = { now };
  for (const [index, { kind, key, lengthMs, limit }] of rules.entries()) {
    values[`kind${index}`] = kind;
    values[`key${index}`] = key;
    values[`length${index}`] = lengthMs;
    values[`limit${index}`] = limit;
  }
  const rows = yield* all(counting, values);
  const states: WindowState[] = [];
  for (const [place, rule] of rules.entries()) {
    const row = rows.find(({ kind, key }) => kind === rule.kind && key === rule.key);
    if (row) states.push(stateOf(rule, row, now));
    else if (rows.length === 0) return place;
    else throw new Undo(place);
  }
  return states;
};

/**
 * On SQLite no other write comes between two statements, so it looks first. RETURNING opens a temporary table
 * at each run: a call took 40 µs with it, and takes 7 µs this way.
 */
const countInTurn: Counting = function* (rules, now) {
  const states = yield* selectWindowStates(rules, now);
  const full = states.findIndex(({ used, limit }) => used >= limit);
  if (full >= 0) return full;
  const counted: WindowState[] = [];
  for (const [place, { kind, key, lengthMs }] of rules.entries()) {
    const state = states[place];
    if (state === undefined) throw new Error("Each rule has a state.");
    const isOpen = state.resetAt !== null;
    yield isOpen ? { query: count, values: { kind, key } } : { query: open, values: { kind, key, now } };
    counted.push({ ...state, used: state.used + 1, resetAt: state.resetAt ?? now + lengthMs });
  }
  return counted;
};

/** Counts one call in every rule's window, or in none if one is full. Atomic across processes. */
export async function consumeWindows(
  db: Database,
  rules: readonly WindowRule[],
  now: Instant,
): Promise<Consumed> {
  const counting = db.dialect === "sqlite" ? countInTurn : countTogether;
  const counted = await db.writeRelaxed(counting, rules, now);
  if (typeof counted !== "number") return { granted: true, full: null, states: counted };
  return { granted: false, full: counted, states: await db.read(() => selectWindowStates(rules, now)) };
}

/** Takes back one counted call, unless the window that counted it (ending at `resetAt`) is over. */
export function* giveBackToWindow({ kind, key, lengthMs }: WindowRule, resetAt: Instant): Work<void> {
  yield* run(giveBack, { kind, key, opened: resetAt - lengthMs });
}

export function* closeWindow({ kind, key }: WindowRule): Work<void> {
  yield* run(close, { kind, key });
}
