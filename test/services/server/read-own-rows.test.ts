import { afterAll, beforeAll, expect, it } from "vitest";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import type { Account } from "../../../src/core/access/account.ts";
import { readOwnRows, rowItself, type RowOfServer } from "../../../src/services/server/read-own-rows.ts";
import type { DatabaseReader } from "../../../src/store/engine/database.ts";
import { testApp, type TestApp } from "../../support/test-app.ts";

let test: TestApp;
let owner: Account;
let server: ServerRecord;
beforeAll(async () => {
  test = testApp();
  owner = await test.account("enterprise");
  server = await test.server(owner, { name: "Lobby" });
});
afterAll(() => test.close());

const replica: DatabaseReader = { read: () => Promise.reject(new Error("not used")) };

/** Rows that the replica shows so, and the database in no other way than as none. */
const shown = (account: string, rows: RowOfServer[]): Promise<RowOfServer[]> =>
  readOwnRows(
    { db: test.app.db, replica },
    account,
    async (from) => (from === replica ? rows : []),
    rowItself,
  );

it("[OUR-STO-206] rows of the replica are shown while their servers are the account's and are called so", async () => {
  const rows = [{ serverId: server.id, serverName: "Lobby" }];
  expect(await shown(owner.id, rows)).toEqual(rows);
  expect(await shown(owner.id, [])).toEqual([]);
});

it("[OUR-STO-206] rows of a server that was renamed, unlinked or is another's are read from the database", async () => {
  const right = { serverId: server.id, serverName: "Lobby" };
  const other = await test.account("enterprise");
  expect(await shown(owner.id, [right, { ...right, serverName: "Old name" }])).toEqual([]);
  expect(await shown(owner.id, [right, { ...right, serverId: owner.id }])).toEqual([]);
  expect(await shown(other.id, [right])).toEqual([]);
});
