import fc from "fast-check";
import pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { all, one, run, type Database, type Work } from "../../../src/store/engine/database.ts";
import { unrehearsed } from "../../support/rehearsal.ts";
import { randomCases } from "../../support/long.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import {
  add,
  carryOut,
  clear,
  everything,
  hold,
  insert,
  kinds,
  listed,
  outcome,
  plan,
  traced,
  used,
  type Plan,
} from "./grouped-units.ts";

eachDatabase((databases) => {
  let db: Database;
  let url: string;
  beforeAll(async () => {
    // Run twice, each unit would have a transaction of its own.
    url = await databases.url();
    db = unrehearsed(await databases.open(url));
  });

  const start = async (): Promise<void> => {
    await db.write(() => run(clear, {}));
    for (const kind of kinds.filter((each) => each !== "gone"))
      await db.write(() => run(insert, { kind, key: "lock", opened_at: 0, used: 0 }));
    await db.write(() => run(insert, { kind: "of all", key: "shared", opened_at: 0, used: 0 }));
  };
  const rows = () => db.read(() => all(everything, {}));

  describe("units of work that hold different rows", () => {
    it("answer and leave in one transaction what each does in its own", async () => {
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(plan, { selector: ({ kind }) => kind }), async (plans) => {
          await start();
          const apart: string[] = [];
          for (const each of plans)
            apart.push(outcome((await Promise.allSettled([db.write(carryOut, each)]))[0]));
          const left = await rows();
          await start();
          const together = await Promise.allSettled(
            plans.map((each) => db.writeFor(each.kind, carryOut, each)),
          );
          expect(together.map(outcome)).toEqual(apart);
          expect(await rows()).toEqual(left);
        }),
        { numRuns: randomCases(150) },
      );
    });

    const named = kinds.slice(0, 5);

    it("that hold the same row follow one another, however many come at once", async () => {
      await start();
      const acts: Plan["acts"] = [
        ["add", "lock"],
        ["list", ""],
      ];
      const written = Array.from({ length: 40 }, (_, index) => named[index % 2] ?? "").map((kind) =>
        db.writeFor(kind, carryOut, { kind, acts, end: "answers" }),
      );
      expect(new Set(await Promise.all(written)).size).toBe(20);
      expect(await db.read(() => one(used, { kind: kinds[0] ?? "" }))).toEqual({ used: 40 });
    });
    function* trace(kind: string): Work<{ sent: string; transaction: string } | null> {
      yield* one(hold, { kind });
      return yield* one(traced, { kind });
    }

    it("share a transaction and its statements on PostgreSQL", async () => {
      await start();
      if (db.dialect !== "postgres") return void expect(named.length).toBe(5);
      const seen = await Promise.all(named.map((kind) => db.writeFor(kind, trace, kind)));
      expect(new Set(seen.map((each) => each?.transaction)).size).toBe(1);
      expect(new Set(seen.map((each) => each?.sent)).size).toBe(1);
      const apart = await Promise.all(named.map((kind) => db.write(trace, kind)));
      expect(new Set(apart.map((each) => each?.transaction)).size).toBe(named.length);
    });

    it("right after a shared transaction wait a moment for those of later passes on PostgreSQL, and a lone one does not", async () => {
      await start();
      if (db.dialect !== "postgres") return void expect(named.length).toBe(5);
      const pass = () => new Promise((resolve) => setImmediate(resolve));
      const sharing = async (before: readonly string[]): Promise<boolean> => {
        await Promise.all(before.map((kind) => db.writeFor(kind, trace, kind)));
        const [first = "", second = ""] = named;
        const begun = db.writeFor(first, trace, first);
        await pass();
        const both = await Promise.all([begun, db.writeFor(second, trace, second)]);
        return both[0]?.transaction === both[1]?.transaction;
      };
      const rounds = async (before: readonly string[]): Promise<number> => {
        let shared = 0;
        for (let round = 0; round < 20; round += 1) shared += Number(await sharing(before));
        return shared;
      };
      expect(await rounds(named.slice(0, 1))).toBe(0);
      // A busy machine may let the moment pass between two passes.
      expect(await rounds(named)).toBeGreaterThan(0);
    });

    it("reads of one turn that begin alike are one statement on PostgreSQL, and find what each finds", async () => {
      await start();
      for (const [index, kind] of named.entries())
        await db.write(() => run(add, { kind, key: "lock", more: index }));
      const read = function* (kind: string): Work<number | undefined> {
        return (yield* one(used, { kind }))?.used;
      };
      const found = await Promise.all([...named, "gone"].map((kind) => db.read(read, kind)));
      expect(found).toEqual([0, 1, 2, 3, 4, undefined]);
      // A read of several statements sees one state, whatever it begins with.
      const twice = function* (kind: string): Work<(number | undefined)[]> {
        return [yield* read(kind), yield* read(kind)];
      };
      const mixed = await Promise.all(named.map((kind) => db.read(twice, kind)));
      expect(mixed).toEqual([0, 1, 2, 3, 4].map((value) => [value, value]));
      if (db.dialect !== "postgres") return;
      const sent = await Promise.all(named.map((kind) => db.read(() => one(traced, { kind }))));
      expect(new Set(sent.map((each) => each?.sent)).size).toBe(1);
      // Those of later turns wait for the statement that is under way.
      const later = named.map(async (kind, index) => {
        if (index > 1) await new Promise((resolve) => setImmediate(resolve));
        return (await db.read(() => one(traced, { kind })))?.sent;
      });
      expect(new Set(await Promise.all(later)).size).toBe(2);
    });

    it("are answered once statements are committed whose results they do not read, or with their failure", async () => {
      await start();
      const other = await databases.open(url);
      const fails = named[2] ?? "";
      await db.write(() => run(insert, { kind: fails, key: "b", opened_at: 0, used: 0 }));
      const acts: Plan["acts"] = [
        ["send", "a"],
        ["send", "b"],
      ];
      const seen = await Promise.all(
        named.map(async (kind) => {
          const ended = outcome(
            (await Promise.allSettled([db.writeFor(kind, carryOut, { kind, acts, end: "answers" })]))[0],
          );
          return [ended, (await other.read(() => all(listed, { kind }))).map(({ key }) => key)];
        }),
      );
      const failure = db.dialect === "postgres" ? "23505" : "SQLITE_CONSTRAINT_PRIMARYKEY";
      expect(seen).toEqual(
        named.map((kind) => (kind === fails ? [failure, ["lock", "b"]] : ["[]", ["lock", "b", "a"]])),
      );
      // The same where each has a transaction of its own.
      await expect(db.write(carryOut, { kind: fails, acts, end: "answers" })).rejects.toThrow();
      expect(await db.read(() => all(listed, { kind: fails }))).toHaveLength(2);
    });

    it("wait for a row that somebody else holds without the others of their group", async () => {
      await start();
      if (db.dialect !== "postgres") return void expect(named.length).toBe(5);
      const [held = "", ...free] = named;
      const holder = new pg.Client({ connectionString: url });
      await holder.connect();
      await holder.query("BEGIN");
      await holder.query("UPDATE rate_window SET used = 40 WHERE kind = $1 AND key = 'lock'", [held]);
      const acts: Plan["acts"] = [["add", "lock"]];
      const ended: string[] = [];
      const write = async (kind: string): Promise<void> => {
        await db.writeFor(kind, carryOut, { kind, acts, end: "answers" });
        ended.push(kind);
      };
      const waiting = write(held);
      await Promise.all(free.map(write));
      expect(ended.toSorted()).toEqual(free.toSorted());
      await holder.query("COMMIT");
      await waiting;
      await holder.end();
      expect(await db.read(() => one(used, { kind: held }))).toEqual({ used: 42 });
    });

    it("[OUR-STO-73] of one row are committed in the order in which they came, whoever holds the row meanwhile", async () => {
      if (db.dialect !== "postgres") return void expect(named.length).toBe(5);
      const [kind = "", ...free] = named;
      const holder = new pg.Client({ connectionString: url });
      await holder.connect();
      for (let round = 0; round < 30; round += 1) {
        await start();
        await holder.query("BEGIN");
        await holder.query("UPDATE rate_window SET used = 0 WHERE kind = $1 AND key = 'lock'", [kind]);
        const ended: number[] = [];
        const writes = [0, 1, 2, 3].map(async (number) => {
          await db.writeFor(kind, carryOut, { kind, acts: [["add", "lock"]], end: "answers" });
          ended.push(number);
        });
        // Each is another group that may find the row held.
        for (let group = 0; group < round % 6; group += 1) {
          const [other = ""] = free;
          await db.writeFor(other, carryOut, { kind: other, acts: [["add", "lock"]], end: "answers" });
        }
        await holder.query("COMMIT");
        await Promise.all(writes);
        expect([round, ended]).toEqual([round, [0, 1, 2, 3]]);
      }
      await holder.end();
    });

    it("[OUR-STO-37] are acknowledged once others can read them, and before the database is closed", async () => {
      const other = await databases.open(url);
      const closing = unrehearsed(await databases.open(url));
      await start();
      const acts: Plan["acts"] = [["insert", "a"]];
      const seen = await Promise.all(
        named.map(async (kind) => {
          await db.writeFor(kind, carryOut, { kind, acts, end: "answers" });
          return (await other.read(() => all(listed, { kind }))).map(({ key }) => key);
        }),
      );
      expect(seen).toEqual(named.map(() => ["lock", "a"]));
      const last = named.map((kind) =>
        closing.writeFor(kind, carryOut, { kind, acts: [["put", "b"]], end: "answers" }),
      );
      await closing.close();
      expect(await Promise.all(last)).toEqual(named.map(() => "[1]"));
    });
  });
}, sharedKinds);
