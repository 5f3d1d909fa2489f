import { beforeAll, describe, expect, it } from "vitest";
import { all, one, run, Undo, type Database, type Work } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { rehearsed, rehearseUnits, unrehearsed } from "../../support/rehearsal.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { times } from "./rows.ts";

const insert = query<{ key: string }>()((db, $) =>
  db.insertInto("rate_window").values({ kind: "test", key: $.key, opened_at: 0, used: 0 }),
);
const keys = query<Record<string, never>>()((db) =>
  db.selectFrom("rate_window").select("key").orderBy("key"),
);
const count = query<Record<string, never>>()((db) =>
  db.selectFrom("rate_window").select((eb) => eb.fn.countAll<number>().as("n")),
);

eachDatabase((databases, kind) => {
  let db: Database;
  let other: Database;
  beforeAll(async () => {
    rehearseUnits(["sqlite", "postgres"]);
    const url = await databases.url();
    db = await databases.open(url);
    other = sharedKinds.includes(kind) ? await databases.open(url) : db;
  });

  const stored = async (): Promise<string[]> => (await db.read(() => all(keys, {}))).map(({ key }) => key);

  describe("the debug mode that runs every unit of work twice", () => {
    let twice: Database;
    beforeAll(() => {
      twice = rehearsed(unrehearsed(db));
    });

    it("[OUR-STO-61] leaves what one run leaves, answers, undoes and throws as one run does", async () => {
      let runs = 0;
      const unit = (key: string, end: () => void) =>
        function* (): Work<string> {
          runs += 1;
          yield* run(insert, { key });
          end();
          return key;
        };
      const undo = (): never => {
        throw new Undo("undone");
      };
      const fail = (): never => {
        throw new RangeError("failed");
      };
      expect(await twice.write(unit("a", () => {}))).toBe("a");
      expect(await twice.write(unit("b", undo))).toBe("undone");
      await expect(twice.write(unit("c", fail))).rejects.toThrow(RangeError);
      expect([runs, await stored()]).toEqual([6, ["a"]]);
      await expect(twice.write(unit("a", () => {}))).rejects.toThrow(/UNIQUE|unique/);
      expect(await stored()).toEqual(["a"]);
    });

    it("[OUR-STO-61] finds a unit that remembers its first run, but where others' writes may come between", async () => {
      if (kind === "PostgreSQL") return void expect(await twice.read(() => one(count, {}))).toEqual({ n: 1 });
      let first = true;
      const forgetful = function* (): Work<void> {
        if (first) yield* run(insert, { key: "once" });
        first = false;
      };
      await expect(twice.write(forgetful)).rejects.toThrow("did something else when it was run again");
      const steps = all(keys, {});
      await expect(twice.read(() => steps)).rejects.toThrow("did something else when it was run again");
      expect(await stored()).toEqual(["a"]);
    });
  });

  it("[OUR-STO-62] a reading unit of several statements sees one state, whatever others write meanwhile", async () => {
    const looks = 40;
    const seen = function* (): Work<number[]> {
      const found: number[] = [];
      for (const _ of times(looks)) found.push((yield* one(count, {}))?.n ?? -1);
      return found;
    };
    const states = new Set<number>();
    for (const round of times(6)) {
      const writing = (async () => {
        for (const index of times(10))
          await other.writeRelaxed(() => run(insert, { key: `${round} ${index}` }));
      })();
      const found = await db.read(seen);
      expect(new Set(found).size).toBe(1);
      states.add(found[0] ?? -1);
      await writing;
    }
    // The rounds saw different states: something was written between them.
    expect(states.size).toBeGreaterThan(1);
  });

  it("[OUR-STO-62] what only reads is refused to write on PostgreSQL, where it may be run again", async () => {
    const writes = function* (): Work<void> {
      yield* all(keys, {});
      yield* run(insert, { key: "written while reading" });
    };
    const ended = db.read(writes).catch((error: Error) => error.cause);
    // 25006: read_only_sql_transaction.
    if (db.dialect === "postgres") expect(await ended).toMatchObject({ code: "25006" });
    await ended;
    expect((await stored()).includes("written while reading")).toBe(db.dialect === "sqlite");
  });
});
