import { sql, type RawBuilder } from "kysely";
import type { Consumed, WindowRule, WindowState } from "../../core/access/rate-window.ts";
import { type Instant, ownClockToleranceMs } from "../../core/time.ts";
import { all, type Work, one, run, Undo, type Database } from "../engine/database.ts";
import { CallsTogether } from "../engine/calls-together.ts";
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
 * Counts `calls` calls in each window, and returns the windows that counted them: one without room for all does
 * not. An expired window reopens. One statement, so that concurrent calls wait for the rows in the same order.
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
      (_, index) =>
        sql`(${place(`kind${index}`)}, ${place(`key${index}`)}, ${place("now")}, ${place("calls")})`,
    );
    const over = sql`(w.opened_at + ${own("length")} <= excluded.opened_at OR w.opened_at > excluded.opened_at + ${ownClockToleranceMs})`;
    return {
      compile: () =>
        sql<CountedRow>`
        INSERT INTO rate_window AS w (kind, key, opened_at, used) VALUES ${sql.join(rows)}
        ON CONFLICT (kind, key) DO UPDATE SET
          used = CASE WHEN ${over} THEN excluded.used ELSE w.used + excluded.used END,
          opened_at = CASE WHEN ${over} THEN excluded.opened_at ELSE w.opened_at END
        WHERE w.used + excluded.used <= ${own("limit")} OR ${over}
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

/**
 * Counts `calls` calls, at most as many as each limit, in every window or in none: then it returns the index of the
 * first window without room. One statement counts in all windows: on PostgreSQL each statement is a round trip.
 */
function* countTogether(
  rules: readonly WindowRule[],
  now: number,
  calls: number,
): Work<WindowState[] | number> {
  const counting = consume[rules.length - 1];
  if (!counting) throw new Error(`A call cannot count in ${rules.length} windows at once.`);
  const values: Record<string, string | number> = { now, calls };
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
}

/**
 * Counts a call in every window, or in none: then it returns the index of the first full one. On SQLite no other write
 * comes between two statements, so it looks first. RETURNING opens a temporary table at each run: a call took 40 µs with
 * it, and takes 7 µs this way.
 */
function* countInTurn(rules: readonly WindowRule[], now: number): Work<WindowState[] | number> {
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
}

const refused = (states: readonly WindowState[]): Consumed => ({
  granted: false,
  full: states.findIndex(({ used, limit }) => used >= limit),
  states,
});

/**
 * Counts so many calls in every window, as many as there is room for, and returns one result a call, the granted ones
 * first. Another process may take the room meanwhile: then fewer are tried.
 */
async function consumeSeveral(
  db: Database,
  rules: readonly WindowRule[],
  calls: number,
  now: Instant,
): Promise<Consumed[]> {
  const results: Consumed[] = [];
  let room = Math.min(calls, ...rules.map(({ limit }) => limit));
  for (;;) {
    const trying = Math.min(room, calls - results.length);
    const counted = trying > 0 ? await db.writeRelaxed(countTogether, rules, now, trying) : null;
    if (typeof counted === "object" && counted !== null)
      for (let left = trying - 1; left >= 0; left -= 1)
        results.push({
          granted: true,
          full: null,
          states: counted.map(({ limit, used, lengthMs, resetAt }) => ({
            limit,
            used: used - left,
            lengthMs,
            resetAt,
          })),
        });
    if (results.length === calls) return results;
    const states = await db.read(selectWindowStates, rules, now);
    room = Math.min(...states.map(({ limit, used }) => limit - used));
    if (room <= 0)
      return [...results, ...Array.from({ length: calls - results.length }, () => refused(states))];
  }
}

interface WindowCall {
  readonly rules: readonly WindowRule[];
  readonly now: Instant;
}

const together = new WeakMap<Database, CallsTogether<WindowCall, Consumed>>();

/** On PostgreSQL a statement and its commit cost more than a call: calls in the same windows share them. */
function callsTogether(db: Database): CallsTogether<WindowCall, Consumed> {
  const known = together.get(db);
  if (known) return known;
  const made = new CallsTogether<WindowCall, Consumed>((calls) => {
    const rules = calls[0]?.rules ?? [];
    return consumeSeveral(db, rules, calls.length, Math.max(...calls.map(({ now }) => now)));
  });
  together.set(db, made);
  return made;
}

/** Counts one call in every rule's window, or in none if one is full. Atomic across processes. */
export async function consumeWindows(
  db: Database,
  rules: readonly WindowRule[],
  now: Instant,
): Promise<Consumed> {
  if (db.dialect === "postgres") return callsTogether(db).add(JSON.stringify(rules), { rules, now });
  const counted = await db.writeRelaxed(countInTurn, rules, now);
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
