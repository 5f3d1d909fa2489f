import type { Database } from "../../../src/store/engine/database.ts";
import { changeServer } from "../../../src/services/server/change-server.ts";
import { selectGroups, selectGroup } from "../../../src/store/server/groups.ts";
import { changeGroup } from "../../../src/services/server/change-group.ts";
import { addGroup } from "../../../src/services/server/add-group.ts";
import { beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import type { Replay } from "../../../src/core/replay.ts";
import { eachDatabase } from "../../support/databases.ts";
import { day, minute, newAccount, newId, newServer, noon, times } from "../engine/rows.ts";

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  const send = (account: Account, name: string, replay: Partial<Replay> = {}) => {
    const now = replay.now ?? noon;
    const group = { id: newId(), accountId: account.id, name, color: null, now, limit: 20 };
    return db.write(addGroup, group, {
      accountId: account.id,
      route: "groups",
      key: null,
      bodyDigest: name,
      now,
      ...replay,
    });
  };
  const made = async (account: Account, name: string, replay: Partial<Replay> = {}) => {
    const result = await send(account, name, replay);
    if (result?.kind !== "created") throw new Error(`No group was made: ${result?.kind}`);
    return result.value;
  };
  const kindOf = async (...sent: Parameters<typeof send>) => (await send(...sent))?.kind;

  it("[SRV-05] a new group is the account's last, empty, and found by nobody else", async () => {
    const account = await newAccount(db);
    const first = await made(account, "Hub");
    expect(first).toMatchObject({
      name: "Hub",
      color: null,
      sortOrder: 0,
      serverCount: 0,
      createdAt: noon,
      updatedAt: noon,
    });
    expect((await made(account, "Games")).sortOrder).toBe(1);
    await db.write(changeGroup, first.id, { sortOrder: 9999 }, noon);
    expect((await made(account, "Last")).sortOrder).toBe(9999);
    expect(await db.read(selectGroup, first.id, (await newAccount(db)).id)).toBeNull();
    expect((await db.read(selectGroup, first.id, account.id))?.sortOrder).toBe(9999);
  });

  it("[SRV-19] twenty groups hold when thirty are made at once", async () => {
    const account = await newAccount(db);
    const results = await Promise.all(times(30).map((index) => send(account, `group ${index}`)));
    expect(results.filter((result) => result?.kind === "created")).toHaveLength(20);
    expect(results.filter((result) => result === null)).toHaveLength(10);
    const groups = await db.read(selectGroups, account.id);
    expect(groups.map(({ sortOrder }) => sortOrder)).toEqual(times(20));
  });

  it("[SRV-19] a creation that is repeated at the limit answers with what it made", async () => {
    const account = await newAccount(db);
    for (const index of times(20)) await made(account, `group ${index}`);
    expect(await kindOf(account, "group 19")).toBe("same");
    expect(await send(account, "group 20")).toBeNull();
  });

  it("[SRV-04] groups are listed by sort order, then age, then id", async () => {
    const account = await newAccount(db);
    const names = [];
    for (const [name, now] of [
      ["c", noon + 1],
      ["a", noon],
      ["b", noon],
    ] as const)
      names.push(await made(account, name, { now }));
    for (const { id } of names) await db.write(changeGroup, id, { sortOrder: 5 }, noon);
    const front = await made(account, "front", { now: noon + 2 });
    await db.write(changeGroup, front.id, { sortOrder: 1 }, noon);
    expect((await db.read(selectGroups, account.id)).map(({ name }) => name)).toEqual([
      "front",
      "a",
      "b",
      "c",
    ]);
  });

  it("[SRV-07] [SRV-22] a group counts the servers sorted into it", async () => {
    const account = await newAccount(db);
    const { id } = await made(account, "Hub");
    const servers = [await newServer(db, account), await newServer(db, account)];
    for (const { server } of [...servers, ...servers])
      await db.write(changeServer, server.id, { groupId: id });
    expect((await db.read(selectGroup, id, account.id))?.serverCount).toBe(2);
    await db.write(changeServer, servers[0]?.server.id ?? "", { groupId: null });
    expect((await db.read(selectGroups, account.id))[0]?.serverCount).toBe(1);
  });

  it("[SRV-06] edits of different fields made at once all hold, and each is a new version", async () => {
    const account = await newAccount(db);
    const { id } = await made(account, "before");
    const edits = [{ name: "after" }, { color: "teal" }, { sortOrder: 7 }] as const;
    await Promise.all(edits.map((changes) => db.write(changeGroup, id, changes, noon)));
    const changed = await db.read(selectGroup, id, account.id);
    expect(changed).toMatchObject({ name: "after", color: "teal", sortOrder: 7, updatedAt: noon + 3 });
    await db.write(changeGroup, id, { color: "teal" }, noon + minute);
    expect((await db.read(selectGroup, id, account.id))?.updatedAt).toBe(noon + 3);
    await expect(db.write(changeGroup, newId(), { name: "nobody's" }, noon)).resolves.toBeUndefined();
  });

  describe("a creation sent again", () => {
    it("[ACC-32] without a key is the same for ten minutes, and another one afterwards", async () => {
      const account = await newAccount(db);
      const group = await made(account, "Hub");
      expect(await send(account, "Hub", { now: noon + 10 * minute - 1 })).toEqual({
        kind: "same",
        value: group,
      });
      expect(await kindOf(account, "Hub", { now: noon + 10 * minute })).toBe("created");
    });

    it("[ACC-32] with its key is the same for a day, though the group was changed since", async () => {
      const account = await newAccount(db);
      const { id } = await made(account, "Hub", { key: "k" });
      await db.write(changeGroup, id, { name: "Lobby" }, noon + minute);
      const again = await send(account, "Hub", { key: "k", now: noon + day - 1 });
      expect(again).toMatchObject({ kind: "same", value: { id, name: "Lobby" } });
      expect(await kindOf(account, "Hub", { key: "k", now: noon + day })).toBe("created");
    });

    it("[ACC-32] without a key makes a new group when the first was changed", async () => {
      const account = await newAccount(db);
      const { id } = await made(account, "Hub");
      await db.write(changeGroup, id, { color: "red" }, noon);
      expect(await kindOf(account, "Hub")).toBe("created");
    });

    it("[OUR-STO-28] with a key that came with another body is told apart, and makes nothing", async () => {
      const account = await newAccount(db);
      await made(account, "Hub", { key: "k" });
      expect(await send(account, "Lobby", { key: "k" })).toEqual({ kind: "mismatch" });
      expect(await db.read(selectGroups, account.id)).toHaveLength(1);
      expect(await kindOf(account, "Lobby", { key: "k", now: noon + day })).toBe("created");
    });

    it("[OUR-STO-28] by another account, on another route or with another key is another creation", async () => {
      const account = await newAccount(db);
      await made(account, "Hub", { key: "k" });
      expect(await kindOf(await newAccount(db), "Hub", { key: "k" })).toBe("created");
      expect(await kindOf(account, "Hub", { key: "k", route: "rules" })).toBe("created");
      expect(await kindOf(account, "Hub", { key: "K" })).toBe("created");
    });

    it("[OUR-STO-45] is the same without a key as long as any result of that body stands unchanged", async () => {
      const account = await newAccount(db);
      const { id } = await made(account, "Hub", { key: "a" });
      const second = await made(account, "Hub", { key: "b", now: noon + 1 });
      await db.write(changeGroup, second.id, { name: "Changed" }, noon + 2);
      expect(await send(account, "Hub", { now: noon + 3 })).toMatchObject({ kind: "same", value: { id } });
    });

    it("[OUR-STO-45] with a key is known by its body too, to a repeat that comes without one", async () => {
      const account = await newAccount(db);
      const { id } = await made(account, "Hub", { key: "k" });
      const repeat = await send(account, "Hub", { now: noon + 1 });
      expect(repeat).toMatchObject({ kind: "same", value: { id } });
      expect(await kindOf(account, "Hub", { key: "other", now: noon + 2 })).toBe("created");
    });

    it("[OUR-STO-28] with a key that looks like a fingerprint is not taken for one", async () => {
      const account = await newAccount(db);
      await made(account, "Hub");
      expect(await kindOf(account, "Hub", { key: "Hub" })).toBe("created");
      expect(await kindOf(account, "Hub", { key: "body:Hub" })).toBe("created");
    });

    it.each([null, "k"])("[ACC-32] ten times at once makes one group, key %s", async (key) => {
      const account = await newAccount(db);
      const results = await Promise.all(times(10).map(() => send(account, "Hub", { key })));
      expect(results.filter((result) => result?.kind === "created")).toHaveLength(1);
      expect(results.filter((result) => result?.kind === "same")).toHaveLength(9);
      expect(await db.read(selectGroups, account.id)).toHaveLength(1);
    });
  });
});
