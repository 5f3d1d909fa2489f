import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isSqliteError, openSqliteConnection } from "../../../src/store/engine/sqlite-library.ts";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { all, run, Undo, type Database, type Work } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { openSqlite } from "../../../src/store/engine/sqlite.ts";
import { randomCases } from "../../support/long.ts";

/** Fails when the key is taken: nothing is said about conflicts. */
const insert = query<{ key: string }>()((db, $) =>
  db.insertInto("rate_window").values({ kind: "test", key: $.key, opened_at: 0, used: 0 }),
);
const keys = query<Record<string, never>>()((db) =>
  db.selectFrom("rate_window").select("key").orderBy("key"),
);
const clear = query<Record<string, never>>()((db) => db.deleteFrom("rate_window"));
const deferForeignKeys = query<Record<string, never>>()<{ none: null }>((db) => ({
  compile: () => sql<{ none: null }>`PRAGMA defer_foreign_keys = ON`.compile(db),
}));
const orphan = query<Record<string, never>>()((db) =>
  db.insertInto("sample").values({ server_id: "nobody's", sampled_at: 0, received_at: 0, detail: null }),
);

type End = "answers" | "undoes" | "throws";

/** A unit of work: the keys it inserts, one after the other, and how it ends. */
interface Plan {
  readonly keys: readonly string[];
  readonly end: End;
  readonly durability: "saved" | "relaxed";
}

function* carryOut({ keys, end }: Plan): Work<string> {
  for (const key of keys) yield* run(insert, { key });
  if (end === "throws") throw new RangeError(`thrown after ${keys.join()}`);
  if (end === "undoes") throw new Undo(`undone ${keys.join()}`);
  return `done ${keys.join()}`;
}

/** What each promise has to become when the works run one after the other, and the keys that are left. */
function expectedOf(plans: readonly Plan[]): { outcomes: string[]; left: string[] } {
  const left = new Set<string>();
  const outcomes = plans.map((plan) => {
    const written = new Set(left);
    for (const key of plan.keys) {
      if (written.has(key)) return "SQLITE_CONSTRAINT_PRIMARYKEY";
      written.add(key);
    }
    if (plan.end === "throws") return `thrown after ${plan.keys.join()}`;
    if (plan.end === "undoes") return `undone ${plan.keys.join()}`;
    for (const key of written) left.add(key);
    return `done ${plan.keys.join()}`;
  });
  return { outcomes, left: [...left].toSorted() };
}

const outcome = (settled: PromiseSettledResult<string>): string =>
  settled.status === "fulfilled"
    ? settled.value
    : isSqliteError(settled.reason)
      ? settled.reason.code
      : String(settled.reason?.message);

const plan: fc.Arbitrary<Plan> = fc.record({
  keys: fc.array(fc.constantFrom("a", "b", "c", "d", "e", "f"), { maxLength: 3 }),
  end: fc.constantFrom("answers", "answers", "undoes", "throws"),
  durability: fc.constantFrom("saved", "relaxed"),
});

const folder = mkdtempSync(join(tmpdir(), "tickmark-commit-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
  ["memory", ":memory:"],
  ["a file", join(folder, "commit.db")],
])("writes of one turn to %s", (_, path) => {
  let db: Database;
  beforeEach(async () => {
    db = openSqlite(path);
    await db.writeRelaxed(() => run(clear, {}));
  });
  afterEach(() => db.close());

  const left = async (): Promise<string[]> => (await db.read(() => all(keys, {}))).map(({ key }) => key);

  it("[OUR-STO-36] leave exactly what the succeeding ones wrote, and tell each its own outcome", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(plan, { maxLength: 12 }), async (plans) => {
        await db.writeRelaxed(() => run(clear, {}));
        const written = plans.map((each) =>
          (each.durability === "saved" ? db.write : db.writeRelaxed)(carryOut, each),
        );
        const settled = await Promise.allSettled(written);
        const expected = expectedOf(plans);
        expect(settled.map(outcome)).toEqual(expected.outcomes);
        expect(await left()).toEqual(expected.left);
      }),
      { numRuns: randomCases(400) },
    );
  });

  it("[OUR-STO-37] are none of them acknowledged when their commit fails, and the next turn works", async () => {
    const good = (key: string): Plan => ({ keys: [key], end: "answers", durability: "saved" });
    const spoil = function* (): Work<string> {
      yield* run(deferForeignKeys, {});
      yield* run(orphan, {});
      return "done";
    };
    for (const others of [[], [{ ...good("x"), end: "throws" } as const]]) {
      const writing = (plans: readonly Plan[]) => plans.map((each) => db.write(() => carryOut(each)));
      // The clock stands still: on a busy machine the first would have used up the time of a transaction.
      const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
      const works = [...writing([good("a")]), db.write(spoil), ...writing([...others, good("b")])];
      const settled = await Promise.allSettled(works);
      clock.mockRestore();
      expect(settled.map(({ status }) => status)).toEqual(settled.map(() => "rejected"));
      expect(outcome(settled[0] ?? { status: "fulfilled", value: "" })).toBe("SQLITE_CONSTRAINT_FOREIGNKEY");
      expect(await left()).toEqual([]);
    }
    expect(await db.write(() => carryOut(good("c")))).toBe("done c");
    expect(await left()).toEqual(["c"]);
  });

  it("[OUR-STO-36] one alone that fails leaves nothing, and tells its own error", async () => {
    const failing: Plan = { keys: ["a", "b", "a"], end: "answers", durability: "saved" };
    await expect(db.write(() => carryOut(failing))).rejects.toThrow(/UNIQUE/);
    expect(await db.write(() => carryOut({ ...failing, keys: ["a"], end: "undoes" }))).toBe("undone a");
    expect(await left()).toEqual([]);
  });

  it("[OUR-STO-36] share a transaction for 6 ms, and the others have the next ones, in their order", async () => {
    const order: string[] = [];
    let pass = 0;
    const counting = setInterval(() => (pass += 1), 0);
    const passes = new Set<number>();
    const slowly = function* (key: string): Work<void> {
      const until = performance.now() + 3;
      while (performance.now() < until);
      yield* run(insert, { key });
      passes.add(pass);
      order.push(key);
    };
    const written = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    await Promise.all(written.map((key) => db.write(slowly, key)));
    clearInterval(counting);
    expect(order).toEqual(written);
    expect(await left()).toEqual(written);
    expect(passes.size).toBeGreaterThanOrEqual(4);
  });

  it("[OUR-STO-36] that wait when the database is closed are written before", async () => {
    const waiting = db.write(() => carryOut({ keys: ["last"], end: "answers", durability: "saved" }));
    await db.close();
    expect(await waiting).toBe("done last");
    await expect(db.read(() => all(keys, {}))).rejects.toThrow(/not open/);
    await expect(db.write(() => run(clear, {}))).rejects.toThrow(/not open/);
    db = openSqlite(path);
    if (path !== ":memory:") expect(await left()).toEqual(["last"]);
  });
});

it("[OUR-STO-37] a write is acknowledged once others can read it", async () => {
  const path = join(folder, "acknowledged.db");
  const db = openSqlite(path);
  const other = openSqliteConnection(path, { readonly: true });
  const find = other.prepare<[string], { key: string }>("SELECT key FROM rate_window WHERE key = ?");
  const seen = await Promise.all(
    ["a", "b", "c"].map(async (key) => {
      await db.writeRelaxed(() => carryOut({ keys: [key], end: "answers", durability: "relaxed" }));
      return find.get(key)?.key;
    }),
  );
  expect(seen).toEqual(["a", "b", "c"]);
  other.close();
  await db.close();
});
