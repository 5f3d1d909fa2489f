import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { changePlan } from "../../../src/services/access/change-plan.ts";
import { selectPresentedToken, updateTokenRevoked } from "../../../src/store/access/tokens.ts";
import { consumeWindows } from "../../../src/store/access/rate-windows.ts";
import type { CachedRead, Database, Work } from "../../../src/store/engine/database.ts";
import { one, run } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { unrehearsed } from "../../support/rehearsal.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { newAccount, newServer, newToken, noon, times } from "./rows.ts";

const second = 1000;

/** A unit with its own count of how often it is really run. */
function countedRead() {
  const counts = { runs: 0 };
  const plan = query<{ id: string }>()((db, $) =>
    db.selectFrom("account").select("plan").where("id", "=", $.id),
  );
  function* planOf(id: string): Work<string | null> {
    counts.runs += 1;
    return (yield* one(plan, { id }))?.plan ?? null;
  }
  return { counts, planOf };
}

const rename = query<{ id: string; name: string }>()((db, $) =>
  db.updateTable("server").set({ name: $.name }).where("id", "=", $.id),
);
function* renamed(id: string, name: string): Work<void> {
  yield* run(rename, { id, name });
}
// A unit that fails before its first statement.
// oxlint-disable-next-line require-yield
function* failing(): Work<void> {
  throw new Error("failed");
}
const nameOf = query<{ id: string }>()((db, $) =>
  db.selectFrom("server").select("name").where("id", "=", $.id),
);
function* named(id: string): Work<string | null> {
  return (yield* one(nameOf, { id }))?.name ?? null;
}

eachDatabase((databases) => {
  let db: Database;
  let elsewhere: Database;
  beforeAll(async () => {
    const url = await databases.url();
    db = unrehearsed(await databases.open(url));
    elsewhere = unrehearsed(await databases.open(url));
  });
  const aged = (key: string, now = noon): CachedRead => ({ key, maxAgeMs: second, now });

  it("[OUR-STO-70] an answer is given again until a unit has written, whatever it wrote", async () => {
    const { id } = await newAccount(db);
    const other = await newAccount(db);
    const { counts, planOf } = countedRead();
    const read = () => db.readCached(aged(id), planOf, id);
    expect([await read(), await read(), counts.runs]).toEqual(["pro", "pro", 1]);
    await db.write(changePlan, other.id, "hosting", noon);
    expect([await read(), counts.runs]).toEqual(["pro", 2]);
    await db.write(changePlan, id, "free", noon);
    expect([await read(), counts.runs]).toEqual(["free", 3]);
    // One that fails may have written.
    await expect(db.write(failing)).rejects.toThrow("failed");
    expect([await read(), counts.runs]).toEqual(["free", 4]);
  });

  it("[OUR-STO-70] a read that began before a write was acknowledged is no answer after it", async () => {
    const { id } = await newAccount(db);
    const { planOf } = countedRead();
    for (const plan of ["free", "hosting", "free"] as const) {
      const reads = times(5).map(() => db.readCached(aged(id), planOf, id));
      const write = db.write(changePlan, id, plan, noon);
      reads.push(db.readCached(aged(id), planOf, id));
      await write;
      expect(await db.readCached(aged(id), planOf, id)).toBe(plan);
      await Promise.all(reads);
      expect(await db.readCached(aged(id), planOf, id)).toBe(plan);
    }
  });

  it("[OUR-STO-70] an answer that is too old, or from later, is read anew; relaxed writes end none by themselves", async () => {
    const { id } = await newAccount(db);
    const { counts, planOf } = countedRead();
    const runsAt = async (now: number): Promise<number> => {
      await db.readCached(aged(id, now), planOf, id);
      return counts.runs;
    };
    expect(await runsAt(noon)).toBe(1);
    expect(await runsAt(noon + second)).toBe(1);
    expect(await runsAt(noon + second + 1)).toBe(2);
    expect(await runsAt(noon - 1)).toBe(3);
    const window = { kind: "token_hour", key: id, lengthMs: second, limit: 1 } as const;
    await consumeWindows(db, [window], noon);
    expect(await runsAt(noon - 1)).toBe(3);
    db.endCached(null);
    expect(await runsAt(noon - 1)).toBe(4);
  });

  it("what was not found is read anew, and so is what was read before 2,000 others", async () => {
    const { counts, planOf } = countedRead();
    for (const _ of times(3)) expect(await db.readCached(aged("nobody"), planOf, "nobody")).toBeNull();
    expect(counts.runs).toBe(3);
    let runs = 0;
    // It runs no statement: two thousand of one would take seconds.
    // oxlint-disable-next-line require-yield
    function* echo(text: string): Work<string> {
      runs += 1;
      return text;
    }
    const read = (index: number) => db.readCached(aged(`${index}`), echo, `${index}`);
    for (const index of times(2001)) await read(index);
    expect([await read(2000), await read(1), runs]).toEqual(["2000", "1", 2001]);
    expect([await read(0), runs]).toEqual(["0", 2002]);
  });

  it("an answer under a lock outlives what others write under theirs, and no write of its own", async () => {
    const account = await newAccount(db);
    const { server: a } = await newServer(db, account);
    const { server: b } = await newServer(db, account);
    await db.write(renamed, a.id, "Old");
    let runs = 0;
    function* counted(id: string): Work<string | null> {
      runs += 1;
      return yield* named(id);
    }
    const read = (lock?: string) =>
      db.readCached({ key: a.id, ...(lock && { lock }), maxAgeMs: second, now: noon }, counted, a.id);
    await read(a.id);
    await db.writeFor(b.id, renamed, b.id, "Other");
    expect([await read(a.id), runs]).toEqual(["Old", 1]);
    await db.writeFor(a.id, renamed, a.id, "New");
    expect([await read(a.id), runs]).toEqual(["New", 2]);
    await db.writeRelaxed(renamed, a.id, "Newer");
    db.endCached(a.id);
    expect([await read(a.id), runs]).toEqual(["Newer", 3]);
    await db.write(renamed, b.id, "Third");
    expect([await read(a.id), runs]).toEqual(["Newer", 4]);
    // Without a lock an answer is not about one server: it outlives what is written under any lock.
    await read();
    await db.writeFor(b.id, renamed, b.id, "Fourth");
    await read();
    expect(runs).toBe(5);
  });

  it("[OUR-STO-70] what another process writes is seen at once on SQLite, and within the age on PostgreSQL", async () => {
    const { id } = await newAccount(db);
    const { counts, planOf } = countedRead();
    await db.readCached(aged(id), planOf, id);
    await elsewhere.write(changePlan, id, "enterprise", noon);
    await delay(6);
    const soon = await db.readCached(aged(id, noon + second), planOf, id);
    expect(soon).toBe(db.dialect === "sqlite" ? "enterprise" : "pro");
    expect(await db.readCached(aged(id, noon + second + 1), planOf, id)).toBe("enterprise");
    // Without an age, PostgreSQL is asked each time, and SQLite as long as nothing changes not at all.
    counts.runs = 0;
    for (const _ of times(3)) await db.readCached({ key: "exact", maxAgeMs: null, now: noon }, planOf, id);
    expect(counts.runs).toBe(db.dialect === "sqlite" ? 1 : 3);
  });

  it("[OUR-STO-70] a token that another process revokes is refused within one second", async () => {
    const { token, digest } = await newToken(db, await newAccount(db));
    const seen = async (now: number) =>
      (await db.readCached(aged(digest, now), selectPresentedToken, digest, now))?.token.revokedAt;
    expect(await seen(noon)).toBeNull();
    await elsewhere.write(updateTokenRevoked, token.id, noon + 1);
    await delay(6);
    expect(await seen(noon + 1 + second)).toBe(noon + 1);
  });
}, sharedKinds);
